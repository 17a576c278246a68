/// <reference types="node" />
/**
 * A running local gateway: its engine, its routes and its service.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as ResponseSchema from "../contract/ResponseSchema.js"
import { isLoopback } from "../basics/Loopback.js"
import type { PaymentResponse } from "../contract/Messages.js"
import type { Payment } from "./books/Payment.js"
import { controlPrefix, controlRoutes } from "./pages/ControlApi.js"
import { dashboardRoutes } from "./pages/Dashboard.js"
import { Engine } from "./server/Engine.js"
import { payerControls } from "./server/PayerControls.js"
import { basePath } from "./server/BasePath.js"
import { bodyText, type ConnectionLost, plainReply, type Reply, reply } from "./server/FaultedResponse.js"
import { paymentResponse } from "./server/Responses.js"
import { apiOf } from "./server/ApiPath.js"
import { jsonResponse, refuse } from "./server/RefusalResponse.js"
import { makeHandler } from "./server/Routes.js"
import { routesV4 } from "./server/RoutesV4.js"
import type { SameOriginGuard } from "./server/SameOriginGuard.js"
import type { StateStore } from "./server/StateKeeping.js"
import type { LocalGatewayOptions, LocalGatewayService } from "./LocalGatewayService.js"
import { payPageRoutes } from "./pages/PayPage.js"
import { merchantAt } from "./books/LocalMerchant.js"
import { refusal } from "./books/Refusal.js"
import { operationOf } from "./books/RequestDecoder.js"
import { maxAdvanceSeconds } from "./books/Times.js"
import * as References from "effect/References"
import * as HttpRouter from "effect/http/HttpRouter"
import { openApiDocument } from "./pages/OpenApi.js"

const documentPath = "/openapi.json"

const isProduction = (): boolean => {
  try {
    return process.env["NODE_ENV"] === "production"
  } catch {
    // A browser has no `process`, and Deno refuses variables that it was not allowed to read.
    return false
  }
}

/** Warns if `NODE_ENV` is `production`. If the program has no logger, the warning goes to stderr. */
const productionWarning: Effect.Effect<void> = Effect.suspend(() =>
  isProduction()
    ? Effect.logWarning(
        "A local GoPay gateway starts with NODE_ENV=production. Its payments are not real: no money moves, and callers can mark any payment as paid."
      )
    : Effect.void
).pipe(Effect.provideService(References.LogToStderr, true))

const decodePayment = Schema.decodeUnknownSync(ResponseSchema.PaymentResponse)

