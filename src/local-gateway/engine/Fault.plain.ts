/**
 * Faults between a client and the gateway, as plain data.
 *
 * A fault is the same value in code, in the header of a request, on the control API and on the dashboard. This module
 * imports nothing, so that declarations without Effect can name it; `Fault.ts` checks and arms faults.
 */

/** Whether the gateway carried out the request before the fault, or did not get that far. */
export type Effectiveness = "committed" | "none"

/** The request is carried out at once; the response comes later. */
export interface Latency {
  readonly type: "latency"
  /** The delay, by Effect's `Clock`. Default: 1000. */
  readonly milliseconds?: number
}

/** No response comes, and the connection stays open until the caller leaves or the gateway stops. */
export interface NoResponse {
  readonly type: "noResponse"
  /** Default: `"committed"`. */
  readonly effect?: Effectiveness
}

/** The connection is reset before any response. */
export interface ConnectionReset {
  readonly type: "connectionReset"
  /** Default: `"committed"`. */
  readonly effect?: Effectiveness
}

/**
 * The connection is reset before any response, and the request is carried out later. The token is checked when the
 * request comes; all else when it is carried out. Nothing comes of a read.
 */
export interface CommitLater {
  readonly type: "commitLater"
  /** The delay, in the gateway's time: moving it forward brings it about. Default: 10. */
  readonly seconds?: number
}

/** The request is carried out; the body of the response comes in pieces. A response without a body comes as it is. */
export interface SlowBody {
  readonly type: "slowBody"
  /** Duration of the body, by Effect's `Clock`. Default: 1000. */
  readonly milliseconds?: number
}

/**
 * The request is carried out; the connection ends after half of the body, whose `Content-Length` is true. A response
 * without a body comes as it is.
 */
export interface TruncatedBody {
  readonly type: "truncatedBody"
}

/** The request is carried out; the response claims to be of another content type. */
export interface WrongContentType {
  readonly type: "wrongContentType"
  /** Default: `"text/html"`. */
  readonly contentType?: string
}

/** A firewall before the gateway refuses the request: status 403 with an HTML page. Nothing is done. */
export interface HtmlForbidden {
  readonly type: "htmlForbidden"
}

/** A proxy before the gateway lost the response: status 502 with an HTML page. */
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
  /** The form of `Retry-After`: as seconds, as a date, or not at all (`"absent"`). Default: `"seconds"`. */
  readonly retryAfter?: "seconds" | "date" | "absent"
  /** The wait that it asks for. Default: 1. */
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

/** The request is carried out; the response is no JSON: it breaks off in the middle, with a `Content-Length` that fits. */
export interface MalformedJson {
  readonly type: "malformedJson"
}

/** The request is carried out; the response is JSON of another shape: a list where an object is due, and the other way round. */
export interface WrongShape {
  readonly type: "wrongShape"
}

/** The request is carried out; every code in the response (state, instrument, result and so on) is one that nobody knows. */
export interface UnknownEnumValues {
  readonly type: "unknownEnumValues"
}

/** The request is carried out; each object of the response has one more member. */
export interface ExtraMembers {
  readonly type: "extraMembers"
}

/** The request is carried out; members that the response would leave out are there, and `null`, as in recordings of 2016. */
export interface NullMembers {
  readonly type: "nullMembers"
}

/** The request is carried out; the response is followed by white space up to a length. */
export interface HugeBody {
  readonly type: "hugeBody"
  /** Length of the whole body. Default: 10485760. */
  readonly bytes?: number
}

/** Something that goes wrong with one request. */
export type Fault =
  | Latency
  | NoResponse
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

/** An operation of a client, by the name of its method; `getAccessToken` is the request for a token. */
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
  /** The number of requests it hits. Default: 1. */
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
  /** The probability that a request has a fault: from 0 to 1. */
  readonly probability: number
  /** The faults to choose from, each as likely as the others; at least one. */
  readonly faults: ReadonlyArray<Fault>
}
