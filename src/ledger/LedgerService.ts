/**
 * The ledger, as programs.
 */
import type * as Effect from "effect/Effect"
import type { CaptureAuthorizationPartialRequest, GatewayId, RefundPaymentRequest } from "../api/Messages.plain.js"
import type { GatewayError } from "../client/error/GatewayError.js"
import type {
  HandlerFailed,
  PaymentNotification,
  NotificationLimits,
  NotificationSource
} from "../client/notification/Notification.plain.js"
import type { NotificationError } from "../client/notification/NotificationError.js"
import type { NotificationHandler } from "../client/notification/NotificationHandler.js"
import type { BookedOrder } from "../statement/BookedOrder.plain.js"
import type { AttentionItem, ChangeResolution, PaymentResolution } from "./Attention.plain.js"
import type { ChangeEntry, ChangeEvent, ChangeOptions, ChargeRequest, SubmittedChange } from "./change/Change.plain.js"
import type { HistoryEntry, HistoryOptions } from "./History.plain.js"
import type { LedgerHealth, LedgerMerchant, LedgerMetrics } from "./LedgerHealth.plain.js"
import type { AcknowledgedRefund, Acknowledgement } from "./AcknowledgedRefund.plain.js"
import type {
  ListChangesOptions,
  ListPaymentsOptions,
  ListSubscriptionsOptions,
  PageOptions,
  PaymentEntry
} from "./Lists.plain.js"
import type { LedgerSettings, RunOnceOptions } from "./LedgerOptions.plain.js"
import type { ChargeMovement, CheckoutOptions, CheckoutRequest, Order, PaymentEvent } from "./order/Order.plain.js"
import type { DurationInput } from "../api/DurationInput.plain.js"
import type {
  Cancellation,
  NewSubscription,
  PeriodCharge,
  Subscription,
  SubscriptionDetails,
  SubscriptionEvent,
  SubscriptionPeriod
} from "./subscription/Subscription.plain.js"
import type { ChangeOutcome } from "./change/Outcome.plain.js"
import type { InvalidArgument, KeyReused, LedgerError, LedgerUnavailable, NotResolved } from "./LedgerError.plain.js"

/**
 * The options of a ledger.
 *
 * @category ledger
 */
