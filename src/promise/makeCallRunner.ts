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
import { BeforeSend } from "../client/call/BeforeSend.js"
import { OnResponse } from "../client/call/OnResponse.js"
import { invalidRequest, outcomeUnknown, unusable } from "../client/call/FailureReason.js"
import { OnUnknownOutcome } from "../client/call/OnUnknownOutcome.js"
import type { Operation } from "../client/call/Operation.js"
import type { ChangeRecord } from "../client/error/ChangeRecord.js"
import {
  GatewayError,
  type GatewayErrorReason,
  type GatewayUnavailable,
  type InvalidField
} from "../client/error/GatewayError.js"
import type { GatewayFailure } from "../client/error/GatewayFailure.js"
import type { OperationName } from "../contract/GatewayOperations.js"
import {
  isNotificationFailure,
  NotificationError,
  type NotificationFailure
} from "../client/notification/Notification.js"
import { RequestBound } from "../client/transport/Lease.js"
import { renderedPerRequest } from "../client/transport/Uncached.js"
import { abortSubscriptions } from "./abortSubscriptions.js"
import { noOptions, readCallOptions, type ReadOptions } from "./readCallOptions.js"

/** Runs programs into promises, until it is closed. Closing waits for the changes under way, then ends what they ran over. */
export const makeCallRunner = (context: Context.Context<never>, end: () => Promise<void>) => {
  const underWay = { read: new Set<Fiber.Fiber<unknown, unknown>>(), change: new Set<Fiber.Fiber<unknown, unknown>>() }
  const onAbort = abortSubscriptions()
  const openChecks = new Set<() => void>()
  let closed: Promise<void> | undefined
  const fork = Effect.runForkWith(context)

  /** Asks the application before a change is sent. Closing does not wait for its answer: nothing is lost by that. */
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

  /** Runs a program into a promise. It fails with data; errors are made here, so that their stack shows who called. */
  const run = async <A>(
    { kind, name }: Pick<Operation<A>, "kind" | "name">,
    program: Effect.Effect<A, GatewayFailure | NotificationFailure>,
    given: unknown,
    read: (given: unknown) => Result.Result<ReadOptions, ReadonlyArray<InvalidField>> = readCallOptions
  ): Promise<A> => {
    const options = given === undefined ? Result.succeed(noOptions) : read(given)
    if (Result.isFailure(options)) throw new GatewayError({ operation: name, reason: invalidRequest(options.failure) })
    const { beforeSend, onResponse, signal, timeout } = options.success
    const rendered = renderedPerRequest()
    if (rendered !== undefined) await rendered
    if (isAborted(signal)) throw signal?.reason
    if (closed !== undefined) throw new GatewayError(clientClosed(name, "This client is closed. Nothing was sent."))
    let interrupted: ChangeRecord | undefined
    const provided = program.pipe(
      signal === undefined
        ? identity
        : Effect.provideService(OnUnknownOutcome, (change) => Effect.sync(() => (interrupted = change))),
      timeout === undefined ? identity : Effect.provideService(AttemptTimeout, timeout),
      beforeSend === undefined
        ? identity
        : Effect.provideService(BeforeSend, (change) => preSendCheck(async () => beforeSend(change))),
      onResponse === undefined
        ? identity
        : Effect.provideService(OnResponse, (head) => Effect.sync(() => ignoringFailure(() => onResponse(head))))
    )
    const exit = await new Promise<Exit.Exit<A, GatewayFailure | NotificationFailure>>((resolve) => {
      let unsubscribe: (() => void) | undefined
      const fiber = fork(
        Effect.withFiber((self) => {
          // Before the program runs: a callback of the caller's may abort the signal or close the client at once.
          // On some platforms a call whose request has ended may never settle, so it would never be removed.
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
    if (Exit.isSuccess(exit)) return exit.value
    const failure = Cause.findErrorOption(exit.cause)
    if (Option.isSome(failure)) {
      const { value } = failure
      throw isNotificationFailure(value) ? new NotificationError(value) : new GatewayError(value)
    }
    if (interrupted !== undefined) {
      const reason = outcomeUnknown(interrupted, "the call was aborted after it had been sent")
      throw new GatewayError({ operation: name, reason, cause: signal?.reason })
    }
    if (isAborted(signal)) throw signal?.reason
    throw new GatewayError(
      Cause.hasInterruptsOnly(exit.cause)
        ? clientClosed(name, endedByClosing(kind))
        : { operation: name, reason: failedWithin(name) }
    )
  }

  const close = (): Promise<void> => {
    for (const fiber of underWay.read) fiber.interruptUnsafe()
    for (const end of openChecks) end()
    closed ??= Promise.all(Array.from([...underWay.read, ...underWay.change], ended)).then(end)
    return closed
  }

  return { close, isClosed: () => closed !== undefined, run }
}

/** The reason of a call that failed within the client. A change that may have been carried out has another. */
const failedWithin = (operation: OperationName): GatewayErrorReason =>
  unusable({ operation, subject: undefined, change: undefined }, 0, "the client failed to read it")

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

/** The failure of a call of a client that is closed. */
export const clientClosed = (operation: OperationName, message: string): GatewayFailure<GatewayUnavailable> => ({
  operation,
  reason: { _tag: "GatewayUnavailable", isRetryable: false, message }
})

/** A change is ended only while the application is asked about it. */
const endedByClosing = (kind: "read" | "change"): string =>
  kind === "read"
    ? "The client was closed before the response came."
    : "The client was closed before beforeSend had answered. Nothing was sent."

const ended = (fiber: Fiber.Fiber<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => fiber.addObserver(() => resolve()))
