/**
 * A gateway of one's own: it stands in for GoPay in tests and on a developer's machine.
 *
 * It answers in the wire form of the real one, keeps its payments in memory, and lets its caller play the payer. Each
 * time a layer of it is built, there is a new, empty gateway; it ends with the layer's scope.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { PaymentInstrument, PaymentSubState } from "../api/CodeLists.plain.js"
import * as GatewaySchema from "../api/GatewaySchema.js"
import type { Id, PaymentResponse } from "../api/Messages.plain.js"
import { paymentResponse } from "./http/Responses.js"
import { controlPrefix, controlRoutes } from "./control/ControlApi.js"
import { dashboardRoutes } from "./dashboard/Dashboard.js"
import { openDataFile, type DataFileError } from "./engine/DataFile.js"
import { Engine } from "./engine/Engine.js"
import { bodyText, type ConnectionLost, reply, type Reply } from "./http/FaultedResponse.js"
import type { ArmedFault, ArmingOptions, Fault, FaultArming, FaultMix } from "./engine/Fault.plain.js"
import type { InvalidFault } from "./engine/Fault.js"
import type { LoggedEvent, JournalEntry, LoggedRequest } from "./engine/Journal.js"
import { startServer, type LoopbackAddress, type ServerStartError } from "./http/LoopbackServer.js"
import { defaultMerchant, merchantAt, type Merchant } from "./settings/Merchant.js"
import { fetchReceiver, type NotificationReceiver } from "./engine/Notifications.js"
import type { PayByCardOptions } from "./engine/PayerAction.plain.js"
import { payerControls, type PayerActionRefused } from "./engine/PayerControls.js"
import type { Payment } from "./books/Payment.js"
import { payPageRoutes } from "./pay-page/PayPage.js"
import { documentPath, documentRoute } from "./http/OpenApiRoute.js"
import { operationOf } from "./wire/RequestedOperation.js"
import { makeAnswer, maxBodyBytes } from "./http/Routes.js"
import type { Seed } from "./seed/Seed.js"
import type { SeedContent } from "./seed/SeedSchema.js"
import type { Settings, SettingsChange } from "./settings/Settings.plain.js"

/** How a local gateway begins: its settings, and who is notified. */
export interface LocalGatewayOptions extends SettingsChange {
  /** What it begins with, and goes back to when it is reset. Default: one merchant, and nothing else. */
  readonly seed?: Seed
  /**
   * Takes the notifications: it is given the address with its `id`, and answers the status, of which 200 means taken.
   * Default: in-process nobody does, and notifications are only noted; a server sends a GET.
   */
  readonly notificationReceiver?: NotificationReceiver
  /** Told of each request that was answered, as it is in `requests`; it must not throw. */
  readonly onRequest?: (request: JournalEntry<LoggedRequest>) => void
  /** Told of everything else that happens, as it is in `happenings`: changes of state, notifications, faults. */
  readonly onHappening?: (happening: JournalEntry<LoggedEvent>) => void
}

/** Where the local gateway's server listens, and how it begins. */
export interface LocalGatewayServerOptions extends LocalGatewayOptions {
  /**
   * Path of a file in which its state is kept between runs: a seed file, which is made when it is not there. It takes the
   * place of the seed. It is written before a change is answered, and holds credentials. One gateway at a time.
   */
  readonly dataFile?: string
  /** Default: 0, the system chooses a free one. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`. With an address that is not loopback, other machines can reach it too. */
  readonly host?: LoopbackAddress["host"] | undefined
}

