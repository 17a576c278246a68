/**
 * A year of subscriptions: declined cards, lost and late requests, lost responses and notifications, requests that are sent
 * twice, killed processes, new cards, cancellations, restored backups. Each charge is judged when the gateway makes it, and
 * each period at the end.
 */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { Chance } from "../simulation/Chance.js"
import { type Fate, makeRecurrencesModel } from "./RecurrencesModel.js"
import { inWorld, inWorldWith, type World } from "./World.js"
import { makeYearJudge, zones } from "./YearJudge.js"
import { openYearShop, reportedIn, type YearCounts, type YearGateway, type YearShop } from "./YearShop.js"

export interface YearOptions {
  readonly seed: number
  readonly subscriptions: number
  readonly months: number
  /** How long it may take. Default: 5 minutes. */
  readonly limit?: Duration.Input
}

/** What a year has come to. */
export interface Year extends Readonly<YearCounts> {
  readonly violations: ReadonlyArray<string>
  /** How many periods ended in each way. */
  readonly ends: Readonly<Record<string, number>>
  readonly charges: number
}

const day = 86_400_000
const beginning = Date.UTC(2027, 0, 1)

/** A gateway whose charges meet what the year decides. */
interface DecidedGateway extends YearGateway {
  /** Decides what becomes of the charges of a day. */
  readonly decide: (next: () => Fate) => void
}

/** The local gateway, as the year sees it. It declines or pays at once, and sends no request twice. */
const localGatewayOf = ({ hooks, listed }: World, subscriptions: number) =>
  Effect.map(LocalGateway, (local): DecidedGateway => {
    const withLocal = Effect.provideService(LocalGateway, local)
    const charges = Effect.map(Effect.orDie(withLocal(LocalGateway.listPayments)), (payments) =>
      payments.filter(({ parent_id }) => parent_id !== undefined)
    )
    const armed = ({ fault, payment }: Fate) => {
      const recurrenceChild = payment === "paid" || payment === "paidLater" ? ("paid" as const) : "declined"
      return Effect.andThen(
        LocalGateway.changeSettings({ recurrenceChild }),
        fault === undefined || fault === "notSent"
          ? Effect.void
          : LocalGateway.armFault(
              typeof fault === "object"
                ? { type: "refusal", code: fault.refusedBy }
                : { type: "connectionReset", effect: fault === "responseLost" ? "committed" : "none" },
              { operation: "createRecurrence" }
            )
      ).pipe(withLocal, Effect.orDie)
    }
    const known = new Set<number>()
    return {
      charges,
      expirationOf: () => "3912",
      isLate: () => false,
      payByCard: (id) => Effect.orDie(withLocal(LocalGateway.payByCard(id))),
      watch: ({ onCharge }) => {
        listed.afterSend = Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const made = yield* charges
          const stateOf = (id: number) => made.find((one) => one.id === id)?.state
          for (const child of made.filter(({ id }) => !known.has(id))) {
            known.add(child.id)
            yield* onCharge({ child, at, isHidden: false, stateOf })
          }
        })
      },
      decide: (next) => {
        hooks.length = 0
        for (let index = 0; index < subscriptions * 2; index++) hooks.push(Effect.suspend(() => armed(next())))
      }
    }
  })

/** A year by the local gateway and the client: all that a charge goes through. */
export const simulateYear = ({ limit = "5 minutes", ...options }: YearOptions) =>
  inWorld(
    (world) =>
      Effect.flatMap(localGatewayOf(world, options.subscriptions), (gateway) => yearOf(world, options, gateway)),
    { limit }
  )

/** A year by a gateway that is a table in memory, for many subscriptions. */
export const simulateLargeYear = ({ limit = "5 minutes", ...options }: YearOptions) =>
  Effect.suspend(() => {
    const model = makeRecurrencesModel()
    const gateway: DecidedGateway = {
      charges: model.charges,
      expirationOf: (asked) => asked,
      isLate: model.isLate,
      payByCard: model.payByCard,
      watch: ({ onCharge, onRefused, onTheWay }) => {
        model.onCharge = onCharge
        model.onRefused = onRefused
        model.onTheWay = onTheWay
      },
      decide: (next) => {
        model.decide = next
      }
    }
    return inWorldWith(model.service, (world) => yearOf(world, options, gateway), { limit })
  })

