/**
 * One request to the gateway and what came of it: an answer, or the certainty or doubt that it was sent.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** A request as it goes on the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "DELETE"
  readonly url: string
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

/** A complete answer. */
export interface Answer {
  readonly status: number
  readonly data: ArrayBuffer
  readonly header: (name: string) => string | undefined
}

/** No complete answer came. */
export interface NoAnswer {
  readonly _tag: "NoAnswer"
  /** `certainly not`: no connection was made, or nothing reached the transport. Else the gateway may have the request. */
  readonly wasSent: "certainly not" | "perhaps"
  readonly isTimeout: boolean
  /** The system's error code, such as `ECONNRESET`. */
  readonly code: string | undefined
  /** The name of the failure, such as `TypeError`, where there is no code. */
  readonly name: string | undefined
}

/** Sends one request and reads the whole answer, within a time limit that covers connecting, headers and body. */
export type Exchange = (request: WireRequest, limit: Duration.Duration) => Effect.Effect<Answer, NoAnswer>

/** No complete answer came within the limit. */
export const timedOut: NoAnswer = {
  _tag: "NoAnswer",
  wasSent: "perhaps",
  isTimeout: true,
  code: undefined,
  name: undefined
}

/** What a failure of the transport, such as a rejection of `fetch`, tells. */
export const noAnswer = (failure: unknown): NoAnswer => {
  const codes = systemCodes(failure)
  const isUnsent = codes.every((code) => code !== undefined && connectFailures.has(code))
  return {
    _tag: "NoAnswer",
    wasSent: isUnsent ? "certainly not" : "perhaps",
    isTimeout: false,
    code: codes[0],
    name: failure instanceof Error && /^[A-Za-z]{1,40}$/.test(failure.name) ? failure.name : undefined
  }
}

/** The codes of a connection that was never made. Anything else may have been sent. */
const connectFailures = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

/** The codes at the root of a failure, one for each address that was tried; `undefined` for a root without one. */
const systemCodes = (failure: unknown, depth = 0): ReadonlyArray<string | undefined> => {
  if (!Predicate.isObject(failure) || depth === 8) return [undefined]
  const { cause, code, errors } = failure
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap((error) => systemCodes(error, depth + 1))
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? [code] : systemCodes(cause, depth + 1)
}
