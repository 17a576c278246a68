/**
 * What a payer can do. This module imports no Effect, so that declarations without Effect can name it.
 */
import type { TestCardNumber } from "../settings/TestCards.plain.js"

/** What a payer can do. */
export type PayerAction =
  | "choosePaymentMethod"
  | "payByCard"
  | "payByBankTransfer"
  | "pay"
  | "payLater"
  | "declineAttempt"
  | "decline"
  | "cancel"
  | "timeOut"

/** How a payer pays by card. */
export interface PayByCardOptions {
  /** Which of the test cards. Default: `4444444444444448`. */
  readonly card?: TestCardNumber
}
