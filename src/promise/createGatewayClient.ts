/**
 * The client for callers who do not use Effect: the operations, run as promises.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import * as Scope from "effect/Scope"
import { OnUnknownOutcome } from "../client/call/OnUnknownOutcome.js"
import * as GatewayCore from "../client/call/GatewayCore.js"
import * as Verification from "../client/notification/Verification.js"
import * as Reconcile from "../client/payment/Reconcile.js"
import * as AwaitPayment from "../client/payment/AwaitPayment.js"
import * as SharedTokenCache from "../client/call/SharedTokenCache.js"
import type { TokenStore } from "../client/call/TokenStore.js"
import * as TokenCache from "../client/call/TokenCache.js"
import { overSender } from "../client/transport/Transport.js"
import { identity } from "effect/Function"
import { makeSender } from "#transport"
import { isAbortSignal } from "../basics/AnyRealm.js"
import { describeFields, invalidFields } from "../basics/InvalidFields.js"
import { ignoringFailure } from "../basics/IgnoringFailure.js"
import { givenMember, withoutPrototype } from "../basics/OwnMember.js"
import { withMembers } from "../basics/PlainData.js"
import { AttemptTimeout, BeforeSend, OnResponse } from "../client/call/Attempt.js"
import { attemptLog, callEvent, type CallObserver, unobserved } from "../client/call/CallObserver.js"
import { undecodedOperation } from "../client/call/CustomOperation.js"
import { invalidRequest, outcomeUnknown, unusable } from "../client/call/FailureReason.js"
import { methodsOf, type Operation, operations, partialCapture } from "../client/call/Operation.js"
import {
  aFunction,
  checkOptions,
  type GatewaySettings,
  notAFunction,
  timeLimit,
  wholeNumber
} from "../client/config/GatewayOptions.js"
import type { ChangeRecord } from "../client/error/ChangeRecord.js"
import {
  GatewayError,
  type GatewayErrorReason,
  type GatewayUnavailable,
  type InvalidField
} from "../client/error/GatewayError.js"
import type { GatewayFailure } from "../client/error/GatewayFailure.js"
import type { DurationInput } from "../basics/DurationInput.js"
import type { OperationName } from "../contract/GatewayOperations.js"
import {
  isNotificationFailure,
  NotificationError,
  type NotificationFailure
} from "../client/notification/Notification.js"
import { sharing } from "../client/notification/Rounds.js"
import { stopwatch } from "../client/transport/MonotonicTime.js"
import { RequestBound } from "../client/transport/Lease.js"
import { renderedPerRequest } from "../client/transport/Uncached.js"
import { createNotificationHandler } from "./createNotificationHandler.js"
import type { CallOptions, GatewayClient, GatewayClientOptions, GatewayPromises } from "./GatewayClient.js"
import { fromOptions, RetryPolicy } from "../client/call/RetryPolicy.js"

/**
 * Makes a client for one merchant at one gateway. Nothing is sent before its first call.
 *
 * ```ts
 * await using gateway = createGatewayClient({ goid, clientId, clientSecret, environment: "sandbox", language: "CS" })
 * const payment = await gateway.createPayment({ amount: 139_950, currency: "CZK", order_number: "2026-0042", callback })
 * ```
 *
 * @throws TypeError when an option is missing, wrong or unknown; it names every one
 */
