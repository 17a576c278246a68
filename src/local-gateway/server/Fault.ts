/**
 * Faults between a client and the gateway, as plain data.
 *
 * A fault is the same value in code, in the header of a request, in the control API and on the dashboard. `Faults`
 * checks and arms them.
 */
import type { NameOfV4 } from "../../contract/EndpointV4.js"
import type { GatewayOperations } from "../../contract/GatewayOperations.js"
import { aDay, anHour, choice, mediaType, type Parameter, type Texts, wholeNumber } from "../books/Parameter.js"

/** A kind of fault, from which its type, its check, its form and its documentation are made. */
export interface FaultKind<Name extends string, Parameters extends { readonly [name: string]: Described }> {
  readonly name: Name
  /** What happens, in a sentence. */
  readonly description: string
  readonly parameters: Parameters
  /** Further information. */
  readonly more: string
}

type FaultParameter = Exclude<Parameter, Texts>

type Described<P extends FaultParameter = FaultParameter> = P & { readonly description: string }

/** A kind of fault, with any name. */
export type AnyFaultKind = FaultKind<string, { readonly [name: string]: Described }>

const described = <P extends FaultParameter>(parameter: P, description: string): Described<P> => ({
  ...parameter,
  description
})

const kind = <const Name extends string, Parameters extends { readonly [name: string]: Described }>(
  name: Name,
  description: string,
  parameters: Parameters,
  more = ""
): FaultKind<Name, Parameters> => ({ name, description, parameters, more })

const effect = described(
  choice(["committed", "none"], "committed"),
  "Whether the gateway carried out the request before the fault (committed), or did not get that far (none)."
)

const milliseconds = (description: string) => described(wholeNumber(0, anHour * 1000, 1000), description)

/** The faults. */
export const faultKinds = [
  kind(
    "latency",
    "The request is carried out at once; the response comes later.",
    { milliseconds: milliseconds("The delay of the response, in the gateway's time.") },
    "Moving the gateway's time forward ends the delay."
  ),
  kind(
    "noResponse",
    "No response comes, and the connection stays open.",
    { effect },
    "It stays open until the caller leaves or the gateway stops."
  ),
  kind("connectionReset", "The connection is reset before any response.", { effect }),
  kind(
    "commitLater",
    "The connection is reset before any response, and the request is carried out later.",
    {
      seconds: described(wholeNumber(0, 366 * aDay, 10), "The delay until it is carried out, in the gateway's time.")
    },
    "Moving the gateway's time forward brings it about. The token is checked when the request comes; all else when it is carried out. Nothing comes of a read."
  ),
  kind(
    "slowBody",
    "The request is carried out; the body of the response comes in pieces.",
    { milliseconds: milliseconds("Duration of the body.") },
    "The pieces come in the gateway's time. A response without a body comes as it is."
  ),
  kind(
    "truncatedBody",
    "The request is carried out; the connection ends after half of the body.",
    {},
    "Its `Content-Length` is true. A response without a body comes as it is."
  ),
  kind("wrongContentType", "The request is carried out; the response claims to be of another content type.", {
    contentType: described(mediaType("text/html"), "The content type it claims to be of.")
  }),
  kind("htmlForbidden", "Nothing is done; a firewall responds with 403 with an HTML page.", {}),
  kind("htmlBadGateway", "A proxy responds with 502 with an HTML page.", { effect }, "It lost the gateway's response."),
  kind(
    "tokenRefused",
    "The request is refused because of its token, or because of the credentials where it asks for one.",
    { status: described(choice([401, 403], 403), "Status of the response, 401 or 403.") },
    "The code is 200; for `getAccessToken` it is 202."
  ),
  kind(
    "refusal",
    "Nothing is done; the gateway refuses the request with a code.",
    {
      code: described(wholeNumber(0, 9999, 303), "The gateway's code, documented or not, from 0 to 9999."),
      status: described(wholeNumber(400, 499, 409), "Status of the response, from 400 to 499.")
    },
    "A code that is not documented has a name and a message made up here."
  ),
  kind("rateLimited", "Nothing is done; the response is 429, too many requests.", {
    retryAfter: described(
      choice(["seconds", "date", "absent"], "seconds"),
      "The form of Retry-After: as seconds, as a date, or not at all (absent)."
    ),
    seconds: described(wholeNumber(0, aDay, 1), "The wait that it asks for.")
  }),
  kind(
    "serverError",
    "The gateway responds that it failed.",
    { status: described(wholeNumber(500, 599, 500), "Status of the response, from 500 to 599."), effect },
    "Status 500 comes in its error body (code 500), any other as an HTML page of what stands before it."
  ),
  kind(
    "malformedJson",
    "The request is carried out; the response is JSON that breaks off in the middle.",
    {},
    "Its `Content-Length` fits what is sent."
  ),
  kind("wrongShape", "The request is carried out; the response is a list where an object is due, or the reverse.", {}),
  kind("unknownEnumValues", "The request is carried out; every code in the response is one that no one knows.", {}),
  kind("extraMembers", "The request is carried out; each object of the response has one more member.", {}),
  kind(
    "nullMembers",
    "The request is carried out; members that the response would leave out are there, and null.",
    {},
    "Recordings of 2016 have such members."
  ),
  kind("hugeBody", "The request is carried out; the response is followed by white space up to a length.", {
    bytes: described(wholeNumber(0, 2 ** 30, 10 * 1024 * 1024), "Length of the whole body, at most 1073741824.")
  })
] as const

