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
import { type Fate, makeRecurrencesModel } from "./RecurrencesModel.js"
import { inWorld, inWorldWith, order, type TestLedger, type World } from "./World.js"

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
  readonly charges: number
  /** How many notifications were lost. */
  readonly unnotified: number
  /** How many charges an operator had to look for. */
  readonly decisions: number
  /** How many subscriptions got another card. */
  readonly newCards: number
}

const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
const maximum = 50_000
const day = 86_400_000

/** The gateway of a year. */
interface YearGateway {
  readonly payByCard: (id: number) => Effect.Effect<unknown>
  /** Every charge that was made. */
  readonly charges: Effect.Effect<ReadonlyArray<PaymentResponse>>
  /** Decides what becomes of the charges of a day. */
  readonly decide: (next: () => Fate) => void
}

/** A year by the local gateway and the client: all that a charge goes through. */
export const simulateYear = ({ limit = "5 minutes", ...options }: YearOptions) =>
  inWorld(
    (world) =>
      Effect.flatMap(LocalGateway, (local) => {
        const withLocal = Effect.provideService(LocalGateway, local)
        const armed = ({ fault, payment }: Fate) => {
          const recurrenceChild = payment === "paid" || payment === "paidLater" ? ("paid" as const) : "declined"
          return Effect.andThen(
            LocalGateway.changeSettings({ recurrenceChild }),
            fault === undefined
              ? Effect.void
              : LocalGateway.armFault(
                  typeof fault === "object"
                    ? { type: "refusal", code: fault.refusedBy }
                    : { type: "connectionReset", effect: fault === "requestLost" ? "none" : "committed" },
                  { operation: "createRecurrence" }
                )
          ).pipe(withLocal, Effect.orDie)
        }
        return yearOf(world, options, {
          payByCard: (id) => Effect.orDie(withLocal(LocalGateway.payByCard(id))),
          charges: Effect.map(Effect.orDie(withLocal(LocalGateway.listPayments)), (payments) =>
            payments.filter(({ parent_id }) => parent_id !== undefined)
          ),
          decide: (next) => {
            world.hooks.length = 0
            for (let index = 0; index < options.subscriptions * 2; index++) {
              world.hooks.push(Effect.suspend(() => armed(next())))
            }
          }
        })
      }),
    { limit }
  )

/** A year by a gateway that is a table in memory, for many subscriptions. */
export const simulateLargeYear = ({ limit = "5 minutes", ...options }: YearOptions) =>
  Effect.suspend(() => {
    const model = makeRecurrencesModel()
    return inWorldWith(
      model.service,
      (world) =>
        yearOf(world, options, {
          payByCard: model.payByCard,
          charges: model.charges,
          decide: (next) => {
            model.decide = next
          }
        }),
      { limit }
    )
  })

