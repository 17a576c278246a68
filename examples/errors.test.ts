import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { createPayment, type CreatePaymentRequest, Gateway } from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"
import { createGatewayClient, type GatewayClient } from "effect-gopay/promise"
import * as WithEffect from "./errors.js"
import * as WithPromises from "./errors-promise.js"
import { type Trouble, troubledFetch } from "./troubled-fetch.js"

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
}

const statement = { date_from: "2026-01-01", date_to: "2026-01-31", goid: 1, currency: "CZK", format: "CSV_A" }

const paid = (details: Partial<CreatePaymentRequest> = {}) =>
  Effect.gen(function* () {
    const { id } = yield* createPayment({ ...order, ...details })
    yield* LocalGateway.payByCard(id)
    return id
  }).pipe(Effect.orDie)

const html = (status: number) =>
  new Response("<html></html>", { status, headers: { "content-type": "text/html", "retry-after": "0" } })

/** A fault for changes, this many times. */
const changeTrouble = (what: ReturnType<Trouble>, times = Infinity): Trouble => {
  let left = times
  return (path, method) => (method !== "GET" && !path.endsWith("/oauth2/token") && left-- > 0 ? what : undefined)
}

interface Case {
  readonly name: string
  readonly trouble?: () => Trouble
  readonly clientSecret?: string
  /** The example's argument: the id of a paid order, if it needs one. */
  readonly prepare?: Effect.Effect<number, never, Gateway | LocalGateway>
  readonly effect: (id: number) => Effect.Effect<unknown, unknown, Gateway>
  readonly promise: (gateway: GatewayClient, id: number) => Promise<unknown>
  readonly expected: RegExp
}

const recurring = paid({ recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" } })
const preauthorized = paid({ preauthorization: true })
const charge = { amount: 500, currency: "CZK", order_number: "2026-0043" }

const cases: ReadonlyArray<Case> = [
  {
    name: "InvalidRequest",
    effect: () => WithEffect.checkout({ ...order, amount: 0.5 }),
    promise: (gateway) => WithPromises.checkout(gateway, { ...order, amount: 0.5 }),
    expected: /^correct amount: must be an integer/
  },
  {
    name: "AuthenticationFailed",
    clientSecret: "wrong",
    effect: () => WithEffect.payments(order),
    promise: (gateway) => WithPromises.payments(gateway, order),
    expected: /check the credentials/
  },
  {
    name: "PermissionDenied",
    trouble: () => changeTrouble(html(403)),
    effect: () => WithEffect.payments(order),
    promise: (gateway) => WithPromises.payments(gateway, order),
    expected: /check the scope, or the network/
  },
  {
    name: "PaymentNotFound",
    effect: () => WithEffect.stateOf("13"),
    promise: (gateway) => WithPromises.stateOf(gateway, "13"),
    expected: /^no payment 13$/
  },
  {
    name: "CardNotFound",
    effect: () => WithEffect.forgetCard(11),
    promise: (gateway) => WithPromises.forgetCard(gateway, 11),
    expected: /^there is no such card$/
  },
  {
    name: "OperationRefused",
    prepare: paid(),
    effect: WithEffect.ship,
    promise: WithPromises.ship,
    expected: /^nothing is held any more$/
  },
  {
    name: "OperationRefused with goalReached",
    prepare: preauthorized,
    effect: (id) => Effect.andThen(Effect.ignore(WithEffect.ship(id)), WithEffect.ship(id)),
    promise: async (gateway, id) => {
      await WithPromises.ship(gateway, id)
      return WithPromises.ship(gateway, id)
    },
    expected: /^captured before/
  },
  {
    name: "RateLimited",
    trouble: () => changeTrouble(html(429), 2),
    prepare: recurring,
    effect: (id) => Effect.map(WithEffect.chargePatiently(id, charge), ({ order_number }) => order_number),
    promise: async (gateway, id) => (await WithPromises.chargePatiently(gateway, id, charge)).order_number,
    expected: /^2026-0043$/
  },
  {
    name: "GatewayUnavailable",
    trouble: () => changeTrouble("not connected"),
    prepare: preauthorized,
    effect: WithEffect.cancelOrder,
    promise: WithPromises.cancelOrder,
    expected: /^nothing was sent/
  },
  {
    name: "OutcomeUnknown",
    trouble: () => changeTrouble("answer lost"),
    prepare: paid(),
    effect: (id) => WithEffect.refundAll(id, order.amount),
    promise: (gateway, id) => WithPromises.refundAll(gateway, id, order.amount),
    expected: /^refunded$/
  },
  {
    name: "UnexpectedResponse",
    trouble: () => changeTrouble(html(200)),
    effect: () => WithEffect.statement(statement),
    promise: (gateway) => WithPromises.statement(gateway, statement),
    expected: /^no statement$/
  }
]

describe.each(cases)("what to do about $name", ({ effect, expected, prepare, promise, ...given }) => {
  const noTrouble: Trouble = () => undefined
  const makeFetch = () => troubledFetch((given.trouble ?? (() => noTrouble))())

  /** The id, created without a fault; and the merchant that the example uses. */
  const prepared = Effect.gen(function* () {
    const { merchant } = yield* LocalGateway
    const id = yield* (prepare ?? Effect.succeed(0)).pipe(Effect.provide(Gateway.layer(merchant)))
    const clientSecret = given.clientSecret ?? merchant.clientSecret
    return { id, merchant: { ...merchant, clientSecret } }
  }).pipe(Effect.provide(FetchHttpClient.layer))

  it.live("with Effect", () =>
    Effect.gen(function* () {
      const { id, merchant } = yield* prepared
      const answer = yield* effect(id).pipe(
        Effect.provideService(FetchHttpClient.Fetch, makeFetch()),
        Effect.provideService(References.MinimumLogLevel, "None"),
        Effect.provide(Gateway.layer(merchant).pipe(Layer.provide(FetchHttpClient.layer)))
      )
      assert.match(String(answer), expected)
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("with promises", () =>
    Effect.gen(function* () {
      const { id, merchant } = yield* prepared
      const answer = yield* Effect.promise(async () => {
        await using gateway = createGatewayClient({ ...merchant, fetch: makeFetch() })
        return await promise(gateway, id)
      })
      assert.match(String(answer), expected)
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )
})

describe("docs/errors.md, a handler for all reasons", () => {
  it.effect("leaves no error", () =>
    Effect.gen(function* () {
      const { merchant } = LocalGateway
      const answer = (clientSecret = merchant.clientSecret) =>
        WithEffect.answer(1).pipe(
          Effect.provide(Gateway.layer({ ...merchant, clientSecret })),
          Effect.provideService(References.MinimumLogLevel, "None"),
          Effect.orDie
        )
      assert.strictEqual(yield* answer(), "there is no payment 1")
      assert.strictEqual(yield* answer("wrong"), "ask again later")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
