/**
 * The gateway's endpoints, served: each declaration of `Endpoint` with what answers it.
 *
 * A route reads its request and then answers in one go from the books; whatever it refuses becomes the gateway's error
 * body. No request is answered with an empty error or a stack trace.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Currencies } from "../api/CodeLists.js"
import * as Endpoint from "../api/Endpoint.js"
import { cardAnswer, finishedAnswer, paymentAnswer, refundAnswer } from "./Answers.js"
import type { Books } from "./Books.js"
import { allInstruments, instrumentsIn } from "./InstrumentCatalogue.js"
import {
  readAmount,
  readCaptureAmount,
  readChargeOrder,
  readGrantType,
  readPaymentOrder,
  readStatementOrder,
  type RequestBody
} from "./LenientRequest.js"
import type { Merchant } from "./Merchant.js"
import { currentMoment, type Moment } from "./Moment.js"
import { day } from "./PragueTime.js"
import { qrPaymentAnswer } from "./QrPayment.js"
import { errorBody, messageLanguage, Refusal, refusal, refusedFields } from "./Refusal.js"
import { accountStatement } from "./StatementFile.js"
import { isOpen, type Payment } from "./Payment.js"
import type { Tokens } from "./Tokens.js"

/** What the routes serve from. */
export interface GatewayState {
  /** Address of the gateway, without `/api`. */
  readonly url: string
  readonly merchant: Merchant
  readonly books: Books
  readonly tokens: Tokens
}

/** A request, read as far as every operation needs it. */
interface Call {
  /** Whose token it bears. */
  readonly goid: number
  readonly moment: Moment
  readonly parameter: (name: string) => string
  readonly query: (name: string) => string | undefined
  readonly body: RequestBody
}

type Answer = Result.Result<HttpServerResponse.HttpServerResponse, Refusal>

/** Larger request bodies are refused. */
export const maxBodyBytes = 1024 * 1024

const headers = { "cache-control": "no-cache, no-store, must-revalidate", "x-content-type-options": "nosniff" }

const jsonResponse = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(body), { status, headers, contentType: "application/json" })

const json = (body: unknown): Answer => Result.succeed(jsonResponse(body))

// ---------------------------------------------------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------------------------------------------------

/** A payment to read; where it is unknown, 304. */
const paymentToRead = ({ books }: GatewayState, { goid, parameter }: Call): Result.Result<Payment, Refusal> =>
  Result.fromNullishOr(books.paymentOf(goid, parameter("id")), () => refusal(304))

/** The shop must be the merchant's own. */
const ownShop = ({ goid }: Call, asked: number | string): Result.Result<void, Refusal> =>
  String(asked) === String(goid) ? Result.void : Result.fail(refusal(111, `eshop with goId=${asked} was not found`))

const finished = (payment: Result.Result<Payment, Refusal>): Answer =>
  Result.flatMap(payment, (done) => json(finishedAnswer(done)))

const createPayment = ({ books, url }: GatewayState, call: Call): Answer =>
  Result.gen(function* () {
    const order = yield* readPaymentOrder(call.body, day(call.moment.now))
    yield* ownShop(call, order.target.goid)
    return yield* json(paymentAnswer(books.createPayment(order, call.moment), url))
  })

const getPaymentQr = (state: GatewayState, call: Call): Answer =>
  Result.gen(function* () {
    const payment = yield* paymentToRead(state, call)
    const format = call.query("format") ?? "png"
    if (format !== "png" && format !== "svg") {
      return yield* Result.fail(refusedFields([{ code: 111, field: "format", description: "must be png or svg" }]))
    }
    if (!isOpen(payment)) return yield* Result.fail(refusal(303))
    return yield* json(yield* qrPaymentAnswer(payment, format))
  })

const getPaymentInstruments = (call: Call): Answer =>
  Result.gen(function* () {
    yield* ownShop(call, call.parameter("goid"))
    const currency = call.parameter("currency")
    if (!Object.hasOwn(Currencies, currency)) {
      return yield* Result.fail(refusedFields([{ code: 111, field: "currency", description: "unknown currency" }]))
    }
    return yield* json(instrumentsIn(currency))
  })

const getAccountStatement = ({ books }: GatewayState, call: Call): Answer =>
  Result.gen(function* () {
    const order = yield* readStatementOrder(call.body)
    yield* ownShop(call, order.goid)
    const { bytes, contentType, fileName } = yield* accountStatement(books.movementsOf(order.goid), order)
    return HttpServerResponse.uint8Array(bytes, {
      contentType,
      headers: { ...headers, "content-disposition": `attachment; filename="${fileName}"` }
    })
  })

/** What answers each operation. A full and a partial capture are one route, told apart by the body. */
const operations = (
  state: GatewayState
): ReadonlyArray<
  readonly [endpoint: { readonly method: Method; readonly path: string }, answer: (call: Call) => Answer]
