/**
 * Charges and subscriptions, broken on purpose: each of these must be noticed in a year of subscriptions.
 */
import { type Sabotage, sabotage } from "./Sabotages.js"

const steps = "ledger/change/Steps.ts"
const judgement = "ledger/change/ChangeJudgement.ts"
const charges = "ledger/change/ChargeSteps.ts"
const refusal = "ledger/change/chargeRefusal.ts"
const periods = "ledger/subscription/PeriodSteps.ts"
const subscriptions = "ledger/subscription/Subscriptions.ts"
const subscriptionSteps = "ledger/subscription/SubscriptionSteps.ts"
const events = "ledger/subscription/SubscriptionEvents.ts"

export const subscriptionSabotages: ReadonlyArray<Omit<Sabotage, "mood">> = [
  {
    name: "charge a period again while a charge of it is in doubt",
    changes: [
      {
        file: periods,
        search: `if (!isDecided(attempt)) return`,
        replace: `if (attempt.status === "queued" || attempt.status === "accepted") return`
      },
      {
        file: periods,
        search: `if (attempts.some((one) => !isDecided(one))) return postponed(row, hour)`,
        replace: ``
      },
      { file: refusal, search: `if (!before.every(isDecided)) return`, replace: `if (before.length > 99) return` }
    ]
  },
  sabotage(
    "take a lost charge for one that was refused",
    judgement,
    `if (row.status !== "unknown") return { next_at: null }`,
    `return refused("found", "It is lost.")`
  ),
  sabotage(
    "forget how often a period was tried",
    periods,
    `const isLast = tries > retryAfterDays.length`,
    `const isLast = tries > 99`
  ),
  sabotage(
    "charge again as it was what only the merchant can mend",
    periods,
    `if (remedy === "merchant") return`,
    `if (remedy === "newCard" && code === 110) return`
  ),
  sabotage(
    "let a blocked period go by itself",
    periods,
    `if (!isOther) return undefined`,
    `if (decision === undefined) return undefined`
  ),
  sabotage(
    "report a period before it has moved",
    events,
    `move,
      report: (tx) => onSubscription`,
    `move: () => move(),
      report: (tx) => onSubscription`
  ),
  sabotage(
    "leave a period when its handler fails",
    periods,
    `if (row.status === "paid") return closed`,
    `if (row.attempts > 0) return closed`
  ),
  sabotage(
    "record each attempt under a key of its own",
    periods,
    `yield* record(parts.changes, key, chargeOf(row, subscription))`,
    `yield* record(parts.changes, \`\${key}\${row.version}\`, chargeOf(row, subscription))`
  ),
  sabotage("charge more than was asked for", periods, `amount: row.amount,`, `amount: row.amount * 9,`),
  {
    name: "charge in another currency",
    changes: [
      {
        file: periods,
        search: `  currency,
  order_number: row.order_number`,
        replace: `  currency: "EUR",
  order_number: row.order_number`
      },
      { file: charges, search: `first.currency !== request.currency`, replace: `false` }
    ]
  },
  sabotage(
    "take the days of periods for those of UTC",
    subscriptions,
    `due_at: startOfDay(chargeDay, timeZone)`,
    `due_at: startOfDay(chargeDay, "UTC")`
  ),
  sabotage(
    "charge a month on its first day, whatever day was asked for",
    subscriptions,
    `chargeDayOf(period, wanted.dayOfMonth)`,
    `chargeDayOf(period)`
  ),
  {
    name: "believe that what was declined stays so",
    changes: [
      { file: periods, search: `if (!isClosed) return postponed(row, hour)`, replace: `` },
      {
        file: steps,
        search: `if (!(yield* stillClosed(parts, facts.attempt?.before ?? []))) {`,
        replace: `if (false) {`
      }
    ]
  },
  sabotage(
    "send what has waited without another check of the attempts before",
    steps,
    `if (!(yield* stillClosed(parts, facts.attempt?.before ?? []))) {`,
    `if (false) {`
  ),
  sabotage(
    "keep it from operators that two attempts are paid",
    periods,
    `return paidAttempts.length - (isPaidByOther ? 0 : 1) > row.reported_twice ? twice : undefined`,
    `return paidAttempts.length - 9 > row.reported_twice ? twice : undefined`
  ),
  sabotage(
    "answer Cancelled while a charge is on its way",
    subscriptionSteps,
    `if (last.status !== "queued" && last.status !== "locked") return false`,
    ``
  ),
  sabotage(
    "charge what waits of a subscription that was cancelled",
    refusal,
    `if (subscription?.status !== "active")`,
    `if (subscription === undefined)`
  ),
  {
    name: "begin further attempts while a subscription is cancelling",
    changes: [
      {
        file: periods,
        search: `subscription.status === "cancelling" || subscription.status === "cancelled"`,
        replace: `subscription.status === "cancelled"`
      },
      {
        file: refusal,
        search: `subscription?.status !== "active"`,
        replace: `subscription === undefined || subscription.status === "cancelled"`
      },
      {
        file: subscriptionSteps,
        search: `isUnderWay = !(yield* withdraw(parts, period, row)) || isUnderWay`,
        replace: `isUnderWay = true`
      }
    ]
  },
  {
    name: "do not report what is paid after its subscription was cancelled",
    changes: [
      {
        file: periods,
        search: `paidMove = ({ attempts, row }: Taken)`,
        replace: `paidMove = ({ attempts, row, subscription }: Taken)`
      },
      {
        file: periods,
        search: `if (row.status === "paid") return closed`,
        replace: `if (row.status === "paid" || subscription.status === "cancelled") return closed`
      }
    ]
  },
  sabotage(
    "charge the old card by what waited when the new one was taken",
    refusal,
    `if (subscription.payment_id !== firstPaymentId) {`,
    `if (false) {`
  ),
  {
    name: "charge a new card while a charge of the old one is in doubt",
    changes: [
      {
        file: periods,
        search: `if (!isDecided(attempt)) return`,
        replace: `if (!isDecided(attempt) && attempt.payment_id === subscription.payment_id) return`
      },
      {
        file: periods,
        search: `if (attempts.some((one) => !isDecided(one))) return postponed(row, hour)`,
        replace: ``
      },
      { file: refusal, search: `if (!before.every(isDecided)) return`, replace: `if (before.length > 99) return` }
    ]
  },
  sabotage(
    "charge at once after a backup was restored",
    charges,
    `return (knownAt ?? due_at) <= restoredAt`,
    `return false`
  ),
  sabotage(
    "forget the charges that an operator has adopted",
    periods,
    `return other.state === "open" ? postponed(taken.row, hour) : paidBy(other.id)`,
    `return other.state === "open" ? postponed(taken.row, hour) : undefined`
  ),
  {
    name: "leave a charge as it was decided when its payment is paid after all",
    changes: [
      {
        file: charges,
        search: `      return { tries: 0, next_at: now, entry }
    case "done":
      return { tries: 0, next_at: now, entry }`,
        replace: `      return { entry }
    case "done":
      return { entry }`
      },
      {
        file: "ledger/store/Wakes.ts",
        search: `AND gopay_change.status = 'refused'\``,
        replace: `AND gopay_change.status = 'nothing'\``
      }
    ]
  },
  {
    name: "believe a refusal, whatever a notification says of its charge",
    changes: [
      {
        file: charges,
        search: `if (row === undefined || others.length > 0)`,
        replace: `if (row?.status === "refused") return "Own"
    if (row === undefined || others.length > 0)`
      },
      {
        file: periods,
        search: `const [other] = yield* othersOfPeriod(parts, row, firstPaymentIds, attempts)`,
        replace: `const [other] = []`
      }
    ]
  },
  sabotage(
    "report that a card expires at the end of its last month",
    subscriptionSteps,
    "startOfDay(`${card_expires}-01`, timeZone)",
    "startOfDay(`${card_expires}-28`, timeZone)"
  ),
  sabotage(
    "report each day that a card expires",
    subscriptionSteps,
    `{ expiry_reported: 1, tries: 0, next_at: now }`,
    `{ tries: 0, next_at: { after: day } }`
  ),
  sabotage(
    "do not report that a card expires while another one is waited for",
    subscriptionSteps,
    `if (at !== null && at <= row.now) {`,
    `if (at !== null && at <= row.now && row.awaits === null) {`
  )
]
