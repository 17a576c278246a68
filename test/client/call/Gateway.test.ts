/**
 * The gateway as a service, requests of one's own, fields of one's own, and what crosses a border.
 */
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Client from "../../../src/index.js"
import { GatewayError as PromiseGatewayError } from "../../../src/promise/index.js"
import { id, payment } from "../../support/OperationPrograms.js"
import { record } from "../../support/Recorder.js"
import {
  fetchFailure,
  finished,
  gatewayOver,
  json,
  merchant,
  paid,
  refusal,
  scripted
} from "../../support/ScriptedTransport.js"

const bodyOf = (body: string): unknown => JSON.parse(body)

/** A program as plain JavaScript calls it. */
type Untyped = Effect.Effect<unknown, Client.GatewayError, Client.Gateway>

/** As plain JavaScript calls it. */
const untypedMake = (options: object): ReturnType<typeof Client.Gateway.make> =>
  Reflect.apply(Client.Gateway.make, undefined, [options])

describe("the service", () => {
  it.effect("has every operation, with nothing left to provide", () =>
    Effect.gen(function* () {
      const gateway = yield* Client.Gateway
      const read: Effect.Effect<
        Client.PaymentResponse,
        Client.GatewayError<Client.PaymentReadReason>
      > = gateway.getPayment(id)
      assert.strictEqual((yield* read).state, "PAID")
      assert.strictEqual(yield* gateway.goid, 8123456781)
      assert.match(yield* gateway.getEmbedJsUrl, /\/gp-gw\/js\/embed\.js$/)
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(paid)))))
  )

  it.effect("can be made without a layer, and ends with its scope", () => {
    const transport = scripted(() => json(paid))
    return Effect.gen(function* () {
      const gateway = yield* Client.Gateway.make(merchant)
      assert.strictEqual((yield* gateway.getPayment(id)).state, "PAID")
      const wrong = yield* Effect.flip(Client.Gateway.make({ ...merchant, goid: "abc" }))
      assert.include(wrong.message, "goid: must be a positive integer")
    }).pipe(Effect.scoped, Effect.provide(transport.layer))
  })

  it.effect("refuses what is called after its scope has ended, and sends nothing", () => {
    const transport = scripted(() => json(paid))
    return Effect.gen(function* () {
      const gateway = yield* Effect.scoped(Effect.tap(Client.Gateway.make(merchant), ({ warm }) => warm))
      const calls = [gateway.getPayment(id), gateway.refundPayment(id, { amount: 5 })] as const
      for (const call of calls) {
        const { reason } = yield* Effect.flip<unknown, Client.GatewayError, never>(call)
        assert.strictEqual(reason._tag, "GatewayUnavailable")
        assert.isFalse(reason.isRetryable)
        assert.strictEqual(reason.message, "This gateway is closed: its scope has ended. Nothing was sent.")
      }
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provide(transport.layer))
  })

  it.effect("sends through the client that transformClient makes, the request for a token too", () => {
    const transport = scripted(() => json(paid))
    const transformClient = HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", "1"))
    const provider = ConfigProvider.layer(
      ConfigProvider.fromEnvRecord({
        GOPAY_GOID: "8123456781",
        GOPAY_CLIENT_ID: "1234567890",
        GOPAY_CLIENT_SECRET: "s3cr3tXY",
        GOPAY_ENVIRONMENT: "https://gateway.example"
      })
    )
    const layers = [
      Client.Gateway.layer({ ...merchant, transformClient }),
      Client.Gateway.layerConfig({ transformClient }).pipe(Layer.provide(provider))
    ]
    return Effect.gen(function* () {
      for (const layer of layers) yield* Effect.provide(Client.getPayment(id), layer)
      const all = [...transport.sent, ...transport.tokenRequests]
      assert.deepStrictEqual(
        all.map(({ headers }) => headers["x-shop"]),
        ["1", "1", "1", "1"]
      )
      const wrong: object = { ...merchant, transformClient: "none" }
      const error = yield* Effect.flip(Effect.scoped(untypedMake(wrong)))
      assert.include(String(error), "transformClient: must be a function")
    }).pipe(Effect.provide(transport.layer))
  })

  it.effect("gets its token when it is told to warm up, and fails as the request for it does", () => {
    const transport = scripted(() => json(paid))
    const refusing = scripted(
      () => json(paid),
      () => refusal(403, 202)
    )
    return Effect.gen(function* () {
      yield* Effect.all([Client.warm, Client.warm], { concurrency: 2 }).pipe(
        Effect.andThen(Client.getPayment(id)),
        Effect.provide(gatewayOver(transport))
      )
      assert.lengthOf(transport.tokenRequests, 1)
      assert.lengthOf(transport.sent, 1)
      const error = yield* Effect.flip(Effect.provide(Client.warm, gatewayOver(refusing)))
      assert.instanceOf(error, Client.GatewayError)
      assert.deepInclude(error.reason, { _tag: "AuthenticationFailed" })
    })
  })

  it.effect("can be mocked by the members that a program uses, and drives what is made of them", () => {
    const mock = Layer.mock(Client.Gateway, {
      getPayment: () => Effect.succeed({ ...paid, order_number: "1", target: { type: "ACCOUNT", goid: 1 } })
    })
    const expected = { goid: 1, order_number: "1", amount: 10_000, currency: "CZK" }
    return Effect.gen(function* () {
      assert.strictEqual((yield* Client.getPayment(id)).state, "PAID")
      assert.strictEqual((yield* Client.awaitPayment(id))._tag, "Reached")
      assert.strictEqual((yield* Client.verifyPayment(`/?id=${id}`, () => expected)).orderOf, "payment")
      const change = Client.ChangeRecord.voidAuthorization(id, { sentAt: new Date(0) })
      assert.strictEqual((yield* Client.reconcile(change))._tag, "CannotTell")
    }).pipe(Effect.provide(mock))
  })

  it.effect("asks for the configured shop where none is given", () => {
    const transport = scripted(({ url }) =>
      url.includes("eshops") ? json({ enabledPaymentInstruments: [] }) : new Response("a;b\n")
    )
    return Effect.gen(function* () {
      yield* Client.getPaymentInstruments(undefined, "CZK")
      yield* Client.getPaymentInstrumentsAll()
      const days = { date_from: "2026-01-01", date_to: "2026-01-31" }
      yield* Client.getAccountStatement({ ...days, currency: "CZK", format: "CSV_A" })
      const [one, all, statement] = transport.sent
      assert.match(one?.url ?? "", /\/eshops\/eshop\/8123456781\/payment-instruments\/CZK$/)
      assert.match(all?.url ?? "", /\/eshops\/eshop\/8123456781\/payment-instruments$/)
      assert.deepInclude(bodyOf(statement?.body ?? ""), { goid: 8123456781 })
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("refuses an object that an operation does not take, and looks past what else is there", () => {
    const transport = scripted(() => json(finished))
    return Effect.gen(function* () {
      const withAmount: Untyped = Reflect.apply(Client.captureAuthorization, undefined, [id, { amount: 1 }])
      const { reason } = yield* Effect.flip(withAmount)
      assert.deepInclude(reason, { _tag: "InvalidRequest", refusedBy: "client" })
      assert.deepStrictEqual(transport.sent, [])
      // Such as the index that Array.prototype.map adds.
      yield* Effect.all([id].map(Client.captureAuthorization))
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

/** A list in a list in a list, and so on. */
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], "the innermost")

describe("extra fields", () => {
  it.effect("are sent as they are, in JSON, in a form and in a query, and named in the span", () => {
    const recorder = record()
    const transport = scripted(({ url }) =>
      json(
        url.includes("/qr")
          ? { qr_code: {} }
          : url.includes("/refund")
            ? finished
            : { ...paid, ...payment, gw_url: "x" }
      )
    )
    return Effect.gen(function* () {
      yield* Client.createPayment({ ...payment, extraFields: { new_thing: { deep: [1, null] }, other: true } })
      yield* Client.refundPayment(id, { amount: 1, extraFields: { reason_code: "A 1", count: 2 } })
      yield* Client.getPaymentQr(id, { extraFields: { size: 512 } })
      const [created, refunded, qr] = transport.sent
      assert.deepInclude(bodyOf(created?.body ?? ""), { amount: 139_950, new_thing: { deep: [1, null] }, other: true })
      assert.strictEqual(refunded?.body, "amount=1&reason_code=A+1&count=2")
      assert.match(qr?.url ?? "", /\?size=512$/)
      assert.strictEqual(recorder.attributesOf("createPayment")[0]?.["gopay.extra_fields"], "new_thing,other")
    }).pipe(Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })

  it.effect("come back as they are, at their places, when the gateway sends what is not known here", () => {
    const transport = scripted(({ url }) =>
      json(
        url.includes("/refunds")
          ? [
              { id: 1, state: "SUCCESS", amount: 1, reason_code: "A 1" },
              { id: 2, state: "SUCCESS", amount: 1 }
            ]
          : {
              ...paid,
              sub_state: null,
              new_thing: { deep: [1, null] },
              new_nothing: null,
              payer: { payment_card: { card_number: "444444******4448", wallet: "APPLE" } },
              items: [{ name: "a" }, { name: "b", sku: "x-1" }]
            }
      )
    )
    return Effect.gen(function* () {
      const payment = yield* Client.getPayment(id)
      assert.deepStrictEqual(payment.extraFields, {
        new_thing: { deep: [1] },
        payer: { payment_card: { wallet: "APPLE" } },
        items: { "1": { sku: "x-1" } }
      })
      assert.deepStrictEqual(payment.payer, { payment_card: { card_number: "444444******4448" } })
      assert.deepStrictEqual(
        (yield* Client.getPaymentRefunds(id)).map(({ extraFields }) => extraFields),
        [{ reason_code: "A 1" }, undefined]
      )
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect.each([
    ["all are known", { enabledPaymentInstruments: [{ paymentInstrument: "PAYMENT_CARD" }] }, undefined],
    [
      "a list",
      { enabledPaymentInstruments: [{ paymentInstrument: "PAYMENT_CARD", since: 2026 }] },
      { enabledPaymentInstruments: { "0": { since: 2026 } } }
    ],
    [
      "an object keyed by code, which decodes to a list",
      {
        enabledPaymentInstruments: { GPAY: {}, PAYMENT_CARD: { since: 2026, currencies: { CZK: { min: 1 }, EUR: {} } } }
      },
      { enabledPaymentInstruments: { PAYMENT_CARD: { since: 2026, currencies: { CZK: { min: 1 } } } } }
    ],
    ["a member with the name of this one", { enabledPaymentInstruments: [], extraFields: 1 }, { extraFields: 1 }]
  ] as const)("come back from where the gateway uses several forms: %s", ([, sent, extraFields]) =>
    Effect.gen(function* () {
      const answer = yield* Client.getPaymentInstruments(undefined, "CZK")
      assert.deepStrictEqual(answer.extraFields, extraFields)
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(sent)))))
  )

  it.effect("are none of what is passed through, however deep it is", () =>
    Effect.gen(function* () {
      const { eet_code, extraFields } = yield* Client.getPayment(id)
      assert.deepStrictEqual(Object.keys(eet_code ?? {}), ["deep"])
      assert.isUndefined(extraFields)
    }).pipe(Effect.provide(gatewayOver(scripted(() => json({ ...paid, eet_code: { deep: nested(1000) } })))))
  )

  it.effect("are refused when they stand for a known field, or cannot be sent", () => {
    const transport = scripted(() => json(finished))
    const fieldsOf = (program: Effect.Effect<unknown, Client.GatewayError, Client.Gateway>) =>
      Effect.map(Effect.flip(program), ({ reason }) =>
        reason._tag === "InvalidRequest" ? reason.errors.map(({ field }) => field) : assert.fail(reason._tag)
      )
    return Effect.gen(function* () {
      const refund = (extraFields: Record<string, unknown>) => Client.refundPayment(id, { amount: 1, extraFields })
      assert.deepStrictEqual(yield* fieldsOf(refund({ amount: 2 })), ["extraFields.amount"])
      assert.deepStrictEqual(yield* fieldsOf(refund({ a: {}, b: "x", c: null })), ["extraFields.a", "extraFields.c"])
      assert.deepStrictEqual(yield* fieldsOf(Client.createPayment({ ...payment, extraFields: { a: 1n } })), [
        "extraFields.a"
      ])
      const none = Reflect.apply(Client.refundPayment, undefined, [id, { amount: 1, extraFields: "a=1" }])
      assert.deepStrictEqual(yield* fieldsOf(none), ["extraFields"])
      const wrong = { a: () => 1 }
      const noText = yield* Effect.flip(refund(wrong))
      assert.include(noText.message, "extraFields.a: must be text, a number or a boolean")
      const noJson = yield* Effect.flip(Client.createPayment({ ...payment, extraFields: wrong }))
      assert.include(noJson.message, "extraFields.a: must be a JSON value")
      const noQuery = Reflect.apply(Client.getPaymentQr, undefined, [id, "png"])
      assert.deepStrictEqual(yield* fieldsOf(noQuery), ["request"])
      const tooMuch = Reflect.apply(Client.getPayment, undefined, [id, {}])
      assert.deepStrictEqual(yield* fieldsOf(tooMuch), ["request"])
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

it.effect("members without a value are left out, in a query too", () => {
  const transport = scripted(() => json({}))
  return Effect.gen(function* () {
    yield* Effect.exit(Client.getPaymentQr(id, { format: undefined }))
    const [qr] = transport.sent.map(({ url }) => new URL(url))
    assert.strictEqual(qr?.search, "")
  }).pipe(Effect.provide(gatewayOver(transport)))
})

it.effect("a statement without headers is a file all the same", () =>
  Effect.gen(function* () {
    const file = yield* Client.getAccountStatement({
      currency: "CZK",
      date_from: "2026-01-01",
      date_to: "2026-01-02",
      format: "CSV_A"
    })
    assert.deepInclude(file, { contentType: null })
  }).pipe(Effect.provide(gatewayOver(scripted(() => new Response(new TextEncoder().encode("a;b"))))))
)

describe("what a gateway repeats of the payer", () => {
  // Nothing that is masked wherever it stands, such as an e-mail address.
  const last_name = "Žlutoučký"
  const echoing = scripted(() => refusal(409, 111, { message: `Wrong: ${last_name} has no account` }))
  const payer = { contact: { email: "payer@example.com", last_name } }

  it.effect("stands in no error, of an operation or of a request of one's own", () =>
    Effect.gen(function* () {
      const body = { payer, amount: 1 }
      for (const program of [
        Client.createPayment({ ...payment, payer }),
        Client.sendRequest({ method: "POST", path: "/x", kind: "change", body })
      ]) {
        const error: Client.GatewayError = yield* Effect.flip<unknown, Client.GatewayError, Client.Gateway>(program)
        assert.include(error.message, "Wrong: ")
        assert.notInclude(JSON.stringify(error), last_name)
      }
    }).pipe(Effect.provide(gatewayOver(echoing)))
  )
})

describe("a request of one's own", () => {
  it.effect("goes out with the token and answers with the JSON as it came", () => {
    const transport = scripted(() => json({ anything: [1, { more: null }] }))
    return Effect.gen(function* () {
      const path = "/payments/payment/1/new-thing?detail=1"
      const found = yield* Client.sendRequest({ method: "POST", path, kind: "change", body: { a: 1 } })
      assert.deepStrictEqual(found, { anything: [1, { more: null }] })
      const [sent] = transport.sent
      assert.strictEqual(sent?.url, `https://gateway.example/api${path}`)
      assert.strictEqual(sent?.headers["authorization"], "Bearer token-1")
      assert.deepStrictEqual([sent?.headers["content-type"], sent?.body], ["application/json", `{"a":1}`])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is decoded by a schema of the caller's, which a response may not fit", () => {
    const Found = Schema.Struct({ id: Schema.Int, at: Schema.Date })
    const body = { id: 7, at: "2026-11-29T00:00:00.000Z", more: true }
    const transport = scripted((_, index) => json(index === 0 ? body : { ...body, id: "t0k3n" }))
    return Effect.gen(function* () {
      const found: typeof Found.Type = yield* Client.sendRequest({ method: "GET", path: "/x", kind: "read" }, Found)
      assert.deepStrictEqual(found, { id: 7, at: new Date("2026-11-29") })
      const read = yield* Effect.flip(Client.sendRequest({ method: "GET", path: "/x", kind: "read" }, Found))
      assert.strictEqual(read.reason._tag, "UnexpectedResponse")
      assert.include(read.reason.message, "id: must be")
      assert.notInclude(read.reason.message, "t0k3n")
      const change = yield* Effect.flip(Client.sendRequest({ method: "POST", path: "/x", kind: "change" }, Found))
      assert.strictEqual(change.reason._tag, "OutcomeUnknown")
    }).pipe(
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.provideService(Client.RetryPolicy, Client.RetryPolicy.none),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("can be a form, or have no body, and its response may be empty", () => {
    const transport = scripted(() => new Response(null, { status: 204 }))
    return Effect.gen(function* () {
      assert.isUndefined(
        yield* Client.sendRequest({ method: "PUT", path: "/x", kind: "change", form: { a: 1, b: "č" } })
      )
      assert.isUndefined(yield* Client.sendRequest({ method: "DELETE", path: "/x", kind: "change" }))
      const [form, none] = transport.sent
      assert.strictEqual(form?.body, "a=1&b=%C4%8D")
      assert.strictEqual(form?.headers["content-type"], "application/x-www-form-urlencoded")
      assert.deepStrictEqual([none?.method, none?.body], ["DELETE", ""])
      assert.isUndefined(none?.headers["content-type"])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("has any of the methods, and succeeds without a body only by a status of success", () =>
    Effect.gen(function* () {
      const outcome = (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", status: number) =>
        Client.sendRequest({ method, path: "/x", kind: method === "GET" ? "read" : "change" }).pipe(
          Effect.match({ onFailure: ({ reason }) => reason._tag, onSuccess: () => method }),
          Effect.provideService(Client.RetryPolicy, Client.RetryPolicy.none),
          Effect.provide(gatewayOver(scripted(() => new Response("", { status }))))
        )
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
        assert.strictEqual(yield* outcome(method, 200), method)
      }
      assert.strictEqual(yield* outcome("GET", 299), "GET")
      assert.strictEqual(yield* outcome("GET", 300), "UnexpectedResponse")
      assert.strictEqual(yield* outcome("GET", 500), "GatewayUnavailable")
    })
  )

  it.effect("that reads is in no doubt when it is lost, and names no payment to an observer", () => {
    const recorder = record()
    return Effect.gen(function* () {
      const read = Client.sendRequest({ method: "GET", path: "/x", kind: "read" })
      const lost = yield* Effect.flip(read)
      assert.strictEqual(lost.reason._tag, "GatewayUnavailable")
      yield* read
      for (const attributes of recorder.attributesOf("sendRequest")) assert.notProperty(attributes, "gopay.payment_id")
    }).pipe(
      Effect.provideService(Client.RetryPolicy, Client.RetryPolicy.none),
      Effect.provide(gatewayOver(scripted((_, index) => (index === 0 ? fetchFailure("ECONNRESET") : json({ id: 5 }))))),
      Effect.provide(recorder.layer)
    )
  })

  it.effect("that reads by POST is repeated where the contract knows it as a read", () => {
    const transport = scripted((_, index) => (index === 0 ? json({}, 503) : json({ found: true })))
    return Effect.gen(function* () {
      const path = "/accounts/account-statement?page=1"
      const found = yield* Client.sendRequest({ method: "POST", path, kind: "read", body: {} })
      assert.deepStrictEqual(found, { found: true })
      assert.lengthOf(transport.sent, 2)
    }).pipe(
      Effect.provideService(Client.RetryPolicy, { schedule: Schedule.recurs(1), renewToken: true }),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("that changes something is sent once, and its loss is an unknown outcome with a record", () => {
    const transport = scripted(() => fetchFailure("ECONNRESET"))
    return Effect.gen(function* () {
      const lost = yield* Effect.flip(
        Client.sendRequest({ method: "POST", path: "/pay/out?to=1", kind: "change", body: {} })
      )
      const change = lost.reason._tag === "OutcomeUnknown" ? lost.reason.change : assert.fail(lost.reason._tag)
      assert.deepInclude(change, { operation: "sendRequest", path: "/pay/out" })
      assert.strictEqual(transport.sent.length, 1)
      const found = yield* Client.reconcile(change)
      assert.deepInclude(found, { _tag: "CannotTell", why: "CustomRequest" })
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("that fails has the reasons of the operations", () =>
    Effect.gen(function* () {
      const { operation, reason } = yield* Effect.flip(Client.sendRequest({ method: "GET", path: "/x", kind: "read" }))
      assert.strictEqual(operation, "sendRequest")
      assert.deepInclude(reason, { _tag: "OperationRefused", code: 304 })
    }).pipe(Effect.provide(gatewayOver(scripted(() => refusal(404, 304)))))
  )

  it.effect.each([
    [{ path: "payments" }, "path"],
    [{ path: "//elsewhere.example/x" }, "path"],
    [{ path: "/../secret" }, "path"],
    [{ path: "/a/%2e%2e/b" }, "path"],
    [{ path: "/a#b" }, "path"],
    [{ path: "/a b" }, "path"],
    [{ path: "/\\elsewhere.example" }, "path"],
    [{ method: "TRACE" }, "method"],
    [{ kind: undefined }, "kind"],
    [{ kind: "maybe" }, "kind"],
    [{ kind: "read", path: "/payments/payment/1/refund" }, "kind"],
    [{ kind: "read", path: "/accounts/account-statement/1" }, "kind"],
    [{ kind: "read", method: "PUT", path: "/accounts/account-statement" }, "kind"],
    [{ kind: "read", method: "PATCH" }, "kind"],
    [{ kind: "read", method: "DELETE" }, "kind"],
    [{ method: "GET", body: {} }, "body"],
    [{ method: "GET", form: {} }, "form"],
    [{ body: {}, form: {} }, "form"],
    [{ hedaers: {} }, "hedaers"]
  ] as const)("that cannot be right is refused before anything is sent: %j", ([wrong, field]) => {
    const transport = scripted(() => json({}))
    const request = { method: "POST", path: "/x", kind: "change", ...wrong }
    return Effect.gen(function* () {
      const program: Untyped = Reflect.apply(Client.sendRequest, undefined, [request])
      const { reason } = yield* Effect.flip(program)
      assert.deepInclude(reason, { _tag: "InvalidRequest", refusedBy: "client" })
      assert.deepStrictEqual(reason._tag === "InvalidRequest" ? reason.errors.map((error) => error.field) : [], [field])
      assert.deepStrictEqual(transport.sent, [])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

it.effect("every field of a request of one's own that is wrong is told, and one that cannot be read", () =>
  Effect.gen(function* () {
    const throwing = {
      get method() {
        throw new Error("no")
      }
    }
    const errorsOf = (request: object) => {
      const program: Untyped = Reflect.apply(Client.sendRequest, undefined, [request])
      return Effect.map(Effect.flip(program), ({ reason }) =>
        reason._tag === "InvalidRequest" ? reason.errors : assert.fail(reason._tag)
      )
    }
    const errors = yield* errorsOf({ method: "TRACE", path: "/../x", kind: "maybe" })
    assert.deepStrictEqual(
      errors.map(({ field }) => field),
      ["method", "path", "kind"]
    )
    assert.include(errors[1]?.message, "must have no . or .. in it")
    assert.deepStrictEqual(yield* errorsOf(throwing), [{ field: "request", message: "cannot be read" }])
  }).pipe(Effect.provide(gatewayOver(scripted(() => json({})))))
)

const change = Client.ChangeRecord.refundPayment(
  id,
  { amount: 5 },
  { sentAt: new Date("2026-01-01T00:00:00Z"), refundsBefore: [{ id: 1, state: "SUCCESS", amount: 1 }] }
)

const response = { status: 409, errors: [{ error_code: 303, error_name: "X", scope: "G", message: "m" }] } as const
const details = { message: "Something.", isRetryable: false }

const reasons: { readonly [Tag in Client.GatewayErrorReason["_tag"]]: Client.GatewayErrorReason } = {
  InvalidRequest: { _tag: "InvalidRequest", ...details, refusedBy: "client", errors: [{ field: "a", message: "b" }] },
  AuthenticationFailed: { _tag: "AuthenticationFailed", ...details, ...response },
  PermissionDenied: { _tag: "PermissionDenied", ...details, ...response },
  PaymentNotFound: { _tag: "PaymentNotFound", ...details, paymentId: 13 },
  CardNotFound: { _tag: "CardNotFound", ...details, cardId: 7 },
  OperationRefused: { _tag: "OperationRefused", ...details, ...response, code: 303, goalReached: false },
  RateLimited: { _tag: "RateLimited", ...details, isRetryable: true, retryAfterMillis: 1_000 },
  GatewayUnavailable: { _tag: "GatewayUnavailable", ...details, code: "ECONNREFUSED" },
  OutcomeUnknown: { _tag: "OutcomeUnknown", ...details, isRetryable: false, change, status: 502 },
  UnexpectedResponse: { _tag: "UnexpectedResponse", ...details, ...response }
}

const isReason: { readonly [Tag in Client.GatewayErrorReason["_tag"]]: (reason: unknown) => boolean } = {
  InvalidRequest: Schema.is(Client.InvalidRequest),
  AuthenticationFailed: Schema.is(Client.AuthenticationFailed),
  PermissionDenied: Schema.is(Client.PermissionDenied),
  PaymentNotFound: Schema.is(Client.PaymentNotFound),
  CardNotFound: Schema.is(Client.CardNotFound),
  OperationRefused: Schema.is(Client.OperationRefused),
  RateLimited: Schema.is(Client.RateLimited),
  GatewayUnavailable: Schema.is(Client.GatewayUnavailable),
  OutcomeUnknown: Schema.is(Client.OutcomeUnknown),
  UnexpectedResponse: Schema.is(Client.UnexpectedResponse)
}

describe("an error", () => {
  it.effect("can be yielded, and caught by its reason", () =>
    Effect.gen(function* () {
      const error = new Client.GatewayError({ operation: "getPayment", reason: reasons.RateLimited })
      const caught = Effect.gen(function* () {
        return yield* error
      }).pipe(
        Effect.catchReason("GatewayError", "RateLimited", ({ retryAfterMillis }) => Effect.succeed(retryAfterMillis))
      )
      assert.strictEqual(yield* caught, 1_000)
    })
  )

  it("is recognised whichever entry made it", () => {
    const failure = { operation: "getPayment", reason: reasons.RateLimited } as const
    assert.instanceOf(new PromiseGatewayError(failure), Client.GatewayError)
    assert.instanceOf(new Client.GatewayError(failure), PromiseGatewayError)
    assert.notInstanceOf(new Error("x"), Client.GatewayError)
    assert.deepStrictEqual(
      JSON.stringify(new PromiseGatewayError(failure)),
      JSON.stringify(new Client.GatewayError(failure))
    )
  })

  it.effect.each(Object.values(reasons))("crosses a border and comes back: $_tag", (reason) =>
    Effect.gen(function* () {
      const Json = Schema.fromJsonString(Client.GatewayErrorSchema)
      const error = new Client.GatewayError({ operation: "refundPayment", reason })
      const back = yield* Schema.decodeUnknownEffect(Json)(yield* Schema.encodeUnknownEffect(Json)(error))
      assert.instanceOf(back, Client.GatewayError)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(back)), JSON.parse(JSON.stringify(error)))
      assert.isTrue(isReason[reason._tag](back.reason))
      const others = Object.values(reasons).filter(({ _tag }) => _tag !== reason._tag)
      for (const { _tag } of others) assert.isFalse(isReason[_tag](back.reason), _tag)
    })
  )

  it.effect("that is none does not come across", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Client.GatewayErrorSchema))
      for (const json of ["null", "{}", `{"_tag":"GatewayError","operation":"fly","reason":{}}`]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(decode(json))), json)
      }
    })
  )
})

describe("what was found out", () => {
  it.effect.each<Client.Reconciliation>([
    { _tag: "Happened", message: "m", id: 1, state: "SUCCESS", isPending: false },
    { _tag: "DidNotHappen", message: "m", state: "CANCELED" },
    { _tag: "StateReached", message: "m", state: "REFUNDED" },
    { _tag: "NotSeenYet", message: "m", ageMillis: 5 },
    { _tag: "CannotTell", message: "m", why: "Contradiction" }
  ])("crosses a border and comes back: $_tag", (found) =>
    Effect.gen(function* () {
      const Json = Schema.fromJsonString(Client.Reconciliation)
      const back = yield* Schema.decodeUnknownEffect(Json)(yield* Schema.encodeUnknownEffect(Json)(found))
      assert.deepStrictEqual<Client.Reconciliation>(back, found)
    })
  )
})

it("the record of a change is its schema, its constructors and its parser", () => {
  assert.deepStrictEqual(Effect.runSync(Client.ChangeRecord.parse(JSON.stringify(change))), change)
  assert.deepStrictEqual(Option.getOrUndefined(Schema.decodeUnknownOption(Client.ChangeRecord)(change)), change)
})
