/**
 * The QR payment: a bank transfer that a banking app reads from a picture.
 *
 * Scanning it moves no money. The accounts cannot exist: their numbers have correct check digits, so that an app
 * accepts them, but no bank in Czechia or Slovakia has the code 0000. In addition, payee and message are TEST.
 */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { amountToDecimal } from "../../contract/Amount.js"
import type { PaymentQrResponse, QrCode } from "../../contract/Messages.js"
import type { Payment } from "../books/Payment.js"
import { qrPicture } from "./QrPicture.js"
import { refusal, type Refusal } from "../books/Refusal.js"
import { encode, PaymentOptions } from "bysquare/pay"

/** The bank transfer that a payer is asked to make. */
interface BankTransfer {
  readonly payee: string
  readonly iban: string
  readonly bic: string
  /** An integer in minor units, 1 or more. */
  readonly amount: number
  /** At most ten digits: banks in Czechia and Slovakia match payments by it. */
  readonly variableSymbol: string
  readonly message: string
}

/** Czechia: a Short Payment Descriptor, version 1.0, by the Czech Banking Association. At most 9 999 999.99 CZK. */
const spayd = ({ amount, iban, message, variableSymbol }: BankTransfer): string =>
  `SPD*1.0*ACC:${iban}*AM:${amountToDecimal(amount)}*CC:CZK*X-VS:${variableSymbol}*MSG:${message}`

/**
 * SEPA: a credit transfer by EPC069-12, version 002, in UTF-8. At most 999 999 999.99 EUR.
 *
 * It has no place for a variable symbol, so that stands after the message.
 */
const epc = ({ amount, bic, iban, message, payee, variableSymbol }: BankTransfer): string => {
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
const payBySquare = ({ amount, bic, iban, message, payee, variableSymbol }: BankTransfer): string =>
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
    // Validation would need the package `validator`, which is not bundled: see StandIns.
    { deburr: false, validate: false }
  )

/** The codes available in a currency, and the account to pay to. */
interface CurrencyCodes {
  /** Check digits by ISO 13616. */
  readonly iban: string
  /** By ISO 9362, a BIC with 0 as its eighth character is for tests only. */
  readonly bic: string
  /** The largest amount that fits into all codes of the currency. An integer in minor units. */
  readonly maxAmount: number
  /** The text in each picture, by the name of the picture in the response. */
  readonly texts: Partial<Record<keyof QrCode, (transfer: BankTransfer) => string>>
}

const codesByCurrency: { readonly [currency: string]: CurrencyCodes } = {
  CZK: { iban: "CZ9300000000001000000005", bic: "TESTCZP0", maxAmount: 999_999_999, texts: { spayd } },
  EUR: {
    iban: "SK9100000000001000000005",
    bic: "TESTSKB0",
    maxAmount: 99_999_999_999,
    texts: { paybysquare: payBySquare, sepa: epc }
  }
}

/** In both countries an IBAN consists of bank code, prefix and account number. */
const localAccount = (iban: string) => ({
  prefix: iban.slice(8, 14),
  account_number: iban.slice(14),
  bank_code: iban.slice(4, 8)
})

const transferFor = (
  { id, order }: Payment,
  { bic, iban, maxAmount }: CurrencyCodes
): Result.Result<BankTransfer, Refusal> => {
  const { amount, currency } = order
  const variableSymbol = String(id)
  if (amount < 1 || amount > maxAmount) {
    return Result.fail(refusal(302, `A QR code in ${currency} is for 0.01 to ${amountToDecimal(maxAmount)}.`))
  }
  if (variableSymbol.length > 10) {
    return Result.fail(refusal(302, "A QR code has room for ten digits of the payment's id."))
  }
  return Result.succeed({ payee: "TEST", iban, bic, amount, variableSymbol, message: "TEST" })
}

/** The QR codes of a payment; 302 if there are none for its currency, or it does not fit. */
export const qrPaymentResponse = (
  payment: Payment,
  format: "png" | "svg"
): Result.Result<PaymentQrResponse, Refusal> => {
  const { currency } = payment.order
  const codes = codesByCurrency[currency]
  if (codes === undefined) {
    const implemented = Object.keys(codesByCurrency).join(", ")
    return Result.fail(
      refusal(302, `QR codes in ${currency} are not implemented by the local gateway; it has ${implemented}.`)
    )
  }
  return Result.map(transferFor(payment, codes), (transfer) => {
    const { amount, bic, iban, payee, variableSymbol } = transfer
    const pictures = Object.entries(codes.texts).map(
      ([name, text]) => [name, Base64.encode(qrPicture(text(transfer), format))] as const
    )
    return {
      amount,
      currency,
      recipient: {
        name: payee,
        bank_account: {
          local: { ...localAccount(iban), variable_symbol: variableSymbol },
          international: { bic, iban, reference: variableSymbol }
        }
      },
      qr_code: Object.fromEntries(pictures)
    }
  })
}
