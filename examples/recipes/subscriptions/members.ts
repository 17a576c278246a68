/**
 * Members who pay monthly: what the shop stores about them, and what it does when they pay or do not. Everything takes the
 * ledger as an argument, so that a test can pass its own.
 */
import {
  type Ledger,
  LedgerError,
  type LedgerStore,
  type SqliteTransaction,
  type SubscriptionEvent
} from "effect-gopay/ledger/promise"
import { NotificationError, payerMessage } from "effect-gopay/promise"

const { SHOP_URL = "http://localhost:3000" } = process.env

/** In haléře. */
const price = 29_900
/** The limit that a member agrees to: the price may rise up to it. */
const maximum = 50_000

const wasPaid = new Set(["paid", "partiallyRefunded", "refunded"])

/**
 * A refund that was refused, or that later failed at the gateway, uses up its key: the next click takes the next one.
 */
const nextKey = async (ledger: Ledger<SqliteTransaction>, key: string) => {
  for (let attempt = 1; ; attempt++) {
    const next = attempt === 1 ? key : `${key}-${attempt}`
    const outcome = await ledger.getOutcome(next)
    if (outcome?._tag !== "Refused" && outcome?._tag !== "Failed") return next
  }
}

/**
 * The text for staff about a refund that was not recorded: what is wrong, or that it can be repeated with the same key.
 */
const problemOf = (error: unknown) => {
  if (!(error instanceof LedgerError)) throw error
  if (error.isRetryable) console.error(error)
  return {
    status: { InvalidArgument: 400, KeyReused: 409, NotResolved: 409, LedgerUnavailable: 503 }[error.reason._tag],
    message: error.message
  }
}

/** The shop's tables, in the ledger's file, so that one transaction writes both. */
export const createTables = async ({ query }: LedgerStore<SqliteTransaction>) => {
  await query(
    "CREATE TABLE IF NOT EXISTS member (name TEXT PRIMARY KEY, state TEXT NOT NULL, joined TEXT NOT NULL, paid_until TEXT, cards INTEGER NOT NULL)",
    []
  )
  await query("CREATE TABLE IF NOT EXISTS letter (name TEXT NOT NULL, text TEXT NOT NULL)", [])
}

/** Runs in the transaction that records the event: what you write here is written once. */
export const onSubscription = async ({
  period,
  subscription: { name, status },
  tx,
  type
}: SubscriptionEvent<SqliteTransaction>) => {
  const letter = (text: string) => tx.query("INSERT INTO letter VALUES (?, ?)", [name, text])
  switch (type) {
    case "started":
      await tx.query("UPDATE member SET state = 'active', paid_until = joined WHERE name = ?", [name])
      return
    case "paid":
      // A charge that was sent before the member cancelled does not restore the membership.
      await tx.query("UPDATE member SET state = ?, paid_until = ? WHERE name = ?", [
        status === "active" ? "active" : "cancelled",
        period?.period ?? "",
        name
      ])
      return
    case "declined":
      await letter(`Your card was declined. We try again on ${period?.nextAttemptAt?.slice(0, 10)}.`)
      return
    case "needsCard":
    case "cardExpires":
      await letter("Please give us another card.")
      return
    case "givenUp":
      // The request or the shop's account at GoPay was wrong, and an operator has given the month up: the member could not help it.
      if (period?.failure?.remedy === "merchant") return
      await tx.query("UPDATE member SET state = 'unpaid' WHERE name = ?", [name])
      return
    case "cancelled":
      await tx.query("UPDATE member SET state = 'cancelled' WHERE name = ?", [name])
      return
    case "cardReplaced":
      await letter("We charge your new card from now on.")
  }
}

/** The name of a month as a period, such as `2026-12`, in the ledger's time zone. */
const monthOf = (time: Date) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Prague", year: "numeric", month: "2-digit" }).format(time)

/**
 * What a payer sees instead of an error. Anyone can make up the address of a return page, so not every error is logged.
 */
const said = (error: unknown) => {
  if (!(error instanceof NotificationError) || ["ExpectationFailed", "HandlerFailed"].includes(error.reason._tag))
    console.error(error)
  return payerMessage(error, "en").text
}

