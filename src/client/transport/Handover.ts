/**
 * Hands one request over to a client of the caller's, which may prepare it again to retry, or send it more than once.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import {
  addressOf,
  bindFacts,
  factsOfBody,
  outgoing,
  type Outgoing,
  type RequestFacts,
  type Sending
} from "./RequestFacts.js"
import type { SenderLimits, TransportRequest, TransportResponse } from "./Sender.js"
import { Sendings, type SendingState } from "./Sendings.js"
import {
  brokenOff,
  handedOverAfterLook,
  handedOverAgain,
  heldBack,
  isTransportFailure,
  type TransportFailure,
  unsentByClient,
  waitingEnded
} from "./TransportFailure.js"

type AnyFiber = Fiber.Fiber<unknown, unknown>

type IsTracerDisabled = (request: HttpClientRequest.HttpClientRequest) => boolean

/** The given value, by the watching value that replaces it. */
const unwatched = new WeakMap<IsTracerDisabled, IsTracerDisabled>()

/** Who last read the body. This lasts until something else can have happened. */
interface Look {
  readonly fiber: AnyFiber | undefined
  goesOn: boolean
}

/**
 * Hands one request over to the caller's client. A client may run the preparation again to retry, as `HttpClient.retry`
 * does, or it may repeat the sending itself, which is observed if the sender asks for a `Sending`. A change continues
 * there only if every earlier sending is known not to have been carried out: nothing reached the gateway, or it was
 * refused.
 *
 * Whatever sends a request has to read its headers, which have the credentials, and a client made by `HttpClient.make`
 * announces when it begins. So, whichever client a change was given to, it was not sent if no client has begun and
 * nothing except what asked for a `Sending` has read its headers or its body.
 *
 * Nothing can send it without reading its body. So once something that did not ask for a `Sending` has read the body,
 * the change may have been sent, and no client may begin with it any more. Where it cannot be observed who begins, as
 * in a fiber of someone else's, nothing may read the body again.
 *
 * A client may send requests of its own meanwhile, for a secret or an audit log. They do not count as the change, since
 * they go to another address and without its credentials.
 */
export class Handover {
  readonly facts: RequestFacts
  private readonly request: TransportRequest
  private readonly sendings: Sendings
  private prepared: HttpClientRequest.HttpClientRequest | undefined
  private stopped: TransportFailure | undefined
  /** The client that is working on it. What it reads counts for its sending, if it asks for one at once. */
  private execution: { readonly fiber: AnyFiber | undefined } | undefined
  /** A client has begun while another one was active, nested or concurrent. */
  private isNested = false
  /** Something has the request that does not report whether it sends it. */
  private mayBeSentUnseen = false
  /** Something that may send it has read its body without asking for a sending. */
  private isLookedInto = false
  private look: Look | undefined
  private seesBeginnings: (fiber: AnyFiber) => boolean = () => false
  private isReportedAsTaken = false
  /** The call has ended without doubt: nothing may be sent any more. */
  private isClosed = false