/** A running local gateway. Wherever an amount appears it is an integer in minor units (haléře, cents). */
export interface LocalGatewayService {
  /** Its address, without `/api`: `http://localhost` in-process, else such as `http://127.0.0.1:43211`. */
  readonly url: string
  /** The first merchant it knows; fit to be the options of `Gateway.layer`. */
  readonly merchant: Merchant
  /** All merchants it knows; each sees its own payments only. */
  readonly merchants: Effect.Effect<ReadonlyArray<Merchant>>
  /**
   * The payer chooses how to pay and has not paid yet: `PAYMENT_METHOD_CHOSEN`, with sub-state `_102` for a bank
   * transfer, else `_101`.
   */
  readonly choosePaymentMethod: (
    paymentId: Id,
    instrument: PaymentInstrument
  ) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /**
   * The payer pays by card: `PAID`, or `AUTHORIZED` where the amount is only to be held. Starts a requested recurrence;
   * stores the card where `request_card_token` or `verify_pin` was sent. Where the order presents a stored card's token,
   * that card pays.
   */
  readonly payByCard: (paymentId: Id, options?: PayByCardOptions) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /**
   * The payer's bank transfer comes: `PAID`, with sub-state `_3002`. It may also come after the payment has timed out, if
   * the payer had chosen it: then the sub-state is `_5047`.
   */
  readonly payByBankTransfer: (paymentId: Id) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /**
   * An attempt to pay is declined and the payer may try again: `PAYMENT_METHOD_CHOSEN`, with the sub-state given. Whether
   * the real gateway shows a failed attempt so is not known.
   */
  readonly declineAttempt: (
    paymentId: Id,
    subState: PaymentSubState
  ) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** The payment is declined: `CANCELED`, with the sub-state given (default: `_5006`, insufficient funds). */
  readonly decline: (paymentId: Id, subState?: PaymentSubState) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** The payer cancels: `CANCELED`, with sub-state `_5043`. */
  readonly cancel: (paymentId: Id) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /** The payer does not pay in time: `TIMEOUTED`. */
  readonly timeOut: (paymentId: Id) => Effect.Effect<PaymentResponse, PayerActionRefused>
  /**
   * Moves the gateway's time forward, ahead of the clock: all that is due by then happens, in the order of its time.
   * Payments time out, held amounts are released, recurrences are charged and end, tokens expire.
   */
  readonly forward: (duration: Duration.Duration) => Effect.Effect<void>
  /**
   * Sends all notifications that wait, without the pauses between attempts, until each is answered with 200 or has been
   * tried as often as `notificationAttempts` says.
   */
  readonly drainNotifications: Effect.Effect<void>
  /**
   * Arms a fault: the next request that fits has it, or as many as `calls` says. Any request under `/api` fits, also one
   * for a token, unless `operation` says which. Fails when a parameter of the fault is out of its bounds.
   */
  readonly armFault: (fault: Fault, options?: ArmingOptions) => Effect.Effect<ArmedFault, InvalidFault>
  /** Arms several; they are used in this order. None is armed when one is wrong. */
  readonly armFaults: (armings: ReadonlyArray<FaultArming>) => Effect.Effect<ReadonlyArray<ArmedFault>, InvalidFault>
  /** From now on requests have faults at random, by a seed. It ends with `disarmFaults`. */
  readonly mixFaults: (mix: FaultMix) => Effect.Effect<void, InvalidFault>
  /** The faults that wait for their requests, in the order in which they were armed. */
  readonly faults: Effect.Effect<ReadonlyArray<ArmedFault>>
  /** Disarms all faults and ends a mix; or disarms the one with this id. */
  readonly disarmFaults: (id?: number) => Effect.Effect<void>
  /** How it is set to behave. */
  readonly settings: Effect.Effect<Settings>
  /** Changes how it behaves, from now on. */
  readonly changeSettings: (change: SettingsChange) => Effect.Effect<void>
  /**
   * Begins anew from a seed: merchants, payments, cards, settings and time are then those of the seed, and nothing else is
   * left of what was there. The log goes on, and tokens of merchants that are still there hold.
   */
  readonly seed: (seed: Seed) => Effect.Effect<void>
  /** The whole state, as the content of a seed file; fit for `JSON.stringify`. It holds secrets. */
  readonly exportSeed: Effect.Effect<SeedContent>
  /** Begins again as it began at first. The log and all tokens are forgotten, too. */
  readonly reset: Effect.Effect<void>
  /** Makes all access tokens invalid. */
  readonly revokeTokens: Effect.Effect<void>
  /** All payments as they are now, in the order of their creation. */
  readonly payments: Effect.Effect<ReadonlyArray<PaymentResponse>>
  /** The last 1000 requests it answered, oldest first; secrets and card numbers are masked. */
  readonly requests: Effect.Effect<ReadonlyArray<JournalEntry<LoggedRequest>>>
  /** The last 5000 things that happened, oldest first: changes of state, notifications, time moved forward. */
  readonly happenings: Effect.Effect<ReadonlyArray<JournalEntry<LoggedEvent>>>
}

