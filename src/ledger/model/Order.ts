/**
 * The orders of a ledger.
 */
import type { Currency } from "../../contract/CodeLists.js"
import type { CreatePaymentRequest, PaymentResponse } from "../../contract/Messages.js"
import type { DurationInput } from "../../basics/DurationInput.js"
import type { ChangeEvent } from "./Change.js"

/** The request of an order's payment: that of `createPayment`, without the order's number. */
export type CheckoutRequest = Omit<CreatePaymentRequest, "order_number">

/** Options of an order. */
export interface CheckoutOptions {
  /**
   * How long the address of the pay page is given out. It closes nothing: at the gateway the payment can be paid for as
   * long as the gateway lets it. Money that comes later is reported as `PaidLate`. Default: until the payment ends.
   */
  readonly payWithin?: DurationInput | undefined
  /** For a preauthorization: what becomes of a hold that you neither capture nor release in time. */
  readonly hold?:
    | {
        /** The time from the authorization, below four days: the gateway lets a hold go after four days by itself. */
        readonly atMost: DurationInput
        /** What is done then, unless the payment is captured or released by then. */
        readonly end: "capture" | "release"
      }
    | undefined
  /**
   * Makes a new payment where the present one is of another amount, is offered no more, or is refunded, and offers the
   * old one no more. It cannot be closed at the gateway: if it is paid after all, that is `PaidLate` or `PaidTwice`. A
   * payment that is paid or held is never replaced. Default: `false`.
   */
  readonly replace?: boolean | undefined
  /**
   * For an order that is paid by several payments on purpose, each with an order number of its own: the rest after a part,
   * or one payment for each session of a cart. Money beyond the total of the group is `PaidTwice`. It is recorded with a
   * new payment.
   */
  readonly group?: PaymentGroup | undefined
  /** Your own words, 1 to 1,000 characters: kept with a new payment, and given back with it. */
  readonly reference?: string | undefined
  /** The time to wait for the gateway. The payment is created without the caller. Default: 30 seconds. */
  readonly waitAtMost?: DurationInput | undefined
}

/** Payments of several orders that are for one thing. */
export interface PaymentGroup {
  /** The name of the group, 1 to 128 characters, such as the number of the cart. */
  readonly name: string
  /** The amount that all of them are for together, in minor units. Payments of another currency do not count. */
  readonly total: number
}

/** How an order stands, by its payments; tell the kinds apart by `status`. */
export type Order = OpenOrder | PaidOrder | UnpaidOrder | ChangedOrder | UncertainOrder

/** Members of every order. */
interface OrderDetails {
  /** The number of the order. */
  readonly orderNumber: string
  /** The status in words. */
  readonly message: string
  /** The shop's own words, where `checkout` was given some. */
  readonly reference?: string
}

/** An order that can be paid. */
export interface OpenOrder extends OrderDetails {
  /** The name of the status. */
  readonly status: "open"
  /** The payment. */
  readonly paymentId: number
  /** The address of the pay page: send the payer here. It is stored by now. */
  readonly gwUrl: string
}

/**
 * The amounts of a payment, in minor units of its currency. Of a payment without a preauthorization all that was asked for is
 * captured when it is paid.
 */
export interface PaymentAmounts {
  /** What is held on the payer's card, neither captured nor released. */
  readonly held: number
  /**
   * What was taken of the payer. Of a hold it is what the ledger's own captures prove; `"unknown"` if it was captured without
   * the ledger, or the outcome of a capture is not known yet: the gateway does not say how much of a hold was captured.
   */
  readonly captured: number | "unknown"
  /** The sum of the refunds that have not failed. */
  readonly refunded: number
  /** What can still be refunded. */
  readonly refundable: {
    readonly amount: number
    /** Whether it may be less, since `captured` is unknown. */
    readonly isUpperBound: boolean
  }
}

/** An order that money has come for, with the amounts of its payment. */
export interface PaidOrder extends OrderDetails, PaymentAmounts {
  /**
   * - `authorized`: held on the payer's card. Capture or release it.
   * - `paid`: paid, and nothing of it returned.
   * - `partiallyRefunded`: a part was returned, `refunded`.
   * - `refunded`: all was returned.
   */
  readonly status: "authorized" | "paid" | "partiallyRefunded" | "refunded"
  /** The payment. */
  readonly paymentId: number
  /**
   * The sum of the refunds that have not failed, in minor units. From `getOrder` it has those of the ledger that are `Done`,
   * though the gateway may not list them yet; `refundable` is without them.
   */
  readonly refunded: number
}

