/**
 * What operators read from a ledger: lists, the history, its health, and its metrics.
 */
import type { AttentionItem, AttentionKind } from "./Attention.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { ChangeEntry } from "./Change.js"
import type { PaymentAmounts, PaymentEvent } from "./Order.js"
import type { Subscription } from "./Subscription.js"

/** A page of a list, oldest first. */
export interface PageOptions {
  /** The `key` of the last item of the page before; for a subscription, its `name`. Default: from the first one. */
  readonly after?: string | undefined
  /** The most to return, 1 to 10,000. Default: 500. */
  readonly limit?: number | undefined
}

/** A period of requests. */
export interface CreatedOptions extends PageOptions {
  /** Only what was requested at this time or later. */
  readonly createdFrom?: Date | string | undefined
  /** Only what was requested before this time. */
  readonly createdBefore?: Date | string | undefined
}

/** The period of the books. An order with an event in it is listed whole; so is one with an undecided change. */
export interface BookedOrdersOptions {
  /**
   * Only orders of which a payment was created or paid, or a change was submitted or decided, at this time or later.
   * Money is booked days after it was paid, so begin some weeks before the statement. Default: from the first order.
   */
  readonly from?: Date | string | undefined
  /**
   * Only orders with such an event before this time: at most the result of `getRecordedUntil`, which is the next `from`
   * if the books are read some weeks at a time. Default: everything that can be read now.
   */
  readonly to?: Date | string | undefined
}

/** Which changes to list: those that meet all given conditions. */
export interface ListChangesOptions extends CreatedOptions {
  /** Only changes of this payment, or of these payments: at most 1,000. */
  readonly paymentId?: GatewayId | ReadonlyArray<GatewayId> | undefined
  /** Only changes with this status. */
  readonly status?: ChangeEntry["status"] | undefined
  /** `true`: only undecided changes. Default: all. */
  readonly isOpen?: boolean | undefined
}

/** Which subscriptions to list: those that meet all given conditions, in the order in which they were created. */
export interface ListSubscriptionsOptions extends PageOptions {
  /** Only subscriptions with this status. */
  readonly status?: Subscription["status"] | undefined
}

/** Which payments of orders to list: those that meet all given conditions. */
export interface ListPaymentsOptions extends CreatedOptions {
  /** Only payments of this order. */
  readonly orderNumber?: string | undefined
  /** Only this payment, or these payments: at most 1,000. */
  readonly paymentId?: GatewayId | ReadonlyArray<GatewayId> | undefined
  /** Only payments of this group. */
  readonly group?: string | undefined
  /** Only payments whose creation has this status. */
  readonly status?: PaymentEntry["status"] | undefined
  /** Only payments in this state at the gateway, such as `PAID`. */
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
   * - `unknown`: a ledger made it, and this one does not know it; or it is a charge that this one has not made, of a
   *   first payment that it does not know.
   */
  readonly status: "creating" | "lost" | "inDoubt" | "created" | "unknown"
  /** The last state that the gateway has reported; absent before the first read. */
  readonly state?: string
  /** The last message about it; may be empty. */
  readonly message: string
  /** The version, for `resolvePayment`. */
  readonly version: number
  /** The time of the next check, ISO 8601; absent if there is none. */
  readonly nextAt?: string
}

/**
 * An acknowledged refund, which the gateway lists and the ledger did not make. It no longer stops refunds of the
 * payment.
 */
export interface AcknowledgedRefund {
  /** The payment's id at the gateway. */
  readonly paymentId: number
  /** The id of the refund in the gateway's list. */
  readonly refundId: number
  /** Its amount in minor units. */
  readonly amount: number
  /**
   * The name of the operator who acknowledged it; `adoptPayment` for a refund that the payment had when it was adopted.
   */
  readonly acknowledgedBy: string
  /** The evidence, in a sentence. */
  readonly note: string
  /** The time of the acknowledgement, ISO 8601. */
  readonly acknowledgedAt: string
}

/** A refund as the gateway lists it, and what it belongs to: a change, an acknowledgement, or neither. */
export interface ListedRefund {
  /** The payment's id at the gateway. */
  readonly paymentId: number
  /** The id of the refund in the gateway's list. */
  readonly refundId: number
  /** Its amount in minor units. */
  readonly amount: number
  /** Its state, as the gateway writes it. */
  readonly state: string
  /** When it was requested, by the gateway's clock, ISO 8601; absent if the gateway does not say. */
  readonly requestedAt?: string
  /** The key of the refund of this ledger that it belongs to. */
  readonly key?: string
  /** The key of a refund in doubt that may have made it: it has the same amount, and belongs to no other change. */
  readonly mayBeOf?: string
  /** The name of the operator who acknowledged it; empty once `eraseDetails` has erased it. */
  readonly acknowledgedBy?: string
  /** The name of the operator who would acknowledge it, until another one agrees; empty once it is erased. */
  readonly proposedBy?: string
}

/** The acknowledgement of a refund. */
export interface Acknowledgement {
  /** The name of the operator. */
  readonly by: string
  /** Why it was made, such as the complaint that it settles. */
  readonly note: string
}

/**
 * The part of a statement's movement by which charges are recognised: pass a `StatementMovement` of
 * `effect-gopay/statement`.
 */
export interface ChargeMovement {
  /** The order number, if the file has it. */
  readonly orderNumber?: string | undefined
  /** The payment at the gateway, if the file has it. */
  readonly paymentId?: number | undefined
}

