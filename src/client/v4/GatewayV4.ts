/**
 * The gateway's API v4 as a service whose methods are the operations.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { configError } from "../../basics/InvalidFields.js"
import type { GatewayOperationsV4 } from "../../contract/GatewayOperationsV4.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { Operation } from "../call/ApiOperation.js"
import * as GatewayCore from "../call/GatewayCore.js"
import * as Telemetry from "../call/Telemetry.js"
import * as TokenCache from "../call/TokenCache.js"
import { gatewaySource } from "../call/TokenSource.js"
import type { GatewayOptions, GatewaySettings } from "../config/GatewayOptions.js"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"
import { apiV4, checkOptionsV4 } from "./ApiV4.js"
import { type ApiTypesV4, type FailureV4, type GatewayErrorReasonV4, tokenFailureV4 } from "./GatewayErrorV4.js"
import { methodsOfV4, type ReasonOfV4 } from "./OperationsV4.js"
import { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"

/** The options of a client of API v4: those of v3 but for the language, which v4 does not have. */
export interface GatewayOptionsV4 extends Omit<GatewayOptions, "language" | "scope"> {
  /** The scopes of the access token, separated by blanks. Default: `payment:write payment:read`. */
  readonly scope?: string | undefined
}

/** The operations of API v4 as programs that need nothing more. */
export type GatewayProgramsV4 = {
  readonly [Name in keyof GatewayOperationsV4]: (
    ...args: Parameters<GatewayOperationsV4[Name]>
  ) => Effect.Effect<ReturnType<GatewayOperationsV4[Name]>, GatewayErrorV4<ReasonOfV4<Name>>>
}

/** One merchant at one gateway, by API v4. */
export interface GatewayServiceV4 extends GatewayProgramsV4 {
  /** Gets an access token unless there is one. */
  readonly warm: Effect.Effect<void, GatewayErrorV4>
  /** The shop's identifier at GoPay, as configured. */
  readonly goid: Effect.Effect<GatewayId>
  /** The API's base address, without a slash at its end. */
  readonly baseUrl: Effect.Effect<string>
}

/** The error of a failure, without the frames of this package. @internal */
export const toErrorV4 = <Reason extends GatewayErrorReasonV4>(failure: FailureV4<Reason>): GatewayErrorV4<Reason> => {
  const error = new GatewayErrorV4(failure)
  error.stack = `${error.name}: ${error.message}`
  return error
}

const serviceOf = Effect.fnUntraced(function* (
  settings: GatewaySettings
): Effect.fn.Return<GatewayServiceV4, never, HttpClient.HttpClient | Scope.Scope> {
  const http = yield* HttpClient.HttpClient
  const transport = HttpClientTransport.make(http)
  const observe = Telemetry.make<ApiTypesV4>(settings, { ...apiV4, toError: (failure) => new GatewayErrorV4(failure) })
  const tokens = TokenCache.keep(
    gatewaySource(
      apiV4,
      settings,
      (request, limit) => Effect.updateContext(transport(request, limit), sharedContext),
      observe
    ),
    yield* Effect.scope
  )
  const core = GatewayCore.make(apiV4, settings, transport, { tokens, observe })
  // The span in which the layer is built is not the parent of the calls.
  const provided = Context.omit(Tracer.ParentSpan)(yield* Effect.context<never>())
  const contextOf = (context: Context.Context<never>): Context.Context<never> =>
    HttpClientTransport.transportContext(Context.merge(provided, context))

  const run = <Response, Reason extends GatewayErrorReasonV4>(
    operation: Operation<Response, Reason, ApiTypesV4>,
    args: ReadonlyArray<unknown>
  ): Effect.Effect<Response, GatewayErrorV4<Reason>> =>
    Effect.mapError(Effect.updateContext(core.call(operation, args), contextOf), toErrorV4)

  // The parameters, result and reasons of a program are its endpoint's: `OperationsV4` encodes and decodes by it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows a method to its endpoint
  const programs = methodsOfV4(
    (operation) =>
      (...args: ReadonlyArray<unknown>) =>
        run(operation, args)
  ) as GatewayProgramsV4
  return {
    ...programs,
    warm: Effect.mapError(Effect.updateContext(core.warm, contextOf), (failure) => toErrorV4(tokenFailureV4(failure))),
    goid: Effect.succeed(core.goid),
    baseUrl: Effect.succeed(core.baseUrl)
  }
})

/** What a call does to its client does not concern the token, which others wait for, too. */
const sharedContext = (caller: Context.Context<never>): Context.Context<never> =>
  Context.add(HttpClientTransport.transportContext(caller), HttpClientTransport.ClientTransform, undefined)

/**
 * One merchant at one gateway, by GoPay's API v4. Each operation is also a function of this entry that needs a `GatewayV4`. What is said
 * of the `HttpClient` at `Gateway.layerNoDeps` of v3 applies.
 *
 * Nothing of v4 was ever called by us: each operation says how surely it is known.
 */
export class GatewayV4 extends Context.Service<GatewayV4, GatewayServiceV4>()("effect-gopay/v4/Gateway") {
  /** With its own token in memory until the scope ends. Fails with a `ConfigError` that names every wrong option. */
  static readonly make = (
    options: GatewayOptionsV4
  ): Effect.Effect<GatewayServiceV4, Config.ConfigError, HttpClient.HttpClient | Scope.Scope> =>
    Effect.flatMap(Effect.fromResult(Result.mapError(checkOptionsV4(options), configError)), serviceOf)

  /** The same as a layer. Compose it for each merchant: see `Gateway.layer` of v3. */
  static readonly layer = (
    options: GatewayOptionsV4
  ): Layer.Layer<GatewayV4, Config.ConfigError, HttpClient.HttpClient> =>
    Layer.fresh(Layer.effect(GatewayV4, GatewayV4.make(options)))
}