export const createGatewayClient = (options: GatewayClientOptions): GatewayClient => {
  const { agent, fetch, observer, settings, ...runtime } = checked(options)
  const sender = makeSender({ agent, fetch })
  const transport = overSender(sender)
  const scope = Scope.makeUnsafe()
  const observe = observer === undefined ? unobserved : reporting(observer)
  const context = contextOf(runtime)
  const gateway = TokenCache.gatewaySource(settings, transport, observe)
  const tokens = TokenCache.keep(
    runtime.tokenStore === undefined
      ? gateway
      : Effect.runSync(SharedTokenCache.shared(gateway, settings, SharedTokenCache.fromPromises(runtime.tokenStore))),
    scope
  )
  const core = GatewayCore.make(settings, transport, { tokens, observe })
  const { call } = core
  const { close, isClosed, run } = makeRunner(context, async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    sender.close()
  })

  // The parameters and result of a method are its endpoint's: `Operation` encodes and decodes by it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows a method to its endpoint
  const promises = methodsOf(
    (operation) =>
      (...args: ReadonlyArray<unknown>) =>
        run(
          operation,
          call(operation, args.slice(0, operation.arity)),
          args[operation.arity],
          operation.name === "captureAuthorization" ? readCaptureOptions : readCallOptions
        )
  ) as GatewayPromises

  const reads: Reconcile.Reads<GatewayFailure> = {
    getPayment: (paymentId) => call(operations.getPayment, [paymentId]),
    getPaymentRefunds: (paymentId) => call(operations.getPaymentRefunds, [paymentId]),
    getCardDetails: (cardId) => call(operations.getCardDetails, [cardId])
  }

  const reader: Verification.PaymentReader<GatewayError> = {
    goid: Effect.succeed(core.goid),
    getPayment: (paymentId) =>
      Effect.suspend(() =>
        Effect.mapError(
          isClosed()
            ? Effect.fail(clientClosed("getPayment", "This client is closed. Nothing was sent."))
            : Effect.provideContext(reads.getPayment(paymentId), context),
          (failure) => new GatewayError(failure)
        )
      )
  }

  const sharedReader = sharing(reader)

  return {
    ...promises,
    goid: core.goid,
    baseUrl: core.baseUrl,
    sendRequest: async (request, options) => {
      const operation = undecodedOperation(request)
      return run(operation, call(operation, []), options)
    },
    reconcile: async (change, options) =>
      run({ kind: "read", name: "reconcile" }, Reconcile.reconcile(reads, change), options),
    verifyPayment: async (source, expected, options) =>
      run(
        operations.getPayment,
        Verification.verifyPayment(sharedReader, source, Verification.findOrder(expected)),
        options
      ),
    awaitPayment: async (paymentId, options) =>
      run(
        operations.getPayment,
        AwaitPayment.awaitPayment(reads.getPayment(paymentId), options),
        options,
        readAwaitPaymentOptions
      ),
    createNotificationHandler: (options) => createNotificationHandler(reader, options, scope),
    warm: async (options) => run({ kind: "read", name: "getAccessToken" }, core.warm, options),
    getEmbedJsUrl: () => core.embedJsUrl,
    close,
    [Symbol.asyncDispose]: close
  }
}

