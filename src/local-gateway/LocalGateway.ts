/**
 * A local GoPay gateway for tests and development.
 *
 * It speaks the wire format of the real one, keeps its payments in memory, and lets the caller play the payer. Every
 * build of a layer makes a new, empty gateway, which ends with the layer's scope.
 */
import * as Clock from "effect/Clock"
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
import * as GatewaySchema from "../api/GatewaySchema.js"
import type { PaymentResponse } from "../api/Messages.plain.js"
import type { Payment } from "./books/Payment.js"
import { controlPrefix, controlRoutes } from "./control/ControlApi.js"
import { dashboardRoutes } from "./dashboard/Dashboard.js"
import { lockedRoutes } from "./dashboard/Login.js"
import { openDataFile, type DataFileError } from "./engine/DataFile.js"
import { Engine } from "./engine/Engine.js"
import type { LoggedEvent, JournalEntry, LoggedRequest } from "./engine/Journal.plain.js"
import { fetchReceiver, type NotificationReceiver } from "./engine/Notifications.js"
import { payerControls } from "./engine/PayerControls.js"
import { bodyText, type ConnectionLost, plainReply, reply, type Reply } from "./http/FaultedResponse.js"
import { startServer, type LoopbackAddress, type ServerStartError } from "./http/LoopbackServer.js"
import { documentPath, documentRoute } from "./http/OpenApiRoute.js"
import { PasswordLock } from "./http/PasswordLock.js"
import { paymentResponse } from "./http/Responses.js"
import { jsonResponse, makeHandler, maxBodyBytes, refuse } from "./http/Routes.js"
import { sameOriginGuard, type SameOriginGuard } from "./http/SameOriginGuard.js"
import type { LocalGatewayEffects, LocalGatewayService } from "./LocalGatewayService.js"
import { payPageRoutes } from "./pay-page/PayPage.js"
import type { Seed } from "./seed/Seed.js"
import { defaultMerchant, merchantAt, type Merchant } from "./settings/Merchant.js"
import type { SettingsChange } from "./settings/Settings.plain.js"
import { refusal } from "./wire/Refusal.js"
import { operationOf } from "./wire/RequestedOperation.js"

/**
 * The initial settings of a local gateway, its seed, and the recipients of notifications and log entries.
 *
 * @category local gateway
 * @since 0.1.0
 */
export interface LocalGatewayOptions extends SettingsChange {
  /** The initial state, to which `reset` returns. Default: one merchant and nothing else. */
  readonly seed?: Seed
  /**
   * Takes the notifications: it gets the address with its `id` and returns the response's status; 200 means taken.
   * Default: in process, notifications are only logged; a server sends a GET.
   */
  readonly notificationReceiver?: NotificationReceiver
  /** Called with every request that was handled, as in `requests`. It must not throw. */
  readonly onRequest?: (request: JournalEntry<LoggedRequest>) => void
  /** Called with every other event, as in `events`: changes of state, notifications, faults. It must not throw. */
  readonly onEvent?: (event: JournalEntry<LoggedEvent>) => void
}

/**
 * Options of a server, besides those of every local gateway.
 *
 * @category local gateway
 * @since 0.1.0
 */
export interface LocalGatewayServerOptions extends LocalGatewayOptions {
  /**
   * Path of the file that keeps the state between runs: a seed file, created when it does not exist, and used in place
   * of the seed when it does. It is written before a change is acknowledged, and contains credentials. Only one gateway
   * may use it at a time.
   */
  readonly dataFile?: string
  /** Default: 0, which means any free port. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`. With an address that is not loopback, other machines can reach the gateway. */
  readonly host?: LoopbackAddress["host"] | undefined
  /**
   * Names, without a port, by which the gateway may be called besides loopback names and `host`: such as `gopay`
   * between containers. Every other `Host` is refused with 403, so that no web page can reach the gateway through a
   * name of its own.
   */
  readonly allowHosts?: ReadonlyArray<string> | undefined
  /**
   * The address at which browsers and clients reach the gateway, where it is not the one that it listens on: such as
   * `http://localhost:4646` for a gateway in a container. It becomes `url`, and `gw_url` starts with it. It has no
   * path.
   */
  readonly publicUrl?: string | undefined
  /**
   * A password for the dashboard and the control API, for a gateway that several people reach: at least 8 characters.
   * Programs send it as HTTP Basic. The gateway's API and the pay page stay open. Default: none.
   */
  readonly password?: string | undefined
}