> => {
  const { books, url } = state
  return [
    [Endpoint.createPayment, (call) => createPayment(state, call)],
    [
      Endpoint.getPayment,
      (call) => Result.flatMap(paymentToRead(state, call), (payment) => json(paymentAnswer(payment, url)))
    ],
    [
      Endpoint.refundPayment,
      ({ body, goid, moment, parameter }) => finished(books.refund(goid, parameter("id"), readAmount(body), moment))
    ],
    [
      Endpoint.getPaymentRefunds,
      (call) =>
        Result.flatMap(paymentToRead(state, call), (payment) => json(books.refundsOf(payment).map(refundAnswer)))
    ],
    [
      Endpoint.createRecurrence,
      ({ body, goid, moment, parameter }) =>
        Result.flatMap(books.createRecurrence(goid, parameter("id"), readChargeOrder(body), moment), (child) =>
          json(paymentAnswer(child, url))
        )
    ],
    [Endpoint.voidRecurrence, ({ goid, parameter }) => finished(books.voidRecurrence(goid, parameter("id")))],
    [
      Endpoint.captureAuthorization,
      ({ body, goid, moment, parameter }) =>
        finished(books.capture(goid, parameter("id"), readCaptureAmount(body), moment))
    ],
    [Endpoint.voidAuthorization, ({ goid, parameter }) => finished(books.voidAuthorization(goid, parameter("id")))],
    [
      Endpoint.getCardDetails,
      ({ goid, parameter }) => {
        const card = books.cardOf(goid, parameter("card_id"))
        return card === undefined ? Result.fail(refusal(304)) : json(cardAnswer(card))
      }
    ],
    [
      Endpoint.deleteCard,
      ({ goid, parameter }) =>
        Result.map(books.deleteCard(goid, parameter("card_id")), () => HttpServerResponse.empty({ headers }))
    ],
    [Endpoint.getPaymentInstruments, getPaymentInstruments],
    [
      Endpoint.getPaymentInstrumentsAll,
      (call) => Result.flatMap(ownShop(call, call.parameter("goid")), () => json(allInstruments()))
    ],
    [Endpoint.getAccountStatement, (call) => getAccountStatement(state, call)],
    [Endpoint.getPaymentQr, (call) => getPaymentQr(state, call)]
  ]
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading and refusing
// ---------------------------------------------------------------------------------------------------------------------

type Method = "GET" | "POST" | "DELETE"

type RequestServices =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpRouter.RouteContext

const readBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<RequestBody, Refusal> =>
  request.arrayBuffer.pipe(
    Effect.mapError(() => refusal(116, "The body could not be read.")),
    Effect.flatMap((bytes) =>
      bytes.byteLength > maxBodyBytes
        ? Effect.fail(refusal(116, `The body has more than ${maxBodyBytes} bytes.`, 413))
        : Effect.succeed({ content: new TextDecoder().decode(bytes), contentType: request.headers["content-type"] })
    )
  )

const bearerToken = (authorization: string | undefined): string =>
  /^bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? ""

const readCall = ({ tokens }: GatewayState): Effect.Effect<Call, Refusal, RequestServices> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const moment = yield* currentMoment
    const merchant = tokens.merchantOf(bearerToken(request.headers["authorization"]), moment.now)
    if (merchant === undefined) return yield* refusal(200)
    const parameters = yield* HttpRouter.params
    const query = yield* HttpServerRequest.ParsedSearchParams
    return {
      goid: merchant.goid,
      moment,
      parameter: (name) => parameters[name] ?? "",
      query: (name) => [query[name]].flat()[0],
      body: yield* readBody(request)
    }
  })

/** The merchant's `id:secret`, in either encoding: the Java client encodes the colon too, as `%3A`. */
const bearsCredentials = ({ clientId, clientSecret }: Merchant, authorization: string | undefined): boolean => {
  const encoded = /^basic +(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? ""
  const credentials = `${clientId}:${Redacted.value(clientSecret)}`
  const given = Result.getOrElse(Base64.decodeString(encoded), () => "")
  return given === credentials || given === encodeURIComponent(credentials)
}

const giveToken = ({
  merchant,
  tokens
}: GatewayState): Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, RequestServices> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!bearsCredentials(merchant, request.headers["authorization"])) return yield* refusal(202)
    const grantType = readGrantType(yield* readBody(request))
    if (grantType !== "client_credentials") return yield* refusal(201)
    return jsonResponse(tokens.issue(merchant, yield* currentMoment))
  })

const refuse = ({ faults, status }: Refusal) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const now = yield* Clock.currentTimeMillis
    return jsonResponse(errorBody(faults, messageLanguage(request.headers["accept-language"]), now), status)
  })

/** The documentation's meaning of 404; no code for it is known. */
const unknownService = Effect.gen(function* () {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  return yield* refuse(refusal(116, `There is no service ${method} ${url.split("?")[0]}.`, 404))
})

const embedScript = `console.warn("The local gateway has no embed script yet: send the payer to gw_url.")\n`

const path = (template: string): `/${string}` => `/api${template.replaceAll(/\{(\w+)\}/g, ":$1")}`

type Route = HttpRouter.Route

const routes = (state: GatewayState): ReadonlyArray<Route> => [
  HttpRouter.route(
    Endpoint.getAccessToken.method,
    path(Endpoint.getAccessToken.path),
    giveToken(state).pipe(Effect.catch(refuse))
  ),
  ...operations(state).map(([endpoint, answer]): Route =>
    HttpRouter.route(
      endpoint.method,
      path(endpoint.path),
      readCall(state).pipe(
        Effect.flatMap((call) => Effect.fromResult(answer(call))),
        Effect.catch(refuse)
      )
    )
  ),
  HttpRouter.route(
    "GET",
    "/gp-gw/js/embed.js",
    HttpServerResponse.text(embedScript, { headers, contentType: "text/javascript" })
  )
]

/** Answers every request: with what its route says, or in the gateway's error body. */
export const makeAnswer = (state: GatewayState) =>
  Effect.map(HttpRouter.toHttpEffect(HttpRouter.addAll(routes(state))), (routed) =>
    routed.pipe(
      // The only failure left: no route was found.
      Effect.catch(() => unknownService),
      Effect.catchDefect((defect) =>
        Effect.andThen(Effect.logError("The local gateway failed", defect), refuse(refusal(100)))
      )
    )
  )
