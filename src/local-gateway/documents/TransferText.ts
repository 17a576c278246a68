/**
 * One bank transfer as the text of a QR code for a banking application, in three formats.
 */
import { encode, PaymentOptions } from "bysquare/pay"
import { amountToDecimal } from "../../contract/Amount.js"

/** A bank transfer that a payer is asked for. */
export interface BankTransfer {
  readonly payee: string
  readonly iban: string
  readonly bic: string
  /** An integer in minor units, 1 or more. */
  readonly amount: number
  /** Digits, at most ten: banks in Czechia and Slovakia pair payments by it. */
  readonly variableSymbol: string
  readonly message: string
}

/** Czechia: a Short Payment Descriptor, version 1.0, by the Czech Banking Association. At most 9 999 999.99 CZK. */
export const spayd = ({ amount, iban, message, variableSymbol }: BankTransfer): string =>
  `SPD*1.0*ACC:${iban}*AM:${amountToDecimal(amount)}*CC:CZK*X-VS:${variableSymbol}*MSG:${message}`

/**
 * SEPA: a credit transfer by EPC069-12, version 002, in UTF-8. At most 999 999 999.99 EUR.
 *
 * It has no place for a variable symbol, so that stands after the message.
 */
export const epc = ({ amount, bic, iban, message, payee, variableSymbol }: BankTransfer): string => {
  const purpose = ""
  const structuredReference = ""
  return [
    "BCD",
    "002",
    "1",
    "SCT",
    bic,
    payee,
    iban,
    `EUR${amountToDecimal(amount)}`,
    purpose,
    structuredReference,
    `${message} ${variableSymbol}`
  ].join("\n")
}

/** Slovakia: PAY by square, by the Slovak Banking Association. At most 999 999 999 999.99 EUR. */
export const payBySquare = ({ amount, bic, iban, message, payee, variableSymbol }: BankTransfer): string =>
  encode(
    {
      payments: [
        {
          type: PaymentOptions.PaymentOrder,
          amount: Number(amountToDecimal(amount)),
          currencyCode: "EUR",
          variableSymbol,
          paymentNote: message,
          bankAccounts: [{ iban, bic }],
          beneficiary: { name: payee }
        }
      ]
    },
    // Validation would need the package `validator`, which is not bundled: see NoValidator.
    { deburr: false, validate: false }
  )
