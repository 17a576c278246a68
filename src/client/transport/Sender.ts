/**
 * The senders of requests, one for each platform, without Effect: `#transport` is the module that makes one.
 */
import type { TransportFailure } from "./TransportFailure.js"

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
  /** It changes something at the gateway, whatever its method: it must reach the gateway at most once. */
  readonly isChange: boolean
  /** Called right before the gateway may see any part of it: `false` holds it back. */
  readonly mayHandOver?: (() => boolean) | undefined
  /** Called right before the gateway may see any part of it. A request that ends earlier was certainly not sent. */
  readonly onSend?: (() => void) | undefined
  /**
   * Called after `onSend` if it turns out that the gateway certainly did not carry it out. `onSend` may follow again.
   */
  readonly onNotTaken?: (() => void) | undefined
  /** Whether a response proves that the gateway did not carry out a change. */
  readonly provesNotTaken?: ((response: TransportResponse) => boolean) | undefined
}

/** A complete response, or the head of one whose body is longer than the limit. */
export interface TransportResponse {
  readonly status: number
  /** The body; `undefined` if it exceeds the limit. */
  readonly data: ArrayBuffer | undefined
  readonly header: (name: string) => string | undefined
  /** It is the response to another request, as after a redirect that was followed. */
  readonly isOfAnother?: boolean | undefined
  /** The caller's client has read its body without keeping it. */
  readonly isBodyTaken?: boolean | undefined
}

/** The longest time that a timer can wait for, in milliseconds: 24 days. */
export const maxTimer = 2_147_483_647

/** A request whose body may also be bytes. */
export interface SenderRequest extends Omit<TransportRequest, "body"> {
  readonly body: string | Uint8Array | undefined
}

export interface SenderLimits {
  /** Milliseconds for connecting, headers and body together. */
  readonly time: number
  /** The most bytes of a body that are read, after decompression. */
  readonly bytes: number
}

/** Receives the outcome of a request, once. */
export type Settle<in Response = TransportResponse> = (outcome: Response | TransportFailure) => void

/** Sends requests over connections that it keeps. */
export interface Sender<out Response = TransportResponse, in Request = TransportRequest> {
  /** Sends one request, within limits. Returns a function that ends it; then nothing is settled. */
  readonly send: (request: Request, limits: SenderLimits, settle: Settle<Response>) => () => void
  /** Closes idle connections; nothing is sent after that. */
  readonly close: () => void
}

/** An agent of `node:http` or `node:https`, or one that goes through a proxy, such as those of `https-proxy-agent`. */
export interface ConnectionAgent {
  /** The sockets in use, by host. */
  readonly sockets: object
  /** The requests that wait for a socket, by host. */
  readonly requests: object
  /** Closes the sockets. It is not called here: the agent belongs to the caller. */
  readonly destroy: () => void
}

/** How the caller wants requests to be sent: at most one of the two is set. */
export interface SenderOptions {
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly agent?: ConnectionAgent | undefined
}

/** The export of `#transport`. */
export type MakeSender = (options: SenderOptions) => Sender