/** An order that cannot be paid. */
export interface UnpaidOrder extends OrderDetails {
  /**
   * - `closed`: the payment was cancelled or timed out. `checkout` makes a new one.
   * - `expired`: `payWithin` has expired. The payer may be paying all the same: `checkout` makes a new one with `replace`.
   * - `withdrawn`: `withdrawOrder` was called, and no money has come. If it comes after all, that is `PaidLate`. `checkout`
   *   makes a new payment with `replace`.
   */
  readonly status: "closed" | "expired" | "withdrawn"
  /** The payment. */
  readonly paymentId: number
}

/**
 * An order that was asked for with another amount, currency, preauthorization or recurrence than its payment has.
 * Nothing was created. While the payment is `open`, `checkout` makes a new one with `replace`.
 */
export interface ChangedOrder extends OrderDetails {
  /** The name of the status. */
  readonly status: "changed"
  /** The payment that it has. */
  readonly paymentId?: number
  /** How the order stands with the payment that it has. */
  readonly present: Exclude<Order, ChangedOrder>
  /** The amount of the payment that it has, in minor units. */
  readonly amount: number
  /** Its currency. */
  readonly currency: Currency
}

/** An order whose payment is being created, or may exist. */
export interface UncertainOrder extends OrderDetails {
  /**
   * - `pending`: a payment is being created. Ask again with `checkout`.
   * - `inDoubt`: a payment with a stored card was sent, and whether it was taken is not known; or one was paid that the
   *   ledger does not know, as after a backup was restored. No other payment is created. See `listAttention`.
   * - `withdrawn`: `withdrawOrder` was called before the payment was known.
   */
  readonly status: "pending" | "inDoubt" | "withdrawn"
  /** The payment that was paid and that the ledger does not know. Otherwise none is known. */
  readonly paymentId?: number
}

/** What one payment has come to, with its amounts. */
export interface MovedPayment extends PaymentAmounts {
  /** The payment. */
  readonly paymentId: number
  /** For a charge of a recurrence: its first payment. */
  readonly parentId?: number
  /** What the payment has come to. States between the one that was reported last and this one may have been skipped. */
  readonly status: PaidOrder["status"] | "closed"
  /** Whether this corrects what was reported before: a refund that was listed has failed since. */
  readonly correction: boolean
}

/**
 * An order that has come to another status, or one for which money has come or gone. `status`, the amounts and
 * `order.paymentId` are the order's, so that they can be written by its number, whichever of its payments has moved;
 * `payment` and `moved` are the payment that was read.
 *
 * An order stands by the payment that was reported first to have its money, until none is left there, and then by another one
 * with money. Money that comes after the order was refunded leaves it `refunded`, unless the shop has asked for that payment
 * since. It is `closed` only while no other payment of it can be paid; but what was held and is released is reported at once.
 */
export interface PaymentEvent<out Tx> extends Pick<ChangeEvent<Tx>, "tx" | "eventId">, PaymentAmounts {
  /** The order, and the payment that it stands by. */
  readonly order: Pick<PaidOrder, "orderNumber" | "reference"> & {
    /** The payment that the order stands by: not always the one that has moved. */
    readonly paymentId: number
    /** For a charge of a recurrence with an order number of its own: its first payment. */
    readonly parentId?: number
    /** The amount that was asked for by that payment, in minor units. */
    readonly amount: number
    /** The currency that was asked for. */
    readonly currency: Currency
    /** The group of payments that it belongs to, where `checkout` was given one. */
    readonly group?: PaymentGroup
  }
  /** What the order has come to. */
  readonly status: PaidOrder["status"] | "closed"
  /**
   * Whether what was reported of the order before has proved wrong: a refund has failed after it was listed, so less is returned
   * than it was.
   */
  readonly correction: boolean
  /** For a correction: what was reported of the order before. */
  readonly before?: Pick<PaymentEvent<Tx>, "status" | "refunded">
  /** The payment that has moved, as it was just read. */
  readonly payment: PaymentResponse
  /** What that payment has come to: its money may be another one's than the order stands by. */
  readonly moved: MovedPayment
  /** Whether it needs an operator: do not deliver twice. */
  readonly attention?: "PaidTwice" | "PaidLate"
}

/**
 * What `onPayment` may answer: money has come, and the order cannot take it, such as for goods that were sold meanwhile.
 * The payment moves all the same, and an operator is asked in these words (`Unfulfillable`). Any other answer says
 * nothing.
 */
export interface PaymentAnswer {
  /** Why the order cannot take the money, for an operator. */
  readonly attention: string
}
