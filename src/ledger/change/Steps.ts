/**
 * The steps of a change. Read it from top to bottom:
 *
 * ```
 * queued ──the oldest of its payment──▶ locked ──the mark is committed──▶ sending ──▶ done, accepted
 *    ▲                                                                       │ │
 *    └────────────── certainly not sent, says who knows it ──────────────────┤ └──▶ refusing ─read, read──▶ refused
 *                                                                            └──▶ unknown ─read, read──▶ done, refused, needsOperator
 * ```
 *
 * A decision is not the end: the gateway's list is checked for as long as it may change, and a decision that proves
 * wrong is corrected: `done` becomes `failed`, `refused` becomes `done`.
 *
 * Any process may make the next step of a row that is due. A step that another process has made in the meantime moves
 * nothing.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { PaymentResponse, RefundHistoryItem } from "../../contract/Messages.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import { distinctRefunds, isContradictory } from "../../client/payment/RefundEntries.js"
import { type LedgerGateway, type MaySend, reconcile } from "../model/LedgerGateway.js"
import type { StoreError } from "../store/Database.js"
import { insist, now } from "../store/Statements.js"
import type { InFlight } from "../process/InFlight.js"
import { balanceOf, newEntries, strangeOf } from "./Balance.js"
import type { Breaker } from "./Breaker.js"
import * as Judgement from "./ChangeJudgement.js"
import { chargeFacts, type ChargeFactsSource } from "./ChargeFacts.js"
import { chargeRefusal } from "./chargeRefusal.js"
import { chargeRequestOf, isOfCharge, stateOf, uncharged } from "./ChargeSteps.js"
import { type ChangeRow, isDecided } from "../store/ChangeRow.js"
import type { ChangeTable, Patch } from "../store/ChangeTable.js"
import { type ChangeReports, reportItems } from "./ChangeItems.js"
import { recordOwnCharge } from "./ChargePayments.js"
import type { PaymentRow, PaymentTable } from "../store/PaymentTable.js"
import { minute, second } from "../../basics/Milliseconds.js"

/** What the steps need. */
export interface StepOptions extends Judgement.JudgeSettings, ChangeReports, ChargeFactsSource {
  readonly breaker: Breaker
  readonly gateway: LedgerGateway
  readonly inFlight: InFlight
  readonly lease: Duration.Duration
  readonly payments: PaymentTable
}

/** A step of a row. Returns the row if the step has moved it. */
export type Step = (row: ChangeRow) => Effect.Effect<Option.Option<ChangeRow>, StoreError>

export interface Steps {
  /**
   * Takes a row that is due. A change that was sent is checked under a lease, by one process; if that process ends,
   * another one checks it when the lease has expired. A change that was not sent is taken by the statement that moves
   * it.
   */
  readonly take: Step
  /** Makes the next step of a row that was taken. */
  readonly next: Step
  /** The follow-up by the process that has made a step: the search for the entry of a refund that is done. */
  readonly follow: Step
}

export const make = (parts: StepOptions): Steps => ({
  take: (row) =>
    row.status === "queued" || row.status === "locked" || row.status === "sending"
      ? Effect.succeedSome(row)
      : parts.changes.move(row, { next_at: { after: Duration.toMillis(parts.lease) } }),

  next: (row) => {
    switch (row.status) {
      case "queued":
        return Effect.suspend(() => (parts.inFlight.isClosing() ? Effect.succeedNone : start(parts, row)))
      case "locked":
        // Its process ended before it committed the mark.
        return parts.changes.move(row, { status: "queued", attempt: null, holds: null, next_at: now })
      case "sending":
        // Its process ended or is slow; no other process knows whether it was sent.
        return parts.changes.move(row, { status: "unknown", tries: 0, next_at: now })
      case "refusing":
      case "unknown":
      case "accepted":
      case "needsOperator":
      case "done":
      case "refused":
      case "failed":
        return check(parts, row)
    }
  },

  follow: (row) => follow(parts, row)
})

// ---- Sending

