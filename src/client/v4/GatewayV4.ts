/**
 * The gateway's API v4 as a service whose methods are the operations.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import type * as Scope from "effect/Scope"
import type { CustomRequest } from "../../contract/GatewayOperations.js"
import type { GatewayOperationsV4 } from "../../contract/GatewayOperationsV4.js"
import type { Operation } from "../call/ApiOperation.js"
import { layerContexts } from "../call/CallContexts.js"
import type { GatewayLayerOptions } from "../call/Gateway.js"
import * as GatewayCore from "../call/GatewayCore.js"
import { MerchantId, OnMerchantBuilt } from "../call/merchantAttribute.js"
import * as Telemetry from "../call/Telemetry.js"
import * as TokenCache from "../call/TokenCache.js"
import { tokensOf } from "../call/TokenService.js"
import { withTransformation } from "../call/TransformedClient.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { ReadReason } from "../error/GatewayFailure.js"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"
import { AccessTokenV4, tokenSourceV4 } from "./AccessTokenV4.js"
import { apiV4 } from "./ApiV4.js"
import { customOperationsV4 } from "./CustomOperationV4.js"
import {
  type GatewayConfigOptionsV4,
  GatewayConfigV4,
  type GatewayOptionsV4,
  settingsFromConfigV4,
  settingsFromOptionsV4
} from "./GatewayConfigV4.js"
import {
  type ApiTypesV4,
  type FailureV4,
  type GatewayErrorReasonV4,
  type OutcomeUnknownV4,
  tokenFailureV4
} from "./GatewayErrorV4.js"
import { methodsOfV4, type ReasonOfV4 } from "./OperationsV4.js"
import { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"

/** The options of a client of API v4, including changes to the `HttpClient` that its requests go over. */
export interface GatewayLayerOptionsV4 extends GatewayOptionsV4, Pick<GatewayLayerOptions, "transformClient"> {}

/** The operations of API v4 as programs without requirements. */
export type GatewayProgramsV4 = {
  readonly [Name in keyof GatewayOperationsV4]: (
    ...args: Parameters<GatewayOperationsV4[Name]>
  ) => Effect.Effect<ReturnType<GatewayOperationsV4[Name]>, GatewayErrorV4<ReasonOfV4<Name>>>
}

/** Sends a custom request to API v4. */
export interface SendRequestV4<out R> {
  /** Returns the JSON of the response as it came. */
  (request: CustomRequest): Effect.Effect<unknown, GatewayErrorV4<ReadReason | OutcomeUnknownV4>, R>
  /** Decodes the JSON of the response. A response that the schema refuses cannot be used. */
  <Response>(
    request: CustomRequest,
    response: Schema.Decoder<Response>
  ): Effect.Effect<Response, GatewayErrorV4<ReadReason | OutcomeUnknownV4>, R>
}

/** One merchant at one gateway, by API v4. */
export interface GatewayServiceV4 extends GatewayProgramsV4 {
  /**
   * Sends a custom request, for anything in v4 that this package lacks, such as a payment link, with the same token,
   * errors and safety as the operations. Its path is relative to the API's base address: `/eshops/8123456789/links`.
   */
  readonly sendRequest: SendRequestV4<never>
  /** Gets an access token unless there is one. */
  readonly warm: Effect.Effect<void, GatewayErrorV4>
  /** The shop's identifier at GoPay, as configured. */
  readonly goid: Effect.Effect<number>
  /** The API's base address, without a slash at its end. */
  readonly baseUrl: Effect.Effect<string>
}

/** Makes an error from a failure, without the stack frames of this package. @internal */
export const toErrorV4 = <Reason extends GatewayErrorReasonV4>(failure: FailureV4<Reason>): GatewayErrorV4<Reason> => {
  const error = new GatewayErrorV4(failure)
  error.stack = `${error.name}: ${error.message}`
  return error
}

