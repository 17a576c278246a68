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
import type { ChangeError, Trace } from "../model/LedgerService.js"
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

/** How many payments are read concurrently. */
const readsAtOnce = 4

/** How many payments are read concurrently whose holds end. */
const holdsAtOnce = 2

/** In milliseconds: how long the sweep stops for when the gateway does not say how long. */
const pauseAfterTooMany = 10_000

/** How many outcomes are reported concurrently, each in a transaction. */
const outcomesAtOnce = 2

/** How many wakes are carried out concurrently, each by a statement. */
const wakesAtOnce = 2

/** How many subscriptions and periods are stepped concurrently, each with a transaction when it notifies the shop. */
const subscriptionsAtOnce = 2

/** How long a watch waits between two inspections of the ledger, two searches for unreported items, or for holds that end. */
const watchEvery = Duration.seconds(10)

/** What each duty needs. */
interface DutyOptions {
  readonly inFlight: InFlight
  readonly pollEvery: Duration.Duration
}

/** With the handlers of this process and others: what is left to those is not due here. */
interface SharedDutyOptions extends DutyOptions {
  readonly handlers: HandlerTable
}

/** Rows of a table that makes items of those which cannot be read. */
const rowsOnly = <Row>(rows: ReadonlyArray<Row>) => ({ rows, unreadable: [] })

/** A row is taken by the statement that moves it; what is checked only, with a lease. PostgreSQL gives each to one process. */
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
  name: "the changes that are due",
  due: (wanted) => Effect.map(changes.due(wanted), rowsOnly),
  nameOf: ({ key }) => key,
  take,
  act: stepTaken,
  failed: () => "The ledger waits",
  places: inFlight.places(concurrency),
  pause: pollEvery
})

/** The sweep: what notifications have not said. */
export const payments = (
  {
    handlers,
    inFlight,
    pollEvery,
    readsPerSecond,
    trace
  }: SharedDutyOptions & { readonly readsPerSecond: number; readonly trace: Trace },
  moves: MoveParts
): Duty<PaymentRow, PaymentRow, MoveFailure> => ({
  ...paymentChecks(moves, trace),
  name: "the payments that are due",
  due: (wanted) => Effect.map(moves.payments.due(wanted, handlers.isNotLeft("onPayment")), rowsOnly),
  places: inFlight.places(readsAtOnce),
  pause: pollEvery,
  reads: { perSecond: readsPerSecond, stopsFor: timeAfterTooMany }
})

/** The same of payments whose hold ends now: they do not wait behind others that are to be read. */
export const holds = (
  { handlers, inFlight, pollEvery, trace }: SharedDutyOptions & { readonly trace: Trace },
  moves: MoveParts
): Duty<PaymentRow, PaymentRow, MoveFailure> => ({
  ...paymentChecks(moves, trace),
  name: "the holds that end",
  due: (wanted) => Effect.map(moves.payments.dueHolds(wanted, handlers.isNotLeft("onPayment")), rowsOnly),
  places: inFlight.places(holdsAtOnce),
  pause: Duration.max(pollEvery, watchEvery)
})

/** How a payment is checked, whatever makes it due. */
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

/** Of each change the oldest outcome is due, so the next one is when that was reported. */
export const outcomes = (
  { inFlight, pollEvery }: DutyOptions,
  { due, report, take }: ChangeEvents
): Duty<EventRow> => ({
  name: "the outcomes for onChange",
  due,
  nameOf: ({ seq }) => `outcome ${seq}`,
  take,
  act: report,
  failed: () => "The ledger waits",
  places: inFlight.places(outcomesAtOnce),
  pause: pollEvery,
  isChained: true
})

/**
 * What was to be woken while it was locked. A wake is taken for a moment: one whose rows are still locked then is due again. It
 * acts by one statement, whose end is that of the wake.
 */
export const wakes = ({ inFlight, pollEvery }: DutyOptions, { carryOut, due, take }: WakeTable): Duty<WakeRow> => ({
  name: "the wakes of what was locked",
  due: (wanted) => Effect.map(due(wanted), rowsOnly),
  nameOf: ({ seq }) => `wake ${seq}`,
  take,
  act: carryOut,
  failed: ({ wake }) => `The ledger waits: ${wake}`,
  places: inFlight.places(wakesAtOnce),
  pause: pollEvery,
  isUncounted: true
})

/** Both call `onSubscription`, and share its places. */
export const ofSubscriptions = (
  { handlers, inFlight, lease, pollEvery }: SharedDutyOptions & { readonly lease: Duration.Duration },
  parts: PeriodSteps.SubscriptionParts
): readonly [
  Duty<SubscriptionRow, SubscriptionRow, StoreError | ChangeError>,
  Duty<PeriodRow, PeriodRow, StoreError | ChangeError>
] => {
  const { subscriptions } = parts
  const isNotLeft = handlers.isNotLeft("onSubscription")
  const leased = { next_at: { after: Duration.toMillis(lease) } }
  const shared = {
    places: inFlight.places(subscriptionsAtOnce),
    pause: pollEvery
  }
  const nameOf = ({ name }: SubscriptionRow): string => `subscription ${name}`
  const nameOfPeriod = ({ period, subscription }: PeriodRow): string => `period ${period} of ${subscription}`
  return [
    {
      ...shared,
      name: "the subscriptions that are due",
      due: (wanted) => subscriptions.due(wanted, isNotLeft),
      nameOf,
      take: (row) => subscriptions.move(row, leased),
      act: (row) => Effect.as(SubscriptionSteps.step(parts, row), true),
      failed: (row) => `The ledger leaves the ${nameOf(row)} as it is for now`
    },
    {
      ...shared,
      name: "the periods that are due",
      due: (wanted) => subscriptions.duePeriods(wanted, isNotLeft),
      nameOf: nameOfPeriod,
      take: (row) => subscriptions.movePeriod(row, leased),
      act: (row) => Effect.as(PeriodSteps.step(parts, row), true),
      failed: (row) => `The ledger leaves the ${nameOfPeriod(row)} as it is for now`
    }
  ]
}

/** An item is taken by its own claim, which is renewed while `onAttention` is slow: a lease is shorter than a call may take. */
export const attention = (
  { pollEvery }: Pick<DutyOptions, "pollEvery">,
  { notify, places, take }: AttentionReports,
  { due, of }: { readonly of: string; readonly due: Effect.Effect<ReadonlyArray<UnnotifiedItem>, StoreError> }
): Duty<UnnotifiedItem> => ({
  name: `the items for onAttention, of ${of}`,
  due: () => Effect.map(due, rowsOnly),
  nameOf: ({ item }) => nameOfItem(item),
  take,
  act: notify,
  failed: () => "An operator could not be notified",
  places,
  pause: Duration.max(pollEvery, watchEvery),
  isWatch: true
})

/** A duty without a row: it does its work where others look for what is due, and is waited for as a row's is. */
export const withoutRow = (
  { inFlight, pollEvery }: DutyOptions,
  name: string,
  work: Effect.Effect<unknown, StoreError>
): Duty<never> => ({
  name,
  due: () => Effect.as(inFlight.runOnce(name, work), rowsOnly([])),
  nameOf: (none) => none,
  take: (none) => none,
  act: (none) => none,
  failed: (none) => none,
  places: inFlight.places(1),
  pause: Duration.max(pollEvery, watchEvery),
  isWatch: true
})
