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
import { type Failing, failingIn, numberIn } from "../store/Rows.js"
import * as Statements from "../store/Statements.js"
import { minute, second } from "../../basics/Milliseconds.js"
import type { ChangeName } from "../store/ChangeRow.js"

export interface BreakerOptions {
  readonly database: ReadableDatabase
  readonly gateway: Pick<LedgerGateway, "getInstruments" | "reads">
  readonly scope: number
  /** Makes due what waits: something that was stopped goes on. */
  readonly wakeQueued: Effect.Effect<unknown, StoreError>
}

const reads = "reads"

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

export type Breaker = ReturnType<typeof make>

export const make = ({ database, gateway, scope, wakeQueued }: BreakerOptions) => {
  const { failed, forget, open, otherPayment, takeProbes } = tableOf(database, scope)

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

  /**
   * A read has failed. Gives whether reads fail at large: what concerns one payment is not to be said of this one then. What
   * is refused is checked at once, and so is what `isGrave`, since someone is to be notified of it; other failures when
   * several payments have failed in a row.
   */
  const readFailed = (paymentId: string, reason: GatewayErrorReason, isGrave = false): Effect.Effect<boolean> =>
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

    /** A change was sent, after reads that worked. `isOnRecord`: there are failures that this one may end. */
    sent: (operation: ChangeName, paymentId: string, reason: GatewayErrorReason | undefined, isOnRecord: boolean) => {
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

    /** Whether reads, which are stopped, work again, if it is this process's turn to find out. */
    triedReads: Effect.gen(function* () {
      const [probe] = yield* takeProbes(reads)
      const isBack = probe !== undefined && (yield* doReadsWork(failingIn(probe["failing"])))
      if (isBack) yield* worked()
      return isBack
    }).pipe(Effect.orElseSucceed(() => false)),

    /**
     * Tries what is stopped, if it is this process's turn. `Back`: reads work again; `Probe`: this change may be sent to find
     * out whether its operation works.
     */
    tried: (operation: ChangeName): Effect.Effect<"Back" | "Probe" | undefined> =>
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

/** The statements on a merchant's circuits: each has a row while there is something to know. */
const tableOf = (database: ReadableDatabase, scope: number) => {
  const { isBrief, now, one, run } = Statements.make(database)
  return {
    /** Records that a call for a payment has failed. Gives what is on record then, and whether that is stopped. */
    failed: Effect.fnUntraced(function* (
      circuit: string,
      paymentId: string,
      isRefused = false
    ): Effect.fn.Return<{ readonly failing: Failing; readonly isOpen: boolean }, StoreError> {
      // All that wait for one token fail at the same time, and one of them writes first: the third one opens the circuit.
      for (let attempt = 1; ; attempt++) {
        const ofCircuit = "FROM gopay_breaker WHERE scope = ? AND circuit = ?"
        const row = yield* one(
          `SELECT ${now} AS now, (SELECT failing ${ofCircuit}) AS failing, (SELECT probe_at ${ofCircuit}) AS probe_at`,
          [scope, circuit, scope, circuit]
        )
        const known = row?.["failing"]
        const failing = withFailure(failingIn(known), paymentId, numberIn(row, "now") ?? 0, isRefused)
        const written = yield* run(
          `INSERT INTO gopay_breaker (scope, circuit, failing) SELECT ?, ?, ? WHERE ${isBrief()}
             ON CONFLICT (scope, circuit) DO UPDATE SET failing = excluded.failing WHERE gopay_breaker.failing = ?
             RETURNING circuit`,
          [scope, circuit, JSON.stringify(failing), typeof known === "string" ? known : ""]
        )
        if (written.length > 0 || attempt === 3) {
          return { failing, isOpen: numberIn(row, "probe_at") !== undefined }
        }
      }
    }),

    /** Begins nothing more of a kind, until it is tried. */
    open: (circuit: string) =>
      run(
        `UPDATE gopay_breaker SET probe_at = ${now} + ?, tries = 0
         WHERE scope = ? AND circuit = ? AND probe_at IS NULL AND ${isBrief()}`,
        [pauseAfter(0), scope, circuit]
      ),

    /** Calls of these kinds have worked. Gives whether one of them had been stopped. */
    forget: (operation: string = reads): Effect.Effect<boolean, StoreError> =>
      Effect.map(
        run(`DELETE FROM gopay_breaker WHERE scope = ? AND circuit IN (?, ?) AND ${isBrief()} RETURNING probe_at`, [
          scope,
          reads,
          operation
        ]),
        (removed) => removed.some((row) => row["probe_at"] !== null)
      ),

    /** The circuits that it is this process's turn to try: no other one does for a pause that grows with each. */
    takeProbes: (operation: string) =>
      run(
        `UPDATE gopay_breaker SET tries = tries + 1, probe_at = ${now} + CASE WHEN circuit = ? THEN ${pauseAfter(0)}
           ${[0, 1, 2, 3].map((tries) => `WHEN tries = ${tries} THEN ${pauseAfter(tries + 1)}`).join(" ")} ELSE ${pauseAfter(5)} END
         WHERE scope = ? AND circuit IN (?, ?) AND probe_at <= ${now} AND ${isBrief()} RETURNING circuit, failing`,
        [reads, scope, reads, operation]
      ),

    /** A payment that waits, or else the newest one, that is none of those that failed. */
    otherPayment: Effect.fnUntraced(function* (failed: ReadonlyArray<string>) {
      const others = failed.length === 0 ? "" : `AND NOT ${Statements.isOneOf("payment_id", failed)}`
      const waiting = yield* one(
        `SELECT payment_id FROM gopay_change WHERE scope = ? AND next_at IS NOT NULL AND status = 'queued' ${others}
           ORDER BY next_at LIMIT 1`,
        [scope, ...failed]
      )
      const found =
        waiting ??
        (yield* one(
          `SELECT payment_id FROM gopay_payment WHERE scope = ? AND payment_id IS NOT NULL ${others} ORDER BY seq DESC LIMIT 1`,
          [scope, ...failed]
        ))
      return found && String(found["payment_id"])
    })
  }
}
