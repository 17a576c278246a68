/**
 * The judge of a year of subscriptions. It checks each charge at the moment at which the gateway makes it, and each
 * period at the end. It knows what the shop has requested and what the gateway has made, and does not rely on what the
 * ledger says of these. It also computes times itself.
 */
import type { PaymentResponse } from "../../src/index.js"
import type { AttentionItem, Cancellation, SubscriptionDetails, SubscriptionEvent } from "../../src/ledger/index.js"
import type { MadeCharge } from "./RecurrencesModel.js"

/** A time zone, with its offset from UTC at the midnight of a day of 2027, in hours. */
export interface Zone {
  readonly timeZone: string
  readonly offsetOf: (utcMidnight: number) => number
}

const summer = { begins: Date.UTC(2027, 2, 28), ends: Date.UTC(2027, 9, 31) }

export const zones: ReadonlyArray<Zone> = [
  {
    timeZone: "Europe/Prague",
    // The clocks change after the midnight of these days.
    offsetOf: (midnight) => (midnight > summer.begins && midnight <= summer.ends ? 2 : 1)
  },
  { timeZone: "America/Bogota", offsetOf: () => -5 },
  { timeZone: "Asia/Tokyo", offsetOf: () => 9 }
]

const hour = 3_600_000
const day = 24 * hour

/** The time at which a day begins in a time zone. */
const beginningOf = ({ offsetOf }: Zone, year: number, month: number, date: number): number => {
  const midnight = Date.UTC(year, month - 1, date)
  return midnight - offsetOf(midnight) * hour
}

/** The time from which a month may be charged. */
export const dueOf = (zone: Zone, period: string, dayOfMonth: number): number => {
  const [year = 0, month = 0] = period.split("-").map(Number)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return beginningOf(zone, year, month, Math.min(dayOfMonth, last))
}

/** A period, as the shop has requested it. */
export interface AskedPeriod {
  readonly name: string
  readonly period: string
  readonly amount: number
  readonly maximum: number
  readonly currency: string
  readonly due: number
}

/** An event that the shop got in a transaction that was committed. */
export interface Reported {
  readonly name: string
  readonly period: string
  readonly type: string
  /** The first payment that is charged since then. */
  readonly payment: number
  readonly at: number
  /** The attempts of the subscription that were marked then: they may be on their way. */
  readonly marked: ReadonlyArray<string>
}

/** What is known of a year at its end. */
export interface Books {
  readonly made: ReadonlyArray<PaymentResponse>
  readonly attention: ReadonlyArray<AttentionItem>
  readonly details: ReadonlyArray<SubscriptionDetails>
  readonly reported: ReadonlyArray<Reported>
  /** The payments that the ledger knows. */
  readonly known: ReadonlySet<number>
  /** The payments that paid for one of its attempts. */
  readonly paidFor: ReadonlySet<number>
  /** The months in which cards expire, `YYMM`, by first payment. */
  readonly expirations: ReadonlyMap<number, string>
  readonly now: number
}

/** A charge of the gateway's. */
interface Charge {
  readonly id: number
  readonly isHidden: boolean
  /** Whether its notification has come. */
  isDelivered: boolean
  /** Whether it was closed when the next one was made. */
  wasClosed: boolean
}

interface End {
  readonly violations: ReadonlyArray<string>
  /** How many periods ended in each way. */
  readonly ends: Readonly<Record<string, number>>
}

export type YearJudge = ReturnType<typeof makeYearJudge>

