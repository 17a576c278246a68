/**
 * Refusals that GoPay may give to calls that this gateway accepts.
 */
import * as Result from "effect/Result"
import type * as Endpoint from "../../contract/Endpoint.js"
import { amountToRefund } from "../books/Payment.js"
import { strictSettings, type LocalGatewaySettings, type SettingsChange } from "../books/LocalGatewaySettings.js"
import { day } from "../books/Times.js"
import { inWords, refusal, type Refusal } from "../books/Refusal.js"
import {
  hasUnicodeEscapes,
  readAmount,
  readCaptureAmount,
  readChargeOrder,
  readPaymentOrder,
  type RequestBody
} from "../books/RequestDecoder.js"
import type { Engine } from "./Engine.js"

/** A call of an operation, as the merchant made it. */
interface MerchantCall {
  /** The name of its endpoint. */
  readonly operation: keyof typeof Endpoint
  readonly goid: number
  /** The scope of the token. */
  readonly scope: string
  /** The id in the path, if there is one. */
  readonly paymentId: string
  readonly body: RequestBody
  /** In milliseconds since 1970. */
  readonly now: number
}

/**
 * What GoPay's documentation says is refused, although tests of its own clients do it successfully. There is a warning
 * about it even if the gateway is strict.
 */
const contradicted = { itemsSum: "checked", scopes: "enforced" } as const satisfies SettingsChange

/** What this gateway accepts, while no source says whether GoPay does. */
const unknown = { fractionalAmounts: "refused", jsonFullCapture: "refused" } as const satisfies SettingsChange

/**
 * The refusal, in words, under {@link strictSettings}, {@link contradicted} and {@link unknown}; `undefined` if they
 * change nothing. The call has not been carried out yet.
 */
export const possibleRefusal = ({ books, settings }: Engine, call: MerchantCall): string | undefined => {
  if (hasUnicodeEscapes(call.body)) return "a firewall refuses JSON with \\uXXXX escapes (403, an HTML page)"
  const strict: LocalGatewaySettings = { ...settings, ...strictSettings, ...contradicted, ...unknown }
  const checked = strictCheck({ ...call, strict, payment: books.paymentOf(call.goid, call.paymentId) })
  if (Result.isSuccess(checked)) return undefined
  const { errors, status } = checked.failure
  return errors.map((error) => `${status}, ${inWords(error)}`).join("; ")
}

/** A call under the strictest settings. */
interface StrictCall extends MerchantCall {
  readonly strict: LocalGatewaySettings
  readonly payment: ReturnType<Engine["books"]["paymentOf"]>
}

/** None of the strict settings applies to it. */
const notStricter = (): Result.Result<void> => Result.void

const strictChecks: {
  readonly [Name in keyof typeof Endpoint]: (call: StrictCall) => Result.Result<unknown, Refusal>
} = {
  getAccessToken: notStricter,
  createPayment: ({ body, now, strict }) => readPaymentOrder(body, strict, day(now)),
  getPayment: notStricter,
  refundPayment: ({ body, now, payment, paymentId, strict }) =>
    amountToRefund(payment, paymentId, readAmount(body, strict), strict, now),
  getPaymentRefunds: notStricter,
  createRecurrence: ({ body, strict }) => readChargeOrder(body, strict),
  voidRecurrence: notStricter,
  captureAuthorization: ({ body, strict }) => readCaptureAmount(body, strict),
  captureAuthorizationPartial: ({ body, strict }) => readCaptureAmount(body, strict),
  voidAuthorization: notStricter,
  getCardDetails: notStricter,
  deleteCard: notStricter,
  getPaymentInstruments: notStricter,
  getPaymentInstrumentsAll: notStricter,
  getAccountStatement: notStricter,
  getPaymentQr: notStricter
}

const strictCheck = (call: StrictCall): Result.Result<unknown, Refusal> =>
  call.scope === "payment-create" && call.operation !== "createPayment"
    ? Result.fail(refusal(200, "The token is for creating payments only."))
    : strictChecks[call.operation](call)
