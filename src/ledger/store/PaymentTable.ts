/**
 * The rows of payments, and the statements on them. Each has its assumptions in its condition: a row that does not meet
 * them does not move.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { attentionKinds } from "../model/Attention.js"
import { paymentDecisionNames } from "../model/Decisions.js"
import { orderKeyPrefix, paymentOfKey } from "../model/LedgerKey.js"
import { attentionColumn, type ItemPatch } from "./Items.js"
import * as ItemTable from "./ItemTable.js"
import { Integer, jsonColumn, movingColumns, numberIn, reader } from "./Rows.js"
import type { Query, ReadableDatabase, StoreError } from "./Database.js"
import { endedAt, hasWords, isUnpaid } from "./Sql.js"
import * as TableReads from "./TableReads.js"
import * as Statements from "./Statements.js"
import { type OrderKey, type OrderPatch, type OrderRow, type OrderTable, shopOrder } from "./OrderTable.js"
import { minute } from "../../basics/Milliseconds.js"

/** The part of a payment's request that readings are compared with. Nothing else of the request is stored. */
export const Terms = Schema.Struct({
  amount: Schema.Int,
  currency: Schema.String,
  preauthorization: Schema.optional(Schema.Boolean),
  recurrence: Schema.optional(
    Schema.Struct({
      recurrence_cycle: Schema.String,
      recurrence_period: Schema.optional(Schema.Int),
      recurrence_date_to: Schema.String
    })
  )
})
export type Terms = typeof Terms.Type

/** What happens to a hold that the shop does not end itself. */
export const Hold = Schema.Struct({
  /** In milliseconds, from the last time at which the payment was seen without the hold. */
  atMost: Schema.Int,
  end: Schema.Literals(["capture", "release"])
})
export type Hold = typeof Hold.Type

/** An operator's decision about a payment. */
export const OperatorDecision = Schema.Struct({
  kind: Schema.Literals(attentionKinds),
  as: Schema.Literals(paymentDecisionNames),
  by: Schema.String,
  note: Schema.String,
  /** The key of the change that gives its money back. */
  change: Schema.optional(Schema.String)
})
export type OperatorDecision = typeof OperatorDecision.Type

/**
 * The progress of its creation:
 *
 * - `creating`: the mark is committed. The request may be on the wire.
 * - `lost`: the payment may exist. No one has its address, so no one can pay it.
 * - `inDoubt`: the payment may exist, and needs no payer.
 * - `created`: the payment has an id; `state` is the last one that was read.
 * - `unknown`: a ledger made it, but this one has no record of it; or it is a charge of a first payment that this
 *   ledger does not know.
 */
const PaymentStatus = Schema.Literals(["creating", "lost", "inDoubt", "created", "unknown"])

export const PaymentRow = Schema.Struct({
  ...movingColumns,
  order_number: Schema.String,
  /** The name of the attempt to create it, which the payment carries in its `additional_params`. */
  attempt: Schema.String,
  status: PaymentStatus,
  /** The order number, for the one payment of the order that is on offer or paid: unique. */
  offered: Schema.NullOr(Schema.String),
  terms: jsonColumn(Terms),
  /** 0 for a payment with a stored card. */
  needs_payer: Integer,
  /** 1 if every refund of it is the ledger's own or acknowledged. */
  is_owned: Integer,
  payment_id: Schema.NullOr(Schema.String),
  /** For a charge of a recurrence: its first payment. */
  parent_id: Schema.NullOr(Schema.String),
  /** A secret. Kept while the payment can still be paid at it. */
  gw_url: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  /** The amount that the ledger's own capture of a hold proves; `null` if none does, or if it is not a hold. */
  captured: Schema.NullOr(Integer),
  refunded: Integer,
  /** Counts the notifications of the shop. */
  moves: Integer,
  hold: Schema.NullOr(jsonColumn(Hold)),
  decisions: Schema.NullOr(jsonColumn(Schema.Array(OperatorDecision))),
  /** The group that it pays for together with payments of other orders, and the sum of that group. */
  group_name: Schema.NullOr(Schema.String),
  group_total: Schema.NullOr(Integer),
  /** The `reference` that the shop gave. */
  reference: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  attention: attentionColumn,
  /** How one read contradicted the row, and since when. It counts if a later read says the same. */
  doubt: Schema.NullOr(Schema.String),
  doubt_since: Schema.NullOr(Integer),
  created_at: Integer,
  /** When it was first read as paid. It never moves. */
  paid_at: Schema.NullOr(Integer),
  pay_until: Schema.NullOr(Integer),
  hold_until: Schema.NullOr(Integer),
  checked_at: Schema.NullOr(Integer),
  moved_at: Schema.NullOr(Integer)
})
export type PaymentRow = typeof PaymentRow.Type

