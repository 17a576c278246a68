/**
 * The operations of a local gateway as promises: their arguments, their errors, and the options of every gateway.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { isError } from "../../basics/AnyRealm.js"
import type { DurationInput } from "../../basics/DurationInput.js"
import { describeFields, invalidFields } from "../../basics/InvalidFields.js"
import { DataFileError, ServerStartError } from "../server/StartErrors.js"
import { InvalidFault } from "../server/Faults.js"
import type { NotificationRequest, NotificationResponse } from "../server/Journal.js"
import { PayerActionRefused } from "../server/PayerControls.js"
import type { LocalGatewayOptions, LocalGatewayService } from "../LocalGatewayService.js"
import { fitting, fittingText, functionOption, reachableOptions, settingsChange } from "../OptionChecks.js"
import { canAdvance } from "../RunningGateway.js"
import { oneOf } from "../books/Fields.js"
import { InvalidSeed, readSeed, readSeedText, type Seed } from "../books/Seed.js"
import { testCardNumbers } from "../books/TestCards.js"
import { LocalGatewayError, type LocalGatewayErrorReason } from "./LocalGatewayError.js"
import type { RunningLocalGateway, SeedJson, StartLocalGatewayOptions } from "./RunningLocalGateway.js"

type Making = "startLocalGateway" | "mountLocalGateway"

type Method = keyof RunningLocalGateway & string

type NotificationReceiver = NonNullable<StartLocalGatewayOptions["notificationReceiver"]>

/** The response of the caller's receiver. An error that it throws is logged with the notification. */
const asked = (
  receiver: NotificationReceiver,
  url: string,
  request: NotificationRequest
): Effect.Effect<number | NotificationResponse, unknown> =>
  Effect.tryPromise({
    try: async () => {
      const response = await receiver(url, request)
      const status = typeof response === "object" ? response?.status : response
      if (!Number.isInteger(status)) throw new TypeError("notificationReceiver must return a status, such as 200")
      return response
    },
    catch: (error) => error
  })

type Operations = Omit<RunningLocalGateway, "url" | "merchant" | "close" | typeof Symbol.asyncDispose>

type RunOperation = <A, E>(
  operation: Method,
  program: (gateway: LocalGatewayService) => Effect.Effect<A, E>
) => Promise<A>

/**
 * Wraps a gateway that `open` returns and that ends with a scope: its operations, a function to close it, and the
 * gateway unless it is closed.
 */
export const gatewayPromises = <Opened extends { readonly service: LocalGatewayService }>(
  scope: Scope.Closeable,
  open: () => Opened | Promise<Opened>
) => {
  const closing = new AbortController()
  const opened = async (operation: string): Promise<Opened> => {
    if (closing.signal.aborted) throw new LocalGatewayError({ operation, reason: isClosed })
    return open()
  }
  const run: RunOperation = async (operation, program) => {
    const { service } = await opened(operation)
    const exit = await Effect.runPromiseExit(program(service), { signal: closing.signal })
    if (Exit.isSuccess(exit)) return exit.value
    // Errors are created here, after the await, so that their stack shows the caller.
    throw failure(operation, exit.cause)
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing.abort()
    closed ??= Effect.runPromise(Scope.close(scope, Exit.void))
    return closed
  }
  return { opened, members: { ...operationsOf(run), close, [Symbol.asyncDispose]: close } }
}

