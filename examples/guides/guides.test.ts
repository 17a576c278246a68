/**
 * The code of the guides, run against the local gateway.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createPayment, Gateway } from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient, type CreatePaymentRequest, GatewayError, isPaid } from "effect-gopay/promise"
import { expect } from "vitest"
import { troubledFetch } from "../troubled-fetch.js"
import { isUsable, payAndStore, payWithStored, storedCard } from "./cards.js"
import { capture, release, reserve } from "./holds.js"
import * as HoldsWithEffect from "./holds-effect.js"
import { charge, expiresBefore, retryAfterDays, stepAfter, stepAfterRefusal, subscribe } from "./recurring.js"
import * as RecurringWithEffect from "./recurring-effect.js"
import { refund, refundable } from "./refunds.js"
import * as RefundsWithEffect from "./refunds-effect.js"
import { callbackOf, openShops } from "./shops.js"

const order: CreatePaymentRequest = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
}

const open = async () => {
  const local = await startLocalGateway()
  const gateway = createGatewayClient(local.merchant)
  return {
    local,
    gateway,
    paid: async (payment: { readonly id: number }) => {
      await local.payByCard(payment.id)
      return gateway.getPayment(payment.id)
    },
    [Symbol.asyncDispose]: async () => {
      await gateway.close()
      await local.close()
    }
  }
}

const inProcess = Gateway.layer(LocalGateway.merchant).pipe(Layer.provideMerge(LocalGateway.layer))

describe("refunds", () => {
  it("go up to what is left", async () => {
    await using world = await open()
    const { gateway } = world
    const payment = await world.paid(await gateway.createPayment(order))
    await world.local.advanceTime("1 day")
    assert.strictEqual(await refund(gateway, payment.id, 39_950), "refunded")
    assert.deepStrictEqual(await refundable(gateway, payment), { amount: 100_000, isUpperBound: false })
    assert.match(await refund(gateway, payment.id, 100_001), /^refused.*errors\.md#332$/)
  })

  it("that are refused or lost say what to do", async () => {
    await using world = await open()
    const { gateway, local } = world
    const payment = await world.paid(await gateway.createPayment(order))
    assert.match(await refund(gateway, payment.id, 1), /after a day/)
    await local.advanceTime("1 day")
    assert.deepStrictEqual(await refundable(gateway, payment), { amount: 139_950, isUpperBound: false })
    await local.armFault({ type: "refusal", code: 333 }, { operation: "refundPayment" })
    assert.match(await refund(gateway, payment.id, 1), /add funds/)
    await local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
    assert.match(await refund(gateway, payment.id, 1), /^do not repeat it.*"operation":"refundPayment"/)
    assert.deepStrictEqual(await refundable(gateway, payment), { amount: 139_949, isUpperBound: false })
    await local.changeSettings({ refund: "acceptedThenFinished" })
    assert.match(await refund(gateway, payment.id, 1), /^accepted/)
    await using broken = createGatewayClient({ ...local.merchant, fetch: troubledFetch(() => "not connected") })
    assert.match(await refund(broken, payment.id, 1), /^nothing was sent/)
  })
})

it.effect("refunds say what to do with Effect", () =>
  Effect.gen(function* () {
    const { id } = yield* createPayment(order)
    yield* LocalGateway.payByCard(id)
    assert.match(yield* RefundsWithEffect.refund(id, 1), /after a day/)
    yield* LocalGateway.advanceTime("1 day")
    assert.strictEqual(yield* RefundsWithEffect.refund(id, 39_950), "refunded")
    assert.match(yield* RefundsWithEffect.refund(id, 1_000_000), /^refused with 332/)
    yield* LocalGateway.armFault({ type: "refusal", code: 333 }, { operation: "refundPayment" })
    assert.match(yield* RefundsWithEffect.refund(id, 1), /add funds/)
    yield* LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
    assert.match(yield* RefundsWithEffect.refund(id, 1), /^do not repeat it/)
    yield* LocalGateway.armFault({ type: "rateLimited" }, { operation: "refundPayment" })
    assert.match(yield* RefundsWithEffect.refund(id, 1), /^nothing was sent/)
  }).pipe(Effect.provide(inProcess))
)

describe("a subscription", () => {
  const monthly = (order_number: string) => ({ amount: 19_900, currency: "CZK", order_number })

  it("is charged, and its customer asked for another card in time", async () => {
    await using world = await open()
    const { gateway, local } = world
    const first = await world.paid(await subscribe(gateway, order))
    const { next, paymentId } = await charge(gateway, first.id, monthly("2026-12"))
    assert.strictEqual(next, "wait")
    assert.strictEqual(stepAfter(await gateway.getPayment(paymentId ?? 0)), "deliver")

    const expiration = first.payer?.payment_card?.card_expiration ?? ""
    const [year, month] = [2000 + Number(expiration.slice(0, 2)), Number(expiration.slice(2))]
    assert.isFalse(expiresBefore(first, new Date(Date.UTC(year, month - 1, 28))))
    assert.isTrue(expiresBefore(first, new Date(Date.UTC(year, month, 1))))
    assert.isFalse(expiresBefore({ ...first, payer: {} }, new Date("2100-01-01")))

    await local.changeSettings({ recurrenceChild: "declined" })
    const declined = await charge(gateway, first.id, monthly("2027-01"))
    assert.strictEqual(stepAfter(await gateway.getPayment(declined.paymentId ?? 0)), "chargeLater")
    assert.strictEqual(stepAfter({ ...first, state: "CANCELED", sub_state: "_5007" }), "askForCard")
    assert.deepStrictEqual(
      retryAfterDays.toSorted((a, b) => a - b),
      retryAfterDays
    )

    await gateway.voidRecurrence(first.id)
    assert.deepStrictEqual(await charge(gateway, first.id, monthly("2027-02")), { next: "askForCard" })
    assert.deepStrictEqual(await charge(gateway, 13, monthly("2027-02")), { next: "chargeLater" })
    assert.deepStrictEqual([341, 342, 343, undefined].map(stepAfterRefusal), [
      "askPerson",
      "askForCard",
      "askForCard",
      "askPerson"
    ])
  })

  it("whose charge is lost is left to an operator", async () => {
    await using world = await open()
    const first = await world.paid(await subscribe(world.gateway, order))
    await world.local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "createRecurrence" })
    assert.deepStrictEqual(await charge(world.gateway, first.id, monthly("2026-12")), { next: "askPerson" })
  })

  it.effect("is charged with Effect", () =>
    Effect.gen(function* () {
      const { id } = yield* RecurringWithEffect.subscribe(order)
      yield* LocalGateway.payByCard(id)
      assert.strictEqual((yield* RecurringWithEffect.charge(id, monthly("2026-12"))).next, "wait")
      assert.deepStrictEqual(yield* RecurringWithEffect.charge(13, monthly("2026-12")), {
        next: "chargeLater"
      })
    }).pipe(Effect.provide(inProcess))
  )
})

describe("a hold", () => {
  it("is captured in part, in full, or released", async () => {
    await using world = await open()
    const { gateway } = world
    const held = async () => (await world.paid(await reserve(gateway, order))).id
    const first = await held()
    assert.strictEqual(await capture(gateway, first, 100_000), "captured")
    assert.strictEqual(await capture(gateway, first, 100_000), "nothing is held: the payment is PAID")
    assert.match(await release(gateway, first), /captured already/)
    assert.strictEqual(await capture(gateway, await held(), 139_950), "captured")
    const third = await held()
    assert.strictEqual(await release(gateway, third), "released")
    assert.strictEqual(await release(gateway, third), "released before")
  })

  it.effect("is captured or released with Effect", () =>
    Effect.gen(function* () {
      const held = Effect.tap(HoldsWithEffect.reserve(order), ({ id }) => LocalGateway.payByCard(id))
      const first = yield* held
      assert.strictEqual(yield* HoldsWithEffect.capture(first.id, 100_000), "captured")
      assert.match(yield* HoldsWithEffect.release(first.id), /captured already/)
      assert.strictEqual(yield* HoldsWithEffect.capture(first.id, 1), "nothing is held: the payment is PAID")
      const second = yield* held
      assert.strictEqual(yield* HoldsWithEffect.release(second.id), "released")
    }).pipe(Effect.provide(inProcess))
  )
})

it("a stored card pays again, until it is deleted", async () => {
  await using world = await open()
  const { gateway } = world
  const card = storedCard(await world.paid(await payAndStore(gateway, order)))
  expect(card?.shownAs).toMatch(/^\d{6}\*{6}\d{4}$/)
  assert.isTrue(isPaid(await world.paid(await payWithStored(gateway, order, card?.token ?? ""))))
  const cardId = Number(card?.id)
  assert.isTrue(await isUsable(gateway, cardId))
  await gateway.deleteCard(cardId)
  assert.isFalse(await isUsable(gateway, cardId))
  assert.strictEqual(storedCard(await world.paid(await gateway.createPayment(order))), undefined)
})

it("each of several shops has its own client, and hears of its own payments only", async () => {
  await using first = await open()
  await using second = await open()
  const heard: Array<string> = []
  const shop = (domain: string, { local }: typeof first) => ({
    domain,
    merchant: local.merchant,
    orderOf: async () => order,
    onPayment: async () => void heard.push(domain)
  })
  const shops = openShops([shop("a.example", first), shop("b.example", second)])
  const created = await shops.gateway("a.example")?.createPayment({ ...order, callback: callbackOf("a.example") })
  const notification = { method: "GET", url: `/?id=${created?.id}` }
  assert.strictEqual((await shops.notify("a.example")?.(notification))?.status, 200)
  assert.deepStrictEqual(heard, ["a.example"])
  assert.strictEqual(shops.notify("c.example"), undefined)
  await shops.close()
  await expect(shops.gateway("a.example")?.getPayment(1)).rejects.toBeInstanceOf(GatewayError)
})
