/**
 * The client for callers who do not use Effect: the operations, run into promises.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as TokenCache from "../client/token/TokenCache.js"
import { AttemptTimeout } from "../client/call/Attempt.js"
import * as AwaitPayment from "../client/payment/AwaitPayment.js"
import * as Calls from "../client/gateway/Calls.js"
import { type CallObserver, finish, nobody, stopwatch } from "../client/call/CallObserver.js"
import { GatewayError, type GatewayErrorReason, type InvalidField } from "../client/error/GatewayError.plain.js"
import type { OperationName } from "../client/error/OperationName.plain.js"
import type { ChangeRecord } from "../client/error/ChangeRecord.plain.js"
import { checkOptions, embedJsUrl, type GatewaySettings } from "../client/config/GatewayOptions.js"
import * as GatewayService from "../client/gateway/GatewayService.js"
import { describeFields } from "../api/InvalidFields.js"
import { NotificationError } from "../client/notification/Notification.plain.js"
import type { Call } from "../client/call/Operation.js"
import { reconcile } from "../client/outcome/Reconcile.js"
import { invalidRequest, outcomeUnknown, unusable } from "../client/call/FailureReason.js"
import { OnUnknownOutcome } from "../client/call/OnUnknownOutcome.js"
import * as Verification from "../client/notification/Verification.js"
import type { PaymentReader } from "../client/notification/Verification.js"
import { createNotificationHandler } from "./createNotificationHandler.js"
import * as FetchTransport from "../client/transport/FetchTransport.js"
import type { CallOptions, GatewayClient, GatewayClientOptions } from "./GatewayClient.plain.js"

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
  const { fetch = defaultFetch, onCall, settings } = checked(options)
  const transport = FetchTransport.make(fetch)
  const scope = Scope.makeUnsafe()
  const watcher = onCall === undefined ? nobody : telling(onCall)
  const service = GatewayService.make(
    settings,
    TokenCache.make(settings, transport, scope, watcher),
    transport,
    watcher
  )
  const underWay = { read: new Set<Fiber.Fiber<unknown, unknown>>(), change: new Set<Fiber.Fiber<unknown, unknown>>() }
  let closed: Promise<void> | undefined

  const run = async <A>(call: Call<A>, options: CallOptions | undefined): Promise<A> => {
    const { kind, name } = call.operation
    const change = Result.isSuccess(call.prepared) ? call.prepared.success.change : undefined
    return await settle(name, kind, service.run(call), checkedCall(name, options), change)
  }

  const settle = async <A>(
    operation: OperationName,
    kind: "read" | "change",
    program: Effect.Effect<A, GatewayError | NotificationError>,
    { signal, timeout }: CallOptions,
    change?: Omit<ChangeRecord, "sentAt">
  ): Promise<A> => {
    if (isAborted(signal)) throw signal?.reason
    if (closed !== undefined) throw clientClosed(operation, "This client is closed. Nothing was sent.")
    let interrupted: ChangeRecord | undefined
    const exit = await new Promise<Exit.Exit<A, GatewayError | NotificationError>>((resolve) => {
      const fiber = Effect.runFork(
        program.pipe(
          signal === undefined
            ? identity
            : Effect.provideService(OnUnknownOutcome, (change) => Effect.sync(() => (interrupted = change))),
          timeout === undefined ? identity : Effect.provideService(AttemptTimeout, timeout)
        ),
        signal === undefined ? undefined : { signal }
      )
      underWay[kind].add(fiber)
      fiber.addObserver((exit) => {
        underWay[kind].delete(fiber)
        resolve(exit)
      })
    })
    if (Exit.isSuccess(exit)) return exit.value
    // Errors are made here, after the await, so that their stack shows who called.
    const failure = Cause.squash(exit.cause)
    if (failure instanceof GatewayError) throw new GatewayError(failure)
    if (failure instanceof NotificationError) throw new NotificationError(failure)
    if (interrupted !== undefined) {
      throw new GatewayError({
        operation,
        reason: outcomeUnknown(interrupted, "the call was aborted after it had been sent"),
        cause: signal?.reason
      })
    }
    if (isAborted(signal)) throw signal?.reason
    if (Cause.hasInterruptsOnly(exit.cause)) {
      throw clientClosed(operation, "The client was closed before the answer came.")
    }
    throw new GatewayError({ operation, reason: failedWithin(operation, change) })
  }

  /** A read that is more than one call. */
  const runReads = async <A>(
    operation: OperationName,
    program: Effect.Effect<A, GatewayError | NotificationError>,
    options: CallOptions | undefined,
    checks: OptionChecks = callOptions
  ): Promise<A> => await settle(operation, "read", program, checkedCall(operation, options, checks))

  const reader: PaymentReader = {
    goid: settings.goid,
    getPayment: (paymentId) =>
      Effect.suspend(() =>
        closed === undefined
          ? service.run(Calls.getPayment(paymentId))
          : Effect.fail(clientClosed("getPayment", "This client is closed. Nothing was sent."))
      )
  }

  const close = (): Promise<void> => {
    for (const fiber of underWay.read) fiber.interruptUnsafe()
    closed ??= Promise.all(Array.from([...underWay.read, ...underWay.change], ended)).then(() =>
      Effect.runPromise(Scope.close(scope, Exit.void))
    )
    return closed
  }

  return {
    createPayment: (payment, options) => run(Calls.createPayment(payment, settings), options),
    getPayment: (paymentId, options) => run(Calls.getPayment(paymentId), options),
    refundPayment: (paymentId, refund, options) => run(Calls.refundPayment(paymentId, refund), options),
    getPaymentRefunds: (paymentId, options) => run(Calls.getPaymentRefunds(paymentId), options),
    createRecurrence: (paymentId, recurrence, options) => run(Calls.createRecurrence(paymentId, recurrence), options),
    voidRecurrence: (paymentId, options) => run(Calls.voidRecurrence(paymentId), options),
    captureAuthorization: (paymentId, options) => run(Calls.captureAuthorization(paymentId), options),
    captureAuthorizationPartial: (paymentId, capture, options) =>
      run(Calls.captureAuthorizationPartial(paymentId, capture), options),
    voidAuthorization: (paymentId, options) => run(Calls.voidAuthorization(paymentId), options),
    getCardDetails: (cardId, options) => run(Calls.getCardDetails(cardId), options),
    deleteCard: (cardId, options) => run(Calls.deleteCard(cardId), options),
    getPaymentInstruments: (goid, currency, options) => run(Calls.getPaymentInstruments(goid, currency), options),
    getPaymentInstrumentsAll: (goid, options) => run(Calls.getPaymentInstrumentsAll(goid), options),
    getAccountStatement: (statement, options) => run(Calls.getAccountStatement(statement), options),
    getPaymentQr: (paymentId, request, options) => run(Calls.getPaymentQr(paymentId, request), options),
    reconcile: (change, options) => runReads("reconcile", reconcile(service.run, change), options),
    verifyPayment: (source, expected, options) =>
      runReads("getPayment", Verification.verifyPayment(reader, source, expected), options),
    awaitPayment: (paymentId, options) =>
      runReads(
        "getPayment",
        AwaitPayment.awaitPayment(service.run(Calls.getPayment(paymentId)), options),
        options,
        awaitPaymentOptions
      ),
    createNotificationHandler: (options) => createNotificationHandler(reader, options, scope),
    getEmbedJsUrl: () => embedJsUrl(settings.baseUrl),
    close,
    [Symbol.asyncDispose]: close
  }
}

