/**
 * The control API: operates the local gateway over HTTP, for tests in any language and for the dashboard.
 */
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { withoutUndefined } from "../../basics/Nulls.js"
import { canonicalId } from "../../contract/CanonicalId.js"
import { codedFields, type CodedProblem, describeFields } from "../../basics/InvalidFields.js"
import { compressedText } from "../server/Compression.js"
import type { SameOriginGuard } from "../server/SameOriginGuard.js"
import { type ControlEndpoint, controlEndpoints } from "./ControlEndpoints.js"
import type { ControlError } from "./ControlMessages.js"
import { openApiDocument } from "./OpenApi.js"
import {
  cards,
  clearings,
  due,
  paymentDetails,
  paymentsOf,
  paymentView,
  recurrences,
  state,
  time,
  undelivered,
  numbersByState
} from "./ControlViews.js"
import { logPage } from "./LogView.js"
import type { Engine } from "../server/Engine.js"
import { masked } from "../server/Journal.js"
import { faultDescriptions, type InvalidFault } from "../server/Faults.js"
import { later, readIsoDuration } from "../books/Times.js"
import { readJson } from "../books/JsonText.js"
import type { Payment } from "../books/Payment.js"
import { merchantControls, type MerchantActionRefused } from "../server/MerchantControls.js"
import type { PayerActionRefused, PayerControls } from "../server/PayerControls.js"
import type { Route } from "../server/Routes.js"
import { maxBodyBytes } from "../server/ServedRequest.js"
import { readSeed, type InvalidSeed } from "../books/Seed.js"
import { isProblemCode } from "../books/Fields.js"

/** The prefix of the control API and the dashboard. The real gateway has no such path. */
export const controlPrefix = "/local-gateway"

/** A refusal of the control API. */
class ControlRefusal extends Data.TaggedError("ControlRefusal")<{
  readonly status: 400 | 403 | 404 | 409 | 413 | 415
  readonly body: ControlError
}> {}

type Served<A> = Effect.Effect<A, ControlRefusal>

const refused = (status: ControlRefusal["status"], error: ControlError["error"], message: string): ControlRefusal =>
  new ControlRefusal({ status, body: { error, message } })

/** Only the first problems are reported, since the response could become far longer than the request. */
const maxProblems = 100

const invalid = (all: ReadonlyArray<CodedProblem>): ControlRefusal => {
  const problems = all.slice(0, maxProblems).map(({ code, field, message, values = [] }) => ({
    ...(field === undefined ? undefined : { field }),
    message,
    code: isProblemCode(code) ? code : ("Invalid" as const),
    values
  }))
  return new ControlRefusal({
    status: 400,
    body: { error: "InvalidRequest", message: describeFields(problems), problems }
  })
}

const notPossible = (refusal: PayerActionRefused | MerchantActionRefused): ControlRefusal => {
  const { message, reason, state } = refusal
  if (reason === "PaymentNotFound") return refused(404, "NotFound", message)
  const code = refusal._tag === "MerchantActionRefused" ? refusal.code : undefined
  return new ControlRefusal({
    status: 409,
    body: withoutUndefined({ error: reason, message, error_code: code, state })
  })
}

const notAFault = ({ message }: InvalidFault): ControlRefusal => invalid([{ message }])

const faultKinds = Object.entries(faultDescriptions).map(([name, kind]) => ({ name, ...kind }))

const notASeed = ({ problems }: InvalidSeed): ControlRefusal => invalid(problems)

// ---------------------------------------------------------------------------------------------------------------------
// Handlers
// ---------------------------------------------------------------------------------------------------------------------

/** A call to an endpoint. */
interface Call<Endpoint extends ControlEndpoint> {
  readonly id: string
  readonly query: Endpoint["query"]["Type"]
  readonly body: Endpoint["body"]["Type"]
}

type Endpoints = typeof controlEndpoints

type Handlers = {
  readonly [Name in keyof Endpoints]: (call: Call<Endpoints[Name]>) => Served<Endpoints[Name]["response"]["Type"]>
}

const millisOf = (by: number | string, now: number): number => {
  if (typeof by === "number") return Math.round(by * 1000)
  const duration = readIsoDuration(by)
  return duration === undefined ? 0 : later(now, duration) - now
}

