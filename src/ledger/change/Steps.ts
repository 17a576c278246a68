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
 * A decision is not the end: what the gateway lists is followed for as long as it may change, and what proves to be
 * otherwise is corrected: `done` becomes `failed`, `refused` becomes `done`.
 *
 * Any process may make the next step of a row that is due. A step that another process has made in the meantime moves
 * nothing.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { PaymentOperationResponse, PaymentResponse, RefundHistoryItem } from "../../contract/Messages.js"
import { ChangeRecord } from "../../client/error/ChangeRecordSchema.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { GatewayErrorReason } from "../../client/error/GatewayError.js"
import { isRefusalOfAnother } from "../../client/call/FailureReason.js"
import type { Reconciliation } from "../../client/payment/Reconciliation.js"
import type { AttentionKind } from "../model/Attention.js"
import { distinctRefunds, isContradictory } from "../../client/payment/RefundEntries.js"
import { strangeRefundMessage } from "../model/StrangeRefundMessage.js"
import { type Balance, balanceOf, contradicts, isOfSend, mayBeForgotten, newEntries, strangeOf } from "./Balance.js"
import { type LedgerGateway, type MaySend, reconcile } from "../model/LedgerGateway.js"
import type { Breaker } from "./Breaker.js"
import { chargeRequestOf, type ChargeRefusal, isOfCharge, stateOf, uncharged } from "./ChargeSteps.js"
import { type ChangeRow, type Decision, isDecided } from "./ChangeRow.js"
import type { ChangeTable, Mark, Patch } from "./ChangeTable.js"
import type { StoreError } from "../store/Database.js"
import { insist } from "../store/Statements.js"

/** What the steps need. */
export interface StepOptions {
  readonly gateway: LedgerGateway
  readonly breaker: Breaker
  readonly table: ChangeTable
  /** How long a change that is not seen is searched for before an operator is asked. */
  readonly escalateAfter: Duration.Duration
  /** Whether a refund is recognised by its amount alone. */
  readonly noOtherRefunders: boolean
  /** How long after it was decided a refund is compared with the gateway's list, once a day. */
  readonly compareFor: Duration.Duration
  /** How long a process may take from locking a payment to handing the request over. */
  readonly lease: Duration.Duration
  /** Called when a change needs an operator. */
  readonly onAttention: (row: ChangeRow, kind: AttentionKind) => Effect.Effect<void>
  /** Why a charge of a subscription may not be sent; nothing when it may. It is asked before the mark, and after it. */
  readonly chargeRefusal: (row: ChangeRow) => Effect.Effect<ChargeRefusal | undefined, StoreError>
  /** Whether nothing of the attempts before a charge may be paid. */
  readonly mayFollow: (row: ChangeRow) => Effect.Effect<boolean, StoreError>
  /** Records the payment that a charge made. It may be repeated. */
  readonly recordCharge: (row: ChangeRow, child: PaymentResponse) => Effect.Effect<void, StoreError>
  /** Whether this process may begin with a change. */
  readonly mayStart: Effect.Effect<boolean>
}

/** In milliseconds. */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long a decision of an operator is watched for evidence against it. */
const watchedFor = 60 * day

/** Ever longer pauses. */
const backoff = (tries: number, first: number, longest: number): number => Math.min(first * 2 ** tries, longest)

/** A step of a row. Gives the row when it has moved. */
export type Step = (row: ChangeRow) => Effect.Effect<Option.Option<ChangeRow>, StoreError>

/** The steps of rows. */
export interface Steps {
  /** The next step of a row that is due. */
  readonly next: Step
  /**
   * What follows at once in the process that has made a step, before another one would take it up: the search for the entry
   * of a refund that is done.
   */
  readonly follow: Step
}

