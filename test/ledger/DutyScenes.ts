/**
 * The duties of a ledger as scenes: how rows of each become due, what acts on them, and how it shows that they are done.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Duration from "effect/Duration"
import { captureAuthorization, type Gateway } from "../../src/index.js"
import * as Agenda from "../../src/ledger/agenda/Agenda.js"
import * as InFlight from "../../src/ledger/process/InFlight.js"
import type { AttentionItem, LedgerOptions, SqliteTransaction, SqlRow } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { idOf, notify, request } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { month, paidFirst, terms } from "./RecurrenceScene.js"
import { paid, type TestProcess, type World } from "./World.js"

export type Services = Gateway | LocalGateway

/** A process that has the duty. */
export type DutyProcess = Pick<TestProcess, "close" | "kill" | "killed" | "runOnce">

interface Witness {
  readonly begin: Effect.Effect<unknown, unknown, Services>
  readonly isDone: Effect.Effect<boolean>
}

/** A duty whose rows are due. */
export interface Scene {
  /** A process; `whenRead` is run when it has read what is due, and has not begun yet. */
  readonly makeProcess: (whenRead?: Effect.Effect<unknown>) => Effect.Effect<DutyProcess>
  /** How many rows are done. */
  readonly done: Effect.Effect<number>
  /** What another duty has to do, and whether it has. */
  readonly witness?: Witness
  /** Makes one of the rows unreadable. Absent where there are none. */
  readonly spoil?: Effect.Effect<unknown>
}

export interface DutyScene {
  readonly name: string
  /** How many rows there are. */
  readonly rows: number
  /** How many are acted on at once. */
  readonly places: number
  /** Whether none of its rows can be unreadable. */
  readonly isReadAlways?: boolean
  /** Makes the rows due. `act` is run whenever the duty acts on one of them. */
  readonly begin: (
    world: World,
    act: Effect.Effect<unknown>,
    told: Array<AttentionItem>
  ) => Effect.Effect<Scene, unknown, Services>
}

const later = { waitAtMost: 0 }

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `row-${index}`)

const rows = 6

/** How many rows of the database fit. */
const count = ({ store }: World, sql: string): Effect.Effect<number> =>
  Effect.promise(async () => Number((await store.rows(`SELECT COUNT(*) AS count FROM ${sql}`))[0]?.["count"]))

/** A refund that is to be sent. */
const refundToSend = (world: World): Witness => ({
  begin: Effect.flatMap(paid, (id) => world.ledger.refund("witness", id, { amount: 500 }, later)),
  isDone: Effect.map(count(world, "gopay_change WHERE key = 'witness' AND status = 'done'"), (found) => found === 1)
})

/** A payment that is to be checked. */
const paymentToCheck = (world: World): Witness => ({
  begin: Effect.andThen(world.ledger.checkout("witness", request), world.pass("2 minutes")),
  isDone: Effect.map(
    count(world, "gopay_payment WHERE order_number = 'witness' AND checked_at IS NOT NULL"),
    (found) => found === 1
  )
})

/** Processes that read by a statement what is due of the duty. */
const processes =
  (
    { makeProcess, store }: World,
    told: Array<AttentionItem>,
    statement: RegExp,
    {
      hidden,
      ...settings
    }: Partial<LedgerOptions<SqliteTransaction>> & {
      /** The statement of another duty for the same rows. It finds nothing. */
      readonly hidden?: RegExp
    }
  ): Scene["makeProcess"] =>
  (whenRead) => {
    let reading: Promise<unknown> | undefined
    // Without transactions: over a file, a handler that hangs in one holds up all others that write.
    const query = async (sql: string, values: Parameters<typeof store.query>[1]): Promise<ReadonlyArray<SqlRow>> => {
      if (hidden?.test(sql) === true) return []
      const found = await store.query(sql, values)
      if (whenRead === undefined || !statement.test(sql)) return found
      // Two duties may have read the same rows by then.
      await (reading ??= Effect.runPromise(whenRead))
      return found
    }
    return makeProcess({
      concurrency: 2,
      readsPerSecond: 1_000,
      onAttention: (item) => Effect.sync(() => void told.push(item)),
      ...settings,
      store: { ...store, query, hasTransactions: false, transaction: (run) => run({ query }) }
    })
  }

const changes: DutyScene = {
  name: "changes",
  rows,
  places: 2,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      const { ledger, listed, store } = world
      for (const key of names(rows)) yield* ledger.refund(key, yield* paid, { amount: 500 }, later)
      listed.afterSend = act
      return {
        makeProcess: processes(world, told, /FROM gopay_change WHERE scope = \? AND next_at/, {}),
        done: count(world, "gopay_change WHERE status = 'done'"),
        witness: paymentToCheck(world),
        spoil: Outsider.cutRequest(store, "row-0")
      }
    })
}