const handlers = (engine: Engine, controls: PayerControls): Handlers => {
  const merchant = merchantControls(engine)
  const { books, faults, tokens } = engine
  /** Everything that is due has happened before the state is read. */
  const look = <A>(view: (now: number) => A): Served<A> =>
    Effect.map(engine.eventContext("control"), ({ now }) => view(now))
  const view = (payment: Payment) => Effect.map(engine.now, (now) => paymentView(payment, engine, now))
  const act = (action: Effect.Effect<Payment, PayerActionRefused | MerchantActionRefused>) =>
    Effect.flatMap(Effect.mapError(action, notPossible), view)

  return {
    getState: () => look((now) => state(engine, now)),
    listMerchants: () =>
      look(() => ({
        merchants: engine.merchants.map(({ clientId, clientSecret, goid, name }) => ({
          goid,
          name,
          client_id: clientId,
          client_secret: Redacted.value(clientSecret)
        }))
      })),
    listPayments: ({ query: { limit = 100, ...filter } }) =>
      look((now) => {
        const found = paymentsOf(engine, filter)
        const shown = Arr.reverse(found.slice(-limit))
        return {
          revision: engine.revision,
          total: found.length,
          by_state: numbersByState(paymentsOf(engine, Struct.omit(filter, ["state"]))),
          payments: shown.map((payment) => paymentView(payment, engine, now))
        }
      }),
    getPayment: ({ id }) =>
      Effect.flatMap(engine.eventContext("control"), ({ now }) => {
        const payment = books.payment(id)
        return payment === undefined
          ? Effect.fail(refused(404, "NotFound", `There is no payment ${id}.`))
          : Effect.succeed(paymentDetails(payment, engine, now))
      }),
    choosePaymentMethod: ({ body, id }) => act(controls.choosePaymentMethod(id, body.payment_instrument)),
    payByCard: ({ body: { card_number }, id }) =>
      act(controls.payByCard(id, card_number === undefined ? {} : { card: card_number })),
    payByBankTransfer: ({ id }) => act(controls.payByBankTransfer(id)),
    declineAttempt: ({ body, id }) => act(controls.declineAttempt(id, body.sub_state)),
    declinePayment: ({ body, id }) => act(controls.declinePayment(id, body.sub_state)),
    cancelPayment: ({ id }) => act(controls.cancelPayment(id)),
    timeOutPayment: ({ id }) => act(controls.timeOutPayment(id)),
    refund: ({ body: { amount }, id }) => act(merchant.refund(id, amount)),
    capture: ({ body: { amount }, id }) => act(merchant.capture(id, amount)),
    release: ({ id }) => act(merchant.release(id)),
    charge: ({ body, id }) => act(merchant.charge(id, body)),
    stopRecurrence: ({ id }) => act(merchant.stopRecurrence(id)),
    orderAgain: ({ id }) => act(merchant.orderAgain(id)),
    resendNotification: ({ id }) => act(merchant.resendNotification(id)),
    advanceTime: ({ body: { by } }) =>
      Effect.gen(function* () {
        yield* engine.advanceTime(millisOf(by, yield* engine.now))
        return time(engine, yield* engine.now)
      }),
    listDue: ({ query: { by, limit = 20 } }) => look((now) => due(engine, now + millisOf(by, now), limit)),
    stopAdvancingTime: () => {
      engine.stopAdvancing()
      return Effect.map(engine.now, (now) => time(engine, now))
    },
    getSettings: () => look(() => engine.settings),
    changeSettings: ({ body }) =>
      look(() => {
        engine.changeSettings(body)
        return engine.settings
      }),
    listNotifications: () => look(() => undelivered(engine)),
    deliverNotifications: () =>
      Effect.andThen(engine.eventContext("control"), Effect.as(engine.notifications.deliverAll, {})),
    listRecurrences: () => look(() => recurrences(engine)),
    listClearings: ({ query }) => look((now) => clearings(engine, query, now)),
    listCards: () => look(() => cards(engine)),
    getLog: ({ query }) => look(() => logPage(engine, query)),
    exportSeed: () => look(() => engine.exportSeed()),
    loadSeed: ({ body }) =>
      Effect.gen(function* () {
        yield* engine.begin(yield* Effect.fromResult(Result.mapError(readSeed(body), notASeed)))
        return {
          merchants: engine.merchants.length,
          payments: books.allPayments().length,
          cards: books.allCards().length
        }
      }),
    listFaults: () =>
      look(() => {
        const { randomFaults: random } = faults
        const armed = faults.list()
        return random === undefined ? { armed, kinds: faultKinds } : { armed, random, kinds: faultKinds }
      }),
    armFault: ({ body }) => Effect.mapError(faults.arm(body), notAFault),
    disarmFaults: ({ body: { id } }) =>
      Effect.gen(function* () {
        if (id === undefined) yield* faults.clear
        else if (!(yield* faults.disarm(id))) return yield* refused(404, "NotFound", `There is no armed fault ${id}.`)
        return {}
      }),
    armRandomFaults: ({ body }) => Effect.as(Effect.mapError(faults.armRandom(body), notAFault), {}),
    reset: ({ body: { goid } }) => {
      if (goid === undefined) return Effect.as(engine.reset, {})
      if (!engine.merchants.some((merchant) => merchant.goid === goid)) {
        return Effect.fail(refused(404, "NotFound", `There is no merchant ${goid}.`))
      }
      return look(() => {
        engine.forget(goid)
        return {}
      })
    },
    revokeTokens: () =>
      look(() => {
        tokens.revokeAll()
        return {}
      })
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Requests and refusals
// ---------------------------------------------------------------------------------------------------------------------

const headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin"
}

const json = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(body), { status, headers, contentType: "application/json" })