const decodePayment = Schema.decodeUnknownSync(GatewaySchema.PaymentResponse)

interface RunningGateway {
  readonly service: LocalGatewayService
  /** Answers a request. It fails, never ends, or ends in a body that fails, when a fault on it says so. */
  readonly answer: (
    request: HttpClientRequest.HttpClientRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
}

const textOf = (bytes: Uint8Array | ArrayBuffer): string => new TextDecoder().decode(bytes)

/** What an answer says, for the log: nothing for a file or a page, unless a fault has put it there. */
const loggedText = ({ made, sent }: Reply): string => {
  const said = sent?.body._tag === "Stream" ? made : sent
  if (said?.body._tag !== "Uint8Array") return ""
  return said !== made || said.body.contentType.startsWith("application/json") ? bodyText(said) : ""
}

/** Where the state is kept between runs. */
interface Keeping<E> {
  /** The state that was kept; undefined at the first run. */
  readonly seed: Seed | undefined
  /** Keeps the state from now on. Gives what ends when all that has changed by then is kept. */
  readonly keep: (engine: Engine) => Effect.Effect<Effect.Effect<void>, E, Scope.Scope>
}

const notKept: Keeping<never> = { seed: undefined, keep: () => Effect.succeed(Effect.void) }

const make = <E = never>(
  { notificationReceiver, onHappening, onRequest, seed, ...settings }: LocalGatewayOptions,
  url: string,
  kept: Keeping<E>
): Effect.Effect<RunningGateway, E, Scope.Scope> =>
  Effect.gen(function* () {
    const engine = yield* Engine.start({
      url,
      seed,
      resumed: kept.seed,
      settings,
      notificationReceiver,
      onHappening,
      onRequest
    })
    const saved = yield* kept.keep(engine)
    const { books, journal } = engine
    const controls = payerControls(engine)
    const respond = yield* makeAnswer(engine, [
      ...payPageRoutes(engine, controls),
      ...dashboardRoutes,
      ...controlRoutes(engine, controls),
      documentRoute(engine)
    ])

    const answer = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.gen(function* () {
        const received = HttpServerRequest.fromClientRequest(request)
        const { headers, method } = received
        const [path = "", query = ""] = received.url.split("?", 2)
        const requestBody = keepsBodies(path)
          ? textOf(yield* Effect.orElseSucceed(received.arrayBuffer, () => new ArrayBuffer(0)))
          : ""
        const asked = { method, path, requestBody }
        const { operation } = operationOf({ ...asked, responseBody: "" })
        const replied = yield* reply(engine, { path, operation, process: Effect.scoped(respond) }).pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, received)
        )
        if (isOfGateway(path)) {
          const { fault, made, sent } = replied
          journal.addRequest({
            at: yield* engine.now,
            ...asked,
            query,
            status: sent?.status ?? 0,
            headers,
            ...operationOf({ ...asked, responseBody: made === undefined ? "" : bodyText(made) }),
            ...(fault === undefined ? {} : { fault }),
            responseBody: loggedText(replied)
          })
        }
        yield* saved
        return yield* replied.delivery
      })

    /** The payment as a client would read it. */
    const shown = (payment: Payment): PaymentResponse =>
      decodePayment(JSON.parse(JSON.stringify(paymentResponse(payment, engine))))