/** Begins to judge a year of a shop in a time zone. */
export const makeYearJudge = (zone: Zone) => {
  const violations: Array<string> = []
  const asked = new Map<string, AskedPeriod>()
  const charges = new Map<string, Array<Charge>>()
  /** The charges whose notifications had come when the last request of an order was sent. */
  const heard = new Map<string, ReadonlySet<number>>()
  const cancellations = new Map<string, { tag: Cancellation["_tag"]; at: number; marked: Set<string> }>()
  let restoredAt = 0
  /** The orders whose charge was refused for what only the merchant can mend, and how often that was mended. */
  const refused = new Set<string>()
  const mends = new Map<string, number>()

  /** The earlier charges of a period: none of them is paid, or may be. */
  const earlier = (orderNumber: string, what: string, stateOf: MadeCharge["stateOf"]) => {
    for (const charge of charges.get(orderNumber) ?? []) {
      const state = stateOf(charge.id)
      charge.wasClosed = state === "CANCELED"
      // The gateway has refused it, says the response; and nothing has come that says otherwise.
      const isUnheard = charge.isHidden && !(heard.get(orderNumber)?.has(charge.id) ?? charge.isDelivered)
      if (!charge.wasClosed && !isUnheard) {
        violations.push(`${what} while ${charge.id} is ${state}: no attempt follows one that is or may be paid`)
      }
    }
  }

  return {
    violations,
    asked: (orderNumber: string, period: AskedPeriod) => void asked.set(orderNumber, period),

    /** The shop has restored a backup. */
    restored: (at: number) => {
      restoredAt = at
      // The database has forgotten what was refused.
      refused.clear()
    },

    /** The request for a charge is sent. It may arrive much later. */
    sent: (orderNumber: string) => {
      if (refused.has(orderNumber))
        violations.push(`${orderNumber}: what only the merchant can mend is not sent as it was`)
      const known = charges.get(orderNumber) ?? []
      heard.set(orderNumber, new Set(known.flatMap(({ id, isDelivered }) => (isDelivered ? [id] : []))))
    },

    /** A charge was refused for a reason that only the merchant can fix. */
    refused: (orderNumber: string) => void refused.add(orderNumber),

    mended: (orderNumber: string) => {
      refused.delete(orderNumber)
      mends.set(orderNumber, (mends.get(orderNumber) ?? 0) + 1)
    },

    /** Another card is in use: the refused request is a new one now. */
    mendedAll: (name: string) => {
      for (const orderNumber of [...refused].filter((one) => one.startsWith(`${name}-`))) {
        refused.delete(orderNumber)
        mends.set(orderNumber, (mends.get(orderNumber) ?? 0) + 1)
      }
    },

    /** The shop was notified that a card was declined. */
    blamed: (name: string, period: SubscriptionEvent<unknown>["period"]) => {
      if (period?.failure?.remedy !== "merchant") return
      violations.push(`${name} ${period.period}: no payer is told of what only the merchant can mend`)
    },

    /** The gateway has made a charge. `card` is the last first payment that was reported to the shop. */
    charged: ({ at, child, isHidden, stateOf }: MadeCharge, card: Reported | undefined) => {
      const { amount, currency, id, order_number = "", parent_id } = child
      const what = `${order_number} is charged ${amount} ${currency} at ${new Date(at).toISOString()}`
      const period = asked.get(order_number)
      if (period === undefined) return void violations.push(`${what}: only what was asked for is charged`)
      if (amount > period.maximum || currency !== period.currency) {
        violations.push(`${what}: no charge is above the maximum, or in another currency`)
      } else if (amount !== period.amount) violations.push(`${what}: only what was asked for is charged`)
      if (at < period.due) violations.push(`${what}: nothing is charged before its day`)
      const attempt = child.additional_params?.find(({ name }) => name === "effect-gopay")?.value ?? ""
      const cancellation = cancellations.get(period.name)
      if (cancellation?.tag === "Cancelled") violations.push(`${what}: nothing is charged after Cancelled`)
      if (cancellation?.tag === "Cancelling" && !cancellation.marked.has(attempt)) {
        violations.push(`${what}: nothing new is begun after Cancelling`)
      }
      if (card !== undefined && card.payment !== parent_id && !card.marked.includes(attempt)) {
        violations.push(`${what} by ${parent_id}: the old card is not charged after the new one was taken`)
      }
      earlier(order_number, what, stateOf)
      const beside = charges.get(order_number) ?? []
      charges.set(order_number, [...beside, { id, isHidden, isDelivered: false, wasClosed: false }])
    },

    /** A notification was answered with 200. */
    delivered: ({ id, order_number = "" }: PaymentResponse) => {
      for (const charge of charges.get(order_number) ?? []) {
        if (charge.id === id) charge.isDelivered = true
      }
    },

    /** The answer to `cancelSubscription`, with the attempts that were marked then. */
    cancelled: (name: string, tag: Cancellation["_tag"], at: number, marked: ReadonlyArray<string>) => {
      if (tag === "Cancelled" && marked.length > 0) {
        violations.push(`${name}, ${marked.length} attempts: Cancelled is answered only when nothing is on its way`)
      }
      const before = cancellations.get(name)
      cancellations.set(name, { tag, at: before?.at ?? at, marked: new Set([...(before?.marked ?? []), ...marked]) })
    },

    /** Judges each period by what the gateway has made of it, and what was reported to the shop about cards. */
    end: (books: Books): End => {
      const ends: Record<string, number> = {}
      const paid = grouped(
        books.made.filter(({ state }) => state === "PAID"),
        ({ order_number = "" }) => order_number
      )
      const reported = grouped(books.reported, ({ name }) => name)
      const listed = grouped(books.attention, ({ key }) => orderOfKey(key) ?? "")
      const ofOrder = (orderNumber: string): OfPeriod => ({
        paid: paid.get(orderNumber) ?? [],
        charges: charges.get(orderNumber) ?? [],
        attention: listed.get(orderNumber) ?? [],
        mends: mends.get(orderNumber) ?? 0
      })
      for (const { name, periods } of books.details) {
        const own = reported.get(name) ?? []
        for (const period of periods) {
          const { end, problems } = endOf(name, period, own, books.paidFor, ofOrder(period.orderNumber))
          ends[end] = (ends[end] ?? 0) + 1
          violations.push(...problems)
        }
        const cancelledAt = cancellations.get(name)?.at
        violations.push(...expiriesOf(own, zone, books, { cancelledAt, restoredAt }))
      }
      const listedPayments = new Set(books.attention.map(({ paymentId }) => paymentId))
      for (const { id, order_number = "" } of [...paid.values()].flat()) {
        const { attention, charges, paid: beside } = ofOrder(order_number)
        const isUnheard = charges.some((one) => one.id === id && one.isHidden && !one.isDelivered)
        // A restored backup has forgotten it, and meanwhile an attempt that the backup knows is paid late: the period is no one's
        // to decide, and the gateway lists no charges.
        const isForgotten = restoredAt > 0 && beside.some((one) => books.paidFor.has(one.id))
        if (books.known.has(id) || isUnheard || isForgotten || attention.length > 0 || listedPayments.has(id)) continue
        violations.push(`${order_number} ${id}: each paid charge is known, or listed for an operator`)
      }
      return { violations, ends }
    }
  }
}

