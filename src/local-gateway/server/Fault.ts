/**
 * Faults between a client and the gateway, as plain data.
 *
 * A fault is the same value in code, in the header of a request, on the control API and on the dashboard. `Faults` checks
 * and arms them.
 */

/**
 * Whether the gateway carried out the request before the fault, or did not get that far.
 *
 * @category local gateway
 */
export type CommitState = "committed" | "none"

/**
 * The request is carried out at once; the response comes later.
 *
 * @category local gateway
 */
export interface LatencyFault {
  /** The name of the fault. */
  readonly type: "latency"
  /** The delay, by Effect's `Clock`. Default: 1000. */
  readonly milliseconds?: number
}

/**
 * No response comes, and the connection stays open until the caller leaves or the gateway stops.
 *
 * @category local gateway
 */
export interface NoResponseFault {
  /** The name of the fault. */
  readonly type: "noResponse"
  /** Default: `"committed"`. */
  readonly effect?: CommitState
}

/**
 * The connection is reset before any response.
 *
 * @category local gateway
 */
export interface ConnectionResetFault {
  /** The name of the fault. */
  readonly type: "connectionReset"
  /** Default: `"committed"`. */
  readonly effect?: CommitState
}

/**
 * The connection is reset before any response, and the request is carried out later. The token is checked when the
 * request comes; all else when it is carried out. Nothing comes of a read.
 *
 * @category local gateway
 */
export interface CommitLaterFault {
  /** The name of the fault. */
  readonly type: "commitLater"
  /** The delay, in the gateway's time: moving it forward brings it about. Default: 10. */
  readonly seconds?: number
}

/**
 * The request is carried out; the body of the response comes in pieces. A response without a body comes as it is.
 *
 * @category local gateway
 */
export interface SlowBodyFault {
  /** The name of the fault. */
  readonly type: "slowBody"
  /** Duration of the body, by Effect's `Clock`. Default: 1000. */
  readonly milliseconds?: number
}

/**
 * The request is carried out; the connection ends after half of the body, whose `Content-Length` is true. A response
 * without a body comes as it is.
 *
 * @category local gateway
 */
export interface TruncatedBodyFault {
  /** The name of the fault. */
  readonly type: "truncatedBody"
}

/**
 * The request is carried out; the response claims to be of another content type.
 *
 * @category local gateway
 */
export interface WrongContentTypeFault {
  /** The name of the fault. */
  readonly type: "wrongContentType"
  /** Default: `"text/html"`. */
  readonly contentType?: string
}

/**
 * A firewall before the gateway refuses the request: status 403 with an HTML page. Nothing is done.
 *
 * @category local gateway
 */
export interface HtmlForbiddenFault {
  /** The name of the fault. */
  readonly type: "htmlForbidden"
}

/**
 * A proxy before the gateway lost the response: status 502 with an HTML page.
 *
 * @category local gateway
 */
export interface HtmlBadGatewayFault {
  /** The name of the fault. */
  readonly type: "htmlBadGateway"
  /** Default: `"committed"`. */
  readonly effect?: CommitState
}

/**
 * The token is refused (code 200); for `getAccessToken`, the credentials are (code 202). Nothing is done.
 *
 * @category local gateway
 */
export interface TokenRefusedFault {
  /** The name of the fault. */
  readonly type: "tokenRefused"
  /** Default: 403. */
  readonly status?: 401 | 403
}

/**
 * The request is refused in the gateway's error body. Nothing is done.
 *
 * @category local gateway
 */
export interface RefusalFault {
  /** The name of the fault. */
  readonly type: "refusal"
  /** The gateway's code; one that is not documented has a name and a message made up here. Default: 303. */
  readonly code?: number
  /** Default: 409. */
  readonly status?: number
}

/**
 * Too many requests: status 429. Nothing is done.
 *
 * @category local gateway
 */
export interface RateLimitedFault {
  /** The name of the fault. */
  readonly type: "rateLimited"
  /** The form of `Retry-After`: as seconds, as a date, or not at all (`"absent"`). Default: `"seconds"`. */
  readonly retryAfter?: "seconds" | "date" | "absent"
  /** The wait that it asks for. Default: 1. */
  readonly seconds?: number
}

