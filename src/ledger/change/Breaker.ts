/**
 * The breaker of each merchant: one circuit for reads, and one for the changes of each operation. A row holds what all
 * processes know of a failing circuit.
 *
 * It opens when calls for several payments have failed in a row, whichever process made them, and holds back what would
 * be begun. Before reads are stopped, two reads probe them: one of a payment that has not failed, and one of the
 * payment instruments. So failures of single payments never open it. An open circuit of reads is closed when such a
 * probe works; one is made every ten seconds. An open circuit of an operation is closed by one real change that works,
 * tried after growing pauses. Checks of changes that were sent continue in any case.
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
  /** Makes queued rows due: what was stopped continues. */
  readonly wakeQueued: Effect.Effect<unknown, StoreError>
}

/**
 * In milliseconds: the pause before a failing operation is probed by its next change. Reads are always probed after the
 * first pause.
 */
export const pauseAfter = (tries: number): number => Math.min(10 * second * 2 ** tries, 5 * minute)

/**
 * The recent failures, with that of this payment. Those of more than two minutes ago are dropped. A payment listed here
 * is not used as the probe that tests whether the gateway has recovered.
 */
export const withFailure = (known: Failing | undefined, paymentId: string, now: number, isRefused = false): Failing => {
  const others = (known?.payments ?? []).filter(({ at, id }) => id !== paymentId && at > now - 2 * minute)
  return {
    since: others.length === 0 ? now : (known?.since ?? now),
    payments: [...others, { id: paymentId, at: now }].slice(-20),
    ...(isRefused ? { isRefused } : undefined)
  }
}

/**
 * Whether enough payments have failed to conclude that the gateway is down: the failures of one payment prove nothing
 * about others.
 */
export const isInARow = ({ payments }: Failing): boolean => payments.length >= 3

export interface Breaker {
  /**
   * A read has failed. Returns whether reads fail in general; then the failure is not attributed to this payment. A
   * probe is made at once if the read was refused or if it `isGrave`, since an operator would be notified of it;
   * otherwise when several payments have failed in a row.
   */
  readonly readFailed: (paymentId: string, reason: GatewayErrorReason, isGrave?: boolean) => Effect.Effect<boolean>
  /** A change was sent, after reads that worked. `isOnRecord`: failures are on record that this change may clear. */
  readonly sent: (
    operation: ChangeName,
    paymentId: string,
    reason: GatewayErrorReason | undefined,
    isOnRecord: boolean
  ) => Effect.Effect<void>
  /** If it is this process's turn, probes reads that are stopped. Returns whether they work again. */
  readonly triedReads: Effect.Effect<boolean>
  /**
   * If it is this process's turn, probes what the breaker has stopped. `Back`: reads work again. `Probe`: this change
   * may be sent to find out whether its operation works.
   */
  readonly tried: (operation: ChangeName) => Effect.Effect<"Back" | "Probe" | undefined>
}

export const make = ({ database, gateway, scope, wakeQueued }: BreakerOptions): Breaker => {
  const { fail, forget, open, otherPayment, takeProbes } = BreakerTable.make(database, scope, pauseAfter)

  /** Records that a call for a payment has failed. Returns the failures on record, and whether the circuit is open. */
  const failed = (circuit: string, paymentId: string, isRefused = false): Effect.Effect<FailedCircuit, StoreError> =>
    fail(circuit, (known, now) => withFailure(known, paymentId, now, isRefused))

  /** Reads work, and changes of the operation if one is given: closes their circuits. */
  const worked = (operation?: ChangeName): Effect.Effect<void> =>
    Effect.ignore(Effect.flatMap(forget(operation), (wasOpen) => (wasOpen ? wakeQueued : Effect.void)))

  /**
   * Whether reads work: of a payment that has not failed, or else, since that may fail alone too, of the payment
   * instruments.
   */
  const doReadsWork = Effect.fnUntraced(function* (failing: Failing | undefined) {
    const id = yield* otherPayment((failing?.payments ?? []).map((failed) => failed.id))
    if (id !== undefined) {
      const failure = yield* failureOf(gateway.reads.getPayment(id))
      if (failure === undefined) return true
      // Recorded as failed, so that the next probe is another payment.
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
      // Reads use the same credentials.
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

/** Whether the gateway failed, or the connection to it. */
const isAway = ({ _tag }: GatewayErrorReason): boolean => _tag === "GatewayUnavailable" || _tag === "OutcomeUnknown"

/** Whether the credentials were refused, or something in front of the gateway refused the request. */
const isRefusal = ({ _tag }: GatewayErrorReason): boolean =>
  _tag === "AuthenticationFailed" || _tag === "PermissionDenied"

/** Whether the gateway's answer is about the payment that was read, and about nothing else. */
const isAnswer = ({ _tag }: GatewayErrorReason): boolean =>
  _tag === "PaymentNotFound" || _tag === "OperationRefused" || _tag === "InvalidRequest" || _tag === "CardNotFound"

/** Why a read was not answered. */
const failureOf = (read: Effect.Effect<unknown, GatewayError>): Effect.Effect<GatewayErrorReason | undefined> =>
  Effect.match(read, {
    onFailure: ({ reason }) => (isAnswer(reason) ? undefined : reason),
    onSuccess: () => undefined
  })