/**
 * One step of a change, or of the payment of an order. A step is appended in the transaction that moves the row, and
 * never edited; `eraseDetails` erases the texts of old ones, and what is left of removed payments. A check that finds
 * nothing new is not a step.
 */
export interface HistoryEntry extends Pick<AttentionItem, "orderNumber"> {
  /** The number of the entry. It increases. */
  readonly id: number
  /** The time of the step by the database's clock, ISO 8601. */
  readonly at: string
  /** The key of the change, or the name of the order's payment as in `listAttention`. */
  readonly key: string
  /** The operation; `createPayment` for the payment of an order. */
  readonly operation: string
  /** The payment; absent before it has an id. */
  readonly paymentId?: number
  /** The requested amount, in minor units; absent for a full capture and a release, and once erased. */
  readonly amount?: number
  /** The row's version after the step. */
  readonly version: number
  /**
   * The status after the step. Of a change: `queued`, `sending`, `refusing` (refused, and being checked), `unknown`,
   * `accepted`, `needsOperator`, `done`, `refused`, `failed`. Of a payment: `creating`, `created`, `lost`, `inDoubt`,
   * `unknown`.
   */
  readonly status: string
  /** The state of the payment at the gateway. */
  readonly state?: string
  /** The sum of the payment's refunds in the gateway's list, in minor units. */
  readonly refunded?: number
  /** The refund at the gateway, once it was recognised. */
  readonly refundId?: number
  /** The refunds that the gateway listed before this one was sent. */
  readonly refundsBefore?: ReadonlyArray<number>
  /** What the gateway said, what was read, or an operator's decision and its reason. */
  readonly message?: string
  /** The kinds of open items after the step; absent if there were none. */
  readonly attention?: ReadonlyArray<AttentionKind>
  /** For a step that sends: the random name of the attempt. */
  readonly attempt?: string
  /** The process that made the step; see `processName`. */
  readonly process?: string
}

/** Which part of the history to list. */
export interface HistoryOptions {
  /** Only entries after the one with this `id`. Default: from the first one. */
  readonly after?: number | undefined
  /** The most to return, 1 to 10,000. Default: 1,000. */
  readonly limit?: number | undefined
}

/** Whether a ledger sends, and if not, why. */
export interface LedgerHealth {
  /** Whether changes and new payments are sent. Reads continue during a pause. */
  readonly isSending: boolean
  /**
   * Why nothing is sent; absent when `isSending`:
   *
   * - `Paused`: `pause()` was called.
   * - `GatewayAway`: the gateway answered none of several reads, or none of several changes of one operation (see
   *   `message`). Sending resumes by itself when it answers.
   * - `CredentialsRefused`: the gateway refuses the credentials, or something before it refuses the requests (401, 403).
   *   Sending resumes by itself when they are accepted.
   * - `AnotherDatabase`: the database is a copy or a restored backup. Run `distrust`.
   * - `OtherInstallation`: the database belongs to another installation than the configured one.
   * - `NewerRelease`: the tables belong to a newer release.
   * - `OldTables`, `NoTables`: `migrate()` has not been run.
   * - `NoRow`: the ledger's own row was deleted.
   * - `Standby`: the database takes no writes.
   * - `UnsafeStore`: the store must not be used until the process restarts. Two SQLite libraries of the process have the
   *   file open.
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
  /** Since when nothing has been sent, ISO 8601, if known. */
  readonly since?: string
  /** The state and the next step, in a sentence. */
  readonly message: string
  /**
   * PostgreSQL: `PUBLIC`, `anon` or `authenticated` has rights on the ledger's tables. On Supabase, everyone who has
   * the public key of the site has the last two roles, and could insert a refund that is then sent. Absent if none of
   * the three has rights.
   */
  readonly exposure?: {
    /** Which of the three. */
    readonly roles: ReadonlyArray<string>
    /** What this means, and the next step. */
    readonly message: string
  }
  /** PostgreSQL: other roles that were granted rights on the tables, besides the owner. Absent if there are none. */
  readonly grantees?: ReadonlyArray<string>
}

/** The counts of a ledger's rows, and how long they have waited, for metrics and for a health check. */
export interface LedgerMetrics {
  /** The number of changes by status; the statuses are those of `getChange`. */
  readonly changes: Readonly<Record<string, number>>
  /**
   * The number of orders' payments by the status of their creation: `creating`, `created`, `lost`, `inDoubt`,
   * `unknown`.
   */
  readonly payments: Readonly<Record<string, number>>
  /** How many steps and checks are due. */
  readonly due: number
  /** In milliseconds: how long the oldest of them has waited. Minutes mean that no worker runs, or too few. */
  readonly oldestDueMillis: number
  /** How many items need an operator: see `listAttention`. */
  readonly attention: number
  /** How many outcomes wait for `onChange`. */
  readonly unreported: number
  /** When a worker last ran, ISO 8601, to the minute; absent if none ever has. */
  readonly lastTick?: string
}

/** A merchant whose rows are in the database of a ledger. */
export interface LedgerMerchant extends Pick<LedgerMetrics, "attention"> {
  /** The address of the merchant's gateway. */
  readonly gateway: string
  /** The merchant's identifier. */
  readonly goid: string
  /** Whether it is the merchant of this ledger. A ledger shows no rows of other merchants. */
  readonly isOwn: boolean
  /** How many changes are undecided. */
  readonly openChanges: number
}
