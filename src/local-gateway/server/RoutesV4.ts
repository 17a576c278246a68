/**
 * The routes of API v4, over the same books as those of v3: each endpoint declared in `EndpointV4` with its handler.
 *
 * Anything without a public source, such as a charge by a server, is refused with 501: testing a shop against our guess
 * would prove nothing.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { canonicalId } from "../../contract/CanonicalId.js"
import { MerchantScopesV4, PaymentScopesV4 } from "../../contract/CodeListsV4.js"
import { basePathV4, type EndpointV4, endpointsV4, type OperationV4 } from "../../contract/EndpointV4.js"
import { ownMember } from "../../basics/OwnMember.js"
import type { EventContext } from "../books/EventContext.js"
import type { LocalGatewaySettings } from "../books/LocalGatewaySettings.js"
import { isOpen, type Payment } from "../books/Payment.js"
import { refusalV4, type Refusal } from "../books/Refusal.js"
import {
  readOverrideV4,
  readPaymentOrderV4,
  readRecurrenceOrderV4,
  readRefundAmountV4
} from "../books/RequestDecoderV4.js"
import { day } from "../books/Times.js"
import { qrPaymentResponse } from "../documents/QrPayment.js"
import type { Engine } from "./Engine.js"
import { apiHeaders, jsonResponse, refuse } from "./RefusalResponse.js"
import {
  chargeResponse,
  type PaymentOfV4,
  paymentResponseV4,
  recurrenceResponse,
  refundResponseV4
} from "./ResponsesV4.js"
import type { Route } from "./Routes.js"
import {
  basicText,
  bearerToken,
  bearsCredentials,
  CommitDelay,
  readText,
  type RequestServices
} from "./ServedRequest.js"
import { accessTokenV4, type HolderOfV4 } from "./Tokens.js"

/** The part of a request that every operation needs. */
interface Call {
  /** The merchant that the token belongs to. */
  readonly goid: number
  readonly eventContext: EventContext
  readonly parameter: (name: string) => string
  readonly query: (name: string) => string | undefined
  readonly body: string
}

/** The content of a success: a body, or nothing. */
type Outcome = Result.Result<unknown, Refusal>

// ---------------------------------------------------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------------------------------------------------

const isOfV4 = (payment: Payment | undefined): payment is PaymentOfV4 => payment?.v4 !== undefined

/** Refuses a shop that is not the merchant's. */
const ownShop = ({ goid, parameter }: Call): Result.Result<void, Refusal> =>
  canonicalId(parameter("goid")) === goid
    ? Result.void
    : Result.fail(refusalV4(404, `The merchant has no shop ${parameter("goid")}.`))

