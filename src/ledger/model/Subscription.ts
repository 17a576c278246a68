/**
 * Subscriptions: an `ON_DEMAND` recurrence that the ledger charges once for each period.
 */
import type { Currency } from "../../contract/CodeLists.js"
import type { ChangeEvent, ChargeRequest } from "./Change.js"
import type { Refused } from "./Outcome.js"

/** A subscription to create. */
export interface NewSubscription {
  /**
   * The order of the first payment: created by `checkout` with an `ON_DEMAND` recurrence, or taken over by
   * `adoptPayment`. The subscription starts when that order is paid.
   */
  readonly orderNumber: string
  /** The most that one charge may be, as agreed with the payer, in minor units. */
  readonly maximum: number
  /** The currency of the first payment and of all charges. */
  readonly currency: Currency
}

/** The charge for a period. `order_number` defaults to the subscription's name and the period, joined by a hyphen. */
export interface PeriodCharge extends Pick<ChargeRequest, "amount" | "order_description" | "items"> {
  /** At most 128 characters, and different for each period. */
  readonly order_number?: string | undefined
  /**
   * The day on which a monthly period is charged, 1 to 31; in a shorter month, its last day. Default: the first day of
   * the period.
   */
  readonly dayOfMonth?: number | undefined
}

/** Why the last attempt to charge a period failed. */
export interface PeriodFailure extends Pick<Refused, "code"> {
  /**
   * What may help:
   *
   * - `anotherDay`: the same card may work on another day, for example after insufficient funds.
   * - `newCard`: this card cannot be charged again: it is lost or expired, or its recurrence is stopped.
   * - `merchant`: the request or the shop's account at GoPay is wrong. The payer cannot mend that: an operator is
   *   notified (`ChargeRefused`).
   */
  readonly remedy: "anotherDay" | "newCard" | "merchant"
  /** The reason in words. */
  readonly message: string
  /** The sub-state of the payment, when the gateway gave one; see `PaymentSubStates`. */
  readonly subState?: string
}

/** A period of a subscription. */
export interface SubscriptionPeriod {
  /** The period's name, such as `2026-12`. */
  readonly period: string
  /**
   * - `due`: not charged yet: its day has not come, or the subscription has not started.
   * - `charging`: an attempt is in progress, or its outcome is not known yet; see `attemptKey`.
   * - `retrying`: the last attempt failed, and another one will follow.
   * - `blocked`: the last attempt was refused for a reason that only the merchant can mend, and an operator is notified
   *   (`ChargeRefused`).
   * - `paid`, `givenUp`, `cancelled`: final, except that a late payment still makes a period `paid`.
   */
  readonly status: "due" | "charging" | "retrying" | "blocked" | "paid" | "givenUp" | "cancelled"
  /** In minor units. */
  readonly amount: number
  /** The order number of its charges. */
  readonly orderNumber: string
  /** The number of attempts so far. */
  readonly attempts: number
  /** The key of the last attempt, for `getChange` and `resolveChange`. */
  readonly attemptKey?: string
  /** When the next attempt is due, ISO 8601; absent when there will be none. */
  readonly nextAttemptAt?: string
  /** Why the last attempt failed. */
  readonly failure?: PeriodFailure
  /** The payment that paid for it. */
  readonly paymentId?: number
}

/** A subscription. */
export interface Subscription extends Pick<NewSubscription, "maximum" | "currency"> {
  /** The name that the shop gave it. */
  readonly name: string
  /**
   * - `waiting`: its first payment is not paid yet.
   * - `active`: it can be charged.
   * - `cancelling`: cancelled, but the outcome of a charge already sent is not known yet.
   * - `cancelled`: nothing more will be charged.
   */
  readonly status: "waiting" | "active" | "cancelling" | "cancelled"
  /** The first payment, which further charges refer to; absent until it is paid. */
  readonly paymentId?: number
  /** The order of that payment. */
  readonly orderNumber?: string
  /** The order whose payment is awaited: the first one, or the one for a new card. */
  readonly awaitedOrder?: string
  /** The month in which the card expires, `yyyy-mm`, if the gateway reports it. */
  readonly cardExpires?: string
}

/** A subscription with its periods, in the order in which they were requested. */
export interface SubscriptionDetails extends Subscription {
  /** Its periods. */
  readonly periods: ReadonlyArray<SubscriptionPeriod>
}

/**
 * Whether a subscription is cancelled: tell the kinds apart by `_tag`.
 *
 * - `Cancelled`: no charge is in progress, and nothing more will be charged.
 * - `Cancelling`: a charge was sent, and its outcome is not known yet. If it succeeds, `onSubscription` is called with
 *   `paid`. Nothing else will be charged.
 */
export interface Cancellation {
  /** The kind. */
  readonly _tag: "Cancelled" | "Cancelling"
  /** The subscription as it is now. */
  readonly subscription: SubscriptionDetails
}

/** An event of a subscription. */
export interface SubscriptionEvent<out Tx> extends Pick<ChangeEvent<Tx>, "tx" | "eventId"> {
  /**
   * What happened:
   *
   * - `started`: its first payment is paid.
   * - `paid`: a period is paid. If the subscription is `cancelling` or `cancelled`, the charge was sent before: refund
   *   it, or deliver.
   * - `declined`: the card was declined. The next attempt is due at the period's `nextAttemptAt`.
   * - `needsCard`: an attempt failed, and only a new card helps: send the payer to a new first payment, then call
   *   `replaceCard`.
   * - `givenUp`: the last attempt for a period failed, or an operator has given it up.
   * - `cardExpires`: the card's last month has begun.
   * - `cardReplaced`: the first payment with a new card is paid.
   * - `cancelled`: nothing more will be charged.
   */
  readonly type:
    | "started"
    | "paid"
    | "declined"
    | "needsCard"
    | "givenUp"
    | "cardExpires"
    | "cardReplaced"
    | "cancelled"
  /** The subscription after the event. */
  readonly subscription: Subscription
  /** The period; for `paid`, `declined`, `needsCard` and `givenUp`. */
  readonly period?: SubscriptionPeriod
}