type Kinds = (typeof faultKinds)[number]

type FaultOf<Kind> =
  Kind extends FaultKind<infer Name, infer Parameters>
    ? { readonly type: Name } & { readonly [P in keyof Parameters]?: Parameters[P]["default"] }
    : never

/** Something that goes wrong with one request. */
export type Fault = FaultOf<Kinds>

/** What happens to a change, such as a refund, that a fault hits once, with a token that was used before. */
export interface ChangeUnderFault {
  /** Whether the gateway carries it out; `effect` says so where the fault has that parameter. */
  readonly isCarriedOut: boolean | "byEffect" | "later"
  /** How the call of this package's client ends: it succeeds, or fails for this reason. */
  readonly client: "success" | "OutcomeUnknown" | "PermissionDenied" | "OperationRefused" | "RateLimited"
  /** The same with a token that was obtained for this call, where that differs. */
  readonly withNewToken?: Omit<ChangeUnderFault, "withNewToken">
}

/** What becomes of a change under each fault with its defaults. A test holds the client and the gateway to it. */
export const changesUnderFaults = {
  latency: { isCarriedOut: true, client: "success" },
  noResponse: { isCarriedOut: "byEffect", client: "OutcomeUnknown" },
  connectionReset: { isCarriedOut: "byEffect", client: "OutcomeUnknown" },
  commitLater: { isCarriedOut: "later", client: "OutcomeUnknown" },
  slowBody: { isCarriedOut: true, client: "success" },
  truncatedBody: { isCarriedOut: true, client: "OutcomeUnknown" },
  wrongContentType: { isCarriedOut: true, client: "success" },
  htmlForbidden: { isCarriedOut: false, client: "PermissionDenied" },
  htmlBadGateway: { isCarriedOut: "byEffect", client: "OutcomeUnknown" },
  tokenRefused: {
    isCarriedOut: true,
    client: "success",
    withNewToken: { isCarriedOut: false, client: "PermissionDenied" }
  },
  refusal: { isCarriedOut: false, client: "OperationRefused" },
  rateLimited: { isCarriedOut: false, client: "RateLimited" },
  serverError: { isCarriedOut: "byEffect", client: "OutcomeUnknown" },
  malformedJson: { isCarriedOut: true, client: "OutcomeUnknown" },
  wrongShape: { isCarriedOut: true, client: "OutcomeUnknown" },
  unknownEnumValues: { isCarriedOut: true, client: "OutcomeUnknown" },
  extraMembers: { isCarriedOut: true, client: "success" },
  nullMembers: { isCarriedOut: true, client: "success" },
  hugeBody: { isCarriedOut: true, client: "OutcomeUnknown" }
} as const satisfies { readonly [Name in Fault["type"]]: ChangeUnderFault }

/** Whether the gateway carried out the request before the fault, or did not get that far. */
export type CommitState = (typeof effect)["default"]

type Complete<F> = F extends Fault ? Required<F> : never

/** A fault with all its parameters. */
export type CompleteFault = Complete<Fault>

/**
 * An operation of a client, by the name of its method; `getAccessToken` is the request for a token. Those of API v4
 * begin with `v4.`.
 */
export type GatewayOperation = keyof GatewayOperations | "getAccessToken" | NameOfV4

/** A fault and the requests that it is to hit. */
export interface FaultArming {
  /** The fault. */
  readonly fault: Fault
  /** Only requests for this. Default: any request of either API, also one for a token. */
  readonly operation?: GatewayOperation
  /** The number of requests it hits. Default: 1. */
  readonly calls?: number
}

/** A fault that waits for its requests. */
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

/** The requests that a fault is to hit. */
export type ArmingOptions = Omit<FaultArming, "fault">

/**
 * Faults at random, for chaos runs: the same seed gives the same faults to the same order of requests, whatever else
 * the gateway draws.
 */
export interface RandomFaults {
  /** The seed of the random choice. */
  readonly seed: string | number
  /** The probability that a request has a fault: from 0 to 1. */
  readonly probability: number
  /** The faults to choose from, each as likely as the others; at least one. */
  readonly faults: ReadonlyArray<Fault>
}
