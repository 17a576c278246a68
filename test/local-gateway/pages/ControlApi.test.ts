import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Latch from "effect/Latch"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { gunzipSync } from "node:zlib"
import { controlDocument } from "../../../scripts/openapi/ControlOpenApi.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { at, documentSchemas } from "../../support/DocumentSchemas.js"
import { basic, onDemand, openShop, order, requestToken, send, type Answer } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const prefix = "/local-gateway"
const json = { "content-type": "application/json" }

const document = controlDocument()

const problems = documentSchemas(document)

const textAt = (value: unknown, ...way: ReadonlyArray<string>): string => String(at(value, ...way))

/** Fails unless the document foresees a response. */
const assertForeseen = (method: string, path: string, { body, headers, status }: Answer): void => {
  const template = path.split("?")[0]?.replace(/\/payments\/\d+/, "/payments/{id}") ?? ""
  const operation = at(document.paths, template, method.toLowerCase())
  const schema = at(operation, "responses", String(status), "content", headers["content-type"] ?? "", "schema")
  assert.isDefined(schema, `${method} ${path} ${status}: ${body}`)
  assert.strictEqual(problems(schema, JSON.parse(body)), "", `${method} ${path} ${status}: ${body}`)
}

const JsonText = Schema.fromJsonString(Schema.Unknown)
const parsed = ({ body }: Answer): unknown => Schema.decodeUnknownSync(JsonText)(body)

const get = (path: string) =>
  Effect.map(send("GET", `${prefix}${path}`), (answer) => {
    assertForeseen("GET", path, answer)
    return parsed(answer)
  })

const tryPost = (path: string, body: unknown = {}) =>
  Effect.tap(send("POST", `${prefix}${path}`, { headers: json, body: JSON.stringify(body) }), (answer) =>
    Effect.sync(() => assertForeseen("POST", path, answer))
  )

const post = (path: string, body: unknown = {}) =>
  Effect.map(tryPost(path, body), (answer) => {
    assert.strictEqual(answer.status, 200, answer.body)
    return parsed(answer)
  })

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