/** The name of an order's payment, for people. No key of the shop begins like it. */
export const nameOf = ({ order_number, seq }: PaymentRow): string => paymentNameOf(order_number, seq)

/** The same name, from the order's number and the row's. */
export const paymentNameOf = (orderNumber: string, seq: number): string => `${orderKeyPrefix}${orderNumber}:${seq}`

type Always = "order_number" | "attempt" | "status" | "terms" | "needs_payer" | "is_owned"
type Perhaps = "payment_id" | "parent_id" | "gw_url" | "state" | "hold" | "group_name" | "group_total" | "reference"

/** A payment that is to be created or taken over. */
export interface NewPayment extends Pick<PaymentRow, Always>, Partial<Pick<PaymentRow, Perhaps | "message">> {
  readonly isOffered: boolean
  readonly attention?: ItemPatch
  readonly pay_until?: Statements.After | null
  readonly next_at?: Statements.After
}

export interface PaymentPatch extends Statements.PatchOf<
  Omit<
    PaymentRow,
    "order_number" | "attempt" | "terms" | "needs_payer" | "parent_id" | "hold" | "hold_until" | "attention"
  >
> {
  readonly attention?: ItemPatch
  readonly offered?: string | null
  readonly is_owned?: 1
  readonly payment_id?: string
  readonly state?: string
  readonly hold_until?: number | null
}

const read = reader("gopay_payment", PaymentRow)

export type PaymentTable = ReturnType<typeof make>

