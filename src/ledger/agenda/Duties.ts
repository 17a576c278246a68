/**
 * The duties of a ledger, a value each: the one place where functions of several rooms are handed over.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ChangeEvents } from "../change/ChangeEvents.js"
import type { EventRow } from "../store/EventTable.js"
import type { ChangeRow } from "../store/ChangeRow.js"
import type { Stepping } from "../change/Stepping.js"
import type { Steps } from "../change/Steps.js"
import { waitAskedBy } from "../model/LedgerGateway.js"
import type { ChangeError } from "../model/LedgerService.js"
import type { Trace } from "../model/Trace.js"
import type { InFlight } from "../process/InFlight.js"
import type { ChangeTable } from "../store/ChangeTable.js"
import { checkTaken, type MoveFailure, type MoveParts, takeDue } from "../order/PaymentMoves.js"
import { nameOf as nameOfPayment, type PaymentRow } from "../store/PaymentTable.js"
import type { StoreError } from "../store/Database.js"
import type { HandlerTable } from "../store/HandlerTable.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"
import type { WakeRow, WakeTable } from "../store/WakeTable.js"
import * as PeriodSteps from "../subscription/PeriodSteps.js"
import * as SubscriptionSteps from "../subscription/SubscriptionSteps.js"
import type { PeriodRow, SubscriptionRow } from "../store/SubscriptionTable.js"
import { type AttentionReports, nameOf as nameOfItem } from "../process/AttentionReports.js"
import type { Duty } from "./Duty.js"
import { dutyFacts, type DutyName, watchSeconds } from "./dutyFacts.js"

/** In milliseconds: how long the sweep pauses after "too many requests" without a `Retry-After`. */
const pauseAfterTooMany = 10_000

/** What each duty needs. */
interface DutyOptions {
  readonly inFlight: InFlight
  readonly pollEvery: Duration.Duration
}

/** What the facts of a duty say of it in this process. */
const given = (duty: Exclude<DutyName, "changes">, { inFlight, pollEvery }: DutyOptions) => ({
  name: dutyFacts[duty].name,
  places: inFlight.places(dutyFacts[duty].places),
  pause: pauseOf(duty, pollEvery)
})

const pauseOf = (duty: DutyName, pollEvery: Duration.Duration): Duration.Duration =>
  dutyFacts[duty].pause === "pollEvery" ? pollEvery : Duration.max(pollEvery, Duration.seconds(watchSeconds))

/** For duties that depend on a handler: rows whose handler runs in other processes are not due here. */
interface SharedDutyOptions extends DutyOptions {
  readonly handlers: HandlerTable
}

/** For tables that make items of rows that cannot be read: nothing else has to be reported. */
const rowsOnly = <Row>(rows: ReadonlyArray<Row>) => ({ rows, unreadable: [] })

/**
 * A row that will be sent is taken by the statement that moves it; a row that is only checked is taken with a lease.
 * PostgreSQL hands each row to one process.
 */
export const changes = (
  {
    changes,
    concurrency,
    inFlight,
    pollEvery
  }: DutyOptions & { readonly changes: ChangeTable; readonly concurrency: number },
  { take }: Steps,
  { stepTaken }: Stepping
): Duty<ChangeRow> => ({
  name: dutyFacts.changes.name,
  due: (wanted) => Effect.map(changes.due(wanted), rowsOnly),
  nameOf: ({ key }) => key,
  take,
  act: stepTaken,
  failed: () => "The ledger waits",
  places: inFlight.places(concurrency),
  pause: pauseOf("changes", pollEvery)
})

/** The sweep: reads payments, to find what no notification has reported. */
export const payments = (
  options: SharedDutyOptions & { readonly readsPerSecond: number; readonly trace: Trace },
  moves: MoveParts
): Duty<PaymentRow, PaymentRow, MoveFailure> => ({
  ...given("payments", options),
  ...paymentChecks(moves, options.trace),
  due: (wanted) => Effect.map(moves.payments.due(wanted, options.handlers.isNotLeft("onPayment")), rowsOnly),
  reads: { perSecond: options.readsPerSecond, stopsFor: timeAfterTooMany }
})

/** Reads payments whose hold is about to end. A duty of its own, so that they do not queue behind the sweep. */
export const holds = (
  options: SharedDutyOptions & { readonly trace: Trace },
  moves: MoveParts
): Duty<PaymentRow, PaymentRow, MoveFailure> => ({
  ...given("holds", options),
  ...paymentChecks(moves, options.trace),
  due: (wanted) => Effect.map(moves.payments.dueHolds(wanted, options.handlers.isNotLeft("onPayment")), rowsOnly)
})

