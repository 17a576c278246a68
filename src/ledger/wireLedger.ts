/**
 * Connects the rooms of a ledger over a store and a gateway, for both styles of client.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import * as Breaker from "./change/Breaker.js"
import * as ChangeEvents from "./change/ChangeEvents.js"
import * as Changes from "./change/Changes.js"
import { callSubject } from "./model/CallSubjects.js"
import * as ChangeTable from "./store/ChangeTable.js"
import { itemsOf as changeItemsOf } from "./store/ChangeRow.js"
import * as Stepping from "./change/Stepping.js"
import * as Steps from "./change/Steps.js"
import { type Database, type StoreError, withSchema } from "./store/Database.js"
import type { UnnotifiedItem } from "./store/ItemTable.js"
import * as HandlerTable from "./store/HandlerTable.js"
import * as LedgerTable from "./store/LedgerTable.js"
import { ticking } from "./store/MetricsTable.js"
import type { ChangeWatch } from "./model/ChangeWatch.js"
import { type LedgerGateway, observed } from "./model/LedgerGateway.js"
import {
  type LedgerOptions,
  type LedgerPrograms,
  type LedgerService,
  mapCalls,
  type OperatorCore
} from "./model/LedgerService.js"
import type { Trace } from "./model/Trace.js"
import type { InvalidArgument } from "./model/LedgerError.js"
import type { HandlerName } from "./model/LedgerOperations.js"
import { hour, minute } from "../basics/Milliseconds.js"
import type { LedgerError } from "./model/YieldableLedgerError.js"
import * as OperatorCalls from "./operate/OperatorCalls.js"
import { checkSettings, type CheckedSettings, type WrongOptions } from "./store/LedgerSettings.js"
import * as OrderService from "./order/OrderService.js"
import type { MoveParts } from "./order/PaymentMoves.js"
import { itemsOf as paymentItemsOf } from "./order/OrderView.js"
import * as OrderTable from "./store/OrderTable.js"
import * as PaymentTable from "./store/PaymentTable.js"
import * as WakeTable from "./store/WakeTable.js"
import * as Subscriptions from "./subscription/Subscriptions.js"
import * as Agenda from "./agenda/Agenda.js"
import type { Work } from "./agenda/Work.js"
import * as AttentionReports from "./process/AttentionReports.js"
import * as Duties from "./agenda/Duties.js"
import type { DutyName } from "./agenda/dutyFacts.js"
import * as Inspection from "./agenda/Inspection.js"
import * as InFlight from "./process/InFlight.js"

export interface WiringOptions<in out Tx> extends Omit<LedgerOptions<Tx>, "store"> {
  readonly gateway: LedgerGateway
  readonly database: Database<Tx>
  readonly trace: Trace
  readonly watch: ChangeWatch
  /** Fails if a call is not allowed where it is made: within a transaction of the shop, or a handler. */
  readonly outside: Effect.Effect<void, LedgerError<InvalidArgument>>
}

/** A ledger's own calls. */
interface LedgerCalls<in out Tx>
  extends LedgerPrograms<Tx>, Pick<LedgerService<Tx>, "notificationHandler" | "runWorker"> {}

/** A ledger before it is adapted to one style of client. */
export interface LedgerCore<in out Tx> extends LedgerCalls<Tx> {
  readonly operator: OperatorCore
}

/** Adds a span to calls, and makes them fail where they are not allowed, except those that are left out. */
type Guard = <Calls extends object>(calls: Calls, leftOut?: ReadonlyArray<keyof Calls>) => Calls

/** Makes a ledger. When the scope closes, what is in flight is awaited. */
export const wireLedger = Effect.fnUntraced(function* <Tx>(
  options: WiringOptions<Tx>
): Effect.fn.Return<LedgerCore<Tx>, WrongOptions, Scope.Scope> {
  const gatewayScope = yield* options.gateway.scope
  const { dialect } = options.database
  const settings = yield* Effect.suspend(() => Effect.fromResult(checkSettings(options, { dialect, gatewayScope })))
  const tables = tablesOf(options, gatewayScope, settings)
  const inFlight = yield* InFlight.make
  const { agenda, attention, gateway, handlers, newChanges, orders, ready, subscriptions, works } = roomsOf(
    options,
    settings,
    tables,
    inFlight
  )
  const own: LedgerCalls<Tx> = {
    ...orders.calls,
    ...newChanges,
    ...subscriptions.calls,
    migrate: tables.ledger.migrate,
    getHealth: tables.ledger.health,
    runOnce: ({ budget = "20 seconds" } = {}) =>
      Effect.andThen(ready, agenda.runOnce(works, Duration.fromInputUnsafe(budget))),
    runWorker: agenda.runWorker(works)
  }
  const guard = guardOf(options)
  return {
    ...guard(own, ["notificationHandler", "runWorker", "submit"]),
    operator: guard(
      OperatorCalls.make({
        ...settings,
        ...tables,
        attention,
        gateway,
        gatewayScope,
        getHealth: own.getHealth,
        handlers,
        moves: orders.moves,
        ready,
        watch: options.watch
      })
    )
  }
})

