/**
 * The outcomes of a change in a ledger.
 */

/**
 * The outcome of a change; tell the kinds apart by `_tag`. `Done`, `Refused` and `Failed` are decided. They change only
 * if the gateway later says otherwise; `onChange` is then called with a correction.
 */
export type ChangeOutcome = Done | Refused | Failed | Pending | InDoubt

/** Members of every outcome. */
interface OutcomeDetails<out Tag extends string> {
  /** The name of the outcome. */
  readonly _tag: Tag
  /** The key of the change. */
  readonly key: string
  /** The payment that it changes. */
  readonly paymentId: number
  /** The outcome in words. */
  readonly message: string
}

/** The change was made. */
export interface Done extends OutcomeDetails<"Done"> {
  /**
   * - `answered`: the gateway said so.
   * - `found`: a read proved it: its response was lost, or it is a charge, whose payment shows it.
   * - `stateReached`: the payment is as requested; whether this change did it is unknown.
   * - `operator`: an operator decided so.
   */
  readonly how: "answered" | "found" | "stateReached" | "operator"
  /** For a refund: its id at the gateway, once its entry is recognised in the list of refunds. */
  readonly refundId?: number
  /** For a charge: the payment that it made. Refund that one. */
  readonly chargeId?: number
  /** The time of the decision, ISO 8601. */
  readonly decidedAt: string
}

/** The change was not made and will not be. To try again, use a new key. */
export interface Refused extends OutcomeDetails<"Refused">, Pick<Done, "decidedAt"> {
  /**
   * - `answered`: the gateway refused it, or it can never be sent.
   * - `found`: a read proved that it did not happen and cannot any more, or that it failed after it was accepted.
   * - `operator`: an operator decided so.
   */
  readonly how: "answered" | "found" | "operator"
  /** The gateway's error code, when it gave one; see `ErrorCodes`. */
  readonly code?: number
  /** For a declined charge: the sub-state of its payment, if the gateway gave one; see `PaymentSubStates`. */
  readonly subState?: string
  /** For a declined charge: the payment that it made, which is closed. */
  readonly chargeId?: number
}

/**
 * The change was done and then undone by the gateway: a refund that was done or listed as done, and that failed later.
 * The payer does not have the money. Repeating the key does not send it again: to try again, use a new key.
 */
export interface Failed extends OutcomeDetails<"Failed"> {
  /** The id of the refund at the gateway. */
  readonly refundId?: number
  /** When the failure was found, ISO 8601. */
  readonly decidedAt: string
}

/** The change is in progress: no one needs to do anything. */
export interface Pending extends OutcomeDetails<"Pending"> {
  /**
   * - `queued`: not sent yet. An earlier change of the payment is undecided, or the gateway cannot be reached.
   * - `sending`: a process is sending it.
   * - `accepted`: the gateway has taken it and is not done, which may take days.
   */
  readonly status: "queued" | "sending" | "accepted"
}

/** The change was sent, or may have been, and it is unknown whether the gateway accepted it. Do not repeat it under another key. */
export interface InDoubt extends OutcomeDetails<"InDoubt"> {
  /** Whether an operator has to decide (`listAttention`, `resolveChange`). Until then the ledger keeps searching. */
  readonly needsOperator: boolean
  /** The version of the change, for `resolveChange`. */
  readonly version: number
}
