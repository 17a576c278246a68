/**
 * The source of a client's access token.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { AccessTokenResponse } from "../../contract/Messages.js"
import { basicCredentials, type GatewaySettings } from "../config/GatewayOptions.js"
import type { AnyReason } from "../error/AnyReason.js"
import type { GatewayFailure, ReadReason } from "../error/GatewayFailure.js"
import { RequestBound } from "../transport/Lease.js"
import type { Transport } from "../transport/Transport.js"
import type { Api, TokenTypes } from "./Api.js"
import * as Attempt from "./Attempt.js"
import type { CallObserver } from "./CallObserver.js"
import { type CachedToken, token } from "./CachedToken.js"
import { invalidRequest } from "./FailureReason.js"
import { retried } from "./RetryPolicy.js"

/** Where a token comes from when there is none. */
export interface TokenSource {
  readonly fetch: Effect.Effect<CachedToken, GatewayFailure>
  /** Called with a token that the gateway refused. */
  readonly discard: (refused: CachedToken) => Effect.Effect<void>
}

/** A minute, if the gateway states no credible lifetime. */
const assumedLifetime = 60_000

/** A day: the gateway's tokens live half an hour, so a longer lifetime is not credible. */
const maxLifetime = 86_400_000

const lifetime = ({ expires_in }: AccessTokenResponse): number =>
  expires_in === undefined || expires_in < 1 ? assumedLifetime : Math.min(expires_in * 1000, maxLifetime)

/** The part of an API that issues tokens. */
interface TokenApi {
  readonly getAccessToken: Api<never>["getAccessToken"]
}

export const gatewaySource = (
  api: TokenApi,
  settings: GatewaySettings,
  transport: Transport,
  observe: CallObserver<TokenTypes>
): TokenSource => ({
  fetch: fetchToken(api, settings, transport, observe),
  discard: () => Effect.void
})

type TokenFailure = GatewayFailure<ReadReason, "getAccessToken">

const fetchToken = (
  { getAccessToken }: TokenApi,
  settings: GatewaySettings,
  transport: Transport,
  observe: CallObserver<TokenTypes>
): Effect.Effect<CachedToken, TokenFailure> => {
  const attempt = Attempt.make<TokenTypes>({ beforeSend: undefined }, settings, transport, "Basic")
  const prepared = getAccessToken.prepare([{ grant_type: "client_credentials", scope: settings.scope }], settings)
  const credentials = { value: basicCredentials(settings) }
  const doubt = { change: undefined }
  const { language } = settings
  return observe({ operation: getAccessToken, subject: undefined, extraFields: [], doubt }, (observed) => {
    const response = Effect.fromResult(prepared).pipe(
      Effect.mapError(invalidRequest),
      Effect.flatMap((request) => attempt(getAccessToken, { request, doubt, observed, language })(credentials)),
      Effect.flatMap(({ result }) => Effect.fromResult(result)),
      Effect.mapError((reason: AnyReason): TokenFailure => {
        // Such a reason is never created for a read that has no subject.
        if (!getAccessToken.isReason(reason)) throw new TypeError(`getAccessToken does not fail with ${reason._tag}`)
        return { operation: getAccessToken.name, reason }
      })
    )
    const obtained = Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      // The token's lifetime starts before the response arrives, which may take a while.
      const obtainedAt = clock.currentTimeMillisUnsafe()
      return Effect.tap(
        Effect.map(response, (response) =>
          token(response.access_token, { obtainedAt, lifetime: lifetime(response), isFromStore: false })
        ),
        () => (clock.currentTimeMillisUnsafe() === obtainedAt || fiber.getRef(RequestBound) ? Effect.void : nextTurn)
      )
    })
    return retried(obtained, identity)
  })
}

/**
 * `fetch` gets its connection back in the next turn of the event loop: a call that did not wait for that would open
 * another one. There is nothing to wait for if the response took no time, or if the platform manages the connections.
 */
const nextTurn = Effect.yieldNow
