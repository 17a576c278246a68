/**
 * What happens to a ledger's rows without the ledger: a backup is restored, another release writes, an operator edits, time
 * goes by.
 */
import * as Effect from "effect/Effect"
import type { LedgerStore } from "../../src/ledger/index.js"
import { defaultSchema, inSchema } from "../../src/ledger/store/Sql.js"

type Tables = Pick<LedgerStore<never>, "dialect" | "query">

const run = ({ dialect, query }: Tables, ...statements: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.promise(async () => {
    for (const statement of statements) {
      await query(dialect === "sqlite" ? statement : inSchema(statement, defaultSchema), [])
    }
  })

/** A text within a statement: placeholders differ from database to database. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const ofKey = (key: string | undefined): string => (key === undefined ? "" : ` WHERE key = ${literal(key)}`)

/** The column of a row with open items of these kinds; each item's message is its kind. */
const items = (...kinds: ReadonlyArray<string>): string =>
  literal(JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, kind]))))

const seqOf = (key: string): string => `(SELECT seq FROM gopay_change${ofKey(key)})`

// A backup from before them is restored.

export const forgetChanges = (tables: Tables) => run(tables, "DELETE FROM gopay_change")

export const forgetChange = (tables: Tables, key: string) => run(tables, `DELETE FROM gopay_change${ofKey(key)}`)

export const forgetPayments = (tables: Tables) => run(tables, "DELETE FROM gopay_payment")

/** Forgets the changes that made charges, and the payments of these charges. */
export const forgetCharges = (tables: Tables) =>
  run(tables, "DELETE FROM gopay_change", "DELETE FROM gopay_payment WHERE parent_id IS NOT NULL")

export const forgetPeriods = (tables: Tables) => run(tables, "DELETE FROM gopay_period")

export const forgetAcknowledgedRefunds = (tables: Tables) => run(tables, "DELETE FROM gopay_refund")

/** Backs the changes up. Returns the program that restores them. */
export const backUpChanges = (tables: Tables) =>
  Effect.as(
    run(tables, "CREATE TABLE backup AS SELECT * FROM gopay_change"),
    run(tables, "DELETE FROM gopay_change", "INSERT INTO gopay_change SELECT * FROM backup")
  )

// Another release, or an editor, writes what this one cannot read.

/** Without a key: all changes. */
export const writeUnknownStatus = (tables: Tables, key?: string) =>
  run(tables, `UPDATE gopay_change SET status = 'reversed'${ofKey(key)}`)

export const writeUnknownOperation = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_change SET operation = 'deleteCard'${ofKey(key)}`)

export const writeUnknownAttention = (tables: Tables) =>
  run(tables, `UPDATE gopay_change SET attention = ${items("NewKind")}`)

export const cutRequest = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_change SET request = '{"amount":'${ofKey(key)}`)

/** Of a change that is being sent. */
export const cutRecord = (tables: Tables, key: string) =>
  run(
    tables,
    `UPDATE gopay_change SET status = 'sending'${ofKey(key)}`,
    `UPDATE gopay_change SET record = '{"operation":'${ofKey(key)}`
  )

export const cutTerms = (tables: Tables, orderNumber: string) =>
  run(tables, `UPDATE gopay_payment SET terms = '' WHERE order_number = ${literal(orderNumber)}`)

export const cutFailureOf = (tables: Tables, subscription: string) =>
  run(tables, `UPDATE gopay_period SET failure = '{' WHERE subscription = ${literal(subscription)}`)

export const writeUnknownSubscriptionStatus = (tables: Tables, name: string) =>
  run(tables, `UPDATE gopay_subscription SET status = 'resting' WHERE name = ${literal(name)}`)

export const cutFailure = (tables: Tables, period: string) =>
  run(tables, `UPDATE gopay_period SET failure = '{' WHERE period = ${literal(period)}`)

/** The outcome of a change that the shop was not notified of yet. */
export const spoilEvent = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_event SET version = 'first' WHERE change_seq = ${seqOf(key)}`)

const doneStepOf = (key: string): string => `WHERE subject_seq = ${seqOf(key)} AND status = 'done'`

/** In the last step of a change that is done. */
export const writeUnknownHistory = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_history SET attention = 'Reversed' ${doneStepOf(key)}`)

