/**
 * The routes of the gateway's API: each endpoint declared in `Endpoint` with its handler.
 *
 * A route decodes its request and then responds from the books without yielding. A refusal becomes the gateway's error
 * body. No response is an empty error or a stack trace.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { canonicalId } from "../../contract/CanonicalId.js"
import { Currencies, TokenScopes } from "../../contract/CodeLists.js"
import * as Endpoint from "../../contract/Endpoint.js"
import { basePathV3 } from "./ApiPath.js"
import { cardResponse, operationResponse, paymentResponse, refundResponse } from "./Responses.js"
import type { OperationOutcome } from "../books/Books.js"
import type { Engine } from "./Engine.js"
import { possibleRefusal } from "./PossibleRefusal.js"
import { allInstruments, instrumentsIn } from "../books/InstrumentCatalogue.js"
import {
  hasUnicodeEscapes,
  readAmount,
  readCaptureAmount,
  readChargeOrder,
  readPaymentOrder,
  readStatementOrder,
  readTokenOrder,
  type RequestBody,
  wrongContentType
} from "../books/RequestDecoder.js"
import { randomBase64, type EventContext } from "../books/EventContext.js"
import { day } from "../books/Times.js"
import { prefersHtml, unknownAddressPage, unknownService } from "./UnknownAddressPage.js"
import { qrPaymentResponse } from "../documents/QrPayment.js"
import { type Refusal, refusal, refusedFields } from "../books/Refusal.js"
import { apiHeaders, jsonResponse, refuse } from "./RefusalResponse.js"
import { bearerToken, bearsCredentials, CommitDelay, readText, type RequestServices } from "./ServedRequest.js"
import { accountStatement } from "../documents/StatementFile.js"
import { isOpen, type Payment } from "../books/Payment.js"
import { ownMember } from "../../basics/OwnMember.js"

/** The part of a request that every operation needs. */
interface Call {
  /** The merchant that the token belongs to. */
  readonly goid: number
  /** The scope of the token. */
  readonly scope: string
  readonly eventContext: EventContext
  readonly parameter: (name: string) => string
  readonly query: (name: string) => string | undefined
  readonly body: RequestBody
}

type Outcome = Result.Result<HttpServerResponse.HttpServerResponse, Refusal>

/**
 * The gateway's own time, which a test can move. A success may be cached for 600 seconds, as recorded in 2019, although
 * the rest of `Cache-Control` says otherwise.
 */
