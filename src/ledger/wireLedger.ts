/**
 * Connects the parts of a ledger over a store and a gateway, for both styles of client.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { AttentionItem } from "./model/Attention.js"
import { foreignRefunds, refundedAtLeast } from "./change/Balance.js"
import * as Breaker from "./change/Breaker.js"
import * as ChangeEvents from "./change/ChangeEvents.js"
import * as Changes from "./change/Changes.js"
import * as ChangeTable from "./change/ChangeTable.js"
import type { ChangeRow } from "./change/ChangeRow.js"
import * as ChargeSteps from "./change/ChargeSteps.js"
import { itemOf as changeItemOf } from "./change/ChangeView.js"
import * as Steps from "./change/Steps.js"
import { type Database, type StoreError, unavailable, withSchema } from "./store/Database.js"
import * as BreakerTable from "./store/BreakerTable.js"
import * as HistoryTable from "./store/HistoryTable.js"
import * as LedgerTable from "./store/LedgerTable.js"
import { scopeIdOf } from "./store/ScopeId.js"
import { onceSuccessful } from "./store/onceSuccessful.js"
import * as MetricsTable from "./store/MetricsTable.js"
import * as RefundTable from "./store/RefundTable.js"
import type { LedgerGateway } from "./model/LedgerGateway.js"
import { withoutAttempt } from "./model/PaymentAttempt.js"
import { mapCalls } from "./model/LedgerCalls.js"
import type { InvalidArgument, LedgerError } from "./model/LedgerError.js"
import type { LedgerOptions, LedgerPrograms, LedgerService } from "./model/LedgerService.js"
import type { OperatorParts } from "./operate/OperatorCalls.js"
import { checkSettings, type WrongOptions } from "./store/LedgerSettings.js"
import * as OrderService from "./order/OrderService.js"
import { itemOf as paymentItemOf } from "./order/PaymentItems.js"
import type { PaymentRow } from "./order/PaymentRow.js"
import * as PaymentTable from "./order/PaymentTable.js"
import { recordCharge } from "./order/RecurrenceCharge.js"
import * as Subscriptions from "./subscription/Subscriptions.js"
import * as SubscriptionTable from "./subscription/SubscriptionTable.js"
import type { Trace } from "./model/Trace.js"
import * as AttentionReports from "./operate/AttentionReports.js"
import * as DueChanges from "./operate/DueChanges.js"
import * as InFlight from "./change/InFlight.js"
import * as Sweep from "./operate/Sweep.js"
import * as Worker from "./operate/Worker.js"

/** The options of a ledger, and what it works with. */
export interface WiringOptions<in out Tx> extends Omit<LedgerOptions<Tx>, "store"> {
  readonly gateway: LedgerGateway
  readonly database: Database<Tx>
  readonly trace: Trace
  /** Fails where a call does not belong: within a transaction of the shop's, or a handler. */
  readonly outside: Effect.Effect<void, LedgerError<InvalidArgument>>
}

/** The calls of a ledger for a shop. */
export interface LedgerCore<in out Tx>
  extends LedgerPrograms<Tx>, Pick<LedgerService<Tx>, "notificationHandler" | "runWorker"> {}

/** Has calls leave a trace, and fail where they do not belong, but for those that are left out. */
export type Guard = <Calls extends object>(calls: Calls, leftOut?: ReadonlyArray<keyof Calls>) => Calls

/** A ledger, and what an operator's calls are made of. */
export interface WiredLedger<in out Tx> {
  readonly core: LedgerCore<Tx>
  readonly guard: Guard
  readonly parts: OperatorParts
}

