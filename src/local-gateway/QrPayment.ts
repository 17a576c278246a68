/**
 * The QR payment: a bank transfer that the payer's banking application reads from a picture.
 *
 * The account cannot exist: its number has the right check digits, but no bank has the code 0000. The payment's message
 * is TEST besides. Only SPAYD, the Czech standard, is made, for CZK.
 */
import * as Base64 from "effect/encoding/Base64"
import { amountToDecimal } from "../api/Amount.js"
import type { Payment } from "./Payment.js"
import { qrPicture } from "./QrPicture.js"

const account = { prefix: "000000", account_number: "1000000005", bank_code: "0000" }

/** Check digits by ISO 13616. */
const iban = "CZ9300000000001000000005"

/** A BIC with 0 as its eighth character is for tests only, by ISO 9362. */
const bic = "TESTCZP0"

/** SPAYD has room for ten characters: 9 999 999.99. */
const maxAmount = 999_999_999

/** Whether there is a QR code for the payment. */
export const hasQrPayment = ({ order }: Payment): boolean => order.currency === "CZK" && order.amount <= maxAmount

/** The text in the picture: a Short Payment Descriptor, version 1.0. */
export const spayd = ({ id, order }: Payment): string =>
  `SPD*1.0*ACC:${iban}*AM:${amountToDecimal(order.amount)}*CC:${order.currency}*X-VS:${id}*MSG:TEST`

/** The answer to a request for the QR code of a payment. */
export const qrPaymentAnswer = (payment: Payment, format: "png" | "svg") => ({
  amount: payment.order.amount,
  currency: payment.order.currency,
  recipient: {
    name: "TEST",
    bank_account: {
      local: { ...account, variable_symbol: String(payment.id) },
      international: { bic, iban, reference: String(payment.id) }
    }
  },
  qr_code: { spayd: Base64.encode(qrPicture(spayd(payment), format)) }
})
