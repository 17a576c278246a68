/**
 * An `HttpClient` that is a sender of ours: requests go to it directly, which saves a good part of a call's time. A
 * client made of it by `HttpClient.mapRequest` and the like is another one, and is called like any.
 */
import type * as HttpClient from "effect/http/HttpClient"
import * as Context from "effect/Context"
import type { Sender } from "./Sender.js"

const direct = Symbol.for("effect-gopay/DirectSender")

interface DirectHttpClient extends HttpClient.HttpClient {
  readonly [direct]: Sender
}

/** Marks a client as one that does nothing but send by this sender. */
export const sentDirectly = (http: HttpClient.HttpClient, sender: Sender): DirectHttpClient =>
  Object.assign(http, { [direct]: sender })

const isDirect = (http: HttpClient.HttpClient): http is DirectHttpClient => direct in http

/** The sender of a client, if it is nothing else. */
export const senderOf = (http: HttpClient.HttpClient): Sender | undefined => (isDirect(http) ? http[direct] : undefined)

interface RequestFacts {
  readonly isChange: boolean
  /** Milliseconds that it may take. */
  readonly time: number
  /** How many bytes of the response are read. */
  readonly bytes: number
}

/** The facts of the request that the fiber is about to send; `undefined` for one that is not of this package. */
export const RequestFacts: Context.Reference<RequestFacts | undefined> = Context.Reference<RequestFacts | undefined>(
  "effect-gopay/RequestFacts",
  { defaultValue: () => undefined }
)
