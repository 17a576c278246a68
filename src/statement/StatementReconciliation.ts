/**
 * What statements prove of a shop's books.
 */
import type { BankTransfer } from "./AboStatement.js"
import type { DoubtfulChange } from "./BookedOrder.js"
import type { StatementMovement } from "./ParsedStatement.js"

/** A payment or refund that the shop's books have, and that a statement should have. */
export interface ExpectedMovement {
  /** Money in or money out. */
  readonly _tag: "Payment" | "Refund"
  /** The order's number. */
  readonly orderNumber: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** An integer in minor units; negative for a refund. */
  readonly amount: number
  /** Whether a movement of less is the expected one, too; absent where it is not. */
  readonly isUpperBound?: true
  /** The payment's id, if the shop has recorded it. */
  readonly paymentId?: number
  /** The refund's id, if the shop has recorded it. */
  readonly refundId?: number
  /** The day of the payment or refund in the shop's books, `yyyy-mm-dd`. */
  readonly day?: string
}

/** A movement and the payment or refund that it books. */
export interface MatchedMovement {
  /** In the shop's books. */
  readonly expected: ExpectedMovement
  /** On the statement. */
  readonly movement: StatementMovement
  /** What they were matched by, with currency and kind. `amountAndDay` is the weakest: no other was near. */
  readonly by: "paymentId" | "orderNumber" | "amountAndDay"
}

/**
 * A movement that is in no one's books.
 *
 * - `NotCountedAsPaid`: the shop has the payment and does not count it as paid. A transfer may have come late.
 * - `FailedRefund`: the shop has recorded the refund as failed.
 * - `Surplus`: the order's payments or refunds of this amount have been matched already.
 * - `UnknownOrder`: the shop has no such order, or no payment or refund of it that fits.
 */
export interface ForeignMovement {
  /** The kind of find. */
  readonly _tag: "NotCountedAsPaid" | "FailedRefund" | "Surplus" | "UnknownOrder"
  /** On the statement. */
  readonly movement: StatementMovement
  /** The order in the shop's books, if there is one with its number. */
  readonly orderNumber?: string
  /** The payment that it probably books. */
  readonly paymentId?: number
}

/**
 * A movement that proves a change of unknown outcome to have been done, unless it is ambiguous. Decide the change by it; nothing
 * is repaired here.
 */
export interface OutcomeEvidence {
  /** The change in doubt. */
  readonly change: DoubtfulChange
  /** The order that it belongs to. */
  readonly orderNumber: string
  /** On the statement. */
  readonly movement: StatementMovement
  /**
   * Present where the order has more movements of this kind and amount than changes in doubt, or fewer: then it proves nothing
   * of this change. Compare ids and times in GoPay's administration.
   */
  readonly isAmbiguous?: true
}

/** A movement with another amount than the shop's books have. */
export interface DifferentAmount {
  /** In the shop's books. */
  readonly expected: ExpectedMovement
  /** On the statement. */
  readonly movement: StatementMovement
  /** The statement's amount less the expected one, in minor units. */
  readonly difference: number
}

/** Movements that fit several payments or refunds, and nothing tells which. */
export interface AmbiguousMovements {
  /** On the statement. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** In the shop's books. */
  readonly candidates: ReadonlyArray<ExpectedMovement>
  /** Whether both come to the same sum, so that no money is missing. */
  readonly isBalanced: boolean
}

/** A payment of which shop and gateway say different things. */
export interface GatewayDifference {
  /** What differs. `UnknownPayment`: the gateway has it as paid, and the shop does not have it at all. */
  readonly _tag: "Paid" | "Amount" | "Refunded" | "UnknownPayment"
  /** The payment's id. */
  readonly paymentId: number
  /** The order's number. */
  readonly orderNumber: string
  /** What the shop says: an amount in minor units, or whether it is paid. */
  readonly shop: number | boolean
  /** What the gateway says. */
  readonly gateway: number | boolean
}

/**
 * Files that contradict each other.
 *
 * - `Gap`: the balance at the end of one file is not that at the beginning of the next. A file is missing between them.
 * - `OtherAmount`: one movement has different amounts in two files.
 * - `OnlyInClearing`: a clearing file has a movement that the statement of its day does not have.
 */
export interface FileContradiction {
  /** The kind of contradiction. */
  readonly _tag: "Gap" | "OtherAmount" | "OnlyInClearing"
  /** The days between which it is, or the day of the movement, `yyyy-mm-dd`. */
  readonly from: string
  /** The same day, but for a gap. */
  readonly to: string
  /** By how much they differ. An integer in minor units. */
  readonly difference: number
  /** The movement, but for a gap. */
  readonly movement?: StatementMovement
}

/**
 * What the shop's bank received of a clearing.
 *
 * - `complete`: the transfers come to it.
 * - `open`: a part has arrived, or nothing yet, and the bank's statements do not go on past its time. It is not wrong.
 * - `late`: the rest should have arrived by `through`.
 * - `differs`: more arrived, or three transfers that do not come to it. GoPay sends three at most.
 */
