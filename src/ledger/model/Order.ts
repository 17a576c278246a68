/**
 * The orders of a ledger.
 */
import type { Currency } from "../../contract/CodeLists.js"
import type { CreatePaymentRequest, PaymentResponse } from "../../contract/Messages.js"
import type { DurationInput } from "../../basics/DurationInput.js"
import type { ChangeEvent } from "./Change.js"

/** The request of an order's payment: the same as for `createPayment`, without the order number. */
export type CheckoutRequest = Omit<CreatePaymentRequest, "order_number">

/** Options of an order. */
export interface CheckoutOptions {
  /**
   * How long the address of the pay page is given out. That does not close the payment: the gateway accepts money for
   * as long as it likes, and money that comes later is reported as `PaidLate`. Default: until the payment ends.
   */
  readonly payWithin?: DurationInput | undefined
  /** For a preauthorization: what to do with a hold that you neither capture nor release in time. */
  readonly hold?:
    | {
        /**
         * The time from the authorization, below four days: the gateway releases a hold after four days by itself. It
         * counts from the first read that shows the hold; a capture comes in time, also if that read was late.
         */
        readonly atMost: DurationInput
        /** What the ledger does then, unless the payment has been captured or released. */
        readonly end: "capture" | "release"
      }
    | undefined
  /**
   * Creates a new payment if the present one has another amount, is no longer offered, or is refunded, and stops
   * offering the old one. The old one cannot be closed at the gateway: if it is paid after all, that is `PaidLate` or
   * `PaidTwice`. A payment that is paid or held is never replaced. Default: `false`.
   */
  readonly replace?: boolean | undefined
  /**
   * For an order that is deliberately paid by several payments, each with an order number of its own: the rest after a
   * part, or one payment for each session of a cart. Money beyond the group's total is `PaidTwice`. The group is
   * recorded with a new payment.
   */
  readonly group?: PaymentGroup | undefined
  /** A text of your own, 1 to 1,000 characters. It is stored with a new payment, and returned with it. */
  readonly reference?: string | undefined
  /** How long to wait for the gateway. The payment is created even if the caller stops waiting. Default: 30 seconds. */
  readonly waitAtMost?: DurationInput | undefined
}

/** Payments of several orders for the same purchase. */
export interface PaymentGroup {
  /** The name of the group, 1 to 128 characters, such as the number of the cart. */
  readonly name: string
  /** The amount that they add up to, in minor units. Payments in another currency do not count. */
  readonly total: number
}

/** The status of an order, from its payments; tell the kinds apart by `status`. */
export type Order = OpenOrder | PaidOrder | UnpaidOrder | ChangedOrder | UncertainOrder

/** Members of every order. */
interface OrderDetails {
  /** The number of the order. */
  readonly orderNumber: string
  /** The status in words. */
  readonly message: string
  /** The text that `checkout` was given, if any. */
  readonly reference?: string
}

/** An order that can be paid. */
export interface OpenOrder extends OrderDetails {
  /** Tells the kinds of orders apart. */
  readonly status: "open"
  /** The payment's id at the gateway. */
  readonly paymentId: number
  /** The address of the pay page: send the payer here. It is stored by now. */
  readonly gwUrl: string
}

/**
 * The amounts of a payment, in minor units of its currency. A payment without a preauthorization is captured completely
 * when it is paid.
 */
export interface PaymentAmounts {
  /** What is held on the payer's card, neither captured nor released. */
  readonly held: number
  /**
   * What was taken from the payer. For a hold, this is what the ledger's own captures prove; `"unknown"` if it was
   * captured without the ledger, or while the outcome of a capture is unknown: the gateway does not say how much of a
   * hold was captured.
   */
  readonly captured: number | "unknown"
  /** The sum of the refunds that have not failed. */
  readonly refunded: number
  /** What can still be refunded. */
  readonly refundable: {
    readonly amount: number
    /** Whether it may be less, because `captured` is unknown. */
    readonly isUpperBound: boolean
  }
}

/** An order with money, and the amounts of its payment. */
export interface PaidOrder extends OrderDetails, PaymentAmounts {
  /**
   * - `authorized`: held on the payer's card. Capture or release it.
   * - `paid`: paid, and nothing of it returned.
   * - `partiallyRefunded`: a part was returned: `refunded`.
   * - `refunded`: all was returned.
   */
  readonly status: "authorized" | "paid" | "partiallyRefunded" | "refunded"
  /** The payment's id at the gateway. */
  readonly paymentId: number
  /**
   * The sum of the refunds that have not failed, in minor units. `getOrder` includes refunds of the ledger that are
   * `Done` even if the gateway does not list them yet; `refundable` excludes them.
   */
  readonly refunded: number
}