export const make = (database: ReadableDatabase, scope: number, owner: Statements.TableOwner, orders: OrderTable) => {
  const { installation, processName } = owner
  const statements = Statements.make(database)
  const { isAlone, isBrief, isLeased, now, nowOnce, one, run } = statements
  const items = ItemTable.make(database, scope, "gopay_payment", read)
  const reads = TableReads.attending(database, scope, "gopay_payment", read, items)
  const { due, first, rows, written } = reads
  const isOpen = Statements.isOpenIn(installation)

  const updateOf = (where: Statements.Condition, patch: PaymentPatch, query?: Query) => {
    const own = { sql: `scope = ? AND ${where.sql}`, values: [scope, ...where.values] }
    return statements.updateOf("gopay_payment", own, { ...patch, process: processName }, [], query)
  }

  const createdOf = (
    attempt: string,
    paymentId: number,
    patch: Pick<PaymentPatch, "gw_url" | "checked_at" | "offered"> = {},
    query?: Query
  ) => {
    const payment_id = String(paymentId)
    const isCreation = {
      sql: "attempt = ? AND status IN ('creating', 'lost', 'inDoubt', 'created') AND (payment_id IS NULL OR payment_id = ?)",
      values: [attempt, payment_id]
    }
    const said = { attention: { InDoubt: null }, message: null, checked_at: Statements.now, next_at: { after: minute } }
    return updateOf(isCreation, { status: "created", payment_id, ...said, ...patch }, query)
  }

  const insertOf = ({ isOffered, ...payment }: NewPayment, onlyIf?: Statements.Condition): Statements.Condition => {
    const offered = isOffered ? `${scope} ${payment.order_number}` : null
    const columns = { scope, ...payment, offered, process: processName, created_at: Statements.now }
    return statements.insertOf("gopay_payment", columns, onlyIf)
  }

  return {
    /** Records a payment, or its mark. Returns nothing if the order already has one, or the payment is known. */
    insert: (payment: NewPayment) => written(insertOf(payment)),

    /** Records the next payment of an order, unless the order has moved since it was read. */
    insertInOrder: (payment: NewPayment, order: OrderRow) =>
      written(orders.insertionOf(order, (onlyIf) => insertOf(payment, onlyIf))),

    /** The pre-send check before a payment is created: see that of changes. */
    maySend: (attempt: string) =>
      Effect.map(
        one(
          `SELECT next_at - ${now} AS time FROM gopay_payment WHERE scope = ? AND attempt = ? AND status = 'creating'
             AND ${isLeased} AND ${isOpen.sql} AND ${isAlone} AND NOT EXISTS (
             SELECT 1 FROM gopay_order WHERE gopay_order.scope = gopay_payment.scope AND parent_id = ''
               AND gopay_order.order_number = gopay_payment.order_number AND withdrawn_at IS NOT NULL)`,
          [scope, attempt, ...isOpen.values]
        ),
        (found) => numberIn(found, "time") ?? 0
      ),

    /** Records the payment that an attempt has created, as found in the payment itself: it may already be paid. */
    created: (attempt: string, paymentId: number) => written(createdOf(attempt, paymentId, { checked_at: null })),

    /** Records the payment that an attempt has created, as found in the response: it is not paid yet. */
    createdBy: ({ attempt }: PaymentRow, paymentId: number, patch: Pick<PaymentPatch, "gw_url">) =>
      written(createdOf(attempt, paymentId, patch)),

    /**
     * Records a payment that replaces another one, in a transaction. If the other one has its money, or the order is
     * withdrawn, the new one is not offered.
     */
    createdInPlaceOf: Effect.fnUntraced(function* (
      replaced: PaymentRow,
      { attempt, order_number }: PaymentRow,
      paymentId: number,
      { gw_url }: Pick<PaymentPatch, "gw_url">,
      query: Query
    ) {
      const { isWithdrawn } = yield* orders.lock(shopOrder(order_number), query)
      const isReplaceable = {
        sql: `seq = ? AND COALESCE(state, '') NOT IN ('AUTHORIZED', 'PAID', 'PARTIALLY_REFUNDED')`,
        values: [replaced.seq]
      }
      const patch = { offered: null, gw_url: null, message: "Another payment takes its place." }
      const isFree = !isWithdrawn && Option.isSome(yield* written(updateOf(isReplaceable, patch, query), query))
      const offered = `${scope} ${order_number}`
      const other = isFree ? yield* rows("offered = ?", [offered], query) : []
      const offer = isFree && other.length === 0 ? { offered, ...(gw_url === undefined ? {} : { gw_url }) } : {}
      return yield* written(createdOf(attempt, paymentId, offer, query), query)
    }),

    /** Records that an attempt was certainly not sent, or was refused. Only its process knows that. */
    notCreated: (attempt: string) =>
      run(
        `DELETE FROM gopay_payment
         WHERE scope = ? AND attempt = ? AND status IN ('creating', 'lost', 'inDoubt') AND payment_id IS NULL
           AND ${isBrief()}`,
        [scope, attempt]
      ),

    bySeq: (seq: number) => first("seq = ?", [seq]),
    byAttempt: (attempt: string) => first("attempt = ?", [attempt]),
    byPaymentId: (paymentId: number | string) => first("payment_id = ?", [String(paymentId)]),
    /** An order with its own payments, without charges that have the same number. */
    inOrder: (key: OrderKey) => orders.read(key, reads.rowsOf),
    /** The order of an existing payment; its row is created if it is missing. */
    inOrderOf: (key: OrderKey) =>
      Effect.flatMap(orders.read(key, reads.rowsOf), (read) =>
        read.order.version > 0
          ? Effect.succeed(read)
          : Effect.andThen(orders.ensure(key), orders.read(key, reads.rowsOf))
      ),
    ofOrder: (orderNumber: string) => rows("order_number = ? ORDER BY seq", [orderNumber]),
    ofGroup: (name: string) => rows("group_name = ? ORDER BY seq", [name]),

    /** When the last charge of a first payment was recorded. */
    lastChargeOf: (firstPaymentId: string) =>
      Effect.map(
        one("SELECT MAX(created_at) AS at FROM gopay_payment WHERE scope = ? AND parent_id = ?", [
          scope,
          firstPaymentId
        ]),
        (found) => numberIn(found, "at")
      ),

    due,
    items,

    /** The due payments whose hold has to be ended, by the shop's own limit. */
    dueHolds: (most: number, also: string) => due(most, `hold_until <= ${nowOnce} AND ${also}`),

    withdrawOrder: orders.withdraw,

    /** Begins or ends an item that does not depend on the payment's progress, whatever moves the row meanwhile. */
    recordItems: ({ seq }: Pick<PaymentRow, "seq">, attention: ItemPatch) =>
      written(updateOf(Statements.ofSeq(seq), { attention })),

    /** Moves a row that has not moved since it was read. */
    move: (row: PaymentRow, patch: PaymentPatch, query = database.query) =>
      written(updateOf(isUnmoved(row), patch, query), query),

    /** Moves a row together with its order, if neither has moved since it was read. */
    moveInOrder: (row: PaymentRow, patch: PaymentPatch, order: OrderRow, state: OrderPatch, query = database.query) =>
      Effect.map(
        Effect.flatMap(
          orders.moveWith(
            order,
            state,
            (onlyIf) => {
              const { sql, values } = isUnmoved(row)
              const both = { sql: `${sql} AND ${onlyIf.sql}`, values: [...values, ...onlyIf.values] }
              return updateOf(both, patch, query)
            },
            query
          ),
          reads.rowsOf
        ),
        ([moved]) => Option.fromUndefinedOr(moved)
      )
  }
}