/** The last step of a change that is done has a time that none can be. */
export const writeImpossibleTime = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_history SET at = 8900000000000000 ${doneStepOf(key)}`)

export const clearUnknownHistory = (tables: Tables) => run(tables, "UPDATE gopay_history SET attention = NULL")

export const spoilHistoryEntry = (tables: Tables, id: number) =>
  run(tables, `UPDATE gopay_history SET attention = 'Reversed', at = 'then' WHERE seq = ${id}`)

export const clearFailures = (tables: Tables) => run(tables, "UPDATE gopay_period SET failure = NULL")

export const renumberPeriods = (tables: Tables, orderNumber: string) =>
  run(tables, `UPDATE gopay_period SET order_number = ${literal(orderNumber)}`)

export const renameChanges = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_change SET key = ${literal(key)}`)

// Changes are elsewhere than this ledger has left them.

/** All changes are charges from now on. */
export const makeCharges = (tables: Tables) => run(tables, "UPDATE gopay_change SET operation = 'createRecurrence'")

export const queueAgain = (tables: Tables) => run(tables, "UPDATE gopay_change SET status = 'queued'")

/** As when each was sent, and what became of it cannot be found out. Without a key: all changes. */
export const leaveInDoubt = (tables: Tables, key?: string) =>
  run(
    tables,
    `UPDATE gopay_change SET attention = ${items("InDoubt")}, status = 'needsOperator', next_at = NULL${ofKey(key)}`
  )

/** Without a key: that of all changes. */
export const blameEmptyAccount = (tables: Tables, key?: string) =>
  run(tables, `UPDATE gopay_change SET attention = ${items("AccountEmpty")}, next_at = NULL${ofKey(key)}`)

export const giveToOtherMerchant = (tables: Tables) => run(tables, "UPDATE gopay_change SET scope = scope + 1")

/** A change of a payment in doubt, of a merchant that the ledger is not opened for. */
export const insertChangeOfOtherMerchant = (tables: Tables) =>
  run(
    tables,
    "INSERT INTO gopay_scope (id, name) VALUES (1, 'https://gate.example.com/api 8999999999')",
    `INSERT INTO gopay_change (scope, key, payment_id, operation, hash, status, attention, created_at)
     VALUES (1, 'theirs', '4', 'refundPayment', '', 'needsOperator', ${items("InDoubt")}, 1)`
  )

/** A read has found out, of all changes, that they were made. */
export const settleChanges = (tables: Tables) =>
  run(tables, "UPDATE gopay_change SET status = 'done', version = version + 1")

/** Each change holds its payment. */
export const holdPayments = (tables: Tables) =>
  run(tables, "UPDATE gopay_change SET holds = scope || ' ' || payment_id")

/** Each change lets its payment go. */
export const letPaymentsGo = (tables: Tables) =>
  run(tables, "UPDATE gopay_change SET holds = NULL, version = version + 1")

/** All changes hold one payment. */
export const holdOnePayment = (tables: Tables) => run(tables, "UPDATE gopay_change SET holds = 'the payment'")

