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
import { methodsOf } from "../../src/client/call/Operation.js"
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows a method to its program
  const methods = methodsOf(({ arity, name }) => (...args: ReadonlyArray<unknown>) => {
    const program: Effect.Effect<unknown, Program.GatewayError, Program.Gateway> = Reflect.apply(
      Reflect.get(Program, name),
      undefined,
      args.slice(0, arity)
    )
    const options: CallOptions | undefined = Object(args[arity])
    return run(program, options)
  }) as Pick<EndpointClient, keyof Program.GatewayOperations>
  return {
    ...methods,
    getEmbedJsUrl: () => "",
    baseUrl: "",
    close,
    [Symbol.asyncDispose]: close
  }
}
