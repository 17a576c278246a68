/**
 * The outcomes to be reported to the shop: each once, in the order in which its change reached them. Triggers record
 * them together with the move of the row, so a handler that fails does not keep a row from moving. Whichever process
 * makes the next step reports the outcomes that are left.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AttentionItem } from "../model/Attention.js"
import { jsonColumn, unreadableItem, unreadableMessage, type UnreadableRow } from "../store/Rows.js"
import { hasItem } from "../store/Items.js"
import type { Database, StoreError } from "../store/Database.js"
import {
  failedKinds,
  failurePause,
  failuresUnreported,
  handlerFails,
  reportInTransaction
} from "../store/HandlerTransaction.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"
import * as EventTable from "../store/EventTable.js"
import type { EventRow } from "../store/EventTable.js"
import { changeSteps, type HistoryRow } from "../store/HistoryTable.js"
import type { ChangeEvent } from "../model/Change.js"
import { type ChangeRow, Decision, isDecided, itemOf, outcomeOf, Status } from "../store/ChangeRow.js"
import type { ChangeReports } from "./ChangeItems.js"
import type { ChangeOutcome } from "../model/Outcome.js"

export interface ChangeEventsOptions<in out Tx> extends ChangeReports {
  readonly database: Database<Tx>
  readonly lease: Duration.Duration
  readonly onChange: (event: ChangeEvent<Tx>) => Effect.Effect<unknown, unknown>
  /** The number of the merchant and its environment in the rows. */
  readonly scope: number
}

const decodeDecision = Schema.decodeUnknownOption(jsonColumn(Decision))
const decodeStatus = Schema.decodeUnknownOption(Status)

const notReported = "The shop is not notified of this outcome, nor of those of the same change after it."

const failing = failedKinds.onChange

export interface ChangeEvents {
  /** The outcomes that are due: only the oldest one of each change, since they are reported in order. */
  readonly due: (
    most: number
  ) => Effect.Effect<
    { readonly rows: ReadonlyArray<EventRow>; readonly unreadable: ReadonlyArray<UnnotifiedItem> },
    StoreError
  >
  /**
   * Takes an outcome with a lease, so that only one process reports it. If that process ends, another one takes it when
   * the lease has expired.
   */
  readonly take: (event: EventRow) => Effect.Effect<Option.Option<EventRow>, StoreError>
  /** Reports an outcome that was taken. Returns whether the shop was notified. */
  readonly report: (event: EventRow) => Effect.Effect<boolean, StoreError>
}

export const make = <Tx>(options: ChangeEventsOptions<Tx>): ChangeEvents => {
  const { attention, changes, database, lease, onChange, scope } = options
  const stepsOf = changeSteps(database, scope)
  const events = EventTable.make(database, scope)

  const setEventAside = Effect.fnUntraced(function* (event: UnreadableRow) {
    const changeSeq = Number(event.raw["change_seq"])
    const { rows } = Number.isSafeInteger(changeSeq) ? yield* changes.readableBySeq(changeSeq) : { rows: [] }
    const [row] = rows
    const unnamed = () => unreadableItem(event, () => ({ key: "ledger", operation: "ledger" }))
    return yield* events.setAside(event.seq, row === undefined ? unnamed() : unreadableOf(row, event))
  })

  const due = Effect.fnUntraced(function* (most: number) {
    const { rows, unreadable } = yield* events.due(most)
    return { rows, unreadable: yield* Effect.forEach(unreadable, setEventAside) }
  })

  /** If a handler keeps failing, an operator is notified, and the handler is retried. */
  const failed = Effect.fnUntraced(function* (event: EventRow, row: ChangeRow, cause: unknown) {
    yield* Effect.logError("onChange of the ledger failed", cause)
    yield* events.postpone(event, failurePause(event.tries).after)
    if (event.tries >= failuresUnreported && !hasItem(row, failing)) {
      yield* changes.recordItems(row, { [failing]: handlerFails("onChange") })
    }
  })

  const take = (event: EventRow): Effect.Effect<Option.Option<EventRow>, StoreError> => events.take(event, lease)

  const report = Effect.fnUntraced(function* (event: EventRow): Effect.fn.Return<boolean, StoreError> {
    const found = yield* changes.readableBySeq(event.change_seq)
    const [unreadableRow] = found.unreadable
    if (unreadableRow !== undefined) {
      // It is reported like any change that cannot be read.
      yield* changes.items.setAside(unreadableRow)
      return false
    }
    const { before, step, unreadable } = yield* stepsOf(event.change_seq, event.version)
    const [row] = found.rows
    const [unreadableStep] = unreadable
    if (row !== undefined && unreadableStep !== undefined) {
      yield* attention.found(yield* events.setAside(event.seq, unreadableOf(row, unreadableStep)))
      return false
    }
    if (row === undefined || Option.isNone(step)) {
      yield* events.remove(event, database.query)
      return false
    }
    const reported = eventOf(row, step.value, before)
    const notify = (tx: Tx) => onChange({ ...reported, tx })
    return yield* reportInTransaction(database, {
      name: "onChange",
      move: (query) => events.remove(event, query),
      report: notify
    }).pipe(
      Effect.tap(() => (hasItem(row, failing) ? changes.recordItems(row, { [failing]: null }) : Effect.void)),
      Effect.map(Option.isSome),
      Effect.catchTag("HandlerFailure", ({ cause }) => Effect.as(failed(event, row, cause), false))
    )
  })

  return { due, take, report }
}

/** The outcome after a step; nothing if it cannot be read. */
const outcomeAt = (row: ChangeRow, { at, decision, entry, message, status, version }: HistoryRow): ChangeOutcome =>
  outcomeOf({
    ...row,
    status: Option.getOrElse(decodeStatus(status), () => row.status),
    decision: decision === null ? null : Option.getOrElse(decodeDecision(decision), () => row.decision),
    entry,
    message,
    version,
    decided_at: at
  })

/** The item for an operator about a change that has an unreadable outcome. */
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
