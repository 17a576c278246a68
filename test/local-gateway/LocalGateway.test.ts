import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { connect, createServer, type Socket } from "node:net"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { basic, openShop, order, send } from "../support/GatewayRequests.js"

/** Speaks to a real server, with the platform's own `fetch`. */
const fetchText = (url: string, init?: RequestInit) =>
  Effect.promise(async () => {
    const response = await fetch(url, init)
    return { status: response.status, headers: response.headers, body: await response.text() }
  })

const fetchToken = (url: string) =>
  fetchText(`${url}/api/oauth2/token`, {
    method: "POST",
    headers: { authorization: basic },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "payment-all" })
  })

/** Runs a server, uses it once, and stops it. */
const serveOnce = (port?: number) =>
  Effect.gen(function* () {
    const { url } = yield* LocalGateway
    yield* fetchToken(url)
    return url
  }).pipe(Effect.provide(LocalGateway.layerServer(port === undefined ? {} : { port })), Effect.timeout("5 seconds"))

describe("The gateway in-process", () => {
  it.effect("answers whatever the host, and holds the payments it made", () =>
    Effect.gen(function* () {
      const gateway = yield* LocalGateway
      assert.deepStrictEqual([gateway.url, gateway.merchant.environment], ["http://localhost", "http://localhost"])
      const shop = yield* openShop
      const { id } = yield* shop.create()
      const elsewhere = yield* HttpClient.execute(HttpClientRequest.get("https://gw.sandbox.gopay.com/api/nothing"))
      assert.strictEqual(elsewhere.status, 404)
      const paid = yield* gateway.payByCard(String(id))
      assert.deepStrictEqual(yield* LocalGateway.listPayments, [paid])
      assert.deepStrictEqual(yield* shop.read(id), paid)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is a new and empty one each time its layer is built", () =>
    Effect.gen(function* () {
      const payments = Effect.gen(function* () {
        yield* Effect.flatMap(openShop, (shop) => shop.create())
        return (yield* LocalGateway.listPayments).length
      })
      const counts = yield* Effect.all([
        Effect.provide(payments, LocalGateway.layer),
        Effect.provide(payments, LocalGateway.layer)
      ])
      assert.deepStrictEqual(counts, [1, 1])
    })
  )

  it.effect("remembers no secret and no card number, wherever a request has them", () =>
    Effect.gen(function* () {
      const secrets = [
        "4444444444444448",
        "4444 4444 4444 4448",
        "4188-0300-0000-0003",
        "378282246310005",
        "s3cret",
        "8642"
      ]
      const [digits = "", spaced = "", dashed = "", short = ""] = secrets
      yield* send("POST", `/api/payments/cards/${digits}?card=${short}&client_secret=s3cret`, {
        headers: { "x-card": dashed },
        body: `{"verify_pin": 8642, "note": "${spaced}", "card_token" : "s3cret\\"s3cret"}`
      })
      yield* send("POST", "/api/oauth2/token", { body: `client_secret=s3cret&x=${"y".repeat(4075)}${digits}` })
      const kept = JSON.stringify(yield* LocalGateway.listRequests)
      assert.deepStrictEqual(
        secrets.filter((secret) => kept.includes(secret)),
        []
      )
      assert.include(kept, "444444******4448")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("remembers its last thousand requests, without their secrets", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.request("GET", "/payments/payment/1?x=1", { headers: { "x-test": "a", cookie: "b" } })
      const requests = yield* LocalGateway.listRequests
      assert.deepStrictEqual(
        requests.map((request) => ({ ...request, requestBody: "", responseBody: "" })),
        [
          {
            at: 0,
            number: 1,
            method: "POST",
            path: "/api/oauth2/token",
            query: "",
            status: 200,
            durationMillis: 0,
            headers: { authorization: "<withheld>", "content-type": "application/x-www-form-urlencoded" },
            operation: "getAccessToken",
            requestBody: "",
            responseBody: ""
          },
          {
            at: 0,
            number: 2,
            method: "GET",
            path: "/api/payments/payment/1",
            query: "x=1",
            status: 404,
            durationMillis: 0,
            errorCodes: [304],
            headers: { authorization: "<withheld>", "x-test": "a", cookie: "<withheld>" },
            operation: "getPayment",
            paymentId: 1,
            requestBody: "",
            responseBody: ""
          }
        ]
      )
      assert.strictEqual(requests[0]?.requestBody, "grant_type=client_credentials&scope=payment-all")
      assert.include(requests[0]?.responseBody, `"access_token":"<withheld>"`)
      assert.include(requests[1]?.responseBody, `"error_code":304`)
      yield* Effect.replicateEffect(send("GET", "/last"), 1000, { discard: true })
      const last = yield* LocalGateway.listRequests
      assert.strictEqual(last.length, 1000)
      assert.deepStrictEqual([...new Set(last.map(({ path }) => path))], ["/last"])
    }).pipe(Effect.provideService(HttpClient.TracerPropagationEnabled, false), Effect.provide(LocalGateway.layer))
  )
})

describe("The gateway's server", () => {
  it.live("answers fetch on the loopback interface, at a port of the system's choice", () =>
    Effect.gen(function* () {
      const { merchant, url } = yield* LocalGateway
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.strictEqual(merchant.environment, url)
      const token = yield* fetchToken(url)
      assert.strictEqual(token.status, 200)
      const authorization = `Bearer ${/"access_token":"([^"]+)"/.exec(token.body)?.[1]}`
      const created = yield* fetchText(`${url}/api/payments/payment`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ ...order, additional_params: [{ name: "jméno", value: "Žluťoučký" }] })
      })
      assert.strictEqual(created.headers.get("content-type"), "application/json")
      const [payment] = yield* LocalGateway.listPayments
      assert.strictEqual(created.body, JSON.stringify(payment))
      assert.include(created.body, `"value":"Žluťoučký"`)
      assert.include(payment?.gw_url, `${url}/gw/v3/`)
      yield* LocalGateway.payByCard(payment?.id ?? 0)
      const read = yield* fetchText(`${url}/api/payments/payment/${payment?.id}`, { headers: { authorization } })
      assert.include(read.body, `"state":"PAID"`)
      const deleted = yield* fetchText(`${url}/api/payments/cards/1`, { method: "DELETE", headers: { authorization } })
      assert.strictEqual(deleted.status, 404)
      const [first] = yield* LocalGateway.listRequests
      assert.strictEqual(first?.headers["authorization"], "<withheld>")
      assert.strictEqual(first?.headers["content-type"], "application/x-www-form-urlencoded;charset=UTF-8")
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("answers Effect's own client too", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      const response = yield* HttpClient.get(`${url}/api/payments/payment/1`)
      assert.strictEqual(response.status, 403)
    }).pipe(Effect.provide([LocalGateway.layerServer({ host: "localhost" }), FetchHttpClient.layer]))
  )

  it.live("refuses a body over one mebibyte with 413, and goes on", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      const large = { method: "POST", headers: { authorization: basic }, body: "x".repeat(5 * 1024 * 1024) }
      assert.strictEqual((yield* fetchText(`${url}/api/oauth2/token`, large)).status, 413)
      assert.strictEqual((yield* fetchToken(url)).status, 200)
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("stays up when callers leave or talk nonsense", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      const port = Number(new URL(url).port)
      const say = (text: string) =>
        Effect.callback<string>((resume) => {
          const socket = connect(port, "127.0.0.1", () => socket.write(text))
          let heard = ""
          socket.setTimeout(200, () => socket.destroy())
          socket.on("data", (data) => {
            heard += String(data)
          })
          socket.on("error", () => {})
          socket.on("close", () => resume(Effect.succeed(heard)))
        })
      yield* say("POST /api/payments/payment HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf")
      yield* say("nonsense\r\n\r\n")
      assert.match(
        yield* say("OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        /^HTTP\/1.1 404 [^]*"errors"/
      )
      assert.match(
        yield* say("GET http://127.0.0.1/api HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        /^HTTP\/1.1 404 [^]*"errors"/
      )
      assert.strictEqual((yield* fetchToken(url)).status, 200)
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("stops with its scope, though a connection is kept alive, and frees its port", () =>
    Effect.gen(function* () {
      const url = yield* serveOnce()
      const gone = yield* Effect.promise(() =>
        fetch(url).then(
          () => false,
          () => true
        )
      )
      assert.isTrue(gone)
      assert.strictEqual(yield* serveOnce(Number(new URL(url).port)), url)
    })
  )

  it.live("stops though a caller is in the middle of its request", () =>
    Effect.gen(function* () {
      const socket = yield* Effect.gen(function* () {
        const { url } = yield* LocalGateway
        return yield* Effect.callback<Socket>((resume) => {
          const opened = connect(Number(new URL(url).port), "127.0.0.1", () => {
            opened.write("POST /api/oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf")
            setTimeout(() => resume(Effect.succeed(opened)), 50)
          })
          opened.on("error", () => {})
        })
      }).pipe(Effect.provide(LocalGateway.layerServer()), Effect.timeout("3 seconds"))
      yield* Effect.callback<void>((resume) => {
        if (socket.destroyed) resume(Effect.void)
        else socket.once("close", () => resume(Effect.void))
      }).pipe(Effect.timeout("1 second"))
    })
  )

  it.live("keeps connections open for a shop that stands at a breakpoint", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      assert.strictEqual((yield* fetchToken(url)).headers.get("keep-alive"), "timeout=600")
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("fails with a ConfigError when it is given a password, and says what to do", () =>
    Effect.gen(function* () {
      const options: object = { password: "eight letters" }
      const error = yield* Effect.flip(Effect.provide(LocalGateway.listPayments, LocalGateway.layerServer(options)))
      assert.strictEqual(error._tag, "ConfigError")
      assert.include(
        error.message,
        "password: the local gateway asks for no password. Leave it out, and let a proxy ask for one"
      )
      const unset: object = { password: undefined }
      assert.deepStrictEqual(yield* Effect.provide(LocalGateway.listPayments, LocalGateway.layerServer(unset)), [])
    })
  )

  it.live("fails with ServerStartError when the port is taken", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
          const server = createServer().listen(0, "127.0.0.1", () => {
            const address = server.address()
            const port = typeof address === "object" ? (address?.port ?? 0) : 0
            resume(Effect.succeed({ port, close: () => server.close() }))
          })
        }),
        ({ close }) => Effect.sync(close)
      )
      const error = yield* Effect.flip(
        Effect.provide(LocalGateway.listPayments, LocalGateway.layerServer({ port: taken.port }))
      )
      assert.strictEqual(error._tag, "ServerStartError")
      assert.include(error.message, `Could not listen on 127.0.0.1, port ${taken.port}: Error: listen EADDRINUSE`)
    })
  )
})
