/**
 * The actions of a payer.
 */
import type { TestCardNumber } from "../books/TestCards.js"

/**
 * An action of a payer.
 *
 * @category local gateway
 */
export type PayerAction =
  | "choosePaymentMethod"
  | "payByCard"
  | "payByBankTransfer"
  | "pay"
  | "payLater"
  | "declineAttempt"
  | "declinePayment"
  | "cancelPayment"
  | "timeOutPayment"

/**
 * Options of a payment by card.
 *
 * @category local gateway
 */
export interface PayByCardOptions {
  /** The test card to pay with. Default: `4444444444444448`. */
  readonly card?: TestCardNumber
}
