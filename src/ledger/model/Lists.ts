/**
 * What operators read of a ledger: lists, the history, whether it sends, and how much there is.
 */
import type { AttentionItem, AttentionKind } from "./Attention.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { ChangeEntry } from "./Change.js"
import type { PaymentAmounts, PaymentEvent } from "./Order.js"
import type { Subscription } from "./Subscription.js"

/** A page of a list, oldest first. */
export interface PageOptions {
  /** The `key` of the last item of the page before, of a subscription its `name`. Default: from the first one. */
  readonly after?: string | undefined
  /** The most to return, 1 to 10,000. Default: 500. */
  readonly limit?: number | undefined
}

/** What was asked for in a time. */
export interface CreatedOptions extends PageOptions {
  /** Only what was asked for at this time or later. */
  readonly createdFrom?: Date | string | undefined
  /** Only what was asked for before this time. */
  readonly createdBefore?: Date | string | undefined
}

/** The time of the books: orders with any event in it are listed whole, with those of which a change is not decided. */
export interface BookedOrdersOptions {
  /**
   * Only orders of which a payment was created or paid, or a change was submitted or decided, at this time or later. Money
   * is booked days after it was paid: begin some weeks before the statement does. Default: from the first order.
   */
  readonly from?: Date | string | undefined
  /**
   * Only those with such an event before this time: at most what `getRecordedUntil` gives, which is the next `from` of books
   * that are read some weeks at a time. Default: all that can be read now.
   */
  readonly to?: Date | string | undefined
}

/** Which changes to list: those that fit all that is given. */
export interface ListChangesOptions extends CreatedOptions {
  /** Only those of this payment. */
  readonly paymentId?: GatewayId | undefined
  /** Only those of this status. */
  readonly status?: ChangeEntry["status"] | undefined
  /** `true`: only those that are not decided. Default: all. */
  readonly isOpen?: boolean | undefined
}

/** Which subscriptions to list: those that fit all that is given, in the order in which they were made. */
export interface ListSubscriptionsOptions extends PageOptions {
  /** Only those of this status. */
  readonly status?: Subscription["status"] | undefined
}

/** Which payments of orders to list: those that fit all that is given. */
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

/** The payment of an order, as the ledger knows it. */
export interface PaymentEntry
  extends
    Pick<ChangeEntry, "attention" | "since">,
    PaymentAmounts,
    Pick<PaymentEvent<never>["order"], "orderNumber" | "parentId" | "amount" | "currency" | "group" | "reference"> {
  /** Its name in the ledger, as in `listAttention`. */
  readonly key: string
  /** The payment at the gateway; absent before it has an id. */
  readonly paymentId?: number
  /**
   * How far its creation is:
   * - `creating`: it is being created.
   * - `lost`: it may exist, and no one has its address.
   * - `inDoubt`: it may exist, and needs no payer.
   * - `created`: it exists.
   * - `unknown`: a ledger made it, and this one does not know it; or it is a charge that this one has not made, of a first
   *   payment that it does not know.
   */
  readonly status: "creating" | "lost" | "inDoubt" | "created" | "unknown"
  /** The state that the gateway said last; absent before the first read. */
  readonly state?: string
  /** What was last noted of it, in words; may be empty. */
  readonly message: string
  /** The version, for `resolvePayment`. */
  readonly version: number
  /** The time of the next check, ISO 8601; absent when there is none. */
  readonly nextAt?: string
}

/** A refund at the gateway that the ledger did not make. It stops no refund of the payment any more. */
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

/** A refund as the gateway lists it, and whose it is: a change's, an acknowledged one, or one of unknown origin. */
export interface ListedRefund {
  /** The payment. */
  readonly paymentId: number
  /** The id of the refund in the gateway's list. */
  readonly refundId: number
  /** Its amount in minor units. */
  readonly amount: number
  /** Its state, as the gateway writes it. */
  readonly state: string
  /** When it was asked for by the gateway's clock, ISO 8601; absent where the gateway does not say. */
  readonly requestedAt?: string
  /** The key of the refund of this ledger that it belongs to. */
  readonly key?: string
  /** The key of a refund in doubt that may have made it: same amount, and no other one's. */
  readonly mayBeOf?: string
  /** The name of whoever acknowledged it. */
  readonly acknowledgedBy?: string
}

/** The acknowledgement of a refund. */
export interface Acknowledgement {
  /** The name of the operator. */
  readonly by: string
  /** Why it was made, such as the complaint that it settles. */
  readonly note: string
}

/**
 * A movement of a statement, as far as charges are recognised by it: `StatementMovement` of `effect-gopay/statement` is one.
 */
export interface ChargeMovement {
  /** The order number, where the file has it. */
  readonly orderNumber?: string | undefined
  /** The payment at the gateway, where the file has it. */
  readonly paymentId?: number | undefined
}

/**
 * One step of a change, or of the payment of an order. A step is appended in the transaction that moves the row, and
 * never edited; `eraseDetails` erases the texts of old ones, and what is left of removed payments. A check that finds
 * nothing new is not a step.
 */