/** Runs programs into promises, until it is closed. Closing waits for the changes under way, then ends what they ran over. */
const makeRunner = (context: ReturnType<typeof contextOf>, end: () => Promise<void>) => {
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

/** Reports every call that ended. Nothing that the observer does may change a call. */
const reporting =
  (observer: NonNullable<GatewayClientOptions["observer"]>): CallObserver =>
  (call, run) =>
    Effect.withFiber((fiber) => {
      const elapsed = stopwatch(fiber)
      const attempts = attemptLog()
      return Effect.onExit(run(attempts.observed), (exit) =>
        Effect.sync(() => {
          const event = callEvent(call, attempts, exit, elapsed())
          // After the call's fiber has ended: it may abort the call's signal or close the client.
          queueMicrotask(() => ignoringFailure(() => observer(event)))
        })
      )
    })

type RuntimeOptions = Pick<GatewayClientOptions, "agent" | "fetch" | "observer" | "retry" | "tokenStore" | "waitUntil">

const isStore = (store: unknown): store is TokenStore =>
  Predicate.isObject(store) && Predicate.isFunction(store["get"]) && Predicate.isFunction(store["set"])

const checkRuntime = SchemaParser.decodeUnknownResult(
  Schema.Struct({
    agent: Schema.optional(Schema.declare(Predicate.isObject, { message: "must be an agent of node:https" })),
    fetch: Schema.optional(aFunction),
    observer: Schema.optional(aFunction),
    retry: Schema.optional(
      Schema.Union([
        Schema.Literal(false),
        Schema.Struct({ attempts: Schema.optional(wholeNumber), totalTimeout: Schema.optional(timeLimit) })
      ]).annotate({ message: "must be false, or attempts and totalTimeout" })
    ),
    tokenStore: Schema.optional(Schema.declare(isStore, { message: "must have functions get and set" })),
    waitUntil: Schema.optional(aFunction)
  }).check(
    Schema.makeFilter(({ agent, fetch }) =>
      agent === undefined || fetch === undefined ? true : { path: ["agent"], issue: "is not allowed beside fetch" }
    )
  ),
  { errors: "all", onExcessProperty: "error" }
)

const checked = (options: GatewayClientOptions): RuntimeOptions & { readonly settings: GatewaySettings } => {
  const { agent, fetch, observer, retry, tokenStore, waitUntil, ...others } = withoutPrototype(options ?? {})
  const settings = checkOptions(others)
  const policy = Predicate.isObject(retry) ? withoutPrototype(retry) : retry
  const runtime = { agent, fetch, observer, retry: policy, tokenStore, waitUntil }
  const wrong = Result.match(checkRuntime(runtime), { onFailure: invalidFields, onSuccess: () => [] })
  if (wrong.length === 0 && Result.isSuccess(settings)) return { ...runtime, settings: settings.success }
  const errors = [...(Result.isFailure(settings) ? settings.failure : []), ...wrong]
  throw new TypeError(`createGatewayClient: ${describeFields(errors)}`)
}

/** Makes what reads the options of a call: those that it knows, each once, or every field that is wrong. */
const optionReader = <Options extends object>(
  schema: Schema.Decoder<Options> & { readonly fields: object }
): ((given: unknown) => Result.Result<Options, ReadonlyArray<InvalidField>>) => {
  const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const names = Object.keys(schema.fields)
  return (given) => {
    // A signal or an amount in place of the options would otherwise be ignored silently.
    if (!Predicate.isObject(given) || isAbortSignal(given)) {
      return Result.fail([{ field: "options", message: `must be an object with ${names.join(" and ")}` }])
    }
    try {
      const all = new Set([...names, ...Object.keys(given)])
      return Result.mapBoth(decode(withMembers(Array.from(all, (name) => [name, givenMember(given, name)]))), {
        onFailure: (issue) =>
          invalidFields(issue).map(({ field, message }) => ({
            field: field === undefined ? "options" : `options.${field}`,
            message
          })),
        onSuccess: withoutPrototype
      })
    } catch {
      // A caller's getters may throw.
      return Result.fail([{ field: "options", message: "cannot be read" }])
    }
  }
}

const limitOptions = {
  signal: Schema.optional(Schema.declare(isAbortSignal, { message: "must be an AbortSignal" })),
  timeout: Schema.optional(timeLimit)
}

const isGiven = <Option>(value: unknown): value is NonNullable<Option> => Predicate.isFunction(value)

const readCallOptions = optionReader(
  Schema.Struct({
    ...limitOptions,
    beforeSend: Schema.optional(Schema.declare(isGiven<CallOptions["beforeSend"]>, notAFunction)),
    onResponse: Schema.optional(Schema.declare(isGiven<CallOptions["onResponse"]>, notAFunction))
  })
)

/** A request in place of the options captures no part: `captureAuthorizationPartial` does. */
const readCaptureOptions: typeof readCallOptions = (given) =>
  Result.mapError(readCallOptions(given), (wrong) =>
    wrong.map((problem) =>
      /^options\.(amount|items)$/.test(problem.field ?? "") ? { ...problem, message: partialCapture } : problem
    )
  )

/** `awaitPayment` checks its own options itself. */
const readAwaitPaymentOptions = optionReader(
  Schema.Struct({
    ...limitOptions,
    until: Schema.optional(Schema.Unknown),
    waitAtMost: Schema.optional(Schema.Unknown)
  })
)

const noOptions: ReadOptions = withMembers([])

type ReadOptions = Omit<CallOptions, "timeout"> & { readonly timeout?: Duration.Input | undefined }

/** The reason of a call that failed within the client. A change that may have been carried out has another. */
const failedWithin = (operation: OperationName): GatewayErrorReason =>
  unusable({ operation, subject: undefined, change: undefined }, 0, "the client failed to read it")

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

const clientClosed = (operation: OperationName, message: string): GatewayFailure<GatewayUnavailable> => ({
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

interface Subscription {
  readonly subscribers: Set<() => void>
  readonly listener: () => void
}

/** Tells when a signal aborts, until the function that it gives is called. */
const abortSubscriptions = () => {
  const subscriptions = new WeakMap<AbortSignal, Subscription>()

  const subscribe = (signal: AbortSignal): Subscription => {
    const subscribers = new Set<() => void>()
    const listener = (): void => {
      for (const notify of subscribers) notify()
    }
    const subscription = { subscribers, listener }
    subscriptions.set(signal, subscription)
    signal.addEventListener("abort", listener, { once: true })
    return subscription
  }

  return (signal: AbortSignal, notify: () => void): (() => void) => {
    const { listener, subscribers } = subscriptions.get(signal) ?? subscribe(signal)
    subscribers.add(notify)
    return () => {
      subscribers.delete(notify)
      if (subscribers.size > 0) return
      subscriptions.delete(signal)
      try {
        signal.removeEventListener("abort", listener)
      } catch {
        // The signal is the caller's. The response has come, and whatever the signal does must not keep it from the caller.
      }
    }
  }
}

/** What its calls run in. */
const contextOf = ({ retry, waitUntil }: RuntimeOptions): Context.Context<never> => {
  const context = waitUntil === undefined ? Context.empty() : Context.make(TokenCache.WaitUntil, waitUntil)
  return retry === undefined ? context : Context.add(context, RetryPolicy, fromOptions(retry))
}
