/**
 * Where the access token of a client comes from.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AccessTokenResponse } from "../../contract/Messages.js"
import * as Endpoint from "../../contract/Endpoint.js"
import { basicCredentials, type GatewaySettings } from "../config/GatewayOptions.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import { RequestBound } from "../transport/Lease.js"
import type { Transport } from "../transport/Transport.js"
import * as Attempt from "./Attempt.js"
import type { CallObserver } from "./CallObserver.js"
import { type CachedToken, token } from "./CachedToken.js"
import { invalidRequest } from "./FailureReason.js"
import * as Operation from "./Operation.js"
import { retried } from "./RetryPolicy.js"

/** Where a token comes from when there is none in hand. */
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

const getAccessToken = Operation.make(Endpoint.getAccessToken)

export const gatewaySource = (settings: GatewaySettings, transport: Transport, observe: CallObserver): TokenSource => ({
  fetch: fetchToken(settings, transport, observe),
  discard: () => Effect.void
})

const fetchToken = (
  settings: GatewaySettings,
  transport: Transport,
  observe: CallObserver
): Effect.Effect<CachedToken, GatewayFailure> => {
  const attempt = Attempt.make(settings, transport, "Basic")
  const prepared = getAccessToken.prepare([{ grant_type: "client_credentials", scope: settings.scope }], settings)
  const credentials = { value: basicCredentials(settings) }
  const doubt = { change: undefined }
  const { language } = settings
  return observe({ operation: getAccessToken, subject: undefined, extraFields: [], doubt }, (observed) => {
    const response = Effect.fromResult(prepared).pipe(
      Effect.mapError(invalidRequest),
      Effect.flatMap((request) => attempt(getAccessToken, { request, doubt, observed, language })(credentials)),
      Effect.flatMap(({ result }) => Effect.fromResult(result)),
      Effect.mapError((reason): GatewayFailure => ({ operation: "getAccessToken", reason }))
    )
    const obtained = Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      // The lifetime starts before the response arrives, which may take a while.
      const obtainedAt = clock.currentTimeMillisUnsafe()
      return Effect.tap(
        Effect.map(response, (response) =>
          token(response.access_token, { obtainedAt, lifetime: lifetime(response), isFromStore: false })
        ),
        () => (clock.currentTimeMillisUnsafe() === obtainedAt || fiber.getRef(RequestBound) ? Effect.void : nextTurn)
      )
    })
    return retried(obtained)
  })
}

/**
 * `fetch` has the connection back in the next turn of the event loop: a call that did not wait for it would open another
 * one. There is none to wait for when the response took no time, nor where the platform keeps the connections.
 */
const nextTurn = Effect.yieldNow
