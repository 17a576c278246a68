/**
 * The gateway as a service whose methods are the operations.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import type * as Scope from "effect/Scope"
import type { CustomRequest, GatewayOperations } from "../../contract/GatewayOperations.js"
import { withPort } from "./ClientPort.js"
import { customOperationsV3 } from "./CustomOperationV3.js"
import { layerContexts } from "./CallContexts.js"
import { withTransformation } from "./TransformedClient.js"
import { methodsOf, type Operation, type ReasonOf } from "./Operation.js"
import { merchantAttribute, MerchantId, OnMerchantBuilt } from "./merchantAttribute.js"
import * as Telemetry from "./Telemetry.js"
import {
  GatewayConfig,
  type GatewayConfigOptions,
  settingsFromConfig,
  settingsFromOptions
} from "../config/GatewayConfig.js"
import { embedJsUrl, type GatewayOptions, type GatewaySettings } from "../config/GatewayOptions.js"
import type { ApiTypesV3 } from "../error/AnyReason.js"
import { GatewayError } from "../error/YieldableGatewayError.js"
import type { GatewayErrorReason } from "../error/GatewayError.js"
import type { ChangeReason, GatewayFailure } from "../error/GatewayFailure.js"
import { AccessToken, tokenSource } from "./AccessToken.js"
import { tokensOf } from "./TokenService.js"
import * as TokenCache from "./TokenCache.js"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"
import { apiV3 } from "./ApiV3.js"
import * as GatewayCore from "./GatewayCore.js"

/** The operations as programs without requirements. */
export type GatewayPrograms = {
  readonly [Name in keyof GatewayOperations]: (
    ...args: Parameters<GatewayOperations[Name]>
  ) => Effect.Effect<ReturnType<GatewayOperations[Name]>, GatewayError<ReasonOf<Name>>>
}

/** Sends a custom request. */
export interface SendRequest<out R> {
  /** Returns the JSON of the response as it came. */
  (request: CustomRequest): Effect.Effect<unknown, GatewayError<ChangeReason>, R>
  /** Decodes the JSON of the response. A response that the schema refuses cannot be used. */
  <Response>(
    request: CustomRequest,
    response: Schema.Decoder<Response>
  ): Effect.Effect<Response, GatewayError<ChangeReason>, R>
}

/**
 * One merchant at one gateway. Members without arguments are Effects, the others are functions.
 * {@inheritDoc GatewayClient}
 */
export interface GatewayService extends GatewayPrograms {
  readonly sendRequest: SendRequest<never>
  readonly warm: Effect.Effect<void, GatewayError>
  readonly goid: Effect.Effect<number>
  readonly baseUrl: Effect.Effect<string>
  readonly getEmbedJsUrl: Effect.Effect<string>
}

