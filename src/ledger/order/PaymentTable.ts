/**
 * The statements on the table of payments. Each names what it believes to be so: a row that is not as it says does not
 * move.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { jsonColumn, reader } from "../store/Rows.js"
import type { PaymentGroup } from "../model/Order.js"
import type { Query, ReadableDatabase, StoreError } from "../store/Database.js"
import { nameOf } from "./PaymentItems.js"
import { Hold, PaymentRow, type PaymentStatus, PersonsWord, Terms } from "./PaymentRow.js"
import { endedAt, hasWords, isUnpaid } from "../store/RowConditions.js"
import * as TableReads from "../store/TableReads.js"
import * as Statements from "../store/Statements.js"
import {
  type After,
  notifiedAgain,
  clockDrift,
  type Condition,
  isAfter,
  isOneOf,
  isOpenIn,
  type NewValue,
  type TableOwner,
  type TimePlace
} from "../store/Statements.js"
import { minute } from "../../contract/Milliseconds.js"

/** A payment that is to be created, or is taken over. */
export interface NewPayment {
  readonly orderNumber: string
  readonly attempt: string
  readonly status: PaymentStatus
  readonly isOffered: boolean
  readonly terms: Terms
  readonly needsPayer: boolean
  /** Whether every refund of it is the ledger's own or acknowledged. */
  readonly isOwned: boolean
  readonly paymentId?: string
  readonly parentId?: string
  readonly state?: string
  readonly hold?: Hold | undefined
  readonly group?: PaymentGroup | undefined
  readonly reference?: string | undefined
  readonly attention?: PaymentRow["attention"]
  readonly problem?: string
  /** In milliseconds from now. */
  readonly payFor?: number | undefined
  readonly nextIn?: number
}

/** New values of a row. */
export interface PaymentPatch {
  readonly status?: PaymentStatus
  readonly offered?: null
  readonly is_owned?: 1
  readonly payment_id?: string
  readonly gw_url?: string | null
  readonly state?: string
  readonly refunded?: number
  readonly moves?: number
  readonly decisions?: ReadonlyArray<PersonsWord>
  readonly problem?: string | null
  readonly attention?: PaymentRow["attention"]
  readonly doubt?: string | null
  readonly doubt_since?: After | null
  readonly tries?: number
  readonly withdrawn_at?: After | null
  readonly hold_until?: number | null
  readonly looked_at?: After
  readonly moved_at?: After
  readonly paid_at?: After
  readonly next_at?: After | null
}

const read = reader("gopay_payment", PaymentRow)
const encodeTerms = Schema.encodeSync(jsonColumn(Terms))
const encodeHold = Schema.encodeSync(jsonColumn(Hold))
const encodeDecisions = Schema.encodeSync(jsonColumn(Schema.Array(PersonsWord)))

export type PaymentTable = ReturnType<typeof make>

