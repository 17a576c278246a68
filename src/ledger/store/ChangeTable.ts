/**
 * The statements on the table of changes. Each has its assumptions in its condition: a row that does not meet them does
 * not move.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import { numberIn, reader } from "./Rows.js"
import type { SqlValue } from "../model/LedgerStore.js"
import { type ChangeRecord, parseChangeRecord } from "../../client/error/ChangeRecordSchema.js"
import { type ChangeRequest, ChangeRow, type Status, wasSent } from "./ChangeRow.js"
import type { Query, ReadableDatabase, StoreError } from "./Database.js"
import { acknowledgedRefunds } from "./RefundTable.js"
import * as TableReads from "./TableReads.js"
import type { ItemPatch } from "./Items.js"
import * as ItemTable from "./ItemTable.js"
import { hasDetails, isSignedRelease, isUndecided } from "./Sql.js"
import { listTime } from "./LedgerTable.js"
import * as Statements from "./Statements.js"
import type { Condition, NewValues, PatchOf, TableOwner, TimePlace } from "./Statements.js"
import { hour, minute } from "../../basics/Milliseconds.js"

/** A charge locks only itself, and waits for no other change of its payment. */
const isCharge = "operation = 'createRecurrence'"

/** When `distrust` was called, from the ledger's row. */
const restoredAt = `refunds_from - ${listTime}`

/** What is known of a restore, if there was one; `more` adds columns. */
const restoreOf = (more = ""): string =>
  `SELECT ${restoredAt} AS at, distrusted_since AS since${more} FROM gopay_ledger WHERE id = 1 AND distrusted_since IS NOT NULL`

/** Who decided, and why. */
export interface Said {
  readonly by: string
  readonly note: string
}

type NewChange = Pick<ChangeRow, "key" | "payment_id" | "operation" | "hash"> & { readonly request: ChangeRequest }

/** What is committed before a change is sent. */
export type Mark = Pick<ChangeRow, "clock_offset"> & { readonly record: ChangeRecord }

interface Columns extends PatchOf<
  Omit<ChangeRow, "key" | "payment_id" | "operation" | "amount" | "hash" | "attention">
> {
  readonly attention?: ItemPatch
}

export interface Patch extends Columns {
  readonly attempt?: null
  readonly holds?: null
  readonly request?: null
}

const read = reader("gopay_change", ChangeRow)

export type ChangeTable = ReturnType<typeof make>

export type Provenance = Effect.Success<ReturnType<ChangeTable["provenanceOf"]>>

export type ChargeTrust = NonNullable<Effect.Success<ReturnType<ChangeTable["trustIn"]>>>

export const make = (database: ReadableDatabase, scope: number, owner: TableOwner) => {
  const base = baseOf(database, scope, owner)
  return { ...readsOf(base), ...chargesOf(base), ...claimsOf(base), ...writesOf(base) }
}

type Base = ReturnType<typeof baseOf>

const baseOf = (database: ReadableDatabase, scope: number, { installation, processName }: TableOwner) => {
  const statements = Statements.make(database)
  const items = ItemTable.make(database, scope, "gopay_change", read)
  const reads = TableReads.attending(database, scope, "gopay_change", read, items)
  const acknowledged = acknowledgedRefunds(database, scope)

  const updateOf = (key: string, { sql, values }: Condition, patch: Columns, more: ReadonlyArray<Condition> = []) => {
    const where = { sql: `scope = ? AND key = ? AND ${sql}`, values: [scope, key, ...values] }
    return statements.updateOf("gopay_change", where, { ...patch, process: processName }, more)
  }
  const update = (...args: Parameters<typeof updateOf>) => reads.written(updateOf(...args))

  return {
    ...statements,
    items,
    reads,
    /** The ids of a payment's entries that are acknowledged as not the ledger's. */
    acknowledgedOf: ({ payment_id }: ChangeRow): Effect.Effect<ReadonlySet<string>, StoreError> =>
      Effect.map(acknowledged(payment_id), (refunds) => new Set(refunds.map(({ refundId }) => String(refundId)))),
    scope,
    processName,
    isOpen: Statements.isOpenIn(installation),
    lockOf: ({ key, operation, payment_id }: ChangeRow): string =>
      operation === "createRecurrence" ? `${scope} ${payment_id} ${key}` : `${scope} ${payment_id}`,
    updateOf,
    update,
    /** Moves a row if it has not moved since it was read, and if a condition holds. */
    moveIf: (row: ChangeRow, patch: Columns, condition: string, values: ReadonlyArray<SqlValue> = []) =>
      update(row.key, { sql: `version = ? AND ${condition}`, values: [row.version, ...values] }, patch)
  }
}

