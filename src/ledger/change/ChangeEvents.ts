/**
 * The outcomes that wait for the shop: each is reported once, in the order in which its change came to them. Triggers keep them with
 * the move of the row, so a handler that fails keeps no row from moving; whichever process makes the next step
 * reports what is left.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import type { AttentionItem } from "../model/Attention.js"
import {
  Integer,
  jsonColumn,
  reader,
  type Rows,
  unreadableItem,
  unreadableMessage,
  type UnreadableRow
} from "../store/Rows.js"
import { hasItem } from "../store/Items.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"
import type { Database, Query, StoreError } from "../store/Database.js"
import {
  failurePause,
  failuresUnreported,
  handlerFails,
  isHandlerFailing,
  reportInTransaction
} from "../store/HandlerTransaction.js"
import { changeSteps, type HistoryRow } from "../store/HistoryTable.js"
import * as Statements from "../store/Statements.js"
import type { ChangeEvent } from "../model/Change.js"
import { type ChangeRow, Decision, isDecided, itemOf, outcomeOf, Status } from "./ChangeRow.js"
import type { ChangeOutcome } from "../model/Outcome.js"
import type { LedgerParts } from "./LedgerParts.js"

export interface ChangeEventsOptions<in out Tx> extends Pick<LedgerParts, "changes" | "inFlight" | "lease" | "scope"> {
  readonly database: Database<Tx>
  readonly onChange: (event: ChangeEvent<Tx>) => Effect.Effect<unknown, unknown>
  /** Reports an outcome that cannot be read. */
  readonly onUnreadable: (unreadable: UnnotifiedItem) => Effect.Effect<void>
}

const EventRow = Schema.Struct({
  seq: Integer,
  change_seq: Integer,
  version: Integer,
  tries: Integer,
  next_at: Integer
})
type EventRow = typeof EventRow.Type

const read = reader("gopay_event", EventRow)
const decodeDecision = Schema.decodeUnknownOption(jsonColumn(Decision))
const decodeStatus = Schema.decodeUnknownOption(Status)

const batch = 50

/** In milliseconds: how long an outcome that cannot be read is left. */
const asideTime = 600_000

const notReported = "The shop is not notified of this outcome, nor of those of the same change after it."

/** How many outcomes are reported concurrently, each in a transaction. */
const concurrency = 2

export type ChangeEvents = ReturnType<typeof make>

export const none: ChangeEvents = { begin: Effect.succeed([]), count: () => 0 }

