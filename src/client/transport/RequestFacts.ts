/**
 * The facts about a request of this package that its sender may know, and the events that it reports.
 */
import * as Context from "effect/Context"
import type * as Fiber from "effect/Fiber"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import type { SenderLimits, TransportRequest, TransportResponse } from "./Sender.js"
import type { TransportFailure } from "./TransportFailure.js"

/** What a client is about to send: the request, or one of the client's own, for example for an audit log. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
}

/** One sending of a request, by a client that reports when it hands the request over and how that ended. */
export interface Sending {
  /** Called right before the gateway may see any part of it: `false` holds it back. */
  readonly mayHandOver: () => boolean
  /** Called when it has ended; without an outcome if it was given up. Only the first call counts. */
  readonly end: (outcome?: TransportResponse | TransportFailure) => void
}

export interface RequestFacts extends SenderLimits, Pick<TransportRequest, "isChange"> {
  /**
   * To be called by a sender, each time that it sends something, once it has read all of it: whatever reads it
   * afterwards may send it as well. `undefined` if that is not the request.
   */
  readonly sending: (outgoing: Outgoing) => Sending | undefined
}

/** The facts about the request that the fiber is about to send; `undefined` if it is not one of this package. */
export const RequestFacts: Context.Reference<RequestFacts | undefined> = Context.Reference<RequestFacts | undefined>(
  "effect-gopay/RequestFacts",
  { defaultValue: () => undefined }
)

/** The facts about changes, by their bodies: they also reach fibers of other people. */
const byBody = new WeakMap<HttpBody.HttpBody, RequestFacts>()

/** Makes the facts known to whatever sends this body. */
export const bindFacts = (body: HttpBody.HttpBody, facts: RequestFacts): void => {
  byBody.set(body, facts)
}

/** The facts that belong to a body. */
export const factsOfBody = (body: HttpBody.HttpBody): RequestFacts | undefined => byBody.get(body)

/** The facts about a request that a fiber is about to send. */
export const factsOf = (
  { body }: HttpClientRequest.HttpClientRequest,
  fiber: Fiber.Fiber<unknown, unknown>
): RequestFacts | undefined => factsOfBody(body) ?? fiber.getRef(RequestFacts)

/** What an Effect client is about to send. */
export const outgoing = (request: HttpClientRequest.HttpClientRequest): Outgoing => ({
  method: request.method,
  url: addressOf(request) ?? request.url,
  authorization: request.headers["authorization"]
})

export const addressOf = (request: HttpClientRequest.HttpClientRequest): string | undefined =>
  Option.getOrUndefined(HttpClientRequest.toUrl(request))?.href