const byAttempt = (attempt: string, ...statuses: ReadonlyArray<Status>): Condition => ({
  sql: `attempt = ? AND status IN (${statuses.map((status) => `'${status}'`).join(", ")})`,
  values: [attempt]
})

/** What a change waits for: undecided changes of its payment, and those that were queued before it. */
const before = `SELECT 1 FROM gopay_change other
  WHERE other.scope = gopay_change.scope AND other.payment_id = gopay_change.payment_id
    AND NOT other.${isCharge}
    AND (other.holds IS NOT NULL OR (other.status = 'queued' AND other.seq < gopay_change.seq))`

const isRefund = "payment_id = ? AND operation = 'refundPayment'"

const readsOf = ({ acknowledgedOf, items, one, reads: { due, first, readable, rows }, scope }: Base) => ({
  acknowledgedOf,
  due,
  items,

  find: (key: string, query?: Query) => first("key = ?", [key], query),

  /** The change with a number, even if it cannot be read. */
  readableBySeq: (seq: number) => readable("seq = ?", [seq]),

  /** The recorded changes with these keys, oldest first. */
  ofKeys: (keys: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ChangeRow>, StoreError> =>
    keys.length === 0 ? Effect.succeed([]) : rows(`${Statements.isOneOf("key", keys)} ORDER BY seq`, keys),

  refundsOf: (paymentId: string) => rows(`${isRefund} ORDER BY seq`, [paymentId]),

  /** The captures of a payment that may have been sent, or that are done because an operator said so. */
  capturesOf: (paymentId: string): Effect.Effect<ReadonlyArray<ChangeRow>, StoreError> =>
    rows(
      "payment_id = ? AND operation IN ('captureAuthorization', 'captureAuthorizationPartial') AND (sent_at IS NOT NULL OR status = 'done')",
      [paymentId]
    ),

  /**
   * What is known of refunds of the payment that no row has made. `gatewayTime` is the gateway's clock at the row's
   * `now`.
   */
  provenanceOf: Effect.fnUntraced(function* (row: ChangeRow, gatewayTime: number | undefined) {
    const found = yield* one(
      `SELECT epoch, (SELECT is_owned FROM gopay_payment WHERE scope = ? AND payment_id = ?) AS is_owned
         FROM gopay_ledger WHERE id = 1`,
      [scope, row.payment_id]
    )
    const epoch = numberIn(found, "epoch")
    return {
      /** Whether the ledger created or adopted the payment; then no one refunds it without its knowledge. */
      isOwned: numberIn(found, "is_owned") === 1,
      /** The ids of the entries that an operator or an adoption has acknowledged. */
      acknowledged: yield* acknowledgedOf(row),
      /**
       * For a payment that is not the ledger's: entries requested before this time, by the gateway's clock, are
       * ignored.
       */
      oldBefore:
        epoch === undefined || gatewayTime === undefined
          ? undefined
          : epoch - Statements.clockDrift + (gatewayTime - row.now)
    }
  })
})

const isLostCharge = `${isCharge} AND entry IS NULL AND sent_at IS NOT NULL AND ${isUndecided}
  AND status IN ('sending', 'refusing', 'unknown', 'needsOperator')`

const chargesOf = ({ one, reads: { rows }, scope }: Base) => ({
  /** The charge of a first payment that an attempt made, if there is one. */
  chargeOf: (firstPaymentId: string, attempt: string) =>
    rows(`payment_id = ? AND attempt = ? AND ${isCharge}`, [firstPaymentId, attempt]),

  /** The charge that is bound to a payment, if there is one. */
  chargesBoundTo: (firstPaymentId: string, childId: number | string) =>
    rows(`payment_id = ? AND entry = ? AND ${isCharge}`, [firstPaymentId, String(childId)]),

  /** The charges of a first payment that were sent and whose payment is unknown. */
  lostCharges: (firstPaymentId: string) => rows(`${isLostCharge} AND payment_id = ?`, [firstPaymentId]),

  /**
   * When `distrust` was called, and since when the rows are distrusted, by the database's clock; nothing if it never
   * was.
   */
  distrusted: Effect.map(
    one(restoreOf()),
    (found) => found && { at: Number(found["at"]), since: Number(found["since"]) }
  ),

  /**
   * What is known of the charges of a first payment since a backup was restored; nothing if none was. All times are by
   * the database's clock, in milliseconds since 1970.
   */
  trustIn: (firstPaymentId: string) =>
    Effect.map(
      one(
        restoreOf(`,
           (SELECT released_at FROM gopay_release WHERE scope = ? AND payment_id = ? AND proposed = 0) AS released_at,
           (SELECT created_at FROM gopay_payment WHERE scope = ? AND payment_id = ? AND EXISTS (
             SELECT 1 FROM gopay_history WHERE subject = 'payment' AND subject_seq = gopay_payment.seq
               AND gopay_history.status = 'creating')) AS made_at`),
        [scope, firstPaymentId, scope, firstPaymentId]
      ),
      (found) =>
        found && {
          /** When `distrust` was called. */
          at: Number(found["at"]),
          /** When an operator last released the charges of the first payment. */
          releasedAt: numberIn(found, "released_at"),
          /** When this ledger made the first payment. */
          madeAt: numberIn(found, "made_at")
        }
    )
})

/** The statements that take a change from the queue to its end. */
const claimsOf = (base: Base) => {
  const { awaitLocked, isAlone, isLeased, isOpen, lockOf, moveIf, now, one, reads, scope, update, updateOf } = base
  /** The hold of the payment is about to end, by the shop's own limit or after the gateway's four days. */
  const isUrgent = `(operation IN ('captureAuthorization', 'captureAuthorizationPartial', 'voidAuthorization') AND EXISTS (
    SELECT 1 FROM gopay_payment held WHERE held.scope = gopay_change.scope AND held.payment_id = gopay_change.payment_id
      AND held.state = 'AUTHORIZED' AND (held.hold_until <= ${now} + ${hour} OR held.moved_at <= ${now} - ${90 * hour})))`

  return {
    /**
     * Locks the payment for a due, queued change, if no other change of the payment is undecided or was queued earlier.
     * The unique `holds` ensures that only one change has the lock. A change that the breaker has stopped stays queued,
     * unless it is a probe or its hold is about to end. Also returns the other refunds of the payment.
     */
    lock: (row: ChangeRow, attempt: string, lease: number, isProbe: boolean) => {
      const { key, operation, payment_id, version } = row
      const locked = updateOf(
        key,
        {
          sql: `version = ? AND status = 'queued' AND ${isOpen.sql}
            AND (NOT EXISTS (SELECT 1 FROM gopay_breaker
                WHERE scope = ? AND circuit IN ('reads', ?) AND probe_at IS NOT NULL) OR ${isUrgent})
            AND (operation <> 'refundPayment' OR ${now} >= (SELECT refunds_from FROM gopay_ledger))
            AND (${isCharge} OR NOT EXISTS (${before}))`,
          values: [version, ...isOpen.values, scope, isProbe ? "reads" : operation]
        },
        { status: "locked", attempt, holds: lockOf(row), next_at: { after: lease } }
      )
      return operation === "refundPayment"
        ? reads.writeAndRead(locked, { sql: isRefund, values: [payment_id] })
        : Effect.map(reads.written(locked), (written) => ({
            written: Option.getOrUndefined(written),
            others: []
          }))
    },

    /**
     * Postpones a queued change until it is woken, or for a time. It stays due if what it waits for has just released
     * the payment: that process may have looked for the next change before this one was recorded.
     */
    putOff: (row: ChangeRow, time: number) =>
      moveIf(row, { next_at: { after: time } }, `EXISTS (${before} ${awaitLocked})`),

    /**
     * Writes the mark, which is committed before the change is sent. A first operator's decision about an earlier
     * attempt does not apply to this one.
     */
    mark: (key: string, attempt: string, { clock_offset, record }: Mark, lease: number) =>
      update(
        key,
        {
          sql: `attempt = ? AND status = 'locked' AND ${isLeased} AND ${isOpen.sql}`,
          values: [attempt, ...isOpen.values]
        },
        {
          status: "sending",
          record: Result.getOrThrow(parseChangeRecord(record)),
          proposal: null,
          sent_at: Statements.now,
          clock_offset,
          next_at: { after: lease }
        }
      ),

    /**
     * The pre-send check of an attempt whose mark is committed. Returns for how many milliseconds, by the database's
     * clock, it still has its lease, 0 if it must not be sent; and whether reads, or changes of its operation, are on
     * record as failing.
     */
    maySend: ({ key, operation }: ChangeRow, attempt: string) =>
      Effect.map(
        one(
          `SELECT next_at - ${now} AS time,
             (SELECT COUNT(*) FROM gopay_breaker WHERE scope = ? AND circuit IN ('reads', ?)) AS failing
           FROM gopay_change WHERE scope = ? AND key = ? AND attempt = ? AND status = 'sending'
             AND ${isLeased} AND ${isOpen.sql} AND ${isAlone}`,
          [scope, operation, scope, key, attempt, ...isOpen.values]
        ),
        (found) => ({ time: numberIn(found, "time") ?? 0, hasFailed: (numberIn(found, "failing") ?? 0) > 0 })
      ),

    /** Records the end of an attempt, which only its process knows. A binding made by a notification stays. */
    end: (key: string, attempt: string, { entry, ...patch }: Patch) =>
      update(
        key,
        byAttempt(attempt, "sending", "unknown", "needsOperator"),
        patch,
        entry === undefined ? [] : [{ sql: "entry = COALESCE(entry, ?)", values: [entry] }]
      ),

    /**
     * Records that an attempt was certainly not sent. If its payment is known, a proxy has sent the charge after all,
     * and the row stays.
     */
    notSent: (key: string, attempt: string, patch: Patch) => {
      const { sql, values } = byAttempt(attempt, "locked", "sending", "unknown", "needsOperator")
      return update(
        key,
        { sql: `${sql} AND NOT (${isCharge} AND entry IS NOT NULL)`, values },
        { status: "queued", attempt: null, holds: null, record: null, sent_at: null, ...patch }
      )
    },

    /** An attempt has succeeded late, although an operator decided that it was not made. */
    contradict: (key: string, attempt: string, message: string) =>
      update(key, byAttempt(attempt, "refused"), { attention: { DecisionContradicted: message }, message })
  }
}

/** In milliseconds: twice the longest wait of an undecided change, or of an outcome whose handler fails. */
const longestWait = 2 * hour

const writesOf = ({ insertOf, isBrief, moveIf, now, processName, reads, run, scope, update }: Base) => ({
  insert: (change: NewChange, query?: Query) => {
    const due = { status: "queued", created_at: Statements.now, next_at: Statements.now }
    const columns = { scope, ...change, amount: change.request.amount, process: processName, ...due }
    return reads.written(insertOf("gopay_change", columns, undefined, query), query)
  },

  /**
   * Moves a row that has not moved since it was read. A refund is not bound to an entry that belongs to another refund
   * or was acknowledged.
   */
  move: (row: ChangeRow, patch: Patch) => moveIf(row, patch, "1 = 1"),

  /** Begins or ends an item that does not depend on the change's progress, whatever step is being made meanwhile. */
  recordItems: ({ key }: Pick<ChangeRow, "key">, attention: ItemPatch) =>
    update(key, { sql: "1 = 1", values: [] }, { attention }),

  /**
   * Brings rows that wait longer than any change or outcome may wait forward to a minute from now: they were written
   * while the database's clock was ahead. Queued charges are left alone, since they may be for a later day.
   */
  boundWaits: Effect.gen(function* () {
    const isTooFar = `scope = ? AND next_at > ${now} + ${longestWait} AND ${isBrief()}`
    yield* run(
      `UPDATE gopay_change SET next_at = ${now} + ${minute}
       WHERE ${isTooFar} AND ${isUndecided} AND NOT (status = 'queued' AND operation = 'createRecurrence')`,
      [scope]
    )
    yield* run(`UPDATE gopay_event SET next_at = ${now} + ${minute} WHERE ${isTooFar}`, [scope])
  }),

  /** Makes queued changes due: sending was stopped, and continues. */
  wakeQueued: run(
    `UPDATE gopay_change SET next_at = ${now}, version = version + 1
     WHERE scope = ? AND status = 'queued' AND ${isUndecided} AND ${isBrief()}`,
    [scope]
  )
})

export const operating = (database: ReadableDatabase, scope: number, owner: TableOwner) => {
  const { isBrief, items, lockOf, moveIf, nowOnce, now, processName, reads, run } = baseOf(database, scope, owner)
  const { updateOf } = Statements.make(database)

  const queued = {
    status: "queued",
    attempt: null,
    holds: null,
    message: null,
    proposal: null,
    next_at: Statements.now
  }
  /** Moves the changes of a payment that wait for an operator and of which nothing was sent. */
  const moveUnsent = (paymentId: string, condition: string, columns: NewValues & { readonly attention: ItemPatch }) => {
    const unsent = `scope = ? AND payment_id = ? AND status = 'needsOperator' AND sent_at IS NULL AND ${condition}`
    const { sql, values } = updateOf(
      "gopay_change",
      { sql: unsent, values: [scope, paymentId] },
      { ...columns, tries: 0, process: processName },
      []
    )
    return Effect.asVoid(run(sql, values))
  }
  const isStopped = `EXISTS (SELECT 1 FROM gopay_item WHERE subject = 'change' AND subject_seq = gopay_change.seq
    AND kind = 'StrangeRefund')`
  const isStoppedCharge = `${isCharge} AND created_at > (SELECT ${restoredAt} FROM gopay_ledger WHERE id = 1)`
  const recordRelease = (firstPaymentId: string, { by, note }: Said, proposed: 0 | 1) =>
    run(
      `INSERT INTO gopay_release (scope, payment_id, released_by, note, released_at, proposed)
       VALUES (?, ?, ?, ?, ${now}, ${proposed})
       ON CONFLICT (scope, payment_id, proposed) DO UPDATE SET released_by = excluded.released_by, note = excluded.note,
         released_at = excluded.released_at`,
      [scope, firstPaymentId, by, note]
    )

  return {
    ...TableReads.listing(database, scope, reads, items, "change"),

    /** The changes of payments, oldest first. Those that cannot be read are left out. */
    ofPayments: (paymentIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ChangeRow>, StoreError> =>
      paymentIds.length === 0
        ? Effect.succeed([])
        : reads.readableRows(`${Statements.isOneOf("payment_id", paymentIds)} ORDER BY seq`, paymentIds),

    /** Undecided changes that cannot be read, after a place in the lists, that no worker has set aside yet. */
    unreadable: (after: TableReads.Place | undefined) => {
      const { sql, values } = TableReads.isAfterPlace("change", after)
      return Effect.map(
        reads.readable(
          `attention IS NULL AND NOT ${ItemTable.isAside("gopay_change")} AND ${isUndecided} AND ${sql}
           ORDER BY created_at, seq LIMIT 500`,
          values
        ),
        ({ unreadable }) => unreadable
      )
    },

    /** The charges that were sent and whose payment is unknown, as far as they can be read. */
    allLostCharges: reads.readableRows(isLostCharge, []),

    /** Changes that were decided longer ago than this, in milliseconds, and that have no open items or outcomes. */
    forgettable: (age: number, after: TimePlace) => {
      const { sql, values } = Statements.isAfter("decided_at", after)
      return reads.readableRows(
        `${sql} AND decided_at <= ${nowOnce} - ? AND ${hasDetails} AND COALESCE(holds, attention) IS NULL
         AND (next_at IS NULL OR (status = 'done' AND entry IS NOT NULL))
         AND NOT EXISTS (SELECT 1 FROM gopay_event WHERE change_seq = gopay_change.seq) ORDER BY decided_at, seq LIMIT 1000`,
        [...values, age]
      )
    },

    /** The largest amount of the stopped charges of a first payment; nothing if none was stopped. */
    largestStoppedCharge: (firstPaymentId: string) =>
      Effect.map(
        run(
          `SELECT MAX(amount) AS amount FROM gopay_change
           WHERE scope = ? AND payment_id = ? AND status = 'needsOperator' AND sent_at IS NULL AND ${isCharge}`,
          [scope, firstPaymentId]
        ),
        ([found]) => numberIn(found, "amount")
      ),

    /** The decision, since the restore, whether the charges of a first payment continue. */
    releaseOf: (firstPaymentId: string) =>
      Effect.map(
        run(
          `SELECT released_by, note, proposed FROM gopay_release WHERE scope = ? AND payment_id = ?
             AND released_at > (SELECT ${restoredAt} FROM gopay_ledger WHERE id = 1)`,
          [scope, firstPaymentId]
        ),
        (found) => {
          const proposed = found.find((row) => numberIn(row, "proposed") === 1)
          return {
            isReleased: found.some((row) => numberIn(row, "proposed") === 0),
            /** The decision of one operator, until a second one decides the same. */
            proposal: proposed && { by: String(proposed["released_by"]), note: String(proposed["note"]) }
          }
        }
      ),

    /**
     * Records the decision of one operator until a second one decides the same, and shows it at the stopped charges.
     */
    proposeRelease: (firstPaymentId: string, said: Said, message: string) =>
      Effect.andThen(
        recordRelease(firstPaymentId, said, 1),
        moveUnsent(firstPaymentId, isStoppedCharge, { attention: { InDoubt: message }, message })
      ),

    /**
     * Records that the charges of a first payment continue, and queues those again that were stopped since the restore.
     */
    releaseCharges: (firstPaymentId: string, said: Said) =>
      Effect.gen(function* () {
        yield* recordRelease(firstPaymentId, said, 0)
        yield* run(`DELETE FROM gopay_release WHERE scope = ? AND payment_id = ? AND proposed = 1 AND ${isBrief()}`, [
          scope,
          firstPaymentId
        ])
        yield* moveUnsent(firstPaymentId, isStoppedCharge, { ...queued, attention: { InDoubt: null } })
      }),

    /** Erases who released charges, and why, if that was longer ago than this, in milliseconds. Returns how many. */
    eraseReleases: (age: number) =>
      Effect.map(
        run(
          `UPDATE gopay_release SET released_by = '', note = ''
           WHERE scope = ? AND released_at <= ${nowOnce} - ? AND ${isSignedRelease} AND ${isBrief()}
           RETURNING payment_id`,
          [scope, age]
        ),
        (rows) => rows.length
      ),

    /**
     * Reverts a decision if nothing depends on it: no other change of the payment was sent since, and none holds the
     * lock. A change that was sent takes the lock again.
     */
    takeBack: (row: ChangeRow, patch: Patch) =>
      moveIf(
        row,
        { ...patch, ...(wasSent(row) ? { holds: lockOf(row) } : undefined) },
        `(${isCharge} OR NOT EXISTS (
          SELECT 1 FROM gopay_change other WHERE other.scope = gopay_change.scope
            AND other.payment_id = gopay_change.payment_id AND other.seq <> gopay_change.seq
            AND NOT other.${isCharge} AND (other.holds IS NOT NULL OR other.sent_at >= ?)))`,
        [row.decided_at]
      ),

    /** Shows an operator's proposal at the refunds of a payment that are stopped by an entry of no row. */
    reportStopped: (paymentId: string, message: string) =>
      moveUnsent(paymentId, isStopped, { attention: { StrangeRefund: message }, message }),

    /** Queues again the refunds of a payment that were stopped by an entry of no row. */
    requeueStopped: (paymentId: string) =>
      moveUnsent(paymentId, isStopped, { ...queued, attention: { StrangeRefund: null } })
  }
}