/** The order number of a period, by the key of its attempt. */
export const orderOfKey = (key: string): string | undefined => {
  const [, name, period] = /^subscription:(.+):([^:]+):\d+$/.exec(key) ?? []
  return name === undefined ? undefined : `${name}-${period}`
}

const grouped = <A>(all: Iterable<A>, nameOf: (one: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const group = groups.get(nameOf(one))
    if (group === undefined) groups.set(nameOf(one), [one])
    else group.push(one)
  }
  return groups
}

type Period = SubscriptionDetails["periods"][number]

/** What the gateway has made of a period, and what of it an operator has to decide. */
interface OfPeriod {
  readonly paid: ReadonlyArray<PaymentResponse>
  readonly charges: ReadonlyArray<Charge>
  readonly attention: ReadonlyArray<AttentionItem>
  /** How often what only the merchant can mend was mended: its days of another attempt begin anew then. */
  readonly mends: number
}

/** How a period has ended, and what is wrong with that. */
const endOf = (
  name: string,
  { attemptKey, attempts, paymentId, period, status }: Period,
  reported: ReadonlyArray<Reported>,
  paidFor: Books["paidFor"],
  { attention, charges, mends, paid }: OfPeriod
) => {
  const problems: Array<string> = []
  const needsOperator = attention.some(({ key }) => key === attemptKey)
  const wrong = (invariant: string) => problems.push(`${name} ${period}, ${status}, ${attempts} attempts: ${invariant}`)
  const isPaid = new Set(paid.map(({ id }) => id))
  const paidCharges = charges.filter(({ id }) => isPaid.has(id))
  // The last one could be made: those before were closed, or no one had heard of them.
  const isExplained = paidCharges.slice(0, -1).every((one) => one.wasClosed || one.isHidden)
  if (paid.length > 1 && !isExplained) wrong("a period is paid once")
  if (paid.filter(({ id }) => paidFor.has(id)).length > 1 && !attention.some(({ kind }) => kind === "PaidTwice")) {
    wrong("what is paid twice is listed for an operator")
  }
  const isHeard = paidCharges.some((one) => !one.isHidden || one.isDelivered)
  if (status === "paid" && !isPaid.has(paymentId ?? 0)) wrong("what is told paid is paid")
  if (status !== "paid" && isHeard && !needsOperator) wrong("every paid period is reported")
  if (!needsOperator && ["due", "charging", "retrying", "blocked"].includes(status)) wrong("each period ends")
  if (attempts > 4 * (1 + mends)) wrong("attempts are bounded")
  const count = reported.filter((one) => one.period === period && one.type === "paid").length
  if (count !== (status === "paid" ? 1 : 0)) wrong("every paid period is reported, once")
  return { end: needsOperator ? "operator" : status, problems }
}

/** How late an event may be reported: a process may be killed in between. */
const slack = 3 * day

/** What is wrong with the reported expiries of cards. */
const expiriesOf = (
  own: ReadonlyArray<Reported>,
  zone: Zone,
  { expirations, now }: Pick<Books, "expirations" | "now">,
  { cancelledAt = Infinity, restoredAt }: { readonly cancelledAt: number | undefined; readonly restoredAt: number }
): ReadonlyArray<string> => {
  const taken = own.filter(({ type }) => type === "started" || type === "cardReplaced")
  return taken.flatMap(({ at, name, payment }, index) => {
    const expiration = expirations.get(payment)
    if (expiration === undefined) return []
    const [year, month] = [2000 + Number(expiration.slice(0, 2)), Number(expiration.slice(2))]
    const begins = beginningOf(zone, year, month, 1)
    const reports = own.filter((one) => one.type === "cardExpires" && one.payment === payment)
    const what = `${name}, card until ${year}-${month}, told ${reports.map((one) => new Date(one.at).toISOString()).join(", ")}`
    const latest = Math.max(begins, at, restoredAt) + slack
    const isMissed = reports.length === 0 && latest < Math.min(now, cancelledAt, taken[index + 1]?.at ?? Infinity)
    const isWrong = reports.length > 1 || reports.some((one) => one.at < begins || one.at > latest)
    return isMissed || isWrong ? [`${what}: that a card expires is told a month before, once`] : []
  })
}