export const make = <Tx>(options: ChangeEventsOptions<Tx>) => {
  const { database, scope, inFlight, lease, onChange, onUnreadable, changes } = options
  const stepsOf = changeSteps(database, scope)
  const { isBrief, now, nowOnce, run } = Statements.make(database)
  const claimOn = Statements.notificationClaims(database, "gopay_event")

  /** The outcomes that are due: of each change only the oldest one, which the others follow. */
  const due: Effect.Effect<Rows<EventRow>, StoreError> = Effect.map(
    run(
      `SELECT *, ${now} AS now FROM gopay_event WHERE scope = ? AND next_at <= ${nowOnce}
       AND NOT EXISTS (SELECT 1 FROM gopay_event older
         WHERE older.change_seq = gopay_event.change_seq AND older.seq < gopay_event.seq)
     ORDER BY seq LIMIT ${batch}`,
      [scope]
    ),
    read
  )

  /** Leaves an outcome that cannot be read for some minutes, and has it reported. */
  const setAside = Effect.fnUntraced(function* (eventSeq: number, item: AttentionItem) {
    yield* run(`UPDATE gopay_event SET next_at = ${now} + ? WHERE seq = ? AND ${isBrief()}`, [asideTime, eventSeq])
    yield* onUnreadable({ item, claim: claimOn(Statements.ofSeq(eventSeq), "UnreadableRow") })
  })

  const setEventAside = Effect.fnUntraced(function* (event: UnreadableRow) {
    const changeSeq = Number(event.raw["change_seq"])
    const { rows } = Number.isSafeInteger(changeSeq) ? yield* changes.readableBySeq(changeSeq) : { rows: [] }
    const [row] = rows
    const unnamed = () => unreadableItem(event, () => ({ key: "ledger", operation: "ledger" }))
    yield* setAside(event.seq, row === undefined ? unnamed() : unreadableOf(row, event))
  })

  const remove =
    ({ seq }: EventRow) =>
    (query: Query) =>
      Effect.map(
        run(`DELETE FROM gopay_event WHERE seq = ? AND ${isBrief(query)} RETURNING seq`, [seq], query),
        ([removed]) => Option.fromUndefinedOr(removed)
      )

  /** A handler that fails again and again is an operator's matter; it is tried on. */
  const failed = Effect.fnUntraced(function* (event: EventRow, row: ChangeRow, cause: unknown) {
    yield* Effect.logError("onChange of the ledger failed", cause)
    yield* run(`UPDATE gopay_event SET next_at = ${now} + ?, tries = tries + 1 WHERE seq = ? AND ${isBrief()}`, [
      failurePause(event.tries).after,
      event.seq
    ])
    if (event.tries >= failuresUnreported && !hasItem(row, "HandlerFailed")) {
      yield* changes.recordItems(row, { HandlerFailed: handlerFails("onChange") })
    }
  })

  const reportOne = Effect.fnUntraced(function* (event: EventRow): Effect.fn.Return<boolean, StoreError> {
    // Only one process reports it; if that ends meanwhile, another one does when the lease has expired.
    const taken = yield* run(
      `UPDATE gopay_event SET next_at = ${now} + ? WHERE seq = ? AND next_at = ? AND ${isBrief()} RETURNING seq`,
      [Math.round(Duration.toMillis(lease)), event.seq, event.next_at]
    )
    if (taken.length === 0) return false
    const found = yield* changes.readableBySeq(event.change_seq)
    const [unreadableRow] = found.unreadable
    if (unreadableRow !== undefined) {
      // It is reported as any change that cannot be read.
      yield* changes.items.setAside(unreadableRow)
      return false
    }
    const { before, step, unreadable } = yield* stepsOf(event.change_seq, event.version)
    const [row] = found.rows
    const [unreadableStep] = unreadable
    if (row !== undefined && unreadableStep !== undefined) {
      yield* setAside(event.seq, unreadableOf(row, unreadableStep))
      return false
    }
    if (row === undefined || Option.isNone(step)) {
      yield* remove(event)(database.query)
      return false
    }
    const reported = eventOf(row, step.value, before)
    const report = (tx: Tx) => onChange({ ...reported, tx })
    return yield* reportInTransaction(database, { name: "onChange", move: remove(event), report }).pipe(
      Effect.tap(() =>
        isHandlerFailing(row, "onChange") ? changes.recordItems(row, { HandlerFailed: null }) : Effect.void
      ),
      Effect.map(Option.isSome),
      Effect.catchTag("HandlerFailure", ({ cause }) => Effect.as(failed(event, row, cause), false))
    )
  })

  const places = Semaphore.makeUnsafe(concurrency)
  /** The fibers that report outcomes in this process, and those that wait for a place. */
  const reporting = new Map<number, Fiber.Fiber<number>>()
  let count = 0

  const report = (event: EventRow): Effect.Effect<number> =>
    inFlight
      .runOnce(
        `outcome ${event.seq}`,
        places.withPermits(1)(Effect.suspend(() => (inFlight.isClosing() ? Effect.succeed(false) : reportOne(event))))
      )
      .pipe(
        Effect.flatMap((isReported) => {
          if (isReported !== true) return Effect.succeed(0)
          count++
          // The next one of the same change waits for this one.
          return Effect.as(Effect.forkIn(Effect.ignore(begin), inFlight.scope), 1)
        }),
        Effect.catch((error) => Effect.as(Effect.logWarning("The ledger waits", error), 0)),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logError("The ledger failed to notify the shop of an outcome, and tries again", defect), 0)
        ),
        Effect.ensuring(Effect.sync(() => reporting.delete(event.seq)))
      )

  /**
   * Begins to report the outcomes that are due, those of a change in order, and does not wait for their handlers. Gives the
   * fibers that report any, whoever in this process has begun them: 1 for each outcome that was reported.
   */
  const begin: Effect.Effect<ReadonlyArray<Fiber.Fiber<number>>, StoreError> = Effect.gen(function* () {
    const begun: Array<Fiber.Fiber<number>> = []
    const { rows, unreadable } = yield* due
    for (const event of unreadable) yield* setEventAside(event)
    for (const event of rows) {
      if (reporting.has(event.seq)) continue
      const fiber = yield* Effect.forkIn(report(event), inFlight.scope)
      begun.push(fiber)
      // It may have ended before this goes on.
      if (fiber.pollUnsafe() === undefined) reporting.set(event.seq, fiber)
    }
    return [...new Set([...begun, ...reporting.values()])]
  })

  return {
    begin,
    /** How many this process has reported: what a handler has submitted is due then. */
    count: () => count
  }
}

/** The outcome that a step led to, where it can be read. */
const outcomeAt = (row: ChangeRow, { at, decision, entry, problem, status, version }: HistoryRow): ChangeOutcome =>
  outcomeOf({
    ...row,
    status: Option.getOrElse(decodeStatus(status), () => row.status),
    decision: decision === null ? null : Option.getOrElse(decodeDecision(decision), () => row.decision),
    entry,
    problem,
    version,
    decided_at: at
  })

/** What an operator is shown of a change one of whose outcomes cannot be read. */
const unreadableOf = (change: ChangeRow, row: UnreadableRow): AttentionItem => ({
  ...itemOf(change, { kind: "UnreadableRow", message: unreadableMessage(row, notReported), version: change.version }),
  decisions: []
})

const eventOf = (row: ChangeRow, step: HistoryRow, before: Option.Option<HistoryRow>) => ({
  eventId: `${row.payment_id}-${row.seq}-${step.version}`,
  key: row.key,
  paymentId: Number(row.payment_id),
  operation: row.operation,
  ...(row.amount === null ? undefined : { amount: row.amount }),
  outcome: outcomeAt(row, step),
  ...(Option.isSome(before) && isDecided(before.value)
    ? { correction: true, before: outcomeAt(row, before.value) }
    : { correction: false })
})
