/**
 * Refusals: their codes, names and messages, and the response body.
 */
import * as Data from "effect/Data"
import { ErrorCodes } from "../../contract/CodeLists.js"
import type { ErrorItem, ErrorResponse } from "../../contract/Messages.js"
import { isoTime, timestamp } from "./Times.js"

/** An error code that we know. */
export type KnownCode = keyof typeof ErrorCodes

/** One problem with a request. */
export interface RequestError {
  readonly code: number
  /** The field that is wrong; absent if it is the request as a whole. */
  readonly field?: string
  /** Default: `F` for a field, else `G`. */
  readonly scope?: "F" | "G"
  /** Replaces the name for the status, in a body of API v4. */
  readonly nameV4?: "REFUND_NOT_ALLOWED"
  /** Replaces the code's own message. */
  readonly message?: string
  /** Technical text, in English. */
  readonly description?: string
}

/** A request that was refused, and why. */
export class Refusal extends Data.TaggedError("Refusal")<{
  /** Status of the response. */
  readonly status: number
  readonly errors: readonly [RequestError, ...ReadonlyArray<RequestError>]
}> {}

/** Refuses the request as a whole. The status is the one that comes with the code, unless given. */
export const refusal = (code: KnownCode, description?: string, status: number = ErrorCodes[code].status): Refusal =>
  new Refusal({ status, errors: [description === undefined ? { code } : { code, description }] })

/** Refuses a request for its fields. */
export const refusedFields = (errors: readonly [RequestError, ...ReadonlyArray<RequestError>]): Refusal =>
  new Refusal({ status: 409, errors })

type CodeTexts<Code extends KnownCode> = Readonly<Record<"en" | "cs", string>> &
  ((typeof ErrorCodes)[Code]["name"] extends null ? { readonly name: string } : { readonly name?: never })

/**
 * The texts of the local gateway for each code.
 *
 * The messages are in the two languages of the gateway. Recorded: the English ones of 111, 304 and 340, and both of
 * 202. The others are ours, as are the names here: they belong to codes whose name at the gateway is in none of our
 * sources. The known names are in `ErrorCodes`.
 */
const codeTexts: { readonly [Code in KnownCode]: CodeTexts<Code> } = {
  100: { name: "SYSTEM_ERROR", en: "System error.", cs: "Systémová chyba." },
  110: { name: "REQUIRED", en: "Required value is missing.", cs: "Chybí povinná hodnota." },
  111: { en: "Wrong value.", cs: "Chybná hodnota." },
  112: { en: "Value is not unique.", cs: "Hodnota není jedinečná." },
  113: { name: "NOT_CHANGEABLE", en: "Value cannot be changed.", cs: "Hodnotu nelze změnit." },
  114: { name: "NOT_DELETABLE", en: "Object cannot be deleted.", cs: "Objekt nelze smazat." },
  115: { name: "AMBIGUOUS", en: "Ambiguous request.", cs: "Nejednoznačný požadavek." },
  116: { name: "INVALID_REQUEST", en: "Invalid request.", cs: "Neplatný požadavek." },
  200: { name: "UNAUTHORIZED_ACCESS", en: "Unauthorized access.", cs: "Neautorizovaný přístup." },
  201: {
    name: "AUTH_UNSUPPORTED_GRANT_TYPE",
    en: "Grant type is not supported.",
    cs: "Způsob přidělení práv není podporován."
  },
  202: {
    en: "Wrong credentials. Try sign in again.",
    cs: "Chybné přihlašovací údaje. Pokuste se provést přihlášení znovu."
  },
  203: {
    name: "AUTH_PIN_DEACTIVATED",
    en: "Access by PIN has been deactivated.",
    cs: "Přístup přes PIN byl deaktivován."
  },
  301: { name: "PAYMENT_NOT_CREATED", en: "Payment cannot be created.", cs: "Platbu nelze vytvořit." },
  302: { name: "PAYMENT_NOT_PERFORMED", en: "Payment cannot be performed.", cs: "Platbu nelze provést." },
  303: { en: "Payment is in a wrong state.", cs: "Platba je v chybném stavu." },
  304: { en: "Payment not found.", cs: "Platba nebyla nalezena." },
  305: { name: "ESHOP_DEACTIVATED", en: "E-shop is deactivated.", cs: "Obchod byl deaktivován." },
  321: { name: "PAYEE_NOT_ACCEPTING", en: "Payee cannot accept the payment.", cs: "Příjemce nemůže platbu přijmout." },
  330: { name: "PAYMENT_REFUND_FAILED", en: "Payment cannot be refunded.", cs: "Platbu nelze vrátit." },
  331: { en: "Refund of the payment is not supported.", cs: "Vrácení platby není podporováno." },
  332: { name: "PAYMENT_WRONG_AMOUNT", en: "Wrong amount.", cs: "Chybná částka." },
  333: { name: "INSUFFICIENT_FUNDS", en: "Insufficient funds on the account.", cs: "Nedostatek prostředků na účtu." },
  340: { en: "Recurring payment failed", cs: "Provedení opakované platby selhalo" },
  341: { en: "Recurring payments are not supported.", cs: "Opakované platby nejsou podporovány." },
  342: { en: "Recurring payment has been stopped.", cs: "Opakovaná platba byla zastavena." },
  343: {
    name: "PAYMENT_RECURRENCE_ATTEMPTS_EXCEEDED",
    en: "Number of attempts exceeded.",
    cs: "Počet pokusů byl překročen."
  },
  350: { en: "Capture of the payment failed.", cs: "Stržení platby selhalo." },
  351: { en: "Payment has already been captured.", cs: "Stržení platby již bylo provedeno." },
  352: { en: "Voiding of the authorization failed.", cs: "Zrušení předautorizace selhalo." },
  353: {
    name: "PAYMENT_AUTH_VOID_DONE",
    en: "Authorization has already been voided.",
    cs: "Předautorizace již byla zrušena."
  },
  360: {
    name: "ITEMS_AMOUNT_MISMATCH",
    en: "Sum of the items differs from the amount.",
    cs: "Součet položek neodpovídá částce."
  },
  500: { name: "INTERNAL_ERROR", en: "Internal error.", cs: "Interní chyba." }
}