const serviceOf = Effect.fnUntraced(function* (
  settings: GatewaySettings,
  tokens: TokenCache.TokenCache,
  http: HttpClient.HttpClient
): Effect.fn.Return<GatewayServiceV4, never, Scope.Scope> {
  const observe = Telemetry.make<ApiTypesV4>(settings, {
    ...apiV4,
    toError: (failure) => new GatewayErrorV4(failure),
    merchantId: yield* MerchantId
  })
  const core = GatewayCore.make(apiV4, settings, HttpClientTransport.make(http), {
    tokens,
    observe,
    isClosed: yield* GatewayCore.closing
  })
  const contextOf = yield* layerContexts
  yield* (yield* OnMerchantBuilt)(settings)

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
    sendRequest: <Response>(request: CustomRequest, response?: Schema.Decoder<Response>) =>
      response === undefined
        ? run(customOperationsV4.undecoded(request), [])
        : run(customOperationsV4.decoded(request, SchemaParser.decodeUnknownResult(Schema.toCodecJson(response))), []),
    warm: Effect.mapError(Effect.updateContext(core.warm, contextOf), (failure) => toErrorV4(tokenFailureV4(failure))),
    goid: Effect.succeed(Number(core.goid)),
    baseUrl: Effect.succeed(core.baseUrl)
  }
})

/** A merchant's gateway with its own token in memory. */
const withOwnToken = Effect.fnUntraced(function* (
  settings: GatewaySettings,
  transformClient: GatewayLayerOptionsV4["transformClient"]
): Effect.fn.Return<GatewayServiceV4, never, HttpClient.HttpClient | Scope.Scope> {
  const given = yield* HttpClient.HttpClient
  const http = transformClient === undefined ? given : transformClient(given)
  const tokens = TokenCache.keep(tokenSourceV4(settings, http, yield* MerchantId), yield* Effect.scope)
  return yield* serviceOf(settings, tokens, http)
})

/**
 * One merchant at one gateway, by GoPay's API v4. Each operation is also a function of this entry that needs a
 * `GatewayV4`. The rules for the `HttpClient` of v3's `Gateway.layerNoDeps` apply. With several merchants,
 * `MerchantV4.Service` makes a service for each.
 *
 * We have never called v4 itself: each operation says how well it is known.
 */
export class GatewayV4 extends Context.Service<GatewayV4, GatewayServiceV4>()("effect-gopay/v4/Gateway") {
  /** From a configuration and a token of your own. The rules of v3's `Gateway.layerNoDeps` apply. */
  static readonly layerNoDeps: Layer.Layer<GatewayV4, never, GatewayConfigV4 | AccessTokenV4 | HttpClient.HttpClient> =
    Layer.fresh(
      Layer.effect(
        GatewayV4,
        Effect.gen(function* () {
          const tokens = tokensOf(yield* AccessTokenV4, tokenFailureV4)
          return yield* serviceOf(yield* GatewayConfigV4, tokens, yield* HttpClient.HttpClient)
        })
      )
    )

  /** With its own token in memory until the scope ends. Fails with a `ConfigError` that names every wrong option. */
  static readonly make = (
    options: GatewayLayerOptionsV4
  ): Effect.Effect<GatewayServiceV4, Config.ConfigError, HttpClient.HttpClient | Scope.Scope> =>
    Effect.flatMap(withTransformation(options, settingsFromOptionsV4), ({ settings, transformClient }) =>
      withOwnToken(settings, transformClient)
    )

  /** The same as a layer. Compose it for each merchant: see `Gateway.layer` of v3. */
  static readonly layer = (
    options: GatewayLayerOptionsV4
  ): Layer.Layer<GatewayV4, Config.ConfigError, HttpClient.HttpClient> =>
    Layer.fresh(Layer.effect(GatewayV4, GatewayV4.make(options)))

  /**
   * The same from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET`, `GOPAY_ENVIRONMENT` and optionally `GOPAY_V4_SCOPE` and
   * `GOPAY_ALLOW_INSECURE`, by the current `ConfigProvider`: see `GatewayConfigV4.layerConfig`. Compose it for each merchant.
   */
  static readonly layerConfig = (
    options: GatewayConfigOptionsV4 & Pick<GatewayLayerOptionsV4, "transformClient"> = {}
  ): Layer.Layer<GatewayV4, Config.ConfigError, HttpClient.HttpClient> =>
    Layer.fresh(
      Layer.effect(
        GatewayV4,
        Effect.flatMap(
          withTransformation(options, (others) => settingsFromConfigV4(others)),
          ({ settings, transformClient }) => withOwnToken(settings, transformClient)
        )
      )
    )
}
