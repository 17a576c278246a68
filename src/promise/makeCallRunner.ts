/**
 * Calls as promises, until the client is closed.
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { DurationInput } from "../basics/DurationInput.js"
import { ignoringFailure } from "../basics/IgnoringFailure.js"
import { AttemptTimeout } from "../client/call/AttemptTimeout.js"
import { OnResponse } from "../client/call/OnResponse.js"
import type { Api } from "../client/call/Api.js"
import { invalidRequest, outcomeUnknown } from "../client/call/FailureReason.js"
import type { ApiTypes, LostOutcome } from "../client/error/AnyReason.js"
import type {
  GatewayUnavailable,
  InvalidField,
  InvalidRequest,
  UnexpectedResponse
} from "../client/error/GatewayError.js"
import type { GatewayFailure } from "../client/error/GatewayFailure.js"
import { RequestBound } from "../client/transport/Lease.js"
import { renderedPerRequest } from "../client/transport/Uncached.js"
import { abortSubscriptions } from "./abortSubscriptions.js"
import { noOptions, type ReadOptions } from "./readCallOptions.js"

/** The parts of an API that its promises expose. */
export interface Face<in out Types extends ApiTypes, in out Notified> {
  /** Distinguishes the failure of a notification from that of a call. */
  readonly isNotificationFailure: (
    failure: GatewayFailure<Types["reason"] | CallerReason<Types>, Types["name"]> | Notified
  ) => failure is Notified
  readonly toNotificationError: (failure: Notified) => Error
  readonly api: Pick<Api<Types>, "beforeSend" | "unknownOutcomes">
  /** Reads the options of a call. */
  readonly readOptions: (given: unknown) => Result.Result<ReadOptions<Types["change"]>, ReadonlyArray<InvalidField>>
  readonly toError: (failure: {
    readonly operation: Types["name"]
    readonly reason: Types["reason"] | CallerReason<Types>
    readonly cause?: unknown
  }) => Error
}

/** The failure of a call that did not run to its end. */
type CallerReason<Types extends ApiTypes> =
  | LostOutcome<Types["change"]>
  | UnexpectedResponse
  | GatewayUnavailable
  | InvalidRequest

/** The parts of a promised call. */
export interface PromisedCall<out Types extends ApiTypes> {
  readonly kind: "read" | "change"
  readonly name: Types["name"]
  readonly advice?: string
}

/**
 * Runs programs as promises, until it is closed. Closing waits for changes in flight, and then closes the transport.
 */