export interface RunningGateway {
  readonly engine: Engine
  readonly service: LocalGatewayService
  /** Responds to a request. A fault can make it fail, never end, or end in a body that fails. */
  readonly respond: (
    request: HttpClientRequest.HttpClientRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionLost>
}

/** The body for the log: nothing for a file or a page, unless a fault has put it there. */
const loggedText = ({ made, sent }: Reply): string => {
  const shown = sent?.body._tag === "Stream" ? made : sent
  if (shown?.body._tag !== "Uint8Array") return ""
  return shown !== made || shown.body.contentType.startsWith("application/json") ? bodyText(shown) : ""
}

const errorCodesOf = (sent: Reply["sent"]): { readonly errorCodes?: ReadonlyArray<number> } => {
  if (sent === undefined || sent.status < 400) return {}
  const codes = Array.from(bodyText(sent).matchAll(/"error_code":(\d+)/g), ([, code]) => Number(code))
  return codes.length === 0 ? {} : { errorCodes: [...new Set(codes)] }
}

export interface Endpoint {
  readonly url: string
  readonly guard: SameOriginGuard
  /** Whether requests come from a network, and a foreign `Host` is refused on every route. */
  readonly isServer: boolean
}

/** Starts a gateway: its engine, and the function that responds to requests. It ends with the scope. */
export const startGateway = <E = never>(
  { notificationReceiver, onEvent, onRequest, seed, settings = {} }: LocalGatewayOptions,
  { guard, isServer, url }: Endpoint,
  store: StateStore<E>
): Effect.Effect<RunningGateway, E, Scope.Scope> =>
  Effect.gen(function* () {
    yield* productionWarning
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
    const handle = yield* makeHandler(engine, [
      ...routesV4(engine),
      ...payPageRoutes(engine, controls),
      ...dashboardRoutes(basePath(url), () => !isLoopback(new URL(engine.url).hostname)),
      ...controlRoutes(engine, controls, guard),
      HttpRouter.route(
        "GET",
        documentPath,
        Effect.suspend(() => openApiDocument("openapi", `${engine.url}/api`))
      )
    ])

    const respond = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.gen(function* () {
        const received = HttpServerRequest.fromClientRequest(request)
        const begun = yield* Clock.currentTimeNanos
        const { headers, method } = received
        const [path = "", query = ""] = received.url.split("?", 2)
        // The log must not keep what a payer types into the pay page.
        const requestBody =
          apiOf(path) !== undefined
            ? new TextDecoder().decode(yield* Effect.orElseSucceed(received.arrayBuffer, () => new ArrayBuffer(0)))
            : ""
        const call = { method, path, requestBody }
        const { operation } = operationOf({ ...call, responseBody: "" })
        const objection = isServer ? guard.hostObjection(headers) : undefined
        const replied = yield* (
          objection === undefined
            ? reply(engine, { path, operation, process: Effect.scoped(handle) })
            : Effect.map(refuseHost(engine, path, objection), plainReply)
        ).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, received))
        // Requests to the dashboard and the control API come from the developer, and are not logged as requests to the
        // gateway.
        if (!["/", documentPath].includes(path) && !path.startsWith(controlPrefix)) {
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

    /** The payment in the form that a client decodes. */
    const shown = (payment: Payment): PaymentResponse =>
      decodePayment(JSON.parse(JSON.stringify(paymentResponse(payment, engine))))

    return {
      engine,
      respond,
      service: {
        get url() {
          return engine.url
        },
        get merchant() {
          return merchantAt(engine.merchants[0], engine.url)
        },
        listMerchants: Effect.sync(() => engine.merchants.map((merchant) => merchantAt(merchant, engine.url))),
        choosePaymentMethod: (id, instrument) => Effect.map(controls.choosePaymentMethod(id, instrument), shown),
        payByCard: (id, options) => Effect.map(controls.payByCard(id, options), shown),
        payByBankTransfer: (id) => Effect.map(controls.payByBankTransfer(id), shown),
        declineAttempt: (id, subState) => Effect.map(controls.declineAttempt(id, subState), shown),
        declinePayment: (id, subState) => Effect.map(controls.declinePayment(id, subState), shown),
        cancelPayment: (id) => Effect.map(controls.cancelPayment(id), shown),
        timeOutPayment: (id) => Effect.map(controls.timeOutPayment(id), shown),
        advanceTime: (duration) =>
          canAdvance(duration)
            ? engine.advanceTime(Math.round(Duration.toMillis(duration)))
            : Effect.die(new RangeError("LocalGateway.advanceTime: the duration must be from 0 to 1000 years.")),
        deliverNotifications: Effect.andThen(engine.eventContext("control"), engine.notifications.deliverAll),
        armFault: (fault, options) => engine.faults.arm({ fault, ...options }),
        armFaults: (armings) => engine.faults.armAll(armings),
        armRandomFaults: (faults) => engine.faults.armRandom(faults),
        listFaults: Effect.sync(() => engine.faults.list()),
        disarmFaults: (id) => (id === undefined ? engine.faults.clear : Effect.asVoid(engine.faults.disarm(id))),
        getSettings: Effect.sync(() => engine.settings),
        changeSettings: (change) => Effect.sync(() => engine.changeSettings(change)),
        loadSeed: (seed) => engine.begin(seed),
        exportSeed: Effect.map(engine.eventContext("control"), () => engine.exportSeed()),
        reset: engine.reset,
        resetMerchant: (goid) => Effect.sync(() => engine.forget(goid)),
        revokeTokens: Effect.sync(() => engine.tokens.revokeAll()),
        listPayments: Effect.map(engine.eventContext("control"), () => books.allPayments().map(shown)),
        listRequests: Effect.sync(() => journal.requests()),
        listEvents: Effect.map(engine.eventContext("control"), () => journal.events())
      }
    }
  })

/**
 * Refuses a request to a foreign `Host`, in the format of what was requested. The status is 403: for 421, which means
 * the same, browsers and Node's `fetch` repeat the request.
 */
const refuseHost = (engine: Engine, path: string, message: string) => {
  if (apiOf(path) !== undefined) return refuse(engine)(refusal(116, message, 403))
  return Effect.succeed(
    path.startsWith(`${controlPrefix}/`)
      ? jsonResponse({ error: "CrossSite", message }, 403)
      : HttpServerResponse.text(message, { status: 403 })
  )
}

/** Whether time can be moved forward by this much. */
export const canAdvance = (duration: Duration.Input): boolean => {
  const millis = Duration.toMillis(duration)
  return millis >= 0 && millis <= maxAdvanceSeconds * 1000
}
