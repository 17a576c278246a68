/**
 * The breaker, for each merchant: one circuit for reads, and one for the changes of each operation.
 *
 * It opens when calls for several payments have failed in a row, whichever process made them, and holds back what would be
 * begun. Of reads that is checked first: by a payment that has not failed, and by the payment instruments. So payments that
 * fail alone never open it. An open circuit of reads is closed by such a check, every ten seconds; one of an operation by one
 * real change that works, after growing pauses.
 * Checks of what was sent go on.
 */
import * as Effect from "effect/Effect"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { StoreError } from "../store/Database.js"
import type { BreakerTable, Failing } from "../store/BreakerTable.js"
import type { ChangeName } from "./ChangeRow.js"

export interface BreakerOptions {
  readonly table: BreakerTable
  readonly gateway: Pick<LedgerGateway, "getInstruments" | "reads">
  /** Makes due what waits: something that was stopped goes on. */
  readonly wakeQueued: Effect.Effect<unknown, StoreError>
}

export const reads = "reads"

/** So many payments in a row, since one payment's failures say nothing of the others. */
const failuresInARow = 3

/** In milliseconds: what failed longer ago is not in a row with what fails now. */
const inARow = 120_000

/** How many payments that failed are kept: none of them is a probe. */
const mostFailed = 20

/** In milliseconds: the pauses between two probes. */
const pauses = { first: 10_000, longest: 300_000 }

/** In milliseconds: the pause before the next change of an operation that fails is tried. */
export const pauseAfter = (tries: number): number => Math.min(pauses.first * 2 ** tries, pauses.longest)

/** The failures on record when a payment fails, too. */
export const withFailure = (known: Failing | undefined, paymentId: string, now: number): Failing => {
  const others = (known?.payments ?? []).filter(({ at, id }) => id !== paymentId && at > now - inARow)
  return {
    since: others.length === 0 ? now : (known?.since ?? now),
    payments: [...others, { id: paymentId, at: now }].slice(-mostFailed)
  }
}

/** Whether enough payments have failed for the gateway to be away. */
export const isInARow = ({ payments }: Failing): boolean => payments.length >= failuresInARow

export type Breaker = ReturnType<typeof make>

export const make = ({ gateway, table, wakeQueued }: BreakerOptions) => {
  const worked = (operation?: ChangeName): Effect.Effect<void> =>
    Effect.ignore(
      Effect.flatMap(table.worked(reads, operation), (wasOpen) => (wasOpen ? Effect.asVoid(wakeQueued) : Effect.void))
    )

  /** Whether a payment that has not failed can be read, or else, since it may fail alone too, what is of no payment. */
  const doReadsWork = Effect.fnUntraced(function* (
    failing: Failing | undefined
  ): Effect.fn.Return<boolean, StoreError> {
    const id = yield* table.otherPayment((failing?.payments ?? []).map((failed) => failed.id))
    if (id !== undefined) {
      if (yield* answers(gateway.reads.getPayment(id))) return true
      // The next probe is another one.
      yield* table.failed(reads, (known, now) => withFailure(known, id, now))
    }
    return yield* answers(gateway.getInstruments)
  })

  return {
    /** A read before a change has failed. */
    readFailed: (paymentId: string, reason: GatewayErrorReason): Effect.Effect<void> =>
      Effect.ignore(
        Effect.gen(function* () {
          if (!isAway(reason)) return
          const failing = yield* table.failed(reads, (known, now) => withFailure(known, paymentId, now))
          if (failing === undefined || !isInARow(failing)) return
          yield* (yield* doReadsWork(failing)) ? worked() : table.open(reads, pauses.first)
        })
      ),

    /** A change was sent, after reads that worked. `isOnRecord`: there are failures that this one may end. */
    sent: (
      operation: ChangeName,
      paymentId: string,
      reason: GatewayErrorReason | undefined,
      isOnRecord: boolean
    ): Effect.Effect<void> => {
      if (reason === undefined || !isAway(reason)) return isOnRecord ? worked(operation) : Effect.void
      return Effect.ignore(
        Effect.gen(function* () {
          if (isOnRecord) yield* table.worked(reads, undefined)
          const failing = yield* table.failed(operation, (known, now) => withFailure(known, paymentId, now))
          if (failing !== undefined && isInARow(failing)) yield* table.open(operation, pauses.first)
        })
      )
    },

    /**
     * Tries what is stopped, if it is this process's turn. `Back`: reads work again; `Probe`: this change may be sent to find
     * out whether its operation works.
     */
    tried: (operation: ChangeName): Effect.Effect<"Back" | "Probe" | undefined> =>
      Effect.gen(function* () {
        const probes = yield* table.claimProbes(reads, operation, pauses)
        const ofReads = probes.find(({ circuit }) => circuit === reads)
        if (ofReads !== undefined) {
          if (!(yield* doReadsWork(ofReads.failing))) return undefined
          yield* worked()
          return "Back" as const
        }
        return probes.length > 0 ? ("Probe" as const) : undefined
      }).pipe(Effect.catch(() => Effect.undefined))
  }
}

/** Whether the gateway, or the way to it, failed. */
const isAway = ({ _tag }: GatewayErrorReason): boolean => _tag === "GatewayUnavailable" || _tag === "OutcomeUnknown"

const answers = (read: Effect.Effect<unknown, GatewayError>): Effect.Effect<boolean> =>
  Effect.match(read, { onFailure: ({ reason }) => !isAway(reason), onSuccess: () => true })