/** Checks a payment; the same for the sweep and for ending holds. */
const paymentChecks = (moves: MoveParts, trace: Trace) => ({
  nameOf: nameOfPayment,
  take: (row: PaymentRow) => takeDue(moves, row),
  act: (row: PaymentRow) =>
    trace("Ledger.checkPayment", { "gopay.order_number": row.order_number, "gopay.payment_id": row.payment_id })(
      checkTaken(moves, row)
    ),
  failed: () => "A payment could not be checked"
})

const timeAfterTooMany = (failure: MoveFailure): number | undefined =>
  failure._tag === "GatewayError" && failure.reason._tag === "RateLimited"
    ? (waitAskedBy(failure.reason) ?? pauseAfterTooMany)
    : undefined

/** Only the oldest outcome of each change is due. The next one becomes due when that is reported. */
export const outcomes = (options: DutyOptions, { due, report, take }: ChangeEvents): Duty<EventRow> => ({
  ...given("outcomes", options),
  due,
  nameOf: ({ seq }) => `outcome ${seq}`,
  take,
  act: report,
  failed: () => "The ledger waits",
  isChained: true
})

/**
 * Wakes that could not be carried out because their rows were locked. A wake is leased for a moment, and due again if
 * its rows are still locked then. One statement makes the rows due and deletes the wake.
 */
export const wakes = (options: DutyOptions, { carryOut, due, take }: WakeTable): Duty<WakeRow> => ({
  ...given("wakes", options),
  due: (wanted) => Effect.map(due(wanted), rowsOnly),
  nameOf: ({ seq }) => `wake ${seq}`,
  take,
  act: carryOut,
  failed: ({ wake }) => `The ledger waits: ${wake}`,
  isUncounted: true
})

/** Subscriptions and periods: both call `onSubscription`, so they share its places. */
export const ofSubscriptions = (
  options: SharedDutyOptions & { readonly lease: Duration.Duration },
  parts: PeriodSteps.SubscriptionParts
): readonly [
  Duty<SubscriptionRow, SubscriptionRow, StoreError | ChangeError>,
  Duty<PeriodRow, PeriodRow, StoreError | ChangeError>
] => {
  const { subscriptions } = parts
  const isNotLeft = options.handlers.isNotLeft("onSubscription")
  const leased = { next_at: { after: Duration.toMillis(options.lease) } }
  const ofBoth = given("subscriptions", options)
  const nameOf = ({ name }: SubscriptionRow): string => `subscription ${name}`
  const nameOfPeriod = ({ period, subscription }: PeriodRow): string => `period ${period} of ${subscription}`
  return [
    {
      ...ofBoth,
      due: (wanted) => subscriptions.due(wanted, isNotLeft),
      nameOf,
      take: (row) => subscriptions.move(row, leased),
      act: (row) => Effect.as(SubscriptionSteps.step(parts, row), true),
      failed: (row) => `The ledger leaves the ${nameOf(row)} as it is for now`
    },
    {
      ...ofBoth,
      name: dutyFacts.periods.name,
      due: (wanted) => subscriptions.duePeriods(wanted, isNotLeft),
      nameOf: nameOfPeriod,
      take: (row) => subscriptions.movePeriod(row, leased),
      act: (row) => Effect.as(PeriodSteps.step(parts, row), true),
      failed: (row) => `The ledger leaves the ${nameOfPeriod(row)} as it is for now`
    }
  ]
}

/**
 * An item is taken with a claim of its own, which is renewed while `onAttention` is slow: a call may take longer than a
 * lease lasts.
 */
export const attention = (
  { pollEvery }: Pick<DutyOptions, "pollEvery">,
  { notify, places, take }: AttentionReports,
  { due, of }: { readonly of: string; readonly due: Effect.Effect<ReadonlyArray<UnnotifiedItem>, StoreError> }
): Duty<UnnotifiedItem> => ({
  name: `${dutyFacts.attention.name}, of ${of}`,
  due: () => Effect.map(due, rowsOnly),
  nameOf: ({ item }) => nameOfItem(item),
  take,
  act: notify,
  failed: () => "An operator could not be notified",
  places,
  pause: pauseOf("attention", pollEvery),
  isWatch: true
})

/** A duty without rows: it works where others poll, and is waited for like a row. */
export const withoutRow = (
  duty: "inspection" | "signOfLife",
  options: DutyOptions,
  work: Effect.Effect<unknown, StoreError>
): Duty<never> => ({
  ...given(duty, options),
  due: () => Effect.as(options.inFlight.runOnce(dutyFacts[duty].name, work), rowsOnly([])),
  nameOf: (none) => none,
  take: (none) => none,
  act: (none) => none,
  failed: (none) => none,
  isWatch: true
})
