/**
 * The statements on subscriptions and their periods. Each has its assumptions in its condition: a row that does not
 * meet them does not move.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { subscriptionKeyPrefix } from "../model/LedgerKey.js"
import * as Rows from "./Rows.js"
import type { Query, ReadableDatabase } from "./Database.js"
import type { UnnotifiedItem } from "./ItemTable.js"
import * as TableReads from "./TableReads.js"
import * as Statements from "./Statements.js"
import type { SqlRow } from "../model/LedgerStore.js"

export const SubscriptionRow = Schema.Struct({
  ...Rows.movingColumns,
  name: Schema.String,
  status: Schema.Literals(["waiting", "active", "cancelling", "cancelled"]),
  maximum: Rows.Integer,
  currency: Schema.String,
  /** The order that it was created with. */
  first_order: Schema.String,
  /** The order of the first payment that is charged. */
  order_number: Schema.NullOr(Schema.String),
  payment_id: Schema.NullOr(Schema.String),
  /** The order whose payment it waits for. */
  awaits: Schema.NullOr(Schema.String),
  card_expires: Schema.NullOr(Schema.String),
  /** 1 when the shop was notified that the card expires. */
  expiry_reported: Rows.Integer,
  /** The first payments whose recurrences are still to be stopped at the gateway, separated by spaces. */
  to_void: Schema.NullOr(Schema.String)
})
export type SubscriptionRow = typeof SubscriptionRow.Type

const Failure = Schema.Struct({
  remedy: Schema.Literals(["anotherDay", "newCard", "merchant"]),
  message: Schema.String,
  code: Schema.optionalKey(Schema.Int),
  subState: Schema.optionalKey(Schema.String)
})

export const PeriodRow = Schema.Struct({
  ...Rows.movingColumns,
  subscription: Schema.String,
  period: Schema.String,
  /** `waiting`: for its day, for the day of the next attempt, or for a new card. `blocked`: until the merchant has mended something. */
  status: Schema.Literals(["waiting", "charging", "blocked", "paid", "givenUp", "cancelled"]),
  amount: Rows.Integer,
  order_number: Schema.String,
  /** The description and the items of the charge, as JSON; `null` once the period is decided. */
  request: Schema.NullOr(Schema.String),
  attempts: Rows.Integer,
  /** The time from which it may be charged or retried; with `needs_card`, when it is given up. */
  due_at: Rows.Integer,
  /** When the card was charged for it first: its days of another attempt are counted from then. */
  first_at: Schema.NullOr(Rows.Integer),
  /** 1 if only a new card can help. */
  needs_card: Rows.Integer,
  failure: Schema.NullOr(Rows.jsonColumn(Failure)),
  payment_id: Schema.NullOr(Schema.String),
  /** 1 when an operator was notified that two attempts are paid. */
  reported_twice: Rows.Integer,
  created_at: Rows.Integer
})
export type PeriodRow = typeof PeriodRow.Type

export interface SubscriptionPatch extends Omit<
  Statements.PatchOf<SubscriptionRow>,
  "name" | "maximum" | "currency" | "first_order" | "next_at"
> {
  readonly next_at?: Statements.After | number | null
}

export interface PeriodPatch extends Omit<
  Statements.PatchOf<PeriodRow>,
  "subscription" | "period" | "amount" | "order_number" | "due_at" | "next_at"
> {
  readonly request?: string | null
  readonly due_at?: number
  readonly next_at?: Statements.After | number | null
}

type NewPeriod = Pick<PeriodRow, "subscription" | "period" | "amount" | "order_number" | "request" | "due_at">

/** In milliseconds: how long a row that cannot be read is left alone. */
const asideTime = 600_000

export type SubscriptionTable = ReturnType<typeof make>

/** The names of a row that cannot be read. */
const namesOf: Rows.UnreadableNames = ({ raw: { name, period, subscription } }) => ({
  key: `${subscriptionKeyPrefix}${[name, subscription, period].filter((part) => typeof part === "string").join(":")}`,
  operation: "createRecurrence"
})

const readSubscriptions = Rows.reader("gopay_subscription", SubscriptionRow)
const readPeriods = Rows.reader("gopay_period", PeriodRow)

/** The subscriptions of one merchant in a store. */
export const make = (...given: Parameters<typeof baseOf>) => {
  const base = baseOf(...given)
  return { ...subscriptionsOf(base), ...periodsOf(base) }
}

type Base = ReturnType<typeof baseOf>