export interface HistoryEntry extends Pick<AttentionItem, "orderNumber"> {
  /** The number of the entry: it grows. */
  readonly id: number
  /** The time of the step by the database's clock, ISO 8601. */
  readonly at: string
  /** The key of the change, or the name of the order's payment as in `listAttention`. */
  readonly key: string
  /** The operation; `createPayment` for the payment of an order. */
  readonly operation: string
  /** The payment; absent before it has an id. */
  readonly paymentId?: number
  /** The amount that was asked for, in minor units; absent for a full capture and a release, and once erased. */
  readonly amount?: number
  /** The row's version after the step. */
  readonly version: number
  /**
   * How it stood from then on. A change: `queued`, `sending`, `refusing` (refused, and being checked),
   * `unknown`, `accepted`, `needsOperator`, `done`, `refused`, `failed`. A payment: `creating`, `created`, `lost`, `inDoubt`, `unknown`.
   */
  readonly status: string
  /** The state of the payment as the gateway said it. */
  readonly state?: string
  /** The sum of the payment's refunds as the gateway listed it, in minor units. */
  readonly refunded?: number
  /** The refund at the gateway, once it was recognised. */
  readonly refundId?: number
  /** The refunds that the gateway listed before this one was sent. */
  readonly refundsBefore?: ReadonlyArray<number>
  /** What the gateway said, what was read, or who decided what and why. */
  readonly message?: string
  /** The kinds of what needed an operator of it from then on; absent when nothing did. */
  readonly attention?: ReadonlyArray<AttentionKind>
  /** For a step that sends: the attempt, the name of what is sent. */
  readonly attempt?: string
  /** The process that did it; see `processName`. */
  readonly process?: string
}

/** Which part of the history to list. */
export interface HistoryOptions {
  /** Only entries after the one with this `id`. Default: from the first one. */
  readonly after?: number | undefined
  /** The most to return, 1 to 10,000. Default: 1,000. */
  readonly limit?: number | undefined
}

/** Whether a ledger sends what is due. */
export interface LedgerHealth {
  /** Whether changes and new payments are sent. Reads go on in a pause. */
  readonly isSending: boolean
  /**
   * Why nothing is sent; absent when `isSending`:
   *
   * - `Paused`: `pause()` was called.
   * - `GatewayAway`: the gateway answered no read, of several that were tried, or not to several changes of one operation (see
   *   `message`). They go on by themselves when it does.
   * - `CredentialsRefused`: the gateway refuses the credentials, or something before it refuses the requests (401, 403). They
   *   go on by themselves when it does not.
   * - `AnotherDatabase`: the database is a copy or a restored backup. Run `distrust`.
   * - `OtherInstallation`: the database belongs to another installation than the configured one.
   * - `NewerRelease`: the tables belong to a newer release.
   * - `OldTables`, `NoTables`: `migrate()` has not been run.
   * - `NoRow`: the ledger's own row was deleted.
   * - `Standby`: the database takes no writes.
   * - `UnsafeStore`: the store must not be used until the process restarts. Two SQLite libraries of the process have the file open.
   */
  readonly reason?:
    | "Paused"
    | "GatewayAway"
    | "CredentialsRefused"
    | "AnotherDatabase"
    | "OtherInstallation"
    | "NewerRelease"
    | "OldTables"
    | "NoTables"
    | "NoRow"
    | "Standby"
    | "UnsafeStore"
  /** The time since when nothing is sent, ISO 8601, where it is known. */
  readonly since?: string
  /** The state and the next step, in a sentence. */
  readonly message: string
  /**
   * PostgreSQL: `PUBLIC`, `anon` or `authenticated` has rights on the ledger's tables. Everyone with the public key of a site
   * on Supabase has the last two roles, and could insert a refund that is then sent. Absent where none of the three has any.
   */
  readonly exposure?: {
    /** Which of the three. */
    readonly roles: ReadonlyArray<string>
    /** What that means, and the next step. */
    readonly message: string
  }
  /** PostgreSQL: the other roles that were granted rights on the tables, beside their owner. Absent where there are none. */
  readonly grantees?: ReadonlyArray<string>
}

/** How much there is in a ledger, and how long it has waited: for metrics, and for one health check. */
export interface LedgerMetrics {
  /** Changes by their status, as `getChange` says it. */
  readonly changes: Readonly<Record<string, number>>
  /** Payments of orders by how far their creation is: `creating`, `created`, `lost`, `inDoubt`, `unknown`. */
  readonly payments: Readonly<Record<string, number>>
  /** How many steps and checks are due. */
  readonly due: number
  /** In milliseconds: how long the oldest of them has waited. Minutes mean that no worker runs, or not enough. */
  readonly oldestDueMillis: number
  /** How many items need an operator: see `listAttention`. */
  readonly attention: number
  /** How many outcomes wait for `onChange`. */
  readonly unreported: number
  /** When a worker ran last, ISO 8601, to the minute; absent when none ever did. */
  readonly lastTick?: string
}

/** A merchant whose rows are in the database of a ledger. */
export interface LedgerMerchant extends Pick<LedgerMetrics, "attention"> {
  /** The address of the merchant's gateway. */
  readonly gateway: string
  /** The merchant's identifier. */
  readonly goid: string
  /** Whether it is the merchant of this ledger: a ledger shows no rows of others. */
  readonly isOwn: boolean
  /** How many changes are not decided. */
  readonly openChanges: number
}