const operationsOf = (run: RunOperation): Operations => ({
  listMerchants: () => run("listMerchants", (gateway) => gateway.listMerchants),
  choosePaymentMethod: async (paymentId, instrument) => {
    const given = checked("choosePaymentMethod", Instrument, { instrument })
    return run("choosePaymentMethod", (gateway) => gateway.choosePaymentMethod(paymentId, given.instrument))
  },
  payByCard: async (paymentId, card = {}) =>
    run("payByCard", (gateway) => gateway.payByCard(paymentId, checked("payByCard", PayByCard, card))),
  payByBankTransfer: (paymentId) => run("payByBankTransfer", (gateway) => gateway.payByBankTransfer(paymentId)),
  declineAttempt: async (paymentId, subState) => {
    const given = checked("declineAttempt", Decline, { subState })
    return run("declineAttempt", (gateway) => gateway.declineAttempt(paymentId, given.subState))
  },
  declinePayment: async (paymentId, subState = "_5006") => {
    const given = checked("declinePayment", Decline, { subState })
    return run("declinePayment", (gateway) => gateway.declinePayment(paymentId, given.subState))
  },
  cancelPayment: (paymentId) => run("cancelPayment", (gateway) => gateway.cancelPayment(paymentId)),
  timeOutPayment: (paymentId) => run("timeOutPayment", (gateway) => gateway.timeOutPayment(paymentId)),
  advanceTime: async (duration) =>
    run("advanceTime", (gateway) => gateway.advanceTime(checked("advanceTime", AdvanceTime, { duration }).duration)),
  deliverNotifications: () => run("deliverNotifications", (gateway) => gateway.deliverNotifications),
  armFault: (fault, arming) => run("armFault", (gateway) => gateway.armFault(fault, arming)),
  armFaults: (armings) => run("armFaults", (gateway) => gateway.armFaults(armings)),
  armRandomFaults: (faults) => run("armRandomFaults", (gateway) => gateway.armRandomFaults(faults)),
  listFaults: () => run("listFaults", (gateway) => gateway.listFaults),
  disarmFaults: (id) => run("disarmFaults", (gateway) => gateway.disarmFaults(id)),
  getSettings: () => run("getSettings", (gateway) => gateway.getSettings),
  changeSettings: async (change) =>
    run("changeSettings", (gateway) => gateway.changeSettings(checked("changeSettings", settingsChange, change))),
  loadSeed: async (json) => run("loadSeed", (gateway) => gateway.loadSeed(checkedSeed("loadSeed", json))),
  exportSeed: async () => ({ ...(await run("exportSeed", (gateway) => gateway.exportSeed)) }),
  resetMerchant: (goid) => run("resetMerchant", (gateway) => gateway.resetMerchant(goid)),
  reset: () => run("reset", (gateway) => gateway.reset),
  revokeTokens: () => run("revokeTokens", (gateway) => gateway.revokeTokens),
  listPayments: () => run("listPayments", (gateway) => gateway.listPayments),
  listRequests: () => run("listRequests", (gateway) => gateway.listRequests),
  listEvents: () => run("listEvents", (gateway) => gateway.listEvents)
})

// ---------------------------------------------------------------------------------------------------------------------
// Arguments
// ---------------------------------------------------------------------------------------------------------------------

export const commonOptions = {
  ...reachableOptions,
  settings: Schema.optional(settingsChange),
  seed: Schema.optional(
    fitting<SeedJson | string>(
      "must be the content of a seed file, or its text",
      (value) => typeof value === "string" || (typeof value === "object" && value !== null)
    )
  ),
  notificationReceiver: functionOption<NotificationReceiver>(),
  onEvent: functionOption<NonNullable<StartLocalGatewayOptions["onEvent"]>>(),
  onRequest: functionOption<NonNullable<StartLocalGatewayOptions["onRequest"]>>()
}

/** The options of every gateway, from which those of the layers are made. */
export type CommonOptions = Schema.Struct<typeof commonOptions>["Type"]

/** The options in the form for the layers. */
export const layerOptions = (
  making: Making,
  { notificationReceiver, onEvent, onRequest, seed, settings }: CommonOptions
): LocalGatewayOptions => ({
  settings,
  seed: seed === undefined ? undefined : checkedSeed(making, seed),
  notificationReceiver: notificationReceiver && ((url, request) => asked(notificationReceiver, url, request)),
  // An error of the caller's function is the caller's problem, and must not become the response to a request.
  onRequest: onRequest && ((request) => queueMicrotask(() => onRequest(request))),
  onEvent: onEvent && ((event) => queueMicrotask(() => onEvent(event)))
})