/** Looks the global `fetch` up at each call, so that it may be replaced later. */
const defaultFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)

/** Tells of every call that ended. Nothing that it does may change a call. */
const telling = (onCall: NonNullable<GatewayClientOptions["onCall"]>): CallObserver => ({
  call: (call, run) =>
    Effect.withFiber((fiber) => {
      const elapsed = stopwatch(fiber)
      return Effect.onExit(run, (exit) =>
        Effect.sync(() => {
          const tell = async (): Promise<void> => onCall(finish(call, exit, elapsed()))
          tell().catch(() => undefined)
        })
      )
    }),
  attempt: nobody.attempt
})

const checked = (
  options: GatewayClientOptions
): Pick<GatewayClientOptions, "fetch" | "onCall"> & { readonly settings: GatewaySettings } => {
  const { clientSecret, fetch, onCall, ...others } = options ?? {}
  const settings = checkOptions({
    ...others,
    ...(clientSecret === undefined ? undefined : { clientSecret: Redacted.make(clientSecret) })
  })
  const noFunctions = Object.entries({ fetch, onCall }).flatMap(([field, value]): ReadonlyArray<InvalidField> =>
    value === undefined || typeof value === "function" ? [] : [{ field, message: "must be a function" }]
  )
  if (noFunctions.length === 0 && Result.isSuccess(settings)) return { fetch, onCall, settings: settings.success }
  const errors = [...(Result.isFailure(settings) ? settings.failure : []), ...noFunctions]
  throw new TypeError(`createGatewayClient: ${describeFields(errors)}`)
}