const payments: DutyScene = {
  name: "payments",
  rows,
  places: 4,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      const { ledger, listed, pass, store } = world
      for (const name of names(rows)) yield* LocalGateway.payByCard(idOf(yield* ledger.checkout(name, request)))
      yield* pass("2 minutes")
      listed.afterRead = act
      return {
        makeProcess: processes(world, told, /FROM gopay_payment WHERE scope = \? AND next_at/, {}),
        done: count(world, "gopay_payment WHERE state = 'PAID'"),
        witness: refundToSend(world),
        spoil: Outsider.cutTerms(store, "row-0")
      }
    })
}

const holdsDue = /FROM gopay_payment WHERE scope = \? AND next_at.*\bhold_until <=/s
const sweepDue = /FROM gopay_payment WHERE scope = \? AND next_at(?!.*\bhold_until <=)/s

// The sweep would read these payments, too: hidden from it, they are done by this duty or by none.
const holds: DutyScene = {
  name: "holds",
  rows,
  places: 2,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      const { ledger, listed, pass, store } = world
      const hold = { atMost: "1 hour", end: "release" } as const
      for (const name of names(rows)) {
        const checkout = yield* ledger.checkout(name, { ...request, preauthorization: true }, { hold })
        yield* LocalGateway.payByCard(idOf(checkout))
        yield* notify(ledger, idOf(checkout))
        // By hand: a read shows it, and there is nothing left to send.
        yield* captureAuthorization(idOf(checkout))
      }
      yield* pass("61 minutes")
      listed.afterRead = act
      return {
        makeProcess: processes(world, told, holdsDue, { hidden: sweepDue }),
        done: count(world, "gopay_payment WHERE state = 'PAID'"),
        witness: refundToSend(world),
        spoil: Outsider.cutTerms(store, "row-0")
      }
    })
}

const outcomes: DutyScene = {
  name: "outcomes",
  rows,
  places: 2,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      const { ledger, store } = world
      const makeProcess = processes(world, told, /FROM gopay_event WHERE scope/, { onChange: () => act })
      const registered = yield* makeProcess()
      yield* registered.runOnce()
      for (const key of names(rows)) yield* ledger.refund(key, yield* paid, { amount: 500 })
      return {
        makeProcess,
        done: Effect.map(count(world, "gopay_event"), (left) => rows - left),
        witness: paymentToCheck(world),
        spoil: Outsider.spoilEvent(store, "row-0")
      }
    })
}

const subscribed = Effect.fnUntraced(function* ({ ledger }: World) {
  for (const name of names(rows)) {
    yield* paidFirst(ledger, name)
    yield* ledger.createSubscription(name, { ...terms, orderNumber: name })
  }
})

const subscriptions: DutyScene = {
  name: "subscriptions",
  rows,
  places: 2,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      yield* subscribed(world)
      return {
        makeProcess: processes(world, told, /FROM gopay_subscription WHERE scope = \? AND next_at/, {
          onSubscription: () => act
        }),
        done: count(world, "gopay_subscription WHERE status = 'active'"),
        witness: paymentToCheck(world),
        spoil: Outsider.writeUnknownSubscriptionStatus(world.store, "row-0")
      }
    })
}

const periods: DutyScene = {
  name: "periods",
  rows,
  places: 2,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      const { ledger } = world
      yield* subscribed(world)
      yield* ledger.runOnce()
      for (const name of names(rows)) yield* ledger.chargePeriod(name, "1970-01", month)
      return {
        makeProcess: processes(world, told, /FROM gopay_period WHERE scope = \? AND next_at/, {
          onSubscription: () => act
        }),
        done: count(world, "gopay_period WHERE status = 'paid'"),
        witness: paymentToCheck(world),
        spoil: Outsider.cutFailureOf(world.store, "row-0")
      }
    })
}

const reported = "notified IS NOT NULL AND notifying_until IS NULL"

const attention: DutyScene = {
  name: "attention",
  rows,
  places: 4,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      const { ledger, store } = world
      for (const key of names(rows)) yield* ledger.refund(key, 4, { amount: 500 }, later)
      yield* Outsider.leaveInDoubt(store)
      return {
        makeProcess: processes(world, told, /FROM gopay_item item JOIN gopay_change/, {
          onAttention: (item) =>
            Effect.andThen(
              Effect.sync(() => void told.push(item)),
              act
            )
        }),
        done: count(world, `gopay_item WHERE ${reported} AND notified = 'InDoubt'`),
        witness: paymentToCheck(world),
        spoil: Outsider.cutRequest(store, "row-0")
      }
    })
}

