/**
 * The log: the requests and their responses, and everything else that happened.
 *
 * Both lists are bounded, bodies are cut, and secrets and card numbers are masked before anything is kept.
 */
import { withoutUndefined } from "../../basics/Nulls.js"
import type { EventActor } from "../books/Actors.js"

/** A request and its response. */
export interface LoggedRequest {
  /** The time of the response, in milliseconds since 1970. */
  readonly at: number
  /** The HTTP method. */
  readonly method: string
  /** Path without the query, such as `/api/payments/payment`. */
  readonly path: string
  /** The query, without its question mark. */
  readonly query: string
  /** Status of the response; 0 if there was none, for example because a fault broke the connection. */
  readonly status: number
  /**
   * Time from the request to the beginning of its response, in milliseconds; without a response, until the gateway gave
   * up. The delay of the fault `latency` counts.
   */
  readonly durationMillis: number
  /** The codes of the errors in the response, if it is a refusal. */
  readonly errorCodes?: ReadonlyArray<number>
  /** Headers of the request by lower-case name; the values of `authorization` and `cookie` are withheld. */
  readonly headers: { readonly [name: string]: string }
  /** The client's method that sends such a request, such as `createPayment`, if there is one. */
  readonly operation?: string
  /** The payment that it is about. */
  readonly paymentId?: number
  /** The fault that hit it. */
  readonly fault?: string
  /** Body of the request, cut, with secrets masked. */
  readonly requestBody: string
  /** Body of the response, cut, with secrets masked; empty for files. */
  readonly responseBody: string
}

/** How a shop is notified. */
export interface NotificationRequest {
  /** POST for a payment of API v4, unless `v4NotificationMethod` says otherwise; else GET. */
  readonly method: "GET" | "POST"
  /** The JSON in a POST: the payment's id. */
  readonly body?: string
}

/** The shop's response to a notification. */
export interface NotificationResponse {
  /** 200 means accepted. */
  readonly status: number
  /** The headers, by lower-case name. */
  readonly headers?: { readonly [name: string]: string }
  /** The body, or its beginning. */
  readonly body?: string
}

/** Something that happened to a payment, to the gateway's time, or to its faults. */
export type LoggedEvent =
  | {
      readonly type: "state"
      readonly paymentId: number
      readonly by: EventActor
      /** The length of the jump in time during which it became due, in milliseconds; absent outside a jump. */
      readonly jumpMillis?: number
      /** Absent for a new payment. */
      readonly from?: string
      readonly to: string
      readonly subState?: string
      /** The money that the merchant had received by then, in minor units. */
      readonly received: number
      readonly refunded: number
    }
  | {
      readonly type: "recurrence" | "preauthorization"
      readonly paymentId: number
      readonly by: EventActor
      /** The length of the jump in time during which it became due, in milliseconds; absent outside a jump. */
      readonly jumpMillis?: number
      readonly to: string
    }
  | {
      /** The payer was asked to confirm the payment at the bank, or was sent back to the shop. */
      readonly type: "payer"
      readonly paymentId: number
      readonly action: "threeDSecure" | "returned"
    }
  | {
      readonly type: "operation"
      readonly paymentId: number
      readonly operation: string
      readonly result: "accepted" | "finished" | "failed"
      readonly amount?: number
    }
  | {
      readonly type: "notification"
      readonly paymentId: number
      /** Absent for a GET. */
      readonly method?: "POST"
      readonly url: string
      readonly attempt: number
      /** Status of the response; 0 if there was none. */
      readonly status: number
      /** Why there was no response, or why it was not sent. */
      readonly problem?: string
      /**
       * Time from the request to its response, or until the gateway gave up, in milliseconds; absent if it was not
       * sent.
       */
      readonly durationMillis?: number
      /** Headers of the response by lower-case name, `set-cookie` without its value, if the receiver returns them. */
      readonly headers?: { readonly [name: string]: string }
      /** Body of the response, cut, with secrets masked, if the receiver returns it. */
      readonly responseBody?: string
    }
  | {
      /** A call was accepted that GoPay may refuse. */
      readonly type: "warning"
      readonly operation: string
      readonly paymentId?: number
      /** The refusal, in words. */
      readonly refusal: string
    }
  | {
      /** An action through the control API or on the dashboard. Moves of time and faults have entries of their own. */
      readonly type: "control"
      /** The operation of the control API, such as `payByCard`. */
      readonly action: string
      readonly paymentId?: number
      /** The body of the request, with secrets masked; absent if there was none. */
      readonly request?: string
      /** Why it was refused. */
      readonly problem?: string
    }
  | {
      readonly type: "time"
      readonly advancedMillis: number
      /** How far it was to move, where it was stopped before. */
      readonly plannedMillis?: number
    }
  | { readonly type: "fault"; readonly fault: string; readonly change: "armed" | "used" | "disarmed" }

/** An entry of the journal: its time, and its position among all entries. */
export type JournalEntry<A> = A & { readonly at: number; readonly number: number }

const maxRequests = 1000
const maxEvents = 5000

/** The longest part of a body that is kept. */
export const maxBodyLength = 4096

