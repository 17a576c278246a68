import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Script } from "node:vm"
import { LocalGateway, type SettingsChange } from "../../../src/local-gateway/index.js"
import { openShop, send, type Answer } from "../../support/GatewayRequests.js"

const approved = { method: "PAYMENT_CARD", number: "4444 4444 4444 4448", expiry: "12/39", cvc: "123" }

const back = (id: number) => `http://localhost/return?id=${id}`

/** A payment, and what the payer can do at its page. */
const openPage = (changes: object = {}) =>
  Effect.gen(function* () {
    const shop = yield* openShop
    const { gw_url = "", id } = yield* shop.create({ lang: "EN", ...changes })
    const path = new URL(gw_url).pathname
    const read = Effect.map(LocalGateway.listPayments, (payments) => {
      const payment = payments.find((created) => created.id === id)
      return [payment?.state, payment?.sub_state, payment?.payment_instrument].filter(Boolean).join(" ")
    })
    return {
      id,
      path,
      read,
      look: (query = "") => send("GET", `${path}${query}`),
      act: (payer_action: string, fields: Record<string, string> = {}, query = "") =>
        send("POST", `${path}${query}`, {
          body: new URLSearchParams({ ...fields, payer_action }).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
    }
  })

const location = ({ headers, status }: Answer) => `${status} ${headers["location"]}`

/** The words of a page, without its markup, style and script. */
const words = ({ body }: Answer) =>
  body
    .replaceAll(/<(style|script)>[^]*?<\/\1>/g, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")

/** A gateway whose payer returns after the shop was notified, unless the settings say otherwise. */
const gateway = (settings: SettingsChange = {}) =>
  LocalGateway.layerWith({ settings: { notificationTiming: "notificationFirst", ...settings } })

describe("A test finds the controls of the pay page", () => {
  const testIds = (body: string): ReadonlyArray<string> =>
    Array.from(body.matchAll(/data-testid="([^"]*)"/g), ([, id = ""]) => id)

  it.effect("by ids that are the same in both languages, and each once", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      const english = testIds((yield* page.look("?lang=en")).body)
      assert.includeMembers(
        [...english],
        ["approve", "threeDSecure", "cancel", "decline-_5006", "choose-BANK_ACCOUNT", "number", "switch-language"]
      )
      assert.strictEqual(new Set(english).size, english.length)
      assert.deepStrictEqual(testIds((yield* page.look("?lang=cs")).body), english)
      assert.includeMembers([...testIds((yield* page.look("?step=3ds")).body)], ["approve", "decline-_5033", "back"])
      assert.include(words(yield* page.look("?step=3ds&card=0003&lang=en")), "Card number: …0003")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("and the outcome", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      yield* page.act("cancel")
      const { body } = yield* page.look()
      assert.match(body, /data-testid="state"\s*>CANCELED _5043<\/code/)
      assert.include(testIds(body), "back-to-shop")
      assert.match(body, new RegExp(`data-testid="dashboard"\\s+href="/#/payments/${page.id}"`))
    }).pipe(Effect.provide(gateway()))
  )
})

describe("The pay page shows", () => {
  it.effect("shop, order, amount, the ways to pay, and that it is not real", () =>
    Effect.gen(function* () {
      const page = yield* openPage({
        amount: 139_950,
        order_description: "Two books",
        items: [{ name: "Švejk", amount: 139_950, count: 2 }]
      })
      const shown = yield* page.look()
      assert.deepStrictEqual([shown.status, shown.headers["content-type"]], [200, "text/html; charset=utf-8"])
      for (const text of [
        "Test Shop",
        "order-1",
        "Two books",
        "Švejk × 2",
        "1,399.50 CZK",
        "This is a local test gateway, not GoPay"
      ]) {
        assert.include(words(shown), text)
      }
      for (const method of ["Payment card", "Quick bank transfer", "GoPay account", "Twisto", "Premium SMS"]) {
        assert.include(words(shown), method)
      }
      assert.include(shown.body, `<html lang="en">`)
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("the same when a merchant's form opens it by POST", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      const [opened, shown] = [yield* send("POST", page.path, { body: "pay=" }), yield* page.look()]
      const withoutNonces = (answer: Answer): unknown =>
        JSON.parse(JSON.stringify(answer).replaceAll(/nonce(-|=\\")[\w+/=]{24}/g, ""))
      assert.deepStrictEqual(withoutNonces(opened), withoutNonces(shown))
      assert.strictEqual(yield* page.read, "CREATED")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("Czech to Czechs, English to all others, and either when asked for", () =>
    Effect.gen(function* () {
      const languages = []
      for (const lang of ["CS", "cs", "EN", "SK", "DE", undefined]) {
        const page = yield* openPage({ lang })
        const [shown, switched] = [yield* page.look(), yield* page.look("?lang=cs")]
        languages.push([shown, switched].map(({ body }) => /<html lang="(..)">/.exec(body)?.[1]).join())
      }
      assert.deepStrictEqual(languages, ["cs,cs", "cs,cs", "en,cs", "sk,cs", "en,cs", "en,cs"])
      const slovak = yield* openPage({ lang: "SK" })
      const linked = /data-testid="switch-language"\s+href="([^"]*)"\s+lang="(..)"/
      const inSlovak = (yield* slovak.look()).body
      assert.include(inSlovak, "Ako chcete zaplatiť?")
      assert.include(inSlovak, "Platobná karta")
      assert.include(inSlovak, "Nedostatok prostriedkov")
      assert.strictEqual(linked.exec(inSlovak)?.[2], "en")
      assert.strictEqual(linked.exec((yield* slovak.look("?lang=en")).body)?.[2], "sk")
      const czech = yield* openPage({ lang: "CS", amount: 139_950 })
      assert.include(words(yield* czech.look()), "Zaplatit 1 399,50 Kč")
      assert.include((yield* czech.look("?lang=en")).body, `action="${czech.path}?lang=en"`)
      const step = yield* czech.look("?step=3ds&card=4448")
      assert.include(step.body, `href="${czech.path}?step=3ds&amp;card=4448&amp;lang=en"`)
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("that it is in English, where there is no page in the order's language, until the payer chooses one", () =>
    Effect.gen(function* () {
      const note = "has no German pay page, so it shows the English one"
      const german = yield* openPage({ lang: "DE" })
      assert.include(words(yield* german.look()), note)
      assert.notInclude(words(yield* german.look("?lang=en")), note)
      for (const lang of ["EN", "CS", "XX", "no language", undefined]) {
        const page = yield* openPage({ lang })
        assert.notInclude(words(yield* page.look()), "so it shows the English one")
      }
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("the ways that the order allows, beginning with the one that it suggests", () =>
    Effect.gen(function* () {
      const some = yield* openPage({
        payer: { allowed_payment_instruments: ["PAYMENT_CARD", "GOPAY"], default_payment_instrument: "GOPAY" }
      })
      const shown = yield* some.look()
      assert.notInclude(words(shown), "Twisto")
      assert.match(shown.body, /value="choose:GOPAY"\s+aria-pressed="true"/)
      const held = yield* openPage({ preauthorization: true })
      assert.notInclude((yield* held.look()).body, "choose:")
      assert.include(words(yield* held.look()), "only held on your card")
      const none = yield* openPage({ payer: { allowed_payment_instruments: ["BITCOIN"] } })
      const refused = words(yield* none.look())
      assert.include(refused, "does not offer any payment method that the shop allows")
      assert.include(refused, "allowed_payment_instruments: BITCOIN")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("a clear page with status 404 at an address that no payment has", () =>
    Effect.gen(function* () {
      const english = yield* send("GET", "/gw/v3/nothing")
      const czech = yield* send("GET", "/gw/v3/nothing", { headers: { "accept-language": "cs" } })
      assert.deepStrictEqual([english.status, czech.status], [404, 404])
      assert.include(words(english), "No such payment")
      assert.include(words(czech), "Taková platba neexistuje")
      assert.include(english.body, 'href="/"')
      const { id } = yield* openPage()
      const { body } = yield* send("GET", "/gw/v3/nothing")
      assert.include(body, `href="/#/payments/${id}"`)
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("what has become of a payment that is over, with the way back", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, string]> = [
        ["approve", "Paid"],
        ["cancel", "The payment was cancelled"],
        ["timeOut", "The payment has timed out"]
      ]
      const declined = yield* openPage()
      yield* declined.act("decline:_5006", approved)
      yield* declined.act("cancel")
      const outcome = words(yield* declined.look())
      assert.include(outcome, "The payment was declined")
      assert.notInclude(outcome, "cancelled")
      for (const [action, title] of cases) {
        const page = yield* openPage()
        yield* page.act(action, approved)
        const over = yield* page.look()
        assert.include(words(over), title)
        assert.include(over.body, `href="${back(page.id)}"`)
        const state = yield* page.read
        assert.strictEqual(location(yield* page.act("approve", approved)), `303 ${page.path}`)
        assert.strictEqual(yield* page.read, state)
      }
    }).pipe(Effect.provide(gateway()))
  )
})

describe("The page of an outcome", () => {
  it.effect("lists the shop's newest other payments with their states, and none of another shop", () =>
    Effect.gen(function* () {
      const { clientId, clientSecret, goid } = LocalGateway.merchant
      const merchants = [
        { goid, client_id: clientId, client_secret: clientSecret },
        { goid: 8_000_000_002, client_id: "2", client_secret: "secret" }
      ]
      const target = { type: "ACCOUNT", goid: 8_000_000_002 }
      const elsewhere = { id: 3_000_000_016, amount: 100, currency: "CZK", state: "PAID", target }
      const seeded = yield* send("POST", "/local-gateway/seed", {
        body: JSON.stringify({ merchants, payments: [elsewhere] }),
        headers: { "content-type": "application/json" }
      })
      assert.strictEqual(seeded.status, 200, seeded.body)
      const before = yield* openPage({ order_number: "before" })
      yield* before.act("approve", approved)
      const page = yield* openPage({ order_number: "this" })
      assert.notInclude(words(yield* page.look()), "Newest payments")
      yield* page.act("approve", approved)
      const over = yield* page.look()
      assert.match(words(over), /Newest payments before [\d.,]+ CZK paid/)
      const links = [...over.body.matchAll(/href="\/#\/payments\/(\d+)"><bdi>/g)].map(([, id]) => Number(id))
      assert.deepStrictEqual(links, [before.id])
      assert.include(words(yield* page.look("?lang=cs")), "zaplaceno")
      const framed = yield* page.look("?inline=http://shop.example")
      assert.notInclude(words(framed), "Newest payments")
      const rebound = yield* send("GET", page.path, { headers: { host: "evil.example" } })
      assert.notInclude(words(rebound), "Newest payments")
    }).pipe(Effect.provide(gateway()))
  )
})

describe("Paying at the pay page", () => {
  it.effect("by card pays, and leads back to the shop", () =>
    Effect.gen(function* () {
      for (const number of ["4444444444444448", "4188 0300 0000 0003", "4188-0300-0000-0003"]) {
        const page = yield* openPage()
        assert.strictEqual(location(yield* page.act("approve", { ...approved, number })), `303 ${back(page.id)}`)
        assert.strictEqual(yield* page.read, "PAID PAYMENT_CARD")
      }
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("holds the amount of a preauthorization", () =>
    Effect.gen(function* () {
      const page = yield* openPage({ preauthorization: true })
      yield* page.act("approve", approved)
      assert.strictEqual(yield* page.read, "AUTHORIZED PAYMENT_CARD")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("by any card but the test cards is refused, and the number is neither shown nor logged", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      for (const action of ["approve", "threeDSecure", "decline:_5006"]) {
        const refused = yield* page.act(action, { ...approved, number: "4111 1111 1111 1111" })
        assert.strictEqual(location(refused), `303 ${page.path}?problems=number`)
      }
      const shown = yield* page.look("?problems=number")
      assert.match(shown.body, /id="number"[^>]*value=""[^>]*aria-describedby="number-error"[^>]*aria-invalid="true"/)
      assert.include(shown.body, `<p id="number-error" class="error">This is not a test card.`)
      assert.strictEqual(yield* page.read, "CREATED")
      const log = JSON.stringify([yield* LocalGateway.listRequests, yield* LocalGateway.listEvents])
      assert.include(log, page.path)
      assert.notMatch(log, /41111111|4111( |%20|\+)1111|12%2F39|payer_action/)
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("says which fields of the card are wrong", () =>
    Effect.gen(function* () {
      const toOctober2024 = Duration.days(20_000)
      yield* LocalGateway.advanceTime(toOctober2024)
      const page = yield* openPage()
      const problemsOf = (fields: object) =>
        Effect.map(page.act("approve", { ...approved, ...fields }), ({ headers }) => headers["location"])
      for (const expiry of ["", "12+39", "<b>", "12/39/39"]) {
        assert.strictEqual(yield* problemsOf({ expiry }), `${page.path}?card=4448&problems=expiry`)
      }
      for (const expiry of ["13/39", "09/24", "1/39", "12/1969"]) {
        const typed = `${page.path}?card=4448&problems=expiry&expiry=${encodeURIComponent(expiry)}`
        assert.strictEqual(yield* problemsOf({ expiry }), typed)
        const shown = yield* page.look(typed.slice(page.path.length))
        assert.include(shown.body.replaceAll(/\s+/g, " "), `data-testid="expiry" value="${expiry}"`)
      }
      for (const cvc of ["", "12", "12345", "abc"]) {
        assert.strictEqual(yield* problemsOf({ cvc }), `${page.path}?card=4448&problems=cvc`)
      }
      assert.strictEqual(
        yield* problemsOf({ number: "", expiry: "", cvc: "" }),
        `${page.path}?problems=number%2Cexpiry%2Ccvc`
      )
      assert.strictEqual(yield* problemsOf({ expiry: " 10 / 2024 " }), back(page.id))
      for (const expiry of ["1024", "10 24", "102024", "10-24", "10.2024", "1220"]) {
        const other = yield* openPage()
        const { headers } = yield* other.act("approve", { ...approved, expiry })
        const refused = `${other.path}?card=4448&problems=expiry&expiry=1220`
        assert.strictEqual(headers["location"], expiry === "1220" ? refused : back(other.id))
      }
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("a declined attempt can be repeated, and the page says why it was declined", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      assert.strictEqual(location(yield* page.act("decline:_5006", approved)), `303 ${page.path}`)
      assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _5006 PAYMENT_CARD")
      const shown = words(yield* page.look())
      assert.include(shown, "The attempt was declined Insufficient funds (_5006)")
      assert.include(shown, "Give up and return to the shop")
      yield* page.act("approve", approved)
      assert.strictEqual(yield* page.read, "PAID PAYMENT_CARD")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("giving up after a declined attempt cancels with its sub-state, cancelling at once with _5043", () =>
    Effect.gen(function* () {
      const declined = yield* openPage()
      yield* declined.act("decline:_5002", approved)
      assert.strictEqual(location(yield* declined.act("cancel")), `303 ${back(declined.id)}`)
      assert.strictEqual(yield* declined.read, "CANCELED _5002 PAYMENT_CARD")
      const canceled = yield* openPage()
      assert.strictEqual(location(yield* canceled.act("cancel")), `303 ${back(canceled.id)}`)
      assert.strictEqual(yield* canceled.read, "CANCELED _5043")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("a declined attempt cancels the payment when it is set to", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      assert.strictEqual(location(yield* page.act("decline:_5005", approved)), `303 ${back(page.id)}`)
      assert.strictEqual(yield* page.read, "CANCELED _5005 PAYMENT_CARD")
    }).pipe(Effect.provide(gateway({ declinedAttempt: "cancelsPayment" })))
  )

  it.effect("the 3-D Secure step comes between, and can be confirmed or failed", () =>
    Effect.gen(function* () {
      const outcomes: ReadonlyArray<readonly [string, string]> = [
        ["approve", "PAID PAYMENT_CARD"],
        ["decline:_5018", "PAYMENT_METHOD_CHOSEN _5018 PAYMENT_CARD"],
        ["decline:_5033", "PAYMENT_METHOD_CHOSEN _5033 PAYMENT_CARD"],
        ["timeOut", "TIMEOUTED PAYMENT_CARD"]
      ]
      for (const [action, outcome] of outcomes) {
        const page = yield* openPage()
        const step = yield* page.act("threeDSecure", { ...approved, number: "4188030000000003" })
        assert.strictEqual(location(step), `303 ${page.path}?step=3ds&card=0003`)
        assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _101 PAYMENT_CARD")
        assert.include(words(yield* page.look("?step=3ds&card=0003")), "Confirm the payment")
        yield* page.act(action, { method: "PAYMENT_CARD", card: "0003" })
        assert.strictEqual(yield* page.read, outcome)
      }
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("a stored card pays without being typed", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ payer: { request_card_token: true } })
      const { payer } = yield* LocalGateway.payByCard(id)
      const page = yield* openPage({ payer: { allowed_card_token: payer?.payment_card?.card_token } })
      const shown = yield* page.look()
      assert.include(words(shown), "You pay with the stored card 444444******4448, valid until 12/39.")
      assert.notInclude(shown.body, `name="number"`)
      yield* page.act("approve", { method: "PAYMENT_CARD" })
      assert.strictEqual(yield* page.read, "PAID PAYMENT_CARD")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("by bank transfer shows its QR code and account, and waits", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      assert.strictEqual(location(yield* page.act("choose:BANK_ACCOUNT")), `303 ${page.path}`)
      assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _102 BANK_ACCOUNT")
      const shown = yield* page.look()
      assert.match(shown.body, /<img\s+src="data:image\/svg\+xml;base64,[\w+/=]+"\s+alt="QR code QR Platba/)
      assert.include(words(shown), "000000-1000000005/0000")
      assert.include(words(shown), `Variable symbol ${page.id}`)
      assert.strictEqual(location(yield* page.act("leave", { method: "BANK_ACCOUNT" })), `303 ${back(page.id)}`)
      assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _102 BANK_ACCOUNT")
      assert.strictEqual(location(yield* page.act("approve", { method: "BANK_ACCOUNT" })), `303 ${back(page.id)}`)
      assert.strictEqual(yield* page.read, "PAID _3002 BANK_ACCOUNT")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("a bank transfer can be declined, or come after the time has run out", () =>
    Effect.gen(function* () {
      const declined = yield* openPage()
      yield* declined.act("choose:BANK_ACCOUNT")
      yield* declined.act("decline:_5042", { method: "BANK_ACCOUNT" })
      assert.strictEqual(yield* declined.read, "PAYMENT_METHOD_CHOSEN _5042 BANK_ACCOUNT")
      const late = yield* openPage()
      yield* late.act("choose:BANK_ACCOUNT")
      yield* LocalGateway.advanceTime(Duration.days(5))
      assert.include(words(yield* late.look()), "The transfer arrives late")
      assert.strictEqual(location(yield* late.act("lateTransfer")), `303 ${late.path}`)
      assert.strictEqual(yield* late.read, "PAID _5047 BANK_ACCOUNT")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("the same is ordered again once the payment is over, and paid on a page of its own", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      assert.notInclude(words(yield* page.look()), "Order again")
      yield* page.act("approve", approved)
      assert.include(words(yield* page.look()), "Order again")
      const address = location(yield* page.act("orderAgain"))
      assert.match(address, /^303 \/gw\/v3\/[0-9a-f]{32}$/)
      assert.notStrictEqual(address, `303 ${page.path}`)
      const [first, again, ...others] = yield* LocalGateway.listPayments
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual([first?.state, again?.state], ["PAID", "CREATED"])
      assert.deepStrictEqual([again?.amount, again?.order_number], [first?.amount, first?.order_number])
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("by anything else is approved or declined, and nothing more of it is imitated", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      yield* page.act("choose:GOPAY")
      assert.include(words(yield* page.look()), "Of GoPay account, only the outcome is simulated here")
      yield* page.act("decline:_5023", { method: "GOPAY" })
      assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _5023 GOPAY")
      yield* page.act("approve", { method: "GOPAY" })
      assert.strictEqual(yield* page.read, "PAID GOPAY")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("does nothing for what the page does not offer", () =>
    Effect.gen(function* () {
      const page = yield* openPage({ payer: { allowed_payment_instruments: ["PAYMENT_CARD"] } })
      const attempts: ReadonlyArray<readonly [string, Record<string, string>]> = [
        ["choose:GOPAY", {}],
        ["choose:NOTHING", {}],
        ["approve", {}],
        ["approve", { method: "BANK_ACCOUNT" }],
        ["decline:_9999", approved],
        ["lateTransfer", {}],
        ["orderAgain", {}]
      ]
      for (const [action, fields] of attempts) {
        assert.strictEqual(location(yield* page.act(action, fields)), `303 ${page.path}`)
      }
      assert.strictEqual((yield* page.act("toString", approved)).status, 200)
      assert.strictEqual(yield* page.read, "CREATED")
    }).pipe(Effect.provide(gateway()))
  )
})

describe("The payer returns", () => {
  it.effect("while the payment is pending, and it is paid a little later", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      assert.strictEqual(location(yield* page.act("approve", approved)), `303 ${back(page.id)}`)
      assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _101 PAYMENT_CARD")
      yield* LocalGateway.advanceTime(Duration.seconds(4))
      assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _101 PAYMENT_CARD")
      yield* LocalGateway.advanceTime(Duration.seconds(1))
      assert.strictEqual(yield* page.read, "PAID PAYMENT_CARD")
    }).pipe(Effect.provide(gateway({ notificationTiming: "whilePending", returnLeadSeconds: 5 })))
  )

  it.effect("while it is pending, and the page takes no second payment of it", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      yield* page.act("approve", approved)
      assert.include(words(yield* page.look()), "Your payment is being processed")
      for (const action of ["approve", "choose:BANK_ACCOUNT", "decline:_5006", "cancel", "threeDSecure"]) {
        assert.strictEqual(location(yield* page.act(action, approved)), `303 ${page.path}`)
      }
      assert.strictEqual(yield* page.read, "PAYMENT_METHOD_CHOSEN _101 PAYMENT_CARD")
      yield* LocalGateway.advanceTime(Duration.seconds(5))
      assert.include(words(yield* page.look()), "Paid")
    }).pipe(Effect.provide(gateway({ notificationTiming: "whilePending", returnLeadSeconds: 5 })))
  )

  it.effect("while it is pending, and it is not paid once it was cancelled in between", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      yield* page.act("approve", approved)
      yield* LocalGateway.cancelPayment(page.id)
      yield* LocalGateway.advanceTime(Duration.minutes(1))
      assert.strictEqual(yield* page.read, "CANCELED _5043 PAYMENT_CARD")
    }).pipe(Effect.provide(gateway({ notificationTiming: "whilePending" })))
  )

  it.effect("never, though the payment is made", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      assert.strictEqual(location(yield* page.act("approve", approved)), `303 ${page.path}?step=left`)
      assert.strictEqual(yield* page.read, "PAID PAYMENT_CARD")
      const left = yield* page.look("?step=left")
      assert.include(words(left), "The payer has closed the window")
      assert.notInclude(left.body, back(page.id))
    }).pipe(Effect.provide(gateway({ notificationTiming: "never" })))
  )

  it.effect("in orders that vary by the seed", () =>
    Effect.gen(function* () {
      const seen = new Set<string>()
      for (let count = 0; count < 60; count++) {
        const page = yield* openPage()
        const { headers } = yield* page.act("approve", approved)
        seen.add(`${headers["location"] === back(page.id) ? "returns" : "stays"} ${yield* page.read}`)
      }
      assert.deepStrictEqual([...seen].sort(), [
        "returns PAID PAYMENT_CARD",
        "returns PAYMENT_METHOD_CHOSEN _101 PAYMENT_CARD",
        "stays PAID PAYMENT_CARD"
      ])
    }).pipe(Effect.provide(LocalGateway.layerWith({})))
  )

  it.effect("to the shop's address with the id in its query", () =>
    Effect.gen(function* () {
      const addresses: ReadonlyArray<readonly [string, string]> = [
        ["https://shop.example/done?a=1&b=%20#top", "https://shop.example/done?a=1&b=%20&id=ID#top"],
        ["http://shop.example", "http://shop.example/?id=ID"],
        ["http://shop.example/?", "http://shop.example/?id=ID"],
        ["http://shop.example/děkujeme", "http://shop.example/d%C4%9Bkujeme?id=ID"]
      ]
      for (const [return_url, expected] of addresses) {
        const page = yield* openPage({ callback: { return_url } })
        assert.strictEqual(
          location(yield* page.act("approve", approved)),
          `303 ${expected.replace("ID", String(page.id))}`
        )
      }
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("to no address but one of the web: others are shown as text", () =>
    Effect.gen(function* () {
      for (const return_url of [
        "javascript://%0aalert(1)",
        "data://text/html,<script>alert(1)</script>",
        "file:///x"
      ]) {
        const page = yield* openPage({ callback: { return_url } })
        assert.strictEqual(location(yield* page.act("approve", approved)), `303 ${page.path}?step=finished`)
        const shown = yield* page.look("?step=finished")
        assert.include(words(shown), "is neither http nor https")
        assert.notMatch(shown.body, /(href|action|src|data-result)="[^"]*(javascript:|data:\/\/|file:|text\/html)/i)
      }
    }).pipe(Effect.provide(gateway()))
  )
})

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;{{7*7}}\u202e`

describe("Nothing that a merchant or payer types becomes markup", () => {
  it.effect("of the order, and of the query", () =>
    Effect.gen(function* () {
      const harmless = yield* openPage({ order_description: "a", items: [{ name: "a", amount: 1 }] })
      const page = yield* openPage({
        order_number: hostile.slice(0, 128),
        order_description: hostile,
        items: [{ name: hostile, amount: 1 }],
        callback: { return_url: `http://shop.example/${hostile.replaceAll(" ", "")}` },
        payer: { contact: { email: hostile }, default_payment_instrument: hostile },
        lang: hostile
      })
      const tags = ({ body }: Answer) => body.match(/<[a-z/!][^\s>]*/gi)
      const queries = ["", "?step=3ds", "?step=finished", "?problems=number"]
      for (const query of queries) {
        assert.deepStrictEqual(tags(yield* page.look(query)), tags(yield* harmless.look(query)))
      }
      const attack = encodeURIComponent(hostile)
      const attacked = yield* page.look(
        `?lang=${attack}&inline=${attack}&card=${attack}&problems=${attack}&step=${attack}&expiry=${attack}`
      )
      assert.deepStrictEqual(tags(attacked), tags(yield* harmless.look()))
      yield* page.act("approve", approved)
      yield* harmless.act("approve", approved)
      assert.deepStrictEqual(tags(yield* page.look()), tags(yield* harmless.look()))
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("and its policy lets nothing run but its own script, while any page may frame it", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      const { body, headers } = yield* page.look()
      const policy = headers["content-security-policy"] ?? ""
      const sources = Array.from(body.matchAll(/<(style|script)\b ?(.*?)>/g), ([, name, rest]) => [name, rest])
      const [, nonce = ""] = /nonce-([^']{24})'/.exec(policy) ?? []
      assert.deepStrictEqual(sources, [
        ["style", `nonce="${nonce}"`],
        ["script", `nonce="${nonce}"`]
      ])
      assert.notInclude((yield* page.look()).body, nonce)
      assert.deepStrictEqual(policy.split("; "), [
        "default-src 'none'",
        `style-src 'nonce-${nonce}'`,
        `script-src 'nonce-${nonce}'`,
        "img-src data:",
        "connect-src 'self'",
        "form-action http: https:",
        "base-uri 'none'",
        "frame-ancestors *"
      ])
    }).pipe(Effect.provide(gateway()))
  )
})

describe("In an overlay", () => {
  const inline = `?inline=${encodeURIComponent("http://shop.example:3000")}`

  it.effect("the page stays in its frame to the end, and then tells the page around it", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      assert.include((yield* page.look(inline)).body, `action="${page.path}${inline}"`)
      assert.strictEqual(
        location(yield* page.act("approve", approved, inline)),
        `303 ${page.path}${inline}&step=finished`
      )
      const { body } = yield* page.look(`${inline}&step=finished`)
      assert.include(body, `data-inline="http://shop.example:3000"`)
      const result = `{"url":"${back(page.id)}","id":${page.id},"state":"PAID"}`
      assert.include(body, `data-result="${result.replaceAll(`"`, "&quot;")}"`)
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("it tells no one when the origin is none of the web, nor when the payer has left", () =>
    Effect.gen(function* () {
      const page = yield* openPage()
      for (const origin of ["*", "null", "javascript:alert(1)", "http://shop.example/path", "file://"]) {
        assert.notInclude((yield* page.look(`?inline=${encodeURIComponent(origin)}`)).body, "data-inline")
      }
      yield* page.act("approve", approved)
      assert.notInclude((yield* page.look(`${inline}&step=left`)).body, "data-result")
    }).pipe(Effect.provide(gateway()))
  )

  it.effect("the script for the merchant's page is there, and well-formed", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* send("GET", "/gp-gw/js/embed.js")
      assert.deepStrictEqual([status, headers["content-type"]], [200, "text/javascript; charset=utf-8"])
      assert.doesNotThrow(() => new Script(body))
    }).pipe(Effect.provide(gateway()))
  )
})
