/**
 * What can go wrong between a client and the gateway, as plain data.
 *
 * A fault is the same value in code, in the header of a request, on the control API and on the dashboard. This module
 * imports nothing, so that declarations without Effect can name it; `Faults` checks and arms.
 */

/** Whether the gateway did what was asked before the fault, or did not get that far. */
export type Effectiveness = "committed" | "none"

/** What is asked is done at once; the answer comes later. */
export interface Latency {
  readonly type: "latency"
  /** How much later, by Effect's `Clock`. Default: 1000. */
  readonly milliseconds?: number
}

/** No answer comes, and the connection stays open until the caller leaves or the gateway stops. */
export interface NoAnswer {
  readonly type: "noAnswer"
  /** Default: `"committed"`. */
  readonly effect?: Effectiveness
}

/** The connection is reset before any answer. */
export interface ConnectionReset {
  readonly type: "connectionReset"
  /** Default: `"committed"`. */
  readonly effect?: Effectiveness
}

/**
 * The connection is reset before any answer, and what was asked is done later. The token is looked at when the request
 * comes; all else when it is done. Nothing comes of a read.
 */
export interface CommitLater {
  readonly type: "commitLater"
  /** How much later, in the gateway's time: moving it forward brings it about. Default: 10. */
  readonly seconds?: number
}

/** What is asked is done; the body of the answer comes in pieces. An answer without a body comes as it is. */
export interface SlowBody {
  readonly type: "slowBody"
  /** How long the body takes, by Effect's `Clock`. Default: 1000. */
  readonly milliseconds?: number
}

/**
 * What is asked is done; the connection ends after half of the body, whose `Content-Length` is true. An answer without a
 * body comes as it is.
 */
export interface TruncatedBody {
  readonly type: "truncatedBody"
}

/** What is asked is done; the answer claims to be of another content type. */
export interface WrongContentType {
  readonly type: "wrongContentType"
  /** Default: `"text/html"`. */
  readonly contentType?: string
}

/** A firewall before the gateway refuses the request: status 403 with an HTML page. Nothing is done. */
export interface HtmlForbidden {
  readonly type: "htmlForbidden"
}

/** A proxy before the gateway lost the answer: status 502 with an HTML page. */
export interface HtmlBadGateway {
  readonly type: "htmlBadGateway"
  /** Default: `"committed"`. */
  readonly effect?: Effectiveness
}

/** The token is refused (code 200); for `getAccessToken`, the credentials are (code 202). Nothing is done. */
export interface TokenRefused {
  readonly type: "tokenRefused"
  /** Default: 403. */
  readonly status?: 401 | 403
}

/** The request is refused in the gateway's error body. Nothing is done. */
export interface CodeRefused {
  readonly type: "refusal"
  /** The gateway's code; one that is not documented has a name and a message made up here. Default: 303. */
  readonly code?: number
  /** Default: 409. */
  readonly status?: number
}

/** Too many requests: status 429. Nothing is done. */
export interface RateLimited {
  readonly type: "rateLimited"
  /** How `Retry-After` is written: as seconds, as a date, or not at all (`"absent"`). Default: `"seconds"`. */
  readonly retryAfter?: "seconds" | "date" | "absent"
  /** How long it asks to wait. Default: 1. */
  readonly seconds?: number
}

/** The gateway fails: status 500 in its error body (code 500), any other as an HTML page of what stands before it. */
export interface ServerError {
  readonly type: "serverError"
  /** Default: 500. */
  readonly status?: number
  /** Default: `"committed"`. */
  readonly effect?: Effectiveness
}

/** What is asked is done; the answer is no JSON: it breaks off in the middle, with a `Content-Length` that fits. */
export interface MalformedJson {
  readonly type: "malformedJson"
}

/** What is asked is done; the answer is JSON of another shape: a list where an object is due, and the other way round. */
export interface WrongShape {
  readonly type: "wrongShape"
}

/** What is asked is done; every code in the answer (state, instrument, result and so on) is one that nobody knows. */
export interface UnknownEnumValues {
  readonly type: "unknownEnumValues"
}

/** What is asked is done; each object of the answer has one more member. */
export interface ExtraMembers {
  readonly type: "extraMembers"
}

/** What is asked is done; members that the answer leaves out are there, and `null`, as in recordings of 2016. */
export interface NullMembers {
  readonly type: "nullMembers"
}

/** What is asked is done; the answer is followed by white space up to a length. */
export interface HugeBody {
  readonly type: "hugeBody"
  /** Length of the whole body. Default: 10485760. */
  readonly bytes?: number
}

/** Something that goes wrong with one request. */
export type Fault =
  | Latency
  | NoAnswer
  | ConnectionReset
  | CommitLater
  | SlowBody
  | TruncatedBody
  | WrongContentType
  | HtmlForbidden
  | HtmlBadGateway
  | TokenRefused
  | CodeRefused
  | RateLimited
  | ServerError
  | MalformedJson
  | WrongShape
  | UnknownEnumValues
  | ExtraMembers
  | NullMembers
  | HugeBody

/** The name of a fault. */
export type FaultName = Fault["type"]

type Complete<F> = F extends Fault ? Required<F> : never

/** A fault with all its parameters. */
export type CompleteFault = Complete<Fault>

/** What a client can ask of the gateway, by the name of its method; `getAccessToken` is the request for a token. */
export type GatewayOperation =
  | "getAccessToken"
  | "createPayment"
  | "getPayment"
  | "refundPayment"
  | "getPaymentRefunds"
  | "createRecurrence"
  | "voidRecurrence"
  | "captureAuthorization"
  | "captureAuthorizationPartial"
  | "voidAuthorization"
  | "getCardDetails"
  | "deleteCard"
  | "getPaymentInstruments"
  | "getPaymentInstrumentsAll"
  | "getAccountStatement"
  | "getPaymentQr"

/** Which requests a fault is to hit. */
export interface FaultArming {
  readonly fault: Fault
  /** Only requests for this. Default: any request under `/api`, also one for a token. */
  readonly operation?: GatewayOperation
  /** How many requests it hits. Default: 1. */
  readonly calls?: number
}

/** A fault that waits for its requests. */
export interface ArmedFault {
  readonly id: number
  readonly fault: CompleteFault
  readonly operation?: GatewayOperation
  readonly callsLeft: number
}

/** Which requests a fault is to hit. */
export type ArmingOptions = Omit<FaultArming, "fault">

/**
 * Faults at random, for chaos runs: the same seed gives the same faults to the same order of requests, whatever else the
 * gateway draws.
 */
export interface FaultMix {
  readonly seed: string | number
  /** How likely a request has a fault: from 0 to 1. */
  readonly probability: number
  /** The faults to choose from, each as likely as the others; at least one. */
  readonly faults: ReadonlyArray<Fault>
}