/** Whether the gateway's documentation lists the code. */
const isKnownCode = (code: number): code is KnownCode => Object.hasOwn(ErrorCodes, code)

/** The gateway's name of a code, as far as we know it. */
export const errorName = (code: number): string =>
  (isKnownCode(code) ? (ErrorCodes[code].name ?? codeTexts[code].name) : undefined) ?? `UNDOCUMENTED_${code}`

/** An error in words, such as `303 PAYMENT_WRONG_STATE`. */
export const inWords = ({ code, description }: RequestError): string =>
  `${code} ${errorName(code)}${description === undefined ? "" : `: ${description}`}`

/** The language of messages for an `Accept-Language` header: Czech when it comes first, else English. */
export const messageLanguage = (acceptLanguage: string | undefined): "cs" | "en" =>
  /^\s*cs\b/i.test(acceptLanguage ?? "") ? "cs" : "en"

const undocumented = { en: "Undocumented error.", cs: "Nezdokumentovaná chyba." }

const messagesOf = (code: number): Readonly<Record<"en" | "cs", string>> =>
  isKnownCode(code) ? codeTexts[code] : undocumented

const errorItem = (
  { code, description, field, message, scope = field === undefined ? "G" : "F" }: RequestError,
  language: "cs" | "en"
): ErrorItem => ({
  scope,
  ...(field === undefined ? {} : { field }),
  error_code: code,
  error_name: errorName(code),
  message: message ?? messagesOf(code)[language],
  ...(description === undefined ? {} : { description })
})

/** The body of a refusal; `now` is in milliseconds since 1970. */
export const errorBody = (errors: Refusal["errors"], language: "cs" | "en", now: number): ErrorResponse => ({
  date_issued: timestamp(now),
  errors: errors.map((error) => errorItem(error, language))
})

// ---------------------------------------------------------------------------------------------------------------------
// API v4
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The name and the message for each status. The names from 405 on are ours, except for 500; GoPay's own tests only
 * check the status.
 */
const statusTexts: { readonly [status: number]: readonly [name: string, message: string] } = {
  400: ["BAD_REQUEST", "Invalid request parameter"],
  401: ["UNAUTHORIZED", "Wrong credentials"],
  403: ["FORBIDDEN", "Missing token scope"],
  404: ["NOT_FOUND", "Resource not found"],
  405: ["METHOD_NOT_ALLOWED", "Method not allowed"],
  409: ["CONFLICT", "Wrong resource state"],
  413: ["CONTENT_TOO_LARGE", "Request body too large"],
  415: ["UNSUPPORTED_MEDIA_TYPE", "Cannot consume content type"],
  422: ["UNPROCESSABLE_ENTITY", "Invalid request parameter"],
  500: ["INTERNAL_SERVER_ERROR", "Unexpected error"],
  501: ["NOT_IMPLEMENTED", "Not implemented by the local gateway"]
}

/** The body of an error of API v4, which has no codes. */
interface ErrorBodyV4 {
  readonly code: number
  readonly error: string
  readonly message: string
  readonly detail: string
  readonly path: string
  readonly timestamp: string
}

/** A refusal of API v4. Default: the message for the status. */
export const refusalV4 = (status: number, description: string, message?: string): Refusal =>
  new Refusal({ status, errors: [{ code: 116, description, ...(message === undefined ? {} : { message }) }] })

/** The body of a refusal in API v4. `path` is what follows the API's base address, `now` is in milliseconds since 1970. */
export const errorBodyV4 = (
  { errors, status }: Pick<Refusal, "errors" | "status">,
  path: string,
  now: number
): ErrorBodyV4 => {
  const [{ message, nameV4 }] = errors
  const [name, usual] = statusTexts[status] ?? [`STATUS_${status}`, "Request refused"]
  return {
    code: status,
    error: nameV4 ?? name,
    message: message ?? usual,
    detail: errors.map(({ code, description }) => description ?? messagesOf(code).en).join(" "),
    path,
    timestamp: isoTime(now)
  }
}