const decoding = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (value: unknown): Result.Result<S["Type"], ControlRefusal> =>
    Result.mapError(decode(value), ({ issue }) => invalid(codedFields(issue)))
}

/** The body of a POST. A form on another site's page cannot send JSON. */
const readBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, ControlRefusal> =>
  Effect.gen(function* () {
    if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
      return yield* refused(415, "UnsupportedMediaType", "The content type must be application/json.")
    }
    const bytes = yield* Effect.mapError(request.arrayBuffer, () =>
      refused(400, "InvalidRequest", "The body could not be read.")
    )
    if (bytes.byteLength > maxBodyBytes) {
      return yield* refused(413, "InvalidRequest", `The body has more than ${maxBodyBytes} bytes.`)
    }
    const text = new TextDecoder().decode(bytes)
    if (text.trim() === "") return {}
    return yield* Effect.fromResult(
      Result.mapError(readJson(text), ({ column, line }) =>
        invalid([
          {
            message: `The body is not well-formed JSON at line ${line}, column ${column}.`,
            code: "NotJson",
            values: [line, column]
          }
        ])
      )
    )
  })

/** Refuses requests that a browser sends for another site, and answers every refusal. */
const guarded = <R>(
  guard: SameOriginGuard,
  handle: Effect.Effect<HttpServerResponse.HttpServerResponse, ControlRefusal, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const objection = guard.siteObjection(headers)
    if (objection !== undefined) return yield* refused(403, "CrossSite", objection)
    return yield* handle
  }).pipe(Effect.catch(({ body, status }) => Effect.succeed(json(body, status))))

/** Actions that are logged in an entry of their own. */
const loggedAnyway: ReadonlySet<string> = new Set(["advanceTime", "armFault", "disarmFaults"] satisfies ReadonlyArray<
  keyof Endpoints
>)

/** The actions that are logged as control entries. */
export const loggedActions: ReadonlyArray<string> = Object.entries(controlEndpoints).flatMap(([name, { method }]) =>
  method === "GET" || loggedAnyway.has(name) ? [] : [name]
)

const maxLoggedLength = 500

/** Logs an action, or its refusal. A seed is too long for the log. */
const logAction = (
  engine: Engine,
  action: keyof Endpoints,
  { body, id, problem }: { readonly body: unknown; readonly id: string; readonly problem?: string }
): Effect.Effect<void> =>
  Effect.map(engine.now, (now) => {
    if (!loggedActions.includes(action)) return
    const paymentId = canonicalId(id)
    const request = action === "loadSeed" ? "{}" : masked(JSON.stringify(body)).slice(0, maxLoggedLength)
    const done = { action, paymentId, request: request === "{}" ? undefined : request, problem }
    engine.journal.add(now, { type: "control", ...withoutUndefined(done) })
  })

const route = <Name extends keyof Endpoints>(
  engine: Engine,
  guard: SameOriginGuard,
  name: Name,
  handle: Handlers[Name]
): Route => {
  const { body, method, path, query } = controlEndpoints[name]
  const decodeQuery = decoding(query)
  const decodeBody = decoding(body)
  return HttpRouter.route(
    method,
    `${controlPrefix}${path.replaceAll(/\{(\w+)\}/g, ":$1")}` as const,
    guarded(
      guard,
      Effect.gen(function* () {
        const { id = "" } = yield* HttpRouter.params
        const request = yield* HttpServerRequest.HttpServerRequest
        const given = method === "POST" ? yield* readBody(request) : {}
        const asked = yield* Effect.fromResult(decodeQuery(yield* HttpServerRequest.ParsedSearchParams))
        const wanted = yield* Effect.fromResult(decodeBody(given))
        const response = yield* Effect.tapError(handle({ id, query: asked, body: wanted }), ({ body: { message } }) =>
          logAction(engine, name, { body: given, id, problem: message })
        )
        yield* logAction(engine, name, { body: given, id })
        return yield* compressedText(JSON.stringify(response), { contentType: "application/json", headers })
      })
    )
  )
}

/** The routes of the control API. */
export const controlRoutes = (
  engine: Engine,
  controls: PayerControls,
  guard: SameOriginGuard
): ReadonlyArray<Route> => {
  const handle = handlers(engine, controls)
  return [
    ...Struct.keys(controlEndpoints).map((name) => route(engine, guard, name, handle[name])),
    HttpRouter.route(
      "GET",
      `${controlPrefix}/openapi.json`,
      guarded(
        guard,
        Effect.suspend(() => openApiDocument("control-openapi", `${engine.url}${controlPrefix}`))
      )
    ),
    HttpRouter.route(
      "*",
      `${controlPrefix}/*`,
      guarded(
        guard,
        Effect.fail(refused(404, "NotFound", `There is no such endpoint. See ${controlPrefix}/openapi.json.`))
      )
    )
  ]
}
