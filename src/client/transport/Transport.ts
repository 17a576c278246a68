/**
 * The transport as programs see it.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { TransportFailure } from "./TransportFailure.js"
import type { TransportRequest, TransportResponse } from "./Sender.js"

/** The time and the bytes that one request may take. */
interface TransportLimits {
  /** For connecting, headers and body together. */
  readonly time: Duration.Duration
  /** How many bytes of a body are read, after decompression. */
  readonly bytes: number
}

/** A request, and what has to allow it first. */
interface CheckedRequest extends TransportRequest {
  /** The pre-send check of a change, beside `onSend`: see `BeforeSend`. */
  readonly check?: Effect.Effect<boolean | number, unknown> | undefined
}

/** Sends one request, if its check allows that, and reads the whole response, within limits. */
export type Transport = (
  request: CheckedRequest,
  limits: TransportLimits
) => Effect.Effect<TransportResponse, TransportFailure>
