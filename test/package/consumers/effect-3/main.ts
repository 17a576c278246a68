/**
 * A project on Effect 3, which wraps the Promise client: npm has to let both live in one project.
 */
import { Effect, Either } from "effect"
import { createGatewayClient, GatewayError } from "effect-gopay/promise"
import { startGateway } from "../loopback-gateway.cjs"

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`)
}

const main = Effect.gen(function* () {
  const { url } = yield* Effect.acquireRelease(Effect.promise(startGateway), ({ stop }) => Effect.promise(stop))
  const gateway = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createGatewayClient({
        goid: 8_123_456_781,
        clientId: "1234567884",
        clientSecret: "a-secret",
        environment: url
      })
    ),
    (client) => Effect.promise(() => client.close())
  )
  const call = <A>(run: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({
      try: run,
      catch: (error) => (error instanceof GatewayError ? error : new Error("not a GatewayError", { cause: error }))
    })
  const payment = yield* call((signal) => gateway.getPayment(3_000_006_529, { signal }))
  expect("the state", payment.state, "PAID")
  const refund = yield* Effect.either(
    call((signal) => gateway.refundPayment(payment.id, { amount: 5_000 }, { signal }))
  )
  if (Either.isRight(refund) || !(refund.left instanceof GatewayError)) throw new Error("expected a GatewayError")
  expect("the reason", refund.left.reason._tag, "OperationRefused")
})

await Effect.runPromise(Effect.scoped(main))

// The entries for Effect programs cannot be loaded here. Whatever says so names the file that needs a newer Effect.
for (const [entry, other] of [
  ["effect-gopay", "effect-gopay-promise"],
  ["effect-gopay/local-gateway", "effect-gopay-local-gateway-promise"]
] as const) {
  const outcome = await import(entry).then(
    () => "loaded",
    (error: unknown) => String(error)
  )
  expect(`what is said of ${entry}`, outcome.includes(`needs-effect-4.1-else-import-${other}`), true)
}

console.log(
  "effect-3: a payment read and its refund refused, through the Promise client; other entries refuse Effect 3"
)