const isUnmoved = ({ seq, version }: PaymentRow): Statements.Condition => ({
  sql: "seq = ? AND version = ?",
  values: [seq, version]
})

/** The statements on payments that only an operator's calls need. */
export const operating = (database: ReadableDatabase, scope: number) => {
  const { isBrief, nowOnce, run } = Statements.make(database)
  const reads = TableReads.make(database, scope, "gopay_payment", read)
  const isOver = `${Statements.isAfter(endedAt, { at: 0, seq: 0 }).sql} AND ${endedAt} <= ${nowOnce} - ?
               AND attention IS NULL AND status IN ('created', 'lost')`
  const items = ItemTable.make(database, scope, "gopay_payment", read)
  const lists = TableReads.listing(database, scope, reads, items, "payment")
  const isNamed = (name: string): Statements.Condition => {
    const { orderNumber = "", seq = 0 } = paymentOfKey(name) ?? {}
    return { sql: "seq = ? AND order_number = ?", values: [seq, orderNumber] }
  }
  return {
    ...lists,

    /** The place of a payment in the lists, by its name. */
    placeOfName: (name: string) => lists.placeOf(isNamed(name)),

    byName: (name: string) => reads.first(isNamed(name).sql, isNamed(name).values),

    /** The payments of orders, oldest first. Payments that cannot be read are left out. */
    ofOrders: (orderNumbers: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<PaymentRow>, StoreError> =>
      orderNumbers.length === 0
        ? Effect.succeed([])
        : reads.readableRows(`${Statements.isOneOf("order_number", orderNumbers)} ORDER BY seq`, orderNumbers),

    /** Deletes some payments that ended without money longer ago than this, in milliseconds. Returns their numbers. */
    removeUnpaid: (age: number, after: Statements.TimePlace) =>
      Effect.map(
        run(
          `DELETE FROM gopay_payment WHERE seq IN (
             SELECT seq FROM gopay_payment
             WHERE scope = ? AND ${isOver} AND ${isUnpaid} ORDER BY ${endedAt}, seq LIMIT 1000) AND ${isBrief()}
           RETURNING seq, ${endedAt} AS at`,
          [scope, ...Statements.isAfter(endedAt, after).values, age]
        ),
        // A `DELETE` returns its rows in any order.
        (removed) =>
          removed
            .map(({ at, seq }) => ({ at: Number(at), seq: Number(seq) }))
            .toSorted((one, other) => one.at - other.at || one.seq - other.seq)
      ),

    /** Payments that ended longer ago than this, in milliseconds, and still have texts to erase. */
    forgettable: (age: number, after: Statements.TimePlace) =>
      reads.readableRows(`${isOver} AND ${hasWords} ORDER BY ${endedAt}, seq LIMIT 1000`, [
        ...Statements.isAfter(endedAt, after).values,
        age
      ])
  }
}