/** The options of a client, including changes to the `HttpClient` that its requests go over. */
export interface GatewayLayerOptions extends GatewayOptions {
  /**
   * Changes the `HttpClient` that requests go over, including those for a token, such as `HttpClient.mapRequest(…)`. It
   * may retry: a change that may have reached the gateway is not sent again. The rules for clients of
   * `Gateway.layerNoDeps` apply.
   */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

const serviceOf = Effect.fnUntraced(function* (
  settings: GatewaySettings,
  tokens: TokenCache.TokenCache,
  http: HttpClient.HttpClient
): Effect.fn.Return<GatewayService, never, Scope.Scope> {
  const merchantId = yield* MerchantId
  const observe = Telemetry.make<ApiTypesV3>(settings, {
    ...apiV3,
    toError: (failure) => new GatewayError(failure),
    merchantId
  })
  const core = GatewayCore.make(apiV3, settings, HttpClientTransport.make(http), {
    tokens,
    observe,
    isClosed: yield* GatewayCore.closing
  })
  const contextOf = yield* layerContexts
  yield* (yield* OnMerchantBuilt)(settings)

  const run = <Response, Reason extends GatewayErrorReason>(
    operation: Operation<Response, Reason>,
    args: ReadonlyArray<unknown>
  ): Effect.Effect<Response, GatewayError<Reason>> =>
    Effect.mapError(Effect.updateContext(core.call(operation, args), contextOf), toError)

  // The parameters, result and reasons of a program are its endpoint's: `Operation` encodes and decodes by it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows a method to its endpoint
  const programs = methodsOf(
    (operation) =>
      (...args: ReadonlyArray<unknown>) =>
        run(operation, args)
  ) as GatewayPrograms
  const service: GatewayService = {
    ...programs,
    sendRequest: <Response>(request: CustomRequest, response?: Schema.Decoder<Response>) =>
      response === undefined
        ? run(customOperationsV3.undecoded(request), [])
        : run(customOperationsV3.decoded(request, SchemaParser.decodeUnknownResult(Schema.toCodecJson(response))), []),
    warm: Effect.mapError(Effect.updateContext(core.warm, contextOf), toError),
    goid: Effect.succeed(Number(core.goid)),
    baseUrl: Effect.succeed(core.baseUrl),
    getEmbedJsUrl: Effect.succeed(embedJsUrl(core.baseUrl))
  }
  return withPort(service, { style: "Effect", merchant: merchantAttribute(core.goid, merchantId) })
})

/**
 * Makes an error from a failure, without the stack frames of this package, so that `Cause.pretty` shows the caller's.
 * @internal
 */
export const toError = <Reason extends GatewayErrorReason>(failure: GatewayFailure<Reason>): GatewayError<Reason> => {
  const error = new GatewayError(failure)
  error.stack = `${error.name}: ${error.message}`
  return error
}

/** A merchant's gateway with its own token in memory. */
const withOwnToken = Effect.fnUntraced(function* (
  settings: GatewaySettings,
  transformClient: GatewayLayerOptions["transformClient"]
): Effect.fn.Return<GatewayService, never, HttpClient.HttpClient | Scope.Scope> {
  const given = yield* HttpClient.HttpClient
  const http = transformClient === undefined ? given : transformClient(given)
  const tokens = TokenCache.keep(tokenSource(settings, http, yield* MerchantId), yield* Effect.scope)
  return yield* serviceOf(settings, tokens, http)
})

/**
 * One merchant at one gateway: `const gateway = yield* Gateway`, then `gateway.refundPayment(…)`. Each operation is
 * also a function of this package that needs a `Gateway`. With several merchants, `Merchant.Service` makes a service
 * for each.
 *
 * In a test, `Layer.mock(Gateway, { getPayment: … })` stands in for it, but a ledger accepts only a real one. The
 * caller provides the transport: `FetchHttpClient.layer`, Node's, a proxy, or the local gateway in process. If it may
 * retry or redirect, see `layerNoDeps`.
 */
export class Gateway extends Context.Service<Gateway, GatewayService>()("effect-gopay/Gateway") {
  /**
   * From a configuration and a token of your own.
   *
   * Any `HttpClient` will do as the transport, and it may retry. Reads are then repeated. A change that may have been
   * sent is not sent again but stopped, however clients are composed, and in whichever fiber. Over `FetchHttpClient`
   * and the `NodeHttpClient` of `effect-gopay/node`, the end of each sending is observed: a change that certainly was
   * not carried out is repeated, and a stopped one ends with what the first response proves, or with `OutcomeUnknown`.
   * Over any other client, and over `FetchHttpClient` in a fiber of someone else's, a change is never sent again, and a
   * stopped one is `OutcomeUnknown`.
   *
   * A client that copies the bytes of a change and sends them by hand cannot be observed: put no retry there. One that
   * builds each request anew from what it has read, and passes the new one on, loses every change: nothing is sent, and
   * each one ends as `OutcomeUnknown`. A client
   * that reads a change's body and then passes the request on to one made by `HttpClient.make` is stopped: read
   * requests in `HttpClient.mapRequest`, `tapRequest` or `transform`. In a fiber of someone else's, or if a client sets
   * `HttpClient.TracerDisabledWhen` or `Tracer.DisablePropagation`, a body can be read only once.
   *
   * A client may read the bodies of responses, for example to log them, by `text`, `json` or `arrayBuffer`, which cache
   * them. It may send requests of its own, for example for a secret or to an audit log, if those go elsewhere and
   * without the gateway's `Authorization`.
   *
   * If the client fails before it has prepared a request, that proves that nothing was sent. So does the failure of a
   * change before any client made by `HttpClient.make` has begun with it, for example at an open
   * `HttpClient.withCircuitBreaker`, unless something has read its headers or its body. A response to another request
   * than the prepared one, as after `HttpClient.followRedirects`, is not accepted: it is an `UnexpectedResponse`, or
   * `OutcomeUnknown` for a change. So anything that redirects requests, such as to a proxy, has to use
   * `HttpClient.mapRequest`. Do not follow redirects, since they may carry a change elsewhere. `FetchHttpClient` is
   * configured not to, but not in a fiber of someone else's, as by `Effect.runPromise(client.execute(request))`: provide
   * `FetchHttpClient.RequestInit` with `redirect: "manual"` there. Other options of it, such as a `dispatcher`, are kept.
   *
   * Retries are decided here, by `RetryPolicy`. A failure of the transport should keep its cause with the system's
   * error code: without one, a change that was never sent counts as `OutcomeUnknown`. A defect of the client ends the
   * call, without its message, which may contain what was sent; for a change that was handed over, it is the `cause` of
   * `OutcomeUnknown`.
   */
  static readonly layerNoDeps: Layer.Layer<Gateway, never, GatewayConfig | AccessToken | HttpClient.HttpClient> =
    Layer.fresh(
      Layer.effect(
        Gateway,
        Effect.gen(function* () {
          return yield* serviceOf(
            yield* GatewayConfig,
            tokensOf(yield* AccessToken, identity),
            yield* HttpClient.HttpClient
          )
        })
      )
    )