/** The handler of each operation. */
const handlers = (
  engine: Engine
): { readonly [Name in Exclude<OperationV4, "getAccessToken">]: (call: Call) => Outcome } => {
  const { booksV4: books } = engine
  const payment = ({ goid, parameter }: Call) => books.payment(goid, parameter("id"))
  const recurrence = ({ goid, parameter }: Call) => books.recurrence(goid, parameter("recurrence_id"))
  const shown = (known: Payment) => (isOfV4(known) ? paymentResponseV4(known, engine) : undefined)
  const shownRecurrence = (known: Parameters<typeof books.lastPayment>[0], { eventContext: { now } }: Call) => {
    const last = books.lastPayment(known)
    return recurrenceResponse(known, books.standing(known, now), isOfV4(last) ? last : undefined, engine)
  }
  return {
    createPayment: (call) =>
      Result.gen(function* () {
        yield* ownShop(call)
        const order = yield* readPaymentOrderV4(call.body, call.goid, engine.settings)
        return shown(books.createPayment(order, call.eventContext))
      }),
    getPayment: (call) => Result.map(payment(call), shown),
    cancelPayment: (call) => Result.flatMap(payment(call), (known) => books.cancel(known, call.eventContext)),
    getCharge: (call) =>
      Result.flatMap(payment(call), (known) => {
        const charge = known.v4?.charge
        return charge === undefined
          ? Result.fail(refusalV4(404, `The payment ${known.id} has no charge.`))
          : Result.succeed(chargeResponse(charge, known))
      }),
    getPaymentQr: (call) =>
      Result.gen(function* () {
        const known = yield* payment(call)
        const format = call.query("format") ?? "png"
        if (format !== "png" && format !== "svg")
          return yield* Result.fail(refusalV4(400, "format must be png or svg."))
        if (!isOpen(known)) {
          return yield* Result.fail(refusalV4(409, `The payment is ${known.state}, and has no QR code any more.`))
        }
        const made = yield* qrPaymentResponse(known, format)
        books.recordQrRequest(known, call.eventContext)
        return made
      }),
    refundPayment: (call) =>
      Result.gen(function* () {
        const known = yield* payment(call)
        const amount = yield* readRefundAmountV4(call.body)
        return refundResponseV4(yield* books.refund(known, amount, call.eventContext))
      }),
    getPaymentRefunds: (call) =>
      Result.map(payment(call), (known) => books.readRefunds(known, call.eventContext).map(refundResponseV4)),
    getRefund: ({ eventContext, goid, parameter }) =>
      Result.map(books.refundById(goid, parameter("refund_id"), eventContext), refundResponseV4),
    createRecurrence: (call) =>
      Result.gen(function* () {
        yield* ownShop(call)
        const order = yield* readRecurrenceOrderV4(call.body, call.goid, day(call.eventContext.now))
        return shownRecurrence(books.createRecurrence(order), call)
      }),
    getRecurrence: (call) => Result.map(recurrence(call), (known) => shownRecurrence(known, call)),
    startRecurrence: (call) =>
      Result.gen(function* () {
        const known = yield* recurrence(call)
        const override = yield* readOverrideV4(call.body)
        return shown(yield* books.start(known, override, call.eventContext))
      }),
    nextPayment: (call) =>
      Result.gen(function* () {
        const known = yield* recurrence(call)
        const override = yield* readOverrideV4(call.body)
        return shown(yield* books.next(known, override, call.eventContext))
      }),
    stopRecurrence: (call) =>
      Result.flatMap(recurrence(call), (known) => books.stop(known, "CANCELLED_VIA_API", call.eventContext))
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// What is there
// ---------------------------------------------------------------------------------------------------------------------

/** The message of RESTEasy, the framework of GoPay's API, for an unknown address. */
const noResource = "RESTEASY003210: Could not find resource."

/** Operations that are not implemented: there is no public source about a charge that was paid. */
const notBuilt = [
  ["POST", "/payments/{id}/charge"],
  ["GET", "/payments/{id}/google-pay/info"],
  ["GET", "/payments/{id}/apple-pay/info"],
  ["GET", "/payments/{id}/apple-pay/app-info"],
  ["POST", "/payments/{id}/apple-pay/validate"],
  ["POST", "/cards/tokens"],
  ["GET", "/cards/tokens/{card_id}"],
  ["DELETE", "/cards/tokens/{card_id}"],
  ["GET", "/cards/public-key"],
  ["GET", "/cards/card-form-url"],
  ["GET", "/cards/browser-data"],
  ["POST", "/eshops/{goid}/links"],
  ["GET", "/eshops/{goid}/links/{link_id}"],
  ["DELETE", "/eshops/{goid}/links/{link_id}"]
] as const

const declared: ReadonlyArray<EndpointV4> = Object.values(endpointsV4)

/** The paths that GoPay's sandbox refused with 404 and 405 in September 2026. */
const missingAtSandbox = (path: string, method: string): number | undefined => {
  if (path === endpointsV4.cancelPayment.path && method === "DELETE") return 405
  return path.includes("/recurrences") || path === "/cards/browser-data" ? 404 : undefined
}

const refusedRow = (path: string, method: string, { v4Rows }: LocalGatewaySettings): Refusal | undefined => {
  if (v4Rows === "all") return undefined
  const status = missingAtSandbox(path, method)
  if (status === undefined) return undefined
  return refusalV4(
    status,
    status === 404 ? noResource : `${method} is not allowed here, as at GoPay's sandbox (v4Rows).`
  )
}

const served = declared.map(({ method, path }) => `${method} ${path}`).join(", ")

/** The methods of each supported path. */
const methodsAt = (path: string): ReadonlyArray<string> =>
  declared.flatMap((endpoint) => {
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`)
    return pattern.test(path) ? [endpoint.method] : []
  })

/** Refuses an address, or its method, and says what exists. */
const unknownAddress = (method: string, path: string): Refusal => {
  const methods = methodsAt(path)
  return methods.length === 0
    ? refusalV4(
        404,
        `${noResource} There is no ${method} ${path === "" ? "/" : path} in the local gateway's API v4; it has ${served}.`
      )
    : refusalV4(405, `${path} takes ${methods.join(" or ")}.`)
}

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** Refuses a POST without a content type, before its token is checked. */
const checkContentType = (
  { headers, method }: HttpServerRequest.HttpServerRequest,
  expected: string
): Effect.Effect<void, Refusal> => {
  const [type = ""] = (headers["content-type"] ?? "").split(";")
  return method !== "POST" || type.trim().toLowerCase() === expected
    ? Effect.void
    : Effect.fail(refusalV4(415, `A POST must have the content type ${expected}.`))
}

/** The holder of a token that allows the operation. */
const allowed = (
  engine: Engine,
  { merchantScope, paymentScope }: EndpointV4,
  now: number,
  paymentId: string
): Effect.Effect<HolderOfV4, Refusal, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const holder = engine.tokens.holderOf(bearerToken(headers["authorization"]), now)
    if (holder?.api !== "v4") return yield* refusalV4(401, "The token is missing, unknown or expired.")
    const needed = holder.paymentId === undefined ? merchantScope : paymentScope
    if (needed === undefined || (holder.paymentId !== undefined && String(holder.paymentId) !== paymentId)) {
      return yield* refusalV4(403, "The token is that of one payment.", "Token domain not permitted")
    }
    if (!holder.scopes.includes(needed)) return yield* refusalV4(403, `The operation needs the scope ${needed}.`)
    return holder
  })

