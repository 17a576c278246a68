/**
 * What the dashboard says of each fault: whether money moves, and what the client comes to.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { TestClock } from "effect/testing"
import { createPayment, Gateway, getPayment, getPaymentRefunds, refundPayment } from "../../../src/index.js"
import { Fault, LocalGateway } from "../../../src/local-gateway/index.js"
import { type ChangeUnderFault, changesUnderFaults, faultKinds } from "../../../src/local-gateway/server/Fault.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const order = {
  amount: 10_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "http://localhost/return" }
} as const

const gateway = Gateway.layer(LocalGateway.merchant)

/** A refund that a fault hits once, with such a token: what the client came to, and whether it was made. */
const refunded = (fault: Fault, token: "used" | "new" = "used") =>
  Effect.gen(function* () {
    const { id } = yield* createPayment(order)
    yield* LocalGateway.payByCard(id)
    yield* getPayment(id)
    yield* LocalGateway.armFault(fault, { operation: "refundPayment" })
    const client = token === "used" ? yield* Effect.context<Gateway>() : yield* Layer.build(Layer.fresh(gateway))
    const refund = Effect.provideContext(refundPayment(id, { amount: 4_000 }), client)
    const refunding = yield* Effect.forkChild(Effect.result(refund))
    for (let step = 0; step < 60 && refunding.pollUnsafe() === undefined; step++) yield* TestClock.adjust("5 seconds")
    const result = yield* Fiber.join(refunding)
    const isMade = Effect.map(getPaymentRefunds(id), ({ length }) => length > 0)
    const wasMade = yield* isMade
    yield* LocalGateway.advanceTime("1 minute")
    return { client: Result.isSuccess(result) ? "success" : result.failure.reason._tag, wasMade, isMade: yield* isMade }
  }).pipe(Effect.scoped, Effect.provide(gateway), Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce })))

describe("A refund under the fault", () => {
  it.effect.each(Struct.keys(changesUnderFaults).map((name) => ({ name })))(
    "$name comes to what is said of it",
    ({ name }) =>
      Effect.gen(function* () {
        const { client, isCarriedOut, withNewToken }: ChangeUnderFault = changesUnderFaults[name]
        const hasEffect = faultKinds.some((kind) => kind.name === name && "effect" in kind.parameters)
        assert.strictEqual(isCarriedOut === "byEffect", hasEffect)
        const byDefault = yield* refunded(Schema.decodeUnknownSync(Fault)({ type: name }))
        assert.deepStrictEqual(byDefault, {
          client,
          wasMade: isCarriedOut === true || isCarriedOut === "byEffect",
          isMade: isCarriedOut !== false
        })
        const ofNewToken = { client, isCarriedOut, ...withNewToken }
        const withNew = yield* refunded(Schema.decodeUnknownSync(Fault)({ type: name }), "new")
        assert.deepInclude(withNew, { client: ofNewToken.client, isMade: ofNewToken.isCarriedOut !== false })
        if (!hasEffect) return
        const notCarriedOut = yield* refunded(Schema.decodeUnknownSync(Fault)({ type: name, effect: "none" }))
        assert.deepStrictEqual(notCarriedOut, { client, wasMade: false, isMade: false })
      })
  )
})