/** Makes a ledger. What it has in flight is waited for when the scope closes. */
export const wireLedger = <Tx>(options: WiringOptions<Tx>): Effect.Effect<WiredLedger<Tx>, WrongOptions, Scope.Scope> =>
  Effect.gen(function* () {
    const { gateway, onAttention, onChange, onPayment, onSubscription, outside, trace } = options
    const gatewayScope = yield* gateway.scope
    const { dialect } = options.database
    const settings = yield* Effect.suspend(() => Effect.fromResult(checkSettings(options, { dialect, gatewayScope })))
    const { schema } = settings
    const database = schema === undefined ? options.database : withSchema(options.database, schema)
    const scope = scopeIdOf(gatewayScope)
    const ledger = LedgerTable.make(database, { ...settings, scope: { id: scope, name: gatewayScope } })
    const changeTable = ChangeTable.make(database, scope, settings)
    const paymentTable = PaymentTable.make(database, scope, settings)
    const subscriptionTable = SubscriptionTable.make(database, scope, settings)
    const acknowledged = RefundTable.make(database, scope)
    const metrics = MetricsTable.make(database, scope)
    const history = HistoryTable.make(database, scope)
    const ready = onceSuccessful(
      Effect.gen(function* () {
        if (options.migrate === true) yield* ledger.migrate
        yield* ledger.check
        if (onChange !== undefined) yield* ledger.beginTelling
      })
    )

    const inFlight = yield* InFlight.make
    const reports = AttentionReports.make({
      onAttention,
      inFlight,
      ledger,
      changes: changeTable,
      payments: paymentTable
    })
    const onChangeAttention = (row: ChangeRow, kind: AttentionItem["kind"]) =>
      reports.report({ item: changeItemOf(row, kind), claim: changeTable.notification(row.seq, kind) })
    const onPaymentAttention = (row: PaymentRow, kind: AttentionItem["kind"]) =>
      reports.report({ item: paymentItemOf(row, kind), claim: paymentTable.notification(row.seq, kind) })
    const recogniseCharge: OrderService.OrderServiceOptions<Tx>["recogniseCharge"] = (child) =>
      Effect.flatMap(paymentTable.byPaymentId(child.parent_id ?? ""), (first) => {
        const own = withoutAttempt(child, Option.getOrUndefined(first)?.attempt)
        return ChargeSteps.recogniseCharge(changeTable, own, onChangeAttention)
      })
    const subscriptions = Subscriptions.make<Tx>({
      ...settings,
      inFlight,
      database,
      gateway,
      table: subscriptionTable,
      changes: changeTable,
      payments: paymentTable,
      record: (key, change) => changes.record(key, change),
      ready,
      onSubscription,
      onUnreadable: reports.report,
      onAttention: onChangeAttention,
      onPaymentAttention
    })

    const { follow, next } = Steps.make({
      ...settings,
      gateway,
      breaker: Breaker.make({
        table: BreakerTable.make(database, scope),
        getPayment: gateway.reads.getPayment,
        getInstruments: gateway.getInstruments,
        wakeQueued: changeTable.wakeQueued
      }),
      table: changeTable,
      mayStart: Effect.sync(() => !inFlight.isClosing()),
      chargeRefusal: subscriptions.chargeRefusal,
      mayFollow: subscriptions.mayFollow,
      recordCharge: ({ payment_id, request }, child) =>
        Effect.asVoid(
          recordCharge(paymentTable, {
            child,
            firstPaymentId: payment_id,
            orderNumber: request?.order_number ?? "",
            isOwned: true
          })
        ),
      onAttention: onChangeAttention
    })
    const changeEvents =
      onChange === undefined
        ? ChangeEvents.none
        : ChangeEvents.make({ ...settings, database, scope, history, inFlight, onChange, table: changeTable })
    const beginTelling = Effect.forkIn(Effect.ignore(changeEvents.begin), inFlight.scope)
    // One row must not stop the others.
    const runStep = (row: ChangeRow, make: Steps.Step) =>
      inFlight.runOnce(
        row.key,
        make(row).pipe(
          Effect.map(Option.getOrUndefined),
          Effect.catchDefect((defect) =>
            Effect.fail(unavailable("The ledger failed at a change, and leaves it as it is.", defect))
          ),
          Effect.ensuring(onChange === undefined ? Effect.void : beginTelling),
          trace("Ledger.step", {
            "gopay.ledger.key": row.key,
            "gopay.ledger.status": row.status,
            "gopay.operation": row.operation,
            "gopay.payment_id": row.payment_id
          })
        )
      )
    const step = (row: ChangeRow): Effect.Effect<Changes.StepMade, StoreError> =>
      Effect.map(runStep(row, next), (after) => ({
        row: after,
        rest: row.status === "queued" && after !== undefined ? Effect.asVoid(runStep(after, follow)) : Effect.void
      }))
    const changes = Changes.make({ ...settings, ...inFlight, database, table: changeTable, ready, step })
    const orders = OrderService.make<Tx>({
      ...settings,
      ...inFlight,
      acknowledged,
      capturedAmounts: changeTable.capturedAmounts,
      foreignRefunds: (paymentId, listed) =>
        Effect.map(changeTable.refundsOf(paymentId), (own) => foreignRefunds(listed, own)),
      refundedAtLeast: ({ looked_at, payment_id }) =>
        Effect.map(changeTable.refundsOf(payment_id ?? ""), (own) => refundedAtLeast(own, looked_at ?? 0)),
      database,
      gateway,
      onPayment,
      ready,
      table: paymentTable,
      endHold: changes.endHold,
      recogniseCharge,
      lostCharges: Effect.map(
        Effect.suspend(() => changeTable.lostCharges()),
        (lost) => new Set(lost.flatMap(({ request }) => request?.order_number ?? []))
      ),
      onChargePaid: ({ order_number, parent_id, payment_id }, payment) =>
        // Another payment of the same charge may be paid, too.
        Effect.flatMap(recogniseCharge(payment), (whose) =>
          Effect.andThen(
            changeTable.wakeCharge(parent_id ?? "", payment_id ?? ""),
            whose === "Own" ? Effect.void : subscriptionTable.wakeOver(order_number)
          )
        ),
      onAttention: onPaymentAttention
    })
    const beginDue = DueChanges.make({ ...settings, inFlight, step, table: changeTable })
    const sweep = Sweep.make({ ...settings, inFlight, look: orders.look, table: paymentTable, trace })

    const core: LedgerCore<Tx> = {
      ...orders.calls,
      ...changes.calls,
      ...subscriptions.calls,
      migrate: ledger.migrate,
      getHealth: Effect.map(ledger.inspect, LedgerTable.healthOf),
      ...Worker.make({
        ...settings,
        beginDue,
        changeEvents,
        inFlight,
        ready,
        reports,
        sweep,
        stepSubscriptions: subscriptions.beginDue,
        tick: metrics.tick
      })
    }
    const guard: Guard = (calls, leftOut) => ({
      ...calls,
      ...mapCalls(
        calls,
        (call, name) => {
          const traced = trace(`Ledger.${name}`)
          return Effect.isEffect(call)
            ? Effect.andThen(outside, traced(call))
            : (...args: ReadonlyArray<unknown>) => Effect.andThen(outside, traced(Effect.suspend(() => call(...args))))
        },
        leftOut
      )
    })
    return {
      core: guard(core, ["notificationHandler", "runWorker", "submit"]),
      guard,
      parts: {
        ...settings,
        acknowledged,
        adopting: orders.adopting,
        changeTable,
        database,
        gateway,
        gatewayScope,
        getHealth: core.getHealth,
        history,
        ledger,
        metrics,
        paymentTable,
        ready,
        scope,
        subscriptionTable
      }
    }
  })
