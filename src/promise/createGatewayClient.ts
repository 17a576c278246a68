/**
 * The client for callers who do not use Effect: the programs, run into promises.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { AccessToken } from "../client/AccessToken.js"
import { AttemptTimeout } from "../client/Attempt.js"
import { Gateway } from "../client/Gateway.js"
import { fromOptions, GatewayConfig, type GatewaySettings } from "../client/GatewayConfig.js"
import { GatewayError, type InvalidField, type OperationName, type SentChange } from "../client/GatewayError.js"
import { embedJsUrl } from "../client/GatewayOptions.js"
import { describeFields, invalidFields } from "../client/InvalidFields.js"
import * as Programs from "../client/Programs.js"
import { invalidRequest, outcomeUnknown } from "../client/Refusal.js"
import { UnknownOutcomes } from "../client/UnknownOutcomes.js"
import type { CallOptions, GatewayClient, GatewayClientOptions } from "./GatewayClient.js"

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
  const { fetch = defaultFetch, settings } = checked(options)
  const runtime = ManagedRuntime.make(
    Gateway.layerNoDeps.pipe(
      Layer.provide(AccessToken.layer),
      Layer.provide(Layer.succeed(GatewayConfig, settings)),
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))
    )
  )
  const reads = new Set<Fiber.Fiber<unknown, unknown>>()
  const changes = new Set<Fiber.Fiber<unknown, unknown>>()
  let closed: Promise<void> | undefined

  const run = async <A>(
    operation: OperationName,
    underWay: Set<Fiber.Fiber<unknown, unknown>>,
    program: Effect.Effect<A, GatewayError, Gateway>,
    options: CallOptions | undefined
  ): Promise<A> => {
    const { signal, timeout } = checkedCall(operation, options)
    if (isAborted(signal)) throw signal?.reason
    if (closed !== undefined) throw clientClosed(operation, "This client is closed. Nothing was sent.")
    let interrupted: SentChange | undefined
    const exit = await new Promise<Exit.Exit<A, GatewayError>>((resolve) => {
      const fiber = runtime.runFork(
        program.pipe(
          signal === undefined
            ? identity
            : Effect.provideService(UnknownOutcomes, (change) => Effect.sync(() => (interrupted = change))),
          timeout === undefined ? identity : Effect.provideService(AttemptTimeout, timeout)
        ),
        signal === undefined ? undefined : { signal }
      )
      underWay.add(fiber)
      fiber.addObserver((exit) => {
        underWay.delete(fiber)
        resolve(exit)
      })
    })
    if (Exit.isSuccess(exit)) return exit.value
    // Errors are made here, after the await, so that their stack shows who called.
    const failure = Cause.squash(exit.cause)
    if (failure instanceof GatewayError) throw new GatewayError(failure)
    if (interrupted !== undefined) {
      throw new GatewayError({
        operation,
        reason: outcomeUnknown(interrupted, "the call was aborted after it had been sent"),
        cause: signal?.reason
      })
    }
    if (isAborted(signal)) throw signal?.reason
    throw Cause.hasInterruptsOnly(exit.cause)
      ? clientClosed(operation, "The client was closed before the answer came.")
      : failure
  }

  const close = (): Promise<void> => {
    for (const fiber of reads) fiber.interruptUnsafe()
    closed ??= Promise.all(Array.from([...reads, ...changes], ended)).then(() => runtime.dispose())
    return closed
  }

  return {
    createPayment: (payment, options) => run("createPayment", changes, Programs.createPayment(payment), options),
    getPayment: (paymentId, options) => run("getPayment", reads, Programs.getPayment(paymentId), options),
    refundPayment: (paymentId, refund, options) =>
      run("refundPayment", changes, Programs.refundPayment(paymentId, refund), options),
    getPaymentRefunds: (paymentId, options) =>
      run("getPaymentRefunds", reads, Programs.getPaymentRefunds(paymentId), options),
    createRecurrence: (paymentId, recurrence, options) =>
      run("createRecurrence", changes, Programs.createRecurrence(paymentId, recurrence), options),
    voidRecurrence: (paymentId, options) => run("voidRecurrence", changes, Programs.voidRecurrence(paymentId), options),
    captureAuthorization: (paymentId, options) =>
      run("captureAuthorization", changes, Programs.captureAuthorization(paymentId), options),
    captureAuthorizationPartial: (paymentId, capture, options) =>
      run("captureAuthorizationPartial", changes, Programs.captureAuthorizationPartial(paymentId, capture), options),
    voidAuthorization: (paymentId, options) =>
      run("voidAuthorization", changes, Programs.voidAuthorization(paymentId), options),
    getCardDetails: (cardId, options) => run("getCardDetails", reads, Programs.getCardDetails(cardId), options),
    deleteCard: (cardId, options) => run("deleteCard", changes, Programs.deleteCard(cardId), options),
    getPaymentInstruments: (goid, currency, options) =>
      run("getPaymentInstruments", reads, Programs.getPaymentInstruments(goid, currency), options),
    getPaymentInstrumentsAll: (goid, options) =>
      run("getPaymentInstrumentsAll", reads, Programs.getPaymentInstrumentsAll(goid), options),
    getAccountStatement: (statement, options) =>
      run("getAccountStatement", reads, Programs.getAccountStatement(statement), options),
    getPaymentQr: (paymentId, request, options) =>
      run("getPaymentQr", reads, Programs.getPaymentQr(paymentId, request), options),
    getEmbedJsUrl: () => embedJsUrl(settings.baseUrl),
    close,
    [Symbol.asyncDispose]: close
  }
}

/** Looks the global `fetch` up at each call, so that it may be replaced later. */
const defaultFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)

