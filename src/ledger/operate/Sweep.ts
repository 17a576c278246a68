/**
 * The sweep: checks the payments of orders that are due, within a limit on reads.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { StoreError } from "../store/Database.js"
import { nameOf } from "../order/PaymentItems.js"
import type { MoveFailure } from "../order/PaymentMoves.js"
import type { PaymentRow } from "../order/PaymentRow.js"
import type { PaymentTable } from "../order/PaymentTable.js"
import type { LedgerParts } from "../change/LedgerParts.js"

export interface SweepOptions extends Pick<LedgerParts, "inFlight" | "readsPerSecond" | "trace"> {
  readonly payments: PaymentTable
  /** Reads a payment. Gives whether it was this process that did. */
  readonly look: (row: PaymentRow) => Effect.Effect<boolean, MoveFailure>
}

/** What a sweep has begun, 1 for each payment that it has checked, and whether more wait for the limit to let them. */
export interface Swept {
  readonly begun: ReadonlyArray<Fiber.Fiber<number>>
  readonly isLimited: boolean
}

/** How many payments are read at once. */
const concurrency = 4

/** In milliseconds: how long a sweep stops for when the gateway does not say how long. */
const pauseAfterTooMany = 10_000

/** Begins to check the payments that are due. */
export const make = ({ inFlight, look, readsPerSecond, payments, trace }: SweepOptions) => {
  const inSpan = ({ order_number, payment_id }: PaymentRow) =>
    trace("Ledger.checkPayment", { "gopay.order_number": order_number, "gopay.payment_id": payment_id })

  const places = inFlight.places(concurrency)
  /** How many reads are left, and until when none is made since there were too many. */
  const budget = { reads: readsPerSecond, at: 0, stoppedUntil: 0 }

  /** Stops the sweep of this process when the gateway says that there are too many requests. */
  const stoppedBy = (failure: MoveFailure): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (failure._tag !== "GatewayError" || failure.reason._tag !== "RateLimited") return
      budget.stoppedUntil = now + (failure.reason.retryAfterMillis ?? pauseAfterTooMany)
    })

  const checked = (row: PaymentRow): Effect.Effect<number> =>
    inFlight.run(nameOf(row), inSpan(row)(Effect.tapError(look(row), stoppedBy))).pipe(
      Effect.map((isMine) => (isMine ? 1 : 0)),
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("A payment could not be checked", cause), 0))
    )

  return (until: number): Effect.Effect<Swept, StoreError> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (inFlight.isClosing() || now >= until || now < budget.stoppedUntil) return { begun: [], isLimited: false }
      budget.reads = Math.min(readsPerSecond, budget.reads + (Math.max(0, now - budget.at) / 1_000) * readsPerSecond)
      budget.at = now
      const most = Math.floor(budget.reads)
      if (most < 1) return { begun: [], isLimited: true }
      const due = yield* payments.due(most)
      budget.reads -= due.length
      const begun: Array<Fiber.Fiber<number>> = []
      for (const row of due) {
        const mayLook = Effect.sync(() => !inFlight.isClosing() && now >= budget.stoppedUntil)
        begun.push(yield* places.begin(Effect.flatMap(mayLook, (may) => (may ? checked(row) : Effect.succeed(0)))))
      }
      return { begun, isLimited: due.length === most && now >= budget.stoppedUntil }
    })
}
