/**
 * The shop of a year of subscriptions: what its customers, its cron jobs, its operators and its administrators do.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PaymentResponse } from "../../src/index.js"
import type { AttentionItem, SqliteTransaction, SubscriptionEvent } from "../../src/ledger/index.js"
import type { SqlRow } from "../../src/ledger/model/LedgerStore.js"
import { Chance } from "../simulation/Chance.js"
import type { MadeCharge, Refusal } from "./RecurrencesModel.js"
import { statements } from "./FailingStore.js"
import { type KilledStatement, order, type World } from "./World.js"
import { dueOf, orderOfKey, type Reported, type YearJudge, type Zone } from "./YearJudge.js"

/** The gateway of a year. */
export interface YearGateway {
  readonly payByCard: (id: number, expiration: string) => Effect.Effect<unknown>
  /** Every charge that was made. */
  readonly charges: Effect.Effect<ReadonlyArray<PaymentResponse>>
  /** The month in which the card of a payment expires, `YYMM`, when one is asked for. */
  readonly expirationOf: (asked: string) => string
  /** Whether a request is still on its way. */
  readonly isLate: () => boolean
  /** Has it call what happens while a request for a charge is on its way, and when a charge is made. */
  readonly watch: (watcher: YearWatcher) => void
}

export interface YearWatcher {
  readonly onTheWay: (orderNumber: string) => Effect.Effect<unknown>
  readonly onRefused: (orderNumber: string, code: Refusal["refusedBy"]) => void
  readonly onCharge: (made: MadeCharge) => Effect.Effect<unknown>
}

export interface YearShopOptions {
  readonly world: World
  readonly gateway: YearGateway
  readonly judge: YearJudge
  readonly zone: Zone
  readonly seed: number
  readonly names: ReadonlyArray<string>
}

const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
const terms = { maximum: 50_000, currency: "CZK" } as const
const budget = { budget: "1 day" } as const

const periods = Array.from({ length: 12 }, (_, index) => `2027-${String(index + 1).padStart(2, "0")}`)

/** What the shop counts. */
export interface YearCounts {
  killed: number
  unnotified: number
  decisions: number
  /** How often what only the merchant can mend was mended, or given up. */
  mended: number
  newCards: number
  restored: number
}

export type YearShop = Effect.Success<ReturnType<typeof openYearShop>>

