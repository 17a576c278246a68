/**
 * Refusals: codes, names, messages, and the body they travel in.
 */
import * as Data from "effect/Data"
import { ErrorCodes } from "../../contract/CodeLists.js"
import type { ErrorItem, ErrorResponse } from "../../contract/Messages.js"
import { timestamp } from "./PragueTime.js"

/** An error code that we know. */
export type KnownCode = keyof typeof ErrorCodes

/** One thing that is wrong with a request. */
export interface RequestError {
  readonly code: number
  /** The field that is wrong; absent: the request as a whole is. */
  readonly field?: string
  /** Default: `F` for a field, else `G`. */
  readonly scope?: "F" | "G"
  /** In place of the code's own message. */
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

/**
 * Names of the codes for which no source of ours knows the gateway's own: **all of them are invented here**. The known
 * ones are in `ErrorCodes`.
 */
const inventedNames = {
  100: "SYSTEM_ERROR",
  110: "REQUIRED",
  113: "NOT_CHANGEABLE",
  114: "NOT_DELETABLE",
  115: "AMBIGUOUS",
  116: "INVALID_REQUEST",
  200: "UNAUTHORIZED_ACCESS",
  201: "AUTH_UNSUPPORTED_GRANT_TYPE",
  203: "AUTH_PIN_DEACTIVATED",
  301: "PAYMENT_NOT_CREATED",
  302: "PAYMENT_NOT_PERFORMED",
  305: "ESHOP_DEACTIVATED",
  321: "PAYEE_NOT_ACCEPTING",
  330: "PAYMENT_REFUND_FAILED",
  332: "PAYMENT_WRONG_AMOUNT",
  333: "INSUFFICIENT_FUNDS",
  343: "PAYMENT_RECURRENCE_ATTEMPTS_EXCEEDED",
  353: "PAYMENT_AUTH_VOID_DONE",
  360: "ITEMS_AMOUNT_MISMATCH",
  500: "INTERNAL_ERROR"
} as const satisfies {
  readonly [Code in KnownCode as (typeof ErrorCodes)[Code]["name"] extends null ? Code : never]: string
}

/** Whether the gateway's documentation lists the code. */
const isKnownCode = (code: number): code is KnownCode => Object.hasOwn(ErrorCodes, code)

/** The name that the gateway gives to a code, as far as we know it. */
export const errorName = (code: number): string => {
  const names: { readonly [code: number]: string } = inventedNames
  return (isKnownCode(code) ? ErrorCodes[code].name : undefined) ?? names[code] ?? `UNDOCUMENTED_${code}`
}

/**
 * Messages in the two languages that the gateway speaks.
 *
 * Recorded: the English ones of 111, 304 and 340, and both of 202. The others are ours.
 */
const messages: { readonly [Code in KnownCode]: { readonly en: string; readonly cs: string } } = {
  100: { en: "System error.", cs: "Systémová chyba." },
  110: { en: "Required value is missing.", cs: "Chybí povinná hodnota." },
  111: { en: "Wrong value.", cs: "Chybná hodnota." },
  112: { en: "Value is not unique.", cs: "Hodnota není jedinečná." },
  113: { en: "Value cannot be changed.", cs: "Hodnotu nelze změnit." },
  114: { en: "Object cannot be deleted.", cs: "Objekt nelze smazat." },
  115: { en: "Ambiguous request.", cs: "Nejednoznačný požadavek." },
  116: { en: "Invalid request.", cs: "Neplatný požadavek." },
  200: { en: "Unauthorized access.", cs: "Neautorizovaný přístup." },
  201: { en: "Grant type is not supported.", cs: "Způsob přidělení práv není podporován." },
  202: {
    en: "Wrong credentials. Try sign in again.",
    cs: "Chybné přihlašovací údaje. Pokuste se provést přihlášení znovu."
  },
  203: { en: "Access by PIN has been deactivated.", cs: "Přístup přes PIN byl deaktivován." },
  301: { en: "Payment cannot be created.", cs: "Platbu nelze vytvořit." },
  302: { en: "Payment cannot be performed.", cs: "Platbu nelze provést." },
  303: { en: "Payment is in a wrong state.", cs: "Platba je v chybném stavu." },
  304: { en: "Payment not found.", cs: "Platba nebyla nalezena." },
  305: { en: "E-shop is deactivated.", cs: "Obchod byl deaktivován." },
  321: { en: "Payee cannot accept the payment.", cs: "Příjemce nemůže platbu přijmout." },
  330: { en: "Payment cannot be refunded.", cs: "Platbu nelze vrátit." },
  331: { en: "Refund of the payment is not supported.", cs: "Vrácení platby není podporováno." },
  332: { en: "Wrong amount.", cs: "Chybná částka." },
  333: { en: "Insufficient funds on the account.", cs: "Nedostatek prostředků na účtu." },
  340: { en: "Recurring payment failed", cs: "Provedení opakované platby selhalo" },
  341: { en: "Recurring payments are not supported.", cs: "Opakované platby nejsou podporovány." },
  342: { en: "Recurring payment has been stopped.", cs: "Opakovaná platba byla zastavena." },
  343: { en: "Number of attempts exceeded.", cs: "Počet pokusů byl překročen." },
  350: { en: "Capture of the payment failed.", cs: "Stržení platby selhalo." },
  351: { en: "Payment has already been captured.", cs: "Stržení platby již bylo provedeno." },
  352: { en: "Voiding of the authorization failed.", cs: "Zrušení předautorizace selhalo." },
  353: { en: "Authorization has already been voided.", cs: "Předautorizace již byla zrušena." },
  360: { en: "Sum of the items differs from the amount.", cs: "Součet položek neodpovídá částce." },
  500: { en: "Internal error.", cs: "Interní chyba." }
}

/** The language of messages for an `Accept-Language` header: Czech when it comes first, else English. */
export const messageLanguage = (acceptLanguage: string | undefined): "cs" | "en" =>
  /^\s*cs\b/i.test(acceptLanguage ?? "") ? "cs" : "en"

const undocumented = { en: "Undocumented error.", cs: "Nezdokumentovaná chyba." }

const errorItem = (
  { code, description, field, message, scope = field === undefined ? "G" : "F" }: RequestError,
  language: "cs" | "en"
): ErrorItem => ({
  scope,
  ...(field === undefined ? {} : { field }),
  error_code: code,
  error_name: errorName(code),
  message: message ?? (isKnownCode(code) ? messages[code] : undocumented)[language],
  ...(description === undefined ? {} : { description })
})

/** The body of a refusal; `now` is in milliseconds since 1970. */
export const errorBody = (errors: Refusal["errors"], language: "cs" | "en", now: number): ErrorResponse => ({
  date_issued: timestamp(now),
  errors: errors.map((error) => errorItem(error, language))
})