/** Makes the services of the rooms, each of what it needs, and the works of their duties. */
const roomsOf = <Tx>(
  options: WiringOptions<Tx>,
  settings: CheckedSettings,
  tables: ReturnType<typeof tablesOf<Tx>>,
  inFlight: InFlight.InFlight
) => {
  const { onAttention, onChange, onPayment, onSubscription, trace, watch } = options
  const { changes, database, ledger, payments, scope } = tables
  const handlers = HandlerTable.make(database, scope, handlersIn({ onPayment, onChange, onSubscription }))
  const breaker = Breaker.make({ database, gateway: options.gateway, scope, wakeQueued: changes.wakeQueued })
  const attention = AttentionReports.make({ inFlight, onAttention })
  const inspection = Inspection.make({ attention, handlers, ledger, triedReads: breaker.triedReads })
  const ready = readyOf(options, ledger, handlers)
  const agenda = Agenda.make({ inFlight, ready, deaths: Inspection.deathsOf(attention), onUnreadable: attention.found })
  const gateway = observed(options.gateway, attention.reportWait)
  const steps = Steps.make({ ...settings, attention, breaker, changes, database, gateway, inFlight, payments, scope })
  const moves = { ...settings, attention, breaker, changes, database, gateway, handlers, payments, onPayment }
  const orders = OrderService.make({ ...moves, inFlight, ready })
  const subscriptions = Subscriptions.make({ ...settings, ...moves, onSubscription, ready, scope })
  const outcomes =
    onChange === undefined
      ? undefined
      : agenda.work(
          Duties.outcomes(
            { ...settings, inFlight },
            ChangeEvents.make({ ...settings, attention, changes, database, onChange, scope })
          )
        )
  const stepping = Stepping.make({ inFlight, steps, trace, watch, afterStep: outcomes?.wake ?? Effect.void })
  const newChanges = Changes.make({ ...settings, changes, database, inFlight, ready, stepping })
  const duties = { ...settings, changes, handlers, inFlight, trace }
  const works = worksOf(agenda, duties, {
    attention,
    inspection,
    moves: orders.moves,
    outcomes,
    payments,
    steps,
    stepping,
    subscriptions,
    tick: Effect.andThen(ready, Effect.andThen(ticking(database), atMostEvery(10 * minute, changes.boundWaits))),
    // In SQLite a row is never locked when it is woken.
    wakes: database.dialect === "sqlite" ? undefined : WakeTable.make(database, scope)
  })
  return { agenda, attention, gateway, handlers, newChanges, orders, ready, subscriptions, works }
}

const tablesOf = <Tx>(
  { database: given, watch }: Pick<WiringOptions<Tx>, "database" | "watch">,
  gatewayScope: string,
  settings: CheckedSettings
) => {
  const database = withSchema(given, settings.schema)
  const scope = LedgerTable.scopeIdOf(gatewayScope)
  return {
    database,
    scope,
    ledger: LedgerTable.make(database, { ...settings, scope: { id: scope, name: gatewayScope } }),
    changes: watched(ChangeTable.make(database, scope, settings), watch),
    payments: PaymentTable.make(database, scope, settings, OrderTable.make(database, scope))
  }
}

/** The table of changes, which says that a change has begun. */
const watched = (changes: ChangeTable.ChangeTable, { begun }: ChangeWatch): ChangeTable.ChangeTable => ({
  ...changes,
  insert: (change, query) =>
    Effect.tap(changes.insert(change, query), (inserted) => (Option.isSome(inserted) ? begun(change.key) : Effect.void))
})

