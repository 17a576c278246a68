/**
 * Handing one request over to a client of the caller's, which may prepare it again to repeat it, or send it more than once.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { addressOf, bindFacts, factsOfBody, outgoing, type Outgoing, type RequestFacts } from "./RequestFacts.js"
import type { SenderLimits, TransportRequest, TransportResponse } from "./Sender.js"
import {
  brokenOff,
  handedOverAgain,
  heldBack,
  isTransportFailure,
  type TransportFailure,
  unsentByClient,
  waitingEnded
} from "./TransportFailure.js"

type AnyFiber = Fiber.Fiber<unknown, unknown>

type IsTracerDisabled = (request: HttpClientRequest.HttpClientRequest) => boolean

/** What was given, by what watches in its place. */
const unwatched = new WeakMap<IsTracerDisabled, IsTracerDisabled>()

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
 * Nor is it sent by what does not look into its body. So once something that asked for no `Sending` has, it may have been
 * sent, and none may begin with it any more. Where it is not seen who begins, as in a fiber of someone else's, none may
 * look into it any more.
 *
 * A client may send requests of its own meanwhile, for a secret or an audit log. They are none of the change's: they go to another
 * address, and without its credentials.
 */
export const make = (request: TransportRequest, limits: SenderLimits) => {
  const { isChange, mayHandOver, onNotTaken, onSend, provesNotTaken = () => false } = request
  let prepared: HttpClientRequest.HttpClientRequest | undefined
  let stopped: TransportFailure | undefined
  /** A client at work on it. What it reads is its sending's, if it asks for one at once. */
  let execution: { readonly fiber: AnyFiber | undefined } | undefined
  /** A client has begun while another one had, within it or beside it. */
  let isNested = false
  /** Something has it that does not say whether it sends it. */
  let mayBeSentUnseen = false
  /** Something has looked into its body that may send it, and has asked for no sending. */
  let isLookedInto = false
  /** Who has looked into its body last. That goes on until something else can have happened. */
  let look: { readonly fiber: AnyFiber | undefined; goesOn: boolean } | undefined
  let seesBeginnings: (fiber: AnyFiber) => boolean = () => false
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

  /** Whether a client may have sent it, of which the gateway may have taken it. */
  const mayBeSent = (): boolean => isLookedInto || inDoubt() !== undefined

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

  const noteLook = (): void => {
    noteReading()
    const fiber = Fiber.getCurrent()
    const before = look
    if (before?.goesOn === true && before.fiber === fiber) return
    const isSeen = fiber !== undefined && seesBeginnings(fiber)
    const begun = { fiber, goesOn: !isSeen }
    look = begun
    if (isSeen && execution === undefined) return
    if (!isSeen || (isNested && isLookedInto && before?.fiber !== fiber)) goOnOrThrow(mayBeSent())
    isLookedInto = true
    if (isSeen) return
    queueMicrotask(() => {
      begun.goesOn = false
    })
  }

  /** The same request, which says when its headers or its body are read, to be sent or to make another one of it. */
  const watched = (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
    const { headers } = request
    const body = new Proxy(request.body, {
      get: (body: HttpBody.HttpBody, name) => {
        noteLook()
        return Reflect.get(body, name)
      }
    })
    bindFacts(body, facts)
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

  /** The same where only an exception can end what a client does. */
  const goOnOrThrow = (isTaken: boolean): void => {
    if (!mayGoOn(isTaken)) throw new Error("The change may have been sent before. It is not sent again.")
  }

  /** What is known of a change whose repetition was stopped. */
  const knownWhenStopped = (): Effect.Effect<TransportResponse, TransportFailure> => {
    const sending = inDoubt() ?? (isLookedInto ? undefined : sendings.findLast(({ wasStopped }) => !wasStopped))
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

  /** Whether a sending proves nothing of the change. Of one client whose sendings are not seen, its end is all that is known. */
  const isAnotherInDoubt = (): boolean =>
    inDoubt() !== undefined || (isLookedInto && sendings.some(({ wasHandedOver }) => wasHandedOver))

  /** To be called when the call has ended. What goes on after it must not make wrong what is said of it. */
  const close = (): void => {
    isClosed ||= !mayBeTaken()
  }

  /** To be called when a client made by `HttpClient.make` begins with a request, before it reads it. */
  const executing = (made: HttpClientRequest.HttpClientRequest): void => {
    const isWatched = made === prepared || factsOfBody(made.body) === facts
    if (!isWatched && !isOwn(outgoing(made))) return
    if (isChange) goOnOrThrow(mayBeSent())
    mayBeSentUnseen ||= execution !== undefined
    isNested ||= execution !== undefined
    execution = { fiber: Fiber.getCurrent() }
    // Of a body that someone has put in its place no look is seen.
    isLookedInto ||= isChange && !isWatched
    report()
  }

  const facts: RequestFacts = {
    isChange,
    ...limits,
    sending: (outgoing) => {
      if (!isOwn(outgoing)) return undefined
      const state: SendingState = {
        outgoing,
        wasHandedOver: false,
        wasStopped: false,
        hasEnded: false,
        outcome: undefined
      }
      sendings.push(state)
      if (isExecutedHere() || (look !== undefined && look.fiber === Fiber.getCurrent())) isLookedInto = false
      if (isExecutedHere()) execution = undefined
      report()
      return {
        mayHandOver: () => {
          const may = mayGoOn(mayBeSent())
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
    }
  }

  return {
    facts,
    /** `makeRequest` makes another one each time, since the one before is watched. */
    prepared: (http: HttpClient.HttpClient, makeRequest: () => HttpClientRequest.HttpClientRequest) =>
      Effect.suspend(() =>
        Effect.flatMap(http.preprocess(makeRequest()), (made) => {
          // Of a client that has read it and asked for no sending, nothing is known but that it was given the request.
          const isKnown = (sendings.length > 0 && sendings.every(isNotTaken)) || !mayBeTaken()
          if (!mayGoOn(isLookedInto || (prepared !== undefined && !isKnown))) return Effect.interrupt
          prepared = isChange ? watched(made) : made
          return Effect.succeed(prepared)
        })
      ),
    /** Has clients made by `HttpClient.make` say when they begin: it is the first that they ask. */
    watching: (given: IsTracerDisabled): IsTracerDisabled => {
      // A call that a client makes while it sends another one is none of that one's.
      const isDisabled = unwatched.get(given) ?? given
      const watching: IsTracerDisabled = (made) => {
        executing(made)
        return isDisabled(made)
      }
      unwatched.set(watching, isDisabled)
      seesBeginnings = (fiber) =>
        fiber.getRef(HttpClient.TracerDisabledWhen) === watching && !fiber.getRef(Tracer.DisablePropagation)
      return watching
    },
    close,
    /** Whether something was kept from sending a change that may have been sent. */
    wasStopped: (): boolean => stopped === handedOverAgain,
    /** Whether a response is of another request than was prepared, as after a redirect that the client has followed. */
    isOfAnother: ({ request }: HttpClientResponse.HttpClientResponse): boolean =>
      prepared !== undefined && request !== prepared && !isSameAddress(request, prepared),
    /** A client may choose among responses: a refusal proves nothing while another sending is in doubt. */
    answered: (response: TransportResponse): Effect.Effect<TransportResponse, TransportFailure> => {
      return isChange && provesNotTaken(response) && isAnotherInDoubt()
        ? Effect.fail(failureIn(inDoubt()?.outcome) ?? waitingEnded)
        : Effect.succeed(response)
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
      // A client that sends more than one may fail with what only one of them ended with.
      const isInDoubt = isChange && known.wasSent === "certainly not" && isAnotherInDoubt()
      return Effect.fail(isInDoubt ? (failureIn(inDoubt()?.outcome) ?? waitingEnded) : known)
    }
  }
}

const failureIn = (outcome: SendingState["outcome"]): TransportFailure | undefined =>
  outcome !== undefined && isTransportFailure(outcome) ? outcome : undefined

const isSameAddress = (one: HttpClientRequest.HttpClientRequest, other: HttpClientRequest.HttpClientRequest): boolean =>
  one.method === other.method && addressOf(one) === addressOf(other)
