/**
 * Handing one request over to a client of the caller's, which may prepare it again to repeat it, or send it more than once.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import type { TransportRequest, TransportResponse } from "./Sender.js"
import {
  brokenOff,
  handedOverAgain,
  heldBack,
  isTransportFailure,
  type TransportFailure,
  unsentByClient,
  waitingEnded
} from "./TransportFailure.js"

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

interface SendingState {
  readonly outgoing: Outgoing
  wasHandedOver: boolean
  wasStopped: boolean
  hasEnded: boolean
  outcome: TransportResponse | TransportFailure | undefined
}

/**
 * Hands one request over to the caller's client. A client may run the preparation again to repeat it, as
 * `HttpClient.retry` does; or what sends it, which those see that ask for a `Sending`. A change goes on there only if
 * each sending before is known not to have been taken: nothing reached the gateway, or it was refused.
 *
 * Whatever sends a request has to read its headers, which have the credentials, and a client made by `HttpClient.make` says
 * when it begins. So a change is not sent if none has begun, and nothing has read its headers or its body, but what
 * asked for a `Sending`: whichever client it was given to.
 *
 * A client may send requests of its own meanwhile, for a secret or an audit log. They are none of the change's: they go to another
 * address, and without its credentials.
 */
export const make = (request: TransportRequest) => {
  const { isChange, mayHandOver, onNotTaken, onSend, provesNotTaken = () => false } = request
  let prepared: HttpClientRequest.HttpClientRequest | undefined
  let stopped: TransportFailure | undefined
  /** A client at work on it. What it reads is its sending's, if it asks for one at once. */
  let execution: { readonly fiber: Fiber.Fiber<unknown, unknown> | undefined } | undefined
  /** Something has it that does not say whether it sends it. */
  let mayBeSentUnseen = false
  let isReportedAsTaken = false
  /** The call has ended without a doubt: nothing may be sent any more. */
  let isClosed = false
  const sendings: Array<SendingState> = []

  /** Whether it goes where the request was to go. The client may have prepared it for another address. */
  const isOfRequest = ({ method, url }: Outgoing): boolean => {
    const known = prepared === undefined ? new URL(request.url).href : addressOf(prepared)
    return method === (prepared ?? request).method && url === known
  }

  /** Whether it may carry the request somewhere. */
  const isOwn = (outgoing: Outgoing): boolean =>
    outgoing.authorization === request.headers["authorization"] || isOfRequest(outgoing)

  const isNotTaken = ({ hasEnded, outcome, outgoing, wasHandedOver }: SendingState): boolean => {
    if (!hasEnded) return false
    if (!wasHandedOver) return true
    if (outcome === undefined) return false
    return isTransportFailure(outcome)
      ? outcome.wasSent === "certainly not"
      : isOfRequest(outgoing) && provesNotTaken(outcome)
  }
  const inDoubt = (): SendingState | undefined =>
    sendings.find((sending) => sending.wasHandedOver && !isNotTaken(sending))

  /** Whether the gateway may have taken it, or may be about to. */
  const mayBeTaken = (): boolean => mayBeSentUnseen || execution !== undefined || inDoubt() !== undefined

  const report = (): void => {
    if (mayBeTaken() === isReportedAsTaken) return
    isReportedAsTaken = !isReportedAsTaken
    if (isReportedAsTaken) onSend?.()
    else onNotTaken?.()
  }

  const isExecutedHere = (): boolean => execution !== undefined && execution.fiber === Fiber.getCurrent()

  const noteReading = (): void => {
    if (isClosed) throw new Error("The call has ended. Its request is sent no more.")
    mayBeSentUnseen ||= !isExecutedHere()
    report()
  }

  /** The same request, which says when its headers or its body are read, to be sent or to make another one of it. */
  const watched = (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
    const { body, headers } = request
    const isWatched = Object.entries({ body, headers }).every(([name, value]) => {
      const get = (): unknown => {
        noteReading()
        return value
      }
      return Reflect.defineProperty(request, name, { get, enumerable: true, configurable: true })
    })
    if (!isWatched) noteReading()
    return request
  }

  /** Whether the request may go on, which may have been sent before. */
  const mayGoOn = (isTaken: boolean): boolean => {
    if (isClosed) return false
    if (isChange && isTaken) stopped = handedOverAgain
    else if (mayHandOver?.() === false) stopped = heldBack
    else return true
    return false
  }

  /** What is known of a change whose repetition was stopped. */
  const knownWhenStopped = (): Effect.Effect<TransportResponse, TransportFailure> => {
    const sending = inDoubt() ?? sendings.findLast(({ wasStopped }) => !wasStopped)
    if (sending?.outcome === undefined) return Effect.fail(handedOverAgain)
    if (isTransportFailure(sending.outcome)) return Effect.fail(sending.outcome)
    return isOfRequest(sending.outgoing) ? Effect.succeed(sending.outcome) : Effect.fail(handedOverAgain)
  }

  /** What is known of a change that certainly was not taken: how its last sending ended, if there was one. */
  const knownWhenNotTaken = ({ isTimeout }: TransportFailure): Effect.Effect<TransportResponse, TransportFailure> => {
    const outcome = sendings.findLast(({ wasStopped }) => !wasStopped)?.outcome
    if (outcome === undefined) return Effect.fail({ ...unsentByClient, isTimeout })
    return isTransportFailure(outcome) ? Effect.fail({ ...outcome, wasSent: "certainly not" }) : Effect.succeed(outcome)
  }

  /** To be called when the call has ended. What goes on after it must not make wrong what is said of it. */
  const close = (): void => {
    isClosed ||= !mayBeTaken()
  }

  return {
    /** `makeRequest` makes another one each time, since the one before is watched. */
    prepared: (http: HttpClient.HttpClient, makeRequest: () => HttpClientRequest.HttpClientRequest) =>
      Effect.suspend(() =>
        Effect.flatMap(http.preprocess(makeRequest()), (made) => {
          // Of a client that has read it and asked for no sending, nothing is known but that it was given the request.
          const isKnown = (sendings.length > 0 && sendings.every(isNotTaken)) || !mayBeTaken()
          if (!mayGoOn(prepared !== undefined && !isKnown)) return Effect.interrupt
          prepared = isChange ? watched(made) : made
          return Effect.succeed(prepared)
        })
      ),
    /** To be called when a client made by `HttpClient.make` begins with a request, before it reads it. */
    executing: (made: HttpClientRequest.HttpClientRequest): void => {
      if (made !== prepared && !isOwn(outgoing(made))) return
      mayBeSentUnseen ||= execution !== undefined
      execution = { fiber: Fiber.getCurrent() }
      report()
    },
    /** None of a request of the client's own. */
    sending: (outgoing: Outgoing): Sending | undefined => {
      if (!isOwn(outgoing)) return undefined
      const state: SendingState = {
        outgoing,
        wasHandedOver: false,
        wasStopped: false,
        hasEnded: false,
        outcome: undefined
      }
      sendings.push(state)
      if (isExecutedHere()) execution = undefined
      report()
      return {
        mayHandOver: () => {
          const may = mayGoOn(inDoubt() !== undefined)
          state.wasHandedOver ||= may
          state.wasStopped ||= !may
          report()
          return may
        },
        end: (outcome) => {
          if (state.hasEnded) return
          state.hasEnded = true
          state.outcome = outcome
          report()
        }
      }
    },
    close,
    /** Whether a response is of another request than was prepared, as after a redirect that the client has followed. */
    isOfAnother: ({ request }: HttpClientResponse.HttpClientResponse): boolean =>
      prepared !== undefined && request !== prepared && !isSameAddress(request, prepared),
    /** A client may choose among responses: a refusal proves nothing while another sending is in doubt. */
    answered: (response: TransportResponse): Effect.Effect<TransportResponse, TransportFailure> => {
      const other = isChange && provesNotTaken(response) ? inDoubt() : undefined
      if (other === undefined) return Effect.succeed(response)
      return Effect.fail(failureIn(other.outcome) ?? waitingEnded)
    },
    /** A client may interrupt itself: then nothing is known about what it did before. A defect stays one. */
    failed: (cause: Cause.Cause<TransportFailure>): Effect.Effect<TransportResponse, TransportFailure> => {
      close()
      if (stopped === handedOverAgain) return knownWhenStopped()
      if (stopped !== undefined) return Effect.fail(stopped)
      const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
      if (failure === undefined && Cause.hasDies(cause)) return Effect.failCause(cause)
      const known = failure ?? brokenOff(Cause.squash(cause))
      if (prepared === undefined) return Effect.fail({ ...known, wasSent: "certainly not" })
      if (isChange && !mayBeTaken()) return knownWhenNotTaken(known)
      const other = isChange && known.wasSent === "certainly not" ? inDoubt() : undefined
      // A client that sends more than one may fail with what only one of them ended with.
      return Effect.fail(other === undefined ? known : (failureIn(other.outcome) ?? waitingEnded))
    }
  }
}

const failureIn = (outcome: SendingState["outcome"]): TransportFailure | undefined =>
  outcome !== undefined && isTransportFailure(outcome) ? outcome : undefined

const isSameAddress = (one: HttpClientRequest.HttpClientRequest, other: HttpClientRequest.HttpClientRequest): boolean =>
  one.method === other.method && addressOf(one) === addressOf(other)

/** What a client of Effect's is about to send. */
export const outgoing = (request: HttpClientRequest.HttpClientRequest): Outgoing => ({
  method: request.method,
  url: addressOf(request) ?? request.url,
  authorization: request.headers["authorization"]
})

const addressOf = (request: HttpClientRequest.HttpClientRequest): string | undefined =>
  Option.getOrUndefined(HttpClientRequest.toUrl(request))?.href