    return {
      answer,
      service: {
        url,
        get merchant() {
          return merchantAt(engine.merchants[0], url)
        },
        merchants: Effect.sync(() => engine.merchants.map((merchant) => merchantAt(merchant, url))),
        choosePaymentMethod: (id, instrument) => Effect.map(controls.choosePaymentMethod(id, instrument), shown),
        payByCard: (id, options) => Effect.map(controls.payByCard(id, options), shown),
        payByBankTransfer: (id) => Effect.map(controls.payByBankTransfer(id), shown),
        declineAttempt: (id, subState) => Effect.map(controls.declineAttempt(id, subState), shown),
        decline: (id, subState) => Effect.map(controls.decline(id, subState), shown),
        cancel: (id) => Effect.map(controls.cancel(id), shown),
        timeOut: (id) => Effect.map(controls.timeOut(id), shown),
        forward: (duration) => engine.forward(Duration.toMillis(duration)),
        drainNotifications: Effect.andThen(engine.moment("control"), engine.notifications.drain),
        armFault: (fault, options) => engine.faults.arm({ fault, ...options }),
        armFaults: (armings) => engine.faults.armAll(armings),
        mixFaults: (mix) => engine.faults.mix(mix),
        faults: Effect.sync(() => engine.faults.list()),
        disarmFaults: (id) => (id === undefined ? engine.faults.clear : Effect.asVoid(engine.faults.disarm(id))),
        settings: Effect.sync(() => engine.settings),
        changeSettings: (change) => Effect.sync(() => engine.changeSettings(change)),
        seed: (seed) => engine.begin(seed),
        exportSeed: Effect.map(engine.moment("control"), () => engine.exportSeed()),
        reset: engine.reset,
        revokeTokens: Effect.sync(() => engine.tokens.revokeAll()),
        payments: Effect.map(engine.moment("control"), () => books.allPayments().map(shown)),
        requests: Effect.sync(() => journal.requests()),
        happenings: Effect.map(engine.moment("control"), () => journal.happenings())
      }
    }
  })

/** What a developer asks is none of the gateway's business. */
const isOfGateway = (path: string): boolean => path !== "/" && path !== documentPath && !path.startsWith(controlPrefix)

/** An answer as a client sees it without a socket. */
const clientResponse = (
  request: HttpClientRequest.HttpClientRequest,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
) =>
  Effect.mapBoth(answer, {
    onFailure: (cause) =>
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) }),
    onSuccess: (response) => HttpServerResponse.toClientResponse(response, { request })
  })

/** What a payer types into the pay page is kept nowhere. */
const keepsBodies = (path: string): boolean => path.startsWith("/api/")

const inProcessUrl = "http://localhost"

/**
 * The local gateway, as a service.
 *
 * ```ts
 * const test = Effect.gen(function* () {
 *   const payment = yield* createPayment(order)
 *   yield* LocalGateway.payByCard(payment.id)
 *   const { state } = yield* getPayment(payment.id) // "PAID"
 * }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
 * ```
 */
export class LocalGateway extends Context.Service<LocalGateway, LocalGatewayService>()("effect-gopay/LocalGateway") {
  /** The merchant of an in-process gateway; fit to be the options of `Gateway.layer`. */
  static readonly merchant: Merchant = merchantAt(defaultMerchant, inProcessUrl)

  /** A gateway in-process: an `HttpClient` whose every request it answers, whatever the host, with no socket. */
  static readonly layerWith = (options: LocalGatewayOptions): Layer.Layer<HttpClient.HttpClient | LocalGateway> =>
    Layer.effectContext(
      Effect.map(make(options, inProcessUrl, notKept), ({ answer, service }) =>
        Context.make(LocalGateway, service).pipe(
          Context.add(
            HttpClient.HttpClient,
            HttpClient.make((request) => clientResponse(request, answer(request)))
          )
        )
      )
    )

