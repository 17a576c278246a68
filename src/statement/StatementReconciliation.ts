/**
 * What statements prove about a shop's books.
 */
import type { BankTransfer } from "./AboStatement.js"
import type { DoubtfulChange } from "./BookedOrder.js"
import type { StatementMovement } from "./ParsedStatement.js"

/** A payment or refund in the shop's books that should be on a statement. */
export interface ExpectedMovement {
  /** Money in or money out. */
  readonly _tag: "Payment" | "Refund"
  /** The order's number. */
  readonly orderNumber: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** An integer in minor units; negative for a refund. */
  readonly amount: number
  /** Whether a smaller movement matches as well; absent if not. */
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
  /** How they were matched, besides currency and kind. `amountAndDay` is the weakest: no other one was near. */
  readonly by: "paymentId" | "orderNumber" | "amountAndDay"
}

/**
 * A movement that is not in the books.
 *
 * - `NotCountedAsPaid`: the shop has the payment and does not count it as paid. A transfer may have come late.
 * - `FailedRefund`: the shop has recorded the refund as failed.
 * - `Surplus`: the order's payments or refunds of this amount have been matched already.
 * - `UnknownOrder`: the shop has no such order, or no payment or refund of it that fits.
 */
export interface ForeignMovement {
  /** The kind of finding. */
  readonly _tag: "NotCountedAsPaid" | "FailedRefund" | "Surplus" | "UnknownOrder"
  /** On the statement. */
  readonly movement: StatementMovement
  /** The order in the shop's books, if there is one with its number. */
  readonly orderNumber?: string
  /** The payment that it probably books. */
  readonly paymentId?: number
}

/**
 * A movement that proves that a change of unknown outcome was carried out, unless it is ambiguous. Decide the change
 * accordingly; nothing is repaired here.
 */
export interface OutcomeEvidence {
  /** The change in doubt. */
  readonly change: DoubtfulChange
  /** The order that it belongs to. */
  readonly orderNumber: string
  /** On the statement. */
  readonly movement: StatementMovement
  /**
   * Present if the order has more or fewer movements of this kind and amount than changes in doubt: then it proves
   * nothing about this change. Compare ids and times in GoPay's administration.
   */
  readonly isAmbiguous?: true
}

/** A movement with another amount than the shop's books have. */
export interface DifferentAmount {
  /** In the shop's books. */
  readonly expected: ExpectedMovement
  /** On the statement. */
  readonly movement: StatementMovement
  /** The statement's amount minus the expected one, in minor units. */
  readonly difference: number
}

/** Movements that match several payments or refunds, so that it is unknown which. */
export interface AmbiguousMovements {
  /** On the statement. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** In the shop's books. */
  readonly candidates: ReadonlyArray<ExpectedMovement>
  /** Whether both sides have the same sum, so that no money is missing. */
  readonly isBalanced: boolean
}

/** A payment about which the shop and the gateway disagree. */
export interface GatewayDifference {
  /** What differs. `UnknownPayment`: the gateway has it as paid, and it is not in the shop's books. */
  readonly _tag: "Paid" | "Amount" | "Refunded" | "UnknownPayment"
  /** The payment's id. */
  readonly paymentId: number
  /** The order's number. */
  readonly orderNumber: string
  /** The shop's value: an amount in minor units, or whether it is paid. */
  readonly shop: number | boolean
  /** The gateway's value. */
  readonly gateway: number | boolean
}

/**
 * Files that contradict each other.
 *
 * - `TwoAccounts`: two files of the same days have different balances, or no movement of a day in common. They are of two
 *   accounts, so nothing in the result holds: read the files of each account alone.
 * - `Gap`: the closing balance of one file is not the opening balance of the next. A file is missing between them.
 * - `OtherAmount`: a movement has different amounts in two files.
 * - `OnlyInClearing`: a clearing file has a movement that the statement of its day does not have.
 */
export interface FileContradiction {
  /** The kind of contradiction. */
  readonly _tag: "TwoAccounts" | "Gap" | "OtherAmount" | "OnlyInClearing"
  /** The day before the gap; or the day of the movement, or of the balances, `yyyy-mm-dd`. */
  readonly from: string
  /** The day after the gap; otherwise the same day. */
  readonly to: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** The difference, an integer in minor units. For `TwoAccounts` that of the balances at the start of the day. */
  readonly difference: number
  /** The movement; absent for a gap and for two accounts. */
  readonly movement?: StatementMovement
  /** The positions of the two files in the list that was given; only for two accounts. */
  readonly files?: ReadonlyArray<number>
}

/**
 * What the shop's bank received for a clearing.
 *
 * - `complete`: the transfers add up to it.
 * - `open`: a part has arrived, or nothing yet, and the bank's statements end before it was due. Nothing is wrong.
 * - `late`: the rest should have arrived by `through`.
 * - `differs`: more arrived, or three transfers that do not add up to it. GoPay sends three at most.
 */
export interface ReceivedClearing {
  /** The result of the comparison. */
  readonly state: "complete" | "open" | "late" | "differs"
  /** The sum that has arrived, an integer in minor units. */
  readonly amount: number
  /** The sum that is still to arrive. Negative if too much has arrived. */
  readonly outstanding: number
  /** The transfers with its variable symbol, oldest first. */
  readonly transfers: ReadonlyArray<BankTransfer>
}

