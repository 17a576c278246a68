/**
 * Every program of the client, to be run against a local gateway: in Node, a browser or workerd.
 */
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import * as Client from "../../src/index.js"

/** An order of a shop. */
export const order: Client.CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" },
  payer: { contact: { email: "payer@example.com" } },
  additional_params: [{ name: "cart", value: "77" }]
}

/** The operations that are tried: the compiler names one that is missing here, `everyProgram` one that it does not call. */
const everyOperation = {
  createPayment: Client.createPayment,
  getPayment: Client.getPayment,
  refundPayment: Client.refundPayment,
  getPaymentRefunds: Client.getPaymentRefunds,
  createRecurrence: Client.createRecurrence,
  voidRecurrence: Client.voidRecurrence,
  captureAuthorization: Client.captureAuthorization,
  captureAuthorizationPartial: Client.captureAuthorizationPartial,
  voidAuthorization: Client.voidAuthorization,
  getCardDetails: Client.getCardDetails,
  deleteCard: Client.deleteCard,
  getPaymentInstruments: Client.getPaymentInstruments,
  getPaymentInstrumentsAll: Client.getPaymentInstrumentsAll,
  getAccountStatement: Client.getAccountStatement,
  getPaymentQr: Client.getPaymentQr
} satisfies Pick<typeof Client, keyof Client.GatewayOperations>

const today = new Date()
const day = (offset: number) => new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10)

const reason = <R>(program: Effect.Effect<unknown, Client.GatewayError, R>) =>
  Effect.map(Effect.flip(program), ({ reason }) => reason)

/**
 * Every program of the client, once with success and, where there is one, with its typical refusal. The payer's part is
 * to pay by card.
 */