/** The payments of one merchant in a store. */
export const make = (database: ReadableDatabase, scope: number, { installation, processName }: TableOwner) => {
  const statements = Statements.make(database)
  const { isAlone, isBrief, isLeased, now, run } = statements
  const reads = TableReads.attending(database, scope, "gopay_payment", read)
  const { columns, due, first, notification, rows, unnotified, writeAndRead, written } = reads
  const isOpen = isOpenIn(installation)

  const updateOf = ({ sql, values }: Condition, { decisions, ...patch }: PaymentPatch, query?: Query): Condition =>
    statements.updateOf(
      "gopay_payment",
      { sql: `scope = ? AND ${sql}`, values: [scope, ...values] },
      {
        ...patch,
        ...notifiedAgain(patch),
        process: processName,
        ...(decisions === undefined ? undefined : { decisions: encodeDecisions(decisions) })
      },
      [],
      query
    )

  const isOfOrder = (orderNumber: string): Condition => ({ sql: "order_number = ?", values: [orderNumber] })

  const isUnmoved = ({ seq, version }: PaymentRow): Condition => ({
    sql: "seq = ? AND version = ?",
    values: [seq, version]
  })

  const insertOf = (payment: NewPayment, onlyIf: Condition = { sql: "1 = 1", values: [] }): Condition => {
    const { attempt, attention, group, hold, nextIn, orderNumber, parentId, payFor, paymentId, problem } = payment
    const { reference, state, status } = payment
    const after = (time: number | undefined): NewValue => (time === undefined ? null : { after: time })
    const values: Readonly<Record<string, NewValue>> = {
      scope,
      order_number: orderNumber,
      attempt,
      status,
      offered: payment.isOffered ? `${scope} ${orderNumber}` : null,
      terms: encodeTerms(payment.terms),
      needs_payer: payment.needsPayer ? 1 : 0,
      is_owned: payment.isOwned ? 1 : 0,
      payment_id: paymentId ?? null,
      parent_id: parentId ?? null,
      state: state ?? null,
      hold: hold === undefined ? null : encodeHold(hold),
      group_name: group?.name ?? null,
      group_total: group?.total ?? null,
      reference: reference ?? null,
      attention: attention ?? null,
      problem: problem ?? null,
      process: processName,
      created_at: Statements.now,
      pay_until: after(payFor),
      next_at: after(nextIn)
    }
    const assigned = Object.values(values).map((value): Condition =>
      typeof value === "object" && value !== null
        ? { sql: `${now} + ?`, values: [Math.round(value.after)] }
        : { sql: "?", values: [value ?? null] }
    )
    return {
      sql: `INSERT INTO gopay_payment (${Object.keys(values).join(", ")})
       SELECT ${assigned.map(({ sql }) => sql).join(", ")} WHERE ${onlyIf.sql} AND ${isBrief()}
       ON CONFLICT DO NOTHING RETURNING ${columns}`,
      values: [...assigned.flatMap(({ values }) => values), ...onlyIf.values]
    }
  }

  const isCreation = (attempt: string, paymentId: number): Condition => ({
    sql: "attempt = ? AND status IN ('creating', 'lost', 'inDoubt', 'created') AND (payment_id IS NULL OR payment_id = ?)",
    values: [attempt, String(paymentId)]
  })

  const creation = (paymentId: number, patch: Pick<PaymentPatch, "gw_url"> = {}): PaymentPatch => ({
    ...patch,
    status: "created",
    payment_id: String(paymentId),
    attention: null,
    problem: null,
    looked_at: Statements.now,
    next_at: { after: minute }
  })

  return {
    /**
     * Records a payment: the mark, when it is to be created. Gives nothing when the order has one already, or when
     * the payment is known.
     */
    insert: (payment: NewPayment) => written(insertOf(payment)),

    /** The same for the first payment of an order. Gives those that the order has, oldest first. */
    insertFirst: (payment: NewPayment) => {
      const { sql, values } = isOfOrder(payment.orderNumber)
      const isFirst = {
        sql: `NOT EXISTS (SELECT 1 FROM gopay_payment WHERE scope = ? AND ${sql})`,
        values: [scope, ...values]
      }
      return writeAndRead(insertOf(payment, isFirst), { sql, values })
    },

    /** The pre-send check before a payment is created: see that of changes. */
    maySend: (attempt: string) =>
      Effect.map(
        run(
          `SELECT next_at - ${now} AS time FROM gopay_payment WHERE scope = ? AND attempt = ? AND status = 'creating'
             AND ${isLeased} AND ${isOpen.sql} AND ${isAlone}`,
          [scope, attempt, ...isOpen.values]
        ),
        ([found]) => Number(found?.["time"] ?? 0)
      ),

    /** The payment that an attempt has created, as its response says, or the payment itself. */
    created: (attempt: string, paymentId: number) =>
      written(updateOf(isCreation(attempt, paymentId), creation(paymentId))),

    /** The same as the response says. Gives the other payments of the order, too. */
    createdBy: ({ attempt, order_number }: PaymentRow, paymentId: number, patch: Pick<PaymentPatch, "gw_url">) =>
      writeAndRead(updateOf(isCreation(attempt, paymentId), creation(paymentId, patch)), isOfOrder(order_number)),

    /** What only the process that made the attempt knows: that it was certainly not sent, or refused. */
    notCreated: (attempt: string) =>
      run(
        `DELETE FROM gopay_payment
         WHERE scope = ? AND attempt = ? AND status IN ('creating', 'lost', 'inDoubt') AND payment_id IS NULL
           AND ${isBrief()}`,
        [scope, attempt]
      ),

    /** The time after which nothing is trusted, by the gateway's clock; see `distrust`. */
    distrustedSince: ({ now }: PaymentRow, gatewayTime: number | undefined) =>
      Effect.map(run("SELECT distrusted_since AS since FROM gopay_ledger WHERE id = 1"), ([found]) => {
        const since = found?.["since"]
        return since === null || since === undefined
          ? undefined
          : Number(since) - clockDrift + ((gatewayTime ?? now) - now)
      }),

    bySeq: (seq: number) => first("seq = ?", [seq]),

    byAttempt: (attempt: string) => first("attempt = ?", [attempt]),

    byPaymentId: (paymentId: number | string) => first("payment_id = ?", [String(paymentId)]),

    /** The payments of an order, oldest first. */
    ofOrder: (orderNumber: string) => rows("order_number = ? ORDER BY seq", [orderNumber]),

    /** The time at which the last charge of a first payment was recorded. */
    lastChargeOf: (firstPaymentId: string) =>
      Effect.map(
        run("SELECT MAX(created_at) AS at FROM gopay_payment WHERE scope = ? AND parent_id = ?", [
          scope,
          firstPaymentId
        ]),
        ([found]) => (found === undefined || found["at"] === null ? undefined : Number(found["at"]))
      ),

    /** The payments of a group, oldest first. */
    ofGroup: (name: string) => rows("group_name = ? ORDER BY seq", [name]),

    due,
    notification,
    unnotified,

    /** Has a payment checked of which a change was decided in the last milliseconds. */
    wakeIfDecided: ({ payment_id, seq }: PaymentRow, lately: number) =>
      run(
        `UPDATE gopay_payment SET next_at = ${now}, tries = 0, version = version + 1 WHERE seq = ? AND EXISTS (
           SELECT 1 FROM gopay_change WHERE scope = ? AND payment_id = ? AND decided_at > ${now} - ?) AND ${isBrief()}`,
        [seq, scope, payment_id, lately]
      ),

    /** Moves a row that no one has moved since it was read. */
    move: (row: PaymentRow, patch: PaymentPatch, query = database.query) =>
      written(updateOf(isUnmoved(row), patch, query), query),

    /** The same. Gives the other payments of the order, too. */
    moveInOrder: (row: PaymentRow, patch: PaymentPatch, query = database.query) =>
      writeAndRead(updateOf(isUnmoved(row), patch, query), isOfOrder(row.order_number), query)
  }
}

