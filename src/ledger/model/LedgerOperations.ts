/**
 * The options and the calls of a ledger, each declared once. The `Ledger` service and the promise ledger derive their
 * types from it.
 */
import type { DurationInput } from "../../basics/DurationInput.js"
import type { CaptureAuthorizationPartialRequest, GatewayId } from "../../contract/Messages.js"
import type { NotificationSource } from "../../client/notification/Notification.js"
import type {
  AcknowledgedRefund,
  ListedRefund,
  Acknowledgement,
  ChargeMovement,
  HistoryEntry,
  HistoryOptions,
  LedgerHealth,
  LedgerMerchant,
  LedgerMetrics,
  ListChangesOptions,
  ListPaymentsOptions,
  ListSubscriptionsOptions,
  PageOptions,
  PaymentEntry
} from "./Lists.js"
import type { AttentionItem, ChangeResolution, PaymentResolution } from "./Attention.js"
import type { ChangeEntry, ChangeEvent, ChangeOptions, ChargeRequest, SubmittedChange } from "./Change.js"
import type { ChangeOutcome } from "./Outcome.js"
import type { LedgerStore } from "./LedgerStore.js"
import type { CheckoutOptions, CheckoutRequest, Order, PaymentEvent } from "./Order.js"
import type {
  Cancellation,
  NewSubscription,
  PeriodCharge,
  Subscription,
  SubscriptionDetails,
  SubscriptionEvent,
  SubscriptionPeriod
} from "./Subscription.js"

/** The options of a ledger, apart from the gateway and the handlers. */
export interface LedgerSettings<in out Tx> {
  /** The database: `fileStore(path)`, `pgStore(pool)`, `prismaStore(prisma)`, `drizzleStore(db, sql)` and others. */
  readonly store: LedgerStore<Tx>
  /**
   * The name of this installation, such as `production`, of 1 to 100 characters. The database keeps the name that it
   * was migrated with, and a ledger with another name sends nothing. So a copy of production's database in a test
   * environment refunds nothing. Required at GoPay's production gateway. Default elsewhere: `main`.
   */
  readonly installation?: string | undefined
  /**
   * PostgreSQL: the schema of the ledger's tables, which `migrate` creates if it does not exist. Without this option,
   * if another schema has a ledger's tables, `migrate` does not create a second set. Default: `gopay`.
   */
  readonly schema?: string | undefined
  /**
   * Creates the tables before the first call, as `migrate()` does: for programs that cannot await it where they create
   * the ledger. `submit` does not create them, since it runs in a transaction of the shop: start the worker first.
   * Default: `false`.
   */
  readonly migrate?: boolean | undefined
  /**
   * The name of this process in the history, of 1 to 100 characters, such as its host and number. Default: a random one.
   */
  readonly processName?: string | undefined
  /**
   * How long the ledger searches for the outcome of a change in doubt before it notifies an operator. Default: 24
   * hours.
   */
  readonly escalateAfter?: DurationInput | undefined
  /**
   * Your assurance that nothing but this ledger refunds payments: neither people in GoPay's administration nor another
   * program. Then a refund whose response was lost is recognised by its amount alone. Without it, it is recognised only
   * if the gateway's date for it is within two minutes of the time it was sent; otherwise an operator decides. If the
   * assurance is wrong, a refund by hand of the same amount may be taken for one that the ledger has lost. Default:
   * `false`.
   */
  readonly noOtherRefunders?: boolean | undefined
  /**
   * For how long a paid payment and a refund that is done are compared with the gateway once a day, each at a time of
   * day of its own. A refund that has failed after all, a list that lacks a refund, and a payment in another state are
   * reported. Each comparison costs one read. `0` compares nothing. Default: 21 days.
   */
  readonly compareFor?: DurationInput | undefined
  /**
   * Above this amount, in minor units, two operators have to decide about a change, or to take such a decision back.
   * The same holds for a change without an amount, such as a full capture, for acknowledging a refund above the amount,
   * and for releasing charges above it. The decision of the first operator is kept (`proposal`), and takes effect when
   * a second operator, with another name, decides the same. Names are compared without differences in spacing, accents
   * and capitals. Take them from a sign-in, since anyone who can type a name can type two. Set it for every ledger that
   * operators use, including that of the command line. Default: one operator decides.
   */
  readonly dualApprovalAbove?: number | undefined
  /**
   * How long a process may take from locking a payment to handing the request over: meanwhile it lists the payment's
   * refunds and waits for a token. After that, other processes take it for dead, and it sends nothing more. Default: 30
   * seconds.
   */
  readonly lease?: DurationInput | undefined
  /** How often a worker polls the store. Default: every second. */
  readonly pollEvery?: DurationInput | undefined
  /** How many changes a worker processes concurrently. Default: 8. */
  readonly concurrency?: number | undefined
  /**
   * The days after the first attempt on which a declined period of a subscription is charged again. After the last one
   * the period is given up. GoPay recommends at least three attempts. At most 366; an empty list means one attempt.
   * Default: 2, 5 and 10.
   */
  readonly retryAfterDays?: ReadonlyArray<number> | undefined
  /** The time zone in which the periods of subscriptions begin. Default: `Europe/Prague`. */
  readonly timeZone?: string | undefined
  /** The most payments of orders that a worker reads per second, besides the reads for changes. Default: 10. */
  readonly readsPerSecond?: number | undefined
}

