/**
 * A local GoPay gateway for tests and development.
 *
 * It speaks the wire format of the real one, keeps its payments in memory, and lets the caller play the payer. Every
 * build of a layer makes a new, empty gateway, which ends with the layer's scope.
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import { configError, invalidFields } from "../basics/InvalidFields.js"
import { storeIn } from "./server/DataFile.js"
import type { DataFileError, ServerStartError } from "./server/StartErrors.js"
import { fetchReceiver } from "./server/Notifications.js"
import type { ConnectionLost } from "./server/FaultedResponse.js"
import { startServer } from "./server/LoopbackServer.js"
import { maxBodyBytes } from "./server/ServedRequest.js"
import { sameOriginGuard } from "./server/SameOriginGuard.js"
import { noStore } from "./server/StateKeeping.js"
import type {
  LocalGatewayEffects,
  LocalGatewayOptions,
  LocalGatewayServerOptions,
  LocalGatewayService
} from "./LocalGatewayService.js"
import { InProcessOptions, ServerOptions } from "./OptionChecks.js"
import { type Endpoint, startGateway } from "./RunningGateway.js"
import type { LocalMerchant } from "./books/Actors.js"
import { defaultMerchant, merchantAt } from "./books/LocalMerchant.js"

/** A response for a client in the same process, without a socket. */
const clientResponse = (
  request: HttpClientRequest.HttpClientRequest,
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
) =>
  Effect.mapBoth(response, {
    onFailure: (cause) =>
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) }),
    onSuccess: (response) => HttpServerResponse.toClientResponse(response, { request })
  })

const checked = (
  schema: Schema.ConstraintDecoder<unknown>,
  options: unknown
): Effect.Effect<void, Config.ConfigError> => {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(options)
  return Result.isSuccess(decoded) ? Effect.void : Effect.fail(configError(invalidFields(decoded.failure.issue)))
}

const inProcessUrl = "http://localhost"

const inProcess: Endpoint = { url: inProcessUrl, guard: sameOriginGuard({ url: inProcessUrl }), isServer: false }

const Service = Context.Service<LocalGateway, LocalGatewayService>()("effect-gopay/LocalGateway")

const read = <A, E>(member: (gateway: LocalGatewayService) => Effect.Effect<A, E>) => Service.use(member)

const call =
  <Args extends ReadonlyArray<unknown>, A, E>(
    member: (gateway: LocalGatewayService) => (...args: Args) => Effect.Effect<A, E>
  ) =>
  (...args: Args) =>
    Service.use((gateway) => member(gateway)(...args))

/** The operations of the gateway in the context. The compiler refuses to compile if one is missing. */
const accessors: LocalGatewayEffects<LocalGateway> = {
  choosePaymentMethod: call((gateway) => gateway.choosePaymentMethod),
  payByCard: call((gateway) => gateway.payByCard),
  payByBankTransfer: call((gateway) => gateway.payByBankTransfer),
  declineAttempt: call((gateway) => gateway.declineAttempt),
  declinePayment: call((gateway) => gateway.declinePayment),
  cancelPayment: call((gateway) => gateway.cancelPayment),
  timeOutPayment: call((gateway) => gateway.timeOutPayment),
  armFault: call((gateway) => gateway.armFault),
  armFaults: call((gateway) => gateway.armFaults),
  armRandomFaults: call((gateway) => gateway.armRandomFaults),
  listMerchants: read((gateway) => gateway.listMerchants),
  advanceTime: call((gateway) => gateway.advanceTime),
  deliverNotifications: read((gateway) => gateway.deliverNotifications),
  listFaults: read((gateway) => gateway.listFaults),
  disarmFaults: call((gateway) => gateway.disarmFaults),
  getSettings: read((gateway) => gateway.getSettings),
  changeSettings: call((gateway) => gateway.changeSettings),
  loadSeed: call((gateway) => gateway.loadSeed),
  exportSeed: read((gateway) => gateway.exportSeed),
  reset: read((gateway) => gateway.reset),
  resetMerchant: call((gateway) => gateway.resetMerchant),
  revokeTokens: read((gateway) => gateway.revokeTokens),
  listPayments: read((gateway) => gateway.listPayments),
  listRequests: read((gateway) => gateway.listRequests),
  listEvents: read((gateway) => gateway.listEvents)
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
 */
export class LocalGateway extends Object.assign(Service, accessors) {
  /** The merchant of an in-process gateway, ready to be passed to `Gateway.layer`. */
  static readonly merchant: LocalMerchant = merchantAt(defaultMerchant, inProcessUrl)

  /**
   * A gateway in process: an `HttpClient` without a socket. It handles every request, whatever its host. Building it
   * fails with a `ConfigError` that names every option that is wrong.
   */
  static readonly layerWith = (
    options: LocalGatewayOptions
  ): Layer.Layer<HttpClient.HttpClient | LocalGateway, Config.ConfigError> =>
    Layer.effectContext(
      Effect.map(
        Effect.andThen(checked(InProcessOptions, options), startGateway(options, inProcess, noStore)),
        ({ respond, service }) =>
          Context.make(LocalGateway, service).pipe(
            Context.add(
              HttpClient.HttpClient,
              // Its router would add the route to the caller's span.
              HttpClient.make((request) =>
                clientResponse(request, Effect.updateContext(respond(request), Context.omit(Tracer.ParentSpan)))
              )
            )
          )
      )
    )

  /**
   * A gateway in process, with the default settings. Since this layer is a constant, everything composed from it shares
   * one gateway.
   */
  static readonly layer: Layer.Layer<HttpClient.HttpClient | LocalGateway> = Layer.orDie(LocalGateway.layerWith({}))

  /**
   * A gateway behind a real HTTP server on the loopback interface, for clients in this process or another. Its address
   * is `url`, also in `merchant`. It stops with the layer's scope, even while connections are kept alive.
   *
   * Building it fails with a `ConfigError` that names every option that is wrong, with `ServerStartError` when it cannot listen, for example when the port is taken, and with `DataFileError`
   * when its data file is not a seed or cannot be read or written.
   */
  static readonly layerServer = (
    given: LocalGatewayServerOptions = {}
  ): Layer.Layer<LocalGateway, ServerStartError | DataFileError | Config.ConfigError> =>
    Layer.effect(
      LocalGateway,
      Effect.gen(function* () {
        yield* checked(ServerOptions, given)
        const { host = "127.0.0.1", port = 0, allowHosts = [], publicUrl, dataFile, ...options } = given
        const { notificationReceiver = fetchReceiver } = options
        const store = yield* storeIn(dataFile)
        return yield* startServer({ port, host }, maxBodyBytes, (address) => {
          const url = publicUrl === undefined ? address : new URL(publicUrl).origin
          const guard = sameOriginGuard({ url, host, allowHosts })
          const endpoint = { url, guard, isServer: true }
          return Effect.map(
            startGateway({ ...options, notificationReceiver }, endpoint, store),
            ({ respond, service }) => ({ handle: respond, value: service })
          )
        })
      })
    )
}
