/**
 * GoPay as a service of Effect 3, made of the client for promises.
 */
import { Config, Effect, Redacted } from "effect"
import { createGatewayClient, GatewayError, type GatewayClient } from "effect-gopay/promise"

const failure = (error: unknown): GatewayError => {
  if (error instanceof GatewayError) return error
  throw error // a bug, not a failure
}

/** A read may be interrupted: its response is not waited for. */
const read =
  <Args extends ReadonlyArray<unknown>, A>(call: (...args: Args) => Promise<A>) =>
  (...args: Args): Effect.Effect<A, GatewayError> =>
    Effect.tryPromise({ try: () => call(...args), catch: failure })

/** A change runs to its end, since no one would know otherwise whether it was made. */
const change =
  <Args extends ReadonlyArray<unknown>, A>(call: (...args: Args) => Promise<A>) =>
  (...args: Args): Effect.Effect<A, GatewayError> =>
    Effect.uninterruptible(Effect.tryPromise({ try: () => call(...args), catch: failure }))

const programsOf = (gateway: GatewayClient) => ({
  createPayment: change(gateway.createPayment),
  getPayment: read(gateway.getPayment),
  getPaymentRefunds: read(gateway.getPaymentRefunds),
  refundPayment: change(gateway.refundPayment),
  captureAuthorization: change(gateway.captureAuthorization),
  captureAuthorizationPartial: change(gateway.captureAuthorizationPartial),
  voidAuthorization: change(gateway.voidAuthorization),
  createRecurrence: change(gateway.createRecurrence),
  voidRecurrence: change(gateway.voidRecurrence),
  reconcile: read(gateway.reconcile)
})

export class GoPay extends Effect.Service<GoPay>()("GoPay", {
  scoped: Effect.gen(function* () {
    const options = {
      goid: yield* Config.string("GOPAY_GOID"),
      clientId: yield* Config.string("GOPAY_CLIENT_ID"),
      clientSecret: Redacted.value(yield* Config.redacted("GOPAY_CLIENT_SECRET")),
      environment: yield* Config.string("GOPAY_ENVIRONMENT")
    }
    const gateway = yield* Effect.acquireRelease(
      Effect.sync(() => createGatewayClient(options)),
      (client) => Effect.promise(() => client.close())
    )
    return { ...programsOf(gateway), gateway }
  })
}) {}