/** An order that cannot be paid. */
export interface UnpaidOrder extends OrderDetails {
  /**
   * - `closed`: the payment was cancelled or timed out. `checkout` makes a new one.
   * - `expired`: `payWithin` has expired. The payer may be paying all the same: `checkout` makes a new one with
   *   `replace`.
   * - `withdrawn`: `withdrawOrder` was called, and no money has come. If it comes after all, that is `PaidLate`.
   *   `checkout` makes a new payment with `replace`.
   */
  readonly status: "closed" | "expired" | "withdrawn"
  /** The payment's id at the gateway. */
  readonly paymentId: number
}

/**
 * An order that was requested with another amount, currency, preauthorization or recurrence than its payment has.
 * Nothing was created. While the payment is `open`, `checkout` with `replace` creates a new one.
 */
export interface ChangedOrder extends OrderDetails {
  /** Tells the kinds of orders apart. */
  readonly status: "changed"
  /** The payment of the order. */
  readonly paymentId?: number
  /** The status of the order with its payment. */
  readonly present: Exclude<Order, ChangedOrder>
  /** The amount of that payment, in minor units. */
  readonly amount: number
  /** Its currency. */
  readonly currency: Currency
}

/** An order whose payment is being created, or may exist. */
export interface UncertainOrder extends OrderDetails {
  /**
   * - `pending`: a payment is being created. Ask again with `checkout`.
   * - `inDoubt`: a payment with a stored card was sent, or may have been, and it is not known whether it was taken; or
   *   one was paid that the ledger does not have, for example after a backup was restored. No other payment is created.
   *   See `listAttention`.
   * - `withdrawn`: `withdrawOrder` was called before the payment was known.
   */
  readonly status: "pending" | "inDoubt" | "withdrawn"
  /** The payment that was paid and that the ledger does not know; absent otherwise. */
  readonly paymentId?: number
}

/** The status of one payment, with its amounts. */
export interface MovedPayment extends PaymentAmounts {
  /** The payment's id at the gateway. */
  readonly paymentId: number
  /** For a charge of a recurrence: its first payment. */
  readonly parentId?: number
  /** The status of the payment. Statuses between the last report and this one may have been skipped. */
  readonly status: PaidOrder["status"] | "closed"
  /** Whether this corrects what was reported before: a refund that was listed has failed since. */
  readonly correction: boolean
}

/**
 * An order whose status has changed, or for which money has come or gone. `status`, the amounts and `order.paymentId`
 * are the order's, so you can store them under its number, whichever of its payments has moved; `payment` and `moved`
 * are the payment that was read.
 *
 * The status comes from the payment that was first reported to have its money, until none of it is left, and then from
 * another one with money. Money that comes after the order was refunded leaves it `refunded`, unless the shop has
 * requested that payment since. The order is `closed` only if no other payment of it can be paid; but a hold that is
 * released is reported at once.
 */
export interface PaymentEvent<out Tx> extends Pick<ChangeEvent<Tx>, "tx" | "eventId">, PaymentAmounts {
  /** The order, and the payment that decides its status. */
  readonly order: Pick<PaidOrder, "orderNumber" | "reference"> & {
    /** The payment that decides the order's status: not always the one that has moved. */
    readonly paymentId: number
    /** For a charge of a recurrence with an order number of its own: its first payment. */
    readonly parentId?: number
    /** The requested amount of that payment, in minor units. */
    readonly amount: number
    /** The requested currency. */
    readonly currency: Currency
    /** The group of payments that it belongs to, if `checkout` was given one. */
    readonly group?: PaymentGroup
  }
  /** The status of the order. */
  readonly status: PaidOrder["status"] | "closed"
  /**
   * Whether an earlier report about the order has proved wrong: a listed refund has failed, so less is refunded than
   * reported.
   */
  readonly correction: boolean
  /** For a correction: the earlier report about the order. */
  readonly before?: Pick<PaymentEvent<Tx>, "status" | "refunded">
  /** The payment that has moved, as it was just read. */
  readonly payment: PaymentResponse
  /**
   * The status of that payment. Its money may belong to another payment than the one that decides the order's status.
   */
  readonly moved: MovedPayment
  /** Whether it needs an operator: do not deliver twice. */
  readonly attention?: "PaidTwice" | "PaidLate"
}

/**
 * A possible result of `onPayment`: money has come, but the order cannot take it, for example because the goods were
 * sold meanwhile. The payment still moves, and an operator is notified with this text (`Unfulfillable`). Any other
 * result is ignored.
 */
export interface PaymentAnswer {
  /** Why the order cannot take the money, for an operator. */
  readonly attention: string
}
