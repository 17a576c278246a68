/**
 * What sends a request of this package may know of it, and says when it does.
 */
import * as Context from "effect/Context"
import type * as Fiber from "effect/Fiber"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import type { SenderLimits, TransportRequest, TransportResponse } from "./Sender.js"
import type { TransportFailure } from "./TransportFailure.js"

/** What a client is about to send: the request, or one of the client's own, such as a line for an audit log. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
}

/** One sending of a request, by a client that says when it hands it over, and how that ended. */
export interface Sending {
  /** Asked right before the gateway may see any of it: `false` holds it back. */
  readonly mayHandOver: () => boolean
  /** Called when it has ended; without an outcome when it was given up. The first call counts. */
  readonly end: (outcome?: TransportResponse | TransportFailure) => void
}

export interface RequestFacts extends SenderLimits, Pick<TransportRequest, "isChange"> {
  /**
   * To be called by what sends something, each time it does, when it has read all of it: whoever reads it afterwards may
   * send it, too. `undefined` where that is not the request.
   */
  readonly sending: (outgoing: Outgoing) => Sending | undefined
}

/** The facts of the request that the fiber is about to send; `undefined` for one that is not of this package. */
export const RequestFacts: Context.Reference<RequestFacts | undefined> = Context.Reference<RequestFacts | undefined>(
  "effect-gopay/RequestFacts",
  { defaultValue: () => undefined }
)

/** The facts of changes by their bodies, which go into fibers of other people, too. */
const byBody = new WeakMap<HttpBody.HttpBody, RequestFacts>()

/** Has what sends this body anywhere know these facts. */
export const bindFacts = (body: HttpBody.HttpBody, facts: RequestFacts): void => {
  byBody.set(body, facts)
}

/** The facts that go with a body. */
export const factsOfBody = (body: HttpBody.HttpBody): RequestFacts | undefined => byBody.get(body)

/** The facts of a request that a fiber is about to send. */
export const factsOf = (
  { body }: HttpClientRequest.HttpClientRequest,
  fiber: Fiber.Fiber<unknown, unknown>
): RequestFacts | undefined => factsOfBody(body) ?? fiber.getRef(RequestFacts)

/** What a client of Effect's is about to send. */
export const outgoing = (request: HttpClientRequest.HttpClientRequest): Outgoing => ({
  method: request.method,
  url: addressOf(request) ?? request.url,
  authorization: request.headers["authorization"]
})

export const addressOf = (request: HttpClientRequest.HttpClientRequest): string | undefined =>
  Option.getOrUndefined(HttpClientRequest.toUrl(request))?.href
