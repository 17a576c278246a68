import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { onDemand, openShop, paymentIn, refusalIn } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const held = { preauthorization: true }

const finished = (id: number) => `{"id":${id},"result":"FINISHED"}`

describe("What the payer does", () => {
  it.effect("a new payment is CREATED", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id, payment_instrument, state } = yield* shop.create()
      assert.deepStrictEqual([state, payment_instrument], ["CREATED", undefined])
      assert.deepStrictEqual((yield* shop.read(id)).state, "CREATED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("choosing a method makes it PAYMENT_METHOD_CHOSEN, and a transfer is awaited as offline", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* LocalGateway.choosePaymentMethod(id, "PAYMENT_CARD")
      const online = yield* shop.read(id)
      yield* LocalGateway.choosePaymentMethod(id, "BANK_ACCOUNT")
      const offline = yield* shop.read(id)
      assert.deepStrictEqual(
        [online, offline].map(({ payment_instrument, state, sub_state }) => [state, sub_state, payment_instrument]),
        [
          ["PAYMENT_METHOD_CHOSEN", "_101", "PAYMENT_CARD"],
          ["PAYMENT_METHOD_CHOSEN", "_102", "BANK_ACCOUNT"]
        ]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a card pays at once, without or after choosing the method", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      for (const choose of [false, true]) {
        const { id } = yield* shop.create()
        if (choose) yield* LocalGateway.choosePaymentMethod(id, "PAYMENT_CARD")
        yield* LocalGateway.payByCard(id, { card: "4188030000000003" })
        const payment = yield* shop.read(id)
        assert.deepStrictEqual([payment.state, payment.sub_state], ["PAID", undefined])
        assert.strictEqual(payment.payer?.payment_card?.card_number, "418803******0003")
        assert.strictEqual(payment.payer?.payment_card?.card_brand, "VISA Electron")
        assert.strictEqual(payment.payer?.payment_card?.card_token, undefined)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the gateway adds the payer's country to the contact, unless the shop gave one", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const unknown = yield* shop.create({ payer: { contact: { email: "a@example.com" } } })
      const known = yield* shop.create({ payer: { contact: { country_code: "SVK" } } })
      assert.strictEqual(unknown.payer?.contact?.country_code, undefined)
      for (const { id } of [unknown, known]) yield* LocalGateway.payByCard(id)
      assert.deepStrictEqual((yield* shop.read(unknown.id)).payer?.contact, {
        email: "a@example.com",
        country_code: "POL"
      })
      assert.strictEqual((yield* shop.read(known.id)).payer?.contact?.country_code, "SVK")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a bank transfer pays with its account and sub-state", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* LocalGateway.payByBankTransfer(id)
      const payment = yield* shop.read(id)
      assert.deepStrictEqual(
        [payment.state, payment.sub_state, payment.payment_instrument, payment.payer?.bank_account?.bank_code],
        ["PAID", "_3002", "BANK_ACCOUNT", "0000"]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a payment of nothing is approved with _5001", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ amount: 0, ...onDemand })
      yield* LocalGateway.payByCard(id)
      const { recurrence, state, sub_state } = yield* shop.read(id)
      assert.deepStrictEqual([state, sub_state, recurrence?.recurrence_state], ["PAID", "_5001", "STARTED"])
      assert.strictEqual(refusalIn(yield* shop.refund(id, 1)), "409 G 332 PAYMENT_WRONG_AMOUNT")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("declining, cancelling and waiting too long end it", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const [a, b, c, d] = [yield* shop.create(), yield* shop.create(), yield* shop.create(), yield* shop.create()]
      yield* LocalGateway.declinePayment(a.id)
      yield* LocalGateway.declinePayment(b.id, "_5002")
      yield* LocalGateway.cancelPayment(c.id)
      yield* LocalGateway.choosePaymentMethod(d.id, "BANK_ACCOUNT")
      yield* LocalGateway.timeOutPayment(d.id)
      const ends = yield* Effect.forEach([a, b, c, d], ({ id }) => shop.read(id))
      assert.deepStrictEqual(
        ends.map(({ state, sub_state }) => [state, sub_state]),
        [
          ["CANCELED", "_5006"],
          ["CANCELED", "_5002"],
          ["CANCELED", "_5043"],
          ["TIMEOUTED", undefined]
        ]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("no payer's action is left once it is paid, held or over", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const paid = (yield* shop.create()).id
      yield* LocalGateway.payByCard(paid)
      const authorized = (yield* shop.create(held)).id
      yield* LocalGateway.payByCard(authorized)
      const canceled = (yield* shop.create()).id
      yield* LocalGateway.cancelPayment(canceled)
      const timeouted = (yield* shop.create()).id
      yield* LocalGateway.timeOutPayment(timeouted)
      const states = { [paid]: "PAID", [authorized]: "AUTHORIZED", [canceled]: "CANCELED", [timeouted]: "TIMEOUTED" }
      for (const id of [paid, authorized, canceled, timeouted]) {
        const actions = [
          LocalGateway.choosePaymentMethod(id, "GOPAY"),
          LocalGateway.payByCard(id),
          LocalGateway.payByBankTransfer(id),
          LocalGateway.declinePayment(id),
          LocalGateway.cancelPayment(id),
          LocalGateway.timeOutPayment(id)
        ]
        for (const action of actions) {
          const { _tag, reason, state } = yield* Effect.flip(action)
          assert.deepStrictEqual([_tag, reason, state], ["PayerActionRefused", "WrongPaymentState", states[id]])
        }
        assert.strictEqual((yield* shop.read(id)).state, states[id])
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("the payer can neither pay an unknown payment nor with what is not offered", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const cardOnly = yield* shop.create({ payer: { allowed_payment_instruments: ["PAYMENT_CARD"] } })
      const transferOnly = yield* shop.create({ payer: { allowed_payment_instruments: ["BANK_ACCOUNT"] } })
      const toBeHeld = yield* shop.create(held)
      const refused = yield* Effect.forEach(
        [
          LocalGateway.payByCard(100),
          LocalGateway.payByCard("not a number"),
          LocalGateway.payByBankTransfer(cardOnly.id),
          LocalGateway.payByCard(transferOnly.id),
          LocalGateway.choosePaymentMethod(toBeHeld.id, "BANK_ACCOUNT")
        ],
        Effect.flip
      )
      assert.deepStrictEqual(
        refused.map(({ reason }) => reason),
        ["PaymentNotFound", "PaymentNotFound", "InstrumentNotOffered", "InstrumentNotOffered", "InstrumentNotOffered"]
      )
      assert.strictEqual(refused[0]?.message, "payByCard: there is no payment 100 here")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("Preauthorizations", () => {
  it.effect("a card holds the amount, and a capture takes it", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id, preauthorization } = yield* shop.create(held)
      assert.deepStrictEqual(preauthorization, { requested: true, state: "REQUESTED" })
      yield* LocalGateway.payByCard(id)
      const authorized = yield* shop.read(id)
      assert.deepStrictEqual([authorized.state, authorized.preauthorization?.state], ["AUTHORIZED", "AUTHORIZED"])
      const answer = yield* shop.capture(id)
      assert.deepStrictEqual([answer.status, answer.body], [200, finished(id)])
      const captured = yield* shop.read(id)
      assert.deepStrictEqual([captured.state, captured.preauthorization?.state], ["PAID", "CAPTURED"])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a captured authorization answers a second capture with 351 and a void with 352", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(held)
      yield* LocalGateway.payByCard(id)
      yield* shop.capture(id)
      assert.strictEqual(refusalIn(yield* shop.capture(id)), "409 G 351 PAYMENT_CAPTURE_DONE")
      assert.strictEqual(refusalIn(yield* shop.capture(id, -1)), "409 G 351 PAYMENT_CAPTURE_DONE")
      assert.strictEqual(refusalIn(yield* shop.voidAuthorization(id)), "409 G 352 PAYMENT_AUTH_VOID_FAILED")
      yield* shop.refund(id, 10_000)
      assert.strictEqual(refusalIn(yield* shop.capture(id)), "409 G 351 PAYMENT_CAPTURE_DONE")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a partial capture releases the rest, and no more than it can be refunded", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(held)
      yield* LocalGateway.payByCard(id)
      assert.strictEqual(refusalIn(yield* shop.capture(id, 10_001)), "409 G 332 PAYMENT_WRONG_AMOUNT")
      assert.strictEqual(refusalIn(yield* shop.capture(id, 0)), "409 amount 111 INVALID")
      assert.strictEqual((yield* shop.read(id)).state, "AUTHORIZED")
      assert.strictEqual((yield* shop.capture(id, 4_000)).body, finished(id))
      assert.strictEqual((yield* shop.read(id)).state, "PAID")
      assert.strictEqual(refusalIn(yield* shop.capture(id, 6_000)), "409 G 351 PAYMENT_CAPTURE_DONE")
      assert.strictEqual(refusalIn(yield* shop.refund(id, 4_001)), "409 G 332 PAYMENT_WRONG_AMOUNT")
      assert.strictEqual((yield* shop.refund(id, 4_000)).status, 200)
      assert.strictEqual((yield* shop.read(id)).state, "REFUNDED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("voiding cancels it; voiding again answers 353, capturing 350", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(held)
      yield* LocalGateway.payByCard(id)
      assert.strictEqual((yield* shop.voidAuthorization(id)).body, finished(id))
      const { preauthorization, state } = yield* shop.read(id)
      assert.deepStrictEqual([state, preauthorization?.state], ["CANCELED", "CANCELED"])
      assert.strictEqual(refusalIn(yield* shop.voidAuthorization(id)), "409 G 353 PAYMENT_AUTH_VOID_DONE")
      assert.strictEqual(refusalIn(yield* shop.capture(id)), "409 G 350 PAYMENT_CAPTURE_FAILED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("what is not held is neither captured nor voided", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const created = yield* shop.create(held)
      const declined = yield* shop.create(held)
      yield* LocalGateway.declinePayment(declined.id)
      const plain = yield* shop.create()
      yield* LocalGateway.payByCard(plain.id)
      for (const { id } of [created, declined, plain]) {
        assert.strictEqual(refusalIn(yield* shop.capture(id)), "409 G 350 PAYMENT_CAPTURE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.capture(id, 1)), "409 G 350 PAYMENT_CAPTURE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.voidAuthorization(id)), "409 G 352 PAYMENT_AUTH_VOID_FAILED")
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a held amount cannot be refunded", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(held)
      yield* LocalGateway.payByCard(id)
      assert.strictEqual(refusalIn(yield* shop.refund(id, 1)), "409 G 303 PAYMENT_WRONG_STATE")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("Refunds", () => {
  it.effect("bit by bit until all is returned, and then no more", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* LocalGateway.payByCard(id)
      const first = yield* shop.refund(id, 4_000)
      assert.deepStrictEqual([first.status, first.body], [200, finished(id)])
      assert.strictEqual((yield* shop.read(id)).state, "PARTIALLY_REFUNDED")
      assert.strictEqual(refusalIn(yield* shop.refund(id, 6_001)), "409 G 332 PAYMENT_WRONG_AMOUNT")
      assert.strictEqual((yield* shop.refund(id, 6_000)).status, 200)
      assert.strictEqual((yield* shop.read(id)).state, "REFUNDED")
      assert.strictEqual(refusalIn(yield* shop.refund(id, 1)), "409 G 303 PAYMENT_WRONG_STATE")
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("are refused in every other state", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const created = yield* shop.create()
      const chosen = yield* shop.create()
      yield* LocalGateway.choosePaymentMethod(chosen.id, "PAYMENT_CARD")
      const canceled = yield* shop.create()
      yield* LocalGateway.cancelPayment(canceled.id)
      const timeouted = yield* shop.create()
      yield* LocalGateway.timeOutPayment(timeouted.id)
      for (const { id } of [created, chosen, canceled, timeouted]) {
        assert.strictEqual(refusalIn(yield* shop.refund(id, 1)), "409 G 303 PAYMENT_WRONG_STATE")
        assert.strictEqual((yield* shop.refunds(id)).body, "[]")
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("are listed with their own ids, oldest first", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create()
      yield* LocalGateway.payByCard(id)
      yield* shop.refund(id, 4_000)
      yield* shop.refund(id, 1_000)
      const { body } = yield* shop.refunds(id)
      const at = "1970-01-01T01:00:00.000+0100"
      const item = (refundId: number, amount: number) =>
        `{"id":${refundId},"state":"SUCCESS","amount":${amount},"currency":"CZK","date_requested":"${at}","date_last_change":"${at}"}`
      assert.strictEqual(body, `[${item(id + 13, 4_000)},${item(id + 26, 1_000)}]`)
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )

  it.effect("a hundred at once never return more than was paid", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ amount: 50 })
      yield* LocalGateway.payByCard(id)
      const answers = yield* Effect.all(
        Array.from({ length: 100 }, () => shop.refund(id, 1)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 50)
      assert.strictEqual((yield* shop.read(id)).state, "REFUNDED")
    }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))
  )
})

describe("Recurrences", () => {
  it.effect("start when the first payment is paid, or held", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const paid = yield* shop.create(onDemand)
      const authorized = yield* shop.create({ ...onDemand, ...held })
      assert.strictEqual(paid.recurrence?.recurrence_state, "REQUESTED")
      for (const { id } of [paid, authorized]) {
        yield* LocalGateway.payByCard(id)
        assert.strictEqual((yield* shop.read(id)).recurrence?.recurrence_state, "STARTED")
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("are paid by card only", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(onDemand)
      const refused = yield* Effect.flip(LocalGateway.payByBankTransfer(id))
      assert.strictEqual(refused.reason, "InstrumentNotOffered")
      for (const instrument of ["BANK_ACCOUNT", "TWISTO", "PRSMS", "GOPAY"] as const) {
        const { reason } = yield* Effect.flip(LocalGateway.choosePaymentMethod(id, instrument))
        assert.strictEqual(reason, "InstrumentNotOffered")
      }
      assert.strictEqual((yield* shop.read(id)).state, "CREATED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a charge answers CREATED, and is paid when it is read next", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const parent = yield* shop.create({
        ...onDemand,
        payer: { allowed_payment_instruments: ["PAYMENT_CARD"], contact: { email: "a@example.com" } }
      })
      yield* LocalGateway.payByCard(parent.id)
      const answer = yield* shop.charge(parent.id, { additional_params: [{ name: "month", value: "2" }] })
      const child = paymentIn(answer)
      assert.strictEqual(
        answer.body,
        `{"id":${parent.id + 13},"parent_id":${parent.id},"order_number":"order-2","state":"CREATED",` +
          `"payment_instrument":"PAYMENT_CARD","amount":2500,"currency":"CZK",` +
          `"payer":{"contact":{"email":"a@example.com","country_code":"POL"}},` +
          `"target":{"type":"ACCOUNT","goid":8123456781},"additional_params":[{"name":"month","value":"2"}],` +
          `"lang":"cs","gw_url":"${child.gw_url}"}`
      )
      assert.notStrictEqual(child.gw_url, parent.gw_url)
      assert.deepStrictEqual(yield* shop.read(child.id), { ...child, state: "PAID" })
      assert.strictEqual((yield* shop.refund(child.id, 2_500)).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a charge can be declined, or left to the payer", () =>
    Effect.gen(function* () {
      const chargeOnce = Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create(onDemand)
        yield* LocalGateway.payByCard(id)
        const child = paymentIn(yield* shop.charge(id))
        const { state, sub_state } = yield* shop.read(child.id)
        return { child, state, sub_state, shop }
      })
      const declined = yield* Effect.provide(
        chargeOnce,
        LocalGateway.layerWith({ settings: { recurrenceChild: "declined" } })
      )
      assert.deepStrictEqual(
        [declined.child.state, declined.state, declined.sub_state],
        ["CREATED", "CANCELED", "_5006"]
      )
      yield* Effect.gen(function* () {
        const { child, shop, state } = yield* chargeOnce
        assert.strictEqual(state, "CREATED")
        yield* LocalGateway.payByCard(child.id)
        const paid = yield* shop.read(child.id)
        assert.deepStrictEqual([paid.state, paid.payer?.payment_card], ["PAID", undefined])
      }).pipe(Effect.provide(LocalGateway.layerWith({ settings: { recurrenceChild: "pending" } })))
    })
  )

  it.effect("a stopped one answers a charge and another void with 342, before it checks anything else", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(onDemand)
      yield* LocalGateway.payByCard(id)
      assert.strictEqual((yield* shop.voidRecurrence(id)).body, finished(id))
      const stopped = yield* shop.read(id)
      assert.deepStrictEqual([stopped.state, stopped.recurrence?.recurrence_state], ["PAID", "STOPPED"])
      assert.strictEqual(refusalIn(yield* shop.charge(id)), "409 G 342 PAYMENT_RECURRENCE_STOPPED")
      assert.strictEqual(refusalIn(yield* shop.charge(id, { amount: -1 })), "409 G 342 PAYMENT_RECURRENCE_STOPPED")
      assert.strictEqual(refusalIn(yield* shop.voidRecurrence(id)), "409 G 342 PAYMENT_RECURRENCE_STOPPED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("only a started one is charged or stopped; the gateway charges the automatic ones", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const requested = yield* shop.create(onDemand)
      const plain = yield* shop.create()
      yield* LocalGateway.payByCard(plain.id)
      for (const { id } of [requested, plain]) {
        assert.strictEqual(refusalIn(yield* shop.charge(id)), "409 G 340 PAYMENT_RECURRENCE_FAILED")
        assert.strictEqual(refusalIn(yield* shop.voidRecurrence(id)), "409 G 340 PAYMENT_RECURRENCE_FAILED")
      }
      const weekly = yield* shop.create({
        recurrence: { recurrence_cycle: "WEEK", recurrence_period: 1, recurrence_date_to: "2099-12-31" }
      })
      yield* LocalGateway.payByCard(weekly.id)
      assert.strictEqual(refusalIn(yield* shop.charge(weekly.id)), "409 G 340 PAYMENT_RECURRENCE_FAILED")
      assert.strictEqual((yield* shop.voidRecurrence(weekly.id)).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("charges do not chain, and a wrong charge names its fields", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(onDemand)
      yield* LocalGateway.payByCard(id)
      const child = paymentIn(yield* shop.charge(id))
      assert.strictEqual(refusalIn(yield* shop.charge(child.id)), "409 G 340 PAYMENT_RECURRENCE_FAILED")
      assert.strictEqual(
        refusalIn(yield* shop.charge(id, { amount: 0, order_number: undefined })),
        "409 amount 111 INVALID, order_number 110 REQUIRED"
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("a refund of the first payment does not stop it", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create(onDemand)
      yield* LocalGateway.payByCard(id)
      yield* shop.refund(id, 10_000)
      const { recurrence, state } = yield* shop.read(id)
      assert.deepStrictEqual([state, recurrence?.recurrence_state], ["REFUNDED", "STARTED"])
      assert.strictEqual((yield* shop.charge(id)).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