const withheldHeaders: ReadonlySet<string> = new Set(["authorization", "cookie", "set-cookie"])

const secretNames = "payment_secret|access_token|refresh_token|client_secret|card_token|allowed_card_token|verify_pin"

/** JSON members that hold a secret, as text or as a number; the closing quotation mark may be cut off. */
const secretMembers = new RegExp(String.raw`("(?:${secretNames})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|-?\d+)`, "g")

/** The secret of a payment of API v4, anywhere in a shop's text. */
const paymentSecrets = /\bps_[\da-f]{32}\b/g

const secretFormFields = new RegExp(String.raw`\b((?:${secretNames})=)[^&]*`, "g")

/**
 * Numbers as long as a card's, grouped or not. Payment ids are shorter. Digits within a longer hexadecimal name, such
 * as that of a pay page, do not count.
 */
const longNumbers = /\b(?=\d*[a-f])[\da-f]{32,}\b|(?<!\d)\d(?:[ +-]?\d){12,18}(?!\d)/g

/** Checks the check digit at the end of a card number (ISO/IEC 7812). */
const hasCheckDigit = (digits: string): boolean => {
  const sum = Array.from(digits, Number).reduceRight((total, digit, index) => {
    const value = (digits.length - index) % 2 === 1 ? digit : 2 * digit
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const maskedNumber = (number: string): string => {
  const digits = number.replaceAll(/\D/g, "")
  const isName = /[a-f]/.test(number)
  return !isName && hasCheckDigit(digits) ? `${digits.slice(0, 6)}******${digits.slice(-4)}` : number
}

/** A text without secrets and card numbers. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(secretMembers, '$1"<withheld>"')
    .replaceAll(secretFormFields, "$1<withheld>")
    .replaceAll(paymentSecrets, "<withheld>")
    .replaceAll(longNumbers, maskedNumber)

/** The same, shortened. The text that is kept is also checked for secrets that extend beyond the cut. */
export const masked = (text: string): string => {
  const safe = withoutSecrets(text.slice(0, 2 * maxBodyLength))
  return safe.length > maxBodyLength ? `${safe.slice(0, maxBodyLength)}…` : safe
}

type Headers = LoggedRequest["headers"]

const maskedHeaders = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, withheldHeaders.has(name) ? "<withheld>" : masked(value)])
  )

/** An event without secrets in the shop's response. */
const maskedEvent = (event: LoggedEvent): LoggedEvent => {
  if (event.type !== "notification") return event
  const { headers, responseBody } = event
  return {
    ...event,
    ...withoutUndefined({
      headers: headers && maskedHeaders(headers),
      responseBody: responseBody && masked(responseBody)
    })
  }
}

const bounded = <A>(list: Array<A>, entry: A, limit: number): void => {
  list.push(entry)
  // Trimmed in large steps, so that a long list is not shifted for each entry.
  if (list.length >= 2 * limit) list.splice(0, list.length - limit)
}

/** Functions that are called with each new entry of the log. */
export interface JournalListeners {
  /** Called with every request that was handled, as in `listRequests`. */
  readonly onRequest?: ((request: JournalEntry<LoggedRequest>) => void) | undefined
  /** Called with every other event, as in `listEvents`: changes of state, notifications, faults. */
  readonly onEvent?: ((event: JournalEntry<LoggedEvent>) => void) | undefined
}

/** The log of requests and events. The oldest are dropped first. */
export class Journal {
  private readonly requestEntries: Array<JournalEntry<LoggedRequest>> = []
  private readonly eventEntries: Array<JournalEntry<LoggedEvent>> = []
  private readonly listeners: JournalListeners
  private count = 0

  constructor(listeners: JournalListeners = {}) {
    this.listeners = listeners
  }

  /** The number of the newest entry. */
  get newest(): number {
    return this.count
  }

  /** Adds a request, masked. */
  addRequest(request: LoggedRequest): void {
    const { headers, path, query, requestBody, responseBody } = request
    const safe = {
      ...request,
      path: masked(path),
      query: masked(query),
      headers: maskedHeaders(headers),
      requestBody: masked(requestBody),
      responseBody: masked(responseBody)
    }
    const entry = { ...safe, number: ++this.count }
    bounded(this.requestEntries, entry, maxRequests)
    this.listeners.onRequest?.(entry)
  }

  /** Adds anything else that happened, masked; `at` is in milliseconds since 1970. */
  add(at: number, event: LoggedEvent): void {
    const entry = { ...maskedEvent(event), at, number: ++this.count }
    bounded(this.eventEntries, entry, maxEvents)
    this.listeners.onEvent?.(entry)
  }

  /** The last 1000 requests, oldest first. */
  requests(): ReadonlyArray<JournalEntry<LoggedRequest>> {
    return this.requestEntries.slice(-maxRequests)
  }

  /** The last 5000 events, oldest first. */
  events(): ReadonlyArray<JournalEntry<LoggedEvent>> {
    return this.eventEntries.slice(-maxEvents)
  }

  /** Forgets everything. */
  clear(): void {
    this.requestEntries.length = 0
    this.eventEntries.length = 0
  }
}