const decodePayment = Schema.decodeUnknownSync(GatewaySchema.PaymentResponse)

interface RunningGateway {
  readonly service: LocalGatewayService
  /** Responds to a request. A fault can make it fail, never end, or end in a body that fails. */
  readonly respond: (
    request: HttpClientRequest.HttpClientRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
}

const textOf = (bytes: Uint8Array | ArrayBuffer): string => new TextDecoder().decode(bytes)

/** The body for the log: nothing for a file or a page, unless a fault has put it there. */
const loggedText = ({ made, sent }: Reply): string => {
  const shown = sent?.body._tag === "Stream" ? made : sent
  if (shown?.body._tag !== "Uint8Array") return ""
  return shown !== made || shown.body.contentType.startsWith("application/json") ? bodyText(shown) : ""
}

/** The codes in an error body of the gateway. */
const errorCodesOf = (sent: Reply["sent"]): { readonly errorCodes?: ReadonlyArray<number> } => {
  if (sent === undefined || sent.status < 400) return {}
  const codes = Array.from(bodyText(sent).matchAll(/"error_code":(\d+)/g), ([, code]) => Number(code))
  return codes.length === 0 ? {} : { errorCodes: [...new Set(codes)] }
}

/** A store for the state between runs. */
interface StateStore<E> {
  /** The state of the last run; undefined at the first run. */
  readonly seed: Seed | undefined
  /** Stores the state from now on. The inner effect ends once all changes made by then are stored. */
  readonly keep: (engine: Engine) => Effect.Effect<Effect.Effect<void>, E, Scope.Scope>
}

const noStore: StateStore<never> = { seed: undefined, keep: () => Effect.succeed(Effect.void) }

/** The address of a gateway, and its guard. */
interface Door {
  readonly url: string
  readonly guard: SameOriginGuard
  /** Whether requests come from a network, and a foreign `Host` is refused on every route. */
  readonly isServer: boolean
  /** The lock of the dashboard and of the control API. */
  readonly lock?: PasswordLock
}

const make = <E = never>(
  { notificationReceiver, onEvent, onRequest, seed, ...settings }: LocalGatewayOptions,
  { guard, isServer, lock, url }: Door,
  store: StateStore<E>
): Effect.Effect<RunningGateway, E, Scope.Scope> =>
  Effect.gen(function* () {
    const engine = yield* Engine.start({
      url,
      seed,
      resumed: store.seed,
      settings,
      notificationReceiver,
      onEvent,
      onRequest
    })
    const saved = yield* store.keep(engine)
    const { books, journal } = engine
    const controls = payerControls(engine)
    const tools = [...dashboardRoutes(lock !== undefined), ...controlRoutes(engine, controls, guard)]
    const handle = yield* makeHandler(engine, [
      ...payPageRoutes(engine, controls),
      ...(lock === undefined ? tools : lockedRoutes(lock, guard, tools)),
      documentRoute(engine)
    ])

    const respond = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.gen(function* () {
        const received = HttpServerRequest.fromClientRequest(request)
        const begun = yield* Clock.currentTimeNanos
        const { headers, method } = received
        const [path = "", query = ""] = received.url.split("?", 2)
        const requestBody = keepsBodies(path)
          ? textOf(yield* Effect.orElseSucceed(received.arrayBuffer, () => new ArrayBuffer(0)))
          : ""
        const call = { method, path, requestBody }
        const { operation } = operationOf({ ...call, responseBody: "" })
        const objection = isServer ? guard.hostObjection(headers) : undefined
        const replied = yield* (
          objection === undefined
            ? reply(engine, { path, operation, process: Effect.scoped(handle) })
            : Effect.map(refuseHost(engine, path, objection), plainReply)
        ).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, received))
        if (isOfGateway(path)) {
          const { delayMillis = 0, fault, made, sent } = replied
          const taken = Number((yield* Clock.currentTimeNanos) - begun) / 1_000_000
          journal.addRequest({
            at: yield* engine.now,
            ...call,
            query,
            status: sent?.status ?? 0,
            durationMillis: Math.round((taken + delayMillis) * 10) / 10,
            ...errorCodesOf(sent),
            headers,
            ...operationOf({ ...call, responseBody: made === undefined ? "" : bodyText(made) }),
            ...(fault === undefined ? {} : { fault }),
            responseBody: loggedText(replied)
          })
        }
        yield* saved
        return yield* replied.delivery
      })