/**
 * One clearing: what GoPay paid out, what it kept, and for which movements. Amounts are integers in minor units, 0 or
 * more. If the clearing is explained, `carried + gross - refunds - refundFees - fees + creditNotes + others =
 * transfer`; minus `notSent` if it was paid as `sent`, and minus `outstanding` if a part is still to be paid out.
 */
export interface ClearingExplanation {
  /**
   * The clearing's number, which is the variable symbol of the bank's transfer. If the file has none, the movement's id
   * or its day.
   */
  readonly number: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** The sum of the payouts, which the bank received. */
  readonly transfer: number
  /** Fees of the clearing, and of payments in it, including external ones. */
  readonly fees: number
  /** The part of `fees` that the clearing's file calls external. 0 without such a file. */
  readonly externalFees: number
  /** The sum of its payments. */
  readonly gross: number
  /** The sum of its refunds. */
  readonly refunds: number
  /** The sum of the fees of refunds. */
  readonly refundFees: number
  /** Fees that were returned. */
  readonly creditNotes: number
  /** Top-ups, unmatched transfers and other movements. May be negative. */
  readonly others: number
  /** The balance of the account before the first statement began. May be negative. */
  readonly carried: number
  /**
   * What explains the transfer: `file`, the clearing's own file; `cutOff`, everything booked up to the day in
   * `through`, whose sum is exactly the transfer; or `no`.
   */
  readonly explainedBy: "file" | "cutOff" | "no"
  /** The last day of its movements, `yyyy-mm-dd`. */
  readonly through?: string
  /** Which sum of the clearing's file the payouts, or the bank's transfers, add up to. */
  readonly paidAs?: "transfer" | "sent"
  /** Transferred but not sent: the difference of the two sums in the file. Nothing explains it: ask GoPay. */
  readonly notSent?: number
  /** The sum still to be paid out, if the statements contain a part of it and end before the rest was due. */
  readonly outstanding?: number
  /** What the shop's bank received for it, if bank statements of those days were given. */
  readonly received?: ReceivedClearing
  /** The payouts of the statements minus the transfer in the clearing's file, if both exist and differ. */
  readonly difference?: number
  /** The movements that it pays out, if it is explained. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** The payouts, one or more; empty if they are on a later statement. */
  readonly payouts: ReadonlyArray<StatementMovement>
}

/** The days covered in one currency, `yyyy-mm-dd`. For a CSV file without a `period`, the days of its movements. */
export interface ReconciledDays {
  /** The ISO 4217 code. */
  readonly currency: string
  /** The first day of the statements. */
  readonly from: string
  /** The last day of the statements. */
  readonly to: string
  /** The last day whose payments and refunds must be on them. */
  readonly through: string
}

/**
 * What statements prove about a shop's books. Every payment and refund in the books is in one of `matched`,
 * `differentAmounts`, `ambiguous`, `missing`, `notYetDue` and `notCovered`; every movement of a payment or refund is in
 * one of `evidence`, `foreign`, `differentAmounts`, `ambiguous` and `matched`.
 */
export interface StatementReconciliation {
  /** Whether everything that is due agrees: no list that needs an operator has entries. */
  readonly agrees: boolean
  /** Changes of unknown outcome that were carried out. Read these first. */
  readonly evidence: ReadonlyArray<OutcomeEvidence>
  /** On a statement, but not in the books. */
  readonly foreign: ReadonlyArray<ForeignMovement>
  /** In the books and due, but on no statement. */
  readonly missing: ReadonlyArray<ExpectedMovement>
  /** On a statement with another amount. */
  readonly differentAmounts: ReadonlyArray<DifferentAmount>
  /** Several matches are possible. */
  readonly ambiguous: ReadonlyArray<AmbiguousMovements>
  /** Payments about which the shop and the gateway disagree. */
  readonly gatewayDifferences: ReadonlyArray<GatewayDifference>
  /** Files that contradict each other. */
  readonly contradictions: ReadonlyArray<FileContradiction>
  /** Unmatched transfers, holds, and movements of an unknown type. */
  readonly toCheck: ReadonlyArray<StatementMovement>
  /** In the books and on a statement. */
  readonly matched: ReadonlyArray<MatchedMovement>
  /** In the books, and perhaps on the next statement. */
  readonly notYetDue: ReadonlyArray<ExpectedMovement>
  /** In the books, on a day or in a currency for which no statement was given. */
  readonly notCovered: ReadonlyArray<ExpectedMovement>
  /** What was paid out, and for which movements. */
  readonly clearings: ReadonlyArray<ClearingExplanation>
  /** Transfers from GoPay to the shop's bank that belong to no clearing. Empty without bank statements. */
  readonly unexplainedTransfers: ReadonlyArray<BankTransfer>
  /** Money that the shop added to its account. */
  readonly topUps: ReadonlyArray<StatementMovement>
  /** Fees that belong to no clearing by its number or its file. */
  readonly fees: ReadonlyArray<StatementMovement>
  /** All movements of the statements, each once, oldest first. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** How many movements are in several files; each is counted once. */
  readonly repeated: number
  /** The days that the statements cover in each currency. The result holds for these days. */
  readonly days: ReadonlyArray<ReconciledDays>
}