/** Starts a change. A probe starts even though its operation is stopped. */
const start = (parts: StepOptions, row: ChangeRow, isProbe = false): ReturnType<Step> => {
  const { breaker, changes } = parts
  const leaseTime = Duration.toMillis(parts.lease)
  const attempt = globalThis.crypto.randomUUID()
  const notSent = (patch: Patch) => recordNotSent(parts, row, attempt, patch)
  return Effect.gen(function* () {
    const { others, written: locked } = yield* changes.lock(row, attempt, leaseTime, isProbe)
    if (locked === undefined) {
      const waits = others.some(({ holds, seq, status }) => holds !== null || (status === "queued" && seq < row.seq))
      if (waits) return { after: yield* changes.putOff(row, 10 * minute) }
      const tried = isProbe ? undefined : yield* breaker.tried(row.operation)
      if (tried === "Probe") return { after: yield* start(parts, row, true) }
      return { after: yield* changes.move(row, { next_at: tried === "Back" ? now : { after: 30 * second } }) }
    }
    const prepared = yield* prepare(parts, locked, others)
    switch (prepared._tag) {
      case "NotNow":
        return { after: yield* notSent(prepared.patch) }
      case "Never":
        return { after: yield* moveAndReport(parts, locked, prepared.patch) }
      case "Ready":
        return { marked: yield* changes.mark(row.key, attempt, prepared.mark, leaseTime) }
    }
  }).pipe(
    // Whether the statement took effect is unknown, but nothing was sent.
    Effect.tapError(({ message }) => notSent({ next_at: { after: second }, message })),
    Effect.flatMap(({ after = Option.none(), marked = Option.none() }) =>
      Option.isSome(marked) ? send(parts, marked.value, attempt, isProbe) : Effect.succeed(after)
    )
  )
}

const prepare = (
  parts: StepOptions,
  row: ChangeRow,
  others: ReadonlyArray<ChangeRow>
): Effect.Effect<Judgement.Prepared, StoreError> =>
  Effect.flatMap(Clock.currentTimeMillis, (time) => {
    const sentAt = new Date(time)
    switch (row.operation) {
      case "createRecurrence":
        return prepareCharge(parts, row, sentAt)
      case "refundPayment":
        return prepareRefund(parts, row, others, sentAt)
      case "captureAuthorization":
      case "captureAuthorizationPartial":
      case "voidAuthorization": {
        const record = Judgement.recordOf(row, { sentAt })
        return Effect.gen(function* () {
          const found = yield* reconcile(parts.gateway, record)
          if (found._tag !== "StateReached") return Judgement.preparedBy(row, [], found, record, parts)
          const captures = yield* parts.changes.capturesOf(row.payment_id)
          const isDistrusted = (yield* parts.changes.distrusted) !== undefined
          return Judgement.preparedBy(row, captures, found, record, parts, isDistrusted)
        })
      }
    }
  }).pipe(
    Effect.catch((failure) =>
      failure._tag === "LedgerError"
        ? Effect.succeed(Judgement.notNow(row, { message: failure.message }))
        : // All processes have to know that a read has failed.
          Effect.map(
            parts.breaker.readFailed(row.payment_id, failure.reason, Judgement.isStuck(row, parts)),
            (doReadsFail) => Judgement.unprepared(row, failure, parts, doReadsFail)
          )
    )
  )

/** Marks a refund for sending only if the gateway's list agrees with the ledger's rows. */
const prepareRefund = Effect.fnUntraced(function* (
  parts: StepOptions,
  row: ChangeRow,
  others: ReadonlyArray<ChangeRow>,
  sentAt: Date
): Effect.fn.Return<Judgement.Prepared, StoreError | GatewayError> {
  const { gateway, changes } = parts
  const { gatewayTime, refunds: refundsBefore } = yield* gateway.listRefunds(row.payment_id)
  if (isContradictory(refundsBefore)) {
    return Judgement.notNow(row, Judgement.unreadable(row, Judgement.listContradicts, parts))
  }
  const before = balanceOf(row, refundsBefore, others)
  // A refund that was bound while the list was being read explains a missing entry or an unknown one.
  const isExplained = before.missing.length + before.unknown.length === 0
  const own = isExplained ? others : yield* changes.refundsOf(row.payment_id)
  const { missing, unknown } = balanceOf(row, refundsBefore, own)
  if (missing.length > 0) return Judgement.incomplete(row, missing)
  if (unknown.length > 0) {
    const strange = strangeOf(unknown, own, yield* changes.provenanceOf(row, gatewayTime))
    if (strange.length > 0) return Judgement.never(Judgement.stoppedBy(strange))
  }
  const record = Judgement.recordOf(row, { sentAt, refundsBefore, isOnlyWriter: true })
  return Judgement.ready(record, gatewayTime === undefined ? null : gatewayTime - row.now)
})

/** A charge is sent only while its recurrence is active, and if nothing indicates that it was sent before. */
const prepareCharge = Effect.fnUntraced(function* (
  parts: StepOptions,
  row: ChangeRow,
  sentAt: Date
): Effect.fn.Return<Judgement.Prepared, StoreError | GatewayError> {
  const facts = yield* chargeFacts(parts, row)
  const refusal = chargeRefusal(row, facts)
  if (refusal !== undefined) return Judgement.refusedCharge(row, refusal)
  // If it has waited, earlier attempts may have been paid meanwhile.
  if (!(yield* stillClosed(parts, facts.attempt?.before ?? []))) {
    return Judgement.notNow(row, { message: "The attempt before it may be paid." })
  }
  const fault = uncharged(row, yield* parts.gateway.reads.getPayment(row.payment_id))
  return fault === undefined
    ? Judgement.ready(Judgement.recordOf(row, { sentAt }))
    : Judgement.refusedCharge(row, { _tag: "Never", ...fault })
})

