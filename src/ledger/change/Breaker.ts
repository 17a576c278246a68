/**
 * The breaker: when the gateway is away for several payments in a row, no process begins another change until a read has
 * worked. Looks go on.
 */
import * as Effect from "effect/Effect"
import type { GatewayError } from "../../client/error/GatewayError.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.plain.js"
import type { BreakerTable } from "../database/BreakerTable.js"

export type Breaker = ReturnType<typeof make>

export const make = (table: BreakerTable) => {
  /** Whether this process has seen a failure that no answer has followed. */
  let hasFailed = false

  const worked = Effect.suspend(() => {
    if (!hasFailed) return Effect.void
    hasFailed = false
    return Effect.ignore(table.worked)
  })

  return {
    /** Notes how a call for a payment has ended. */
    note: (paymentId: string, reason: GatewayErrorReason | undefined): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (reason === undefined || !isAway(reason)) return worked
        hasFailed = true
        return Effect.ignore(table.failed(paymentId))
      }),

    /** Asks whether the gateway is back, if it is away and it is this process's turn. Gives whether it is. */
    isBack: (read: Effect.Effect<unknown, GatewayError>): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        if (!(yield* table.mayProbe)) return false
        const answered = yield* Effect.result(read)
        if (answered._tag === "Failure" && isAway(answered.failure.reason)) return false
        yield* table.worked
        hasFailed = false
        return true
      }).pipe(Effect.catch(() => Effect.succeed(false)))
  }
}

/** Whether the gateway, or the way to it, failed. */
const isAway = ({ _tag }: GatewayErrorReason): boolean => _tag === "GatewayUnavailable" || _tag === "OutcomeUnknown"