const yearOf = (
  { makeProcess, pass, store }: World,
  { months, seed, subscriptions }: Omit<YearOptions, "limit">,
  gateway: YearGateway
) =>
  Effect.gen(function* () {
    const chance = new Chance(seed, "year")
    const fates = new Chance(seed, "fates")
    const fate = (): Fate => ({
      payment: fates.percent(35)
        ? fates.pick("declined", "declined", "declinedLater")
        : fates.pick("paid", "paid", "paid", "paidLater"),
      fault: fates.percent(10)
        ? fates.pick("requestLost", "responseLost")
        : fates.percent(2)
          ? { refusedBy: fates.pick(340, 342, 343, 341) }
          : undefined
    })
    yield* Effect.promise(() => store.query("CREATE TABLE told_period (name TEXT, period TEXT, type TEXT)", []))
    const withoutCard = new Set<string>()
    const settings = {
      onSubscription: ({ period, subscription, tx, type }: SubscriptionEvent<SqliteTransaction>) =>
        Effect.promise(async () => {
          await tx.query("INSERT INTO told_period VALUES (?, ?, ?)", [subscription.name, period?.period ?? "", type])
          if (type === "needsCard") withoutCard.add(subscription.name)
        }),
      readsPerSecond: 1_000_000,
      compareFor: 0
    }
    let ledger: TestLedger = yield* makeProcess(settings)
    const notify = (id: number, parentId?: number) =>
      ledger.notificationHandler()({
        method: "GET",
        url: `/notify?id=${id}${parentId === undefined ? "" : `&parent_id=${parentId}`}`
      })
    /** Pays the first payment of an order. */
    const paidFirst = (orderNumber: string) =>
      Effect.gen(function* () {
        const checkout = yield* ledger.checkout(orderNumber, {
          amount: 100,
          currency: "CZK",
          callback: order.callback,
          recurrence
        })
        if (checkout.status !== "open") return yield* Effect.die(new Error(`${orderNumber} has no payment`))
        yield* gateway.payByCard(checkout.paymentId)
        yield* notify(checkout.paymentId)
      })

    const names = Array.from({ length: subscriptions }, (_, index) => `sub-${index}`)
    for (const name of names) {
      yield* paidFirst(name)
      yield* ledger.createSubscription(name, { orderNumber: name, maximum, currency: "CZK" })
    }
    yield* ledger.runOnce({ budget: "1 day" })

    let killed = 0
    let unnotified = 0
    let newCards = 0
    let decisions = 0
    let now = day
    const seen = new Map<number, string>()
    const cancelled = new Set<string>()
    /** Delivers the notifications of charges that are new or have changed; some are lost. */
    const notified = Effect.gen(function* () {
      for (const { id, parent_id, state } of yield* gateway.charges) {
        if (seen.get(id) === state) continue
        seen.set(id, state)
        if (chance.percent(30)) unnotified++
        else yield* notify(id, parent_id)
      }
    })
    /** Some payers give another card when they are asked to. */
    const newCardsGiven = Effect.gen(function* () {
      for (const name of withoutCard) {
        if (cancelled.has(name) || chance.percent(40)) continue
        const orderNumber = `${name}-card-${++newCards}`
        yield* paidFirst(orderNumber)
        yield* ledger.replaceCard(name, orderNumber)
      }
      withoutCard.clear()
    })

    /** An operator adopts the lost charges that the gateway has, and decides that the others were not made. */
    const operated = Effect.gen(function* () {
      const attention = yield* keysInAttention(ledger)
      const made = yield* gateway.charges
      for (const name of attention.size === 0 ? [] : names) {
        const { periods = [] } = (yield* ledger.getSubscription(name)) ?? {}
        for (const { attemptKey = "", orderNumber } of periods) {
          if (!attention.has(attemptKey)) continue
          decisions++
          for (const { id, order_number } of made) {
            if (order_number === orderNumber) yield* ledger.adoptPayment(orderNumber, id)
          }
          const change = yield* ledger.getChange(attemptKey)
          if (change?.attention !== "InDoubt") continue
          const { version } = change
          yield* ledger.resolveChange(attemptKey, { version, as: "notDone", by: "Eva", note: "The gateway has none." })
        }
      }
    })

    for (let month = 1; month <= months; month++) {
      const period = `1970-${String(month).padStart(2, "0")}`
      const begins = startOfDay(`${period}-01`, "Europe/Prague")
      const ends = startOfDay(
        month === 12 ? "1971-01-01" : `1970-${String(month + 1).padStart(2, "0")}-01`,
        "Europe/Prague"
      )
      // Asked for a day before it is due.
      for (const [index, name] of names.entries()) {
        if (cancelled.has(name)) continue
        const dayOfMonth = (month % 2) + (index % 5) === 0 ? 31 : 1 + (index % 28)
        yield* ledger.chargePeriod(name, period, { amount: 10_000 + month, dayOfMonth })
      }
      for (let at = Math.max(now, begins); at < ends; at += day) {
        yield* pass(at + day - now)
        now = at + day
        gateway.decide(fate)
        if (chance.percent(25)) {
          const process = yield* makeProcess({
            ...settings,
            killAt: { statement: chance.between(1, 100 + 20 * subscriptions), when: chance.pick("before", "after") }
          })
          yield* Effect.raceFirst(Effect.ignore(process.runOnce({ budget: "1 day" })), process.killed)
          if (process.isKilled()) killed++
          yield* process.kill
          ledger = yield* makeProcess(settings)
        } else yield* ledger.runOnce({ budget: "1 day" })
        yield* notified
        yield* newCardsGiven
        for (let index = 0; index < subscriptions; index += 100) {
          const name = names[chance.below(names.length)] ?? ""
          if (!chance.percent(10) || cancelled.has(name)) continue
          yield* ledger.cancelSubscription(name)
          cancelled.add(name)
        }
      }
      yield* operated
    }
    gateway.decide(() => ({ payment: "paid" }))
    for (let after = 0; after < 20; after++) {
      yield* pass("1 day")
      yield* ledger.runOnce({ budget: "1 day" })
      yield* notified
    }

    const made = yield* gateway.charges
    const told = yield* Effect.promise(() => store.rows("SELECT name, period, type FROM told_period"))
    const details = yield* Effect.forEach(names, (name) => ledger.getSubscription(name))
    const judged = judge({
      made,
      attention: yield* keysInAttention(ledger),
      details: details.flatMap((one) => (one === undefined ? [] : [one])),
      told: told.map((row) => `${String(row["name"])} ${String(row["period"])} ${String(row["type"])}`)
    })
    return { ...judged, killed, unnotified, newCards, decisions, charges: made.length } satisfies Year
  })

/** The keys of the changes that need an operator. */
const keysInAttention = (ledger: TestLedger) =>
  Effect.map(ledger.listAttention({ limit: 10_000 }), (items) => new Set(items.map(({ key }) => key)))

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