  constructor(request: TransportRequest, limits: SenderLimits) {
    this.request = request
    this.sendings = new Sendings((response, of) => this.isOfRequest(of) && request.provesNotTaken?.(response) === true)
    this.facts = { isChange: request.isChange, ...limits, sending: (outgoing) => this.begin(outgoing) }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Before the client has it
  // -------------------------------------------------------------------------------------------------------------------

  /**
   * Prepares the request each time that the client asks for it. `makeRequest` makes another one, since the earlier one
   * is watched.
   */
  preparing(
    http: HttpClient.HttpClient,
    makeRequest: () => HttpClientRequest.HttpClientRequest
  ): Effect.Effect<HttpClientRequest.HttpClientRequest, HttpClientError.HttpClientError> {
    return Effect.suspend(() =>
      Effect.flatMap(http.preprocess(makeRequest()), (made) => {
        // If a client has read it without asking for a sending, all that is known is that it was given the request.
        const isKnown = this.sendings.wereNotTaken() || !this.mayBeTaken()
        if (!this.mayGoOn(this.isLookedInto || (this.prepared !== undefined && !isKnown))) return Effect.interrupt
        this.prepared = this.request.isChange ? this.watched(made) : made
        return Effect.succeed(this.prepared)
      })
    )
  }

  /** Makes clients of `HttpClient.make` announce when they begin: this value is the first that they read. */
  watching(given: IsTracerDisabled): IsTracerDisabled {
    // A call that a client makes while it sends another one does not count as that one.
    const isDisabled = unwatched.get(given) ?? given
    const watching: IsTracerDisabled = (made) => {
      this.executing(made)
      return isDisabled(made)
    }
    unwatched.set(watching, isDisabled)
    this.seesBeginnings = (fiber) =>
      fiber.getRef(HttpClient.TracerDisabledWhen) === watching && !fiber.getRef(Tracer.DisablePropagation)
    return watching
  }

  // -------------------------------------------------------------------------------------------------------------------
  // While the client has it
  // -------------------------------------------------------------------------------------------------------------------

  /** To be called when a client made by `HttpClient.make` begins with a request, before it reads it. */
  private executing(made: HttpClientRequest.HttpClientRequest): void {
    const { isChange } = this.request
    const isWatched = made === this.prepared || factsOfBody(made.body) === this.facts
    if (!isWatched && !this.isOwn(outgoing(made))) return
    if (isChange) {
      const isRemade = made !== this.prepared && !this.sendings.hasHandedOver()
      this.goOnOrThrow(this.mayBeSent(), isRemade ? handedOverAfterLook : handedOverAgain)
    }
    this.mayBeSentUnseen ||= this.execution !== undefined
    this.isNested ||= this.execution !== undefined
    this.execution = { fiber: Fiber.getCurrent() }
    // If someone has replaced the body, reading it cannot be observed.
    this.isLookedInto ||= isChange && !isWatched
    this.report()
  }

  private begin(outgoing: Outgoing): Sending | undefined {
    if (!this.isOwn(outgoing)) return undefined
    const state = this.sendings.begin(outgoing)
    const isLookedIntoHere = this.look !== undefined && this.look.fiber === Fiber.getCurrent()
    if (this.isExecutedHere() || isLookedIntoHere) this.isLookedInto = false
    if (this.isExecutedHere()) this.execution = undefined
    this.report()
    return {
      mayHandOver: () => this.mayHandOver(state),
      end: (outcome) => {
        if (state.hasEnded) return
        state.hasEnded = true
        state.outcome = outcome
        this.report()
      }
    }
  }

  private mayHandOver(state: SendingState): boolean {
    const may = this.mayGoOn(this.mayBeSent())
    state.wasHandedOver ||= may
    state.wasStopped ||= !may
    this.report()
    return may
  }

  /**
   * The same request, which announces when its headers or its body are read, to be sent or to make another one from it.
   */
  private watched(request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest {
    const { headers } = request
    const body = new Proxy(request.body, {
      get: (body: HttpBody.HttpBody, name) => {
        this.noteLook()
        return Reflect.get(body, name)
      }
    })
    bindFacts(body, this.facts)
    const isWatched = Object.entries({ body, headers }).every(([name, value]) => {
      const get = (): unknown => {
        this.noteReading()
        return value
      }
      return Reflect.defineProperty(request, name, { get, enumerable: true, configurable: true })
    })
    if (!isWatched) this.noteReading()
    return request
  }

  private noteReading(): void {
    if (this.isClosed) throw new Error("The call has ended. Its request is sent no more.")
    this.mayBeSentUnseen ||= !this.isExecutedHere()
    this.report()
  }

  private noteLook(): void {
    this.noteReading()
    const fiber = Fiber.getCurrent()
    const before = this.look
    if (before?.goesOn === true && before.fiber === fiber) return
    const isSeen = fiber !== undefined && this.seesBeginnings(fiber)
    const begun = { fiber, goesOn: !isSeen }
    this.look = begun
    if (isSeen && this.execution === undefined) return
    const isByAnother = this.isNested && this.isLookedInto && before?.fiber !== fiber
    if (!isSeen || isByAnother) this.goOnOrThrow(this.mayBeSent())
    this.isLookedInto = true
    if (isSeen) return
    queueMicrotask(() => {
      begun.goesOn = false
    })
  }

  /** Whether the request may continue although it may have been sent before. */
  private mayGoOn(isTaken: boolean, why: TransportFailure = handedOverAgain): boolean {
    if (this.isClosed) return false
    const { isChange, mayHandOver } = this.request
    if (isChange && isTaken) this.stopped = why
    else if (mayHandOver?.() === false) this.stopped = heldBack
    else return true
    return false
  }

  /** The same, where only an exception can stop a client. */
  private goOnOrThrow(isTaken: boolean, why?: TransportFailure): void {
    if (!this.mayGoOn(isTaken, why)) throw new Error("The change may have been sent before. It is not sent again.")
  }

  private report(): void {
    if (this.mayBeTaken() === this.isReportedAsTaken) return
    this.isReportedAsTaken = !this.isReportedAsTaken
    if (this.isReportedAsTaken) this.request.onSend?.()
    else this.request.onNotTaken?.()
  }

  // -------------------------------------------------------------------------------------------------------------------
  // What is known of it
  // -------------------------------------------------------------------------------------------------------------------

  /** Whether the target is that of the request. The client may have prepared it for another address. */
  private isOfRequest({ method, url }: Outgoing): boolean {
    const { prepared, request } = this
    const known = prepared === undefined ? new URL(request.url).href : addressOf(prepared)
    return method === (prepared ?? request).method && url === known
  }

  /** Whether it may be the request, carried somewhere. */
  private isOwn(outgoing: Outgoing): boolean {
    return outgoing.authorization === this.request.headers["authorization"] || this.isOfRequest(outgoing)
  }

  private isExecutedHere(): boolean {
    return this.execution !== undefined && this.execution.fiber === Fiber.getCurrent()
  }

  /** Whether a client may have sent it and the gateway may have carried it out. */
  private mayBeSent(): boolean {
    return this.isLookedInto || this.sendings.inDoubt() !== undefined
  }

  /** Whether the gateway may have carried it out, or may be about to. */
  private mayBeTaken(): boolean {
    return this.mayBeSentUnseen || this.execution !== undefined || this.sendings.inDoubt() !== undefined
  }

  /**
   * Whether a sending proves nothing about the change. For a single client whose sendings are not observed, only its
   * end is known.
   */
  private isAnotherInDoubt(): boolean {
    return this.sendings.inDoubt() !== undefined || (this.isLookedInto && this.sendings.hasHandedOver())
  }

  /** The result of a change whose repetition was stopped. */
  private knownWhenStopped(why: TransportFailure): Effect.Effect<TransportResponse, TransportFailure> {
    const sending = this.sendings.inDoubt() ?? (this.isLookedInto ? undefined : this.sendings.last())
    if (sending?.outcome === undefined) return Effect.fail(why)
    if (isTransportFailure(sending.outcome)) return Effect.fail(sending.outcome)
    return this.isOfRequest(sending.outgoing) ? Effect.succeed(sending.outcome) : Effect.fail(handedOverAgain)
  }

  /** The result of a change that certainly was not carried out: that of its last sending, if there was one. */
  private knownWhenNotTaken({ isTimeout }: TransportFailure): Effect.Effect<TransportResponse, TransportFailure> {
    const outcome = this.sendings.last()?.outcome
    if (outcome === undefined) return Effect.fail({ ...unsentByClient, isTimeout })
    return isTransportFailure(outcome) ? Effect.fail({ ...outcome, wasSent: "certainly not" }) : Effect.succeed(outcome)
  }

  /** The failure of the sending in doubt, as far as it is known. */
  private failureInDoubt(): TransportFailure {
    const outcome = this.sendings.inDoubt()?.outcome
    return outcome !== undefined && isTransportFailure(outcome) ? outcome : waitingEnded
  }

  // -------------------------------------------------------------------------------------------------------------------
  // When the client has ended
  // -------------------------------------------------------------------------------------------------------------------

  /** To be called when the call has ended. Nothing that happens later may make the reported result wrong. */
  close(): void {
    this.isClosed ||= !this.mayBeTaken()
  }

  /** The failure of a change that may have been sent and was kept from being sent again. */
  whyStopped(): TransportFailure | undefined {
    return this.stopped === heldBack ? undefined : this.stopped
  }

  /**
   * Whether a response belongs to another request than the prepared one, as after a redirect that the client has
   * followed.
   */
  isOfAnother({ request }: HttpClientResponse.HttpClientResponse): boolean {
    const { prepared } = this
    return prepared !== undefined && request !== prepared && !isSameAddress(request, prepared)
  }

  /** A client may choose between responses: a refusal proves nothing while another sending is in doubt. */
  answered(response: TransportResponse): Effect.Effect<TransportResponse, TransportFailure> {
    const { isChange, provesNotTaken } = this.request
    return isChange && provesNotTaken?.(response) === true && this.isAnotherInDoubt()
      ? Effect.fail(this.failureInDoubt())
      : Effect.succeed(response)
  }

  /** A client may interrupt itself: then nothing is known about what it did before. A defect stays a defect. */
  failed(cause: Cause.Cause<TransportFailure>): Effect.Effect<TransportResponse, TransportFailure> {
    this.close()
    const why = this.whyStopped()
    if (why !== undefined) return this.knownWhenStopped(why)
    if (this.stopped !== undefined) return Effect.fail(this.stopped)
    const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
    if (failure === undefined && Cause.hasDies(cause)) return Effect.failCause(cause)
    const known = failure ?? brokenOff(Cause.squash(cause))
    if (this.prepared === undefined) return Effect.fail({ ...known, wasSent: "certainly not" })
    const { isChange } = this.request
    if (isChange && !this.mayBeTaken()) return this.knownWhenNotTaken(known)
    // A client that sends several may fail with the end of only one of them.
    const isInDoubt = isChange && known.wasSent === "certainly not" && this.isAnotherInDoubt()
    return Effect.fail(isInDoubt ? this.failureInDoubt() : known)
  }
}

const isSameAddress = (one: HttpClientRequest.HttpClientRequest, other: HttpClientRequest.HttpClientRequest): boolean =>
  one.method === other.method && addressOf(one) === addressOf(other)