const inspection: DutyScene = {
  name: "inspection",
  rows: 1,
  places: 1,
  begin: (world, act, told) =>
    Effect.gen(function* () {
      const witness = paymentToCheck(world)
      yield* witness.begin
      yield* Outsider.pauseLongAgo(world.store)
      return {
        makeProcess: processes(world, told, /merchant_notified/, {
          onAttention: (item) =>
            Effect.andThen(
              Effect.sync(() => void told.push(item)),
              act
            )
        }),
        done: count(world, `gopay_ledger WHERE ${reported}`),
        // Nothing is created in a pause.
        witness: { ...witness, begin: Effect.void }
      }
    })
}

/** A row of the duty that is added: when it is due, and whether it is done. */
interface ParcelRow {
  readonly name: string
  version: number
  nextAt: number
  isDone: boolean
  isReadable: boolean
}

/** A duty that the ledger does not have, as one value: parcels are sent. */
const added: DutyScene = {
  name: "one that is added",
  rows,
  places: 2,
  begin: (_, act, told) =>
    Effect.sync(() => {
      const table = names(rows).map((name): ParcelRow => ({
        name,
        version: 1,
        nextAt: 0,
        isDone: false,
        isReadable: true
      }))
      const makeProcess: Scene["makeProcess"] = (whenRead = Effect.void) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const inFlight = yield* Effect.provideService(InFlight.make, Scope.Scope, scope)
          let isKilled = false
          let die = (): void => {}
          const death = new Promise<void>((resolve) => void (die = resolve))
          /** A statement of this process. */
          const statement = <A>(run: (now: number) => A): Effect.Effect<A> =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => (isKilled ? Effect.never : Effect.sync(() => run(now))))
          const agenda = Agenda.make({
            inFlight,
            ready: Effect.void,
            deaths: { has: () => false, report: () => Effect.void, end: () => {} },
            onUnreadable: ({ item }) => Effect.sync(() => void told.push(item))
          })
          const parcels = agenda.work<ParcelRow, ParcelRow, never>({
            name: "the parcels that are due",
            due: (wanted) =>
              Effect.tap(
                statement((now) => {
                  const due = table.filter(({ isDone, nextAt }) => !isDone && nextAt <= now).slice(0, wanted)
                  const unreadable = due.filter(({ isReadable }) => !isReadable)
                  for (const row of unreadable) row.nextAt = now + 600_000
                  return {
                    rows: due.filter(({ isReadable }) => isReadable).map((row) => ({ ...row })),
                    unreadable: unreadable.map(({ name }) => unreadableParcel(name))
                  }
                }),
                () => whenRead
              ),
            nameOf: ({ name }) => `parcel ${name}`,
            take: (row) =>
              statement((now) => {
                const found = table.find(({ name, version }) => name === row.name && version === row.version)
                if (found === undefined) return Option.none()
                found.version++
                found.nextAt = now + 30_000
                return Option.some(found)
              }),
            act: (row) =>
              Effect.andThen(
                act,
                statement(() => {
                  row.isDone = true
                  return true
                })
              ),
            failed: () => "A parcel could not be sent",
            places: inFlight.places(2),
            pause: Duration.seconds(1)
          })
          return {
            runOnce: ({ budget = "20 seconds" } = {}) => agenda.runOnce([parcels], Duration.fromInputUnsafe(budget)),
            kill: Effect.sync(() => {
              isKilled = true
              die()
            }),
            killed: Effect.promise(() => death),
            close: Scope.close(scope, Exit.void)
          }
        })
      return {
        makeProcess,
        done: Effect.sync(() => table.filter(({ isDone }) => isDone).length),
        spoil: Effect.sync(() => {
          for (const row of table.slice(0, 1)) row.isReadable = false
        })
      }
    })
}

const unreadableParcel = (name: string) => ({
  item: {
    kind: "UnreadableRow" as const,
    key: name,
    operation: "ledger" as const,
    message: "",
    version: 1,
    decisions: [],
    since: ""
  },
  claim: { take: Effect.succeed(true), renew: Effect.void, end: () => Effect.void }
})

export const dutyScenes: ReadonlyArray<DutyScene> = [
  changes,
  payments,
  holds,
  outcomes,
  subscriptions,
  periods,
  attention,
  inspection,
  added
]
