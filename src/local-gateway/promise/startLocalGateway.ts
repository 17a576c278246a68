/**
 * The local gateway with promises: the service, run into promises.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { describeFields, invalidFields } from "../../api/InvalidFields.js"
import { DataFileError } from "../engine/DataFile.js"
import { InvalidFault } from "../engine/Fault.js"
import { canForward, LocalGateway } from "../LocalGateway.js"
import { ServerStartError } from "../http/LoopbackServer.js"
import { isHostName } from "../http/SameOriginGuard.js"
import type { Merchant } from "../settings/Merchant.js"
import { PayerActionRefused } from "../engine/PayerControls.js"
import { readSeed, readSeedText, type Seed } from "../seed/Seed.js"
import * as SettingsSchema from "../settings/Settings.js"
import { TestCards } from "../settings/TestCards.plain.js"
import { LocalGatewayError, type LocalGatewayErrorReason } from "./LocalGatewayError.plain.js"
import type {
  DurationInput,
  LocalMerchant,
  RunningLocalGateway,
  SeedJson,
  StartLocalGatewayOptions
} from "./RunningLocalGateway.plain.js"

/**
 * Starts a local gateway behind a real HTTP server, on the loopback interface by default. Each is new and empty;
 * several can run at once.
 *
 * ```ts
 * await using local = await startLocalGateway()
 * const gateway = createGatewayClient(local.merchant)
 * const { id } = await gateway.createPayment(order)
 * await local.payByCard(id)
 * ```
 *
 * The process does not exit by itself before every gateway has been stopped.
 *
 * Rejects with a `LocalGatewayError`: `InvalidInput` names every wrong or unknown option, `ServerStartError` says why
 * it cannot listen, for example because the port is taken, `DataFileError` says what is wrong with the data file.
 *
 * @category local gateway
 * @since 0.1.0
 */
export const startLocalGateway = async (options: StartLocalGatewayOptions = {}): Promise<RunningLocalGateway> => {
  const {
    dataFile,
    notificationReceiver,
    onEvent,
    onRequest,
    seed: seedGiven,
    settings,
    ...server
  } = checked("startLocalGateway", Options, options)
  const seed = seedGiven === undefined ? undefined : checkedSeed("startLocalGateway", seedGiven)
  const scope = Scope.makeUnsafe()
  const layer = LocalGateway.layerServer({
    ...server,
    ...settings,
    ...(seed === undefined ? {} : { seed }),
    ...(dataFile === undefined ? {} : { dataFile }),
    ...(notificationReceiver === undefined ? {} : { notificationReceiver: (url) => asked(notificationReceiver, url) }),
    // An error of the caller's function is the caller's problem, and must not become the response to a request.
    ...(onRequest === undefined ? {} : { onRequest: (request) => queueMicrotask(() => onRequest(request)) }),
    ...(onEvent === undefined ? {} : { onEvent: (event) => queueMicrotask(() => onEvent(event)) })
  })
  const started = await Effect.runPromiseExit(Layer.buildWithScope(layer, scope))
  if (Exit.isFailure(started)) {
    await Effect.runPromise(Scope.close(scope, started))
    throw failure("startLocalGateway", started.cause)
  }
  const gateway = Context.get(started.value, LocalGateway)
  const stopping = new AbortController()
  let stopped: Promise<void> | undefined

  const run = async <A, E>(operation: Method, program: Effect.Effect<A, E>): Promise<A> => {
    if (stopping.signal.aborted) throw new LocalGatewayError({ operation, reason: isStopped })
    const exit = await Effect.runPromiseExit(program, { signal: stopping.signal })
    if (Exit.isSuccess(exit)) return exit.value
    // Errors are made here, after the await, so that their stack shows who called.
    throw failure(operation, exit.cause)
  }

  const stop = (): Promise<void> => {
    stopping.abort()
    stopped ??= Effect.runPromise(Scope.close(scope, Exit.void))
    return stopped
  }

  return {
    url: gateway.url,
    get merchant() {
      return withPlainSecret(gateway.merchant)
    },
    merchants: async () => (await run("merchants", gateway.merchants)).map(withPlainSecret),
    choosePaymentMethod: async (paymentId, instrument) => {
      const given = checked("choosePaymentMethod", Instrument, { instrument })
      return run("choosePaymentMethod", gateway.choosePaymentMethod(paymentId, given.instrument))
    },
    payByCard: async (paymentId, card = {}) =>
      run("payByCard", gateway.payByCard(paymentId, checked("payByCard", PayByCard, card))),
    payByBankTransfer: (paymentId) => run("payByBankTransfer", gateway.payByBankTransfer(paymentId)),
    declineAttempt: async (paymentId, subState) => {
      const given = checked("declineAttempt", Decline, { subState })
      return run("declineAttempt", gateway.declineAttempt(paymentId, given.subState))
    },
    decline: async (paymentId, subState = "_5006") => {
      const given = checked("decline", Decline, { subState })
      return run("decline", gateway.decline(paymentId, given.subState))
    },
    cancel: (paymentId) => run("cancel", gateway.cancel(paymentId)),
    timeOut: (paymentId) => run("timeOut", gateway.timeOut(paymentId)),
    forward: async (duration) => run("forward", gateway.forward(checked("forward", Forward, { duration }).duration)),
    drainNotifications: () => run("drainNotifications", gateway.drainNotifications),
    armFault: (fault, arming) => run("armFault", gateway.armFault(fault, arming)),
    armFaults: (armings) => run("armFaults", gateway.armFaults(armings)),
    mixFaults: (mix) => run("mixFaults", gateway.mixFaults(mix)),
    faults: () => run("faults", gateway.faults),
    disarmFaults: (id) => run("disarmFaults", gateway.disarmFaults(id)),
    settings: () => run("settings", gateway.settings),
    changeSettings: async (change) =>
      run("changeSettings", gateway.changeSettings(checked("changeSettings", SettingsChange, change))),
    seed: async (json) => run("seed", gateway.seed(checkedSeed("seed", json))),
    exportSeed: async () => ({ ...(await run("exportSeed", gateway.exportSeed)) }),
    reset: () => run("reset", gateway.reset),
    revokeTokens: () => run("revokeTokens", gateway.revokeTokens),
    payments: () => run("payments", gateway.payments),
    requests: () => run("requests", gateway.requests),
    events: () => run("events", gateway.events),
    stop,
    [Symbol.asyncDispose]: stop
  }
}