  /** A gateway in-process with the default settings. */
  static readonly layer: Layer.Layer<HttpClient.HttpClient | LocalGateway> = LocalGateway.layerWith({})

  /**
   * A gateway behind a real HTTP server on the loopback interface, for clients in this process or another. Its `url` and
   * `merchant` tell where. It stops with the layer's scope, also while connections are kept alive.
   *
   * Fails with `ServerStartError` when it cannot listen, such as when the port is taken, and with `DataFileError` when
   * its data file is not a seed or cannot be read or written.
   */
  static readonly layerServer = ({
    host = "127.0.0.1",
    port = 0,
    dataFile,
    ...options
  }: LocalGatewayServerOptions = {}): Layer.Layer<LocalGateway, ServerStartError | DataFileError> =>
    Layer.effect(
      LocalGateway,
      Effect.gen(function* () {
        const kept = dataFile === undefined ? notKept : yield* openDataFile(dataFile)
        return yield* startServer({ port, host }, maxBodyBytes, (url) =>
          Effect.map(make({ notificationReceiver: fetchReceiver, ...options }, url, kept), ({ answer, service }) => ({
            answer,
            value: service
          }))
        )
      })
    )

  /** See {@link LocalGatewayService.choosePaymentMethod}. */
  static readonly choosePaymentMethod = (paymentId: Id, instrument: PaymentInstrument) =>
    LocalGateway.use((gateway) => gateway.choosePaymentMethod(paymentId, instrument))

  /** See {@link LocalGatewayService.payByCard}. */
  static readonly payByCard = (paymentId: Id, options?: PayByCardOptions) =>
    LocalGateway.use((gateway) => gateway.payByCard(paymentId, options))

  /** See {@link LocalGatewayService.payByBankTransfer}. */
  static readonly payByBankTransfer = (paymentId: Id) =>
    LocalGateway.use((gateway) => gateway.payByBankTransfer(paymentId))

  /** See {@link LocalGatewayService.decline}. */
  static readonly decline = (paymentId: Id, subState?: PaymentSubState) =>
    LocalGateway.use((gateway) => gateway.decline(paymentId, subState))

  /** See {@link LocalGatewayService.cancel}. */
  static readonly cancel = (paymentId: Id) => LocalGateway.use((gateway) => gateway.cancel(paymentId))

  /** See {@link LocalGatewayService.timeOut}. */
  static readonly timeOut = (paymentId: Id) => LocalGateway.use((gateway) => gateway.timeOut(paymentId))

  /** See {@link LocalGatewayService.forward}. */
  static readonly forward = (duration: Duration.Duration) => LocalGateway.use((gateway) => gateway.forward(duration))

  /** See {@link LocalGatewayService.drainNotifications}. */
  static readonly drainNotifications = LocalGateway.use((gateway) => gateway.drainNotifications)

  /** See {@link LocalGatewayService.armFault}. */
  static readonly armFault = (fault: Fault, options?: ArmingOptions) =>
    LocalGateway.use((gateway) => gateway.armFault(fault, options))

  /** See {@link LocalGatewayService.armFaults}. */
  static readonly armFaults = (armings: ReadonlyArray<FaultArming>) =>
    LocalGateway.use((gateway) => gateway.armFaults(armings))

  /** See {@link LocalGatewayService.mixFaults}. */
  static readonly mixFaults = (mix: FaultMix) => LocalGateway.use((gateway) => gateway.mixFaults(mix))

  /** The faults that wait for their requests, in the order in which they were armed. */
  static readonly faults = LocalGateway.use((gateway) => gateway.faults)

  /** See {@link LocalGatewayService.disarmFaults}. */
  static readonly disarmFaults = (id?: number) => LocalGateway.use((gateway) => gateway.disarmFaults(id))

  /** All payments as they are now, in the order of their creation. */
  static readonly payments = LocalGateway.use((gateway) => gateway.payments)

  /** The last 1000 requests the gateway answered, oldest first. */
  static readonly requests = LocalGateway.use((gateway) => gateway.requests)
}