export const makeCallRunner = <Types extends ApiTypes, Notified>(
  { api, isNotificationFailure, readOptions, toError, toNotificationError }: Face<Types, Notified>,
  context: Context.Context<never>,
  end: () => Promise<void>
) => {
  const underWay = { read: new Set<Fiber.Fiber<unknown, unknown>>(), change: new Set<Fiber.Fiber<unknown, unknown>>() }
  const onAbort = abortSubscriptions()
  const openChecks = new Set<() => void>()
  let closed: Promise<void> | undefined
  const fork = Effect.runForkWith(context)

  /**
   * Runs the application's check before a change is sent. Closing does not wait for its answer, since nothing is lost
   * by that.
   */
  const preSendCheck = (
    beforeSend: () => Promise<boolean | DurationInput>
  ): Effect.Effect<boolean | DurationInput, unknown> =>
    Effect.callback((resume) => {
      const settle = (answer: Effect.Effect<boolean | DurationInput, unknown>): void => {
        openChecks.delete(end)
        resume(answer)
      }
      const end = (): void => settle(Effect.interrupt)
      if (closed !== undefined) return end()
      openChecks.add(end)
      beforeSend().then(
        (isAllowed) => settle(Effect.succeed(isAllowed)),
        (failure: unknown) => settle(Effect.fail(failure))
      )
      return Effect.sync(() => openChecks.delete(end))
    })

  /** Runs a program and returns its end. Rejects if the platform or the signal ends it. */
  const settle = async <A, F>(
    { advice, kind, name }: PromisedCall<Types>,
    program: Effect.Effect<A, F>,
    { beforeSend, onResponse, signal, timeout }: ReadOptions<Types["change"]>
  ): Promise<Result.Result<A, F | GatewayFailure<CallerReason<Types>, Types["name"]>>> => {
    const rendered = renderedPerRequest()
    if (rendered !== undefined) await rendered
    if (isAborted(signal)) throw signal?.reason
    if (closed !== undefined) return Result.fail(clientClosed(name, "This client is closed. Nothing was sent."))
    let interrupted: Types["change"] | undefined
    const provided = program.pipe(
      signal === undefined
        ? identity
        : Effect.provideService(api.unknownOutcomes.reference, (change: Types["change"]) =>
            Effect.sync(() => (interrupted = change))
          ),
      timeout === undefined ? identity : Effect.provideService(AttemptTimeout, timeout),
      beforeSend === undefined
        ? identity
        : Effect.provideService(api.beforeSend, (change: Types["change"]) =>
            preSendCheck(async () => beforeSend(change))
          ),
      onResponse === undefined
        ? identity
        : Effect.provideService(OnResponse, (head) => Effect.sync(() => ignoringFailure(() => onResponse(head))))
    )
    const exit = await new Promise<Exit.Exit<A, F>>((resolve) => {
      let unsubscribe: (() => void) | undefined
      const fiber = fork(
        Effect.withFiber((self) => {
          // Registered before the program runs: a callback of the caller may abort the signal or close the client at
          // once. On some platforms a call whose request has ended may never settle, so it would never be removed.
          if (!self.getRef(RequestBound)) underWay[kind].add(self)
          unsubscribe = signal === undefined ? undefined : onAbort(signal, () => self.interruptUnsafe())
          return provided
        })
      )
      fiber.addObserver((exit) => {
        unsubscribe?.()
        underWay[kind].delete(fiber)
        resolve(exit)
      })
    })
    if (Exit.isSuccess(exit)) return Result.succeed(exit.value)
    const failure = Cause.findErrorOption(exit.cause)
    if (Option.isSome(failure)) return Result.fail(failure.value)
    if (interrupted !== undefined) {
      const reason = outcomeUnknown(interrupted, "the call was aborted after it had been sent", undefined, advice)
      return Result.fail({ operation: name, reason, cause: signal?.reason })
    }
    if (isAborted(signal)) throw signal?.reason
    return Result.fail(
      Cause.hasInterruptsOnly(exit.cause)
        ? clientClosed(name, endedByClosing(kind))
        : { operation: name, reason: failedWithin }
    )
  }

  /** Runs a program as a promise. It fails with data; the error is made here, so that its stack shows the caller. */
  const run = async <A>(
    call: PromisedCall<Types>,
    program: Effect.Effect<A, GatewayFailure<Types["reason"], Types["name"]> | Notified>,
    given: unknown,
    read: (given: unknown) => Result.Result<ReadOptions<Types["change"]>, ReadonlyArray<InvalidField>> = readOptions
  ): Promise<A> => {
    const options = given === undefined ? Result.succeed(noOptions) : read(given)
    if (Result.isFailure(options)) throw toError({ operation: call.name, reason: invalidRequest(options.failure) })
    const settled = await settle(call, program, options.success)
    if (Result.isSuccess(settled)) return settled.success
    const { failure } = settled
    throw isNotificationFailure(failure) ? toNotificationError(failure) : toError(failure)
  }

  const close = (): Promise<void> => {
    for (const fiber of underWay.read) fiber.interruptUnsafe()
    for (const end of openChecks) end()
    closed ??= Promise.all(Array.from([...underWay.read, ...underWay.change], whenEnded)).then(end)
    return closed
  }

  return { close, isClosed: () => closed !== undefined, run, settle }
}

/** The reason of a call that failed within the client. A change that may have been carried out has another reason. */
const failedWithin: UnexpectedResponse = {
  _tag: "UnexpectedResponse",
  isRetryable: false,
  message: "The response (status 0) cannot be used: the client failed to read it.",
  status: 0
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

/** The failure of a call to a closed client. */
export const clientClosed = <Name extends string>(
  operation: Name,
  message: string
): GatewayFailure<GatewayUnavailable, Name> => ({
  operation,
  reason: { _tag: "GatewayUnavailable", isRetryable: false, message }
})

/** A change is interrupted only while its pre-send check is running. */
const endedByClosing = (kind: "read" | "change"): string =>
  kind === "read"
    ? "The client was closed before the response came."
    : "The client was closed before beforeSend had answered. Nothing was sent."

const whenEnded = (fiber: Fiber.Fiber<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => fiber.addObserver(() => resolve()))
