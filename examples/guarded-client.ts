import { Effect } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import type { CircuitBreaker } from "effect/persistence"

export const guarded = (breaker: CircuitBreaker.CircuitBreaker) => (client: HttpClient.HttpClient) =>
  HttpClient.withCircuitBreaker(client, { breaker }).pipe(
    HttpClient.transformResponse(
      Effect.catchTag("CircuitBreakerError", (cause) =>
        Effect.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request: HttpClientRequest.empty, cause })
          })
        )
      )
    )
  )