export interface ReceivedClearing {
  /** How it stands. */
  readonly state: "complete" | "open" | "late" | "differs"
  /** What arrived. An integer in minor units. */
  readonly amount: number
  /** What is to arrive yet. Negative where more arrived. */
  readonly outstanding: number
  /** By their variable symbol, the oldest first. */
  readonly transfers: ReadonlyArray<BankTransfer>
}

/**
 * One clearing: what GoPay paid out, what it kept, and what it was for. Amounts are integers in minor units, 0 or more:
 * `carried + gross - refunds - refundFees - fees + creditNotes + others = transfer` when it is explained; less `notSent`
 * where it was paid as `sent`, and less `outstanding` where a part is to come.
 */
export interface ClearingExplanation {
  /**
   * The clearing's number, the variable symbol of the bank's transfer. Where the file has none, the movement's id or
   * its day.
   */
  readonly number: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** The sum of the payouts: what the bank received. */
  readonly transfer: number
  /** Fees of the clearing, and of payments within it, external ones among them. */
  readonly fees: number
  /** The part of `fees` that the clearing's file calls external. 0 without a file. */
  readonly externalFees: number
  /** The sum of its payments. */
  readonly gross: number
  /** The sum of its refunds. */
  readonly refunds: number
  /** The sum of the fees of refunds. */
  readonly refundFees: number
  /** Fees returned. */
  readonly creditNotes: number
  /** Top-ups, unmatched transfers and other movements. May be negative. */
  readonly others: number
  /** What was on the account before the first statement began. May be negative. */
  readonly carried: number
  /**
   * What explains the transfer: `file`, the clearing's own file; `cutOff`, all that was booked up to the day in
   * `through`, which comes to the transfer exactly; or `no`.
   */
  readonly explainedBy: "file" | "cutOff" | "no"
  /** The last day of its movements, `yyyy-mm-dd`. */
  readonly through?: string
  /** Which sum of the clearing's file the payouts, or the bank's transfers, come to. */
  readonly paidAs?: "transfer" | "sent"
  /** Transferred and not sent: by how much the two sums of the file differ. Nothing explains it: ask GoPay. */
  readonly notSent?: number
  /** What is still to be paid out, where the statements have a part of it and end before the rest was due. */
  readonly outstanding?: number
  /** What the shop's bank received of it, where bank statements of its days were given. */
  readonly received?: ReceivedClearing
  /** The payouts of the statements less the clearing file's transfer, where both are there and differ. */
  readonly difference?: number
  /** The movements that it pays out, once explained. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** The payouts, one or more. None if they are on a later statement. */
  readonly payouts: ReadonlyArray<StatementMovement>
}

/**
 * What statements prove of a shop's books. Every payment and refund of the books is in one of `matched`,
 * `differentAmounts`, `ambiguous`, `missing`, `notYetDue` and `notCovered`; every movement of a payment or refund is in
 * one of `evidence`, `foreign`, `differentAmounts`, `ambiguous` and `matched`.
 */
export interface StatementReconciliation {
  /** Whether all that is due agrees: everything that needs an operator is empty. */
  readonly agrees: boolean
  /** Changes of unknown outcome that were done. Read these first. */
  readonly evidence: ReadonlyArray<OutcomeEvidence>
  /** On a statement and in no one's books. */
  readonly foreign: ReadonlyArray<ForeignMovement>
  /** In the books, due, and on no statement. */
  readonly missing: ReadonlyArray<ExpectedMovement>
  /** On a statement with another amount. */
  readonly differentAmounts: ReadonlyArray<DifferentAmount>
  /** Several fit. */
  readonly ambiguous: ReadonlyArray<AmbiguousMovements>
  /** Payments of which shop and gateway say different things. */
  readonly gatewayDifferences: ReadonlyArray<GatewayDifference>
  /** Files that contradict each other. */
  readonly contradictions: ReadonlyArray<FileContradiction>
  /** Unmatched transfers, holds, and movements of an unknown type. */
  readonly toCheck: ReadonlyArray<StatementMovement>
  /** In the books and on a statement. */
  readonly matched: ReadonlyArray<MatchedMovement>
  /** In the books, and perhaps on the next statement. */
  readonly notYetDue: ReadonlyArray<ExpectedMovement>
  /** In the books, on a day or in a currency of which no statement was given. */
  readonly notCovered: ReadonlyArray<ExpectedMovement>
  /** What was paid out, and of what. */
  readonly clearings: ReadonlyArray<ClearingExplanation>
  /** Transfers from GoPay to the shop's bank that are of no clearing. Empty without bank statements. */
  readonly unexplainedTransfers: ReadonlyArray<BankTransfer>
  /** Money that the shop added to its account. */
  readonly topUps: ReadonlyArray<StatementMovement>
  /** Fees that no clearing has, by its number or its file. */
  readonly fees: ReadonlyArray<StatementMovement>
  /** All movements of the statements, each once, the oldest first. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** Movements that several files have, counted once. */
  readonly repeated: number
}
