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

/** What a failure of the transport before any answer, such as a rejection of `fetch`, tells. */
export const noAnswer = (failure: unknown): NoAnswer => {
  const codes = systemCodes(failure)
  const isUnsent = codes.every((code) => code !== undefined && connectFailures.has(code))
  return { ...brokenOff(failure), wasSent: isUnsent ? "certainly not" : "perhaps" }
}

/** What a failure of the transport tells after the answer has begun: the request was sent, whatever the failure says. */
export const brokenOff = (failure: unknown): NoAnswer => ({
  _tag: "NoAnswer",
  wasSent: "perhaps",
  isTimeout: false,
  code: systemCodes(failure)[0],
  name: nameOf(failure)
})

/** What a transport throws may be anything, also something that throws when it is looked at. */
const nameOf = (failure: unknown): string | undefined => {
  try {
    return failure instanceof Error && /^[A-Za-z]{1,40}$/.test(failure.name) ? failure.name : undefined
  } catch {
    return undefined
  }
}

/** The codes of a connection that was never made. Anything else may have been sent. */
const connectFailures = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

/** The codes at the roots of a failure, one for each address that was tried; `undefined` for a root without one. */
const systemCodes = (failure: unknown): ReadonlyArray<string | undefined> => {
  try {
    const codes: Array<string | undefined> = []
    const seen = new Set<unknown>()
    const open: Array<unknown> = [failure]
    while (open.length > 0 && seen.size < 100) {
      const next = open.shift()
      if (!Predicate.isObject(next) || seen.has(next)) {
        codes.push(undefined)
        continue
      }
      seen.add(next)
      const { cause, code, errors } = next
      if (Array.isArray(errors) && errors.length > 0) open.push(...errors.slice(0, 100))
      else if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) codes.push(code)
      else open.push(cause)
    }
    return open.length === 0 ? codes : [...codes, undefined]
  } catch {
    return [undefined]
  }
}
