/**
 * The options and the calls of a ledger, each declared once. The `Ledger` service and the promise ledger derive their types
 * from it.
 */
import type { DurationInput } from "../../basics/DurationInput.js"
import type { CaptureAuthorizationPartialRequest, GatewayId, RefundPaymentRequest } from "../../contract/Messages.js"
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

/** The options of a ledger, apart from the gateway and from its handlers. */
export interface LedgerSettings<in out Tx> {
  /** The database: `fileStore(path)`, `pgStore(pool)`, `prismaStore(prisma)`, `drizzleStore(db, sql)` and others. */
  readonly store: LedgerStore<Tx>
  /**
   * The name of this installation, such as `production`, of 1 to 100 characters. The database keeps the name that it was
   * migrated with, and a ledger of another name sends nothing: so a copy of production's database in a test environment
   * refunds nothing. Required at GoPay's production gateway. Default elsewhere: `main`.
   */
  readonly installation?: string | undefined
  /**
   * PostgreSQL: the schema of the ledger's tables, which `migrate` creates where it does not exist. Where it is not named and
   * another schema has a ledger's tables, `migrate` makes no second set of them. Default: `gopay`.
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
  /** How long a change that was sent and is not seen is searched for before an operator is asked. Default: 24 hours. */
  readonly escalateAfter?: DurationInput | undefined
  /**
   * Your word that nothing but this ledger refunds payments: neither people in GoPay's administration nor another
   * program. Then a refund whose response was lost is recognised by its amount alone. Without it, it is recognised only
   * if the gateway's date for it is within two minutes of the time it was sent; otherwise an operator decides. If the
   * word is broken, a refund by hand of the same amount may be taken for one that the ledger has lost. Default:
   * `false`.
   */
  readonly noOtherRefunders?: boolean | undefined
  /**
   * For how long what is paid and refunded is compared with the gateway once a day, each at its own time of the day: a refund
   * that has failed after all, a list that lacks one, a payment in another state are reported. It costs one read a day for
   * each payment and refund of that time. `0` compares nothing. Default: 21 days.
   */
  readonly compareFor?: DurationInput | undefined
  /**
   * Two operators decide about a change of more than this amount, in minor units, or of no amount of its own, such as a full
   * capture, and take such a decision back; they acknowledge a refund of more, and release charges of more. What the first one
   * says is kept (`proposal`), and counts when another one, by another name, says the same. Names are compared however they are
   * spaced, accented and capitalized; take them from a sign-in, since whoever types names can type two. Give it to every ledger
   * that operators use, that of the command line included. Default: one decides.
   */
  readonly dualApprovalAbove?: number | undefined
  /**
   * How long a process may take from locking a payment to handing the request over: it lists the payment's refunds and
   * waits for a token. After that the others take it for dead, and it sends no more. Default: 30 seconds.
   */
  readonly lease?: DurationInput | undefined
  /** The pause between two reads of the store by a worker. Default: 1 second. */
  readonly pollEvery?: DurationInput | undefined
  /** How many changes a worker is at, at once. Default: 8. */
  readonly concurrency?: number | undefined
  /**
   * The days after the first attempt on which a period of a subscription that was declined is charged again; after the last
   * one it is given up. GoPay recommends three attempts at least. At most 366; none is one attempt. Default: 2, 5 and 10.
   */
  readonly retryAfterDays?: ReadonlyArray<number> | undefined
  /** The time zone in which the periods of subscriptions begin. Default: `Europe/Prague`. */
  readonly timeZone?: string | undefined
  /** How many payments of orders a worker reads in a second at most, beside its changes. Default: 10. */
  readonly readsPerSecond?: number | undefined
}

/** The handlers of a shop that are called in the transaction that moves a row. */
export type HandlerName = "onPayment" | "onChange" | "onSubscription"

/**
 * What a ledger calls with what has happened. The `Result`s are what the shop's handlers return.
 *
 * A process without one of them that others of the merchant have, such as one that only serves the web, leaves to those what
 * that handler is to be notified of: one of them has to run a worker. A handler that the shop has no more is given up by
 * `retireHandler`, or by itself when no process has run with it for 30 days, a week after that was reported.
 */