    /** The payment as a client decodes it. */
    const shown = (payment: Payment): PaymentResponse =>
      decodePayment(JSON.parse(JSON.stringify(paymentResponse(payment, engine))))

    return {
      respond,
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
        forward: (duration) =>
          canForward(duration)
            ? engine.forward(Math.round(Duration.toMillis(duration)))
            : Effect.die(new RangeError("LocalGateway.forward: the duration must be from 0 to 1000 years.")),
        drainNotifications: Effect.andThen(engine.occasion("control"), engine.notifications.drain),
        armFault: (fault, options) => engine.faults.arm({ fault, ...options }),
        armFaults: (armings) => engine.faults.armAll(armings),
        mixFaults: (mix) => engine.faults.mix(mix),
        faults: Effect.sync(() => engine.faults.list()),
        disarmFaults: (id) => (id === undefined ? engine.faults.clear : Effect.asVoid(engine.faults.disarm(id))),
        settings: Effect.sync(() => engine.settings),
        changeSettings: (change) => Effect.sync(() => engine.changeSettings(change)),
        seed: (seed) => engine.begin(seed),
        exportSeed: Effect.map(engine.occasion("control"), () => engine.exportSeed()),
        reset: engine.reset,
        revokeTokens: Effect.sync(() => engine.tokens.revokeAll()),
        payments: Effect.map(engine.occasion("control"), () => books.allPayments().map(shown)),
        requests: Effect.sync(() => journal.requests()),
        events: Effect.map(engine.occasion("control"), () => journal.events())
      }
    }
  })

/**
 * Refuses a request to a foreign `Host`, in the form of what was asked for. The status is 403: at 421, which says the
 * same, browsers and Node's `fetch` repeat the request.
 */
const refuseHost = (engine: Engine, path: string, message: string) => {
  if (path.startsWith("/api/")) return refuse(engine)(refusal(116, message, 403))
  return Effect.succeed(
    path.startsWith(`${controlPrefix}/`)
      ? jsonResponse({ error: "CrossSite", message }, 403)
      : HttpServerResponse.text(message, { status: 403 })
  )
}

/** The dashboard and the control API are the developer's, and not logged as requests to the gateway. */
const isOfGateway = (path: string): boolean => path !== "/" && path !== documentPath && !path.startsWith(controlPrefix)

/** A response as a client in the same process gets it, without a socket. */
const clientResponse = (
  request: HttpClientRequest.HttpClientRequest,
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
) =>
  Effect.mapBoth(response, {
    onFailure: (cause) =>
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) }),
    onSuccess: (response) => HttpServerResponse.toClientResponse(response, { request })
  })

/** The log must not keep what a payer types into the pay page. */
const keepsBodies = (path: string): boolean => path.startsWith("/api/")

/** At most about 1000 years, so that every time can still be written. */
const maxForwardMillis = 1000 * 366 * 24 * 3600 * 1000

/** Whether time can be moved forward by this much. */
export const canForward = (duration: Duration.Input): boolean => {
  const millis = Duration.toMillis(duration)
  return millis >= 0 && millis <= maxForwardMillis
}

const inProcessUrl = "http://localhost"

const inProcess: Door = { url: inProcessUrl, guard: sameOriginGuard({ url: inProcessUrl }), isServer: false }

const Service = Context.Service<LocalGateway, LocalGatewayService>()("effect-gopay/LocalGateway")

const read = <A, E>(member: (gateway: LocalGatewayService) => Effect.Effect<A, E>) => Service.use(member)

const call =
  <Args extends ReadonlyArray<unknown>, A, E>(
    member: (gateway: LocalGatewayService) => (...args: Args) => Effect.Effect<A, E>
  ) =>
  (...args: Args) =>
    Service.use((gateway) => member(gateway)(...args))

