/**
 * What operators ask of a ledger, and tell it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { bookedOrders } from "./BookedOrders.js"
import type { ChangeTable } from "../change/ChangeTable.js"
import { eraseChanges } from "./ChangeErasure.js"
import { notResolved, resolveChange } from "./ChangeResolution.js"
import type { BooksTable } from "../store/BooksTable.js"
import type { StoreError } from "../store/Database.js"
import type { HistoryTable } from "../store/HistoryTable.js"
import { type Inspection, type LedgerTable, sentenceOf } from "../store/LedgerTable.js"
import type { Counts, MetricsTable } from "../store/MetricsTable.js"
import type { RefundTable } from "../store/RefundTable.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import { checkDecision, millisecondsOf, timeOf } from "../model/LedgerArguments.js"
import type { LedgerHealth, LedgerMetrics } from "../model/LedgerHealth.js"
import type { LedgerCore } from "../model/LedgerCore.js"
import { erasePayments } from "./PaymentErasure.js"
import { resolvePayment } from "./PaymentResolution.js"
import type { PaymentTable } from "../order/PaymentTable.js"

/** What the administration of a ledger needs. */
export interface AdministrationOptions {
  readonly acknowledged: RefundTable
  readonly books: BooksTable
  readonly changeTable: ChangeTable
  readonly dualApprovalAbove: number
  readonly gateway: LedgerGateway
  /** Environment and merchant. */
  readonly gatewayScope: string
  readonly history: HistoryTable
  readonly ledger: LedgerTable
  readonly metrics: MetricsTable
  readonly paymentTable: PaymentTable
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
}

type AdministrationCalls = Pick<
  LedgerCore,
  | "distrust"
  | "eraseDetails"
  | "getHealth"
  | "getMetrics"
  | "listMerchants"
  | "pageOfBookedOrders"
  | "migrate"
  | "pause"
  | "resolveChange"
  | "resolvePayment"
  | "resume"
>

export const make = ({
  acknowledged,
  books,
  changeTable,
  dualApprovalAbove,
  gateway,
  gatewayScope,
  history,
  ledger,
  metrics,
  paymentTable,
  ready
}: AdministrationOptions): AdministrationCalls => ({
  migrate: ledger.migrate,

  pageOfBookedOrders: (options, after) =>
    Effect.andThen(ready, bookedOrders({ books, changeTable, paymentTable }, options, after)),

  resolveChange: (key, resolution) =>
    Effect.gen(function* () {
      yield* ready
      yield* checkDecision(undecided, resolution)
      const found = yield* changeTable.find(key)
      return Option.isSome(found)
        ? yield* resolveChange({ dualApprovalAbove, gateway, table: changeTable }, found.value, resolution)
        : yield* notResolved(key, "There is no change with this key.")
    }),

  resolvePayment: (key, resolution) =>
    Effect.gen(function* () {
      yield* ready
      yield* checkDecision(undecided, resolution)
      return yield* resolvePayment(paymentTable, key, resolution)
    }),

  eraseDetails: ({ olderThan }) =>
    Effect.gen(function* () {
      const age = Math.round(yield* millisecondsOf("olderThan", olderThan))
      yield* ready
      const payments = yield* erasePayments(paymentTable, history, age)
      const details = yield* eraseChanges(changeTable, history, age)
      return payments + details + (yield* acknowledged.erase(age))
    }),

  distrust: ({ since }) =>
    Effect.gen(function* () {
      yield* ledger.distrust(yield* timeOf("since", since))
      yield* changeTable.wakeQueued
    }),

  listMerchants: Effect.map(Effect.andThen(ready, ledger.scopes), (scopes) =>
    scopes.map(({ scope, ...counts }) => {
      const [address = "", goid = ""] = scope.split(" ")
      return { gateway: address, goid, isOwn: scope === gatewayScope, ...counts }
    })
  ),

  getHealth: Effect.map(ledger.inspect, healthOf),
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

const healthOf = ({ blockage }: Inspection): LedgerHealth =>
  blockage === undefined
    ? { isSending: true, message: "Changes are sent." }
    : {
        isSending: false,
        reason: blockage._tag,
        ...("since" in blockage ? { since: new Date(blockage.since).toISOString() } : undefined),
        message: sentenceOf(blockage)
      }