type Method = keyof RunningLocalGateway & string

type NotificationReceiver = NonNullable<StartLocalGatewayOptions["notificationReceiver"]>

/** The status from the caller's receiver. An error that it throws is logged with the notification. */
const asked = (receiver: NotificationReceiver, url: string): Effect.Effect<number, unknown> =>
  Effect.tryPromise({
    try: async () => {
      const status = await receiver(url)
      if (!Number.isInteger(status)) throw new TypeError("notificationReceiver must return a status, such as 200")
      return status
    },
    catch: (error) => error
  })

const withPlainSecret = ({ clientSecret, ...merchant }: Merchant): LocalMerchant => ({
  ...merchant,
  clientSecret: Redacted.value(clientSecret)
})

// ---------------------------------------------------------------------------------------------------------------------
// Arguments
// ---------------------------------------------------------------------------------------------------------------------

const fitting = <A>(message: string, fits: (value: unknown) => boolean) =>
  Schema.declare((value: unknown): value is A => fits(value), { message })

const isFunction = (value: unknown): boolean => typeof value === "function"

const isNumberFrom = (minimum: number, maximum: number) => (value: unknown) =>
  typeof value === "number" && value >= minimum && value <= maximum

const SettingsChange = SettingsSchema.SettingsChange.annotate({ message: "must be an object of settings" })