/** Whether the gateway says of each earlier attempt that it is unpaid. Asked just before the next attempt is sent. */
export const stillClosed = Effect.fnUntraced(function* (
  { changes, gateway }: { readonly changes: ChangeTable; readonly gateway: LedgerGateway },
  attempts: ReadonlyArray<ChangeRow>
): Effect.fn.Return<boolean, StoreError> {
  for (const attempt of attempts) {
    if (attempt.entry === null) continue
    const read = yield* Effect.result(gateway.reads.getPayment(attempt.entry))
    if (read._tag === "Failure") return false
    if (stateOf(read.success.state) === "closed") continue
    // The ledger reads the attempt again, and its period follows from that.
    yield* changes.move(attempt, { next_at: now })
    return false
  }
  return true
})

const send = (parts: StepOptions, row: ChangeRow, attempt: string, isProbe: boolean): ReturnType<Step> => {
  const { breaker, changes, payments } = parts
  let wasAllowed = false
  let hasFailed = false
  // The last statement before sending, for every operation.
  const leaseTimeLeft = Effect.map(changes.maySend(row, attempt), (check) => {
    hasFailed = check.hasFailed
    wasAllowed ||= check.time > 0
    return check.time
  })
  const maySend =
    row.operation === "createRecurrence"
      ? // What it was prepared by may have changed before the mark.
        Effect.flatMap(chargeFacts(parts, row), (facts) =>
          chargeRefusal(row, facts) === undefined ? leaseTimeLeft : Effect.succeed(0)
        )
      : leaseTimeLeft
  return Effect.flatMap(Effect.exit(answered(parts, row, attempt, maySend)), (exit) => {
    const reason = Option.getOrUndefined(Exit.findErrorOption(exit))?.reason
    const { child, isNotSent, patch } = Exit.isSuccess(exit)
      ? exit.value
      : Judgement.endOf(row, reason, wasAllowed, isProbe)
    return Effect.tap(
      isNotSent === true
        ? recordNotSent(parts, row, attempt, patch)
        : reported(parts, insist(endAttempt(parts, row, attempt, patch)), row),
      (moved) =>
        Effect.andThen(
          // If it is bound to another payment, it was sent twice: both payments are tracked.
          child === undefined || (Option.isSome(moved) && moved.value.entry === String(child.id))
            ? Effect.void
            : insist(recordChild(payments, row, child)),
          // A change that was held back says nothing about the gateway.
          wasAllowed ? breaker.sent(row.operation, row.payment_id, reason, hasFailed) : Effect.void
        )
    )
  })
}

/** Sends the change and decides from the gateway's response. */
const answered = (
  { gateway, lease }: StepOptions,
  row: ChangeRow,
  attempt: string,
  maySend: MaySend
): Effect.Effect<Judgement.Ending, GatewayError> => {
  const { operation } = row
  return operation === "createRecurrence"
    ? Effect.map(gateway.charge(row.payment_id, chargeRequestOf({ ...row, attempt }), maySend), (child) => ({
        child,
        patch: Judgement.chargedBy(child)
      }))
    : Effect.map(gateway.send({ ...row, operation }, maySend), (response) => ({
        patch: Judgement.answeredBy(row, response, Duration.toMillis(lease))
      }))
}

/** Moves the row to its end. The end of a late attempt may contradict an operator's decision. */
const endAttempt = (
  { changes }: Pick<StepOptions, "changes">,
  row: ChangeRow,
  attempt: string,
  patch: Patch
): ReturnType<Step> =>
  Effect.flatMap(changes.end(row.key, attempt, patch), (moved) =>
    Option.isSome(moved) || (patch.status !== "done" && patch.status !== "accepted")
      ? Effect.succeed(moved)
      : changes.contradict(row.key, attempt, "It was decided that it was not made. Then the gateway said that it was.")
  )

/** Only this process knows that it was not sent, so it tries to record that for as long as it lives. */
const recordNotSent = (parts: StepOptions, row: ChangeRow, attempt: string, patch: Patch): ReturnType<Step> =>
  reported(parts, insist(parts.changes.notSent(row.key, attempt, { tries: row.tries + 1, ...patch })), row)

// ---- Checking

const check = (parts: StepOptions, row: ChangeRow): ReturnType<Step> =>
  Effect.flatMap(readOf(parts, row), (patch) => moveAndReport(parts, row, patch))

