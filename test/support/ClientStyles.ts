/**
 * The two styles of the client behind one interface, so that a test can hold for both.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Program from "../../src/index.js"
import { type CallOptions, createGatewayClient, type GatewayClientOptions } from "../../src/promise/index.js"
import type { EndpointClient } from "./OperationCases.js"

export type Style = "promise" | "Effect"

export const styles: { readonly [style in Style]: (options: GatewayClientOptions) => EndpointClient } = {
  promise: createGatewayClient,
  Effect: (options) => programsAsPromises(options)
}

/** As often as the standard policy, and at once. */
const impatient: Program.RetryPolicy = { schedule: Schedule.recurs(3), renewToken: true }

const programsAsPromises = ({
  clientSecret,
  fetch = globalThis.fetch,
  ...options
}: GatewayClientOptions): EndpointClient => {
  const runtime = ManagedRuntime.make(
    Program.Gateway.layer({ ...options, clientSecret: Redacted.make(clientSecret) }).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
      Layer.provide(Layer.succeed(Program.RetryPolicy, impatient))
    )
  )
  const run = async <A>(
    program: Effect.Effect<A, Program.GatewayError, Program.Gateway>,
    { timeout }: CallOptions = {}
  ): Promise<A> => {
    const exit = await runtime.runPromiseExit(
      timeout === undefined ? program : Effect.provideService(program, Program.AttemptTimeout, timeout)
    )
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }
  const close = () => runtime.dispose()
  return {
    createPayment: (payment, options) => run(Program.createPayment(payment), options),
    getPayment: (id, options) => run(Program.getPayment(id), options),
    refundPayment: (id, refund, options) => run(Program.refundPayment(id, refund), options),
    getPaymentRefunds: (id, options) => run(Program.getPaymentRefunds(id), options),
    createRecurrence: (id, recurrence, options) => run(Program.createRecurrence(id, recurrence), options),
    voidRecurrence: (id, options) => run(Program.voidRecurrence(id), options),
    captureAuthorization: (id, options) => run(Program.captureAuthorization(id), options),
    captureAuthorizationPartial: (id, capture, options) =>
      run(Program.captureAuthorizationPartial(id, capture), options),
    voidAuthorization: (id, options) => run(Program.voidAuthorization(id), options),
    getCardDetails: (id, options) => run(Program.getCardDetails(id), options),
    deleteCard: (id, options) => run(Program.deleteCard(id), options),
    getPaymentInstruments: (goid, currency, options) => run(Program.getPaymentInstruments(goid, currency), options),
    getPaymentInstrumentsAll: (goid, options) => run(Program.getPaymentInstrumentsAll(goid), options),
    getAccountStatement: (statement, options) => run(Program.getAccountStatement(statement), options),
    getPaymentQr: (id, request, options) => run(Program.getPaymentQr(id, request), options),
    getEmbedJsUrl: () => "",
    baseUrl: "",
    close,
    [Symbol.asyncDispose]: close
  }
}