describe("The control API", () => {
  it.effect("plays the payer", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const actions = [
        ["choose-payment-method", { payment_instrument: "BANK_ACCOUNT" }, "PAYMENT_METHOD_CHOSEN _102"],
        ["pay-by-card", {}, "PAID undefined"],
        ["pay-by-card", { card_number: "4188030000000003" }, "PAID undefined"],
        ["pay-by-bank-transfer", {}, "PAID _3002"],
        ["decline-attempt", { sub_state: "_5001" }, "PAYMENT_METHOD_CHOSEN _5001"],
        ["decline", {}, "CANCELED _5006"],
        ["decline", { sub_state: "_5015" }, "CANCELED _5015"],
        ["cancel", {}, "CANCELED _5043"],
        ["time-out", {}, "TIMEOUTED undefined"]
      ] as const
      for (const [action, body, expected] of actions) {
        const { id } = yield* shop.create()
        const { payment } = Object(yield* post(`/payments/${id}/${action}`, body))
        assert.strictEqual(`${textAt(payment, "state")} ${textAt(payment, "sub_state")}`, expected, action)
        assert.deepStrictEqual(payment, JSON.parse((yield* shop.get(`/payments/payment/${id}`)).body))
      }
      const all = yield* get("/payments?limit=2")
      assert.strictEqual(at(all, "total"), actions.length)
      assert.deepStrictEqual(
        list(at(all, "payments")).map((payment) => at(payment, "payment", "state")),
        ["TIMEOUTED", "CANCELED"]
      )
      assert.strictEqual(at(yield* get("/payments?state=PAID"), "total"), 3)
      assert.strictEqual(at(yield* get("/payments?order_number=none&goid=1"), "total"), 0)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("knows a payment by its number, whatever zeros it begins with, and by nothing else", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      assert.strictEqual(at(yield* post(`/payments/0000000000000${id}/cancel`), "id"), id)
      const entries = list(at(yield* get("/log"), "entries"))
      assert.isTrue(entries.some((entry) => at(entry, "type") === "control" && at(entry, "payment_id") === id))
      for (const other of [`+${id}`, `${id}.0`, "3e9", `%20${id}`, "%EF%BC%93", "9007199254740992"]) {
        const { body, status } = yield* send("POST", `${prefix}/payments/${other}/cancel`, {
          headers: json,
          body: "{}"
        })
        assert.strictEqual(status, 404, body)
      }
      const seeded = yield* tryPost("/seed", {
        payments: [{ id: String(id), amount: 1, currency: "CZK", state: "PAID" }]
      })
      assert.include(seeded.body, `"field":"payments[0].id","message":"must be a whole number, 1 or more"`)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("gives each wrong field a stable code with its values, beside the sentence", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      const refusals = [
        yield* tryPost("/settings", { timeToPaySeconds: 0.5, refund: "perhaps", notificationHosts: "shop" }),
        yield* tryPost("/seed", {
          payments: [{ id: 0, currency: "CZK", state: "PAID", order_number: "1".repeat(129), target: 1 }]
        }),
        yield* tryPost(`/payments/${id}/cancel`, { reason: "none" }),
        yield* tryPost("/settings", []),
        yield* tryPost("/advance-time", { by: -1 }),
        yield* send("POST", `${prefix}/advance-time`, { headers: json, body: '{"by": }' })
      ]
      assert.deepStrictEqual(
        refusals.map((answer) =>
          list(at(parsed(answer), "problems")).map((problem) =>
            [textAt(problem, "code"), at(problem, "field"), ...list(at(problem, "values"))].join(" ")
          )
        ),
        [
          [
            "WholeNumberBetween timeToPaySeconds 1 316224000",
            "List notificationHosts",
            "OneOf refund finished, failed, acceptedThenFinished, acceptedThenFailed"
          ],
          [
            "WholeNumberFrom payments[0].id 1",
            "Required payments[0].amount",
            "MaxLength payments[0].order_number 128",
            "Object payments[0].target"
          ],
          ["Unknown reason"],
          ["Object "],
          ["Invalid by"],
          ["NotJson  1 8"]
        ]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("says why the payer cannot, and which fields are wrong", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ preauthorization: true })
      const refusals = [
        yield* tryPost("/payments/1/cancel"),
        yield* tryPost(`/payments/${id}/pay-by-bank-transfer`),
        yield* Effect.andThen(post(`/payments/${id}/cancel`), tryPost(`/payments/${id}/pay-by-card`)),
        yield* tryPost(`/payments/${id}/pay-by-card`, { card_number: "4012001037141112" }),
        yield* tryPost(`/payments/${id}/cancel`, { reason: "none" }),
        yield* tryPost("/settings", { refund: "perhaps", timeToPaySeconds: 0.5 }),
        yield* tryPost("/advance-time", { by: "a month" }),
        yield* tryPost("/advance-time", { by: -1 }),
        yield* tryPost("/seed", { payments: [{ amount: 1, currency: "CZK", state: "PAYED" }] }),
        yield* tryPost("/seed", { payments: [{ amount: 1, currency: "CZK", state: "PAID", parent_id: 1 }] })
      ]
      assert.deepStrictEqual(
        refusals.map(
          (answer) => `${answer.status} ${textAt(parsed(answer), "error")}: ${textAt(parsed(answer), "message")}`
        ),
        [
          "404 NotFound: cancelPayment: there is no payment 1 here",
          `409 InstrumentNotOffered: payByBankTransfer: payment ${id} cannot be paid this way`,
          `409 WrongPaymentState: payByCard: payment ${id} is CANCELED`,
          "400 InvalidRequest: card_number: must be one of 4444444444444448, 4188030000000003",
          "400 InvalidRequest: reason: is not known here; check its spelling",
          "400 InvalidRequest: timeToPaySeconds: must be a whole number from 1 to 316224000; refund: must be one of finished, failed, acceptedThenFinished, acceptedThenFailed",
          "400 InvalidRequest: by: must be seconds, 0 or more, or an ISO 8601 duration such as P1M or PT12H",
          "400 InvalidRequest: by: must be seconds, 0 or more, or an ISO 8601 duration such as P1M or PT12H",
          "400 InvalidRequest: payments[0].state: must be one of CREATED, PAYMENT_METHOD_CHOSEN, PAID, AUTHORIZED, CANCELED, TIMEOUTED, REFUNDED, PARTIALLY_REFUNDED",
          "400 InvalidRequest: payments[0].parent_id: is not one of the payments of this seed"
        ]
      )
      assert.strictEqual((yield* send("GET", `${prefix}/payments/1`)).status, 404)
      assert.strictEqual((yield* send("GET", `${prefix}/log?after=x`)).status, 400)
      assert.include((yield* send("DELETE", `${prefix}/payments/${id}`)).body, "NotFound")
      assert.strictEqual((yield* send("GET", `${prefix}/state?verbose=1`)).status, 400)
      const many = yield* tryPost("/seed", { payments: Array.from({ length: 5000 }, () => ({})) })
      assert.strictEqual(list(at(parsed(many), "problems")).length, 100)
      const broken = yield* send("POST", `${prefix}/advance-time`, { headers: json, body: '{"by": }' })
      assert.include(broken.body, "not well-formed JSON at line 1, column 8")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("acts as the merchant by the rules of the API, and says what is possible", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      /** To order again is always possible. */
      const actionsIn = (payment: unknown) =>
        list(at(payment, "merchant_actions")).filter((action) => action !== "order-again")
      const act = (id: unknown, action: string, body: unknown = {}) =>
        Effect.map(tryPost(`/payments/${String(id)}/${action}`, body), (answer) => {
          const outcome = parsed(answer)
          return answer.status === 200
            ? `${textAt(outcome, "payment", "state")} ${actionsIn(outcome).join(" ")}`.trim()
            : `${answer.status} ${textAt(outcome, "error")} ${textAt(outcome, "error_code")}: ${textAt(outcome, "message")}`
        })
      const { id } = yield* shop.create()
      assert.strictEqual(yield* act(id, "refund"), "409 Refused 303: 303 PAYMENT_WRONG_STATE")
      yield* post(`/payments/${id}/pay-by-card`)
      assert.match(
        yield* act(id, "refund", { amount: 4_000 }),
        /^409 Refused 330: 330 PAYMENT_REFUND_FAILED: A part can be refunded no earlier than 1\sd after the payment/
      )
      yield* post("/settings", partsAtOnce)
      assert.strictEqual(yield* act(id, "refund", { amount: 4_000 }), "PARTIALLY_REFUNDED refund")
      assert.strictEqual(
        yield* act(id, "refund", { amount: 6_001 }),
        "409 Refused 332: 332 PAYMENT_WRONG_AMOUNT: At most 60.00 CZK (6000) can be refunded."
      )
      assert.strictEqual(yield* act(id, "refund"), "REFUNDED")
      const held = yield* shop.create({ preauthorization: true })
      yield* post(`/payments/${held.id}/pay-by-card`)
      assert.strictEqual(yield* act(held.id, "capture", { amount: 1_000 }), "PAID refund")
      const released = yield* shop.create({ preauthorization: true })
      yield* post(`/payments/${released.id}/pay-by-card`)
      assert.deepStrictEqual(at(yield* get(`/payments/${released.id}`), "payment", "merchant_actions"), [
        "capture",
        "release",
        "order-again"
      ])
      assert.strictEqual(yield* act(released.id, "release"), "CANCELED")
      const items = [{ name: "a month", amount: 10_000 }]
      const parent = yield* shop.create({ ...onDemand, items })
      yield* post(`/payments/${parent.id}/pay-by-card`)
      const [whole, part] = [
        yield* post(`/payments/${parent.id}/charge`),
        yield* post(`/payments/${parent.id}/charge`, { amount: 5, order_number: "part" })
      ]
      assert.deepStrictEqual(
        [whole, part].map((charge) =>
          ["state", "amount", "order_number", "parent_id"].map((name) => at(charge, "payment", name))
        ),
        [
          ["PAID", 10_000, "order-1", parent.id],
          ["PAID", 5, "part", parent.id]
        ]
      )
      assert.strictEqual(yield* act(parent.id, "stop-recurrence"), "PAID refund")
      assert.strictEqual(yield* act(parent.id, "charge"), "409 Refused 342: 342 PAYMENT_RECURRENCE_STOPPED")
      assert.strictEqual(yield* act(1, "release"), "404 NotFound undefined: There is no payment 1.")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("notifies the merchant once more, where it is notified at all", () => {
    const received: Array<string> = []
    const notificationReceiver = (url: string) => Effect.sync(() => received.push(url)).pipe(Effect.as(200))
    return Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      const resend = Effect.map(tryPost(`/payments/${id}/resend-notification`), ({ status }) => status)
      assert.strictEqual(yield* resend, 409)
      yield* post(`/payments/${id}/pay-by-card`)
      yield* post("/deliver-notifications")
      assert.strictEqual(yield* resend, 200)
      yield* post("/deliver-notifications")
      assert.deepStrictEqual(received, [`http://localhost/notify?id=${id}`, `http://localhost/notify?id=${id}`])
      const foreign = yield* shop.create({
        callback: { return_url: "http://a.test", notification_url: "http://a.test" }
      })
      yield* post(`/payments/${foreign.id}/pay-by-card`)
      assert.include(
        (yield* tryPost(`/payments/${foreign.id}/resend-notification`)).body,
        "allow it by name in notificationHosts"
      )
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))
  })

  it.effect("marks what does not fit in an order, and shows the order without PIN and card token", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({
        items: [{ name: "one", amount: 4 }],
        payer: { verify_pin: "9753", allowed_payment_instruments: ["GPAY"], contact: { email: "a@b.test" } },
        callback: { return_url: "http://a.test/return", notification_url: "http://a.test/notify" }
      })
      const fine = yield* shop.create({ items: [{ name: "one", amount: 10_000 }] })
      const details = yield* get(`/payments/${id}`)
      assert.deepStrictEqual(
        list(at(details, "payment", "contradictions")).map(
          (one) => `${textAt(one, "type")}: ${textAt(one, "message")}`
        ),
        [
          "itemsSum: The items add up to 0.04\u00a0CZK, the amount is 100.00\u00a0CZK. GoPay may refuse this (360).",
          "noMethod: No payment method that the order allows is offered in CZK.",
          "notNotified: The shop is not notified: a.test is not loopback; allow it by name in notificationHosts."
        ]
      )
      assert.deepStrictEqual(at(details, "order", "callback", "return_url"), "http://a.test/return")
      assert.deepStrictEqual(at(details, "order", "payer", "contact", "email"), "a@b.test")
      assert.deepStrictEqual(at(details, "order", "payer", "verify_pin"), "<withheld>")
      assert.deepStrictEqual(at(yield* get(`/payments/${fine.id}`), "payment", "contradictions"), [])
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver: () => Effect.succeed(200) })))
  )

  it.effect("tells one payment's timeline, in order and of this payment alone", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create()
      const { id } = yield* shop.create(onDemand)
      yield* post(`/payments/${id}/pay-by-card`)
      yield* shop.refund(id, 1000)
      const charge = yield* shop.charge(id)
      const details = yield* get(`/payments/${id}`)
      assert.deepStrictEqual(
        list(at(details, "timeline")).map((entry) =>
          ["type", "operation", "to", "status"]
            .filter((name) => at(entry, name) !== undefined)
            .map((name) => textAt(entry, name))
            .join(" ")
        ),
        [
          "state CREATED",
          "recurrence REQUESTED",
          "request createPayment 200",
          "state PAID",
          "recurrence STARTED",
          "notification 0",
          "control",
          "operation refund",
          "state PARTIALLY_REFUNDED",
          "notification 0",
          "warning refundPayment",
          "request refundPayment 200",
          "request createRecurrence 200"
        ]
      )
      assert.deepStrictEqual(at(details, "charges"), [at(parsed(charge), "id")])
      assert.deepStrictEqual(
        list(at(details, "refunds")).map((refund) => at(refund, "state")),
        ["SUCCESS"]
      )
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("gives the log bit by bit, and filtered", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (let count = 0; count < 5; count++) yield* shop.create()
      yield* shop.get("/payments/payment/1")
      const { newest } = Object(yield* get("/state"))
      const numbers: Array<unknown> = []
      for (let after: unknown = 0; after !== newest;) {
        const { entries, next_after } = Object(yield* get(`/log?after=${String(after)}&limit=4`))
        numbers.push(...list(entries).map((entry) => at(entry, "number")))
        after = next_after
      }
      assert.deepStrictEqual(
        numbers,
        Array.from({ length: newest }, (_, index) => index + 1)
      )
      const last = list(at(yield* get("/log?limit=2"), "entries")).map((entry) => at(entry, "number"))
      assert.deepStrictEqual(last, [newest - 1, newest])
      const count = (query: string) => Effect.map(get(`/log?${query}`), (log) => list(at(log, "entries")).length)
      assert.strictEqual(yield* count("type=request&operation=createPayment"), 5)
      assert.strictEqual(yield* count("status=404"), 1)
      assert.strictEqual(yield* count("payment_id=3000000016"), 2)
      assert.strictEqual(yield* count("type=fault"), 0)
      assert.deepInclude(Object(yield* get("/log?type=fault&limit=1")), { next_after: newest })
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("searches the log for words, as bodies and the dashboard have them", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ order_number: "Žluťoučký kůň" })
      yield* shop.create()
      yield* shop.refund(id, 1)
      yield* post("/advance-time", { by: "PT12H" })
      yield* post("/advance-time", { by: "PT1H" })
      const found = (query: string) =>
        Effect.map(get(`/log?${new URLSearchParams({ query }).toString()}`), (log) => {
          const entries = list(at(log, "entries"))
          assert.strictEqual(at(log, "total"), entries.length)
          return entries.map((entry) => `${textAt(entry, "type")} ${textAt(entry, "payment_id")}`).join()
        })
      assert.strictEqual((yield* found("API call")).match(/request/g)?.length, 4)
      assert.strictEqual(yield* found("api CALL wrong state"), `request ${id}`)
      assert.strictEqual(yield* found("žluťoučký OSEL"), "")
      assert.strictEqual(yield* found("kůň ŽLUŤOUČKÝ"), `request ${id},notification ${id}`)
      assert.match(yield* found("expired by the +12 h jump"), /^state \d+,state \d+$/)
      assert.strictEqual(yield* found("expired by the +13 h jump"), "")
      assert.strictEqual(yield* found("moved forward 12 h"), "time undefined")
      assert.strictEqual(at(yield* get("/log?error_code=303"), "total"), 1)
      assert.strictEqual(at(yield* get("/log?status=4xx"), "total"), 1)
      assert.strictEqual(at(yield* get("/log?status=0&type=request"), "total"), 0)
      assert.strictEqual((yield* send("GET", `${prefix}/log?status=4x`)).status, 400)
      const later = yield* openShop
      yield* later.create({ items: [{ name: "a", amount: 1 }] })
      assert.match(yield* found("Items sum to 1, the AMOUNT"), /^warning \d+$/)
      yield* post(`/payments/${(yield* later.create()).id}/decline`, { sub_state: "_5039" })
      assert.match(yield* found("blocked card"), /^state \d+$/)
      yield* post("/faults", { fault: { type: "latency" } })
      assert.match(yield* found("fault armed"), /^fault/)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("gives the log a page at a time, back from the newest entries", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (let count = 0; count < 5; count++) yield* shop.create()
      const numbers: Array<unknown> = []
      const page = (before = "") =>
        Effect.map(get(`/log?type=request&limit=2${before}`), (log) => {
          assert.strictEqual(at(log, "total"), 6)
          const entries = list(at(log, "entries"))
          numbers.push(...entries.map((entry) => at(entry, "number")).toReversed())
          return entries
        })
      let entries = yield* page()
      while (entries.length > 0) entries = yield* page(`&before=${textAt(entries[0], "number")}`)
      assert.strictEqual(numbers.length, 6)
      assert.deepStrictEqual(
        numbers,
        [...numbers].sort((a, b) => Number(b) - Number(a))
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("enters what is done through it in the log, with what was refused, and no secret", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* post(`/payments/${id}/pay-by-card`, { card_number: "4188030000000003" })
      yield* tryPost(`/payments/${id}/cancel`)
      yield* post("/settings", { refund: "failed" })
      yield* post("/advance-time", { by: 1 })
      yield* post("/seed", yield* get("/seed"))
      const entries = list(at(yield* get("/log?type=control"), "entries"))
      assert.deepStrictEqual(
        entries.map((entry) =>
          ["action", "payment_id", "request", "problem"]
            .map((name) => (at(entry, name) === undefined ? "" : textAt(entry, name)))
            .join(" ")
        ),
        [
          `payByCard ${id} {"card_number":"418803******0003"} `,
          `cancelPayment ${id}  cancelPayment: payment ${id} is PAID`,
          `changeSettings  {"refund":"failed"} `,
          "loadSeed   "
        ]
      )
      assert.strictEqual(at(yield* get("/log?operation=payByCard"), "total"), 1)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("times requests, with the delay of a latency fault", () =>
    Effect.gen(function* () {
      yield* post("/faults", { fault: { type: "latency", milliseconds: 1500 } })
      const request = yield* Effect.forkChild(requestToken())
      yield* TestClock.adjust("1500 millis")
      yield* Fiber.join(request)
      yield* requestToken()
      assert.deepStrictEqual(
        list(at(yield* get("/log?type=request"), "entries")).map((entry) => at(entry, "duration_millis")),
        [1500, 0]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("moves time by a duration of the calendar or by seconds, and all that is due happens", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      const monthly = { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "2099-12-31" }
      const parent = yield* shop.create({ recurrence: monthly })
      yield* post(`/payments/${parent.id}/pay-by-card`)
      assert.deepStrictEqual(yield* post("/advance-time", { by: "P1M" }), {
        now: "1970-02-01T00:00:00.000Z",
        time_ahead: 31 * 24 * 3600
      })
      assert.strictEqual(at(yield* get(`/payments/${id}`), "payment", "payment", "state"), "TIMEOUTED")
      const [recurrence] = list(at(yield* get("/recurrences"), "recurrences"))
      assert.strictEqual(list(at(recurrence, "charges")).length, 1)
      assert.strictEqual(at(recurrence, "next_charge_at"), "1970-03-01T00:00:00.000Z")
      yield* post("/advance-time", { by: 90.5 })
      yield* post("/advance-time", { by: "PT1H30M" })
      assert.strictEqual(at(yield* get("/state"), "now"), "1970-02-01T01:31:30.500Z")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("changes settings, revokes tokens and drains notifications", () => {
    const received: Array<string> = []
    const notificationReceiver = (url: string) =>
      Effect.sync(() => {
        received.push(url)
        return received.length < 3 ? 500 : 200
      })
    return Effect.gen(function* () {
      const shop = yield* openShop
      const changed = yield* post("/settings", { refund: "failed", notificationHosts: ["shop.test"] })
      assert.deepInclude(Object(changed), { refund: "failed", capture: "finished" })
      assert.deepStrictEqual(yield* get("/settings"), changed)
      const { id } = yield* shop.create()
      yield* post(`/payments/${id}/pay-by-card`)
      yield* post("/deliver-notifications")
      assert.strictEqual(received.length, 3)
      assert.strictEqual(at(yield* get("/state"), "notifications_waiting"), 0)
      yield* post("/revoke-tokens")
      assert.strictEqual((yield* shop.get(`/payments/payment/${id}`)).status, 403)
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))
  })

  it.effect("says of each payment whether the shop knows its state", () => {
    const notificationReceiver = (url: string) => Effect.succeed(url.includes("bad") ? 500 : 200)
    return Effect.gen(function* () {
      const shop = yield* openShop
      const callback = (path: string) => ({
        callback: { ...order.callback, notification_url: `http://localhost/${path}` }
      })
      const told = yield* shop.create(callback("good"))
      const failing = yield* shop.create(callback("bad"))
      const waiting = yield* shop.create(callback("good"))
      const silent = yield* shop.create({ callback: { return_url: order.callback.return_url } })
      const standing = (id: number) =>
        Effect.map(get(`/payments/${id}`), (found) => at(at(found, "payment"), "notified"))
      assert.isUndefined(yield* standing(told.id))
      for (const { id } of [told, failing, silent]) yield* post(`/payments/${id}/pay-by-card`)
      yield* LocalGateway.deliverNotifications
      yield* post("/settings", { notificationDelaySeconds: 60 })
      yield* post(`/payments/${waiting.id}/pay-by-card`)
      const found = yield* Effect.all([told, failing, waiting, silent].map(({ id }) => standing(id)))
      assert.deepStrictEqual(found, ["delivered", "failing", "waiting", "noAddress"])
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))
  })

  it.effect("finds payments by words and by kind, what is named so first", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create({ order_number: "7" })
      yield* shop.create({ order_number: "17", payer: { contact: { first_name: "Jana", last_name: "Nováková" } } })
      yield* shop.create({ order_number: "71", ...onDemand })
      const found = (query: string) =>
        Effect.map(get(`/payments?${query}`), (page) =>
          list(at(page, "payments")).map((view) => at(at(view, "payment"), "order_number"))
        )
      assert.deepStrictEqual(yield* found("query=7&limit=2"), ["7", "71"])
      assert.deepStrictEqual(yield* found("query=NOV%C3%81KOV%C3%81%20jana"), ["17"])
      assert.deepStrictEqual(yield* found("query=novakova"), ["17"])
      assert.deepStrictEqual(yield* found("kind=recurrence"), ["71"])
      assert.deepStrictEqual(yield* found("kind=stored-card"), [])
      assert.strictEqual(at(yield* get("/payments"), "revision"), at(yield* get("/state"), "revision"))
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("says what falls due by a time, and moves nothing", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      assert.deepInclude(Object(yield* get("/due?by=PT1H")), { total: 0, due: [] })
      const found = yield* get("/due?by=P1D")
      assert.deepStrictEqual(
        list(at(found, "due")).map((event) => [at(event, "type"), at(event, "payment_id"), at(event, "order_number")]),
        [["timeOut", id, order.order_number]]
      )
      assert.deepStrictEqual(at(yield* get("/due?by=86400"), "due"), at(found, "due"))
      assert.strictEqual(at(yield* get("/state"), "time_ahead"), 0)
      assert.strictEqual(at(yield* get("/due?by=soon"), "error"), "InvalidRequest")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("has only what went wrong in the log, and what is armed in the state", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* shop.get("/payments/payment/1")
      yield* post("/faults", { fault: { type: "latency" } })
      const entries = list(at(yield* get("/log?only=problems"), "entries"))
      assert.deepStrictEqual(
        entries.map((entry) => [at(entry, "type"), at(entry, "status")]),
        [["request", 404]]
      )
      const state = yield* get("/state")
      assert.strictEqual(at(list(at(state, "faults"))[0], "callsLeft"), 1)
      assert.isFalse(at(state, "random_faults"))
      assert.isAbove(id, 0)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is compressed for callers that take it so, where it is long", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (let count = 0; count < 5; count++) yield* shop.create()
      const asked = (path: string) =>
        HttpClient.execute(
          HttpClientRequest.setHeader(
            HttpClientRequest.get(`http://localhost/local-gateway${path}`),
            "accept-encoding",
            "gzip"
          )
        )
      const compressed = yield* asked("/payments")
      assert.strictEqual(compressed.headers["content-encoding"], "gzip")
      assert.strictEqual(compressed.headers["vary"], "accept-encoding")
      const text = gunzipSync(yield* compressed.arrayBuffer).toString()
      assert.deepStrictEqual(JSON.parse(text), yield* get("/payments"))
      assert.isUndefined((yield* asked("/notifications")).headers["content-encoding"])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("has in the log the currency of each amount", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ currency: "EUR" })
      yield* post(`/payments/${id}/pay-by-card`)
      yield* post(`/payments/${id}/refund`, { amount: 5 })
      const entries = list(at(yield* get("/log"), "entries"))
      const currencies = entries.flatMap((entry) =>
        ["state", "operation"].includes(String(at(entry, "type"))) ? [at(entry, "currency")] : []
      )
      assert.isAbove(currencies.length, 2)
      assert.deepStrictEqual(new Set(currencies), new Set(["EUR"]))
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("shows the notifications that wait, are repeated or were given up", () => {
    const notificationReceiver = (url: string) =>
      url.includes("silent") ? Effect.fail(new Error("ECONNREFUSED")) : Effect.succeed(500)
    return Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-06-05T10:00:00Z"))
      const shop = yield* openShop
      yield* post("/settings", { notificationAttempts: 2, notificationRetryDelaySeconds: 60 })
      const callback = (name: string) => ({
        callback: { return_url: "http://localhost/return", notification_url: `http://localhost/${name}` }
      })
      const silent = yield* shop.create(callback("silent"))
      const failing = yield* shop.create(callback("failing"))
      const foreign = yield* shop.create({
        callback: { return_url: "http://a.test", notification_url: "http://a.test" }
      })
      for (const { id } of [silent, failing, foreign]) yield* post(`/payments/${id}/pay-by-card`)
      // Attempts run beside everything else.
      for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
      const at10 = "2026-06-05T10:00:00.000Z"
      const of = (payment: { readonly id: number }, name: string) => ({
        payment_id: payment.id,
        url: `http://localhost/${name}?id=${payment.id}`
      })
      const unsent = {
        payment_id: foreign.id,
        url: `http://a.test/?id=${foreign.id}`,
        attempts: 0,
        last: {
          at: at10,
          status: 0,
          problem: "not sent: a.test is not loopback; allow it by name in notificationHosts"
        }
      }
      assert.deepStrictEqual(yield* get("/notifications"), {
        pending: [
          {
            ...of(silent, "silent"),
            attempts: 1,
            due_at: "2026-06-05T10:01:00.000Z",
            last: { at: at10, status: 0, problem: "nothing listens at this address" }
          },
          {
            ...of(failing, "failing"),
            attempts: 1,
            due_at: "2026-06-05T10:01:00.000Z",
            last: { at: at10, status: 500 }
          }
        ],
        given_up: [unsent]
      })
      yield* post("/deliver-notifications")
      const { given_up, pending } = Object(yield* get("/notifications"))
      assert.deepStrictEqual(pending, [])
      assert.deepStrictEqual(
        list(given_up).map((one) => [at(one, "payment_id"), at(one, "attempts"), at(one, "last", "status")]),
        [
          [silent.id, 2, 0],
          [failing.id, 2, 500],
          [foreign.id, 0, 0]
        ]
      )
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))
  })

  it.effect("shows each clearing of a merchant with its XML, by the settings as they are", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-06-05T10:00:00Z"))
      const shop = yield* openShop
      const { id } = yield* shop.create({ amount: 10_000, order_number: "A & <1>" })
      yield* post(`/payments/${id}/pay-by-card`)
      const clearings = `/clearings?goid=${LocalGateway.merchant.goid}&currency=CZK`
      yield* post("/settings", { clearings: "weekly", paymentFeeBasisPoints: 190 })
      assert.deepStrictEqual(list(at(yield* get(clearings), "clearings")), [])
      yield* TestClock.setTime(Date.parse("2026-06-07T22:00:00Z"))
      const [clearing, ...others] = list(at(yield* get(clearings), "clearings"))
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(list(at(yield* get("/clearings"), "clearings")), [clearing])
      assert.deepStrictEqual(list(at(yield* get("/clearings?currency=EUR"), "clearings")), [])
      assert.deepInclude(clearing, {
        goid: LocalGateway.merchant.goid,
        currency: "CZK",
        date: "2026-06-08",
        transfer: 9_810,
        fee: 190
      })
      const xml = String(at(clearing, "xml"))
      assert.include(xml, `orderId="A &#38; &#60;1&#62;" paymentSessionId="${id}" type="credit"`)
      assert.include(xml, `dateClearedFrom="05.06.2026" dateClearedTo="07.06.2026" datePerformed="08.06.2026"`)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("gives the whole state away, takes it again, and begins anew", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ payer: { request_card_token: true } })
      yield* post(`/payments/${id}/pay-by-card`)
      assert.strictEqual(list(at(yield* get("/cards"), "cards")).length, 1)
      const seed = yield* get("/seed")
      const { revision } = Object(yield* get("/state"))
      yield* post("/reset")
      const state = yield* get("/state")
      assert.strictEqual(at(state, "payments", "total"), 0)
      assert.isAbove(Number(at(state, "revision")), revision)
      assert.deepStrictEqual(
        list(at(yield* get("/log"), "entries")).map((entry) => at(entry, "action")),
        ["reset"]
      )
      assert.deepStrictEqual(yield* post("/seed", seed), { merchants: 1, payments: 1, cards: 1 })
      assert.deepStrictEqual(yield* get("/seed"), seed)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("tells a client's credentials, and the state in short without them", () =>
    Effect.gen(function* () {
      const [merchant] = list(at(yield* get("/merchants"), "merchants"))
      const credentials = btoa(`${textAt(merchant, "client_id")}:${textAt(merchant, "client_secret")}`)
      assert.strictEqual(`Basic ${credentials}`, basic)
      assert.strictEqual((yield* requestToken(`Basic ${credentials}`)).status, 200)
      const secret = LocalGateway.merchant.clientSecret
      assert.notInclude(JSON.stringify(yield* get("/state")), secret)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is not in the log itself", () =>
    Effect.gen(function* () {
      yield* post("/advance-time", { by: 1 })
      yield* get("/state")
      assert.deepStrictEqual(yield* LocalGateway.listRequests, [])
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("The document of the control API", () => {
  it("is valid OpenAPI 3.1", async () => {
    const { errors, valid } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    assert.deepStrictEqual(errors ?? [], [])
    assert.isTrue(valid)
  })

  it.effect("is served, and every operation in it is there", () =>
    Effect.gen(function* () {
      const served = yield* send("GET", `${prefix}/openapi.json`)
      const servers = [{ url: `http://localhost${prefix}`, description: "This local gateway." }]
      assert.deepStrictEqual(parsed(served), JSON.parse(JSON.stringify({ ...document, servers })))
      const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => [method.toUpperCase(), path] as const)
      )
      assert.isAbove(operations.length, 20)
      for (const [method, path] of operations) {
        const { body } = yield* send(method, `${prefix}${path.replace("{id}", "1")}`, { headers: json })
        assert.notInclude(body, "There is no such endpoint", `${method} ${path}`)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("A request that a browser sends for another site", () => {
  const address = "127.0.0.1:4646"
  const attempt = (headers: { readonly [name: string]: string }, method = "GET", path = "/state") =>
    Effect.map(send(method, `${prefix}${path}`, { headers, body: "{}" }), ({ body, headers: answered, status }) => {
      assert.isUndefined(answered["access-control-allow-origin"])
      return status === 200 ? "taken" : `${status} ${textAt(JSON.parse(body), "error")}`
    })

  it.effect.each<[string, { readonly [name: string]: string }, string]>([
    ["from another site", { "sec-fetch-site": "cross-site" }, "403 CrossSite"],
    ["from another port of this machine", { "sec-fetch-site": "same-site" }, "403 CrossSite"],
    ["with another origin", { origin: "https://shop.example" }, "403 CrossSite"],
    ["with the origin of another port", { origin: "http://127.0.0.1:3000" }, "403 CrossSite"],
    ["with an origin that is withheld", { origin: "null" }, "403 CrossSite"],
    ["by a name pointed at this machine", { host: "rebound.example:4646" }, "403 CrossSite"],
    ["by such a name that begins like ours", { host: "localhost.rebound.example" }, "403 CrossSite"],
    ["by such a name that begins like an address", { host: "127.0.0.1.rebound.example" }, "403 CrossSite"],
    ["by no name", { host: "" }, "403 CrossSite"],
    ["by a name with a user", { host: "localhost@rebound.example" }, "403 CrossSite"],
    ["from its own page", { "sec-fetch-site": "same-origin", origin: `http://${address}` }, "taken"],
    ["from the address bar", { "sec-fetch-site": "none" }, "taken"],
    ["by localhost", { host: "localhost:4646", origin: "http://localhost:4646" }, "taken"],
    ["by an IPv6 address", { host: "[::1]:4646" }, "taken"],
    ["by a program", {}, "taken"]
  ])("%s", ([, headers, expected]) =>
    Effect.gen(function* () {
      const all = { host: address, ...headers }
      assert.strictEqual(yield* attempt(all), expected)
      assert.strictEqual(yield* attempt({ ...all, ...json }, "POST", "/reset"), expected)
      assert.strictEqual(yield* attempt(all, "GET", "/openapi.json"), expected)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("as a form cannot claim to be JSON, and changes nothing", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create()
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""]) {
        assert.strictEqual(
          yield* attempt({ host: address, "content-type": type }, "POST", "/reset"),
          "415 UnsupportedMediaType"
        )
      }
      assert.strictEqual((yield* LocalGateway.listPayments).length, 1)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("A long move of time", () => {
  const firstSteps = 5

  it.effect("shows how far it is with hundreds of pending notifications, and stops where it is", () => {
    let attempts = 0
    let isMoving = false
    const stuck = Latch.makeUnsafe()
    const notificationReceiver = () =>
      Effect.suspend(() => {
        if (!isMoving || ++attempts <= firstSteps) return Effect.succeed(500)
        stuck.openUnsafe()
        return Effect.never
      })
    return Effect.gen(function* () {
      const shop = yield* openShop
      for (let order = 0; order < 300; order++) {
        const { id } = yield* shop.create()
        yield* LocalGateway.payByCard(id)
      }
      const before = yield* get("/state")
      assert.strictEqual(at(before, "notifications_waiting"), 300)
      assert.isUndefined(at(before, "moving"))
      isMoving = true
      const move = yield* Effect.forkChild(post("/advance-time", { by: "P1M" }))
      yield* stuck.await
      const state = yield* get("/state")
      assert.strictEqual(at(state, "moving", "from"), at(before, "now"))
      assert.strictEqual(textAt(state, "moving", "to").slice(0, 10), "1970-02-01")
      assert.isUndefined(move.pollUnsafe())
      yield* post("/advance-time/stop")
      const reached = yield* Fiber.join(move)
      const { now, time_ahead } = Object(reached)
      assert.isAbove(time_ahead, 0)
      assert.isBelow(time_ahead, 24 * 3600)
      const after = yield* get("/state")
      assert.strictEqual(at(after, "now"), now)
      assert.isUndefined(at(after, "moving"))
      const [entry] = list(at(yield* get("/log?type=time"), "entries"))
      assert.strictEqual(at(entry, "advanced_millis"), time_ahead * 1000)
      // The move has ended: stopping it again does nothing, and time can be moved anew.
      yield* post("/advance-time/stop")
      isMoving = false
      yield* post("/advance-time", { by: 1 })
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))
  })
})

describe("Tests that share a gateway", () => {
  it.effect("start over with their own merchant only", () => {
    const [one, two] = [8_000_000_001, 8_000_000_002]
    const merchant = (goid: number) => ({ goid, client_id: String(goid), client_secret: "secret" })
    const payment = (goid: number, id: number) => ({
      id,
      amount: 100,
      currency: "CZK",
      state: "CREATED",
      target: { type: "ACCOUNT", goid }
    })
    const notificationReceiver = () => Effect.succeed(500)
    return Effect.gen(function* () {
      yield* post("/seed", {
        merchants: [merchant(one), merchant(two)],
        payments: [payment(one, 3_000_000_003), payment(two, 3_000_000_016)]
      })
      yield* post("/payments/3000000003/pay-by-card")
      yield* post("/payments/3000000016/pay-by-card")
      yield* post("/reset", { goid: one })
      const total = (goid: number) => Effect.map(get(`/payments?goid=${goid}`), (found) => at(found, "total"))
      assert.deepStrictEqual([yield* total(one), yield* total(two)], [0, 1])
      const exported = yield* get("/seed")
      assert.deepStrictEqual(
        list(at(exported, "payments")).map((kept) => at(kept, "id")),
        [3_000_000_016]
      )
      assert.deepStrictEqual(
        list(at(exported, "merchants")).map((kept) => at(kept, "goid")),
        [one, two]
      )
      // So is everything that was due for the deleted payments.
      yield* post("/advance-time", { by: "P1D" })
      yield* LocalGateway.resetMerchant(two)
      assert.strictEqual(yield* total(two), 0)
      yield* LocalGateway.resetMerchant(1)
      const unknown = yield* tryPost("/reset", { goid: 8_999_999_999 })
      assert.strictEqual(unknown.status, 404)
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))
  })

  it.effect("see what a shop does when one order is paid twice", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id, order_number } = yield* shop.create()
      yield* post(`/payments/${id}/pay-by-card`)
      const again = yield* post(`/payments/${id}/order-again`)
      assert.deepStrictEqual(
        [at(again, "payment", "order_number"), at(again, "payment", "state")],
        [order_number, "CREATED"]
      )
      assert.notStrictEqual(at(again, "id"), id)
      yield* post(`/payments/${String(at(again, "id"))}/pay-by-card`)
      assert.strictEqual(at(yield* get(`/payments?order_number=${order_number}&state=PAID`), "total"), 2)
      assert.strictEqual((yield* tryPost("/payments/1/order-again")).status, 404)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
