import { createServer, type IncomingHttpHeaders } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { version } from "../../../src/package/Version.js"
import * as Client from "../../../src/index.js"
import { id, payment, statement } from "../../support/OperationPrograms.js"
import { merchant, paid } from "../../support/ScriptedTransport.js"

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real server on loopback that keeps what it receives, and answers everything. */
/** A payment is created as it was ordered. */
const created = (body: string): object => {
  if (!body.includes("order_number")) return {}
  const { amount, currency, order_number } = JSON.parse(body)
  return { amount, currency, order_number }
}

const server = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly received: Array<Received>; readonly close: () => void }>(
    (resume) => {
      const received: Array<Received> = []
      const http = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { headers, method, url } = request
          if (url === "/api/oauth2/token") {
            response.end(`{"token_type":"bearer","access_token":"a+b/c=","expires_in":1800}`)
            return
          }
          const body = Buffer.concat(chunks).toString("utf8")
          received.push({ method, url, headers, body })
          if (url?.includes("redirected")) {
            response.writeHead(307, { location: "/api/elsewhere" }).end()
          } else if (method === "DELETE") {
            response.writeHead(204).end()
          } else if (url?.endsWith("refunds")) {
            response.end("[]")
          } else {
            response.end(
              JSON.stringify({
                ...paid,
                ...created(body),
                ...(url?.endsWith("create-recurrence") ? { id: 3090067006 } : {}),
                card_id: 7,
                result: "FINISHED",
                gw_url: "x",
                enabledPaymentInstruments: [],
                qr_code: {}
              })
            )
          }
        })
      })
      http.listen(0, "127.0.0.1", () => {
        const address = http.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}`,
            received,
            close: () => {
              http.close()
              http.closeAllConnections()
            }
          })
        )
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

const overWire = <A>(
  program: Effect.Effect<A, Client.GatewayError, Client.Gateway>,
  options: Partial<Client.GatewayOptions> = {}
) =>
  Effect.gen(function* () {
    const { received, url } = yield* server
    const result = yield* Effect.result(program).pipe(
      Effect.provide(Client.Gateway.layer({ ...merchant, environment: url, ...options })),
      Effect.provide(FetchHttpClient.layer)
    )
    const [request] = received
    if (request === undefined || received.length !== 1) return assert.fail(`${received.length} requests`)
    return { ...request, result }
  })

const form = "application/x-www-form-urlencoded"
const json = "application/json"

const table: ReadonlyArray<
  readonly [
    name: string,
    program: Effect.Effect<unknown, Client.GatewayError, Client.Gateway>,
    line: string,
    contentType: string | undefined,
    body: string
  ]
> = [
  [
    "createPayment",
    Client.createPayment(payment),
    "POST /api/payments/payment",
    json,
    `{"amount":139950,"currency":"CZK","order_number":"2026-0042","callback":{"return_url":"https://shop.example/return","notification_url":"https://shop.example/notify"},"target":{"type":"ACCOUNT","goid":8123456781},"lang":"EN"}`
  ],
  ["getPayment", Client.getPayment(id), `GET /api/payments/payment/${id}`, undefined, ""],
  [
    "refundPayment",
    Client.refundPayment(id, { amount: 5_000 }),
    `POST /api/payments/payment/${id}/refund`,
    form,
    "amount=5000"
  ],
  ["getPaymentRefunds", Client.getPaymentRefunds(id), `GET /api/payments/payment/${id}/refunds`, undefined, ""],
  [
    "createRecurrence",
    Client.createRecurrence(id, {
      amount: 500,
      currency: "CZK",
      order_number: "1",
      order_description: "Předplatné",
      items: [{ name: "Měsíc", amount: 500 }]
    }),
    `POST /api/payments/payment/${id}/create-recurrence`,
    json,
    `{"amount":500,"currency":"CZK","order_number":"1","order_description":"Předplatné","items":[{"name":"Měsíc","amount":500}]}`
  ],
  ["voidRecurrence", Client.voidRecurrence(id), `POST /api/payments/payment/${id}/void-recurrence`, form, ""],
  ["captureAuthorization", Client.captureAuthorization(id), `POST /api/payments/payment/${id}/capture`, form, ""],
  [
    "captureAuthorizationPartial",
    Client.captureAuthorizationPartial(id, { amount: 1_000, items: [{ name: "One", amount: 1_000 }] }),
    `POST /api/payments/payment/${id}/capture`,
    json,
    `{"amount":1000,"items":[{"name":"One","amount":1000}]}`
  ],
  ["voidAuthorization", Client.voidAuthorization(id), `POST /api/payments/payment/${id}/void-authorization`, form, ""],
  ["getCardDetails", Client.getCardDetails(7), "GET /api/payments/cards/7", undefined, ""],
  ["deleteCard", Client.deleteCard("7"), "DELETE /api/payments/cards/7", undefined, ""],
  [
    "getPaymentInstruments",
    Client.getPaymentInstruments(8123456781, "CZK"),
    "GET /api/eshops/eshop/8123456781/payment-instruments/CZK",
    undefined,
    ""
  ],
  [
    "getPaymentInstrumentsAll",
    Client.getPaymentInstrumentsAll("8123456781"),
    "GET /api/eshops/eshop/8123456781/payment-instruments",
    undefined,
    ""
  ],
  ["getPaymentQr", Client.getPaymentQr(id), `GET /api/payments/payment/${id}/qr-payment`, undefined, ""],
  [
    "getPaymentQr as svg",
    Client.getPaymentQr(id, { format: "svg" }),
    `GET /api/payments/payment/${id}/qr-payment?format=svg`,
    undefined,
    ""
  ]
]

describe("on the wire", () => {
  it.live.each(table)("%s is exactly one request as the gateway documents it", ([, program, line, contentType, body]) =>
    Effect.gen(function* () {
      const request = yield* overWire(program)
      assert.strictEqual(`${request.method} ${request.url}`, line)
      assert.strictEqual(request.headers["content-type"], contentType)
      assert.strictEqual(request.body, body)
      assert.strictEqual(
        request.headers["content-length"],
        request.method === "POST" ? String(Buffer.byteLength(body)) : undefined
      )
      assert.strictEqual(request.headers["authorization"], "Bearer a+b/c=")
      assert.strictEqual(request.headers["accept"], json)
      assert.strictEqual(request.headers["accept-language"], "en-US")
      assert.strictEqual(request.headers["user-agent"], `effect-gopay/${version}`)
      assert.isTrue(request.result._tag === "Success", String(request.result))
    }).pipe(Effect.scoped)
  )

  it.live("getAccountStatement asks in JSON and hands over the bytes", () =>
    Effect.gen(function* () {
      const request = yield* overWire(Client.getAccountStatement(statement))
      assert.strictEqual(`${request.method} ${request.url}`, "POST /api/accounts/account-statement")
      assert.strictEqual(request.headers["content-type"], json)
      assert.strictEqual(
        request.body,
        `{"date_from":"2026-01-01","date_to":"2026-01-31","goid":8123456781,"currency":"CZK","format":"CSV_A"}`
      )
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["CS", "cs-CZ"],
    ["SK", "cs-CZ"],
    ["DE", "en-US"]
  ] as const)("language %s asks for messages in %s", ([language, expected]) =>
    Effect.gen(function* () {
      const request = yield* overWire(Client.createPayment(payment), { language })
      assert.strictEqual(request.headers["accept-language"], expected)
      assert.include(request.body, `"lang":"${language}"`)
    }).pipe(Effect.scoped)
  )

  it.live("target and lang that are given are not replaced, undefined ones are", () =>
    Effect.gen(function* () {
      const given = yield* overWire(
        Client.createPayment({ ...payment, lang: "SK", target: { type: "ACCOUNT", goid: "8123456799" } })
      )
      assert.include(given.body, `"target":{"type":"ACCOUNT","goid":8123456799},"lang":"SK"`)
      const absent = yield* overWire(Client.createPayment({ ...payment, lang: undefined, target: undefined }))
      assert.include(absent.body, `"target":{"type":"ACCOUNT","goid":8123456781},"lang":"EN"`)
    }).pipe(Effect.scoped)
  )

  it.live("the User-Agent can be extended", () =>
    Effect.gen(function* () {
      const request = yield* overWire(Client.getPayment(id), { userAgent: "my-shop/2.1" })
      assert.strictEqual(request.headers["user-agent"], `effect-gopay/${version} my-shop/2.1`)
    }).pipe(Effect.scoped)
  )

  it.live("text goes out as raw UTF-8", () =>
    Effect.gen(function* () {
      const request = yield* overWire(Client.createPayment({ ...payment, order_description: "Žluťoučký kůň 🐎" }))
      assert.include(request.body, "Žluťoučký kůň 🐎")
    }).pipe(Effect.scoped)
  )

  it.live("no trace header is sent unless asked for", () =>
    Effect.gen(function* () {
      const spans: Array<string> = []
      const tracer = Tracer.make({
        span: (options) => {
          spans.push(options.name)
          return new Tracer.NativeSpan(options)
        }
      })
      const traced = Client.getPayment(id).pipe(Effect.withSpan("checkout"), Effect.withTracer(tracer))
      const request = yield* overWire(traced)
      assert.notProperty(request.headers, "traceparent")
      assert.notProperty(request.headers, "b3")
      const asked = yield* overWire(Effect.provideService(traced, HttpClient.TracerPropagationEnabled, true))
      assert.match(String(asked.headers["traceparent"]), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
      // A span of the transport would hold the request with its token and payload.
      const made = ["checkout", "gopay.getPayment", "gopay.getAccessToken"]
      assert.deepStrictEqual(spans, [...made, ...made])
    }).pipe(Effect.scoped)
  )

  it.live("redirects are not followed, and other fetch options of the caller are kept", () =>
    Effect.gen(function* () {
      const inits: Array<RequestInit | undefined> = []
      const fetch: typeof globalThis.fetch = (input, init) => {
        inits.push(init)
        return globalThis.fetch(input instanceof URL ? input.href.replace(String(id), "redirected") : input, init)
      }
      const request = yield* overWire(
        Client.getPayment(id).pipe(
          Effect.provideService(FetchHttpClient.RequestInit, { keepalive: true, redirect: "follow" })
        )
      ).pipe(Effect.provideService(FetchHttpClient.Fetch, fetch))
      assert.isTrue(request.result._tag === "Failure")
      assert.deepInclude(inits[1], { keepalive: true, redirect: "manual" })
    }).pipe(Effect.scoped)
  )

  it.live.each(["../x", "..", "", "a/b", "1?x=1", -1, 1.5, Number.NaN, "1e3"])(
    "an id such as %j cannot change the path: nothing is sent",
    (wrong) =>
      Effect.gen(function* () {
        const { received, url } = yield* server
        const error = yield* Effect.flip(Client.getPayment(wrong)).pipe(
          Effect.provide(Client.Gateway.layer({ ...merchant, environment: url })),
          Effect.provide(FetchHttpClient.layer)
        )
        assert.deepInclude(error.reason, { _tag: "InvalidRequest", refusedBy: "client" })
        assert.include(error.message, "id: must be a positive integer")
        assert.strictEqual(received.length, 0)
      }).pipe(Effect.scoped)
  )

  it.live("a currency cannot change the path either", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Client.getPaymentInstruments(1, "../x")).pipe(
        Effect.provide(Layer.provide(Client.Gateway.layer(merchant), FetchHttpClient.layer))
      )
      assert.include(error.message, "currency: must be a currency code")
    })
  )
})
