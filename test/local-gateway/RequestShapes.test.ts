/**
 * Requests as other people's shops, plugins and clients write them: who sends each, what comes back, and how sure it is
 * that GoPay responds likewise. The shapes are theirs; names and addresses are invented.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { type Answer, basic, openShop, order, refusalIn, send } from "../support/GatewayRequests.js"

type Shop = Effect.Success<typeof openShop>
type Sending = Effect.Effect<Answer, unknown, HttpClient.HttpClient | LocalGateway>

/** How sure the response is: the words of the API's reference. */
type Evidence = "recorded" | "documented" | "weak" | "inferred" | "unknown"

/** Who sends it and what, what comes back, how sure that is, and the request. */
type Shape = readonly [from: string, response: string, evidence: Evidence, (shop: Shop) => Sending]

const json = "application/json"
const form = "application/x-www-form-urlencoded"
const { goid } = LocalGateway.merchant

/** The order of a plugin: amounts as text, items in fractions of the same number, empty texts. */
const pluginOrder = {
  payer: {
    default_payment_instrument: "PAYMENT_CARD",
    allowed_payment_instruments: ["PAYMENT_CARD", "BANK_ACCOUNT", "GPAY", "APPLE_PAY"],
    allowed_swifts: [],
    contact: {
      first_name: "Jan",
      last_name: "Novák",
      email: "jan@example.com",
      phone_number: "",
      city: "Praha",
      street: "",
      postal_code: "110 00",
      country_code: "CZE"
    }
  },
  amount: "1999",
  currency: "CZK",
  order_number: "42",
  order_description: "order",
  items: [
    { type: "ITEM", name: "T-shirt", product_url: "https://shop.example/p/1", amount: 1999, count: 1, vat_rate: 21 }
  ],
  additional_params: [{ name: "invoicenumber", value: "42" }],
  callback: {
    return_url: "https://shop.example/?wc-api=r&order_id=7",
    notification_url: "https://shop.example/?gopay-api=n&order_id=7"
  },
  lang: "cs",
  target: { type: "ACCOUNT", goid: String(goid) }
}

const [pluginItem] = pluginOrder.items
const item = (changes: object) => ({ items: [{ ...pluginItem, ...changes }] })
const payer = (changes: object) => ({ payer: { ...pluginOrder.payer, ...changes } })
const contact = (changes: object) => payer({ contact: { ...pluginOrder.payer.contact, ...changes } })

/** `price * 100` of 19.99. */
const fraction = 19.99 * 100

const creates = (changes: object, write = (text: string): string => text) =>
  creating(write(JSON.stringify({ ...pluginOrder, ...changes })))
const creating =
  (body: string) =>
  (shop: Shop): Sending =>
    shop.post("/payments/payment", { body, headers: { "content-type": json } })