/** Makes the steps. */
export const make = ({
  breaker,
  chargeRefusal,
  compareFor,
  escalateAfter,
  gateway,
  lease,
  mayFollow,
  mayStart,
  noOtherRefunders,
  onAttention,
  recordCharge,
  table
}: StepOptions): Steps => {
  const leaseTime = Duration.toMillis(lease)

  const next: Step = (row) => {
    switch (row.status) {
      case "queued":
        return Effect.flatMap(mayStart, (yes) => (yes ? start(row) : Effect.succeedNone))
      case "locked":
        // Its process ended before the mark.
        return table.move(row, { status: "queued", attempt: null, holds: null, next_at: now })
      case "sending":
        // Its process ended, or is slow: no one else knows whether it was sent.
        return table.move(row, { status: "unknown", tries: 0, next_at: now })
      case "refusing":
      case "unknown":
      case "accepted":
      case "needsOperator":
      case "done":
      case "refused":
      case "failed":
        return look(row)
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Sending
  // -------------------------------------------------------------------------------------------------------------------

  const start: Step = (row) => startAs(row, false)

  /** Begins with a change. A probe begins though its operation is stopped. */
  const startAs = (row: ChangeRow, isProbe: boolean): ReturnType<Step> => {
    const attempt = globalThis.crypto.randomUUID()
    const notSent = (patch: Patch) => tellNotSent(row, attempt, patch)
    return Effect.gen(function* () {
      const { others, written: locked } = yield* table.lock(row, attempt, leaseTime, isProbe)
      if (locked === undefined) {
        const waits = others.some(({ holds, seq, status }) => holds !== null || (status === "queued" && seq < row.seq))
        if (waits) return { after: yield* table.putOff(row, 10 * minute) }
        const tried = isProbe ? undefined : yield* breaker.tried(row.operation)
        if (tried === "Probe") return { after: yield* startAs(row, true) }
        return { after: yield* table.move(row, { next_at: tried === "Back" ? now : { after: 30 * second } }) }
      }
      const prepared = yield* prepare(locked, others)
      switch (prepared._tag) {
        case "NotNow":
          return { after: yield* notSent(prepared.patch) }
        case "Never":
          return { after: yield* moved(locked, prepared.patch) }
        case "Ready":
          return { marked: yield* table.mark(row.key, attempt, prepared.mark, leaseTime) }
      }
    }).pipe(
      // Whether the statement took effect is unknown. That nothing was sent is not.
      Effect.tapError(({ message }) => notSent({ next_at: { after: second }, problem: message })),
      Effect.flatMap(({ after = Option.none(), marked = Option.none() }) =>
        Option.isSome(marked) ? send(marked.value, attempt) : Effect.succeed(after)
      )
    )
  }

  /** The result of a read. That it failed is recorded for all processes. */
  const noted = <A>(row: ChangeRow, read: Effect.Effect<A, GatewayError>) =>
    Effect.tap(Effect.result(read), (result) =>
      result._tag === "Failure" ? breaker.readFailed(row.payment_id, result.failure.reason) : Effect.void
    )

  /** What has to be so before a change may be marked. */
  const prepare = (row: ChangeRow, others: ReadonlyArray<ChangeRow>) =>
    Effect.gen(function* () {
      const sentAt = new Date(yield* Clock.currentTimeMillis)
      if (row.operation === "createRecurrence") return yield* prepareCharge(row, sentAt)
      if (row.operation !== "refundPayment") {
        const record = recordOf(row, { sentAt })
        const found = yield* noted(row, reconcile(gateway.reads, record))
        return found._tag === "Failure" ? unprepared(row, found.failure) : preparedBy(row, found.success, record)
      }
      const listed = yield* noted(row, gateway.listRefunds(row.payment_id))
      if (listed._tag === "Failure") return unprepared(row, listed.failure)
      const { gatewayTime, refunds: refundsBefore } = listed.success
      if (isContradictory(refundsBefore)) return notNow(row, { problem: listContradicts })
      // What was bound while the list was on its way explains what is missing, or is not known.
      const isExplained = isClean(balanceOf(row, refundsBefore, others))
      const own = isExplained ? others : yield* table.refundsOf(row.payment_id)
      const balance = balanceOf(row, refundsBefore, own)
      if (balance._tag === "Incomplete") {
        return notNow(row, {
          problem: `The gateway does not list refund ${balance.missing.join(", ")}, which is done: its list is not complete.`,
          ...(row.now - row.created_at > hour ? { attention: "ListIncomplete" as const } : undefined)
        })
      }
      if (balance.unknown.length > 0) {
        const strange = strangeOf(balance.unknown, own, yield* table.provenanceOf(row, gatewayTime))
        if (strange.length > 0) return never(stoppedBy(strange))
      }
      const record = recordOf(row, { sentAt, refundsBefore, isOnlyWriter: true })
      return ready(record, gatewayTime === undefined ? null : gatewayTime - row.now)
    }).pipe(Effect.catch((error) => Effect.succeed(notNow(row, { problem: error.message }))))

  /** A charge is sent while its recurrence goes on, and nothing says that it may have been sent before. */
  const prepareCharge = (row: ChangeRow, sentAt: Date): Effect.Effect<Prepared, StoreError> =>
    Effect.gen(function* () {
      const refusal = yield* chargeRefusal(row)
      if (refusal?._tag === "Never") {
        return never(refused("found", `${refusal.message} Nothing was sent.`, refusal.code))
      }
      if (refusal?._tag === "NotYet") {
        const until = { after: Math.max(second, refusal.from - row.now) }
        return notNow(row, { next_at: until, problem: "It is for a later day." })
      }
      if (refusal?._tag === "MayBeCharged") return never(mayBeCharged(row, refusal))
      if (!(yield* mayFollow(row))) return notNow(row, { problem: "The attempt before it may be paid." })
      const first = yield* noted(row, gateway.reads.getPayment(row.payment_id))
      if (first._tag === "Failure") return unprepared(row, first.failure)
      const problem = uncharged(row, first.success)
      return problem === undefined
        ? ready(recordOf(row, { sentAt }))
        : never(refused("found", `${problem.message} Nothing was sent.`, problem.code))
    })

  /** Sends it, and gives what the gateway's response says of it. */
  const answered = (row: ChangeRow, attempt: string, maySend: MaySend) => {
    const { operation } = row
    return operation === "createRecurrence"
      ? Effect.map(gateway.charge(row.payment_id, chargeRequestOf({ ...row, attempt }), maySend), (child) => ({
          child,
          patch: {
            ...accepted(`The gateway has made payment ${child.id} of it.`),
            entry: String(child.id),
            next_at: now
          }
        }))
      : Effect.map(gateway.send({ ...row, operation }, maySend), (response): Answered => ({
          patch: answeredBy(row, response, leaseTime)
        }))
  }

  const send = (row: ChangeRow, attempt: string): ReturnType<Step> => {
    let wasAllowed = false
    let hasFailed = false
    // The last statement before the send, whatever the operation.
    const leaseTimeLeft = Effect.map(table.maySend(row, attempt), (check) => {
      hasFailed = check.hasFailed
      return check.time
    })
    const timeLeft =
      row.operation === "createRecurrence"
        ? // What it was prepared by may have changed before the mark.
          Effect.flatMap(chargeRefusal(row), (refusal) => (refusal === undefined ? leaseTimeLeft : Effect.succeed(0)))
        : leaseTimeLeft
    const maySend = Effect.tap(timeLeft, (time) => Effect.sync(() => (wasAllowed ||= time > 0)))
    return Effect.flatMap(Effect.exit<Answered, GatewayError, never>(answered(row, attempt, maySend)), (exit) => {
      const ending = endOf(row, exit, wasAllowed)
      const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
      const child = Exit.isSuccess(exit) ? exit.value.child : undefined
      return Effect.tap(
        ending._tag === "NotSent"
          ? tellNotSent(row, attempt, ending.patch)
          : reported(insist(ended(row, attempt, ending.patch)), row),
        (moved) =>
          Effect.andThen(
            child === undefined || isBoundIn(moved, child) ? Effect.void : insist(recordCharge(row, child)),
            // What was held back says nothing of the gateway.
            wasAllowed ? breaker.sent(row.operation, row.payment_id, failure?.reason, hasFailed) : Effect.void
          )
      )
    })
  }

  /** The row as it ended. An attempt that comes late may contradict what an operator has decided. */
  const ended = (row: ChangeRow, attempt: string, patch: Patch) =>
    Effect.flatMap(table.ended(row.key, attempt, patch), (moved) =>
      Option.isSome(moved) || (patch.status !== "done" && patch.status !== "accepted")
        ? Effect.succeed(moved)
        : table.contradict(row.key, attempt, "It was decided that it was not made. Then the gateway said that it was.")
    )

  /** No one but this process knows that it was not sent: it says so for as long as it lives. */
  const tellNotSent = (row: ChangeRow, attempt: string, patch: Patch) =>
    reported(insist(table.notSent(row.key, attempt, { tries: row.tries + 1, ...patch })), row)

  // -------------------------------------------------------------------------------------------------------------------
  // Looking
  // -------------------------------------------------------------------------------------------------------------------

  const look: Step = (due) =>
    // Only one process looks; if it ends meanwhile, another one does after the lease.
    Effect.flatMap(table.move(due, { next_at: { after: leaseTime } }), (taken) =>
      Option.isNone(taken)
        ? Effect.succeed(taken)
        : Effect.flatMap(seen(taken.value, seenOf(taken.value)), (patch) => moved(taken.value, patch))
    )

  /** What was seen of a row, also when the gateway could not be asked. */
  const seen = <A>(row: ChangeRow, patch: Effect.Effect<A, GatewayError | StoreError>) =>
    Effect.catch(patch, (failure) =>
      failure._tag === "LedgerError"
        ? Effect.fail(failure)
        : Effect.succeed(
            isLost(row, failure.reason)
              ? person(row, failure.reason.message)
              : later(row, failure.reason.message, attentionOf(failure.reason))
          )
    )

  /** Whether the payment of a change that was sent, and is not decided, has not been found for long. */
  const isLost = (row: ChangeRow, reason: GatewayErrorReason): boolean =>
    reason._tag === "PaymentNotFound" && !isDecided(row) && ageOf(row) >= Duration.toMillis(escalateAfter)

  const follow: Step = (row) =>
    Effect.gen(function* () {
      if (row.operation !== "refundPayment" || row.status !== "done" || row.holds === null) return Option.none()
      const listed = yield* Effect.result(gateway.reads.getPaymentRefunds(row.payment_id))
      const sole = listed._tag === "Success" ? soleEntryOf(row, listed.success) : undefined
      if (sole !== undefined) {
        const entry = String(sole.id)
        const patch = compared(row, judgeEntry({ ...row, entry }, [sole]))
        const bound = yield* reported(table.bind(row, entry, patch), row)
        if (Option.isSome(bound)) return bound
      }
      return yield* moved(row, yield* seen(row, seenOf(row, Effect.fromResult(listed))))
    })

  const seenOf = (
    row: ChangeRow,
    reading = gateway.reads.getPaymentRefunds(row.payment_id)
  ): Effect.Effect<Patch, GatewayError | StoreError> =>
    Effect.gen(function* () {
      const { operation, record } = row
      if (record === null && row.entry === null) return { next_at: null }
      if (operation === "createRecurrence") return yield* seenCharge(row)
      if (operation !== "refundPayment") {
        if (isDecided(row) || record === null) return { next_at: null }
        const found = yield* reconcile(gateway.reads, record)
        return row.status === "refusing" ? judgeRefusedHold(row, found) : judge(row, found)
      }
      const list = yield* reading
      if (isContradictory(list)) return later(row, listContradicts)
      const listed = distinctRefunds(list)
      if (row.entry !== null) return compared(row, judgeEntry(row, listed))
      if (record === null) return { next_at: null }
      const refunds = yield* table.refundsOf(row.payment_id)
      const entries = newEntries(row, listed, refunds, yield* table.acknowledgedOf(row))
      const distrustedSince = entries.length === 0 ? undefined : yield* table.distrustedSince
      const isOwn = (entry: RefundHistoryItem): boolean =>
        !mayBeForgotten(row, entry, distrustedSince) &&
        (noOtherRefunders || (isOfSend(row, entry) ?? row.status === "accepted"))
      switch (row.status) {
        case "done":
          return bind(
            row,
            entries.filter((entry) => isOfSend(row, entry) !== false)
          )
        case "refusing":
          return judgeRefused(row, entries.filter(isAlikeIn(row)), isOwn)
        case "refused":
          return row.decision?.how === "operator"
            ? watch(
                row,
                entries.filter((entry) => contradicts(row, entry))
              )
            : refunds.some((other) => isRival(row, other))
              ? watchedOn(row)
              : judgeRefused(row, entries.filter(isAlikeIn(row)), isOwn)
        case "failed":
          return { next_at: null }
        default: {
          const reads = { ...gateway.reads, getPaymentRefunds: () => Effect.succeed(listed) }
          // What belongs to another one, or to no one here, is as if it had been there before.
          const refundsBefore = [...(record.refundsBefore ?? []), ...listed.filter((one) => !entries.includes(one))]
          const found = yield* reconcile(reads, { ...record, refundsBefore })
          const isUndecided = found._tag === "CannotTell" && mayChange.has(found.why)
          const alike = entries.filter(isAlikeIn(row))
          const [own, ...more] = alike.filter(isOwn)
          // What the list and the payment agree on, and the date says whose it is.
          if (own !== undefined && more.length === 0 && !isUndecided) {
            return compared(row, judgeEntry({ ...row, entry: String(own.id) }, [own]))
          }
          const [other] = found._tag === "Happened" ? alike : []
          return other === undefined ? judge(row, found) : notOurs(row, other)
        }
      }
    })

  /** The payment that a charge made decides. Until something names it, there is nothing to read. */
  const seenCharge = (row: ChangeRow): Effect.Effect<Patch, GatewayError | StoreError> =>
    Effect.gen(function* () {
      if (row.entry === null) {
        if (row.status === "refusing") return stands(row)
        if (row.status !== "unknown") return { next_at: null }
        return ageOf(row) >= Duration.toMillis(escalateAfter) ? person(row, chargeLost) : later(row, chargeLost)
      }
      const child = yield* gateway.reads.getPayment(row.entry)
      if (!isOfCharge(row, child)) {
        return later(row, `Payment ${row.entry} is not what was asked for.`, "StateContradicted")
      }
      yield* recordCharge(row, child)
      return judgeCharge(row, child)
    })

  /** What is done is read again each day for some weeks, each refund at its own time. */
  const compared = (row: ChangeRow, patch: Patch): Patch => {
    const isDone = (patch.status ?? row.status) === "done" && patch.next_at === null
    const isRecent = row.now - (row.decided_at ?? row.now) < Duration.toMillis(compareFor)
    return isDone && isRecent ? { ...patch, next_at: { after: day * (0.9 + (row.seq % 100) / 500) } } : patch
  }

  /** A refund whose response was lost, and an entry that another one may have made. */
  const notOurs = (row: ChangeRow, entry: RefundHistoryItem): Patch => {
    const problem =
      `The gateway lists refund ${entry.id} of the same amount, and does not date it to when this one was sent: it may have been made by hand. ` +
      "If it is this one, resolve the change as done with its id. If not, resolve it as notDone, then acknowledge that refund; this one is watched for."
    return row.status === "accepted" && ageOf(row) < Duration.toMillis(escalateAfter)
      ? later(row, problem)
      : person(row, problem)
  }

  /**
   * A refusal that may be the answer to another request: something between has sent it twice, and the first was taken. It
   * stands when two reads list no refund that could be it, and is watched on.
   */
  const judgeRefused = (
    row: ChangeRow,
    entries: ReadonlyArray<RefundHistoryItem>,
    isOwn: (entry: RefundHistoryItem) => boolean
  ): Patch => {
    const [entry, ...others] = entries.filter(isOwn)
    if (entry !== undefined && others.length === 0) {
      return compared(row, judgeEntry({ ...row, entry: String(entry.id) }, [entry]))
    }
    if (row.status === "refused") return watchedOn(row)
    if (entries.length > 0) return unknown("The gateway refused it, and lists a new refund of the same amount.")
    return stands(row)
  }

  /** The same of a capture or a release. */
  const judgeRefusedHold = (row: ChangeRow, found: Reconciliation): Patch =>
    found._tag === "StateReached"
      ? judge(row, found)
      : found._tag === "CannotTell" && mayChange.has(found.why)
        ? later(row, found.message)
        : stands(row)

  /** A refusal that a read agrees with: the second one decides. */
  const stands = (row: ChangeRow): Patch => {
    const { code, message = "The gateway refused it." } = row.decision ?? {}
    if (row.tries === 0) return later(row, message)
    const decided = refused("answered", message, code)
    return row.operation === "refundPayment" ? { ...decided, next_at: { after: hour }, tries: 0 } : decided
  }

  /**
   * A refund that is done, and the entries of the list that may be its own: it lets the payment go when it has found
   * it.
   */
  const bind = (row: ChangeRow, entries: ReadonlyArray<RefundHistoryItem>): Patch => {
    const alike = entries.filter(isAlikeIn(row))
    const [entry] = alike
    if (entry !== undefined && alike.length === 1) {
      return compared(row, judgeEntry({ ...row, entry: String(entry.id) }, [entry]))
    }
    const problem =
      entry === undefined
        ? "It is done, and the gateway does not list it yet. The payment's next change waits for that."
        : `It is done, and refunds ${alike.map(({ id }) => id).join(", ")} of the list could be it. The payment's next change waits.`
    const isLate = entry !== undefined || ageOf(row) >= Duration.toMillis(escalateAfter)
    return later(row, problem, isLate ? "Unbound" : undefined)
  }

  /** What was found of a change that is not decided. */
  const judge = (row: ChangeRow, found: Reconciliation): Patch => {
    switch (found._tag) {
      case "Happened":
        return found.isPending
          ? { ...later({ ...row, status: "accepted" }, found.message), status: "accepted", entry: String(found.id) }
          : compared(row, { ...done("found", found.message), entry: String(found.id) })
      case "StateReached":
        // How much of a hold was captured is not told.
        if (row.operation === "captureAuthorizationPartial" && row.status !== "accepted")
          return person(row, found.message)
        return done(row.status === "accepted" ? "found" : "stateReached", found.message)
      case "DidNotHappen":
        return refused("found", found.message)
      case "NotSeenYet":
        return row.status === "unknown" && ageOf(row) >= Duration.toMillis(escalateAfter)
          ? person(row, found.message)
          : later(row, found.message)
      case "CannotTell":
        if (row.status === "accepted" && found.why === "RefundFailed") return refused("found", found.message)
        return mayChange.has(found.why) && (row.status !== "unknown" || ageOf(row) < Duration.toMillis(escalateAfter))
          ? later(row, found.message)
          : person(row, found.message)
    }
  }

  /** Moves a row that no one has moved since it was read. */
  const moved = (row: ChangeRow, patch: Patch): ReturnType<Step> => reported(table.move(row, patch), row)

  /** Notifies an operator of what is new about a row that has moved. */
  const reported = (move: ReturnType<Step>, before: ChangeRow): ReturnType<Step> =>
    Effect.tap(move, (moved) => {
      if (Option.isNone(moved)) return Effect.void
      const { attention } = moved.value
      return attention !== null && attention !== before.attention ? onAttention(moved.value, attention) : Effect.void
    })

  return { next, follow }
}

/** The entry of a refund that is done, where the list has nothing else that is new. */
const soleEntryOf = (row: ChangeRow, list: ReadonlyArray<RefundHistoryItem>): RefundHistoryItem | undefined => {
  if (isContradictory(list)) return undefined
  const [entry, ...others] = newEntries(row, distinctRefunds(list), [], new Set())
  return entry !== undefined && others.length === 0 && isAlikeIn(row)(entry) && isOfSend(row, entry) !== false
    ? entry
    : undefined
}

const isClean = (balance: Balance): boolean => balance._tag === "Listed" && balance.unknown.length === 0

// ---------------------------------------------------------------------------------------------------------------------
// Patches
// ---------------------------------------------------------------------------------------------------------------------

const now = { after: 0 }

const listContradicts = "The gateway lists one refund twice, and says two things of it."

type Prepared =
  | { readonly _tag: "Ready"; readonly mark: Mark }
  | { readonly _tag: "NotNow"; readonly patch: Patch }
  | { readonly _tag: "Never"; readonly patch: Patch }

const ready = (record: ChangeRecord, clockOffset: number | null = null): Prepared => ({
  _tag: "Ready",
  mark: { record, clockOffset }
})

const never = (patch: Patch): Prepared => ({ _tag: "Never", patch })

/** A refund that an entry of no row of the ledger stops: see `strangeOf`. */
const stoppedBy = (strange: ReadonlyArray<RefundHistoryItem>): Patch => ({
  status: "needsOperator",
  attention: "StrangeRefund",
  next_at: null,
  problem:
    strangeRefundMessage(strange.map(({ id }) => id)) +
    "Was it made by hand for the same reason? Then resolve this change as byHand, by that refund's id. If not, acknowledge the refund, and this change goes on."
})

/** A charge that was queued when the database was restored, or one of which a forgotten payment may be. */
const mayBeCharged = (
  { payment_id }: ChangeRow,
  { chargeId, isReleasable }: Extract<ChargeRefusal, { readonly _tag: "MayBeCharged" }>
): Patch => ({
  status: "needsOperator",
  attention: "InDoubt",
  next_at: null,
  holds: null,
  attempt: null,
  problem:
    isReleasable === true
      ? `Nothing was sent: what was charged since the backup is forgotten, and this charge is for no day after the restore. Look for charges of payment ${payment_id} since then in GoPay's administration or on a statement. ` +
        "Was this one made? Then resolve it as done with its id (chargeId). If not, release the charges of the payment (releaseCharges): this one and later ones go on."
      : chargeId === undefined
        ? "Nothing was sent since the backup was restored. Whether it was sent before that, the database has forgotten: look for its order number in GoPay's administration or on a statement."
        : `Nothing was sent: charge ${chargeId} of the same first payment has its order number, and no change of this ledger made it. ` +
          "Was it this one, before a backup was restored? Then resolve this change as done with its id (chargeId). If not, resolve it as notDone, and charge with another order number."
})

const chargeLost =
  "It was sent, and its response was lost. The gateway lists no charges: its notification, a statement or GoPay's administration shows what came of it."

/** A charge whose payment is known. That of a declined one is watched as all payments are: when it is paid late, this is woken. */
const judgeCharge = (row: ChangeRow, { id, state, sub_state: subState }: PaymentResponse): Patch => {
  switch (stateOf(state)) {
    case "paid":
      return row.status === "done"
        ? {
            holds: null,
            next_at: null,
            tries: 0,
            ...(keepsAttention(row) ? undefined : { attention: null, problem: null })
          }
        : done("found", `It is paid: payment ${id}.`)
    case "closed": {
      if (row.status === "refused" || row.status === "failed") return { next_at: null }
      const reason = subState === undefined ? "" : `, ${subState}`
      return refused("found", `It was declined: payment ${id} is ${state}${reason}.`, undefined, subState)
    }
    case "open":
      return isDecided(row)
        ? { next_at: null }
        : { ...later({ ...row, status: "accepted" }, `The gateway is at it: payment ${id}.`), status: "accepted" }
  }
}

/** What the hold says before a capture or a release is sent: what has happened, or cannot happen, is not sent. */
const preparedBy = (row: ChangeRow, found: Reconciliation, record: ChangeRecord): Prepared => {
  switch (found._tag) {
    case "StateReached":
      // Of what amount an earlier capture was, nothing tells.
      return never(
        row.operation === "captureAuthorizationPartial"
          ? person(row, `${found.message} Nothing was sent.`)
          : done("stateReached", `${found.message} Nothing was sent.`)
      )
    case "DidNotHappen":
      return never(refused("found", `${found.message} Nothing was sent.`))
    case "CannotTell":
      return mayChange.has(found.why) ? notNow(row, { problem: found.message }) : ready(record)
    default:
      return ready(record)
  }
}

/** It stays queued, and is tried again after a pause. */
const notNow = (row: ChangeRow, patch: Patch, pause = 0): Prepared => ({
  _tag: "NotNow",
  patch: {
    next_at: { after: Math.max(pause, backoff(row.tries, second, 5 * minute)) },
    attention: null,
    problem: null,
    ...patch
  }
})

/** A payment that the gateway does not know cannot be changed. All other failures of a read prove nothing. */
const unprepared = (row: ChangeRow, { reason }: GatewayError): Prepared =>
  reason._tag === "PaymentNotFound"
    ? never(refused("answered", reason.message))
    : notNow(row, { problem: reason.message, attention: attentionOf(reason) ?? null }, pauseOf(reason))

const recordOf = (
  { operation, payment_id, request }: ChangeRow,
  timing: Parameters<typeof ChangeRecord.refundPayment>[2]
): ChangeRecord => {
  const { amount = 0 } = request ?? {}
  switch (operation) {
    case "refundPayment":
      return ChangeRecord.refundPayment(payment_id, { amount }, timing)
    case "captureAuthorization":
      return ChangeRecord.captureAuthorization(payment_id, timing)
    case "captureAuthorizationPartial":
      return ChangeRecord.captureAuthorizationPartial(payment_id, { amount }, timing)
    case "voidAuthorization":
      return ChangeRecord.voidAuthorization(payment_id, timing)
    case "createRecurrence": {
      const { currency = "CZK", order_number = "" } = request ?? {}
      return ChangeRecord.createRecurrence(payment_id, { amount, currency, order_number }, timing)
    }
  }
}

/** What the gateway's response says of a change, and the payment that a charge has made. */
interface Answered {
  readonly patch: Patch
  readonly child?: PaymentResponse
}

/** Whether the payment that a charge has made is the one that it is bound to. If not, it was sent twice: both are followed. */
const isBoundIn = (row: Option.Option<ChangeRow>, { id }: PaymentResponse): boolean =>
  Option.isSome(row) && row.value.entry === String(id)

type Ending = { readonly _tag: "Ended"; readonly patch: Patch } | { readonly _tag: "NotSent"; readonly patch: Patch }

/** What the gateway's response says of a change. A refund that is done waits for `follow`, which binds its entry. */
const answeredBy = ({ operation }: ChangeRow, { result }: PaymentOperationResponse, lease: number): Patch => {
  if (result !== "FINISHED") return accepted("The gateway has accepted it.")
  const decided = done("answered", "The gateway has done it.")
  return operation === "refundPayment" ? without(decided, "holds", { next_at: { after: lease }, tries: 0 }) : decided
}

/** What the end of the call says of the change. */
const endOf = (row: ChangeRow, exit: Exit.Exit<Answered, GatewayError>, wasAllowed: boolean): Ending => {
  if (Exit.isSuccess(exit)) return { _tag: "Ended", patch: exit.value.patch }
  const failure = Cause.findErrorOption(exit.cause)
  return Option.isSome(failure)
    ? endBy(row, failure.value.reason, wasAllowed)
    : wasAllowed
      ? { _tag: "Ended", patch: unknown("The client failed after it had been sent.") }
      : { _tag: "NotSent", patch: { next_at: { after: second }, problem: "The client failed before it was sent." } }
}

const endBy = (row: ChangeRow, reason: GatewayErrorReason, wasAllowed: boolean): Ending => {
  const { message } = reason
  const notSent = (pause = 0): Ending => ({
    _tag: "NotSent",
    patch: {
      next_at: { after: Math.max(pause, pauseOf(reason), backoff(row.tries, second, 5 * minute)) },
      problem: message,
      attention: attentionOf(reason) ?? null
    }
  })
  switch (reason._tag) {
    case "OutcomeUnknown":
      // The refusal of another operation: reads decide it as any refusal, but of a charge there is nothing to read.
      return row.operation !== "createRecurrence" && isRefusalOfAnother(row.operation, reason)
        ? { _tag: "Ended", patch: refusing(message, undefined) }
        : { _tag: "Ended", patch: unknown(message) }
    case "UnexpectedResponse":
      // The response to the request for a token, unless it comes from a client that is none of ours.
      return wasAllowed ? { _tag: "Ended", patch: unknown(message) } : notSent()
    case "GatewayUnavailable":
    case "RateLimited":
    case "AuthenticationFailed":
    case "PermissionDenied":
      return notSent()
    case "OperationRefused":
      if (reason.code === accountEmpty) return notSent(10 * minute)
      if (row.operation === "createRecurrence" && reason.code === chargesDisabled) return notSent(hour)
      // It may be the answer to another request, also where the goal of this one is reached: reads decide.
      return { _tag: "Ended", patch: reason.goalReached ? reached(message) : refusing(message, reason.code) }
    case "InvalidRequest":
    case "PaymentNotFound":
    case "CardNotFound":
      return { _tag: "Ended", patch: wasAllowed ? refusing(message, undefined) : refused("answered", message) }
  }
}

/** The merchant's account holds too little: https://doc.gopay.com, error codes. */
const accountEmpty = 333

/** Recurrences are not enabled for the shop: https://doc.gopay.com, error codes. */
const chargesDisabled = 341

const attentionOf = (reason: GatewayErrorReason): AttentionKind | undefined => {
  switch (reason._tag) {
    case "AuthenticationFailed":
    case "PermissionDenied":
      return "CredentialsRefused"
    case "OperationRefused":
      if (reason.code === chargesDisabled) return "ChargesDisabled"
      return reason.code === accountEmpty ? "AccountEmpty" : undefined
    default:
      return undefined
  }
}

const pauseOf = (reason: GatewayErrorReason): number => {
  switch (reason._tag) {
    case "RateLimited":
      return reason.retryAfterMillis ?? 0
    case "AuthenticationFailed":
    case "PermissionDenied":
      return minute
    default:
      return 0
  }
}

const decided = (decision: Decision): Patch => ({
  status: decision.outcome,
  decision,
  proposal: null,
  decided_at: now,
  holds: null,
  next_at: null,
  attention: null,
  problem: null
})

const done = (how: Decision["how"], message: string): Patch => decided({ outcome: "done", how, message })

const refused = (how: Decision["how"], message: string, code?: number, subState?: string): Patch =>
  decided({
    outcome: "refused",
    how,
    message,
    ...(code === undefined ? undefined : { code }),
    ...(subState === undefined ? undefined : { subState })
  })

const without = (patch: Patch, key: keyof Patch, more: Patch): Patch => {
  const { [key]: _, ...rest } = patch
  return { ...rest, ...more }
}

const accepted = (problem: string): Patch => ({
  status: "accepted",
  tries: 0,
  problem,
  attention: null,
  next_at: { after: second }
})

/** The gateway's refusal, before it is compared with what it lists. */
const refusing = (message: string, code: number | undefined): Patch => ({
  status: "refusing",
  decision: { outcome: "refused", how: "answered", message, ...(code === undefined ? undefined : { code }) },
  tries: 0,
  problem: message,
  next_at: now
})

const unknown = (problem: string): Patch => ({ status: "unknown", tries: 0, problem, next_at: { after: second } })

/** The gateway says that a hold is as it was to become. The hold is read at once. */
const reached = (problem: string): Patch => ({ ...unknown(problem), next_at: now })

const person = (row: ChangeRow, problem: string): Patch =>
  row.status === "needsOperator"
    ? later(row, problem)
    : { status: "needsOperator", attention: "InDoubt", problem, tries: 0, next_at: { after: minute } }

const contradicted = (problem: string): Patch => ({ attention: "DecisionContradicted", problem, next_at: null })

/** A refund whose entry is known: what the gateway says of it decides, and decides anew. */
const judgeEntry = (row: ChangeRow, list: ReadonlyArray<RefundHistoryItem>): Patch => {
  const entry = list.find(({ id }) => String(id) === row.entry)
  const bound = row.entry === null ? {} : { entry: row.entry }
  if (entry !== undefined && row.amount !== null && entry.amount !== row.amount) {
    const problem = `The gateway lists refund ${row.entry} with another amount than it was made with.`
    return later(row, problem, "StateContradicted")
  }
  switch (entry?.state) {
    case "SUCCESS":
      return row.status === "done"
        ? { ...bound, holds: null, next_at: null, tries: 0, attention: null, problem: null }
        : { ...bound, ...done("found", `The gateway has done it: refund ${row.entry}.`) }
    case "FAILED":
      return { ...bound, ...failedBy(row) }
    case undefined:
      return row.status === "failed" || row.status === "refused"
        ? watchedOn(row)
        : later(
            row,
            `The gateway does not list refund ${row.entry}.`,
            isLongMissing(row) ? "ListIncomplete" : undefined
          )
    default:
      if (row.status === "done") {
        // It is not done yet, whatever the response was.
        return { ...bound, ...watchedOn(row), holds: null, attention: null, problem: null }
      }
      return {
        ...bound,
        ...later({ ...row, status: "accepted" }, `The gateway has accepted it: refund ${row.entry}.`),
        status: "accepted"
      }
  }
}

/** Whether so many reads did not show what is done that a list that is behind does not explain it: some ten minutes. */
const isLongMissing = ({ status, tries }: ChangeRow): boolean => status === "done" && tries >= 10

/** A refund that the gateway lists as failed. That this is final is not documented: it is watched on. */
const failedBy = (row: ChangeRow): Patch => {
  if (row.status === "failed" || row.status === "refused") return watchedOn(row)
  const decision: Patch =
    row.status === "done"
      ? decided({
          outcome: "failed",
          how: "found",
          message: `The gateway said that it was done, and then it failed: refund ${row.entry}. The payer does not have the money.`
        })
      : refused("found", `The gateway accepted it, and then it failed: refund ${row.entry}.`)
  return { ...decision, next_at: { after: hour }, tries: 0 }
}

/** What is decided is read again, ever less often, for as long as it may prove wrong. */
const watchedOn = ({ created_at, decided_at, now, tries }: ChangeRow): Patch =>
  now - (decided_at ?? created_at) > watchedFor
    ? { next_at: null }
    : { tries: tries + 1, next_at: { after: backoff(tries, minute, day) } }

/** Another refund of the payment that a new entry may belong to. */
const isRival = (row: ChangeRow, other: ChangeRow): boolean =>
  other.key !== row.key && other.record !== null && other.entry === null && other.status !== "refused"

const isAlikeIn =
  ({ amount: asked }: ChangeRow) =>
  ({ amount }: RefundHistoryItem): boolean =>
    amount === asked

const watch = (row: ChangeRow, evidence: ReadonlyArray<RefundHistoryItem>): Patch => {
  if (evidence.length > 0) {
    const ids = evidence.map(({ id }) => id).join(", ")
    return contradicted(`It was decided that it was not made. The gateway lists refund ${ids} of the same amount.`)
  }
  return watchedOn(row)
}

/** Nothing new: it is checked again, after ever longer pauses. */
const later = (row: ChangeRow, problem: string | null, attention?: AttentionKind): Patch => {
  const [first, longest] = pauses[row.status]
  const isPersons = row.status === "needsOperator" || row.status === "refused"
  const isKept = keepsAttention(row)
  return {
    tries: row.tries + 1,
    next_at: { after: backoff(row.tries, first, longest) },
    ...(isKept ? undefined : { problem }),
    ...(isKept || isPersons ? undefined : { attention: attention ?? null })
  }
}

/** Whether an operator is needed for something that a read of the gateway does not settle. */
const keepsAttention = ({ attention }: ChangeRow): boolean => attention === "HandlerFailed" || attention === "PaidTwice"

const pauses: { readonly [status in ChangeRow["status"]]: readonly [first: number, longest: number] } = {
  queued: [second, 5 * minute],
  locked: [second, second],
  sending: [second, second],
  unknown: [second, 10 * minute],
  accepted: [second, hour],
  needsOperator: [minute, hour],
  done: [second, 10 * minute],
  refused: [hour, day],
  refusing: [second, 10 * minute],
  failed: [hour, day]
}

/** Findings that another read may not repeat. */
const mayChange: ReadonlySet<string> = new Set(["Contradiction", "RefundsMissing", "UnknownState"])

/** In milliseconds, by the database's clock. */
const ageOf = ({ created_at, now, sent_at }: ChangeRow): number => now - (sent_at ?? created_at)
