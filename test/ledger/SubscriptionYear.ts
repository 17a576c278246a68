/**
 * A year of subscriptions: declined cards, lost responses, lost notifications, killed processes, cancellations. At its end
 * each period is judged by what the gateway has made.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type PaymentResponse } from "../../src/index.js"
import type { SqliteTransaction, SubscriptionDetails, SubscriptionEvent } from "../../src/ledger/index.js"
import { startOfDay } from "../../src/ledger/subscription/PeriodDay.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { Chance } from "../simulation/Chance.js"
import { inWorld, order, type TestLedger } from "./World.js"

export interface YearOptions {
  readonly seed: number
  readonly subscriptions: number
  readonly months: number
  /** How long it may take. Default: 5 minutes. */
  readonly limit?: Duration.Input
}

/** What a year has come to. */
export interface Year {
  readonly violations: ReadonlyArray<string>
  /** How many periods ended in each way. */
  readonly ends: Readonly<Record<string, number>>
  readonly killed: number
  readonly sent: number
  /** How many notifications were lost. */
  readonly unnotified: number
}

const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
const maximum = 50_000
const day = 86_400_000

export const simulateYear = ({ limit = "5 minutes", months, seed, subscriptions }: YearOptions) =>
  inWorld(
    (world) =>
      Effect.gen(function* () {
        const { hooks, makeProcess, pass, sent, store } = world
        const chance = new Chance(seed, "year")
        const local = yield* LocalGateway
        yield* Effect.promise(() => store.query("CREATE TABLE told_period (name TEXT, period TEXT, type TEXT)", []))
        const onSubscription = ({ period, subscription, tx, type }: SubscriptionEvent<SqliteTransaction>) =>
          Effect.promise(() =>
            tx.query("INSERT INTO told_period VALUES (?, ?, ?)", [subscription.name, period?.period ?? "", type])
          )
        let ledger: TestLedger = yield* makeProcess({ onSubscription, readsPerSecond: 1_000_000, compareFor: 0 })
        const names = Array.from({ length: subscriptions }, (_, index) => `sub-${index}`)
        const firsts = new Map<string, number>()
        for (const name of names) {
          const checkout = yield* ledger.checkout(name, {
            amount: 100,
            currency: "CZK",
            callback: order.callback,
            recurrence
          })
          if (checkout.status !== "open") return yield* Effect.die(new Error(`${name} has no payment`))
          yield* LocalGateway.payByCard(checkout.paymentId)
          yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${checkout.paymentId}` })
          yield* ledger.createSubscription(name, { orderNumber: name, maximum, currency: "CZK" })
          firsts.set(name, checkout.paymentId)
        }
        yield* ledger.runOnce({ budget: "1 day" })

        let killed = 0
        let unnotified = 0
        let now = day
        const seen = new Set<number>()
        const cancelled = new Map<string, number>()
        /** Sets what becomes of the next charges. */
        const fates = () => {
          hooks.length = 0
          for (let index = 0; index < subscriptions * 2; index++) {
            hooks.push(
              Effect.suspend(() => {
                const fault = chance.percent(10)
                  ? ({ type: "connectionReset", effect: chance.percent(50) ? "none" : "committed" } as const)
                  : chance.percent(2)
                    ? ({ type: "refusal", code: chance.pick(340, 342, 343, 341) } as const)
                    : undefined
                return Effect.andThen(
                  LocalGateway.changeSettings({ recurrenceChild: chance.percent(35) ? "declined" : "paid" }),
                  fault === undefined ? Effect.void : LocalGateway.armFault(fault, { operation: "createRecurrence" })
                ).pipe(Effect.provideService(LocalGateway, local), Effect.orDie)
              })
            )
          }
        }
        /** Delivers the notifications of new charges; some are lost. */
        const notified = Effect.gen(function* () {
          for (const { id, parent_id } of yield* charges) {
            if (seen.has(id)) continue
            seen.add(id)
            if (chance.percent(30)) unnotified++
            else yield* ledger.notificationHandler()({ method: "GET", url: `/notify?id=${id}&parent_id=${parent_id}` })
          }
        })

        const periods: Array<string> = []
        for (let month = 1; month <= months; month++) {
          const period = `1970-${String(month).padStart(2, "0")}`
          periods.push(period)
          const begins = startOfDay(`${period}-01`, "Europe/Prague")
          const ends = startOfDay(
            month === 12 ? "1971-01-01" : `1970-${String(month + 1).padStart(2, "0")}-01`,
            "Europe/Prague"
          )
          // Asked for a day before it is due.
          for (const name of names) {
            if (cancelled.has(name)) continue
            yield* ledger.chargePeriod(name, period, { amount: 10_000 + month, dayOfMonth: month % 2 === 0 ? 31 : 3 })
          }
          for (let at = Math.max(now, begins); at < ends; at += day) {
            yield* pass(at + day - now)
            now = at + day
            fates()
            if (chance.percent(25)) {
              const process = yield* makeProcess({
                onSubscription,
                readsPerSecond: 1_000_000,
                compareFor: 0,
                killAt: { statement: chance.between(1, 600), when: chance.pick("before", "after") }
              })
              yield* Effect.raceFirst(
                Effect.ignore(process.runOnce({ budget: "1 day" })),
                untilKilled(process.isKilled)
              )
              if (process.isKilled()) killed++
              yield* process.kill
              ledger = yield* makeProcess({ onSubscription, readsPerSecond: 1_000_000, compareFor: 0 })
            } else yield* ledger.runOnce({ budget: "1 day" })
            yield* notified
            if (chance.percent(10)) {
              const name = names[chance.below(names.length)] ?? ""
              if (!cancelled.has(name)) {
                yield* ledger.cancelSubscription(name)
                cancelled.set(name, now)
              }
            }
          }
        }
        hooks.length = 0
        for (let later = 0; later < 20; later++) {
          yield* pass("1 day")
          yield* ledger.runOnce({ budget: "1 day" })
          yield* notified
        }

        const made = yield* charges
        const told = yield* Effect.promise(() => store.rows("SELECT name, period, type FROM told_period"))
        const attention = new Set((yield* ledger.listAttention({ limit: 500 })).map(({ key }) => key))
        const details = yield* Effect.forEach(names, (name) => ledger.getSubscription(name))
        const judged = judge({
          made,
          attention,
          details: details.flatMap((one) => (one === undefined ? [] : [one])),
          told: told.map((row) => `${String(row["name"])} ${String(row["period"])} ${String(row["type"])}`)
        })
        return { ...judged, killed, unnotified, sent: sent.length } satisfies Year
      }),
    { limit }
  )

const charges = Effect.map(Effect.orDie(LocalGateway.listPayments), (payments) =>
  payments.filter(({ parent_id }) => parent_id !== undefined)
)

const untilKilled = (isKilled: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isKilled() ? Effect.void : Effect.andThen(Effect.yieldNow, untilKilled(isKilled))))

/** What is known of a year at its end. */
interface Books {
  readonly made: ReadonlyArray<PaymentResponse>
  /** The keys of the changes that need an operator. */
  readonly attention: ReadonlySet<string>
  readonly details: ReadonlyArray<SubscriptionDetails>
  readonly told: ReadonlyArray<string>
}

/** Judges each period by what the gateway has made of it. */
export const judge = ({ attention, details, made, told }: Books): Pick<Year, "violations" | "ends"> => {
  const violations: Array<string> = []
  const ends: Record<string, number> = {}
  const paid = new Map<string, number>()
  for (const { amount, currency, order_number = "", state } of made) {
    if (amount > maximum || currency !== "CZK") violations.push(`${order_number} was charged ${amount} ${currency}`)
    if (state === "PAID") paid.set(order_number, (paid.get(order_number) ?? 0) + 1)
  }
  const tellings = new Map<string, number>()
  for (const line of told) tellings.set(line, (tellings.get(line) ?? 0) + 1)
  for (const { name, periods } of details) {
    for (const { attemptKey = "", attempts, orderNumber, period, status } of periods) {
      const count = paid.get(orderNumber) ?? 0
      const needsOperator = attention.has(attemptKey)
      const end = needsOperator ? "operator" : status
      ends[end] = (ends[end] ?? 0) + 1
      const what = `${name} ${period}, ${status}, ${attempts} attempts`
      if (count > 1) violations.push(`${what}: paid ${count} times`)
      if (status === "paid" && count !== 1) violations.push(`${what}: the gateway has ${count} payments`)
      if (status !== "paid" && count > 0 && !needsOperator) violations.push(`${what}: paid, and no one knows`)
      if (!needsOperator && (status === "due" || status === "charging" || status === "retrying")) {
        violations.push(`${what}: it has no end`)
      }
      if (attempts > 4) violations.push(`${what}: too many attempts`)
      const tellingsOfPaid = tellings.get(`${name} ${period} paid`) ?? 0
      if (tellingsOfPaid !== (status === "paid" ? 1 : 0)) violations.push(`${what}: told ${tellingsOfPaid} times`)
    }
  }
  return { violations, ends }
}
