/**
 * A recording: the steps of a scenario, requests to a gateway and what a payer does between them, and what a gateway made of them. It has the form of each response, and of the values only
 * those that are the same for every merchant: no credential, token, identifier, contact or card number.
 */

/** A value of JSON. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [member: string]: Json }

/** Placeholders such as `{payment}` stand for what an earlier step kept, in its path, headers and body. */
export interface RequestStep {
  /** The step's name, the only one of its scenario. */
  readonly name: string
  readonly method: "GET" | "POST" | "DELETE"
  /** Begins after `/api`. */
  readonly path: string
  /** Default: `Accept: application/json`, and the token that a step before it kept. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as `application/json`. */
  readonly json?: Json
  /** Whether what is not ASCII is escaped as `\uXXXX` in the JSON. A firewall may refuse that, which is recorded. */
  readonly isEscaped?: true
  /** Members of the response that later steps use, by the name of their placeholder. */
  readonly keep?: Readonly<Record<string, string>>
  /** Whether the values depend on the merchant's contract, so that only their types are compared. */
  readonly isContractual?: true
}

/** What the payer does on the pay page, and the states of the payment then. */
export const payerActs = {
  pays: ["PAID", "AUTHORIZED"],
  isDeclined: ["PAYMENT_METHOD_CHOSEN", "CANCELED"],
  cancels: ["CANCELED"],
  choosesTransfer: ["PAYMENT_METHOD_CHOSEN"],
  letsTimeOut: ["TIMEOUTED"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type PayerAct = keyof typeof payerActs

/** The payer does something on the pay page. */
export interface PayerStep {
  readonly name: string
  /** The placeholder of a payment, and of its pay page. Default of `act`: `pays`, with the card that is never declined. */
  readonly pays: { readonly payment: string; readonly gwUrl: string; readonly act?: PayerAct }
}

export type Step = RequestStep | PayerStep

/** The part of a response that is compared. */
export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body's form; `null` when it is empty. */
  readonly body: Json
}

/** A step with its response; without one when it was skipped. */
export type RecordedStep = (RequestStep & { readonly response?: RecordedResponse }) | PayerStep

export interface Recording {
  readonly format: 1
  /** The gateway's address. */
  readonly gateway: string
  /** The day, `yyyy-mm-dd`. */
  readonly recordedOn: string
  readonly steps: ReadonlyArray<RecordedStep>
}

/** Members whose words are the gateway's own and tell nothing of a merchant or a payer. */
const ownWords = new Set(
  `allowed_payment_instruments amount card_brand currency currencies default_payment_instrument description error_code
  error_name expires_in field format group isOnline lang message payment_instrument paymentInstrument recurrence_cycle
  recurrence_date_to recurrence_period recurrence_state requested result scope state status sub_state token_type type
  vat_rate`.split(/\s+/)
)

const headersKept = new Set(
  `allow cache-control content-disposition content-type expires location pragma retry-after vary www-authenticate`.split(
    " "
  )
)

/** The form of a body: of values that belong to a merchant or a payer only what kind they are. */
export const formOf = (value: Json, member = ""): Json => {
  if (value === null || typeof value === "boolean") return value
  if (typeof value === "number") return ownWords.has(member) ? value : "<number>"
  if (typeof value === "string") return ownWords.has(member) ? wordsOf(value) : kindOf(value)
  if (isList(value)) return distinct(value.map((element) => formOf(element, member)))
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, formOf(content, name)]))
}

export const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

/** Long lists differ from shop to shop, and what is in them does not. */
const distinct = (values: ReadonlyArray<Json>): ReadonlyArray<Json> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values()
]

/** The gateway may repeat in its words what it was told. */
const wordsOf = (text: string): string => (/@|\d{6}/.test(text) ? kindOf(text) : text)

const kindOf = (text: string): string => {
  if (text === "") return ""
  if (/^https?:/.test(text)) return "<address>"
  if (/^\d{4}-\d\d-\d\d/.test(text)) return `<${text.replaceAll(/\d/g, "0")}>`
  if (/^\d+$/.test(text)) return "<digits>"
  if (/^[\d*]+$/.test(text)) return "<masked digits>"
  if (text.includes("@")) return "<e-mail>"
  return "<text>"
}

/** The headers that are compared. Dates and addresses are there or not. */
export const headersOf = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => headersKept.has(name))
      .map(([name, value]) => [
        name,
        name === "expires" ? "<date>" : name === "location" ? "<address>" : value.replaceAll(/\d{4,}/g, "<digits>")
      ])
  )