export interface LedgerHandlers<in out Tx, out Result, out ChangeResult = Result, out SubscriptionResult = Result> {
  /**
   * Called when a payment of an order has come to another status, or more of it was refunded: by a notification, a payer's
   * return or the sweep, whichever is first. It runs in the transaction that moves the payment, so what is written
   * through `tx` is written exactly once; all else is done at least once, with a stable `eventId`. When it fails, the
   * payment stays as it was, and it is called again. It submits changes (`submit(tx, …)`), and calls nothing else of the
   * ledger.
   *
   * Of a payment it may answer `{ attention: "…" }`, a `PaymentAnswer`, which asks an operator: money has come, and the order
   * cannot take it.
   */
  readonly onPayment?: ((event: PaymentEvent<Tx>) => Result) | undefined
  /**
   * Called when a change has come to another outcome, whoever brought it there: the gateway's response, a read, an operator.
   * It runs in a transaction that records that the shop was notified, by the rules of `onPayment`; but when it fails, the change
   * itself goes on, and it is called again after a while. The outcomes of one change are reported in their order; those from
   * before the first process that has it are not reported.
   */
  readonly onChange?: ((event: ChangeEvent<Tx>) => ChangeResult) | undefined
  /**
   * Called when something has happened to a subscription: it has started, a period is paid, declined or given up, its card
   * expires. It runs in the transaction that records it, by the rules of `onPayment`: when it fails, nothing has moved,
   * and it is called again.
   */
  readonly onSubscription?: ((event: SubscriptionEvent<Tx>) => SubscriptionResult) | undefined
}

/**
 * A ledger: orders, and changes of their payments, that survive crashes, deployments and any number of processes. Each
 * change has a key of the shop's; for each key the gateway is sent one request at most that it may have taken, whatever
 * dies.
 *
 * What becomes of a change is a value, a `ChangeOutcome`. A call fails with a `LedgerError` when the change was not
 * recorded, or that is unknown.
 */
export interface LedgerOperations<in Tx = unknown> {
  /**
   * Makes the tables, and gives the database the installation's name. It may be run again, and by several processes.
   */
  readonly migrate: () => void
  /**
   * Refunds, and waits for the outcome. The same key with the same refund gives the same outcome and sends nothing
   * more; with another one it fails with `KeyReused`. Not within a transaction of the shop's: there, `submit`.
   */
  readonly refund: (
    key: string,
    paymentId: GatewayId,
    refund: Pick<RefundPaymentRequest, "amount">,
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
  ) => ChangeOutcome
  /**
   * Records a subscription, which starts when the payment of its order is paid: make that with `checkout` and the recurrence
   * `ON_DEMAND`. It may be repeated; with other terms it fails with `KeyReused`. The name has 1 to 100 characters.
   */
  readonly createSubscription: (name: string, subscription: NewSubscription) => SubscriptionDetails
  /** A subscription with its periods, as the ledger knows them: it reads nothing. `undefined` for a name that is not there. */
  readonly getSubscription: (name: string) => SubscriptionDetails | undefined
  /**
   * Has a period of a subscription charged, once: when its day has come, by a worker, and again after `retryAfterDays` when
   * the card is declined. The period is a name: a year `2026`, a quarter `2026-Q4`, a month `2026-12`, a week `2026-W49`
   * or a day `2026-12-01`. It may be repeated, by as many processes as you like; with another amount or order number it
   * fails with `KeyReused`, above the maximum or for a cancelled subscription with `InvalidArgument`. `onSubscription` is
   * called with what becomes of it.
   */
  readonly chargePeriod: (name: string, period: string, charge: PeriodCharge) => SubscriptionPeriod
  /**
   * Has a subscription charge another card: that of a new first payment, by its order. It takes the old one's place when it
   * is paid; then the old recurrence is ended at the gateway, and periods that wait for a card are charged. It may be
   * repeated.
   */
  readonly replaceCard: (name: string, orderNumber: string) => SubscriptionDetails
  /**
   * Charges nothing more of a subscription, and ends its recurrence at the gateway. `Cancelling` while a charge was sent whose
   * outcome is not known: a worker goes on with it. It may be repeated.
   */
  readonly cancelSubscription: (name: string) => Cancellation
  /**
   * Records a change in the shop's own transaction: it is made if and when that commits, by a worker. Fails with
   * `KeyReused` when the key belongs to another change; then roll back.
   */
  readonly submit: (tx: Tx, key: string, change: SubmittedChange) => void
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
  readonly checkout: (orderNumber: string, request: CheckoutRequest, options?: CheckoutOptions) => Order
  /** How an order stands, as far as the ledger knows: it reads nothing. `undefined` for a number that is not there. */
  readonly getOrder: (orderNumber: string) => Order | undefined
  /**
   * Offers an order no more, such as one that was cancelled in the shop, also before its first `checkout`: its payment is
   * read, and unless money has come, the address of its pay page is given out no more, nothing is sent for it that was not
   * sent yet, and `checkout` makes no payment for it without `replace`. It cannot be closed at the gateway: money that comes
   * after all is reported as `PaidLate`. An order that money has come for is left as it is, and reported; so is one with a
   * stored card that may have been charged (`inDoubt`), and one whose card is being charged is `pending` until that is known.
   * Fails with `LedgerUnavailable`, and changes nothing, where the payment cannot be read: it may be paid. It may be repeated.
   */
  readonly withdrawOrder: (orderNumber: string) => Order
  /**
   * How an order stands whose payer has come back, by the address of the return page: its payment is read, and
   * `onPayment` is called for what is new. Check the `orderNumber`: anyone can put the id of another payment into the
   * address. Fails with a `NotificationError` for an address that names no payment of the ledger.
   */
  readonly verifyReturn: (source: NotificationSource) => Order
  /** The outcome of a change as it is now; `undefined` for a key that is not there. */
  readonly getOutcome: (key: string) => ChangeOutcome | undefined
  /**
   * Makes all steps that are due, such as in a cron job. Returns how many. After `budget` nothing new is begun, and what is
   * under way is waited for. Default: 20 seconds.
   */
  readonly runOnce: (options?: { readonly budget?: DurationInput | undefined }) => number
  /** Whether anything is sent, and why not. */
  readonly getHealth: () => LedgerHealth
}

