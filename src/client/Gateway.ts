/**
 * The service behind every program: configuration, token and policy, applied to the transport once.
 */
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { PathParameter } from "../api/Endpoint.js"
import type { Id } from "../api/Messages.js"
import { AccessToken, type AccessTokens, type Token } from "./AccessToken.js"
import * as Attempt from "./Attempt.js"
import * as Exchange from "./Exchange.js"
import { GatewayConfig, type GatewaySettings } from "./GatewayConfig.js"
import {
  GatewayError,
  type GatewayErrorReason,
  type InvalidRequest,
  type OperationName,
  type OutcomeUnknown,
  type SentChange
} from "./GatewayError.js"
import type { GatewayOptions } from "./GatewayOptions.js"
import type { Operation, PreparedRequest } from "./Operation.js"
import { invalidRequest } from "./Refusal.js"
import { retried, RetryPolicy } from "./RetryPolicy.js"
import { UnknownOutcomes } from "./UnknownOutcomes.js"

/** Runs the operations of one merchant at one gateway. */
export interface GatewayService {
  readonly settings: GatewaySettings
  /** Runs an operation: checks the request, sends it with a token, and reads the answer. */
  readonly run: <Path extends string, Request, Response>(
    operation: Operation<Path, Request, Response>,
    params: { readonly [name in PathParameter<Path>]: Id },
    request: Request
  ) => Effect.Effect<Response, GatewayError>
}

const make = Effect.gen(function* () {
  const settings = yield* GatewayConfig
  const tokens = yield* AccessToken
  const exchange = Exchange.make(yield* HttpClient.HttpClient)
  const provided = yield* Effect.context<never>()
  const contextOf = callContexts(provided)
  const call = caller(tokens, Attempt.make(settings, exchange))

  const run: GatewayService["run"] = (operation, params, request) =>
    Effect.suspend(() => {
      const prepared = operation.prepare(params, request)
      if (Result.isFailure(prepared)) return fail(operation, invalidRequest(prepared.failure))
      return Effect.updateContext(call(operation, prepared.success), contextOf)
    })
  return { settings, run }
})

/**
 * What is provided to the layer holds unless the call provides something else. Callers mostly come with the same
 * context again, so it is worked out once for each.
 */
const callContexts = (provided: Context.Context<never>) => {
  const contexts = new WeakMap<Context.Context<never>, Context.Context<never>>()
  return (context: Context.Context<never>): Context.Context<never> => {
    const known = contexts.get(context)
    if (known !== undefined) return known
    const made = Exchange.exchangeContext(Context.merge(provided, context))
    contexts.set(context, made)
    return made
  }
}

const fail = ({ name }: Named, reason: GatewayErrorReason) => Effect.fail(new GatewayError({ operation: name, reason }))

/**
 * Sends prepared requests with a token. A token that the gateway refuses is given up, and where that proves that the
 * request was not taken, it is sent once more with a new one.
 */
const caller = (tokens: AccessTokens, attempt: ReturnType<typeof Attempt.make>) => {
  const { addVerdict, hasVerdict } = tokenVerdicts()

  return <Path extends string, Request, Response>(
    operation: Operation<Path, Request, Response>,
    prepared: PreparedRequest
  ): Effect.Effect<Response, GatewayError> =>
    Effect.flatMap(tokens.held, (held) => {
      let inDoubt: SentChange | undefined

      const send = ({ value }: Token): Effect.Effect<Response, GatewayErrorReason> => {
        if (prepared.change === undefined) {
          return attempt(operation, { prepared, scheme: "Bearer", credentials: value, change: undefined })
        }
        const unsent = prepared.change
        return Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const change = { ...unsent, sentAt: new Date(now).toISOString() }
          inDoubt = change
          return Effect.tapError(
            attempt(operation, { prepared, scheme: "Bearer", credentials: value, change }),
            (reason) =>
              Effect.sync(() => {
                if (reason._tag !== "OutcomeUnknown") inDoubt = undefined
              })
          )
        })
      }

      const token = Effect.mapError(
        withinAttemptTimeout(tokens.get),
        ({ reason }) => new GatewayError({ operation: operation.name, reason })
      )

      const renewAndSend = Effect.flatMap(token, (renewed) =>
        Effect.catch(send(renewed), (reason) => {
          if (isTokenRefusal(reason)) addVerdict(renewed, operation, reason)
          return fail(operation, reason)
        })
      )

      const recover = (token: Token, reason: GatewayErrorReason): Effect.Effect<Response, GatewayError> => {
        if (!isTokenRefusal(reason) || hasVerdict(token, operation, reason)) return fail(operation, reason)
        if (token !== held) {
          addVerdict(token, operation, reason)
          return fail(operation, reason)
        }
        return Effect.flatMap(Effect.andThen(tokens.drop(token), RetryPolicy), ({ renewToken }) => {
          if (operation.kind === "change" && !provesNotTaken(reason)) return fail(operation, reason)
          return renewToken ? renewAndSend : fail(operation, { ...reason, isRetryable: true })
        })
      }

      const sendWithToken = Effect.flatMap(token, (token) =>
        Effect.catch(send(token), (reason) => recover(token, reason))
      )

      return operation.kind === "read" ? retried(sendWithToken) : Effect.onInterrupt(sendWithToken, () => tell(inDoubt))
    })
}