/** The handlers of a shop that are called in the transaction that moves a row. */
export type HandlerName = "onPayment" | "onChange" | "onSubscription"

/**
 * The handlers that a ledger calls with events. The `Result`s are what the shop's handlers return.
 *
 * A process may lack a handler that other processes of the merchant have, such as one that only serves the web. It
 * leaves the events for that handler to those processes, at least one of which has to run a worker. If the shop no
 * longer has a handler at all, give it up with `retireHandler`. It is also given up when no process has run with it for
 * 30 days; that is reported a week before.
 */
export interface LedgerHandlers<in out Tx, out Result, out ChangeResult = Result, out SubscriptionResult = Result> {
  /**
   * Called when a payment of an order has changed its status, or more of it was refunded, as soon as a notification, a
   * payer's return or the sweep finds that. It runs in the transaction that moves the payment, so whatever it writes
   * through `tx` is written exactly once; anything else happens at least once, with a stable `eventId`. If it fails,
   * the payment stays as it was, and it is called again. It may submit changes (`submit(tx, …)`), but must not call
   * anything else of the ledger.
   *
   * For a payment it may return `{ attention: "…" }`, a `PaymentAnswer`, to notify an operator: money has come, and the
   * order cannot take it.
   */
  readonly onPayment?: ((event: PaymentEvent<Tx>) => Result) | undefined
  /**
   * Called when a change has reached another outcome, whether by the gateway's response, a read or an operator. It runs
   * in a transaction that records that the shop was notified, by the rules of `onPayment`. If it fails, though, the
   * change itself continues, and it is called again after a while. The outcomes of a change are reported in order.
   * Outcomes from before the first process with this handler are not reported.
   */
  readonly onChange?: ((event: ChangeEvent<Tx>) => ChangeResult) | undefined
  /**
   * Called when something has happened to a subscription: it has started, a period is paid, declined or given up, or
   * its card expires. It runs in the transaction that records this, by the rules of `onPayment`: if it fails, nothing
   * has moved, and it is called again.
   */
  readonly onSubscription?: ((event: SubscriptionEvent<Tx>) => SubscriptionResult) | undefined
}

/**
 * A ledger: orders, and changes of their payments, that survive crashes, deployments and any number of processes. The
 * shop gives each change a key. For each key the gateway gets at most one request that it may have accepted, whatever
 * process dies.
 *
 * The outcome of a change is a value, a `ChangeOutcome`. A call fails with a `LedgerError` if the change was not
 * recorded, or if that is unknown.
 */