/**
 * The gateway fails: status 500 in its error body (code 500), any other as an HTML page of what stands before it.
 *
 * @category local gateway
 */
export interface ServerErrorFault {
  /** The name of the fault. */
  readonly type: "serverError"
  /** Default: 500. */
  readonly status?: number
  /** Default: `"committed"`. */
  readonly effect?: CommitState
}

/**
 * The request is carried out; the response is no JSON: it breaks off in the middle, with a `Content-Length` that fits.
 *
 * @category local gateway
 */
export interface MalformedJsonFault {
  /** The name of the fault. */
  readonly type: "malformedJson"
}

/**
 * The request is carried out; the response is JSON of another shape: a list where an object is due, and the other way
 * round.
 *
 * @category local gateway
 */
export interface WrongShapeFault {
  /** The name of the fault. */
  readonly type: "wrongShape"
}

/**
 * The request is carried out; every code in the response (state, instrument, result and so on) is one that no one
 * knows.
 *
 * @category local gateway
 */
export interface UnknownEnumValuesFault {
  /** The name of the fault. */
  readonly type: "unknownEnumValues"
}

/**
 * The request is carried out; each object of the response has one more member.
 *
 * @category local gateway
 */
export interface ExtraMembersFault {
  /** The name of the fault. */
  readonly type: "extraMembers"
}

/**
 * The request is carried out; members that the response would leave out are there, and `null`, as in recordings of
 * 2016.
 *
 * @category local gateway
 */
export interface NullMembersFault {
  /** The name of the fault. */
  readonly type: "nullMembers"
}

/**
 * The request is carried out; the response is followed by white space up to a length.
 *
 * @category local gateway
 */
export interface HugeBodyFault {
  /** The name of the fault. */
  readonly type: "hugeBody"
  /** Length of the whole body. Default: 10485760. */
  readonly bytes?: number
}

/**
 * Something that goes wrong with one request.
 *
 * @category local gateway
 */
export type Fault =
  | LatencyFault
  | NoResponseFault
  | ConnectionResetFault
  | CommitLaterFault
  | SlowBodyFault
  | TruncatedBodyFault
  | WrongContentTypeFault
  | HtmlForbiddenFault
  | HtmlBadGatewayFault
  | TokenRefusedFault
  | RefusalFault
  | RateLimitedFault
  | ServerErrorFault
  | MalformedJsonFault
  | WrongShapeFault
  | UnknownEnumValuesFault
  | ExtraMembersFault
  | NullMembersFault
  | HugeBodyFault

/**
 * The name of a fault.
 *
 * @category local gateway
 */
export type FaultName = Fault["type"]

type Complete<F> = F extends Fault ? Required<F> : never

/**
 * A fault with all its parameters.
 *
 * @category local gateway
 */
export type CompleteFault = Complete<Fault>

/**
 * An operation of a client, by the name of its method; `getAccessToken` is the request for a token.
 *
 * @category local gateway
 */
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

/**
 * A fault and the requests that it is to hit.
 *
 * @category local gateway
 */
export interface FaultArming {
  /** The fault. */
  readonly fault: Fault
  /** Only requests for this. Default: any request under `/api`, also one for a token. */
  readonly operation?: GatewayOperation
  /** The number of requests it hits. Default: 1. */
  readonly calls?: number
}

/**
 * A fault that waits for its requests.
 *
 * @category local gateway
 */
export interface ArmedFault {
  /** Its number, to disarm it by. */
  readonly id: number
  /** The fault, with all its parameters. */
  readonly fault: CompleteFault
  /** The only operation that it hits; any when absent. */
  readonly operation?: GatewayOperation
  /** The number of requests that it will still hit. */
  readonly callsLeft: number
}

/**
 * The requests that a fault is to hit.
 *
 * @category local gateway
 */
export type ArmingOptions = Omit<FaultArming, "fault">

/**
 * Faults at random, for chaos runs: the same seed gives the same faults to the same order of requests, whatever else
 * the gateway draws.
 *
 * @category local gateway
 */
export interface RandomFaults {
  /** The seed of the random choice. */
  readonly seed: string | number
  /** The probability that a request has a fault: from 0 to 1. */
  readonly probability: number
  /** The faults to choose from, each as likely as the others; at least one. */
  readonly faults: ReadonlyArray<Fault>
}