const withTimes = (engine: Engine) => (response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(engine.now, (now) => {
    const dated = HttpServerResponse.setHeader(response, "date", new Date(now).toUTCString())
    return response.status >= 300
      ? dated
      : HttpServerResponse.setHeaders(dated, {
          "cache-control": `${apiHeaders["cache-control"]}, max-age=600`,
          expires: new Date(now + 600_000).toUTCString()
        })
  })

const json = (body: unknown): Outcome => Result.succeed(jsonResponse(body))

// ---------------------------------------------------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------------------------------------------------

/** The payment to read, or error 304 if it is unknown. */
const paymentToRead = ({ books }: Engine, { goid, parameter }: Call): Result.Result<Payment, Refusal> =>
  Result.fromNullishOr(books.paymentOf(goid, parameter("id")), () => refusal(304))

/** Refuses a shop that is not the merchant's. */
const ownShop = ({ goid }: Call, asked: number | string): Result.Result<void, Refusal> =>
  canonicalId(asked) === goid ? Result.void : Result.fail(refusal(111, `eshop with goId=${asked} was not found`))

const operationDone = (operation: Result.Result<OperationOutcome, Refusal>): Outcome =>
  Result.flatMap(operation, (done) => json(operationResponse(done)))

const createPayment = (engine: Engine, call: Call): Outcome =>
  Result.gen(function* () {
    const order = yield* readPaymentOrder(call.body, engine.settings, day(call.eventContext.now))
    yield* ownShop(call, order.target.goid)
    return yield* json(paymentResponse(engine.books.createPayment(order, call.eventContext), engine))
  })

const getPaymentQr = (engine: Engine, call: Call): Outcome =>
  Result.gen(function* () {
    const payment = yield* paymentToRead(engine, call)
    const format = call.query("format") ?? "png"
    if (format !== "png" && format !== "svg") {
      return yield* Result.fail(refusedFields([{ code: 111, field: "format", description: "must be png or svg" }]))
    }
    if (!isOpen(payment)) return yield* Result.fail(refusal(303))
    return yield* json(yield* qrPaymentResponse(payment, format))
  })

const getPaymentInstruments = (call: Call): Outcome =>
  Result.gen(function* () {
    yield* ownShop(call, call.parameter("goid"))
    const currency = call.parameter("currency")
    if (!Object.hasOwn(Currencies, currency)) {
      return yield* Result.fail(refusedFields([{ code: 111, field: "currency", description: "unknown currency" }]))
    }
    return yield* json(instrumentsIn(currency))
  })

const getAccountStatement = ({ books, settings }: Engine, call: Call): Outcome =>
  Result.gen(function* () {
    const order = yield* readStatementOrder(call.body)
    yield* ownShop(call, order.goid)
    const movements = books.movementsOf(order.goid)
    const { bytes, contentType, fileName } = yield* accountStatement(movements, order, settings, call.eventContext.now)
    return HttpServerResponse.uint8Array(bytes, {
      contentType,
      headers: { ...apiHeaders, "content-disposition": `attachment; filename="${fileName}"` }
    })
  })

type OperationName = Exclude<keyof typeof Endpoint, "getAccessToken" | "captureAuthorizationPartial">

type AnyEndpoint = (typeof Endpoint)[keyof typeof Endpoint]

/** The handler of each operation. A full and a partial capture share a route; the body distinguishes them. */
const handlers = (engine: Engine): { readonly [Name in OperationName]: (call: Call) => Outcome } => {
  const { books } = engine
  return {
    createPayment: (call) => createPayment(engine, call),
    getPayment: (call) =>
      Result.flatMap(paymentToRead(engine, call), (payment) => json(paymentResponse(payment, engine))),
    refundPayment: ({ body, goid, eventContext, parameter }) =>
      operationDone(books.refund(goid, parameter("id"), readAmount(body, engine.settings), eventContext)),
    getPaymentRefunds: (call) =>
      Result.flatMap(paymentToRead(engine, call), (payment) => json(books.refundsOf(payment).map(refundResponse))),
    createRecurrence: ({ body, goid, eventContext, parameter }) =>
      Result.flatMap(
        books.createRecurrence(goid, parameter("id"), readChargeOrder(body, engine.settings), eventContext),
        (child) => json(paymentResponse(child, engine))
      ),
    voidRecurrence: ({ goid, eventContext, parameter }) =>
      operationDone(books.voidRecurrence(goid, parameter("id"), eventContext)),
    captureAuthorization: ({ body, goid, eventContext, parameter }) =>
      operationDone(books.capture(goid, parameter("id"), readCaptureAmount(body, engine.settings), eventContext)),
    voidAuthorization: ({ goid, eventContext, parameter }) =>
      operationDone(books.voidAuthorization(goid, parameter("id"), eventContext)),
    getCardDetails: ({ goid, parameter }) => {
      const card = books.cardOf(goid, parameter("card_id"))
      return card === undefined ? Result.fail(refusal(304)) : json(cardResponse(card))
    },
    deleteCard: ({ goid, parameter }) =>
      Result.map(books.deleteCard(goid, parameter("card_id")), () => HttpServerResponse.empty({ headers: apiHeaders })),
    getPaymentInstruments,
    getPaymentInstrumentsAll: (call) =>
      Result.flatMap(ownShop(call, call.parameter("goid")), () => json(allInstruments())),
    getAccountStatement: (call) => getAccountStatement(engine, call),
    getPaymentQr: (call) => getPaymentQr(engine, call)
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Requests and refusals
// ---------------------------------------------------------------------------------------------------------------------

const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  endpoint: AnyEndpoint
): Effect.Effect<RequestBody, Refusal> =>
  Effect.gen(function* () {
    const content = yield* readText(request, 409)
    const body: RequestBody = { content, contentType: request.headers["content-type"] }
    const refused = wrongContentType(endpoint, body)
    return refused === undefined ? body : yield* refused
  })

/** Reportedly, the response of a firewall in front of the gateway to JSON with escaped characters. */
const firewallPage = HttpServerResponse.html("<html><body>403 Forbidden</body></html>").pipe(
  HttpServerResponse.setStatus(403)
)

const readCall = (engine: Engine, endpoint: AnyEndpoint): Effect.Effect<Call, Refusal, RequestServices> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { settings, tokens } = engine
    const eventContext = yield* engine.eventContext("merchant")
    const holder = tokens.holderOf(bearerToken(request.headers["authorization"]), eventContext.now)
    if (holder?.api !== "v3") return yield* refusal(200, undefined, settings.refusedTokenStatus)
    if (settings.scopes === "enforced" && holder.scope === "payment-create" && endpoint.name !== "createPayment") {
      return yield* refusal(200, "The token is for creating payments only.")
    }
    const parameters = yield* HttpRouter.params
    const query = yield* HttpServerRequest.ParsedSearchParams
    return {
      goid: holder.merchant.goid,
      scope: holder.scope,
      eventContext,
      parameter: (parameter) => ownMember(parameters, parameter) ?? "",
      query: (parameter) => [ownMember(query, parameter)].flat()[0],
      body: yield* readBody(request, endpoint)
    }
  })