const Options = Schema.Struct({
  port: Schema.optional(
    fitting<number>(
      "must be a port: a whole number from 0 to 65535",
      (value) => Number.isInteger(value) && isNumberFrom(0, 65_535)(value)
    )
  ),
  host: Schema.optional(
    fitting<string>(
      "must be a name or an address of this machine, such as 127.0.0.1",
      (value) => typeof value === "string" && /^[\w.:-]+$/.test(value)
    )
  ),
  allowHosts: Schema.optional(
    Schema.Array(
      fitting<string>(
        "must be a name without a port, such as gopay",
        (value) => typeof value === "string" && isHostName(value)
      )
    ).annotate({ message: "must be a list of names" })
  ),
  publicUrl: Schema.optional(
    fitting<string>(
      "must be an http or https address without a path, such as http://localhost:4646",
      (value) => typeof value === "string" && /^https?:\/\/[^/?#@\s]+\/?$/.test(value) && URL.canParse(value)
    )
  ),
  password: Schema.optional(
    fitting<string>(
      "must have at least 8 characters",
      (value) => typeof value === "string" && value.length >= 8 && value.length <= 1000
    )
  ),
  settings: Schema.optional(SettingsChange),
  seed: Schema.optional(
    fitting<SeedJson | string>(
      "must be the content of a seed file, or its text",
      (value) => typeof value === "string" || (typeof value === "object" && value !== null)
    )
  ),
  dataFile: Schema.optional(
    fitting<string>("must be the path of a file", (value) => typeof value === "string" && value !== "")
  ),
  notificationReceiver: Schema.optional(fitting<NotificationReceiver>("must be a function", isFunction)),
  onEvent: Schema.optional(fitting<NonNullable<StartLocalGatewayOptions["onEvent"]>>("must be a function", isFunction)),
  onRequest: Schema.optional(
    fitting<NonNullable<StartLocalGatewayOptions["onRequest"]>>("must be a function", isFunction)
  )
}).annotate({ message: "the options must be an object" })

const cards = Schema.Literals(["4444444444444448", "4188030000000003"] satisfies ReadonlyArray<keyof typeof TestCards>)

const PayByCard = Schema.Struct({
  card: Schema.optionalKey(cards.annotate({ message: `must be one of ${Object.keys(TestCards).join(", ")}` }))
}).annotate({ message: 'the options must be an object, such as { card: "4188030000000003" }' })

const Instrument = Schema.Struct({
  instrument: fitting<string>(
    "must be a payment instrument, such as BANK_ACCOUNT",
    (value) => typeof value === "string" && value !== ""
  )
})

const Decline = Schema.Struct({
  subState: fitting<string>(
    "must be a sub-state: an underscore and digits, such as _5006",
    (value) => typeof value === "string" && /^_\d+$/.test(value)
  )
})

const durationText = /^\d+(\.\d+)? (milli|second|minute|hour|day|week)s?$/

const isDuration = (value: unknown): value is DurationInput =>
  typeof value === "number" ? Number.isFinite(value) : typeof value === "string" && durationText.test(value)

const Forward = Schema.Struct({
  duration: fitting<DurationInput>(
    'must be a duration of at most 1000 years: milliseconds, or a text such as "20 seconds"',
    (value) => isDuration(value) && canForward(value)
  )
})

const checked = <S extends Schema.ConstraintDecoder<unknown>>(
  operation: Method | "startLocalGateway",
  schema: S,
  value: unknown
): S["Type"] => {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value)
  if (Result.isSuccess(decoded)) return decoded.success
  const message = describeFields(invalidFields(decoded.failure.issue))
  throw new LocalGatewayError({ operation, reason: { _tag: "InvalidInput", message } })
}

const checkedSeed = (operation: "startLocalGateway" | "seed", json: SeedJson | string): Seed => {
  const seed = typeof json === "string" ? readSeedText(json) : readSeed(json)
  if (Result.isSuccess(seed)) return seed.success
  const { message } = seed.failure
  throw new LocalGatewayError({ operation, reason: { _tag: "InvalidInput", message } })
}

// ---------------------------------------------------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------------------------------------------------

const isStopped: LocalGatewayErrorReason = {
  _tag: "Stopped",
  message: "this local gateway has been stopped; start another"
}

const failure = (operation: string, cause: Cause.Cause<unknown>): unknown => {
  if (Cause.hasInterruptsOnly(cause)) return new LocalGatewayError({ operation, reason: isStopped })
  const error = Cause.squash(cause)
  const reason = reasonOf(error)
  return reason === undefined ? error : new LocalGatewayError({ operation, reason })
}

/** Undefined for a defect, which is rethrown as it is. */
const reasonOf = (error: unknown): LocalGatewayErrorReason | undefined => {
  if (error instanceof PayerActionRefused) return refusal(error)
  if (error instanceof InvalidFault) return { _tag: "InvalidInput", message: error.message }
  if (error instanceof ServerStartError) return notStarted(error)
  if (error instanceof DataFileError) {
    return { _tag: "DataFileError", path: error.path, message: error.message }
  }
  return undefined
}

const refusal = ({ paymentId, reason, state = "" }: PayerActionRefused): LocalGatewayErrorReason => {
  switch (reason) {
    case "PaymentNotFound":
      return { _tag: "UnknownPayment", paymentId, message: `there is no payment ${paymentId} here` }
    case "WrongState":
      return { _tag: "WrongState", paymentId, state, message: `payment ${paymentId} is ${state}` }
    case "NotOffered":
      return { _tag: "NotOffered", paymentId, message: `payment ${paymentId} cannot be paid this way` }
  }
}

const notStarted = ({ cause, host, port }: ServerStartError): LocalGatewayErrorReason => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
  const message =
    code === "EADDRINUSE"
      ? `port ${port} of ${host} is taken; choose another, or 0 for a free one`
      : `cannot listen on ${host}, port ${port}${code === undefined ? "" : ` (${code})`}`
  return { _tag: "ServerStartError", host, port, message, ...(code === undefined ? {} : { code }) }
}