  /**
   * One merchant at one gateway, with its own token in memory until the scope ends. Fails with a `ConfigError` that
   * names every wrong option.
   */
  static readonly make = (
    options: GatewayLayerOptions
  ): Effect.Effect<GatewayService, Config.ConfigError, HttpClient.HttpClient | Scope.Scope> =>
    Effect.flatMap(withTransformation(options, settingsFromOptions), ({ settings, transformClient }) =>
      withOwnToken(settings, transformClient)
    )

  /**
   * The same as a layer. Provide it once, at the top of a program: each time it is provided, it requests its own token,
   * so two merchants never share one. But a layer that you compose from it, for example with `Layer.provide` or
   * `Layer.merge`, is one that Effect builds only once in a program, in a `LayerMap` or in runtimes with the same memo
   * map, whatever is provided to it. So compose it anew for each merchant, or put `Layer.fresh` around the whole.
   * Building it fails with a `ConfigError` that names every wrong option.
   */
  static readonly layer = (
    options: GatewayLayerOptions
  ): Layer.Layer<Gateway, Config.ConfigError, HttpClient.HttpClient> =>
    Layer.fresh(Layer.effect(Gateway, Gateway.make(options)))

  /**
   * The same from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET`, `GOPAY_ENVIRONMENT` and optionally
   * `GOPAY_LANGUAGE`, `GOPAY_SCOPE` and `GOPAY_ALLOW_INSECURE`, by the current `ConfigProvider`. An option that is given comes from its `Config`
   * instead. Building it fails with a `ConfigError` that names every wrong variable, with the prefix of a nested
   * provider, and every wrong option. A variable of your own `Config` is named by Effect, without that prefix. Call it for each merchant, in a `LayerMap` within `lookup`: see `layer`.
   *
   * ```ts
   * Gateway.layerConfig({ clientSecret: Config.Redacted("SHOP_SECRET"), timeout: Config.Duration("SHOP_TIMEOUT") })
   * ```
   */
  static readonly layerConfig = (
    options: GatewayConfigOptions & Pick<GatewayLayerOptions, "transformClient"> = {}
  ): Layer.Layer<Gateway, Config.ConfigError, HttpClient.HttpClient> =>
    Layer.fresh(
      Layer.effect(
        Gateway,
        Effect.flatMap(
          withTransformation(options, (others) => settingsFromConfig(others)),
          ({ settings, transformClient }) => withOwnToken(settings, transformClient)
        )
      )
    )
}