/** What becomes of the charges of a year. */
const fatesOf = (seed: number) => {
  const fates = new Chance(seed, "fates")
  const faultOf = (): Fate["fault"] => {
    if (fates.percent(10)) return fates.pick("requestLost", "requestLate", "responseLost", "responseLost")
    if (fates.percent(5)) return "notSent"
    if (fates.percent(2)) return { refusedBy: fates.pick(340, 342, 343, 341) }
    if (fates.percent(2)) return { refusedBy: 110 }
    return fates.percent(2) ? { refusedBy: fates.pick(340, 342, 343, 110), isRepeated: true } : undefined
  }
  return (): Fate => ({
    payment: fates.percent(35)
      ? fates.pick("declined", "declined", "declinedLater", "declinedThenPaid", "declinedThenPaidLate")
      : fates.pick("paid", "paid", "paid", "paidLater"),
    fault: faultOf()
  })
}

/** Backups are restored in every other year. */
const isRestored = (seed: number): boolean => seed % 2 === 1

const yearOf = (
  world: World,
  { months: last, seed, subscriptions }: Omit<YearOptions, "limit">,
  gateway: DecidedGateway
) =>
  Effect.gen(function* () {
    const { pass } = world
    const fate = fatesOf(seed)
    const zone = zones[seed % zones.length] ?? { timeZone: "UTC", offsetOf: () => 0 }
    const judge = makeYearJudge(zone)
    yield* pass(beginning - (yield* Clock.currentTimeMillis))
    const names = Array.from({ length: subscriptions }, (_, index) => `sub-${index}`)
    const shop = yield* openYearShop({ world, gateway, judge, zone, seed, names })
    yield* shop.subscribed
    for (let month = 0; month < last; month++) {
      yield* shop.askedFor(month, last - 1)
      const days = Math.round((Date.UTC(2027, month + 1) - Date.UTC(2027, month)) / day)
      for (let date = 0; date < days; date++) {
        yield* pass("1 day")
        gateway.decide(fate)
        yield* shop.worked
        yield* shop.notified
        yield* shop.visited
        if (isRestored(seed)) yield* shop.administered(month, last - 1)
      }
      yield* shop.operated
      yield* shop.cancelledAgain
    }
    gateway.decide(() => ({ payment: "paid" }))
    for (let after = 0; after < 20; after++) {
      yield* pass("1 day")
      yield* shop.processes.worker.runOnce({ budget: "1 day" })
      yield* shop.notified
    }
    const { charges, violations, ends } = yield* judged(world, shop, gateway, judge, names)
    return { ...shop.counts, violations, ends, charges } satisfies Year
  })

/** Judges what gateway, ledger and shop have at the end. */
const judged = (
  { store }: World,
  { expirations, processes: { worker } }: YearShop,
  gateway: YearGateway,
  judge: ReturnType<typeof makeYearJudge>,
  names: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const made = yield* gateway.charges
    const rows = (sql: string) => Effect.promise(() => store.rows(sql))
    const idsIn = (sql: string) => Effect.map(rows(sql), (found) => new Set(found.map(({ id }) => Number(id))))
    const details = yield* Effect.forEach(names, (name) => worker.getSubscription(name))
    const end = judge.end({
      made,
      attention: yield* worker.operator.listAttention({ limit: 10_000 }),
      details: details.filter((one) => one !== undefined),
      reported: (yield* rows("SELECT * FROM reported ORDER BY rowid")).map(reportedIn),
      known: yield* idsIn("SELECT payment_id AS id FROM gopay_payment WHERE parent_id IS NOT NULL"),
      paidFor: yield* idsIn("SELECT entry AS id FROM gopay_change WHERE status = 'done'"),
      expirations,
      now: yield* Clock.currentTimeMillis
    })
    return { ...end, charges: made.length }
  })