interface DutyParts {
  readonly attention: AttentionReports.AttentionReports
  readonly inspection: Effect.Effect<void, StoreError>
  readonly moves: MoveParts
  readonly outcomes: Work | undefined
  readonly payments: PaymentTable.PaymentTable
  readonly stepping: Stepping.Stepping
  readonly steps: Steps.Steps
  readonly subscriptions: Subscriptions.Subscriptions
  readonly tick: Effect.Effect<void, StoreError>
  readonly wakes: WakeTable.WakeTable | undefined
}

type DutySettings = Parameters<typeof Duties.changes>[0] &
  Parameters<typeof Duties.payments>[0] &
  Parameters<typeof Duties.ofSubscriptions>[0]

/** The works of the agenda, in the order in which a cron job begins them. */
const worksOf = (agenda: Agenda.Agenda, duties: DutySettings, parts: DutyParts): ReadonlyArray<Work> => {
  const { attention, moves, outcomes, payments, stepping, steps, wakes } = parts
  const [ofSubscriptions, ofPeriods] = Duties.ofSubscriptions(duties, parts.subscriptions.steps)
  const ofItems = (of: string, due: Effect.Effect<ReadonlyArray<UnnotifiedItem>, StoreError>): Work =>
    agenda.work(Duties.attention(duties, attention, { of, due }))
  const works = {
    signOfLife: [agenda.work(Duties.withoutRow("signOfLife", duties, parts.tick))],
    inspection: [agenda.work(Duties.withoutRow("inspection", duties, parts.inspection))],
    attention: [
      ofItems("changes", attention.dueIn(duties.changes.items, changeItemsOf)),
      ofItems("payments", attention.dueIn(payments.items, paymentItemsOf))
    ],
    wakes: wakes === undefined ? [] : [agenda.work(Duties.wakes(duties, wakes))],
    changes: [agenda.work(Duties.changes(duties, steps, stepping))],
    holds: [agenda.work(Duties.holds(duties, moves))],
    payments: [agenda.work(Duties.payments(duties, moves))],
    outcomes: outcomes === undefined ? [] : [outcomes],
    subscriptions: [agenda.work(ofSubscriptions)],
    periods: [agenda.work(ofPeriods)]
  } satisfies Record<DutyName, ReadonlyArray<Work>>
  return Object.values(works).flat()
}

/** Does something at most once in this time, in milliseconds. */
const atMostEvery = (time: number, work: Effect.Effect<void, StoreError>): Effect.Effect<void, StoreError> => {
  let nextAt = -Infinity
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (now < nextAt) return Effect.void
    nextAt = now + time
    return work
  })
}

/** The handlers that a process has. */
const handlersIn = (given: Readonly<Record<HandlerName, unknown>>): ReadonlySet<HandlerName> =>
  new Set(Struct.keys(given).filter((name) => given[name] !== undefined))

/**
 * Succeeds when the store can be relied on. A failure is not cached: the next caller tries again. Once an hour it
 * records that a process runs with these handlers.
 */
const readyOf = (
  { migrate }: Pick<WiringOptions<never>, "migrate">,
  ledger: LedgerTable.LedgerTable,
  handlers: HandlerTable.HandlerTable
): Effect.Effect<void, StoreError> => {
  let isReady = false
  let registeredAt = 0
  const tried = Effect.gen(function* () {
    if (migrate === true) yield* ledger.migrate
    yield* ledger.check
    registeredAt = yield* Clock.currentTimeMillis
    yield* handlers.register
    isReady = true
  })
  const registered = Effect.flatMap(Clock.currentTimeMillis, (time) => {
    if (time - registeredAt < hour) return Effect.void
    registeredAt = time
    return Effect.ignore(handlers.register)
  })
  return Effect.suspend(() => (isReady ? registered : tried))
}

const guardOf =
  ({ outside, trace }: Pick<WiringOptions<never>, "outside" | "trace">): Guard =>
  (calls, leftOut) => ({
    ...calls,
    ...mapCalls(
      calls,
      (call, name) => {
        const traced = (args: ReadonlyArray<unknown>) => trace(`Ledger.${name}`, callSubject(name, args))
        return Effect.isEffect(call)
          ? Effect.andThen(outside, traced([])(call))
          : (...args: ReadonlyArray<unknown>) =>
              Effect.andThen(outside, traced(args)(Effect.suspend(() => call(...args))))
      },
      leftOut
    )
  })
