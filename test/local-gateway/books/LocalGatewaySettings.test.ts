import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { LocalGateway, readSeed, strictSettings, type SettingsChange } from "../../../src/local-gateway/index.js"
import {
  basic,
  onDemand,
  openShop,
  order,
  paymentIn,
  refusalIn,
  requestToken,
  send,
  tokenIn,
  type Answer
} from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

type Shop = Effect.Success<typeof openShop>

/** What happens in a shop of a gateway with these settings. */
const inShop = <A, E>(settings: SettingsChange, happens: (shop: Shop) => Effect.Effect<A, E, Services>) =>
  Effect.provide(Effect.flatMap(openShop, happens), LocalGateway.layerWith({ settings }))

type Services = Effect.Services<ReturnType<Shop["create"]>> | LocalGateway

const result = ({ body }: Answer): string => /"result":"(\w+)"/.exec(body)?.[1] ?? body

const paidPayment = (shop: Shop, changes: object = {}) =>
  Effect.gen(function* () {
    const { id } = yield* shop.create(changes)
    yield* LocalGateway.payByCard(id)
    return id
  })

const refundStates = (shop: Shop, id: number) =>
  Effect.map(shop.refunds(id), ({ body }) => [...body.matchAll(/"state":"(\w+)"/g)].map(([, state]) => state))

