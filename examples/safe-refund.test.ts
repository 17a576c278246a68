import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Semaphore } from "effect"
import { FetchHttpClient } from "effect/http"
import { createPayment, Gateway, getPaymentRefunds } from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"
import { createGatewayClient } from "effect-gopay/promise"
import * as WithEffect from "./safe-refund.js"
import * as WithPromises from "./safe-refund-promise.js"
import { type Trouble, troubledFetch } from "./troubled-fetch.js"

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
}

const amount = 5_000

/** Trouble for refunds, that can end. */
const refundTrouble = (what: ReturnType<Trouble>) => {
  let isOver = false
  return {
    fetch: troubledFetch((path, method) =>
      method === "POST" && path.endsWith("/refund") && !isOver ? what : undefined
    ),
    end: () => {
      isOver = true
    }
  }
}

const paidOrder = Effect.gen(function* () {
  const { id } = yield* createPayment(order)
  yield* LocalGateway.payByCard(id)
  return id
})

/** A local gateway behind HTTP, and a client of it. */
const overHttp = Layer.unwrap(Effect.map(LocalGateway, ({ merchant }) => Gateway.layer(merchant))).pipe(
  Layer.provide(FetchHttpClient.layer),
  Layer.provideMerge(LocalGateway.layerServer({ settings: { partialRefundDelaySeconds: 0 } }))
)

describe("a refund whose response is lost, with Effect", () => {
  const memory = Layer.sync(WithEffect.OpenRefunds, () => {
    const records = new Map<number, string>()
    const lock = Semaphore.makeUnsafe(1)
    return {
      locked: () => lock.withPermits(1),
      find: (paymentId) => Effect.sync(() => Option.fromUndefinedOr(records.get(paymentId))),
      save: (paymentId, record) => Effect.sync(() => void records.set(paymentId, record)),
      remove: (paymentId) => Effect.sync(() => void records.delete(paymentId))
    }
  })

  it.live("is found, and nothing is refunded twice", () => {
    const { end, fetch } = refundTrouble("answer lost")
    return Effect.gen(function* () {
      const id = yield* paidOrder
      const lost = yield* Effect.flip(WithEffect.refund(id, amount))
      assert.deepInclude("reason" in lost ? lost.reason : {}, { _tag: "OutcomeUnknown" })
      assert.deepInclude(yield* Effect.flip(WithEffect.refund(id, amount)), { _tag: "EarlierRefundInDoubt" })
      const [refund] = yield* getPaymentRefunds(id)
      assert.strictEqual(yield* WithEffect.settle(id), `done: refund ${refund?.id}`)
      assert.strictEqual(yield* WithEffect.settle(id), "nothing is open")
      end()
      assert.deepInclude(yield* WithEffect.refund(id, amount), { result: "FINISHED" })
      assert.strictEqual((yield* getPaymentRefunds(id)).length, 2)
    }).pipe(Effect.provideService(FetchHttpClient.Fetch, fetch), Effect.provide(memory), Effect.provide(overHttp))
  })

  it.live("leaves nothing open when it certainly did not arrive", () =>
    Effect.gen(function* () {
      const id = yield* paidOrder
      const failed = yield* Effect.flip(WithEffect.refund(id, amount))
      assert.deepInclude("reason" in failed ? failed.reason : {}, { _tag: "GatewayUnavailable", isRetryable: true })
      assert.strictEqual(yield* WithEffect.settle(id), "nothing is open")
    }).pipe(
      Effect.provideService(FetchHttpClient.Fetch, refundTrouble("not connected").fetch),
      Effect.provide(memory),
      Effect.provide(overHttp)
    )
  )
})

describe("a refund whose response is lost, with promises", () => {
  const memory = (): WithPromises.OpenRefunds => {
    const records = new Map<number, string>()
    return {
      locked: (_, run) => run(),
      find: async (paymentId) => records.get(paymentId),
      save: async (paymentId, record) => void records.set(paymentId, record),
      remove: async (paymentId) => void records.delete(paymentId)
    }
  }

  it.live("is found, and nothing is refunded twice", () =>
    Effect.gen(function* () {
      const id = yield* paidOrder
      const { merchant } = yield* LocalGateway
      const { end, fetch } = refundTrouble("answer lost")
      yield* Effect.promise(async () => {
        await using gateway = createGatewayClient({ ...merchant, fetch })
        const open = memory()
        const refund = () =>
          WithPromises.refund(gateway, open, id, amount).then(
            ({ result }) => result,
            (error: unknown) => String(error)
          )
        assert.match(await refund(), /^GatewayError: refundPayment: It was sent/)
        assert.match(await refund(), /earlier refund of this payment is in doubt/)
        assert.match(await WithPromises.settle(gateway, open, id), /^done: refund \d+$/)
        assert.strictEqual(await WithPromises.settle(gateway, open, id), "nothing is open")
        end()
        assert.strictEqual(await refund(), "FINISHED")
        assert.strictEqual((await gateway.getPaymentRefunds(id)).length, 2)
      })
    }).pipe(Effect.provide(overHttp))
  )
})