/** The parts that all statements on one merchant's subscriptions share. */
const baseOf = (database: ReadableDatabase, scope: number, { processName }: Statements.TableOwner) => {
  const statements = Statements.make(database)
  const { insertOf, isBrief, now, nowOnce, run, skipLocked, updateOf } = statements

  const insert = (table: string, row: Statements.NewValues, onlyIf?: Statements.Condition) => {
    const columns = { scope, ...row, status: "waiting", process: processName, created_at: Statements.now }
    const { sql, values } = insertOf(table, columns, onlyIf)
    return run(sql, values)
  }

  const movable = <Row>(table: string, read: (found: ReadonlyArray<SqlRow>) => Rows.Rows<Row>) => {
    const reads = TableReads.make(database, scope, table, read)
    const claimOn = Statements.notificationClaims(database, table)

    /** Rows that are due and meet a condition, and those that cannot be read and were not reported. */
    const due = Effect.fnUntraced(function* (most: number, also: string) {
      const found = yield* run(
        `SELECT ${reads.columns} FROM ${table} WHERE scope = ? AND next_at <= ${nowOnce} AND ${also} ORDER BY next_at LIMIT ? ${skipLocked}`,
        [scope, most]
      )
      const { rows, unreadable } = read(found)
      // A row that cannot be read does not delay others: it is postponed for some minutes, unchanged.
      for (const { seq } of unreadable) {
        yield* run(`UPDATE ${table} SET next_at = ${now} + ? WHERE seq = ? AND ${isBrief()}`, [asideTime, seq])
      }
      const unreported = unreadable.filter(({ raw }) => !Statements.isNotified(raw, "UnreadableRow"))
      return {
        rows,
        unreadable: unreported.map((row): UnnotifiedItem => {
          return { item: Rows.unreadableItem(row, namesOf), claim: claimOn(Statements.ofSeq(row.seq), "UnreadableRow") }
        })
      }
    })

    return {
      ...reads,
      due,
      move: (
        { seq, version }: { readonly seq: number; readonly version: number },
        patch: Statements.NewValues,
        query: Query = database.query
      ) => {
        const where = { sql: "seq = ? AND version = ?", values: [seq, version] }
        // The row can be read. If it later cannot, that is reported again.
        const columns = { ...patch, notified: null, process: processName }
        return reads.written(updateOf(table, where, columns, [], query), query)
      }
    }
  }

  return {
    ...statements,
    scope,
    insert,
    subscriptions: movable("gopay_subscription", readSubscriptions),
    periods: movable("gopay_period", readPeriods)
  }
}

const subscriptionsOf = ({ insert, run, scope, subscriptions }: Base) => ({
  find: (name: string) => subscriptions.first("name = ?", [name]),

  /** Records a subscription unless there is one with this name. */
  insert: (name: string, orderNumber: string, maximum: number, currency: string) =>
    insert("gopay_subscription", {
      name,
      maximum,
      currency,
      first_order: orderNumber,
      awaits: orderNumber,
      next_at: Statements.now
    }),

  due: subscriptions.due,

  move: (row: SubscriptionRow, patch: SubscriptionPatch, query?: Query) => subscriptions.move(row, { ...patch }, query),

  /** Whether a subscription that has not ended charges this first payment or waits for it. */
  isCharged: (paymentId: string) =>
    Effect.map(
      run(
        `SELECT 1 AS yes FROM gopay_subscription WHERE scope = ? AND payment_id = ? AND status <> 'cancelled'
         UNION ALL SELECT 1 FROM gopay_subscription WHERE scope = ? AND status IN ('waiting', 'active')
           AND awaits = (SELECT order_number FROM gopay_payment WHERE scope = ? AND payment_id = ?) LIMIT 1`,
        [scope, paymentId, scope, scope, paymentId]
      ),
      (found) => found.length > 0
    )
})

const periodsOf = ({ insert, periods, scope }: Base) => ({
  period: (subscription: string, period: string) =>
    periods.first("subscription = ? AND period = ?", [subscription, period]),

  periodsOf: (subscription: string) => periods.rows("subscription = ? ORDER BY seq", [subscription]),

  /** The period of a subscription that has an order number. */
  periodOfOrder: (subscription: string, orderNumber: string) =>
    periods.first("subscription = ? AND order_number = ? ORDER BY seq LIMIT 1", [subscription, orderNumber]),

  /** Records a period, unless the subscription has ended or already has this period or order number. */
  insertPeriod: (period: NewPeriod) =>
    insert(
      "gopay_period",
      { ...period, next_at: period.due_at },
      {
        sql: "EXISTS (SELECT 1 FROM gopay_subscription WHERE scope = ? AND name = ? AND status IN ('waiting', 'active'))",
        values: [scope, period.subscription]
      }
    ),

  duePeriods: periods.due,

  movePeriod: (row: PeriodRow, patch: PeriodPatch, query?: Query) => periods.move(row, { ...patch }, query)
})

/** Pages of subscriptions that meet conditions and can be read, after a row by its number. */
export const searching = (database: ReadableDatabase, scope: number) => {
  const { someReadable } = TableReads.make(database, scope, "gopay_subscription", readSubscriptions)
  return (conditions: ReadonlyArray<Statements.Condition>, afterSeq: number, limit: number) => {
    const after = { sql: "seq > ?", values: [afterSeq] }
    const all = [after, ...conditions]
    const sql = all.map((condition) => condition.sql).join(" AND ")
    return someReadable({ sql, values: all.flatMap(({ values }) => values) }, "seq", limit)
  }
}
