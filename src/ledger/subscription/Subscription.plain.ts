/**
 * Subscriptions: an `ON_DEMAND` recurrence that the ledger charges once for each period.
 *
 * This module does not depend on Effect, so that every entry of the package shows the same types.
 */
import type { Currency } from "../../api/CodeLists.plain.js"
import type { ChargeRequest } from "../change/Change.plain.js"

/**
 * A subscription that is to be made.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface NewSubscription {
  /**
   * The order of the first payment: one of `checkout` with the recurrence `ON_DEMAND`, or one that `adoptPayment` took over.
   * The subscription starts when it is paid.
   */
  readonly orderNumber: string
  /** The most that one charge may be, as the payer has agreed to, in minor units. */
  readonly maximum: number
  /** The currency of the first payment and of all charges. */
  readonly currency: Currency
}

/**
 * The charge of a period. `order_number` is the charge's own; default: the subscription's name and the period, with a hyphen.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface PeriodCharge extends Pick<ChargeRequest, "amount" | "order_description" | "items"> {
  /** At most 128 characters, and each period's own. */
  readonly order_number?: string | undefined
  /**
   * The day of the month on which a month is charged, 1 to 31; in a shorter month its last day. Default: the first day of
   * the period.
   */
  readonly dayOfMonth?: number | undefined
}

/**
 * What may help after a charge was declined:
 *
 * - `anotherDay`: the card may be charged on another day, such as when it is short of money.
 * - `newCard`: this card will not be charged again: it is lost, expired, or the recurrence is stopped.
 * - `merchant`: the shop has to settle something with GoPay.
 *
 * @category ledger
 * @since 0.1.0
 */
export type ChargeRemedy = "anotherDay" | "newCard" | "merchant"

/**
 * Why the last attempt to charge a period failed.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface PeriodFailure {
  /** What may help. */
  readonly remedy: ChargeRemedy
  /** The reason in words. */
  readonly message: string
  /** The gateway's error code, when it gave one; see `ErrorCodes`. */
  readonly code?: number
  /** The sub-state of the payment, when the gateway gave one; see `PaymentSubStates`. */
  readonly subState?: string
}

/**
 * A period of a subscription.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SubscriptionPeriod {
  /** Its name, such as `2026-12`. */
  readonly period: string
  /**
   * - `due`: not charged yet: its day has not come, or the subscription has not started.
   * - `charging`: an attempt is under way, or its outcome is looked for; see `attemptKey`.
   * - `retrying`: the last attempt failed, and there will be another one.
   * - `paid`, `givenUp`, `cancelled`: it is over. A late payment of an attempt makes it `paid` all the same.
   */
  readonly status: "due" | "charging" | "retrying" | "paid" | "givenUp" | "cancelled"
  /** In minor units. */
  readonly amount: number
  /** The number that its charges bear. */
  readonly orderNumber: string
  /** How many attempts were made. */
  readonly attempts: number
  /** The key of the last attempt, for `getChange` and `resolveChange`. */
  readonly attemptKey?: string
  /** The time of the first or the next attempt, ISO 8601; absent when there will be none. */
  readonly nextAttemptAt?: string
  /** Why the last attempt failed. */
  readonly failure?: PeriodFailure
  /** The payment that paid it. */
  readonly paymentId?: number
}

/**
 * A subscription.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface Subscription {
  /** The name that the shop gave it. */
  readonly name: string
  /**
   * - `waiting`: its first payment is not paid.
   * - `active`: it can be charged.
   * - `cancelling`: cancelled, while a charge is under way whose outcome is not known.
   * - `cancelled`: nothing will be charged any more.
   */
  readonly status: "waiting" | "active" | "cancelling" | "cancelled"
  /** The most that one charge may be, in minor units. */
  readonly maximum: number
  /** The currency of all charges. */
  readonly currency: Currency
  /** The first payment that is charged, once it is paid. */
  readonly paymentId?: number
  /** The order of that payment. */
  readonly orderNumber?: string
  /** The order whose payment is waited for: the first one, or that of a new card. */
  readonly awaitedOrder?: string
  /** The last month of the card, `yyyy-mm`, when the gateway says it. */
  readonly cardExpires?: string
}

/**
 * A subscription with its periods, in the order in which they were asked for.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SubscriptionDetails extends Subscription {
  /** Its periods. */
  readonly periods: ReadonlyArray<SubscriptionPeriod>
}

/**
 * Whether a subscription is cancelled: tell the kinds apart by `_tag`.
 *
 * - `Cancelled`: nothing is under way, and nothing will be charged any more.
 * - `Cancelling`: a charge was sent, and its outcome is not known yet. If it succeeds, `onSubscription` is called with
 *   `paid`. Nothing else will be charged.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface Cancellation {
  /** The kind. */
  readonly _tag: "Cancelled" | "Cancelling"
  /** The subscription as it is now. */
  readonly subscription: SubscriptionDetails
}

/**
 * What has happened to a subscription:
 *
 * - `started`: its first payment is paid.
 * - `paid`: a period is paid. When the subscription is `cancelling` or `cancelled`, that was under way before: refund it, or
 *   deliver.
 * - `declined`: an attempt failed, and there will be another one, at `nextAttemptAt` of the period.
 * - `needsCard`: an attempt failed, and only a new card helps: send the payer to a new first payment, and `replaceCard`.
 * - `givenUp`: the last attempt for a period failed.
 * - `cardExpires`: the card expires in a month.
 * - `cardReplaced`: the first payment with a new card is paid.
 * - `cancelled`: nothing will be charged any more.
 *
 * @category ledger
 * @since 0.1.0
 */
export type SubscriptionEventType =
  | "started"
  | "paid"
  | "declined"
  | "needsCard"
  | "givenUp"
  | "cardExpires"
  | "cardReplaced"
  | "cancelled"

/**
 * Something that has happened to a subscription.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SubscriptionEvent<out Tx> {
  /**
   * The transaction that records it in the ledger. What is written through it is written exactly once. `undefined` over a
   * store that has no transactions: then this is called at least once.
   */
  readonly tx: Tx
  /** The same when the same event is told again: a key for whatever is done outside of the transaction. */
  readonly eventId: string
  /** What has happened. */
  readonly type: SubscriptionEventType
  /** The subscription as it is from now on. */
  readonly subscription: Subscription
  /** The period, for `paid`, `declined`, `needsCard` and `givenUp`. */
  readonly period?: SubscriptionPeriod
}