export interface LedgerOptions<in out Tx> extends LedgerSettings<Tx> {
  /**
   * Called when a payment of an order has come to another status, or more of it was refunded: by a notification, a payer's
   * return or the sweep, whichever is first. It runs in the transaction that moves the payment, so what is written
   * through `tx` is written exactly once; all else is done at least once, with a stable `eventId`. When it fails, the
   * payment stays as it was, and it is called again. It submits changes (`submit(tx, …)`), and calls nothing else of the
   * ledger. A `PaymentAnswer`, `{ attention: "…" }`, asks an operator: money has come, and the order cannot take it.
   */
  readonly onPayment?: ((event: PaymentEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
  /**
   * Called when a change has come to another outcome, whoever brought it there: the gateway's response, a read, an operator.
   * It runs in a transaction that records that the shop was told, so what is written through `tx` is written exactly once;
   * all else is done at least once, with a stable `eventId`. The outcomes of one change are told in their order. When
   * it fails, it is called again after a while, and the change itself goes on. It submits changes (`submit(tx, …)`), and
   * calls nothing else of the ledger. Outcomes from before the first process that has it are not told.
   */
  readonly onChange?: ((event: ChangeEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
  /**
   * Called when something has happened to a subscription: it has started, a period is paid, declined or given up, its card
   * expires. It runs in the transaction that records it, so what is written through `tx` is written exactly once; all else is
   * done at least once, with a stable `eventId`. When it fails, nothing has moved, and it is called again. It submits changes
   * (`submit(tx, …)`), and calls nothing else of the ledger.
   */
  readonly onSubscription?: ((event: SubscriptionEvent<Tx>) => Effect.Effect<unknown, unknown>) | undefined
  /** Called when a change or a payment needs an operator. Default: a warning in the log. */
  readonly onAttention?: ((item: AttentionItem) => Effect.Effect<void>) | undefined
}

/**
 * Options of a ledger's notification handler.
 *
 * @category ledger
 */
export interface LedgerNotificationOptions {
  /**
   * Called with the reason why a notification was not answered with 200; `notification` is absent when the address names no payment.
   * Default: an error in the log, or a debug message for what anyone on the internet can cause.
   */
  readonly onError?:
    | ((
        error: NotificationError | GatewayError,
        notification: PaymentNotification | undefined
      ) => Effect.Effect<unknown, unknown>)
    | undefined
  /** Limits of the reads that notifications may cause. Default: those of `NotificationLimits`. */
  readonly limits?: NotificationLimits | undefined
}

/**
 * The error of a change that was not recorded, or of which that is unknown.
 *
 * @category ledger
 */
export type ChangeError = LedgerError<KeyReused | LedgerUnavailable | InvalidArgument>

/**
 * The error of a call that has not reached the store, or does not belong where it is made: within a transaction or
 * `onPayment` it is `InvalidArgument`.
 *
 * @category ledger
 */
export type CallError = LedgerError<LedgerUnavailable | InvalidArgument>

/**
 * A ledger: orders, and changes of their payments, that survive crashes, deployments and any number of processes. Each
 * change has a key of the shop's; for each key the gateway is sent one request at most that it may have taken, whatever
 * dies.
 *
 * @category ledger
 */
export interface LedgerService<in out Tx = unknown> {
  /**
   * Makes the tables, and gives the database the installation's name. It may be run again, and by several processes.
   */
  readonly migrate: Effect.Effect<void, CallError>
  /**
   * Refunds, and waits for the outcome. The same key with the same refund tells the same outcome and sends nothing
   * more; with another one it fails with `KeyReused`. Not within a transaction of the shop's: there, `submit`.
   */
  readonly refund: (
    key: string,
    paymentId: GatewayId,
    refund: Pick<RefundPaymentRequest, "amount">,
    options?: ChangeOptions
  ) => Effect.Effect<ChangeOutcome, ChangeError>
  /** Captures all of a hold; see `refund`. */
  readonly capture: (
    key: string,
    paymentId: GatewayId,
    options?: ChangeOptions
  ) => Effect.Effect<ChangeOutcome, ChangeError>
  /** Captures a part of a hold, and releases the rest; see `refund`. */
  readonly capturePartial: (
    key: string,
    paymentId: GatewayId,
    capture: Pick<CaptureAuthorizationPartialRequest, "amount" | "items">,
    options?: ChangeOptions
  ) => Effect.Effect<ChangeOutcome, ChangeError>
  /** Releases a hold; see `refund`. */
  readonly release: (
    key: string,
    paymentId: GatewayId,
    options?: ChangeOptions
  ) => Effect.Effect<ChangeOutcome, ChangeError>
  /**
   * Charges an `ON_DEMAND` recurrence, and waits until the charge is paid or declined; see `refund`. `firstPaymentId` is the
   * payment that started it. The gateway lists no charges: one whose response was lost is `InDoubt` until its
   * notification comes, a movement of a statement (`adoptCharges`) or `adoptPayment` names its payment, or an operator decides. The ledger adds
   * one entry to the charge's `additional_params`.
   */
  readonly charge: (
    key: string,
    firstPaymentId: GatewayId,
    charge: ChargeRequest,
    options?: ChangeOptions
  ) => Effect.Effect<ChangeOutcome, ChangeError>
  /**
   * Records a subscription, which starts when the payment of its order is paid: make that with `checkout` and the recurrence
   * `ON_DEMAND`. It may be repeated; with other terms it fails with `KeyReused`. The name has 1 to 100 characters.
   */
  readonly createSubscription: (
    name: string,
    subscription: NewSubscription
  ) => Effect.Effect<SubscriptionDetails, ChangeError>
  /** A subscription with its periods, as the ledger knows them: it reads nothing. `undefined` for a name that is not there. */
  readonly getSubscription: (name: string) => Effect.Effect<SubscriptionDetails | undefined, CallError>
  /** The subscriptions, oldest first, 500 at most, without their periods. The next page begins `after` the name of the last one. */
  readonly listSubscriptions: (
    options?: ListSubscriptionsOptions
  ) => Effect.Effect<ReadonlyArray<Subscription>, CallError>
  /**
   * Has a period of a subscription charged, once: when its day has come, by a worker, and again after `retryAfterDays` when
   * the card is declined. The period is a name: a year `2026`, a quarter `2026-Q4`, a month `2026-12`, a week `2026-W49`
   * or a day `2026-12-01`. It may be repeated, by as many processes as you like; with another amount or order number it
   * fails with `KeyReused`, above the maximum or for a cancelled subscription with `InvalidArgument`. `onSubscription` is
   * called with what becomes of it.
   */
  readonly chargePeriod: (
    name: string,
    period: string,
    charge: PeriodCharge
  ) => Effect.Effect<SubscriptionPeriod, ChangeError>
  /**
   * Has a subscription charge another card: that of a new first payment, by its order. It takes the old one's place when it
   * is paid; then the old recurrence is ended at the gateway, and periods that wait for a card are charged. It may be
   * repeated.
   */
  readonly replaceCard: (name: string, orderNumber: string) => Effect.Effect<SubscriptionDetails, ChangeError>
  /**
   * Charges nothing more of a subscription, and ends its recurrence at the gateway. `Cancelling` while a charge was sent whose
   * outcome is not known: a worker goes on with it. It may be repeated.
   */
  readonly cancelSubscription: (name: string) => Effect.Effect<Cancellation, ChangeError>
  /**
   * Records a change in the shop's own transaction: it is made if and when that commits, by a worker. Fails with
   * `KeyReused` when the key belongs to another change; then roll back.
   */
  readonly submit: (tx: Tx, key: string, change: SubmittedChange) => Effect.Effect<void, ChangeError>
  /**
   * Gives an order a payment, or the one that it has: with the same number it may be asked for as often as you like, by
   * as many processes. `open` has the address of the pay page (`gwUrl`), which is stored by then. A payment whose
   * response is lost is created again, since no one has the address of the lost one; with `allowed_card_token` it is
   * `inDoubt` instead, since it needs no payer. Asked for with another amount, currency, preauthorization or recurrence
   * than the payment has, it is `changed`, unless you `replace` it.
   *
   * Nothing of the request is stored but these four. Fails with a `GatewayError` when the payment certainly was not
   * created, such as for `InvalidRequest`.
   */
  readonly checkout: (
    orderNumber: string,
    request: CheckoutRequest,
    options?: CheckoutOptions
  ) => Effect.Effect<Order, CallError | GatewayError>
  /** How an order stands, as far as the ledger knows: it reads nothing. `undefined` for a number that is not there. */
  readonly getOrder: (orderNumber: string) => Effect.Effect<Order | undefined, CallError>
  /**
   * Offers an order no more, such as one that was cancelled in the shop: its payment is read, and unless money has come,
   * the address of its pay page is given out no more, and `checkout` makes no payment for it without `replace`. It cannot
   * be closed at the gateway: money that comes after all is reported as `PaidLate`. An order that money has come for is
   * left as it is, and told. `undefined` for a number that is not there. It may be repeated.
   */
  readonly withdrawOrder: (orderNumber: string) => Effect.Effect<Order | undefined, CallError>
  /**
   * How an order stands whose payer has come back, by the address of the return page: its payment is read, and
   * `onPayment` is called for what is new. Check the `orderNumber`: anyone can put the id of another payment into the
   * address.
   */
  readonly verifyReturn: (
    source: NotificationSource
  ) => Effect.Effect<Order, NotificationError | GatewayError | CallError>
  /**
   * Makes what answers the gateway's notifications: 200 only after the payment was read, and `onPayment` was
   * called for what is new. See `makeNotificationHandler` for the other statuses.
   */
  readonly notificationHandler: (options?: LedgerNotificationOptions) => NotificationHandler
  /**
   * Takes over a payment that was created without the ledger, or that it has lost: reads it, and tells `onPayment` of
   * it unless it is open. Fails with `InvalidArgument` when it is of another order number.
   */
  readonly adoptPayment: (
    orderNumber: string,
    paymentId: GatewayId,
    options?: Pick<CheckoutOptions, "hold">
  ) => Effect.Effect<Order, NotificationError<HandlerFailed> | GatewayError | CallError>
  /**
   * Takes over the charges whose responses were lost, by the movements of a statement: each payment with the order number of a
   * charge in doubt is read, and decides it. Other movements are left alone, and so are those without the payment's id,
   * which only GoPay's clearing files have (`parseStatement`). It may be repeated; returns what was taken over.
   */
  readonly adoptCharges: (
    movements: Iterable<ChargeMovement>
  ) => Effect.Effect<ReadonlyArray<Order>, NotificationError<HandlerFailed> | GatewayError | CallError>
  /** The outcome of a change as it is now; `undefined` for a key that is not there. */
  readonly getOutcome: (key: string) => Effect.Effect<ChangeOutcome | undefined, CallError>
  /** A change with all that the ledger knows of it, for an operator; `undefined` for a key that is not there. */
  readonly getChange: (key: string) => Effect.Effect<ChangeEntry | undefined, CallError>
  /**
   * The history of a change by its key, or of the payment of an order by its name in `listAttention`: each step with its
   * time, its process and what was said or read, oldest first. Empty for a key that is not there.
   */
  readonly getHistory: (key: string) => Effect.Effect<ReadonlyArray<HistoryEntry>, CallError>
  /** The history of all changes and payments, oldest first, some at a time: for an export, and for auditors. */
  readonly listHistory: (options?: HistoryOptions) => Effect.Effect<ReadonlyArray<HistoryEntry>, CallError>
  /**
   * The changes that fit all that is given, oldest first, 500 at most: by payment, status and time. `isOpen: true` lists
   * those that are not decided. The next page begins `after` the key of the last one. Rows that cannot be read are in
   * `listAttention` only.
   */
  readonly listChanges: (options?: ListChangesOptions) => Effect.Effect<ReadonlyArray<ChangeEntry>, CallError>
  /** The payments of orders that fit all that is given, oldest first, 500 at most; see `listChanges`. */
  readonly listPayments: (options?: ListPaymentsOptions) => Effect.Effect<ReadonlyArray<PaymentEntry>, CallError>
  /** The changes and payments that need an operator, oldest first, 500 at most. */
  readonly listAttention: (options?: PageOptions) => Effect.Effect<ReadonlyArray<AttentionItem>, CallError>
  /**
   * The orders with their payments and refunds, and what is in doubt, as `reconcileStatement` of `effect-gopay/statement`
   * takes them: `reconcileStatement(statements, { orders })`. Days are those of Prague. Reads the whole ledger, 1 000 rows
   * at a time. Refunds of payments that the ledger has no order of are not in it, nor those whose details were erased.
   */
  readonly listBookedOrders: Effect.Effect<ReadonlyArray<BookedOrder>, CallError>
  /**
   * Ends a change by an operator's decision, one that fits what is known of it. Where the decision names a refund, the
   * gateway's list is read. A refund that was decided not to have been made is watched on, and reported
   * when the gateway shows it.
   */
  readonly resolveChange: (
    key: string,
    resolution: ChangeResolution
  ) => Effect.Effect<ChangeOutcome, GatewayError | LedgerError<LedgerUnavailable | NotResolved | InvalidArgument>>
  /**
   * Records that an operator has resolved what was wrong with the payment of an order. `key` is that of its item in
   * `listAttention`.
   */
  readonly resolvePayment: (
    key: string,
    resolution: PaymentResolution
  ) => Effect.Effect<Order, LedgerError<LedgerUnavailable | NotResolved | InvalidArgument>>
  /**
   * Erases what was asked for and said of changes that were decided longer ago than `olderThan`: request, record, messages
   * and the names of operators. Key, outcome and the refund's id stay, so that the key is known for ever. Of payments,
   * those that ended longer ago without money are removed; of the others what operators have said is erased, as it is of acknowledged refunds, and order,
   * payment, amount and state stay. What is checked still, or needs an operator, is left alone. Returns how many.
   */
  readonly eraseDetails: (options: { readonly olderThan: DurationInput }) => Effect.Effect<number, CallError>
  /** Makes all steps that are due, such as in a cron job. Returns how many. */
  readonly runOnce: (options?: RunOnceOptions) => Effect.Effect<number, CallError>
  /** Makes the steps that are due until it is interrupted. Run it in as many processes as you like. */
  readonly runWorker: Effect.Effect<never>
  /**
   * Acknowledges a refund that the gateway lists and the ledger did not make, such as one by hand for another reason: it
   * stops no refund of the payment any more, and those that it has stopped go on. Reads the list; fails with
   * `InvalidArgument` when the refund is not in it. It may be repeated.
   */
  readonly acknowledgeRefund: (
    paymentId: GatewayId,
    refundId: GatewayId,
    acknowledgement: Acknowledgement
  ) => Effect.Effect<void, GatewayError | LedgerError<LedgerUnavailable | InvalidArgument>>
  /** The refunds of a payment that were acknowledged, oldest first. Reads nothing from the gateway. */
  readonly listAcknowledgedRefunds: (
    paymentId: GatewayId
  ) => Effect.Effect<ReadonlyArray<AcknowledgedRefund>, LedgerError<LedgerUnavailable | InvalidArgument>>
  /**
   * Run this after a backup was restored or a database was copied to take over, before the first worker. `since` is a
   * time at which everything was still in the database: the time of the backup, or earlier. Each refund that the gateway
   * lists since then and the ledger does not know stops the refunds of its payment (`StrangeRefund`) until it is
   * acknowledged. Refunds go on ten minutes later, when the gateway's list shows the last ones. Charges that waited then, and
   * periods of subscriptions that had begun, may have been charged: an operator decides about each. Makes the database the
   * ledger's own, and ends its pause. It may be repeated.
   */
  readonly distrust: (options: {
    readonly since: Date | string
  }) => Effect.Effect<void, LedgerError<LedgerUnavailable | InvalidArgument>>
  /**
   * The merchants whose rows are in the database, such as those of another environment. All else that a ledger shows and
   * does is of its own merchant only.
   */
  readonly listMerchants: Effect.Effect<ReadonlyArray<LedgerMerchant>, CallError>
  /** Whether anything is sent, and why not. */
  readonly getHealth: Effect.Effect<LedgerHealth, CallError>
  /** How much there is and how long it has waited, for metrics and a health check. Reads six counts from the database. */
  readonly getMetrics: Effect.Effect<LedgerMetrics, CallError>
  /** Sends nothing more, in all processes, until `resume`. What is submitted is kept, what was sent is searched for. */
  readonly pause: Effect.Effect<void, CallError>
  /** Ends a pause. */
  readonly resume: Effect.Effect<void, CallError>
}