/**
 * What operators and auditors ask of a ledger, and decide: lists, decisions, adoption, erasure, metrics. A shop's checkout needs
 * none of it.
 */
export interface OperatorOperations extends Pick<LedgerOperations, "getHealth"> {
  /** The subscriptions, oldest first, 500 at most, without their periods. The next page begins `after` the name of the last one. */
  readonly listSubscriptions: (options?: ListSubscriptionsOptions) => ReadonlyArray<Subscription>
  /**
   * Takes over a payment that was created without the ledger, or that it has lost: reads it, and notifies `onPayment` of
   * it, unless it is open: then `checkout` offers it. Fails with `InvalidArgument` when it is of another order number or merchant.
   */
  readonly adoptPayment: (orderNumber: string, paymentId: GatewayId, options?: Pick<CheckoutOptions, "hold">) => Order
  /**
   * Takes over the charges whose responses were lost, by the movements of a statement: each payment with the order number of a
   * charge in doubt is read, and decides it. Other movements are left alone, and so are those without the payment's id,
   * which only GoPay's clearing files have (`parseStatement`). It may be repeated; returns what was taken over.
   */
  readonly adoptCharges: (movements: Iterable<ChargeMovement>) => ReadonlyArray<Order>
  /** A change with all that the ledger knows of it, for an operator; `undefined` for a key that is not there. */
  readonly getChange: (key: string) => ChangeEntry | undefined
  /**
   * The history of a change by its key, or of the payment of an order by its name in `listAttention`: each step with its
   * time, its process and what was said or read, oldest first. Empty for a key that is not there.
   */
  readonly getHistory: (key: string) => ReadonlyArray<HistoryEntry>
  /**
   * The history of all changes and payments, oldest first, some at a time: for an export, and for auditors. It reaches to the
   * oldest transaction that is still open, such as that of a slow handler: an export that goes on after the last entry misses none.
   */
  readonly listHistory: (options?: HistoryOptions) => ReadonlyArray<HistoryEntry>
  /**
   * The time before which nothing is recorded any more, ISO 8601: now, or the beginning of the oldest transaction that is still
   * open, such as that of a slow handler. Books that are read to this time and the next time from it lack nothing:
   * `listBookedOrders({ from, to })`.
   */
  readonly getRecordedUntil: () => string
  /**
   * The changes that fit all that is given, oldest first, 500 at most: by payment, status and time. `isOpen: true` lists
   * those that are not decided. The next page begins `after` the key of the last one. Rows that cannot be read are in
   * `listAttention` only.
   */
  readonly listChanges: (options?: ListChangesOptions) => ReadonlyArray<ChangeEntry>
  /** The payments of orders that fit all that is given, oldest first, 500 at most; see `listChanges`. */
  readonly listPayments: (options?: ListPaymentsOptions) => ReadonlyArray<PaymentEntry>
  /** The changes and payments that need an operator, oldest first, 500 at most. */
  readonly listAttention: (options?: PageOptions) => ReadonlyArray<AttentionItem>
  /**
   * Ends a change by an operator's decision, one that fits what is known of it. Where the decision names a refund, the
   * gateway's list is read. A refund that was decided not to have been made is watched on, and reported
   * when the gateway shows it.
   */
  readonly resolveChange: (key: string, resolution: ChangeResolution) => ChangeOutcome
  /**
   * Records that an operator has resolved what was wrong with the payment of an order. `key` is that of its item in
   * `listAttention`.
   */
  readonly resolvePayment: (key: string, resolution: PaymentResolution) => Order
  /**
   * Erases what was asked for and said of changes that were decided longer ago than `olderThan`: request, record, messages
   * and the names of operators. Key, outcome and the refund's id stay, so that the key is known for ever. Of payments,
   * those that ended longer ago without money are removed; of the others what operators have said is erased, as it is of acknowledged refunds, and order,
   * payment, amount and state stay. What is checked still, or needs an operator, is left alone. Returns how many.
   */
  readonly eraseDetails: (options: { readonly olderThan: DurationInput }) => number
  /**
   * Acknowledges a refund that the gateway lists and the ledger did not make, such as one by hand for another reason: it
   * stops no refund of the payment any more, and those that it has stopped go on. Reads the list; fails with
   * `InvalidArgument` when the refund is not in it, or is or may be that of a change of the ledger's: such a change is
   * resolved first. It may be repeated. Returns whether it is acknowledged: `false` for one above `dualApprovalAbove` until
   * another operator has said the same.
   */
  readonly acknowledgeRefund: (paymentId: GatewayId, refundId: GatewayId, acknowledgement: Acknowledgement) => boolean
  /**
   * Lets the charges of a first payment go on that were stopped since a backup was restored, and later ones: an operator has
   * looked for what was charged with it since the backup. It holds until `distrust` is run again. Charges under keys of a
   * subscription need none, nor those that carry a later day (`day`). It may be repeated. Returns whether they go on: `false`
   * where one of them is above `dualApprovalAbove`, or none waits, until another operator has said the same.
   */
  readonly releaseCharges: (firstPaymentId: GatewayId, release: Acknowledgement) => boolean
  /**
   * The refunds of a payment as the gateway lists them now, oldest first, and whose each of them is: what an operator compares
   * with a refund in doubt. Reads the list once, and changes nothing. It may be repeated.
   */
  readonly listRefunds: (paymentId: GatewayId) => ReadonlyArray<ListedRefund>
  /** The refunds of a payment that were acknowledged, oldest first. Reads nothing from the gateway. */
  readonly listAcknowledgedRefunds: (paymentId: GatewayId) => ReadonlyArray<AcknowledgedRefund>
  /**
   * Run this after a backup was restored or a database was copied to take over, before the first worker. `since` is a
   * time at which everything was still in the database: the time of the backup, or earlier. Each refund that the gateway
   * lists since then and the ledger does not know stops the refunds of its payment (`StrangeRefund`) until it is
   * acknowledged. Refunds go on ten minutes later, when the gateway's list shows the last ones. Charges that waited then, and
   * periods of subscriptions that had begun, may have been charged: an operator decides about each. Other charges stop unless
   * they are for a later day (`day`) or of a first payment made since, until `releaseCharges` of that payment. Makes the database the
   * ledger's own, and ends its pause. It may be repeated.
   */
  readonly distrust: (options: { readonly since: Date | string }) => void
  /**
   * The merchants whose rows are in the database, such as the same shop's in another environment. Everything else that
   * a ledger lists and does is limited to its own merchant.
   */
  readonly listMerchants: () => ReadonlyArray<LedgerMerchant>
  /** How much there is and how long it has waited, for metrics and a health check. Reads six counts from the database. */
  readonly getMetrics: () => LedgerMetrics
  /**
   * Gives up a handler that the shop has no more: what it was to be notified of is left to it no longer, and outcomes that
   * wait for `onChange` are removed. Stop its processes before: one that still runs with it begins anew. Without this call a
   * handler is given up when no process has run with it for 30 days; that is reported to `onAttention` a week before.
   */
  readonly retireHandler: (name: HandlerName) => void
  /** Sends nothing more, in all processes, until `resume`. What is submitted is kept, what was sent is searched for. */
  readonly pause: () => void
  /** Ends a pause. */
  readonly resume: () => void
}

/** What the page for accountants calls. */
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