const follow = Effect.fnUntraced(function* (
  parts: StepOptions,
  row: ChangeRow
): Effect.fn.Return<Option.Option<ChangeRow>, StoreError> {
  if (row.operation !== "refundPayment" || row.status !== "done" || row.holds === null) return Option.none()
  const listed = yield* Effect.result(parts.gateway.reads.getPaymentRefunds(row.payment_id))
  const sole = listed._tag === "Success" ? Judgement.soleEntryOf(row, listed.success) : undefined
  if (sole !== undefined) {
    const patch = Judgement.boundTo(row, sole, parts)
    const bound = yield* moveAndReport(parts, row, patch)
    if (Option.isSome(bound)) return bound
  }
  return yield* moveAndReport(parts, row, yield* readOf(parts, row, Effect.fromResult(listed)))
})

/** Decides from a read of the row, also if the gateway could not be read. */
const readOf = (
  parts: StepOptions,
  row: ChangeRow,
  refunds: RefundsRead = parts.gateway.reads.getPaymentRefunds(row.payment_id)
): Effect.Effect<Patch, StoreError> =>
  readBy(parts, row, refunds).pipe(
    Effect.map((patch) => Judgement.escalated(row, patch, parts)),
    Effect.catchTag("GatewayError", (failure) =>
      Effect.map(
        parts.breaker.readFailed(row.payment_id, failure.reason, Judgement.isGrave(row, parts)),
        (doReadsFail) => Judgement.unread(row, failure, parts, doReadsFail)
      )
    )
  )

type RefundsRead = Effect.Effect<ReadonlyArray<RefundHistoryItem>, GatewayError>

const readBy = (
  parts: StepOptions,
  row: ChangeRow,
  refunds: RefundsRead
): Effect.Effect<Patch, GatewayError | StoreError> => {
  const { operation, record } = row
  if (record === null && row.entry === null) return Effect.succeed({ next_at: null })
  if (operation === "createRecurrence") return readCharge(parts, row)
  if (operation === "refundPayment") return readRefund(parts, row, refunds)
  if (isDecided(row) || record === null) return Effect.succeed({ next_at: null })
  return Effect.map(reconcile(parts.gateway, record), (found) => Judgement.judgeHold(row, found, parts))
}

const readRefund = Effect.fnUntraced(function* (
  parts: StepOptions,
  row: ChangeRow,
  reading: RefundsRead
): Effect.fn.Return<Patch, GatewayError | StoreError> {
  const { gateway, changes } = parts
  const list = yield* reading
  if (isContradictory(list)) return Judgement.later(row, Judgement.listContradicts)
  const listed = distinctRefunds(list)
  if (row.entry !== null) return Judgement.judgeEntry(row, listed, parts)
  if (row.record === null) return { next_at: null }
  const refunds = yield* changes.refundsOf(row.payment_id)
  const entries = newEntries(row, listed, refunds, yield* changes.acknowledgedOf(row))
  const distrusted = entries.length === 0 ? undefined : yield* changes.distrusted
  const read: Judgement.ReadRefunds = { refunds, entries, distrustedSince: distrusted?.since }
  if (isDecided(row) || row.status === "refusing") return Judgement.judgeListed(row, read, parts)
  const reads = { ...gateway.reads, getPaymentRefunds: () => Effect.succeed(listed) }
  // Entries that belong to another refund, or to no refund of the ledger, are treated as if they had been listed
  // before.
  const refundsBefore = [...(row.record.refundsBefore ?? []), ...listed.filter((one) => !entries.includes(one))]
  const found = yield* reconcile({ goid: gateway.goid, reads }, { ...row.record, refundsBefore })
  return Judgement.judgeSearched(row, read, found, parts)
})

/** Decides from the payment that a charge made. */
const readCharge = Effect.fnUntraced(function* (
  parts: StepOptions,
  row: ChangeRow
): Effect.fn.Return<Patch, GatewayError | StoreError> {
  if (row.entry === null) return Judgement.judgeLostCharge(row)
  const child = yield* parts.gateway.reads.getPayment(row.entry)
  if (isOfCharge(row, child)) yield* recordChild(parts.payments, row, child)
  return Judgement.judgeCharge(row, child)
})

/** Records the payment that a charge made. It may be repeated. */
const recordChild = (
  payments: PaymentTable,
  { payment_id: firstPaymentId, request }: ChangeRow,
  child: PaymentResponse
): Effect.Effect<PaymentRow, StoreError> =>
  recordOwnCharge(payments, { child, firstPaymentId, orderNumber: request?.order_number ?? "" })

const moveAndReport = (parts: StepOptions, row: ChangeRow, patch: Patch): ReturnType<Step> =>
  reported(parts, parts.changes.move(row, patch), row)

/** Notifies an operator of new items of a row that has moved. */
const reported = (parts: StepOptions, move: ReturnType<Step>, before: ChangeRow): ReturnType<Step> =>
  Effect.tap(move, (moved) => (Option.isSome(moved) ? reportItems(parts, moved.value, before) : Effect.void))
