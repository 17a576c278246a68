/**
 * A request without a complete response, and whether it may have been sent.
 */
import { isError } from "../../basics/AnyRealm.js"

export interface TransportFailure {
  readonly _tag: "TransportFailure"
  /**
   * `certainly not`: no connection was made, or nothing reached the transport. Else the gateway may have the request.
   */
  readonly wasSent: "certainly not" | "perhaps"
  readonly isTimeout: boolean
  /** The system's error code, such as `ECONNRESET`. */
  readonly code: string | undefined
  /** The name of the failure, such as `TypeError`, if there is no code. */
  readonly name: string | undefined
  /** The failure of the application's own check: see `BeforeSend`. */
  readonly cause?: unknown
}

/** Whether a request has failed. A response has no own `_tag`, whatever someone has put on `Object.prototype`. */
export const isTransportFailure = (outcome: object): outcome is TransportFailure => Object.hasOwn(outcome, "_tag")

/** The `code` with which a transport declares that it certainly sent nothing. The `cause` is the failure itself. */
export const notSentCode = "ERR_NOT_SENT"

/** No complete response came within the limit. */
export const timedOut: TransportFailure = {
  _tag: "TransportFailure",
  wasSent: "perhaps",
  isTimeout: true,
  code: undefined,
  name: undefined
}

/** The request was held back before the gateway could see any of it: see `BeforeSend`. */
export const heldBack: TransportFailure = {
  _tag: "TransportFailure",
  wasSent: "certainly not",
  isTimeout: false,
  code: undefined,
  name: "HeldBack"
}

/** The caller's client ended a change by itself, without having sent it. */
export const unsentByClient: TransportFailure = { ...heldBack, name: "UnsentByClient" }

/** The caller's client tried to send a change again: the outcome of the first sending is unknown. */
export const handedOverAgain: TransportFailure = {
  _tag: "TransportFailure",
  wasSent: "perhaps",
  isTimeout: false,
  code: undefined,
  name: "HandedOverAgain"
}

/**
 * The caller's client looked into a change, as what sends it does, and made another request of it, which was stopped. No sending of
 * it was seen; a client may send without one being seen.
 */
export const handedOverAfterLook: TransportFailure = { ...handedOverAgain, name: "HandedOverAfterLook" }

/** The caller's client sent a change, and gave up waiting for the response. */
export const waitingEnded: TransportFailure = { ...handedOverAgain, name: "WaitingEnded" }

/** The meaning of a transport failure before any response, such as a rejection of `fetch`. */
export const transportFailure = (failure: unknown): TransportFailure => {
  const wasNotSent = rootsOf(failure).every((root) => root !== undefined && isUnsent(root))
  return { ...brokenOff(failure), wasSent: wasNotSent ? "certainly not" : "perhaps" }
}

/** The meaning of a transport failure after the response has begun: the request was sent, whatever the failure says. */
export const brokenOff = (failure: unknown): TransportFailure => ({
  _tag: "TransportFailure",
  wasSent: "perhaps",
  isTimeout: false,
  code: rootsOf(failure)[0]?.code,
  name: nameOf(failure)
})

/** A transport may throw anything, even an object whose getters throw. */
const nameOf = (failure: unknown): string | undefined => {
  try {
    return isError(failure) && /^[A-Za-z]{1,40}$/.test(failure.name) ? failure.name : undefined
  } catch {
    return undefined
  }
}

/**
 * A defect of the caller's client in a form that is safe to print: its name, and where it was thrown. Its message, and
 * everything else in it, may contain the request and its credentials.
 */
export const withoutMessage = (defect: unknown): Error => {
  const shown = new Error("What it says is left out, since it may hold what was sent.")
  shown.name = nameOf(defect) ?? "Error"
  shown.stack = `${shown.name}: ${shown.message}${framesOf(defect)}`
  return shown
}

const framesOf = (failure: unknown): string => {
  try {
    if (!isError(failure)) return ""
    const { message, stack = "" } = failure
    return /(\n +at .*)+$/.exec(stack.slice(stack.lastIndexOf(message) + message.length))?.[0] ?? ""
  } catch {
    return ""
  }
}

interface Root {
  readonly code: string
  /** The transport declares that it sent nothing. */
  readonly isDeclared: boolean
  /** The system call that failed, such as `connect`. */
  readonly syscall: unknown
}

/** True if no connection was made. After any other failure the request may have been sent. */
const isUnsent = ({ code, isDeclared, syscall }: Root): boolean =>
  isDeclared || connectFailures.has(code) || untrusted.has(code) || (syscall === "connect" && noRoute.has(code))

const connectFailures = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

/** Codes that may also end an established connection. */
const noRoute = new Set(["EADDRNOTAVAIL", "EHOSTDOWN", "EHOSTUNREACH", "ENETDOWN", "ENETUNREACH", "ETIMEDOUT"])

/** Codes for an untrusted certificate: nothing is sent before it is trusted. */
const untrusted = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
])

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null

const isCode = (code: unknown): code is string => typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)

/** The root causes of a failure, one for each address that was tried; `undefined` for a cause without a code. */
const rootsOf = (failure: unknown): ReadonlyArray<Root | undefined> => {
  try {
    const roots: Array<Root | undefined> = []
    const seen = new Set<unknown>()
    const open: Array<unknown> = [failure]
    while (open.length > 0 && seen.size < 100) {
      const next = open.shift()
      if (!isObject(next) || seen.has(next)) {
        roots.push(undefined)
        continue
      }
      seen.add(next)
      const { cause, code, errors, syscall } = next
      if (Array.isArray(errors) && errors.length > 0) open.push(...errors.slice(0, 100))
      else if (code === notSentCode) roots.push({ code: rootsOf(cause)[0]?.code ?? code, isDeclared: true, syscall })
      else if (isCode(code)) roots.push({ code, isDeclared: false, syscall })
      else open.push(cause)
    }
    return open.length === 0 ? roots : [...roots, undefined]
  } catch {
    return [undefined]
  }
}