export interface LedgerOperations<in Tx = unknown> {
  /**
   * Creates the tables, and records the installation's name in the database. It may be repeated, and run by several
   * processes.
   */
  readonly migrate: () => void
  /**
   * Refunds, and waits for the outcome. The same key with the same refund returns the same outcome and sends nothing
   * more; with another refund it fails with `KeyReused`. Do not call it within a transaction of the shop: use `submit`
   * there.
   */
  readonly refund: (
    key: string,
    paymentId: GatewayId,
    refund: {
      /** An integer in minor units, at most what was paid and not yet refunded. */
      readonly amount: number
    },
    options?: ChangeOptions
  ) => ChangeOutcome
  /** Captures all of a hold; see `refund`. */
  readonly capture: (key: string, paymentId: GatewayId, options?: ChangeOptions) => ChangeOutcome
  /** Captures a part of a hold, and releases the rest; see `refund`. */
  readonly capturePartial: (
    key: string,
    paymentId: GatewayId,
    capture: Pick<CaptureAuthorizationPartialRequest, "amount" | "items">,
    options?: ChangeOptions
  ) => ChangeOutcome
  /** Releases a hold; see `refund`. */
  readonly release: (key: string, paymentId: GatewayId, options?: ChangeOptions) => ChangeOutcome
  /**
   * Charges an `ON_DEMAND` recurrence, and waits until the charge is paid or declined; see `refund`. `firstPaymentId`
   * is the payment that started the recurrence. The gateway does not list charges. So a charge whose response was lost
   * is `InDoubt` until its notification arrives, until its payment is named by a statement's movement (`adoptCharges`)
   * or by `adoptPayment`, or until an operator decides. The ledger adds one entry to the charge's `additional_params`.
   */
  readonly charge: (
    key: string,
    firstPaymentId: GatewayId,
    charge: ChargeRequest,
    options?: ChangeOptions
  ) => ChangeOutcome
  /**
   * Records a subscription. It starts when the payment of its order is paid: create that with `checkout` and the
   * recurrence `ON_DEMAND`. It may be repeated; with other terms it fails with `KeyReused`. The name has 1 to 100
   * characters.
   */
  readonly createSubscription: (name: string, subscription: NewSubscription) => SubscriptionDetails
  /**
   * A subscription with its periods, from the ledger's rows: nothing is read from the gateway. `undefined` if there is
   * no such name.
   */
  readonly getSubscription: (name: string) => SubscriptionDetails | undefined
  /**
   * Charges a period of a subscription, once. A worker does so when its day has come, and again after `retryAfterDays`
   * if the card is declined. The name of the period is a year `2026`, a quarter `2026-Q4`, a month `2026-12`, a week
   * `2026-W49` or a day `2026-12-01`. It may be repeated, also by several processes. It fails with `KeyReused` if the
   * amount or the order number differs, and with `InvalidArgument` above the maximum or if the subscription is
   * cancelled. `onSubscription` is called with the outcome.
   */
  readonly chargePeriod: (name: string, period: string, charge: PeriodCharge) => SubscriptionPeriod
  /**
   * Makes a subscription charge another card: that of a new first payment, given by its order. When the new payment is
   * paid, it replaces the old one: the old recurrence is stopped at the gateway, and periods that wait for a card are
   * charged. It may be repeated.
   */
  readonly replaceCard: (name: string, orderNumber: string) => SubscriptionDetails
  /**
   * Cancels a subscription: charges nothing more, and stops its recurrence at the gateway. It is `Cancelling` while the
   * outcome of a charge in flight is unknown; a worker finishes it then. It may be repeated.
   */
  readonly cancelSubscription: (name: string) => Cancellation
  /**
   * Records a change in the shop's own transaction. A worker makes the change if and when that commits. Fails with
   * `KeyReused` if the key belongs to another change; roll back then.
   */
  readonly submit: (tx: Tx, key: string, change: SubmittedChange) => void
  /**
   * Creates the payment of an order, or returns the one that it has: with the same number it may be repeated as often
   * as you like, by any number of processes. `open` has the address of the pay page (`gwUrl`), which is stored by then.
   * If the response to the creation is lost, another payment is created, since no one has the address of the lost one.
   * With `allowed_card_token` the order is `inDoubt` instead, since such a payment needs no payer. If the amount,
   * currency, preauthorization or recurrence differs from the payment's, the order is `changed`, unless you `replace`
   * the payment.
   *
   * Of the request only these four fields are stored. Fails with a `GatewayError` if the payment certainly was not
   * created, for example with `InvalidRequest`.
   */
  readonly checkout: (orderNumber: string, request: CheckoutRequest, options?: CheckoutOptions) => Order
  /**
   * The status of an order, from the ledger's rows: nothing is read from the gateway. `undefined` if there is no such
   * number.
   */
  readonly getOrder: (orderNumber: string) => Order | undefined
  /**
   * Stops offering an order, for example one that was cancelled in the shop, even before its first `checkout`. Its
   * payment is read first. Unless money has come, the address of its pay page is no longer given out, nothing more is
   * sent for it, and `checkout` creates no payment for it without `replace`. The payment cannot be closed at the
   * gateway: money that comes after all is reported as `PaidLate`. An order with money is left as it is, and its status
   * returned. So is one with a stored card that may have been charged (`inDoubt`); one whose card is being charged is
   * `pending` until that is known. Fails with `LedgerUnavailable`, and changes nothing, if the payment cannot be read,
   * since it may be paid. It may be repeated.
   */
  readonly withdrawOrder: (orderNumber: string) => Order
  /**
   * The status of the order whose payer has come back, given the address of the return page. Its payment is read, and
   * `onPayment` is called with whatever is new. Check the `orderNumber`: anyone can put the id of another payment into
   * the address. Fails with a `NotificationError` if the address names no payment of the ledger.
   */
  readonly verifyReturn: (source: NotificationSource) => Order
  /** The current outcome of a change; `undefined` if there is no such key. */
  readonly getOutcome: (key: string) => ChangeOutcome | undefined
  /**
   * Makes all steps that are due, for example in a cron job. Returns how many. After `budget` it begins nothing new,
   * and waits for what is in flight. Default: 20 seconds.
   */
  readonly runOnce: (options?: { readonly budget?: DurationInput | undefined }) => number
  /** Whether anything is sent, and why not. */
  readonly getHealth: () => LedgerHealth
}