export const everyProgram = <E, R>(payByCard: (paymentId: number) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const called = new Set<string | symbol>()
    const operations = new Proxy(everyOperation, {
      get: (target, name, receiver) => {
        called.add(name)
        return Reflect.get(target, name, receiver)
      }
    })
    const goid = yield* (yield* Client.Gateway).goid

    // A payment: created, read, paid, refunded.
    const created = yield* operations.createPayment({ ...order, payer: { ...order.payer, request_card_token: true } })
    assert.deepInclude(created, {
      state: "CREATED",
      amount: 139_950,
      currency: "CZK",
      order_number: "2026-0042",
      lang: "en"
    })
    assert.deepStrictEqual(created.target, { type: "ACCOUNT", goid: goid })
    assert.deepStrictEqual(created.additional_params, [{ name: "cart", value: "77" }])
    assert.match(created.gw_url, /\/gw\/v3\/[0-9a-f]{32}$/)
    const qr = yield* operations.getPaymentQr(created.id, { format: "svg" })
    assert.include(atob(qr.qr_code.spayd ?? ""), "<svg")
    assert.deepInclude(yield* reason(operations.refundPayment(created.id, { amount: 1 })), {
      _tag: "OperationRefused",
      code: 303
    })
    yield* payByCard(created.id)
    const paid = yield* operations.getPayment(String(created.id))
    assert.deepInclude(paid, { state: "PAID", payment_instrument: "PAYMENT_CARD" })
    assert.deepStrictEqual(yield* operations.getPaymentRefunds(paid.id), [])
    assert.deepStrictEqual(yield* operations.refundPayment(paid.id, { amount: 39_950 }), {
      id: paid.id,
      result: "FINISHED"
    })
    assert.deepInclude(yield* reason(operations.refundPayment(paid.id, { amount: 100_001 })), {
      _tag: "OperationRefused",
      code: 332
    })
    const [refund, ...noMore] = yield* operations.getPaymentRefunds(paid.id)
    assert.deepInclude(refund, { amount: 39_950, currency: "CZK", state: "SUCCESS" })
    assert.deepStrictEqual(noMore, [])
    assert.strictEqual((yield* operations.getPayment(paid.id)).state, "PARTIALLY_REFUNDED")

    // The card that it stored.
    const cardId = paid.payer?.card_id ?? assert.fail("no card was stored")
    const card = yield* operations.getCardDetails(cardId)
    assert.deepInclude(card, { card_id: Number(cardId), status: "ACTIVE" })
    yield* operations.deleteCard(cardId)
    yield* operations.deleteCard(cardId)
    assert.strictEqual((yield* operations.getCardDetails(cardId)).status, "DELETED")
    assert.deepInclude(yield* reason(operations.getCardDetails(1)), { _tag: "CardNotFound", cardId: 1 })

    // A recurrence.
    const parent = yield* operations.createPayment({
      ...order,
      recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" }
    })
    yield* payByCard(parent.id)
    assert.strictEqual((yield* operations.getPayment(parent.id)).recurrence?.recurrence_state, "STARTED")
    const charge = { amount: 500, currency: "CZK", order_number: "2026-0043", order_description: "Second month" }
    const child = yield* operations.createRecurrence(parent.id, charge)
    assert.deepInclude(child, { parent_id: parent.id, amount: 500 })
    assert.strictEqual((yield* operations.getPayment(child.id)).state, "PAID")
    assert.strictEqual((yield* operations.voidRecurrence(parent.id)).result, "FINISHED")
    assert.deepInclude(yield* reason(operations.voidRecurrence(parent.id)), { code: 342, goalReached: true })
    assert.deepInclude(yield* reason(operations.createRecurrence(parent.id, charge)), { code: 342, goalReached: false })

    // Preauthorizations.
    const authorized = Effect.gen(function* () {
      const { id } = yield* operations.createPayment({ ...order, preauthorization: true })
      yield* payByCard(id)
      assert.strictEqual((yield* operations.getPayment(id)).state, "AUTHORIZED")
      return id
    })
    const whole = yield* authorized
    assert.strictEqual((yield* operations.captureAuthorization(whole)).result, "FINISHED")
    assert.deepInclude(yield* reason(operations.captureAuthorization(whole)), { code: 351, goalReached: true })
    assert.deepInclude(yield* reason(operations.voidAuthorization(whole)), { code: 352, goalReached: false })
    const part = yield* authorized
    assert.strictEqual((yield* operations.captureAuthorizationPartial(part, { amount: 50_000 })).result, "FINISHED")
    assert.strictEqual((yield* operations.getPayment(part)).preauthorization?.state, "CAPTURED")
    const released = yield* authorized
    assert.strictEqual((yield* operations.voidAuthorization(released)).result, "FINISHED")
    assert.strictEqual((yield* operations.getPayment(released)).state, "CANCELED")
    assert.deepInclude(yield* reason(operations.voidAuthorization(released)), { code: 353, goalReached: true })

    // The shop and its account.
    const inCzk = yield* operations.getPaymentInstruments(goid, "CZK")
    const all = yield* operations.getPaymentInstrumentsAll(goid)
    for (const { enabledPaymentInstruments } of [inCzk, all]) {
      const bank = enabledPaymentInstruments.find(({ paymentInstrument }) => paymentInstrument === "BANK_ACCOUNT")
      assert.strictEqual(bank?.group, "bank-transfer")
      assert.isAbove(bank?.enabledSwifts?.length ?? 0, 0)
    }
    assert.strictEqual((yield* reason(operations.getPaymentInstruments(7, "CZK")))._tag, "InvalidRequest")
    const statement = yield* operations.getAccountStatement({
      date_from: day(-1),
      date_to: day(1),
      goid,
      currency: "CZK",
      format: "CSV_A"
    })
    assert.include(statement.toText(), "-399.50")
    assert.match(yield* Client.getEmbedJsUrl, /\/gp-gw\/js\/embed\.js$/)

    assert.deepInclude(yield* reason(operations.getPayment(100)), {
      _tag: "PaymentNotFound",
      paymentId: 100,
      status: 404
    })
    assert.strictEqual((yield* reason(operations.getPaymentRefunds(100)))._tag, "PaymentNotFound")
    assert.deepInclude(yield* reason(operations.refundPayment(100, { amount: 1 })), {
      _tag: "InvalidRequest",
      refusedBy: "gateway"
    })
    for (const [program, code] of [
      [operations.voidRecurrence(100), 340],
      [operations.createRecurrence(100, charge), 340],
      [operations.captureAuthorization(100), 350],
      [operations.voidAuthorization(100), 352]
    ] as const) {
      assert.deepInclude(yield* reason(program), { _tag: "OperationRefused", code })
    }
    assert.deepStrictEqual(
      Object.keys(everyOperation).filter((name) => !called.has(name)),
      [],
      "everyProgram calls each operation"
    )
  })