/** The operations of whichever gateway the context provides. The compiler refuses one that is missing. */
const accessors: LocalGatewayEffects<LocalGateway> = {
  choosePaymentMethod: call((gateway) => gateway.choosePaymentMethod),
  payByCard: call((gateway) => gateway.payByCard),
  payByBankTransfer: call((gateway) => gateway.payByBankTransfer),
  declineAttempt: call((gateway) => gateway.declineAttempt),
  decline: call((gateway) => gateway.decline),
  cancel: call((gateway) => gateway.cancel),
  timeOut: call((gateway) => gateway.timeOut),
  armFault: call((gateway) => gateway.armFault),
  armFaults: call((gateway) => gateway.armFaults),
  mixFaults: call((gateway) => gateway.mixFaults),
  merchants: read((gateway) => gateway.merchants),
  forward: call((gateway) => gateway.forward),
  drainNotifications: read((gateway) => gateway.drainNotifications),
  faults: read((gateway) => gateway.faults),
  disarmFaults: call((gateway) => gateway.disarmFaults),
  settings: read((gateway) => gateway.settings),
  changeSettings: call((gateway) => gateway.changeSettings),
  seed: call((gateway) => gateway.seed),
  exportSeed: read((gateway) => gateway.exportSeed),
  reset: read((gateway) => gateway.reset),
  revokeTokens: read((gateway) => gateway.revokeTokens),
  payments: read((gateway) => gateway.payments),
  requests: read((gateway) => gateway.requests),
  events: read((gateway) => gateway.events)
}

/**
 * The local gateway as a service. Every operation is also a static member that uses the gateway in the context.
 *
 * ```ts
 * const test = Effect.gen(function* () {
 *   const payment = yield* createPayment(order)
 *   yield* LocalGateway.payByCard(payment.id)
 *   const { state } = yield* getPayment(payment.id) // "PAID"
 * }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
 * ```
 *
 * @category local gateway
 * @since 0.1.0
 */
export class LocalGateway extends Object.assign(Service, accessors) {
  /** The merchant of an in-process gateway, ready to be passed to `Gateway.layer`. */
  static readonly merchant: Merchant = merchantAt(defaultMerchant, inProcessUrl)

  /** A gateway in process: an `HttpClient` without a socket. It handles every request, whatever its host. */
  static readonly layerWith = (options: LocalGatewayOptions): Layer.Layer<HttpClient.HttpClient | LocalGateway> =>
    Layer.effectContext(
      Effect.map(make(options, inProcess, noStore), ({ respond, service }) =>
        Context.make(LocalGateway, service).pipe(
          Context.add(
            HttpClient.HttpClient,
            HttpClient.make((request) => clientResponse(request, respond(request)))
          )
        )
      )
    )

  /** A gateway in process, with the default settings. */
  static readonly layer: Layer.Layer<HttpClient.HttpClient | LocalGateway> = LocalGateway.layerWith({})

  /**
   * A gateway behind a real HTTP server on the loopback interface, for clients in this process or another. Its address
   * is `url`, also in `merchant`. It stops with the layer's scope, even while connections are kept alive.
   *
   * Fails with `ServerStartError` when it cannot listen, for example when the port is taken, and with `DataFileError`
   * when its data file is not a seed or cannot be read or written.
   */
  static readonly layerServer = ({
    host = "127.0.0.1",
    port = 0,
    allowHosts = [],
    publicUrl,
    password,
    dataFile,
    ...options
  }: LocalGatewayServerOptions = {}): Layer.Layer<LocalGateway, ServerStartError | DataFileError> =>
    Layer.effect(
      LocalGateway,
      Effect.gen(function* () {
        if (password !== undefined && password.length < 8) {
          return yield* Effect.die(
            new RangeError("LocalGateway.layerServer: the password must have at least 8 characters.")
          )
        }
        const store = dataFile === undefined ? noStore : yield* openDataFile(dataFile)
        return yield* startServer({ port, host }, maxBodyBytes, (address) => {
          const url = publicUrl === undefined ? address : new URL(publicUrl).origin
          const guard = sameOriginGuard({ url, host, allowHosts })
          const lock = password === undefined ? {} : { lock: new PasswordLock(password, url) }
          const door = { url, guard, isServer: true, ...lock }
          return Effect.map(
            make({ notificationReceiver: fetchReceiver, ...options }, door, store),
            ({ respond, service }) => ({ handle: respond, value: service })
          )
        })
      })
    )
}