type OptionChecks = { readonly [option: string]: (value: unknown) => string | undefined }

const callOptions: OptionChecks = {
  signal: (value) =>
    value instanceof AbortSignal && typeof value.aborted === "boolean" ? undefined : "must be an AbortSignal",
  timeout: (value) =>
    typeof value === "number" && value > 0 && Number.isFinite(value) ? undefined : "must be milliseconds, more than 0"
}

/** Those of its own are checked by `awaitPayment` itself. */
const awaitPaymentOptions: OptionChecks = { ...callOptions, until: () => undefined, waitAtMost: () => undefined }

const wrongCallOptions = (options: unknown, checks: OptionChecks): ReadonlyArray<InvalidField> => {
  // A signal or an amount in place of the options would otherwise be ignored without a word.
  if (typeof options !== "object" || options === null || Array.isArray(options) || options instanceof AbortSignal) {
    return [{ field: "options", message: "must be an object with " + Object.keys(checks).join(" and ") }]
  }
  return Object.entries(options).flatMap(([option, value]): ReadonlyArray<InvalidField> => {
    const field = `options.${option}`
    const check = Object.hasOwn(checks, option) ? checks[option] : undefined
    if (check === undefined)
      return [{ field, message: `is not an option of a call: ${Object.keys(checks).join(" and ")} are` }]
    const message = value === undefined ? undefined : check(value)
    return message === undefined ? [] : [{ field, message }]
  })
}

const checkedCall = (
  operation: OperationName,
  options: CallOptions = {},
  checks: OptionChecks = callOptions
): CallOptions => {
  const errors = readable(() => wrongCallOptions(options, checks)) ?? [{ field: "options", message: "cannot be read" }]
  if (errors.length === 0) return options
  throw new GatewayError({ operation, reason: invalidRequest(errors) })
}

/** What comes from outside may throw when it is looked at. */
const readable = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The reason of a call in which something of our own failed: a change may have been sent before. */
const failedWithin = (
  operation: OperationName,
  change: Omit<ChangeRecord, "sentAt"> | undefined
): GatewayErrorReason => {
  const sent = change === undefined ? undefined : { ...change, sentAt: new Date().toISOString() }
  return unusable({ operation, subject: undefined, change: sent }, 0, "the client failed to read it")
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

const clientClosed = (operation: OperationName, message: string): GatewayError =>
  new GatewayError({ operation, reason: { _tag: "GatewayUnavailable", isRetryable: false, message } })

const ended = (fiber: Fiber.Fiber<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => fiber.addObserver(() => resolve()))
