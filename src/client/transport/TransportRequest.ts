/**
 * One request to the gateway and its outcome: a response, or a failure that says whether the request may have been
 * sent.
 */

/** A request as it goes on the wire. */
export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
  /** It changes something at the gateway, whatever its method: it must reach the gateway once at most. */
  readonly isChange: boolean
  /** Asked right before the gateway may see any of it: `false` holds it back. */
  readonly mayHandOver?: (() => boolean) | undefined
  /** Called right before the gateway may see any of it. What ends earlier was certainly not sent. */
  readonly onSend?: (() => void) | undefined
}

/** A complete response, or the head of one whose body is longer than the limit. */
export interface TransportResponse {
  readonly status: number
  /** The body; `undefined` when it is longer than the limit. */
  readonly data: ArrayBuffer | undefined
  readonly header: (name: string) => string | undefined
}

/** The longest time that a timer can wait for, in milliseconds: 24 days. */
export const longestTimer = 2_147_483_647
