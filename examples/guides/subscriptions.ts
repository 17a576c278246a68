/**
 * Subscriptions that the ledger charges, with promises.
 */
import {
  createLedger,
  type Ledger,
  type LedgerStore,
  type PaymentEvent,
  type SqliteTransaction,
  type SubscriptionEvent
} from "effect-gopay/ledger/promise"
import type { GatewayClient } from "effect-gopay/promise"

/** What the shop does with its members. */
export interface Members {
  readonly deliver: (tx: SqliteTransaction, name: string, period: string) => Promise<void>
  readonly lock: (tx: SqliteTransaction, name: string) => Promise<void>
  readonly write: (tx: SqliteTransaction, name: string, letter: "declined" | "new card" | "welcome") => Promise<void>
}

export const openLedger = (gateway: GatewayClient, store: LedgerStore<SqliteTransaction>, members: Members) =>
  createLedger({
    gateway,
    store,
    migrate: true,
    retryAfterDays: [2, 5, 10],
    // In the transaction that records it: what is written here is written exactly once.
    onSubscription: async ({ period, subscription: { name }, tx, type }) => {
      switch (type) {
        case "started":
          return members.write(tx, name, "welcome")
        case "paid":
          return members.deliver(tx, name, period?.period ?? "")
        case "declined": // it is charged again at period.nextAttemptAt
          return members.write(tx, name, "declined")
        case "needsCard":
        case "cardExpires":
          return members.write(tx, name, "new card")
        case "givenUp":
          // "merchant": an operator has given it up, since the request or the shop's account was wrong. No member can help that.
          return period?.failure?.remedy === "merchant" ? undefined : members.lock(tx, name)
        case "cancelled":
          return members.lock(tx, name)
        case "cardReplaced":
          return
      }
    },
    onAttention: (item) => console.warn(item.message) // for an operator
  })

const callback = { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }

/** The first payment: the member pays it with a card, and allows further charges of that card. */
export const subscribe = async (ledger: Ledger<SqliteTransaction>, name: string) => {
  const orderNumber = `${name}-first`
  const order = await ledger.checkout(orderNumber, {
    amount: 29_900,
    currency: "CZK",
    recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" },
    callback
  })
  await ledger.createSubscription(name, { orderNumber, maximum: 50_000, currency: "CZK" }) // what the member has agreed to
  return order.status === "open" ? order.gwUrl : `https://shop.example/members/${name}`
}

/** A cron job, as often as you like: each month of each member is charged once. */
export const chargeMonth = async (ledger: Ledger<SqliteTransaction>, names: ReadonlyArray<string>, month: string) => {
  const description = `Membership ${month}`
  const items = [{ name: description, amount: 29_900, count: 1 }]
  for (const name of names) {
    try {
      await ledger.chargePeriod(name, month, { amount: 29_900, dayOfMonth: 31, order_description: description, items })
    } catch (error) {
      console.error(`${name}, ${month}:`, error) // one who has just cancelled stops no other
    }
  }
}

/** A year from the day of joining, such as `2027-03-15`: in 2028 it is charged on 15 March. Of a 29 February on the last day of February. */
export const chargeYear = (ledger: Ledger<SqliteTransaction>, name: string, joined: string, year: number) => {
  const [, month = "", day = ""] = joined.split("-")
  return ledger.chargePeriod(name, `${year}-${month}`, {
    amount: 49_900,
    dayOfMonth: Number(day),
    order_description: `Membership ${year}`,
    items: [{ name: `Membership ${year}`, amount: 49_900, count: 1 }]
  })
}

/** Who has paid what for which month, in a table `fee`: a row for each period that is paid. */
export const onSubscription = async ({ period, subscription, tx, type }: SubscriptionEvent<SqliteTransaction>) => {
  if (type !== "paid" || period?.paymentId === undefined) return
  const values = [period.paymentId, subscription.name, period.period, period.amount]
  await tx.query("INSERT INTO fee (payment_id, name, month, amount, refunded) VALUES (?, ?, ?, ?, 0)", values)
}

/** No event of a subscription reports refunds: they are events of the payment. */
export const onPayment = async ({ moved, tx }: PaymentEvent<SqliteTransaction>) => {
  await tx.query("UPDATE fee SET refunded = ? WHERE payment_id = ?", [moved.refunded, moved.paymentId])
}

/** A first payment with another card, such as after `needsCard`. */
export const replaceCard = async (ledger: Ledger<SqliteTransaction>, name: string, count: number) => {
  const orderNumber = `${name}-card-${count}`
  const order = await ledger.checkout(orderNumber, {
    amount: 100,
    currency: "CZK",
    recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" },
    callback
  })
  await ledger.replaceCard(name, orderNumber)
  return order.status === "open" ? order.gwUrl : `https://shop.example/members/${name}`
}

/** Cancels the subscription at the member's request. */
export const cancel = async (ledger: Ledger<SqliteTransaction>, name: string) => {
  const { _tag } = await ledger.cancelSubscription(name)
  return _tag === "Cancelled"
    ? "Your membership is cancelled. Nothing more will be charged."
    : "Your membership is cancelled. One charge was under way: we write to you when we know more."
}