const PayByCard = Schema.Struct({
  card: Schema.optionalKey(oneOf(testCardNumbers))
}).annotate({ message: 'the options must be an object, such as { card: "4188030000000003" }' })

const Instrument = Schema.Struct({
  instrument: fittingText("must be a payment instrument, such as BANK_ACCOUNT", (value) => value !== "")
})

const Decline = Schema.Struct({
  subState: fittingText("must be a sub-state: an underscore and digits, such as _5006", (value) => /^_\d+$/.test(value))
})

const durationText = /^\d+(\.\d+)? (milli|second|minute|hour|day|week)s?$/

const isDuration = (value: unknown): value is DurationInput =>
  typeof value === "number" ? Number.isFinite(value) : typeof value === "string" && durationText.test(value)

const AdvanceTime = Schema.Struct({
  duration: fitting<DurationInput>(
    'must be a duration of at most 1000 years: milliseconds, or a text such as "20 seconds"',
    (value) => isDuration(value) && canAdvance(value)
  )
})

/** The checked arguments of an operation. Rejects with everything that is wrong with them. */
export const checked = <S extends Schema.ConstraintDecoder<unknown>>(
  operation: Method | Making,
  schema: S,
  value: unknown
): S["Type"] => {
  const decoded = Result.try({
    try: () => Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value),
    catch: () => "the arguments cannot be read: one of their members throws"
  }).pipe(Result.flatMap(Result.mapError(({ issue }) => describeFields(invalidFields(issue)))))
  if (Result.isSuccess(decoded)) return decoded.success
  throw new LocalGatewayError({ operation, reason: { _tag: "InvalidInput", message: decoded.failure } })
}

const checkedSeed = (operation: "loadSeed" | Making, json: SeedJson | string): Seed => {
  const seed = typeof json === "string" ? readSeedText(json) : readSeed(json)
  if (Result.isSuccess(seed)) return seed.success
  const { _tag, message } = seed.failure
  throw new LocalGatewayError({ operation, reason: { _tag, message } })
}

// ---------------------------------------------------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------------------------------------------------

/** The reason of every operation after the end. */
const isClosed: LocalGatewayErrorReason = {
  _tag: "LocalGatewayClosed",
  message: "this local gateway is closed; start another"
}

export const failure = (operation: string, cause: Cause.Cause<unknown>): unknown => {
  if (Cause.hasInterruptsOnly(cause)) return new LocalGatewayError({ operation, reason: isClosed })
  const error = Cause.squash(cause)
  const reason = reasonOf(error)
  return reason === undefined ? error : new LocalGatewayError({ operation, reason })
}

/** `undefined` for a defect, which is rethrown unchanged. */
const reasonOf = (error: unknown): LocalGatewayErrorReason | undefined => {
  if (error instanceof PayerActionRefused) return refusal(error)
  if (error instanceof InvalidFault) return { _tag: "InvalidInput", message: error.message }
  if (error instanceof InvalidSeed) return { _tag: "InvalidSeed", message: error.message }
  if (error instanceof ServerStartError) return notStarted(error)
  if (error instanceof DataFileError) {
    return { _tag: "DataFileError", path: error.path, message: error.message }
  }
  return undefined
}

const refusal = ({ paymentId, problem: message, reason: _tag, state }: PayerActionRefused): LocalGatewayErrorReason =>
  _tag === "WrongPaymentState" ? { _tag, paymentId, state: state ?? "", message } : { _tag, paymentId, message }

const notStarted = ({ cause, host, port }: ServerStartError): LocalGatewayErrorReason => {
  const code = isError(cause) && "code" in cause ? String(cause.code) : undefined
  const message =
    code === "EADDRINUSE"
      ? `port ${port} of ${host} is taken; choose another, or 0 for a free one`
      : `cannot listen on ${host}, port ${port}${code === undefined ? "" : ` (${code})`}`
  return { _tag: "ServerStartError", host, port, message, ...(code === undefined ? {} : { code }) }
}