/** The shop over a ledger and its store. */
export const membersOf = (ledger: Ledger<SqliteTransaction>, { query }: LedgerStore<SqliteTransaction>) => {
  /** A payment with a card that may be charged again. */
  const firstPayment = async (orderNumber: string, amount: number) => {
    try {
      const order = await ledger.checkout(orderNumber, {
        amount,
        currency: "CZK",
        recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" },
        callback: { return_url: `${SHOP_URL}/return`, notification_url: `${SHOP_URL}/notify` }
      })
      if ("gwUrl" in order) return { gwUrl: order.gwUrl }
      // Already paid, or cannot be paid now. A payment that is being prepared will be available in a moment.
      return { status: order.status === "pending" ? 503 : 409, message: payerMessage(order, "en").text }
    } catch (error) {
      return { status: 503, message: said(error) }
    }
  }

  /** The charge of a month, by its order number. Its payment is the period's. */
  const periodOf = async (orderNumber: string) => {
    const [, name = ""] = /^(.+)-\d{4}-\d\d$/.exec(orderNumber) ?? []
    const subscription = await ledger.getSubscription(name)
    return subscription?.periods.find((period) => period.orderNumber === orderNumber)
  }

  return {
    /** Starts a membership: send the member to `gwUrl` to pay the first month, or show `message`. */
    join: async (name: string, now: Date) => {
      await query("INSERT OR IGNORE INTO member VALUES (?, 'joining', ?, NULL, 1)", [name, monthOf(now)])
      const payment = await firstPayment(`${name}-1`, price)
      await ledger.createSubscription(name, { orderNumber: `${name}-1`, maximum, currency: "CZK" })
      return payment
    },

    /**
     * Charges each member for the current month: once, however often this runs. A member who cannot be charged, for
     * example after having just cancelled, does not stop the others.
     */
    chargeMonth: async (now: Date) => {
      const month = monthOf(now)
      const members = await query("SELECT name FROM member WHERE state IN ('active', 'unpaid') AND joined < ?", [month])
      const failed: Array<string> = []
      for (const { name } of members) {
        try {
          await ledger.chargePeriod(String(name), month, {
            amount: price,
            order_description: `Membership ${month}`,
            items: [{ name: `Membership ${month}`, amount: price, count: 1 }]
          })
        } catch (error) {
          console.error(`${String(name)}, ${month}:`, error)
          failed.push(String(name))
        }
      }
      return failed
    },

    /** Takes 1 CZK from another card, which is charged from then on. */
    replaceCard: async (name: string) => {
      const [member] = await query("UPDATE member SET cards = cards + 1 WHERE name = ? RETURNING cards", [name])
      if (member === undefined) return { status: 404, message: "There is no such member." }
      const orderNumber = `${name}-${String(member["cards"])}`
      const payment = await firstPayment(orderNumber, 100)
      await ledger.replaceCard(name, orderNumber)
      return payment
    },

    /** Cancels a membership: nothing more is charged. */
    cancel: async (name: string) => {
      const { _tag } = await ledger.cancelSubscription(name)
      return _tag === "Cancelled"
        ? "Your membership is cancelled. Nothing more will be charged."
        : "Your membership is cancelled. One charge was under way: we write to you when we know more."
    },

    /** A member and the letters sent to them. */
    find: async (name: string) => {
      const [member] = await query("SELECT state, paid_until FROM member WHERE name = ?", [name])
      const letters = await query("SELECT text FROM letter WHERE name = ? ORDER BY rowid", [name])
      return member === undefined
        ? undefined
        : {
            state: String(member["state"]),
            paidUntil: String(member["paid_until"] ?? ""),
            letters: letters.map(({ text }) => String(text))
          }
    },

    /** What a returning payer sees at this address. */
    returned: async (url: string) => {
      try {
        const order = await ledger.verifyReturn(url)
        return payerMessage(order, "en").text
      } catch (error) {
        return said(error)
      }
    },

    /**
     * Refunds part of an order, once for each key: `eva-1` is the first payment, `eva-2027-02` the charge of a month.
     * If the outcome is in doubt, the message says so, and the ledger keeps checking.
     */
    refund: async (orderNumber: string, key: string, amount: number) => {
      try {
        const order = (await ledger.getOrder(orderNumber)) ?? (await periodOf(orderNumber))
        if (order?.paymentId === undefined) return { status: 404, message: "There is no such order." }
        if (!wasPaid.has(order.status)) return { status: 409, message: "The order is not paid." }
        const outcome = await ledger.refund(await nextKey(ledger, key), order.paymentId, { amount })
        return {
          status: { Done: 200, Refused: 409, Failed: 409, Pending: 202, InDoubt: 202 }[outcome._tag],
          message: outcome.message
        }
      } catch (error) {
        return problemOf(error)
      }
    }
  }
}
