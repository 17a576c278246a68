/**
 * The breaker, for each merchant: one circuit for reads, and one for the changes of each operation. A row has what all
 * processes know of a circuit that fails.
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
import type { ReadableDatabase, StoreError } from "../store/Database.js"
import * as BreakerTable from "../store/BreakerTable.js"
import { type FailedCircuit, reads } from "../store/BreakerTable.js"
import { type Failing, failingIn } from "../store/Rows.js"
import { minute, second } from "../../basics/Milliseconds.js"
import type { ChangeName } from "../store/ChangeRow.js"

export interface BreakerOptions {
  readonly database: ReadableDatabase
  readonly gateway: Pick<LedgerGateway, "getInstruments" | "reads">
  readonly scope: number
  /** Makes due what waits: something that was stopped goes on. */
  readonly wakeQueued: Effect.Effect<unknown, StoreError>
}

/** In milliseconds: the pause before the next change of an operation that fails is tried. Reads are tried after the first one. */
export const pauseAfter = (tries: number): number => Math.min(10 * second * 2 ** tries, 5 * minute)

/** The failures on record when a payment fails, too: what failed longer ago is not in a row with it. None of them is a probe. */
export const withFailure = (known: Failing | undefined, paymentId: string, now: number, isRefused = false): Failing => {
  const others = (known?.payments ?? []).filter(({ at, id }) => id !== paymentId && at > now - 2 * minute)
  return {
    since: others.length === 0 ? now : (known?.since ?? now),
    payments: [...others, { id: paymentId, at: now }].slice(-20),
    ...(isRefused ? { isRefused } : undefined)
  }
}

/** Whether enough payments have failed for the gateway to be away: one payment's failures say nothing of the others. */
export const isInARow = ({ payments }: Failing): boolean => payments.length >= 3

export interface Breaker {
  /**
   * A read has failed. Gives whether reads fail at large: what concerns one payment is not to be said of this one then. What
   * is refused is checked at once, and so is what `isGrave`, since someone is to be notified of it; other failures when
   * several payments have failed in a row.
   */
  readonly readFailed: (paymentId: string, reason: GatewayErrorReason, isGrave?: boolean) => Effect.Effect<boolean>
  /** A change was sent, after reads that worked. `isOnRecord`: there are failures that this one may end. */
  readonly sent: (
    operation: ChangeName,
    paymentId: string,
    reason: GatewayErrorReason | undefined,
    isOnRecord: boolean
  ) => Effect.Effect<void>
  /** Whether reads, which are stopped, work again, if it is this process's turn to find out. */
  readonly triedReads: Effect.Effect<boolean>
  /**
   * If it is this process's turn, probes what the breaker has stopped. `Back`: reads work again. `Probe`: this change
   * may be sent to find out whether its operation works.
   */
  readonly tried: (operation: ChangeName) => Effect.Effect<"Back" | "Probe" | undefined>
}

export const make = ({ database, gateway, scope, wakeQueued }: BreakerOptions): Breaker => {
  const { fail, forget, open, otherPayment, takeProbes } = BreakerTable.make(database, scope, pauseAfter)

  /** Records that a call for a payment has failed. Gives what is on record then, and whether that is stopped. */
  const failed = (circuit: string, paymentId: string, isRefused = false): Effect.Effect<FailedCircuit, StoreError> =>
    fail(circuit, (known, now) => withFailure(known, paymentId, now, isRefused))

  /** Reads have worked, and changes of an operation. What was stopped goes on. */
  const worked = (operation?: ChangeName): Effect.Effect<void> =>
    Effect.ignore(Effect.flatMap(forget(operation), (wasOpen) => (wasOpen ? wakeQueued : Effect.void)))

  /** Whether a payment that has not failed can be read, or else, since it may fail alone too, what is of no payment. */
  const doReadsWork = Effect.fnUntraced(function* (failing: Failing | undefined) {
    const id = yield* otherPayment((failing?.payments ?? []).map((failed) => failed.id))
    if (id !== undefined) {
      const failure = yield* failureOf(gateway.reads.getPayment(id))
      if (failure === undefined) return true
      // The next probe is another one.
      yield* failed(reads, id, isRefusal(failure))
    }
    return (yield* failureOf(gateway.getInstruments)) === undefined
  })

  const readFailed: Breaker["readFailed"] = (paymentId, reason, isGrave = false) =>
    Effect.gen(function* () {
      if (isAnswer(reason) || !(isGrave || isAway(reason) || isRefusal(reason))) return false
      const { failing, isOpen } = yield* failed(reads, paymentId, isRefusal(reason))
      if (isOpen) return true
      if (!isGrave && !isRefusal(reason) && !isInARow(failing)) return false
      if (yield* doReadsWork(failing)) {
        yield* worked()
        return false
      }
      yield* open(reads)
      return true
    }).pipe(Effect.orElseSucceed(() => false))

  return {
    readFailed,

    sent: (operation, paymentId, reason, isOnRecord) => {
      // The credentials are those of reads, too.
      if (reason?._tag === "AuthenticationFailed") return Effect.asVoid(readFailed(paymentId, reason))
      if (reason === undefined || !(isAway(reason) || isRefusal(reason))) {
        return isOnRecord ? worked(operation) : Effect.void
      }
      return Effect.ignore(
        Effect.gen(function* () {
          if (isOnRecord) yield* forget()
          if (isInARow((yield* failed(operation, paymentId, isRefusal(reason))).failing)) yield* open(operation)
        })
      )
    },

    triedReads: Effect.gen(function* () {
      const [probe] = yield* takeProbes(reads)
      const isBack = probe !== undefined && (yield* doReadsWork(failingIn(probe["failing"])))
      if (isBack) yield* worked()
      return isBack
    }).pipe(Effect.orElseSucceed(() => false)),

    tried: (operation) =>
      Effect.gen(function* () {
        const probes = yield* takeProbes(operation)
        const ofReads = probes.find(({ circuit }) => circuit === reads)
        if (ofReads === undefined) return probes.length > 0 ? ("Probe" as const) : undefined
        if (!(yield* doReadsWork(failingIn(ofReads["failing"])))) return undefined
        yield* worked()
        return "Back" as const
      }).pipe(Effect.catch(() => Effect.undefined))
  }
}

/** Whether the gateway, or the way to it, failed. */
const isAway = ({ _tag }: GatewayErrorReason): boolean => _tag === "GatewayUnavailable" || _tag === "OutcomeUnknown"

/** Whether the credentials are refused, or the request by something before the gateway. */
const isRefusal = ({ _tag }: GatewayErrorReason): boolean =>
  _tag === "AuthenticationFailed" || _tag === "PermissionDenied"

/** Whether the gateway has said something of what was read, and of nothing else. */
const isAnswer = ({ _tag }: GatewayErrorReason): boolean =>
  _tag === "PaymentNotFound" || _tag === "OperationRefused" || _tag === "InvalidRequest" || _tag === "CardNotFound"

/** Why a read was not answered. */
const failureOf = (read: Effect.Effect<unknown, GatewayError>): Effect.Effect<GatewayErrorReason | undefined> =>
  Effect.match(read, {
    onFailure: ({ reason }) => (isAnswer(reason) ? undefined : reason),
    onSuccess: () => undefined
  })