/** What only an operator asks of payments, and does to them. */
export const operating = (database: ReadableDatabase, scope: number) => {
  const { isBrief, nowOnce, run } = Statements.make(database)
  const reads = TableReads.make(database, scope, "gopay_payment", read)
  const isOver = `${isAfter(endedAt, { at: 0, seq: 0 }).sql} AND ${endedAt} <= ${nowOnce} - ?
               AND attention IS NULL AND status IN ('created', 'lost')`
  return {
    ...TableReads.listing(reads, "payment"),

    /** The payment of an order by its name. */
    byName: (name: string) =>
      Effect.map(reads.first("seq = ?", [Number(/\d+$/.exec(name)?.[0])]), (found) =>
        Option.filter(found, (row) => nameOf(row) === name)
      ),

    /** The payments of orders, oldest first. Those that cannot be read are left out. */
    ofOrders: (orderNumbers: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<PaymentRow>, StoreError> =>
      orderNumbers.length === 0
        ? Effect.succeed([])
        : reads.readableRows(`${isOneOf("order_number", orderNumbers)} ORDER BY seq`, orderNumbers),

    /**
     * Removes payments that ended longer ago than that, in milliseconds, and that no money has come for, some at a time.
     * Gives their numbers.
     */
    removeUnpaid: (age: number, after: TimePlace) =>
      Effect.map(
        run(
          `DELETE FROM gopay_payment WHERE seq IN (
             SELECT seq FROM gopay_payment
             WHERE scope = ? AND ${isOver} AND ${isUnpaid} ORDER BY ${endedAt}, seq LIMIT 1000) AND ${isBrief()}
           RETURNING seq, ${endedAt} AS at`,
          [scope, ...isAfter(endedAt, after).values, age]
        ),
        (removed) => removed.map(({ at, seq }) => ({ at: Number(at), seq: Number(seq) }))
      ),

    /** Payments that ended longer ago than that, in milliseconds, and of which more is said than how they stand. */
    forgettable: (age: number, after: TimePlace) =>
      reads.readableRows(`${isOver} AND ${hasWords} ORDER BY ${endedAt}, seq LIMIT 1000`, [
        ...isAfter(endedAt, after).values,
        age
      ])
  }
}
