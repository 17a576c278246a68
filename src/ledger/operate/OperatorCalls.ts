/**
 * What operators ask of a ledger, and tell it: the calls of the entry for operators.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Acknowledgements from "./Acknowledgements.js"
import { bookedOrders } from "./BookedOrders.js"
import type { ChangeTable } from "../change/ChangeTable.js"
import { entryOf } from "../change/ChangeView.js"
import type { SubscriptionTable } from "../subscription/SubscriptionTable.js"
import { notResolved, resolveChange } from "./ChangeResolution.js"
import * as BooksTable from "../store/BooksTable.js"
import type { ReadableDatabase, StoreError } from "../store/Database.js"
import type { HistoryTable } from "../store/HistoryTable.js"
import type { LedgerTable } from "../store/LedgerTable.js"
import type { Counts, MetricsTable } from "../store/MetricsTable.js"
import type { RefundTable } from "../store/RefundTable.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import { checkDecision, millisecondsOf, timeOf } from "../model/LedgerArguments.js"
import type { LedgerMetrics } from "../model/LedgerHealth.js"
import type { OperatorPrograms, OperatorCore } from "../model/LedgerService.js"
import * as HistoryCalls from "./HistoryCalls.js"
import * as ListCalls from "./ListCalls.js"
import { eraseChanges, erasePayments } from "./Erasure.js"
import { resolvePayment } from "./PaymentResolution.js"
import type { PaymentTable } from "../order/PaymentTable.js"

/** The parts of a ledger that an operator works with. */
export interface OperatorParts {
  readonly acknowledged: RefundTable
  readonly adopting: Pick<OperatorPrograms, "adoptCharges" | "adoptPayment">
  readonly changeTable: ChangeTable
  readonly database: ReadableDatabase
  readonly dualApprovalAbove: number
  readonly gateway: LedgerGateway
  /** Environment and merchant. */
  readonly gatewayScope: string
  readonly getHealth: OperatorPrograms["getHealth"]
  readonly history: HistoryTable
  readonly ledger: LedgerTable
  readonly metrics: MetricsTable
  readonly paymentTable: PaymentTable
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  readonly scope: number
  readonly subscriptionTable: SubscriptionTable
}

/** All calls of an operator. */
export const make = (parts: OperatorParts): OperatorCore => ({
  ...parts.adopting,
  ...administration(parts),
  ...Acknowledgements.make({ ...parts, table: parts.changeTable }),
  ...ListCalls.make(parts),
  ...HistoryCalls.make(parts)
})

const administration = ({
  acknowledged,
  changeTable,
  database,
  dualApprovalAbove,
  gateway,
  gatewayScope,
  getHealth,
  history,
  ledger,
  metrics,
  paymentTable,
  ready,
  scope
}: OperatorParts): Pick<
  OperatorCore,
  | "distrust"
  | "eraseDetails"
  | "getChange"
  | "getHealth"
  | "getMetrics"
  | "listMerchants"
  | "pageOfBookedOrders"
  | "pause"
  | "resolveChange"
  | "resolvePayment"
  | "resume"
> => ({
  getHealth,

  getChange: (key) =>
    Effect.map(Effect.andThen(ready, changeTable.find(key)), (row) => Option.getOrUndefined(Option.map(row, entryOf))),

  pageOfBookedOrders: (options, after) =>
    Effect.andThen(
      ready,
      bookedOrders({ books: BooksTable.make(database, scope), changeTable, paymentTable }, options, after)
    ),

  resolveChange: Effect.fnUntraced(function* (key, resolution) {
    yield* ready
    yield* checkDecision(undecided, resolution)
    const found = yield* changeTable.find(key)
    return Option.isSome(found)
      ? yield* resolveChange({ dualApprovalAbove, gateway, table: changeTable }, found.value, resolution)
      : yield* notResolved(key, "There is no change with this key.")
  }),

  resolvePayment: Effect.fnUntraced(function* (key, resolution) {
    yield* ready
    yield* checkDecision(undecided, resolution)
    return yield* resolvePayment(paymentTable, key, resolution)
  }),

  eraseDetails: Effect.fnUntraced(function* ({ olderThan }) {
    const age = Math.round(yield* millisecondsOf("olderThan", olderThan))
    yield* ready
    const payments = yield* erasePayments(paymentTable, history, age)
    const details = yield* eraseChanges(changeTable, history, age)
    return payments + details + (yield* acknowledged.erase(age))
  }),

  distrust: Effect.fnUntraced(function* ({ since }) {
    yield* ledger.distrust(yield* timeOf("since", since))
    yield* changeTable.wakeQueued
  }),

  listMerchants: Effect.map(Effect.andThen(ready, ledger.scopes), (scopes) =>
    scopes.map(({ scope, ...counts }) => {
      const [address = "", goid = ""] = scope.split(" ")
      return { gateway: address, goid, isOwn: scope === gatewayScope, ...counts }
    })
  ),

  getMetrics: Effect.map(Effect.andThen(ready, metrics.counts), metricsOf),
  pause: Effect.asVoid(Effect.andThen(ready, ledger.pause)),
  resume: Effect.asVoid(Effect.andThen(Effect.andThen(ready, ledger.resume), changeTable.wakeQueued))
})

const undecided = "a decision needs the name of an operator (by) and the evidence (note)"

const metricsOf = ({ changes, oldestDue, tickedAt, ...counts }: Counts): LedgerMetrics => {
  const { locked = 0, refusing = 0, sending = 0, ...others } = changes
  const allSending = locked + sending + refusing
  return {
    changes: { ...others, ...(allSending === 0 ? undefined : { sending: allSending }) },
    ...counts,
    oldestDueMillis: oldestDue,
    ...(tickedAt === undefined ? undefined : { lastTick: new Date(tickedAt).toISOString() })
  }
}
