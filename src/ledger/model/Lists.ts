/**
 * Lists of what is in a ledger.
 */
import type { Currency } from "../../contract/CodeLists.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { ChangeEntry } from "./Change.js"
import type { PaymentGroup } from "./Order.js"
import type { Subscription } from "./Subscription.js"

/**
 * A page of a list, oldest first.
 *
 * @category ledger
 */
export interface PageOptions {
  /** The `key` of the last item of the page before, of a subscription its `name`. Default: from the first one. */
  readonly after?: string | undefined
  /** The most to return, 1 to 10,000. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * What was asked for in a time.
 *
 * @category ledger
 */
export interface CreatedOptions extends PageOptions {
  /** Only what was asked for at this time or later. */
  readonly createdFrom?: Date | string | undefined
  /** Only what was asked for before this time. */
  readonly createdBefore?: Date | string | undefined
}

/**
 * The time of the books: orders with any event in it are listed whole, with those of which a change is not decided.
 *
 * @category ledger
 */
export interface BookedOrdersOptions {
  /**
   * Only orders of which a payment was created or paid, or a change was submitted or decided, at this time or later. Money
   * is booked days after it was paid: begin some weeks before the statement does. Default: from the first order.
   */
  readonly from?: Date | string | undefined
  /** Only those with such an event before this time. Default: now. */
  readonly to?: Date | string | undefined
}

/**
 * Which changes to list: those that fit all that is given.
 *
 * @category ledger
 */
export interface ListChangesOptions extends CreatedOptions {
  /** Only those of this payment. */
  readonly paymentId?: GatewayId | undefined
  /** Only those of this status. */
  readonly status?: ChangeEntry["status"] | undefined
  /** `true`: only those that are not decided. Default: all. */
  readonly isOpen?: boolean | undefined
}

/**
 * Which subscriptions to list: those that fit all that is given, in the order in which they were made.
 *
 * @category ledger
 */
export interface ListSubscriptionsOptions extends PageOptions {
  /** Only those of this status. */
  readonly status?: Subscription["status"] | undefined
}

/**
 * Which payments of orders to list: those that fit all that is given.
 *
 * @category ledger
 */
export interface ListPaymentsOptions extends CreatedOptions {
  /** Only those of this order. */
  readonly orderNumber?: string | undefined
  /** Only this payment. */
  readonly paymentId?: GatewayId | undefined
  /** Only those of this group. */
  readonly group?: string | undefined
  /** Only those whose creation is so far. */
  readonly status?: PaymentEntry["status"] | undefined
  /** Only those in this state of the gateway's, such as `PAID`. */
  readonly state?: string | undefined
}

/**
 * The payment of an order, as the ledger knows it.
 *
 * @category ledger
 */
export interface PaymentEntry extends Pick<ChangeEntry, "attention" | "since"> {
  /** Its name in the ledger, as in `listAttention`. */
  readonly key: string
  /** The number of the order. */
  readonly orderNumber: string
  /** The payment at the gateway; absent before it has an id. */
  readonly paymentId?: number
  /** For a charge of a recurrence: its first payment. */
  readonly parentId?: number
  /**
   * How far its creation is:
   * - `creating`: it is being created.
   * - `lost`: it may exist, and no one has its address.
   * - `inDoubt`: it may exist, and needs no payer.
   * - `created`: it exists.
   * - `unknown`: a ledger made it, and this one does not know it.
   */
  readonly status: "creating" | "lost" | "inDoubt" | "created" | "unknown"
  /** The state that the gateway said last; absent before the first read. */
  readonly state?: string
  /** The amount in minor units. */
  readonly amount: number
  /** The currency. */
  readonly currency: Currency
  /** The sum of the refunds that have not failed, in minor units. */
  readonly refunded: number
  /** The group of payments that it belongs to. */
  readonly group?: PaymentGroup
  /** The shop's own words. */
  readonly reference?: string
  /** What was last noted of it, in words; may be empty. */
  readonly message: string
  /** The version, for `resolvePayment`. */
  readonly version: number
  /** The time of the next check, ISO 8601; absent when there is none. */
  readonly nextAt?: string
}

/**
 * A refund at the gateway that the ledger did not make. It stops no refund of the payment any more.
 *
 * @category ledger
 */
export interface AcknowledgedRefund {
  /** The payment. */
  readonly paymentId: number
  /** The id of the refund in the gateway's list. */
  readonly refundId: number
  /** Its amount in minor units. */
  readonly amount: number
  /** The name of whoever acknowledged it; `adoptPayment` for one that was there when the payment was adopted. */
  readonly acknowledgedBy: string
  /** The evidence, in a sentence. */
  readonly note: string
  /** The time of the acknowledgement, ISO 8601. */
  readonly acknowledgedAt: string
}

/**
 * The acknowledgement of a refund.
 *
 * @category ledger
 */
export interface Acknowledgement {
  /** The name of the operator. */
  readonly by: string
  /** Why it was made, such as the complaint that it settles. */
  readonly note: string
}

/**
 * A movement of a statement, as far as charges are recognised by it: `StatementMovement` of `effect-gopay/statement` is one.
 *
 * @category ledger
 */
export interface ChargeMovement {
  /** The order number, where the file has it. */
  readonly orderNumber?: string | undefined
  /** The payment at the gateway, where the file has it. */
  readonly paymentId?: number | undefined
}