const readCall = (engine: Engine, endpoint: EndpointV4): Effect.Effect<Call, Refusal, RequestServices> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const parameters = yield* HttpRouter.params
    const search = yield* HttpServerRequest.ParsedSearchParams
    const parameter = (name: string): string => ownMember(parameters, name) ?? ""
    yield* checkContentType(request, "application/json")
    const eventContext = yield* engine.eventContext("merchant")
    const { merchant } = yield* allowed(engine, endpoint, eventContext.now, parameter("id"))
    return {
      goid: merchant.goid,
      eventContext,
      parameter,
      query: (name) => [ownMember(search, name)].flat()[0],
      body: yield* readText(request, 400)
    }
  })

const success = (status: EndpointV4["status"], body: unknown): HttpServerResponse.HttpServerResponse =>
  status === 204 ? HttpServerResponse.empty({ status, headers: apiHeaders }) : jsonResponse(body, status)

const serveOperation = (engine: Engine, endpoint: EndpointV4, handle: (call: Call) => Outcome) =>
  Effect.gen(function* () {
    const call = yield* readCall(engine, endpoint)
    const delay = yield* CommitDelay
    if (delay === undefined) return success(endpoint.status, yield* Effect.fromResult(handle(call)))
    const due = call.eventContext.now + delay * 1000
    engine.agenda.enter(due, () => void handle({ ...call, eventContext: { ...call.eventContext, now: due } }))
    return HttpServerResponse.empty()
  })