/**
 * The calls for operators and auditors: lists, decisions, adoption, erasure, metrics. A shop's checkout needs none of
 * them.
 */
export interface OperatorOperations extends Pick<LedgerOperations, "getHealth"> {
  /**
   * The subscriptions without their periods, oldest first, at most 500. For the next page, pass the name of the last
   * one as `after`.
   */
  readonly listSubscriptions: (options?: ListSubscriptionsOptions) => ReadonlyArray<Subscription>
  /**
   * Takes over a payment that was created without the ledger, or that it has lost. The payment is read. If it is open,
   * `checkout` offers it; otherwise `onPayment` is called. Fails with `InvalidArgument` if its order number or merchant
   * differs.
   */
  readonly adoptPayment: (orderNumber: string, paymentId: GatewayId, options?: Pick<CheckoutOptions, "hold">) => Order
  /**
   * Takes over charges whose responses were lost, from the movements of a statement: each payment that has the order
   * number of a charge in doubt is read, and decides that charge. Other movements are ignored, as are those without the
   * payment's id, which only GoPay's clearing files have (`parseStatement`). It may be repeated. Returns what was taken
   * over.
   */
  readonly adoptCharges: (movements: Iterable<ChargeMovement>) => ReadonlyArray<Order>
  /** Everything that the ledger knows of a change, for an operator; `undefined` if there is no such key. */
  readonly getChange: (key: string) => ChangeEntry | undefined
  /**
   * The history of a change, by its key, or of an order's payment, by its name in `listAttention`: each step with its
   * time, its process and what was said or read, oldest first. Empty if there is no such key.
   */
  readonly getHistory: (key: string) => ReadonlyArray<HistoryEntry>
  /**
   * A page of the history of all changes and payments, oldest first, for exports and auditors. It ends at the oldest
   * open transaction, such as that of a slow handler, so an export that continues after the last entry misses none.
   */
  readonly listHistory: (options?: HistoryOptions) => ReadonlyArray<HistoryEntry>
  /**
   * The time before which nothing more will be recorded, ISO 8601: now, or when the oldest open transaction began, such
   * as that of a slow handler. Books that are read up to this time, and the next time from it, are complete:
   * `listBookedOrders({ from, to })`.
   */
  readonly getRecordedUntil: () => string
  /**
   * The changes that meet all given conditions, oldest first, at most 500: by payment, status and time. `isOpen: true`
   * lists undecided changes. For the next page, pass the key of the last one as `after`. Rows that cannot be read are
   * only in `listAttention`.
   */
  readonly listChanges: (options?: ListChangesOptions) => ReadonlyArray<ChangeEntry>
  /** The payments of orders that meet all given conditions, oldest first, at most 500; see `listChanges`. */
  readonly listPayments: (options?: ListPaymentsOptions) => ReadonlyArray<PaymentEntry>
  /** The changes and payments that need an operator, oldest first, at most 500. */
  readonly listAttention: (options?: PageOptions) => ReadonlyArray<AttentionItem>
  /**
   * Ends a change by an operator's decision, which has to fit what is known of it. If the decision names a refund, the
   * gateway's list is read. A refund that was decided to be `notDone` is still watched, and reported if the gateway
   * lists it.
   */
  readonly resolveChange: (key: string, resolution: ChangeResolution) => ChangeOutcome
  /**
   * Records that an operator has resolved what was wrong with the payment of an order. `key` is that of its item in
   * `listAttention`.
   */
  readonly resolvePayment: (key: string, resolution: PaymentResolution) => Order
  /**
   * Erases the details of changes that were decided longer ago than `olderThan`: the request, the record, messages and
   * the names of operators. The key, the outcome and the refund's id stay, so that a key is never reused. Payments that
   * ended that long ago without money are deleted. Of other payments, and of acknowledged refunds, the decisions of
   * operators are erased; the order, the payment, the amount and the state stay. Whatever is still checked or needs an
   * operator is left alone. Returns how many.
   */
  readonly eraseDetails: (options: { readonly olderThan: DurationInput }) => number
  /**
   * Acknowledges a refund that the gateway lists and the ledger did not make, for example one by hand for another
   * reason. It no longer stops refunds of the payment, and those that it has stopped continue. Reads the list. Fails
   * with `InvalidArgument` if the refund is not in it, or if it is or may be that of a change of the ledger, which has
   * to be resolved first. It may be repeated. Returns whether the refund is acknowledged: `false` for one above
   * `dualApprovalAbove` until a second operator has confirmed it.
   */
  readonly acknowledgeRefund: (paymentId: GatewayId, refundId: GatewayId, acknowledgement: Acknowledgement) => boolean
  /**
   * Continues the charges of a first payment that were stopped since a backup was restored, and allows later ones: an
   * operator has checked what was charged with it since the backup. It holds until `distrust` is called again. Charges
   * of a subscription's periods do not need it, nor do charges with a later `day`. It may be repeated. Returns whether
   * they continue: `false` until a second operator has confirmed it, if a charge is above `dualApprovalAbove` or none
   * is waiting.
   */
  readonly releaseCharges: (firstPaymentId: GatewayId, release: Acknowledgement) => boolean
  /**
   * The refunds of a payment as the gateway lists them now, oldest first, and what each of them belongs to. An operator
   * can compare them with a refund in doubt. Reads the list once, and changes nothing. It may be repeated.
   */
  readonly listRefunds: (paymentId: GatewayId) => ReadonlyArray<ListedRefund>
  /** The refunds of a payment that were acknowledged, oldest first. Reads nothing from the gateway. */
  readonly listAcknowledgedRefunds: (paymentId: GatewayId) => ReadonlyArray<AcknowledgedRefund>
  /**
   * Call this after a backup was restored, or a copy of a database takes over, before the first worker starts. `since`
   * is a time at which everything was still in the database: the time of the backup, or earlier. A refund that the
   * gateway lists since then and the ledger does not know stops the refunds of its payment (`StrangeRefund`) until it
   * is acknowledged. Refunds continue ten minutes later, when the gateway's list shows the last ones. Charges that were
   * waiting, and periods of subscriptions that had begun, may have been charged: an operator decides about each. Other
   * charges stop until `releaseCharges` is called for their first payment, except those for a later `day` and those of
   * a first payment made since. The ledger accepts the database as its own, and ends its pause. It may be repeated.
   */
  readonly distrust: (options: { readonly since: Date | string }) => void
  /**
   * The merchants whose rows are in the database, such as the same shop's in another environment. Everything else that
   * a ledger lists and does is limited to its own merchant.
   */
  readonly listMerchants: () => ReadonlyArray<LedgerMerchant>
  /**
   * The counts of a ledger's rows, and how long they have waited, for metrics and a health check. Reads six counts from
   * the database.
   */
  readonly getMetrics: () => LedgerMetrics
  /**
   * Gives up a handler that the shop no longer has: its events are no longer kept for it, and outcomes that wait for
   * `onChange` are deleted. Stop its processes first: one that still runs with it registers it again. Without this call
   * a handler is given up when no process has run with it for 30 days; that is reported to `onAttention` a week before.
   */
  readonly retireHandler: (name: HandlerName) => void
  /**
   * Stops sending, in all processes, until `resume`. Submitted changes are kept, and the search for those in doubt
   * continues.
   */
  readonly pause: () => void
  /** Ends a pause. */
  readonly resume: () => void
}

/** The calls that the page for accountants uses. */
export type AdminOperations = Pick<
  OperatorOperations,
  | "acknowledgeRefund"
  | "getHealth"
  | "getHistory"
  | "listAttention"
  | "listChanges"
  | "listPayments"
  | "listRefunds"
  | "resolveChange"
  | "resolvePayment"
>