const checked = (
  options: GatewayClientOptions
): { readonly fetch?: typeof globalThis.fetch | undefined; readonly settings: GatewaySettings } => {
  const { clientSecret, fetch, ...others } = options ?? {}
  const settings = fromOptions({
    ...others,
    ...(clientSecret === undefined ? undefined : { clientSecret: Redacted.make(clientSecret) })
  })
  const isFetch = fetch === undefined || typeof fetch === "function"
  if (isFetch && Result.isSuccess(settings)) return { fetch, settings: settings.success }
  const errors: ReadonlyArray<InvalidField> = [
    ...(Result.isFailure(settings) ? invalidFields(settings.failure.issue) : []),
    ...(isFetch ? [] : [{ field: "fetch", message: "must be a function" }])
  ]
  throw new TypeError(`createGatewayClient: ${describeFields(errors)}`)
}

const callOptions: { readonly [option: string]: (value: unknown) => string | undefined } = {
  signal: (value) => (value instanceof AbortSignal ? undefined : "must be an AbortSignal"),
  timeout: (value) =>
    typeof value === "number" && value > 0 && Number.isFinite(value) ? undefined : "must be milliseconds, more than 0"
}

const wrongCallOptions = (options: unknown): ReadonlyArray<InvalidField> => {
  // A signal or an amount in place of the options would otherwise be ignored without a word.
  if (typeof options !== "object" || options === null || Array.isArray(options) || options instanceof AbortSignal) {
    return [{ field: "options", message: "must be an object with signal and timeout" }]
  }
  return Object.entries(options).flatMap(([option, value]): ReadonlyArray<InvalidField> => {
    const field = `options.${option}`
    const check = Object.hasOwn(callOptions, option) ? callOptions[option] : undefined
    if (check === undefined) return [{ field, message: "is not an option of a call: signal and timeout are" }]
    const message = value === undefined ? undefined : check(value)
    return message === undefined ? [] : [{ field, message }]
  })
}

const checkedCall = (operation: OperationName, options: CallOptions = {}): CallOptions => {
  const errors = wrongCallOptions(options)
  if (errors.length === 0) return options
  throw new GatewayError({ operation, reason: invalidRequest(errors) })
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

const clientClosed = (operation: OperationName, message: string): GatewayError =>
  new GatewayError({ operation, reason: { _tag: "GatewayUnavailable", isRetryable: false, message } })

const ended = (fiber: Fiber.Fiber<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => fiber.addObserver(() => resolve()))