/** The merchant, or the single payment, of credentials and a grant. */
const holderOf = (
  engine: Engine,
  grant: string | null,
  authorization: string | undefined
): Result.Result<Omit<HolderOfV4, "api" | "scopes">, Refusal> => {
  const wrong = (what: string) => Result.fail(refusalV4(401, `The credentials are not those of ${what}.`))
  switch (grant) {
    case "client_credentials": {
      const merchant = engine.merchants.find(({ clientId, clientSecret }) =>
        bearsCredentials(clientId, Redacted.value(clientSecret), authorization)
      )
      return merchant === undefined ? wrong("a merchant") : Result.succeed({ merchant, paymentId: undefined })
    }
    case "payment_credentials": {
      const [id = ""] = /^\d+/.exec(basicText(authorization)) ?? []
      const payment = engine.books.payment(id)
      const merchant = engine.merchants.find(({ goid }) => goid === payment?.order.target.goid)
      return isOfV4(payment) &&
        merchant !== undefined &&
        isOpen(payment) &&
        bearsCredentials(String(payment.id), payment.v4.secret, authorization)
        ? Result.succeed({ merchant, paymentId: payment.id })
        : wrong("an open payment")
    }
    case null:
    default:
      return Result.fail(refusalV4(400, "grant_type must be client_credentials or payment_credentials."))
  }
}

/** In seconds: fifteen minutes, according to GoPay's types of September 2026. */
const tokenLifetime = 900

const giveToken = (engine: Engine): Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, RequestServices> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* checkContentType(request, "application/x-www-form-urlencoded")
    const form = new URLSearchParams((yield* readText(request, 400)).trim())
    const eventContext = yield* engine.eventContext("merchant")
    const holder = yield* Effect.fromResult(holderOf(engine, form.get("grant_type"), request.headers["authorization"]))
    const scopes = (form.get("scope") ?? "").split(/\s+/).filter((scope) => scope !== "")
    if (scopes.length === 0) return yield* refusalV4(400, "scope is missing.")
    const grantable = holder.paymentId === undefined ? MerchantScopesV4 : PaymentScopesV4
    const refused = scopes.filter((scope) => !Object.hasOwn(grantable, scope))
    if (refused.length > 0) return yield* refusalV4(403, `The scope may be ${Object.keys(grantable).join(" ")}.`)
    const token = accessTokenV4({ api: "v4", ...holder, scopes }, tokenLifetime, eventContext)
    engine.tokens.give(token, { api: "v4", ...holder, scopes }, tokenLifetime, eventContext.now)
    return jsonResponse({
      token_type: "bearer",
      access_token: token,
      scope: scopes.join(" "),
      expires_in: tokenLifetime
    })
  })

// ---------------------------------------------------------------------------------------------------------------------
// Routes
// ---------------------------------------------------------------------------------------------------------------------

const routePath = (template: string): `/${string}` =>
  `${basePathV4}${template.replaceAll(/\{(\w+)\}/g, ":$1")}` as const

/** The gateway's own time, which a test can move. */
const dated = (engine: Engine) => (response: HttpServerResponse.HttpServerResponse) =>
  Effect.map(engine.now, (now) => HttpServerResponse.setHeader(response, "date", new Date(now).toUTCString()))

/** The routes of API v4. The last one refuses unknown addresses. */
export const routesV4 = (engine: Engine): ReadonlyArray<Route> => {
  const handle = handlers(engine)
  const route = (
    method: EndpointV4["method"] | "*",
    path: `/${string}`,
    response: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, RequestServices>
  ) =>
    HttpRouter.route(
      method,
      routePath(path),
      Effect.suspend(() => {
        const refused = refusedRow(path, method, engine.settings)
        return refused === undefined ? response : Effect.fail(refused)
      }).pipe(Effect.catch(refuse(engine)), Effect.flatMap(dated(engine)))
    )
  const unknown = Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    const [path = ""] = url.split("?")
    return yield* unknownAddress(method, path.slice(basePathV4.length))
  })
  return [
    route("POST", endpointsV4.getAccessToken.path, giveToken(engine)),
    ...Struct.keys(handle).map((name) => {
      const endpoint: EndpointV4 = endpointsV4[name]
      return route(endpoint.method, endpoint.path, serveOperation(engine, endpoint, handle[name]))
    }),
    ...notBuilt.map(([method, path]) =>
      route(
        method,
        path,
        Effect.suspend(() => Effect.fail(refusalV4(501, `${method} ${path} is not implemented by the local gateway.`)))
      )
    ),
    route("*", "/*", unknown)
  ]
}