/** The id of the payment in a response body that starts with one. */
const paymentIn = ({ body }: HttpServerResponse.HttpServerResponse): { readonly paymentId?: number } => {
  const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  const [, id] = /^\{"id":(\d+)/.exec(text) ?? []
  return id === undefined ? {} : { paymentId: Number(id) }
}

const serveOperation = (engine: Engine, endpoint: AnyEndpoint, handle: (call: Call) => Outcome) =>
  Effect.gen(function* () {
    const call = yield* readCall(engine, endpoint)
    if (engine.settings.unicodeEscapes === "refused" && hasUnicodeEscapes(call.body)) return firewallPage
    const delay = yield* CommitDelay
    if (delay === undefined) {
      const possible = possibleRefusal(engine, {
        ...call,
        operation: endpoint.name,
        paymentId: call.parameter("id"),
        now: call.eventContext.now
      })
      const response = yield* Effect.fromResult(handle(call))
      if (possible !== undefined) {
        const warning = { type: "warning", operation: endpoint.name, refusal: possible } as const
        engine.journal.add(call.eventContext.now, { ...warning, ...paymentIn(response) })
      }
      return response
    }
    const due = call.eventContext.now + delay * 1000
    engine.agenda.enter(due, () => void handle({ ...call, eventContext: { ...call.eventContext, now: due } }))
    return HttpServerResponse.empty()
  })

const giveToken = (engine: Engine): Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, RequestServices> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const merchant = engine.merchants.find(({ clientId, clientSecret }) =>
      bearsCredentials(clientId, Redacted.value(clientSecret), request.headers["authorization"])
    )
    if (merchant === undefined) return yield* refusal(202)
    const { grantType, scope } = readTokenOrder(yield* readBody(request, Endpoint.getAccessToken))
    if (grantType !== "client_credentials") return yield* refusal(201)
    if (engine.settings.scopes === "enforced" && !Object.hasOwn(TokenScopes, scope)) {
      return yield* refusal(200, `The scope must be ${Object.keys(TokenScopes).join(" or ")}.`)
    }
    const lifetime = engine.settings.tokenLifetimeSeconds
    const eventContext = yield* engine.eventContext("merchant")
    const token = randomBase64(eventContext, 80)
    engine.tokens.give(token, { api: "v3", merchant, scope }, lifetime, eventContext.now)
    // Members in the order of recordings. The refresh token is never used.
    return jsonResponse({
      token_type: "bearer",
      access_token: token,
      expires_in: lifetime,
      refresh_token: randomBase64(eventContext, 80)
    })
  })

const declared = { ...Endpoint }

/** The documented meaning of status 404. The error code is unknown. */
const refuseAddress = (engine: Engine) =>
  Effect.gen(function* () {
    const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
    const [path = ""] = url.split("?")
    return prefersHtml(headers["accept"])
      ? unknownAddressPage(engine, headers, { method, path })
      : yield* refuse(engine)(refusal(116, unknownService(engine, { method, path }, "en"), 404))
  })

const path = (template: string): `/${string}` => `${basePathV3}${template.replaceAll(/\{(\w+)\}/g, ":$1")}`

/**
 * Services of the real gateway that are not implemented: the Czech registration of sales, which has ended, and cash
 * coupons.
 */
const notImplemented = [
  ["GET", "/payments/payment/{id}/eet-receipts"],
  ["POST", "/eet-receipts"],
  ["*", "/supercash/*"],
  ["*", "/batch/*"]
] as const

/** A route of the local gateway. */
export type Route = HttpRouter.Route

const apiRoutes = (engine: Engine): ReadonlyArray<Route> => {
  const handle = handlers(engine)
  const route = (
    endpoint: AnyEndpoint,
    served: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, RequestServices>
  ) =>
    HttpRouter.route(
      endpoint.method,
      path(endpoint.path),
      served.pipe(Effect.catch(refuse(engine)), Effect.flatMap(withTimes(engine)))
    )
  return [
    route(Endpoint.getAccessToken, giveToken(engine)),
    ...Struct.keys(handle).map((name) => route(declared[name], serveOperation(engine, declared[name], handle[name]))),
    ...notImplemented.map(([method, template]) =>
      HttpRouter.route(
        method,
        path(template),
        Effect.suspend(() => refuse(engine)(refusal(116, `${template} is not implemented by the local gateway.`)))
      )
    )
  ]
}

/** Handles every request: by its route, or with the gateway's error body. */
export const makeHandler = (engine: Engine, pages: ReadonlyArray<Route>) =>
  Effect.map(HttpRouter.toHttpEffect(HttpRouter.addAll([...apiRoutes(engine), ...pages])), (routed) =>
    routed.pipe(
      // The only remaining failure is that no route was found.
      Effect.catch(() => refuseAddress(engine)),
      Effect.catchDefect((defect) =>
        Effect.andThen(Effect.logError("The local gateway failed", defect), refuse(engine)(refusal(100)))
      )
    )
  ).pipe(
    // Routes, log and faults all distinguish `//api` from `/api`.
    Effect.provideService(HttpRouter.RouterConfig, { ignoreDuplicateSlashes: false }),
    // A router of its own, even if it is built among the layers of an application that has one.
    Effect.provideService(Layer.CurrentMemoMap, Layer.makeMemoMapUnsafe())
  )
