/**
 * Reports the calls of a client to its observer, which cannot affect them.
 */
import * as Effect from "effect/Effect"
import { ignoringFailure } from "../basics/IgnoringFailure.js"
import { attemptLog, callEvent, type CallObserver, type EventOf } from "../client/call/CallObserver.js"
import type { ApiTypes } from "../client/error/AnyReason.js"
import { stopwatch } from "../client/transport/MonotonicTime.js"

/** Reports every call that has ended. The observer cannot affect a call. */
export const reporting =
  <Types extends ApiTypes>(observer: (event: EventOf<Types>) => void): CallObserver<Types> =>
  (call, run) =>
    Effect.withFiber((fiber) => {
      const elapsed = stopwatch(fiber)
      const attempts = attemptLog()
      return Effect.onExit(run(attempts.observed), (exit) =>
        Effect.sync(() => {
          const event = callEvent<Types>(call, attempts, exit, elapsed())
          // After the call's fiber has ended, since the observer may abort the call's signal or close the client.
          queueMicrotask(() => ignoringFailure(() => observer(event)))
        })
      )
    })