/** Opens the shop: its customers have subscribed, and paid the first payment. */
export const openYearShop = ({ gateway, judge, names, seed, world, zone }: YearShopOptions) =>
  Effect.gen(function* () {
    const { makeProcess, store } = world
    const chance = new Chance(seed, "year")
    const counts: YearCounts = { killed: 0, unnotified: 0, decisions: 0, mended: 0, newCards: 0, restored: 0 }
    const context = yield* Effect.context<never>()
    const withoutCard = new Set<string>()
    const cancelled = new Set<string>()
    const seen = new Map<number, string>()
    const expirations = new Map<number, string>()
    /** What the shop has described the charges of an order number as, since it has corrected them. */
    const descriptions = new Map<string, string>()
    let backedUpAt: number | undefined
    let isActing = false

    yield* Effect.promise(() =>
      store.query(
        "CREATE TABLE reported (name TEXT, period TEXT, type TEXT, payment TEXT, at INTEGER, marked TEXT)",
        []
      )
    )
    yield* Effect.promise(() => store.query("CREATE INDEX reported_name ON reported (name)", []))

    const settings = {
      timeZone: zone.timeZone,
      onSubscription: ({ period, subscription, tx, type }: SubscriptionEvent<SqliteTransaction>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.promise(async () => {
            const { name, paymentId = 0 } = subscription
            const isCard = type === "started" || type === "cardReplaced"
            const marked = isCard ? attemptsIn(await tx.query(markedOf, [keysOf(name)])) : []
            await tx.query("INSERT INTO reported VALUES (?, ?, ?, ?, ?, ?)", [
              name,
              period?.period ?? "",
              type,
              String(paymentId),
              now,
              marked.join(" ")
            ])
            if (type === "needsCard") withoutCard.add(name)
            if (type === "cardReplaced") judge.mendedAll(name)
            if (type === "declined" || type === "needsCard") judge.blamed(name, period)
          })
        ),
      readsPerSecond: 1_000_000,
      compareFor: 0
    }
    /** One that works, and one of another machine. */
    const processes = { worker: yield* makeProcess(settings), office: yield* makeProcess(settings) }

    const notify = (id: number, parentId?: number) =>
      processes.worker.notificationHandler()({
        method: "GET",
        url: `/notify?id=${id}${parentId === undefined ? "" : `&parent_id=${parentId}`}`
      })

    /** A month in which a card expires: one in three in this year. */
    const expiration = () =>
      gateway.expirationOf(chance.percent(33) ? `27${String(chance.between(2, 12)).padStart(2, "0")}` : "3112")

    /** Orders a first payment. */
    const checkedOut = (orderNumber: string) =>
      Effect.gen(function* () {
        const callback = order.callback
        const checkout = yield* processes.office.checkout(orderNumber, {
          amount: 100,
          currency: "CZK",
          callback,
          recurrence
        })
        return checkout.status === "open"
          ? checkout.paymentId
          : yield* Effect.die(new Error(`${orderNumber} has no payment`))
      })
    const paidByCard = (paymentId: number) =>
      Effect.gen(function* () {
        const month = expiration()
        expirations.set(paymentId, month)
        yield* gateway.payByCard(paymentId, month)
        yield* notify(paymentId)
      })

    /** A customer gives another card. Some leave the pay page, and keep the old one. */
    const cardGiven = (name: string) =>
      Effect.gen(function* () {
        const orderNumber = `${name}-card-${++counts.newCards}`
        const paymentId = yield* checkedOut(orderNumber)
        yield* processes.office.replaceCard(name, orderNumber)
        if (!chance.percent(20)) yield* paidByCard(paymentId)
      })

    const cancel = (name: string) =>
      Effect.gen(function* () {
        cancelled.add(name)
        const { _tag } = yield* processes.office.cancelSubscription(name)
        const marked = attemptsIn(yield* Effect.promise(() => store.rows(markedOf, keysOf(name))))
        judge.cancelled(name, _tag, yield* Clock.currentTimeMillis, marked)
      })

    const ask = (index: number, month: number) => {
      const [name = "", period = ""] = [names[index], periods[month]]
      const amount = 10_000 + month
      const dayOfMonth = ((month + 1) % 2) + (index % 5) === 0 ? 31 : 1 + (index % 28)
      judge.asked(`${name}-${period}`, { name, period, amount, ...terms, due: dueOf(zone, period, dayOfMonth) })
      const order_description = descriptions.get(`${name}-${period}`)
      return processes.office.chargePeriod(name, period, { amount, dayOfMonth, order_description })
    }

    gateway.watch({
      onCharge: (made) =>
        Effect.gen(function* () {
          const name = nameOfOrder(made.child.order_number ?? "")
          const found = yield* Effect.promise(() => store.rows(lastCardOf, name))
          judge.charged(made, found.map(reportedIn)[0])
        }),
      onRefused: (orderNumber, code) => {
        if (code === 110) judge.refused(orderNumber)
      },
      onTheWay: (orderNumber) => {
        judge.sent(orderNumber)
        const name = nameOfOrder(orderNumber)
        return chance.percent(0.5) && !cancelled.has(name) ? Effect.orDie(cancel(name)) : Effect.void
      }
    })

    const subscribed = Effect.gen(function* () {
      for (const name of names) {
        yield* paidByCard(yield* checkedOut(name))
        yield* processes.office.createSubscription(name, { orderNumber: name, ...terms })
      }
      yield* processes.worker.runOnce(budget)
    })

    /** Asks for the periods of a month, and of the next one. It may be repeated. */
    const askedFor = (month: number, last: number) =>
      Effect.gen(function* () {
        for (const index of names.keys()) {
          if (cancelled.has(names[index] ?? "")) continue
          for (const one of [month, month + 1]) if (one <= last) yield* ask(index, one)
        }
      })

    /** A worker does what is due, and may be killed in between. */
    const worked = Effect.gen(function* () {
      if (!chance.percent(25)) return void (yield* processes.worker.runOnce(budget))
      const killAt: KilledStatement = {
        statement: chance.between(1, 100 + 20 * names.length),
        when: chance.pick("before", "after")
      }
      const process = yield* makeProcess({ ...settings, killAt })
      yield* Effect.raceFirst(Effect.ignore(process.runOnce(budget)), process.killed)
      if (process.isKilled()) counts.killed++
      yield* process.kill
    })

    /** Delivers the notifications of charges that are new or have changed; some are lost. */
    const notified = Effect.gen(function* () {
      for (const charge of yield* gateway.charges) {
        const { id, parent_id, state } = charge
        if (seen.get(id) === state) continue
        seen.set(id, state)
        if (chance.percent(30)) counts.unnotified++
        else if ((yield* notify(id, parent_id)) === 200) judge.delivered(charge)
      }
    })

    /** What another process does just before a charge is recorded or marked: one thing at a time, or it waits for itself. */
    const meanwhile = (statement: RegExp, act: (name: string) => Effect.Effect<unknown, unknown>) =>
      store.before(statement, async (values) => {
        const key = values.find((value) => typeof value === "string" && value.startsWith("subscription:"))
        const name = nameOfOrder(orderOfKey(String(key)) ?? "")
        if (name === "" || cancelled.has(name) || isActing) return
        isActing = true
        await Effect.runPromiseWith(context)(Effect.orDie(act(name))).finally(() => {
          isActing = false
        })
      })

    /** What customers do on a day. */
    const visited = Effect.gen(function* () {
      for (const name of withoutCard) {
        if (!cancelled.has(name) && !chance.percent(40)) yield* cardGiven(name)
      }
      withoutCard.clear()
      for (let index = 0; index < names.length; index += 100) {
        const name = names[chance.below(names.length)] ?? ""
        if (cancelled.has(name)) continue
        if (chance.percent(3)) yield* cancel(name)
        else if (chance.percent(5)) yield* cardGiven(name)
        const statement = chance.pick(statements.insert, statements.mark)
        if (chance.percent(1)) meanwhile(statement, cancel)
        else if (chance.percent(2)) {
          meanwhile(statement, (one) => Effect.andThen(cardGiven(one), processes.office.runOnce(budget)))
        }
      }
    })

    /** The merchant mends what a charge was refused for, or gives its period up. */
    const mended = ({ key, version }: AttentionItem, number: string, paid: PaymentResponse | undefined) => {
      counts.mended++
      const said = { version, by: "Eva", note: "The request was wrong." }
      const { resolveChange } = processes.worker.operator
      if (paid !== undefined) return resolveChange(key, { ...said, as: "done", chargeId: paid.id })
      if (chance.percent(20)) return resolveChange(key, { ...said, as: "cancelled" })
      judge.mended(number)
      if (chance.percent(50)) return resolveChange(key, { ...said, as: "notDone" })
      descriptions.set(number, `Correction ${counts.mended}`)
      return ask(names.indexOf(nameOfOrder(number)), periods.indexOf(number.slice(-7)))
    }

    /** An operator adopts what the gateway has of a charge in doubt, and decides that what it has not was not made. */
    const decided = (item: AttentionItem, made: Made) =>
      Effect.gen(function* () {
        const { key, kind, orderNumber, paymentId, since } = item
        const { worker } = processes
        if (kind === "UnknownPayment" && orderNumber !== undefined && paymentId !== undefined) {
          return yield* worker.operator.adoptPayment(orderNumber, paymentId)
        }
        const number = orderOfKey(key)
        if (kind === "ChargeRefused" && number !== undefined) {
          const charge = (made.get(number) ?? []).find(({ state }) => state === "PAID")
          return yield* Effect.ignore(mended(item, number, charge))
        }
        // Whoever decides early may be wrong.
        const isOld = (yield* Clock.currentTimeMillis) - Date.parse(since) > 3 * 86_400_000
        if (kind !== "InDoubt" || number === undefined || !isOld) return undefined
        counts.decisions++
        judge.mended(number)
        const found = made.get(number) ?? []
        for (const { id } of found) yield* worker.operator.adoptPayment(number, id)
        const change = yield* worker.operator.getChange(key)
        if (change?.attention?.includes("InDoubt") !== true || found.some(({ state }) => state === "CREATED"))
          return undefined
        const said = { version: change.version, by: "Eva", note: "So says GoPay's administration." }
        const paid = found.find(({ parent_id, state }) => state === "PAID" && parent_id === change.paymentId)
        const notMade = worker.operator.resolveChange(key, { ...said, as: "notDone" })
        if (paid === undefined) return yield* notMade
        // It may be the payment of another attempt, says the ledger.
        return yield* worker.operator
          .resolveChange(key, { ...said, as: "done", chargeId: paid.id })
          .pipe(Effect.catchReason("LedgerError", "NotResolved", () => notMade))
      })
    const operated = Effect.gen(function* () {
      const items = yield* processes.worker.operator.listAttention({ limit: 10_000 })
      if (items.length === 0) return
      const made: Made = new Map()
      for (const charge of yield* gateway.charges) {
        const number = charge.order_number ?? ""
        made.set(number, [...(made.get(number) ?? []), charge])
      }
      for (const item of items) yield* decided(item, made)
    })

    /** Backs up the database now and then, and restores it, as the documentation says. */
    const administered = (month: number, last: number) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (backedUpAt === undefined || now - backedUpAt > 20 * 86_400_000) {
          if (!chance.percent(4)) return
          yield* Effect.promise(() => store.backUp())
          backedUpAt = now
          return
        }
        if (!chance.percent(4) || gateway.isLate()) return
        yield* processes.worker.kill
        yield* processes.office.kill
        yield* Effect.promise(() => store.restore())
        judge.restored(now)
        counts.restored++
        processes.worker = yield* makeProcess(settings)
        processes.office = yield* makeProcess(settings)
        yield* processes.worker.operator.distrust({ since: new Date(backedUpAt) })
        backedUpAt = undefined
        for (const index of names.keys()) {
          // What was cancelled before the backup takes no more of them.
          for (let one = 0; one <= Math.min(month + 1, last); one++) yield* Effect.ignore(ask(index, one))
        }
        // From then on an operator decides about periods that may have been charged, even if they are cancelled again.
        yield* processes.worker.runOnce(budget)
        for (const name of cancelled) yield* cancel(name)
      })

    /** Asks again whether what was cancelled is. */
    const cancelledAgain = Effect.gen(function* () {
      for (const name of cancelled) yield* cancel(name)
    })

    return {
      administered,
      askedFor,
      cancelledAgain,
      counts,
      expirations,
      notified,
      operated,
      processes,
      subscribed,
      visited,
      worked
    }
  })

type Made = Map<string, ReadonlyArray<PaymentResponse>>

/** The name of the subscription of an order number or a period. */
const nameOfOrder = (orderNumber: string): string => orderNumber.replace(/-\d{4}-\d\d$/, "")

const keysOf = (name: string): string => `subscription:${name}:%`

/** The attempts of a subscription that may be on their way. */
const markedOf = `SELECT attempt FROM gopay_change WHERE key LIKE ? AND record IS NOT NULL AND attempt IS NOT NULL
  AND status NOT IN ('done', 'refused', 'failed')`

const attemptsIn = (rows: ReadonlyArray<SqlRow>): ReadonlyArray<string> => rows.map(({ attempt }) => String(attempt))

const lastCardOf = `SELECT * FROM reported WHERE name = ? AND type IN ('started', 'cardReplaced') ORDER BY rowid DESC LIMIT 1`

/** A reported event, as it was recorded. */
export const reportedIn = ({ at, marked, name, payment, period, type }: SqlRow): Reported => ({
  name: String(name),
  period: String(period),
  type: String(type),
  payment: Number(payment),
  at: Number(at),
  marked: String(marked).split(" ")
})
