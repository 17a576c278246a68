/**
 * For each entry of the list of wakes the rows that are there, what happens, and what is woken by it, in SQL of any database.
 */
import { wakes } from "../../src/ledger/store/Wakes.js"

/** No row is due then. */
export const far = 9_000_000_000_000

type NewRow = Readonly<Record<string, string | number>>

const inserted = (table: string, row: NewRow): string => {
  const columns: NewRow = { scope: 1, created_at: 1, next_at: far, ...row }
  const literals = Object.values(columns).map((value) => (typeof value === "number" ? value : `'${value}'`))
  return `INSERT INTO gopay_${table} (${Object.keys(columns).join(", ")}) VALUES (${literals.join(", ")})`
}

export const change = (key: string, row: NewRow): string =>
  inserted("change", { key, payment_id: "4", operation: "refundPayment", hash: "", status: "sending", ...row })

/** A payment of a merchant, which is not due. */
export const payment = (row: NewRow): string =>
  inserted("payment", { order_number: "o", attempt: "a", status: "created", terms: "{}", ...row })

export const period = (row: NewRow): string =>
  inserted("period", {
    subscription: "sub",
    period: "1970-01",
    status: "waiting",
    order_number: "o",
    amount: 1,
    due_at: 1,
    ...row
  })

const subscription = inserted("subscription", {
  name: "sub",
  status: "waiting",
  currency: "CZK",
  first_order: "o",
  maximum: 1,
  awaits: "o"
})

const held = change("a", { holds: "1 4" })
const decided = "UPDATE gopay_change SET status = 'done', holds = NULL, version = version + 1 WHERE key = 'a'"
const childPaid = "UPDATE gopay_payment SET state = 'PAID', version = version + 1 WHERE payment_id = '5'"
/** A charge that no change has made. */
export const child = payment({ payment_id: "5", parent_id: "4" })
/** A change that makes a charge of the same first payment. */
export const charge = (row: NewRow): string => change("c", { operation: "createRecurrence", ...row })

/** A wake and its rows. */
export interface WakeScene {
  /** The rows that are there. */
  readonly rows: ReadonlyArray<string>
  /** What wakes. */
  readonly move: string
  /** What is woken. */
  readonly target: "change" | "payment" | "period" | "subscription"
  readonly where?: string
}

const scenes: Readonly<Record<string, WakeScene>> = {
  gopay_change_wakes_next: {
    rows: [held, change("b", { status: "queued" })],
    move: decided,
    target: "change",
    where: "key = 'b'"
  },
  gopay_change_wakes_payment: { rows: [held, payment({ payment_id: "4" })], move: decided, target: "payment" },
  gopay_change_wakes_period: {
    rows: [change("subscription:sub:1970-01:1", { operation: "createRecurrence" }), period({ status: "charging" })],
    move: "UPDATE gopay_change SET status = 'refused', version = version + 1",
    target: "period"
  },
  gopay_payment_wakes_period: { rows: [child, period({})], move: childPaid, target: "period" },
  gopay_payment_wakes_escaped: {
    rows: [
      payment({ payment_id: "5", parent_id: "4", order_number: "O&#39;Neill" }),
      subscription,
      "UPDATE gopay_subscription SET payment_id = '4'",
      period({ order_number: "O''Neill" })
    ],
    move: childPaid,
    target: "period"
  },
  gopay_payment_wakes_charges: {
    rows: [child, charge({ status: "queued" })],
    move: childPaid,
    target: "change"
  },
  gopay_payment_wakes_declined: {
    rows: [child, charge({ status: "refused", entry: "5" })],
    move: childPaid,
    target: "change"
  },
  gopay_payment_wakes_subscription: {
    rows: [payment({ payment_id: "4", terms: '{"recurrence":{}}' }), subscription],
    move: "UPDATE gopay_payment SET state = 'PAID', version = version + 1",
    target: "subscription"
  },
  gopay_subscription_wakes_periods: {
    rows: [subscription, period({ needs_card: 1, due_at: far })],
    move: "UPDATE gopay_subscription SET status = 'active', awaits = NULL, version = version + 1",
    target: "period"
  }
}

export const sceneOf = (name: string): WakeScene => {
  const scene = scenes[name]
  if (scene === undefined) throw new Error(`There is no scene of ${name}.`)
  return scene
}

/** One for each wake, in the order of the list. */
export const wakeScenes: ReadonlyArray<readonly [name: string, scene: WakeScene]> = wakes.map(({ name }) => [
  name,
  sceneOf(name)
])

/** Whether the row of a scene is due: a query, whose `is_due` is 1 or 0. */
export const isDueIn = ({ target, where = "1 = 1" }: Pick<WakeScene, "target" | "where">): string =>
  `SELECT CASE WHEN next_at < ${far} THEN 1 ELSE 0 END AS is_due FROM gopay_${target} WHERE ${where}`

/** Removes the rows of a scene. */
export const emptied: ReadonlyArray<string> = ["change", "payment", "period", "subscription", "order", "wake"].map(
  (table) => `DELETE FROM gopay_${table}`
)