/** The process that notifies an operator of it is killed within that, and its claim expires. */
export const expireNotification = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_item SET notifying_until = 1 WHERE subject = 'change' AND subject_seq = ${seqOf(key)}`)

// What is due becomes due at another time.

/** Without a key: all changes. */
export const makeDue = (tables: Tables, key?: string) => run(tables, `UPDATE gopay_change SET next_at = 1${ofKey(key)}`)

export const postpone = (tables: Tables, key: string, milliseconds: number) =>
  run(tables, `UPDATE gopay_change SET next_at = next_at + ${milliseconds}${ofKey(key)}`)

/** Postpones the events for the outcomes of all changes. */
export const postponeOutcomes = (tables: Tables, milliseconds: number) =>
  run(tables, `UPDATE gopay_event SET next_at = next_at + ${milliseconds}`)

/** As by another process that has read them. */
export const touchPayments = (tables: Tables) => run(tables, "UPDATE gopay_payment SET version = version + 1")

export const makePaymentsDue = (tables: Tables) => run(tables, "UPDATE gopay_payment SET next_at = 1")

export const makePeriodDue = (tables: Tables, period: string) =>
  run(tables, `UPDATE gopay_period SET next_at = 0, version = version + 1 WHERE period = ${literal(period)}`)

/** No subscription is due for centuries. */
export const postponeSubscriptions = (tables: Tables) =>
  run(tables, "UPDATE gopay_subscription SET next_at = 9000000000000")

/** The payments of charges are not read by themselves. */
export const stopReadingCharges = (tables: Tables) =>
  run(tables, "UPDATE gopay_payment SET next_at = NULL WHERE parent_id IS NOT NULL")

/** No circuit has failed. */
export const closeBreaker = (tables: Tables) => run(tables, "DELETE FROM gopay_breaker")

export const postponeProbe = (tables: Tables, milliseconds: number) =>
  run(tables, `UPDATE gopay_breaker SET probe_at = probe_at + ${milliseconds}`)

// Orders are older than they are, or late.

export const payLate = (tables: Tables) =>
  run(tables, `UPDATE gopay_payment SET attention = ${items("PaidLate")}, next_at = NULL`)

/** Each payment has two items, which begin in one statement. */
export const payLateAndHold = (tables: Tables) =>
  run(tables, `UPDATE gopay_payment SET attention = ${items("PaidLate", "HoldNotEnded")}, version = version + 1`)

/** Makes all holds this many hours older. */
export const ageHolds = (tables: Tables, hours: number) =>
  run(tables, `UPDATE gopay_payment SET moved_at = moved_at - ${hours * 3_600_000}`)

/** An order was placed at a time, and paid at once. */
export const placeOrderAt = (tables: Tables, orderNumber: string, at: number) =>
  run(
    tables,
    `UPDATE gopay_payment SET created_at = ${at}, paid_at = ${at + 1}, moved_at = ${at + 1}
     WHERE order_number = ${literal(orderNumber)}`
  )

/** Moves the decisions of all changes to a later time. */
export const decideLater = (tables: Tables, milliseconds: number) =>
  run(tables, `UPDATE gopay_change SET decided_at = decided_at + ${milliseconds}`)

/** A change is one of the payment of an order. */
export const moveToOrder = (tables: Tables, key: string, orderNumber: string) =>
  run(
    tables,
    `UPDATE gopay_change SET payment_id = (SELECT payment_id FROM gopay_payment WHERE order_number = ${literal(orderNumber)})${ofKey(key)}`
  )

export const eraseRequest = (tables: Tables, key: string) =>
  run(tables, `UPDATE gopay_change SET request = NULL${ofKey(key)}`)

export const submitAt = (tables: Tables, key: string, at: number) =>
  run(tables, `UPDATE gopay_change SET created_at = ${at}${ofKey(key)}`)

// Years have filled the tables. In PostgreSQL alone: the keys are the numbers from the first to the last one.

interface Rows {
  readonly scope: number
  readonly first: number
  readonly last: number
}

const numbersOf = ({ first, last }: Rows): string => `generate_series(${first}, ${last}) AS numbers(n)`

export const insertDoneRefunds = (tables: Tables, rows: Rows) =>
  run(
    tables,
    `INSERT INTO gopay_change (scope, key, payment_id, operation, request, hash, status, created_at)
     SELECT ${rows.scope}, n, n, 'refundPayment', '{}', 'hash', 'done', n FROM ${numbersOf(rows)}`
  )

export const insertLostPayments = (tables: Tables, rows: Rows) =>
  run(
    tables,
    `INSERT INTO gopay_payment (scope, order_number, attempt, status, terms, created_at)
     SELECT ${rows.scope}, n, n, 'lost', '{}', n FROM ${numbersOf(rows)}`
  )

/** A merchant that the ledger is not opened for. */
export const insertMerchant = (tables: Tables, scope: number, name: string) =>
  run(tables, `INSERT INTO gopay_scope (id, name) VALUES (${scope}, ${literal(name)})`)

// The row of the ledger itself.

/** The ledger came to be now, and not before what was made so far. */
export const beginNow = (tables: Tables & { readonly now: string }) =>
  run(tables, `UPDATE gopay_ledger SET epoch = ${tables.now}`)

/** It is paused no longer, and nothing becomes due by that. */
export const endPause = (tables: Tables) => run(tables, "UPDATE gopay_ledger SET paused_at = NULL")

export const pauseLongAgo = (tables: Tables) => run(tables, "UPDATE gopay_ledger SET paused_at = 1")

export const deleteLedgerRow = (tables: Tables) => run(tables, "DELETE FROM gopay_ledger")

export const dropLedgerTable = (tables: Tables) => run(tables, "DROP TABLE gopay_ledger")

export const renameInstallation = (tables: Tables) => run(tables, "UPDATE gopay_ledger SET installation = 'staging'")

/** A release migrates that this one cannot work beside. */
export const migrateBeyond = (tables: Tables) => run(tables, "UPDATE gopay_ledger SET version = 99, min_reader = 99")

/** The tables are those of a release before the first. */
export const undoMigrations = (tables: Tables) => run(tables, "UPDATE gopay_ledger SET version = 0")

/** No worker has added the tallies up. */
export const forgetTick = (tables: Tables) => run(tables, "UPDATE gopay_ledger SET ticked_at = NULL")