describe("Settings", () => {
  it.effect(
    "items that do not sum to the amount are taken, or refused with 360 where the state allows the operation",
    () => {
      const items = [{ name: "a", amount: 1 }]
      const create = (shop: Shop) => shop.postJson("/payments/payment", { ...order, items })
      return Effect.gen(function* () {
        assert.strictEqual((yield* inShop({}, create)).status, 200)
        assert.strictEqual(refusalIn(yield* inShop({ itemsSum: "checked" }, create)), "409 G 360 ITEMS_AMOUNT_MISMATCH")
        yield* inShop({ itemsSum: "checked" }, (shop) =>
          Effect.gen(function* () {
            const id = yield* paidPayment(shop, onDemand)
            assert.strictEqual(refusalIn(yield* shop.charge(id, { items })), "409 G 360 ITEMS_AMOUNT_MISMATCH")
            assert.strictEqual((yield* shop.charge(id)).status, 200)
            yield* shop.voidRecurrence(id)
            assert.strictEqual(refusalIn(yield* shop.charge(id, { items })), "409 G 342 PAYMENT_RECURRENCE_STOPPED")
          })
        )
      })
    }
  )

  it.effect("a token for creating payments does everything, or only that", () => {
    const use = Effect.gen(function* () {
      const authorization = `Bearer ${tokenIn(yield* requestToken(undefined, "grant_type=client_credentials&scope=payment-create"))}`
      const created = yield* send("POST", "/api/payments/payment", {
        body: JSON.stringify(order),
        headers: { authorization }
      })
      const read = yield* send("GET", `/api/payments/payment/${paymentIn(created).id}`, { headers: { authorization } })
      return read.status
    })
    return Effect.gen(function* () {
      assert.strictEqual(yield* Effect.provide(use, LocalGateway.layer), 200)
      assert.strictEqual(yield* Effect.provide(use, LocalGateway.layerWith({ settings: { scopes: "enforced" } })), 403)
    })
  })

  it.effect("a refused token is answered with 403 or 401", () => {
    const read = send("GET", "/api/payments/payment/1", { headers: { authorization: "Bearer nonsense" } })
    return Effect.gen(function* () {
      const [usual, other] = yield* Effect.all([
        Effect.provide(read, LocalGateway.layer),
        Effect.provide(read, LocalGateway.layerWith({ settings: { refusedTokenStatus: 401 } }))
      ])
      assert.deepStrictEqual(
        [refusalIn(usual), refusalIn(other)],
        ["403 G 200 UNAUTHORIZED_ACCESS", "401 G 200 UNAUTHORIZED_ACCESS"]
      )
    })
  })

  it.effect("escaped characters are read, or meet a firewall", () => {
    const create = (shop: Shop) =>
      shop.post("/payments/payment", { body: JSON.stringify({ ...order, lang: "\\" }).replace("\\\\", "\\u0043S") })
    return Effect.gen(function* () {
      assert.strictEqual(paymentIn(yield* inShop({}, create)).lang, "cs")
      const refused = yield* inShop({ unicodeEscapes: "refused" }, create)
      assert.deepStrictEqual([refused.status, refused.headers["content-type"]], [403, "text/html"])
    })
  })

  it.effect("a part of a payment can be refunded after a day, or at once; all of it always", () =>
    inShop({}, (shop) =>
      Effect.gen(function* () {
        const part = yield* paidPayment(shop)
        const whole = yield* paidPayment(shop)
        const early = yield* paidPayment(shop)
        assert.strictEqual(refusalIn(yield* shop.refund(part, 1)), "409 G 330 PAYMENT_REFUND_FAILED")
        assert.strictEqual(result(yield* shop.refund(whole, 10_000)), "FINISHED")
        yield* LocalGateway.advanceTime(Duration.millis(86_400_000 - 1))
        const later = yield* openShop
        assert.strictEqual(refusalIn(yield* later.refund(part, 1)), "409 G 330 PAYMENT_REFUND_FAILED")
        yield* LocalGateway.changeSettings(partsAtOnce)
        assert.strictEqual(result(yield* later.refund(early, 1)), "FINISHED")
        yield* LocalGateway.changeSettings({ partialRefundDelaySeconds: 86_400 })
        yield* TestClock.adjust(1)
        assert.strictEqual(result(yield* later.refund(part, 1)), "FINISHED")
      })
    )
  )

  it.effect("who refunds a part too early is told how a test goes on", () =>
    inShop({}, (shop) =>
      Effect.gen(function* () {
        const { body } = yield* Effect.flatMap(paidPayment(shop), (id) => shop.refund(id, 1))
        assert.match(
          body,
          new RegExp(
            '"description":"A part can be refunded no earlier than 1\\sd after the payment; the whole amount can be refunded at any time\\. ' +
              "Move the local gateway's time forward, by advanceTime, a test shop's advance or the dashboard, " +
              'or set partialRefundDelaySeconds to 0\\."'
          )
        )
      })
    )
  )

  it.effect("a refund fails at once, and is in the history", () =>
    inShop({ ...partsAtOnce, refund: "failed" }, (shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop)
        assert.strictEqual(result(yield* shop.refund(id, 4_000)), "FAILED")
        assert.strictEqual((yield* shop.read(id)).state, "PAID")
        assert.deepStrictEqual(yield* refundStates(shop, id), ["FAILED"])
      })
    )
  )

  it.effect("a refund is accepted, reserves its amount, and is done or fails later", () =>
    inShop({ ...partsAtOnce, refund: "acceptedThenFinished", timeToProcessSeconds: 30 }, (shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop)
        assert.strictEqual(result(yield* shop.refund(id, 4_000)), "ACCEPTED")
        assert.strictEqual((yield* shop.read(id)).state, "PAID")
        assert.deepStrictEqual(yield* refundStates(shop, id), ["REQUESTED"])
        assert.strictEqual(refusalIn(yield* shop.refund(id, 6_001)), "409 G 332 PAYMENT_WRONG_AMOUNT")
        yield* LocalGateway.changeSettings({ refund: "acceptedThenFailed" })
        assert.strictEqual(result(yield* shop.refund(id, 6_000)), "ACCEPTED")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* shop.read(id)).state, "PARTIALLY_REFUNDED")
        assert.deepStrictEqual(yield* refundStates(shop, id), ["SUCCESS", "FAILED"])
        yield* LocalGateway.changeSettings({ refund: "finished" })
        assert.strictEqual(result(yield* shop.refund(id, 6_000)), "FINISHED")
        assert.strictEqual((yield* shop.read(id)).state, "REFUNDED")
      })
    )
  )

  it.effect("a refund that is refused is not listed, or is until it fails, and reserves nothing", () =>
    inShop({ ...partsAtOnce, timeToProcessSeconds: 30 }, (shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop)
        const unpaid = (yield* shop.create()).id
        const refuseAll = Effect.gen(function* () {
          assert.strictEqual(refusalIn(yield* shop.refund(id, 10_001)), "409 G 332 PAYMENT_WRONG_AMOUNT")
          assert.strictEqual(refusalIn(yield* shop.refund(id, 0)), "409 amount 111 INVALID")
          assert.strictEqual(refusalIn(yield* shop.refund(unpaid, 1)), "409 G 303 PAYMENT_WRONG_STATE")
        })
        yield* refuseAll
        assert.deepStrictEqual(yield* refundStates(shop, id), [])
        yield* LocalGateway.changeSettings({ refusedRefund: "listed" })
        yield* refuseAll
        assert.deepStrictEqual(yield* refundStates(shop, id), ["REQUESTED"])
        assert.deepStrictEqual(yield* refundStates(shop, unpaid), [])
        assert.strictEqual(result(yield* shop.refund(id, 4_000)), "FINISHED")

        const seed = Result.getOrThrow(readSeed(yield* LocalGateway.exportSeed))
        yield* LocalGateway.loadSeed(seed)
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(yield* refundStates(shop, id), ["FAILED", "SUCCESS"])
        assert.strictEqual(result(yield* shop.refund(id, 6_000)), "FINISHED")
        assert.strictEqual((yield* shop.read(id)).state, "REFUNDED")
      })
    )
  )

  it.effect("captures and voids are accepted, and are done or fail later; meanwhile nothing else is", () =>
    inShop({ capture: "acceptedThenFinished", voidAuthorization: "acceptedThenFailed" }, (shop) =>
      Effect.gen(function* () {
        const captured = yield* paidPayment(shop, { preauthorization: true })
        assert.strictEqual(result(yield* shop.capture(captured, 4_000)), "ACCEPTED")
        assert.strictEqual((yield* shop.read(captured)).state, "AUTHORIZED")
        assert.strictEqual(refusalIn(yield* shop.capture(captured)), "409 G 350 PAYMENT_CAPTURE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.voidAuthorization(captured)), "409 G 352 PAYMENT_AUTH_VOID_FAILED")
        const kept = yield* paidPayment(shop, { preauthorization: true })
        assert.strictEqual(result(yield* shop.voidAuthorization(kept)), "ACCEPTED")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* shop.read(captured)).state, "PAID")
        assert.strictEqual((yield* shop.read(kept)).state, "AUTHORIZED")
        assert.strictEqual(refusalIn(yield* shop.refund(captured, 4_001)), "409 G 332 PAYMENT_WRONG_AMOUNT")
      })
    )
  )

  it.effect("captures and voids fail at once, and change nothing", () =>
    inShop({ capture: "failed", voidAuthorization: "failed", voidRecurrence: "failed" }, (shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop, { preauthorization: true, ...onDemand })
        assert.strictEqual(result(yield* shop.capture(id)), "FAILED")
        assert.strictEqual(result(yield* shop.voidAuthorization(id)), "FAILED")
        assert.strictEqual(result(yield* shop.voidRecurrence(id)), "FAILED")
        const { recurrence, state } = yield* shop.read(id)
        assert.deepStrictEqual([state, recurrence?.recurrence_state], ["AUTHORIZED", "STARTED"])
      })
    )
  )

  it.effect("a capture and the end of a recurrence are accepted, and fail later", () =>
    inShop({ capture: "acceptedThenFailed", voidRecurrence: "acceptedThenFailed" }, (shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop, { preauthorization: true, ...onDemand })
        assert.strictEqual(result(yield* shop.capture(id)), "ACCEPTED")
        assert.strictEqual(result(yield* shop.voidRecurrence(id)), "ACCEPTED")
        yield* TestClock.adjust("1 minute")
        const { recurrence, state } = yield* shop.read(id)
        assert.deepStrictEqual([state, recurrence?.recurrence_state], ["AUTHORIZED", "STARTED"])
        yield* LocalGateway.changeSettings({ capture: "finished" })
        assert.strictEqual(result(yield* shop.capture(id)), "FINISHED")
      })
    )
  )

  it.effect("a capture that is under way when the hold lapses fails", () =>
    inShop({ capture: "acceptedThenFinished", timeToProcessSeconds: 20, authorizationLifetimeSeconds: 10 }, (shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop, { preauthorization: true })
        assert.strictEqual(result(yield* shop.capture(id)), "ACCEPTED")
        yield* TestClock.adjust("1 minute")
        const { preauthorization, state } = yield* shop.read(id)
        assert.deepStrictEqual([state, preauthorization?.state], ["CANCELED", "CANCELED"])
      })
    )
  )

  it.effect("the end of a recurrence is accepted, and comes later", () =>
    inShop({ voidRecurrence: "acceptedThenFinished" }, (shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop, onDemand)
        assert.strictEqual(result(yield* shop.voidRecurrence(id)), "ACCEPTED")
        assert.strictEqual((yield* shop.read(id)).recurrence?.recurrence_state, "STARTED")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* shop.read(id)).recurrence?.recurrence_state, "STOPPED")
      })
    )
  )

  it.effect("an unpaid recurrence can be voided, or not", () => {
    const voidUnpaid = (shop: Shop) => Effect.flatMap(shop.create(onDemand), ({ id }) => shop.voidRecurrence(id))
    return Effect.gen(function* () {
      assert.strictEqual(refusalIn(yield* inShop({}, voidUnpaid)), "409 G 340 PAYMENT_RECURRENCE_FAILED")
      assert.strictEqual(result(yield* inShop({ voidUnpaidRecurrence: "accepted" }, voidUnpaid)), "FINISHED")
    })
  })

  it.effect("a recurrence that was voided unpaid is not started by the payment that comes after all", () =>
    Effect.gen(function* () {
      const started = yield* inShop({ voidUnpaidRecurrence: "accepted" }, (shop) =>
        Effect.gen(function* () {
          const { id } = yield* shop.create(onDemand)
          yield* shop.voidRecurrence(id)
          yield* LocalGateway.payByCard(id)
          return (yield* shop.read(id)).recurrence?.recurrence_state
        })
      )
      assert.strictEqual(started, "STOPPED")
    })
  )

  it.effect("after a partial capture the amount stays, or becomes what was captured", () => {
    const capturePart = (shop: Shop) =>
      Effect.gen(function* () {
        const id = yield* paidPayment(shop, { preauthorization: true })
        yield* shop.capture(id, 4_000)
        return (yield* shop.read(id)).amount
      })
    return Effect.gen(function* () {
      assert.strictEqual(yield* inShop({}, capturePart), 10_000)
      assert.strictEqual(yield* inShop({ amountAfterCapture: "captured" }, capturePart), 4_000)
    })
  })

  it.effect("a refund of an id that could be a payment's is refused like any unknown payment, or by its field", () => {
    const refund = (shop: Shop) => shop.refund(3_000_000_003, 1)
    return Effect.gen(function* () {
      assert.strictEqual(refusalIn(yield* inShop({}, refund)), "404 G 304 PAYMENT_NOT_FOUND")
      assert.strictEqual(refusalIn(yield* inShop({ unknownRefund: "asField" }, refund)), "409 id 111 INVALID")
    })
  })

  it.effect("a payment that is a year old is refunded no more, whatever its state", () =>
    Effect.gen(function* () {
      const refunds = (shop: Shop) =>
        Effect.gen(function* () {
          const [refunded, paid, open] = [yield* paidPayment(shop), yield* paidPayment(shop), yield* shop.create()]
          yield* shop.refund(refunded, 10_000)
          const refundAll = (later: Shop) =>
            Effect.forEach([refunded, paid, open.id], (id) =>
              Effect.map(later.refund(id, 10), (answer) => (answer.status === 200 ? "200" : refusalIn(answer)))
            )
          yield* LocalGateway.advanceTime(Duration.millis(365 * 24 * 3_600_000 - 1))
          const later = yield* openShop
          const young = refusalIn(yield* later.refund(refunded, 10))
          yield* TestClock.adjust(1)
          return [young, ...(yield* refundAll(later))]
        })
      const wrongState = "409 G 303 PAYMENT_WRONG_STATE"
      const notSupported = "409 G 331 PAYMENT_REFUND_NOT_SUPPORTED"
      assert.deepStrictEqual(yield* inShop({}, refunds), [wrongState, notSupported, notSupported, wrongState])
      const longer = { refundableForSeconds: 2 * 365 * 24 * 3600 }
      assert.deepStrictEqual(yield* inShop(longer, refunds), [wrongState, wrongState, "200", wrongState])
    })
  )

  it.effect("a paid bank transfer shows the account that it came from, or none", () => {
    const accountOf = (shop: Shop) =>
      Effect.gen(function* () {
        const { id } = yield* shop.create()
        yield* LocalGateway.payByBankTransfer(id)
        const { payer, state, sub_state } = yield* shop.read(id)
        return [state, sub_state, payer?.bank_account?.account_number]
      })
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* inShop({}, accountOf), ["PAID", "_3002", "2000000010"])
      assert.deepStrictEqual(yield* inShop({ transferAccount: "omitted" }, accountOf), ["PAID", "_3002", undefined])
    })
  })

  it.effect("each method has the time to pay that is set for it", () =>
    inShop({ timeToPayByCardSeconds: 10, timeToPayByTransferSeconds: 30, timeToPayOtherwiseSeconds: 20 }, (shop) =>
      Effect.gen(function* () {
        for (const instrument of ["PAYMENT_CARD", "BANK_ACCOUNT", "GOPAY"] as const) {
          yield* LocalGateway.choosePaymentMethod((yield* shop.create()).id, instrument)
        }
        const timedOut = Effect.map(LocalGateway.listPayments, (payments) =>
          payments.flatMap(({ payment_instrument, state }) => (state === "TIMEOUTED" ? [payment_instrument] : []))
        )
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* timedOut, ["PAYMENT_CARD"])
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* timedOut, ["PAYMENT_CARD", "GOPAY"])
        yield* TestClock.adjust("10 seconds")
        assert.lengthOf(yield* timedOut, 3)
      })
    )
  )

  describe("strict", () => {
    const warned = Effect.map(LocalGateway.listEvents, (events) =>
      events.flatMap((event) => (event.type === "warning" ? [`${event.operation}: ${event.refusal}`] : []))
    )
    const doubtful: ReadonlyArray<
      readonly [string, string, string, (shop: Shop) => Effect.Effect<Answer, unknown, Services>]
    > = [
      [
        "a payment of nothing",
        "createPayment",
        "409 amount 111 INVALID",
        (shop) => shop.postJson("/payments/payment", { ...order, amount: 0, preauthorization: true })
      ],
      [
        "a charge without a description and items",
        "createRecurrence",
        "409 order_description 110 REQUIRED",
        (shop) =>
          Effect.flatMap(paidPayment(shop, onDemand), (id) =>
            shop.postJson(`/payments/payment/${id}/create-recurrence`, {
              amount: 1,
              currency: "CZK",
              order_number: "2"
            })
          )
      ],
      [
        "a capture of a part without items",
        "captureAuthorization",
        "409 items 110 REQUIRED",
        (shop) => Effect.flatMap(paidPayment(shop, { preauthorization: true }), (id) => shop.capture(id, 1))
      ],
      [
        "a refund of a part on the day of the payment",
        "refundPayment",
        "409 G 330 PAYMENT_REFUND_FAILED",
        (shop) => Effect.flatMap(paidPayment(shop), (id) => shop.refund(id, 1))
      ]
    ]

    it.effect.each(doubtful)(
      "refuses %s; a lenient gateway accepts it with a warning",
      ([, operation, refusal, call]) =>
        Effect.gen(function* () {
          const warnings = Effect.map(LocalGateway.listEvents, (events) =>
            events.flatMap((event) => (event.type === "warning" ? [event] : []))
          )
          const strict = yield* inShop(strictSettings, (shop) => Effect.zip(call(shop), warnings))
          assert.deepStrictEqual([refusalIn(strict[0]).split(",")[0], strict[1]], [refusal, []])
          const lenient = yield* inShop(partsAtOnce, (shop) => Effect.zip(call(shop), warnings))
          assert.strictEqual(lenient[0].status, 200)
          const [warning, ...others] = lenient[1]
          assert.deepStrictEqual(others, [])
          assert.strictEqual(warning?.operation, operation)
          const code = /\d{3}(?= [A-Z_]+$)/.exec(refusal)?.[0]
          assert.include(warning?.refusal, `409, ${code} `)
          assert.isTrue(lenient[0].body.startsWith(`{"id":${warning?.paymentId},`), lenient[0].body)
        })
    )

    it.effect("refuses JSON with escapes", () => {
      const escaped = (shop: Shop) =>
        shop.request("POST", "/payments/payment", {
          body: JSON.stringify({ ...order, order_description: "Z" }).replace('"Z"', '"\\u017d"'),
          headers: { "content-type": "application/json" }
        })
      return Effect.gen(function* () {
        assert.strictEqual((yield* inShop(strictSettings, escaped)).status, 403)
        assert.deepStrictEqual(yield* inShop({}, (shop) => Effect.andThen(escaped(shop), warned)), [
          "createPayment: a firewall refuses JSON with \\uXXXX escapes (403, an HTML page)"
        ])
      })
    })

    it.effect.each([{}, strictSettings])("accepts, with a warning, what GoPay's own tests do: %o", (settings) =>
      inShop(settings, (shop) =>
        Effect.gen(function* () {
          const items = [{ name: "a", amount: -1 }]
          const { id } = yield* shop.create({ items })
          const token = tokenIn(yield* requestToken(basic, "grant_type=client_credentials&scope=payment-create"))
          const headers = { authorization: `Bearer ${token}` }
          assert.strictEqual((yield* send("GET", `/api/payments/payment/${id}`, { headers })).status, 200)
          assert.deepStrictEqual(yield* warned, [
            "createPayment: 409, 360 ITEMS_AMOUNT_MISMATCH: The items sum to -1, the amount is 10000.",
            "getPayment: 403, 200 UNAUTHORIZED_ACCESS: The token is for creating payments only."
          ])
        })
      )
    )

    it.effect("leaves alone what GoPay is known to accept", () =>
      inShop(strictSettings, (shop) =>
        Effect.gen(function* () {
          const id = yield* paidPayment(shop)
          assert.strictEqual((yield* shop.refund(id, 10_000)).status, 200)
          yield* paidPayment(shop, { order_number: "order-1", items: [{ name: "a", amount: 10_000 }] })
        })
      )
    )
  })

  it.effect("times, the language and the lifetime of a token are as set", () =>
    inShop({ defaultLanguage: "CS", timeToPaySeconds: 60, tokenLifetimeSeconds: 100 }, (shop) =>
      Effect.gen(function* () {
        const { id, lang } = yield* shop.create({ lang: undefined })
        assert.strictEqual(lang, "cs")
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual((yield* shop.read(id)).state, "TIMEOUTED")
        yield* TestClock.adjust("40 seconds")
        assert.strictEqual((yield* shop.request("GET", `/payments/payment/${id}`)).status, 403)
      })
    )
  )

  it.effect("statements have no type of their own, or as set", () => {
    const statement = (shop: Shop) =>
      shop.postJson("/accounts/account-statement", {
        date_from: "1970-01-01",
        date_to: "1970-01-02",
        goid: LocalGateway.merchant.goid,
        currency: "CZK",
        format: "CSV_A"
      })
    return Effect.gen(function* () {
      const types = yield* Effect.all([
        inShop({}, statement),
        inShop({ statementContentType: "ofFormat", statementEncoding: "windows-1250" }, statement)
      ])
      assert.deepStrictEqual(
        types.map(({ headers }) => headers["content-type"]),
        ["application/octet-stream", "text/csv; charset=windows-1250"]
      )
    })
  })

  it.effect("a change of a time counts for payments that are there already", () =>
    inShop({}, (shop) =>
      Effect.gen(function* () {
        const { id } = yield* shop.create()
        yield* LocalGateway.changeSettings({ timeToPaySeconds: 60 })
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual((yield* shop.read(id)).state, "TIMEOUTED")
      })
    )
  )
})