const withinAttemptTimeout = <A>(token: Effect.Effect<A, GatewayError>): Effect.Effect<A, GatewayError> =>
  Effect.flatMap(Attempt.AttemptTimeout, (duration) =>
    duration === undefined
      ? token
      : Effect.timeoutOrElse(token, {
          duration,
          orElse: () =>
            fail(
              { name: "getAccessToken" },
              {
                _tag: "GatewayUnavailable",
                isRetryable: true,
                message: `No access token within ${Duration.format(Duration.fromInputUnsafe(duration))}: nothing was sent.`
              }
            )
        })
  )

const tell = (inDoubt: SentChange | undefined): Effect.Effect<void> =>
  inDoubt === undefined ? Effect.void : Effect.flatMap(UnknownOutcomes, (tell) => tell(inDoubt))

type TokenRefusal = Exclude<GatewayErrorReason, OutcomeUnknown | InvalidRequest>

const isTokenRefusal = (reason: GatewayErrorReason): reason is TokenRefusal =>
  reason._tag !== "OutcomeUnknown" &&
  reason._tag !== "InvalidRequest" &&
  (reason.status === 401 || reason.status === 403)

/** A 403 without the gateway's code 200 may come from something before it that saw more than a token. */
const provesNotTaken = ({ errors, status }: TokenRefusal): boolean => status === 401 || errors?.[0]?.error_code === 200

type Named = { readonly name: OperationName }

/** What a token was refused for when it was new: another new one would be refused as well. */
const tokenVerdicts = () => {
  const verdicts = new WeakMap<Token, Set<string>>()
  return {
    hasVerdict: (token: Token, operation: Named, refusal: TokenRefusal): boolean =>
      verdicts.get(token)?.has(verdict(operation, refusal)) === true,
    addVerdict: (token: Token, operation: Named, refusal: TokenRefusal): void => {
      verdicts.set(token, (verdicts.get(token) ?? new Set()).add(verdict(operation, refusal)))
    }
  }
}

const verdict = ({ name }: Named, { errors, status }: TokenRefusal): string =>
  `${name} ${status} ${errors?.[0]?.error_code}`

/**
 * The service behind every program: configuration, token and policy, applied to the transport once.
 *
 * The transport is the caller's: `FetchHttpClient.layer`, Node's, a proxy, or the local gateway in process. It must not
 * retry and must not follow redirects by itself.
 */
export class Gateway extends Context.Service<Gateway, GatewayService>()("effect-gopay/Gateway") {
  /** From a configuration and a token of your own. */
  static readonly layerNoDeps: Layer.Layer<Gateway, never, GatewayConfig | AccessToken | HttpClient.HttpClient> =
    Layer.effect(Gateway, make)

  /**
   * One merchant at one gateway, with its own token in memory. Building it fails with a `ConfigError` that names every
   * wrong option.
   */
  static readonly layer = (options: GatewayOptions): Layer.Layer<Gateway, Config.ConfigError, HttpClient.HttpClient> =>
    withToken(GatewayConfig.layer(options))

  /**
   * The same from `GOPAY_GOID`, `GOPAY_CLIENT_ID`, `GOPAY_CLIENT_SECRET`, `GOPAY_ENVIRONMENT` and optionally
   * `GOPAY_LANGUAGE` and `GOPAY_SCOPE`. Building it fails with a `ConfigError` that names the variable.
   */
  static readonly layerConfig: Layer.Layer<Gateway, Config.ConfigError, HttpClient.HttpClient> = Layer.suspend(() =>
    withToken(GatewayConfig.layerConfig)
  )
}

/** Layers are shared by reference: without `fresh`, a second merchant would get the first one's token and calls. */
const withToken = <E>(config: Layer.Layer<GatewayConfig, E>) =>
  Layer.fresh(Gateway.layerNoDeps).pipe(Layer.provide(Layer.fresh(AccessToken.layer)), Layer.provide(config))