const hold = { preauthorization: true }
const recurrence = { recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-01-01" } }

/** A request about a payment that was paid. */
const onPaid =
  (changes: object, path: string, type?: string, body?: string, method = "POST") =>
  (shop: Shop): Sending =>
    Effect.gen(function* () {
      const { id } = yield* shop.create(changes)
      yield* LocalGateway.payByCard(id)
      return yield* shop.request(method, `/payments/payment/${id}/${path}`, {
        ...(body === undefined ? {} : { body }),
        headers: type === undefined ? {} : { "content-type": type }
      })
    })

const token =
  (type: string, more = "") =>
  (): Sending =>
    send("POST", "/api/oauth2/token", {
      body: `grant_type=client_credentials${more}&scope=payment-all`,
      headers: { authorization: basic, "content-type": type, accept: json }
    })

const statement =
  (changes: object) =>
  (shop: Shop): Sending =>
    shop.postJson("/accounts/account-statement", {
      date_from: "2026-01-01",
      date_to: "2026-01-31",
      goid: String(goid),
      currency: "CZK",
      format: "CSV_B",
      ...changes
    })

const shapes: ReadonlyArray<Shape> = [
  [
    "WooCommerce: the amount as text, an item's as 1999.0",
    "200",
    "weak",
    creates({}, (text) => text.replace('"amount":1999,', '"amount":1999.0,'))
  ],
  ["WooCommerce: an item of 19.99 * 100", "200 warned", "unknown", creates(item({ amount: fraction }))],
  ["WooCommerce: vat_rate as text", "200", "weak", creates(item({ vat_rate: "0" }))],
  ["WooCommerce: no country", "200", "weak", creates(contact({ country_code: null }))],
  ["WooCommerce: a parameter as a number", "200", "weak", creates({ additional_params: [{ name: "n", value: 42 }] })],
  ["WooCommerce: lang in upper case", "200", "recorded", creates({ lang: "EN" })],
  ["WooCommerce: a lang that is not offered", "200", "inferred", creates({ lang: "si" })],
  ["WooCommerce: a free item", "200 warned", "weak", creates(item({ amount: 0 }))],
  ["WooCommerce: a subscription on demand", "200", "documented", creates(recurrence)],
  [
    "PrestaShop: the total as 139950.0",
    "200",
    "weak",
    creates({ items: [] }, (text) => text.replace('"amount":"1999"', '"amount":139950.0'))
  ],
  ["PrestaShop: a total of 19.99 * 100", "200 warned", "unknown", creates({ amount: fraction })],
  ["PrestaShop: order_number as a number", "200", "weak", creates({ order_number: 42 })],
  [
    "PrestaShop: no instruments, no items",
    "200",
    "weak",
    creates({ payer: { contact: { email: "a@example.com" } }, items: [] })
  ],
  ["OpenCart: count as text, no city", "200", "weak", creates({ ...item({ count: "1" }), ...contact({ city: null }) })],
  ["Shopsys: no default instrument, as empty text", "200", "weak", creates(payer({ default_payment_instrument: "" }))],
  [
    "Shopsys: a default bank",
    "200",
    "documented",
    creates(payer({ default_payment_instrument: "BANK_ACCOUNT", default_swift: "GIBACZPX" }))
  ],
  [
    "Shopsys: instruments that are not offered",
    "200",
    "weak",
    creates(payer({ allowed_payment_instruments: ["PAYMENT_CARD", "MASTERPASS", "BITCOIN", "SKIPPAY"] }))
  ],
  [
    "Sylius: no items, description and parameters",
    "200",
    "weak",
    creates({ items: [], order_description: undefined, additional_params: undefined, currency: "EUR" })
  ],
  [
    "Omnipay: letters as \\u escapes, and eet",
    "200 warned",
    "weak",
    creates({ eet: { celk_trzba: 1999, mena: "CZK" } }, (text) => text.replaceAll("á", "\\u00e1"))
  ],
  ["PayKit: no callback", "409 callback 110 REQUIRED", "inferred", creates({ callback: undefined })],
  [
    "PayKit: the end of a recurrence with a time",
    "409 recurrence_date_to 111 INVALID",
    "inferred",
    creates({
      recurrence: { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "2099-01-01T10:00:00.000Z" }
    })
  ],
  [
    "PayKit: JSON in a parameter",
    "200",
    "weak",
    creates({ additional_params: [{ name: "n", value: '{"item":"a & b <c> \'d\'"}' }] })
  ],
  [
    "gopay-api-nodejs of others: the amount as text, an item without count",
    "200",
    "weak",
    creates({ amount: "1000", items: [{ name: "a", amount: 1000 }], ...hold })
  ],
  ["Go: a token with a language", "200", "inferred", token(form, "&language=cs")],
  ["an old Java client: a token as JSON", "500 F 500 INTERNAL_ERROR", "inferred", token(json)],
  ["gopay-inline: a full capture as JSON null", "200 warned", "unknown", onPaid(hold, "capture", json, "null")],
  [
    "a client of others: a full capture as an empty object",
    "200 warned",
    "unknown",
    onPaid(hold, "capture", json, "{}")
  ],
  [
    "gopay-inline: a capture of 1000.0",
    "200",
    "weak",
    onPaid(hold, "capture", json, '{"amount":1000.0,"items":[{"name":"a","amount":1000.0}]}')
  ],
  [
    "a Node.js client of others: a capture as JSON that claims to be a form",
    "500 F 500 INTERNAL_ERROR",
    "inferred",
    onPaid(hold, "capture", form, '{"amount":1000}')
  ],
  ["Sylius: a part captured without items", "200 warned", "inferred", onPaid(hold, "capture", json, '{"amount":1000}')],
  ["a Python client of others: a full capture of no type", "200", "inferred", onPaid(hold, "capture")],
  ["the same: a hold released, of no type", "200", "inferred", onPaid(hold, "void-authorization")],
  ["PayKit: a hold released as JSON", "500 F 500 INTERNAL_ERROR", "weak", onPaid(hold, "void-authorization", json)],
  [
    "PayKit: a capture by GET",
    "404 G 116 INVALID_REQUEST",
    "inferred",
    onPaid(hold, "capture", json, undefined, "GET")
  ],
  [
    "Omnipay: a recurrence ended by a form with JSON in it",
    "200",
    "weak",
    onPaid(recurrence, "void-recurrence", form, '"3081796328"')
  ],
  [
    "a Python client of others: a recurrence ended, of no type",
    "200",
    "inferred",
    onPaid(recurrence, "void-recurrence")
  ],
  ["WooCommerce: a refund as a form", "200", "documented", onPaid({}, "refund", form, "amount=10000")],
  [
    "WooCommerce: a refund of 19.99 * 100, as text",
    "409 amount 111 INVALID",
    "inferred",
    onPaid({}, "refund", form, `amount=${fraction}`)
  ],
  [
    "WooCommerce: a refund in crowns, as text",
    "409 amount 111 INVALID",
    "inferred",
    onPaid({}, "refund", form, "amount=10.00")
  ],
  ["gopay-js: a refund as JSON", "200", "weak", onPaid({}, "refund", json, '{"amount":10000}')],
  [
    "WooCommerce: a charge of 19.99 * 100",
    "200 warned",
    "unknown",
    onPaid(
      recurrence,
      "create-recurrence",
      json,
      JSON.stringify({ ...pluginOrder, amount: fraction, ...item({ amount: fraction }) })
    )
  ],
  [
    "a Python client of others: instruments of all currencies, with a slash at the end",
    "200",
    "inferred",
    (shop) => shop.get(`/eshops/eshop/${goid}/payment-instruments/`)
  ],
  [
    "instruments of all currencies",
    "200",
    "documented",
    (shop) => shop.get(`/eshops/eshop/${goid}/payment-instruments`)
  ],
  [
    "plugins: instruments of a currency, as a form",
    "200",
    "documented",
    (shop) =>
      shop.request("GET", `/eshops/eshop/${goid}/payment-instruments/CZK`, { headers: { "content-type": form } })
  ],
  [
    "gopay-js: a statement with dates as JavaScript writes them",
    "409 date_from 111 INVALID, date_to 111 INVALID",
    "inferred",
    statement({ date_from: "Thu Jan 01 2026", date_to: "Sat Jan 31 2026" })
  ],
  ["gopay-inline: a statement", "200", "documented", statement({})],
  [
    "PayKit: a payment read as a form",
    "200",
    "inferred",
    (shop) =>
      Effect.flatMap(shop.create(), ({ id }) =>
        shop.request("GET", `/payments/payment/${id}`, { headers: { "content-type": form } })
      )
  ],
  [
    "an id with a zero before it",
    "200",
    "inferred",
    (shop) => Effect.flatMap(shop.create(), ({ id }) => shop.get(`/payments/payment/0${id}`))
  ],
  [
    "Go: members of another name",
    "409 target 110 REQUIRED, return_url 110 REQUIRED",
    "documented",
    creates({ target: undefined, eshop_id: goid, callback: { url: "https://shop.example" } })
  ]
]

const warnings = Effect.map(LocalGateway.listEvents, (events) => events.filter(({ type }) => type === "warning").length)

describe("Requests as others write them", () => {
  it("are all different", () => {
    assert.isAtLeast(shapes.length, 48)
    assert.strictEqual(new Set(shapes.map(([from]) => from)).size, shapes.length)
  })

  it.effect.each([...shapes])("%s: %s (%s)", ([, response, , request]) =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const before = yield* warnings
      const answer = yield* request(shop)
      const warned = (yield* warnings) > before ? " warned" : ""
      assert.strictEqual(answer.status === 200 ? `200${warned}` : refusalIn(answer), response)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("An amount in fractions of a haléř", () => {
  const amountsOf = (setting: "rounded" | "cut" | "refused", amount: number | string) =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const body = { ...order, amount, items: [{ name: "a", amount }] }
      const answer = yield* shop.postJson("/payments/payment", body)
      return answer.status === 200 ? JSON.parse(answer.body).amount : refusalIn(answer)
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: { fractionalAmounts: setting, itemsSum: "checked" } })))

  it.effect("is rounded, cut or refused by a setting, and text always refused", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* amountsOf("rounded", fraction), 1999)
      assert.strictEqual(yield* amountsOf("cut", fraction), 1998)
      assert.strictEqual(yield* amountsOf("refused", fraction), "409 amount 111 INVALID, amount 111 INVALID")
      assert.strictEqual(yield* amountsOf("rounded", "1998.5"), "409 amount 111 INVALID, amount 111 INVALID")
      assert.strictEqual(yield* amountsOf("rounded", 0.2), "409 amount 111 INVALID")
    })
  )

  it.effect("is warned of", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create({ amount: fraction })
      const [event] = (yield* LocalGateway.listEvents).filter(({ type }) => type === "warning")
      assert.include(JSON.stringify(event), "111 INVALID: amount must be an integer in minor units")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("A full capture as JSON", () => {
  const captured = (body: string, jsonFullCapture: "accepted" | "refused") =>
    Effect.gen(function* () {
      const answer = yield* onPaid(hold, "capture", json, body)(yield* openShop)
      return answer.status === 200 ? (yield* LocalGateway.listPayments)[0]?.state : refusalIn(answer)
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: { jsonFullCapture } })))

  it.effect("of null or an empty object captures all, or is refused by a setting", () =>
    Effect.gen(function* () {
      for (const body of ["null", "{}", " { } \n"]) assert.strictEqual(yield* captured(body, "accepted"), "PAID")
      assert.strictEqual(yield* captured("null", "refused"), "409 G 116 INVALID_REQUEST")
      assert.strictEqual(yield* captured("{}", "refused"), "409 amount 110 REQUIRED")
    })
  )

  it.effect("of a body with any member, or of another value, stays what it is", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* captured('{"note":"all"}', "accepted"), "409 amount 110 REQUIRED")
      assert.strictEqual(yield* captured('{"amount":null}', "accepted"), "409 amount 110 REQUIRED")
      for (const body of ["[]", "0", '""', "false"]) {
        assert.strictEqual(yield* captured(body, "accepted"), "409 G 116 INVALID_REQUEST")
      }
    })
  )
})

describe("The echo of a shop's texts", () => {
  const text = `O'Neill & "Sons" <1>`
  const encoded = "O&#39;Neill &amp; &#34;Sons&#34; &lt;1&gt;"
  const echoed = (textEcho: "asSent" | "encodedParams" | "encoded") =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ order_number: text, additional_params: [{ name: "n", value: text }] })
      const { additional_params, order_number } = yield* shop.read(id)
      return [order_number, additional_params?.[0]?.value]
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: { textEcho } })))

  it.effect("is as they were sent, or HTML-encoded by a setting", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* echoed("asSent"), [text, text])
      assert.deepStrictEqual(yield* echoed("encodedParams"), [text, encoded])
      assert.deepStrictEqual(yield* echoed("encoded"), [encoded, encoded])
    })
  )
})
