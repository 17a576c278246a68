import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Random from "effect/Random"
import { request as httpRequest } from "node:http"
import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import {
  basic,
  type Answer,
  openShop,
  order,
  refusalIn,
  requestToken,
  send,
  tokenIn
} from "../../support/GatewayRequests.js"
import { runs } from "../../support/Runs.js"
import { openShopV4 } from "../../support/ShopV4.js"

/** How long a test may take, in milliseconds: there is much to send, and the machine may be busy. */
const patience = 60_000

/** What no response may show: where the program's files are, or how it got there. */
const assertDiscreet = (text: string) => {
  assert.notMatch(text, /\n\s+at |node_modules|file:\/\//)
  assert.notInclude(text, process.cwd())
}

/** A response of the gateway's own, and not one that says that it failed. */
const assertAnswered = ({ body, status }: Pick<Answer, "body" | "status">) => {
  // A content type that an operation does not take is refused as the real gateway does.
  const isRefusedType = status === 500 && body.includes("RESTEASY003065")
  assert.isTrue((status >= 200 && status < 500) || isRefusedType, `${status} ${body}`)
  assertDiscreet(body)
}

// ---------------------------------------------------------------------------------------------------------------------
// On the socket
// ---------------------------------------------------------------------------------------------------------------------

/** Writes bytes to a server, says that there are no more, and hears what comes until it closes. */
const say = (url: string, bytes: string | Uint8Array, isLast = false) =>
  Effect.callback<string>((resume) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    if (isLast) socket.end(bytes)
    else socket.write(bytes)
    let heard = ""
    socket.on("data", (data) => {
      heard += data.toString("latin1")
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(heard)))
    return Effect.sync(() => socket.destroy())
  })

const asked = (line: string, headers: ReadonlyArray<string> = [], body = "") =>
  [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join("\r\n")

const post = (headers: ReadonlyArray<string>, body = "") => asked("POST /api/oauth2/token", headers, body)

/** What is written to the socket, and with which status it is answered. */
const onTheSocket: {
  readonly [what: string]: readonly [bytes: string | Uint8Array, ...statuses: ReadonlyArray<number>]
} = {
  "two slashes": [asked("GET //api//payments/payment/1"), 404],
  "a way out of the folder": [asked("GET /api/../../etc/passwd"), 404],
  "an encoded way out of the folder": [asked("GET /api/%2e%2e/%2e%2e/etc/passwd"), 404],
  "a doubly encoded way out of the folder": [asked("GET /api/%252e%252e%252fetc%252fpasswd"), 404],
  "an encoded slash": [asked("GET /api/payments%2fpayment%2f1"), 404],
  "an encoded NUL": [asked("GET /api/payments/payment/%00"), 403],
  "a percent sign alone": [asked("GET /api/payments/payment/%"), 404],
  "no hexadecimal after a percent sign": [asked("GET /api/payments/payment/%zz"), 404],
  "a path that is not UTF-8": [asked("GET /api/payments/payment/%ff%fe"), 404],
  "a path in Latin-1": [Buffer.from(asked("GET /api/\u00ff\u00fe"), "latin1"), 400],
  "a backslash": [asked("GET \\api\\x"), 400],
  "the address of another host": [asked("GET http://elsewhere.example/api/payments/payment/1"), 403],
  "the address of another host alone": [asked("GET http://elsewhere.example"), 403],
  "its own address": [asked("GET http://localhost"), 200],
  "another scheme": [asked("GET file:///etc/passwd"), 404],
  "a user before the path": [asked("GET @evil.example/api"), 400],
  "a port before the path": [asked("GET :99999/api"), 400],
  "a fragment": [asked("GET /api/x#y"), 404],
  "a query that pollutes": [asked("GET /api/payments/payment/1?__proto__[x]=1&constructor=%zz&a=%00"), 403],
  "a long path": [asked(`GET /api/${"a/".repeat(6000)}`), 404],
  "a long id": [asked(`GET /api/payments/payment/${"1".repeat(10_000)}`), 404],
  "a too long path": [asked(`GET /api/${"a".repeat(100_000)}`), 431],
  "a too long header": [asked("GET /api/x", [`X: ${"a".repeat(100_000)}`]), 431],
  "many headers": [
    asked(
      "GET /api/x",
      Array.from({ length: 1500 }, (_, index) => `X-${index}: y`)
    ),
    404,
    431 // Some versions of Node.js leave out those above their limit, some refuse them.
  ],
  "headers that pollute": [asked("GET /api/x", ["__proto__: a", "constructor: b", "toString: c"]), 404],
  "the same header twice": [asked("GET /api/payments/payment/1", ["Authorization: a", "Authorization: b"]), 403],
  "no host": ["GET /api/x HTTP/1.1\r\n\r\n", 400],
  "HTTP/1.0": ["GET /api/x HTTP/1.0\r\n\r\n", 404],
  "HTTP/2": ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  TLS: [Uint8Array.from([0x16, 3, 1, 2, 0, 1, 0]), 400],
  "no HTTP at all": ["\u0000\u0001\u0002 what?\r\n\r\n", 400],
  "an asterisk": [asked("OPTIONS *"), 404],
  "a tunnel": [asked("CONNECT elsewhere.example:443"), 405],
  "only the head": [asked("HEAD /api/payments/payment/1"), 403],
  "a method of WebDAV": [asked("PROPFIND /api/payments/payment/1"), 404],
  "a method that does not fit": [asked("PUT /api/payments/payment/1"), 404],
  "a method that no one knows": [asked("FROBNICATE /api/x"), 400],
  "another protocol": [asked("GET /api/x", ["Connection: Upgrade", "Upgrade: websocket"]), 404],
  "an expectation": [post(["Expect: wonders", "Content-Length: 1"], "x"), 417],
  "chunks that are none": [post(["Transfer-Encoding: chunked"], "zz\r\nxx\r\n"), 400],
  "a chunk with an endless size": [post(["Transfer-Encoding: chunked"], "fffffffffffffffff\r\n"), 400],
  "chunks and a length": [post(["Transfer-Encoding: chunked", "Content-Length: 3"], "0\r\n\r\n"), 400],
  "an unknown transfer encoding": [post(["Transfer-Encoding: wonders"], "x"), 400],
  "two lengths": [post(["Content-Length: 1", "Content-Length: 2"], "xx"), 400],
  "a negative length": [post(["Content-Length: -1"]), 400],
  "an endless length": [post(["Content-Length: 99999999999999999999"]), 400],
  "a length that is too short": [post([`Authorization: ${basic}`, "Content-Length: 3"], "grant_type=x"), 400],
  "credentials that are no base64": [post(["Authorization: Basic \u00a0%%%"]), 403],
  "credentials without a colon": [post([`Authorization: Basic ${btoa("x")}`]), 403],
  "a second request after the last": [asked("GET /api/x") + asked("GET /api/y"), 400]
}

describe("On the socket", () => {
  it.live(
    "everything is answered, by the gateway or before it, and nothing is told of its inside",
    () =>
      Effect.gen(function* () {
        const { url } = yield* LocalGateway
        for (const [what, [bytes, ...statuses]] of Object.entries(onTheSocket)) {
          const heard = yield* say(url, bytes)
          assert.include(statuses, Number(/^HTTP\/1\.1 (\d+) /.exec(heard)?.[1]), `${what}: ${heard}`)
          assertDiscreet(heard)
        }
        assert.strictEqual((yield* fetchToken(url)).status, 200)
      }).pipe(Effect.provide(LocalGateway.layerServer())),
    patience
  )

  it.live(
    "a body that never comes to its end harms no one else",
    () =>
      Effect.gen(function* () {
        const { url } = yield* LocalGateway
        const unfinished = [
          post(["Content-Length: 100"], "half"),
          post(["Transfer-Encoding: chunked"], "5\r\nabc"),
          "POST /api/oauth2/token HTTP/1.1\r\nHost: localhost\r\nX-Half"
        ]
        for (const bytes of unfinished) {
          yield* Effect.forkChild(say(url, bytes))
          assertDiscreet(yield* say(url, bytes, true))
        }
        assert.strictEqual((yield* fetchToken(url)).status, 200)
      }).pipe(Effect.provide(LocalGateway.layerServer())),
    patience
  )

  it.live(
    "a huge body is answered with 413, and is not kept",
    () =>
      Effect.gen(function* () {
        const { url } = yield* LocalGateway
        const before = process.memoryUsage().arrayBuffers
        const { most, status } = yield* upload(url, 256)
        assert.strictEqual(status, 413)
        // Node frees what it has read from time to time only.
        assert.isBelow(most - before, 128 * 1024 * 1024)
        const [logged] = yield* LocalGateway.listRequests
        assert.isBelow(logged?.requestBody.length ?? Infinity, 5000)
        assert.strictEqual((yield* fetchToken(url)).status, 200)
      }).pipe(Effect.provide(LocalGateway.layerServer())),
    patience
  )

  it.live(
    "a thousand times garbage, made of requests by a seed, and the gateway goes on",
    () =>
      Effect.gen(function* () {
        const { url } = yield* LocalGateway
        const random = yield* Random.withSeed(Random.Random, "garbage")
        const models = Object.values(onTheSocket)
          .map(([bytes]) => Buffer.from(bytes))
          .filter(({ length }) => length < 10_000)
        const below = (limit: number) => Math.floor(random.nextDoubleUnsafe() * limit)
        const garbage = Array.from({ length: 1000 }, () => {
          const bytes = Buffer.from(models[below(models.length)] ?? "")
          for (let count = below(8); count >= 0; count--) bytes[below(bytes.length)] = below(256)
          return bytes.subarray(0, below(4) === 0 ? below(bytes.length) : bytes.length)
        })
        const answers = yield* Effect.forEach(garbage, (bytes) => say(url, bytes, true), { concurrency: 20 })
        for (const heard of answers) {
          assert.match(heard, /^(HTTP\/1\.1 [1-4]\d\d |$)/)
          assertDiscreet(heard)
        }
        assert.isAbove(answers.filter((heard) => heard !== "").length, 300)
        assert.strictEqual((yield* fetchToken(url)).status, 200)
      }).pipe(Effect.provide(LocalGateway.layerServer())),
    patience
  )
})

const fetchToken = (url: string) =>
  Effect.promise(() =>
    fetch(`${url}/api/oauth2/token`, {
      method: "POST",
      headers: { authorization: basic },
      body: new URLSearchParams({ grant_type: "client_credentials" })
    })
  )

/** Sends the given number of MiB piece by piece, and measures the memory in use. */
const upload = (url: string, mebibytes: number) =>
  Effect.callback<{ readonly status: number | undefined; readonly most: number }>((resume) => {
    const piece = new Uint8Array(64 * 1024).fill(0x61)
    let left = 16 * mebibytes
    let most = 0
    const outgoing = httpRequest(
      `${url}/api/oauth2/token`,
      { method: "POST", headers: { authorization: basic }, agent: false },
      (incoming) => {
        incoming.resume()
        incoming.on("end", () => resume(Effect.succeed({ status: incoming.statusCode, most })))
      }
    )
    const next = (): void => {
      most = Math.max(most, process.memoryUsage().arrayBuffers)
      if (left-- > 0) outgoing.write(piece, next)
      else outgoing.end()
    }
    next()
    return Effect.sync(() => outgoing.destroy())
  })

// ---------------------------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------------------------

/** The requests that have a body. */
const paths = [
  "/payments/payment",
  "/payments/payment/3000000003/refund",
  "/payments/payment/3000000003/create-recurrence",
  "/payments/payment/3000000003/capture",
  "/accounts/account-statement"
]

const deep = (depth: number) => `${`{"a":[`.repeat(depth)}1${"]}".repeat(depth)}`

const bodies: { readonly [what: string]: string } = {
  "half an object": `{"amount":`,
  "an open string": `{"amount":"`,
  "a comma too many": `{"amount":1,}`,
  "an escape that is none": String.raw`{"amount":"\x"}`,
  "a lone surrogate": String.raw`{"order_number":"\ud800","amount":1}`,
  "a NUL": String.raw`{"order_number":"\u0000","amount":1}`,
  "two values": "{}{}",
  "no object": "[]",
  "a string": `"text"`,
  null: "null",
  "a number beyond all": `{"amount":1e999}`,
  "a number beyond 2^53": `{"amount":9007199254740993}`,
  "a long number": `{"amount":${"9".repeat(100_000)}}`,
  "the same member twice": `{"amount":1,"amount":2}`,
  "a prototype": `{"__proto__":{"amount":1,"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}`,
  "objects in place of text": `{"order_number":{"toString":1},"currency":["CZK"],"target":[[]],"callback":7}`,
  "deep nesting": deep(100_000),
  "deep nesting that does not end": "[".repeat(500_000),
  "deep nesting where something is read": `{"payer":${deep(50_000)},"items":${deep(50_000)},"target":${deep(1000)}}`,
  "very many elements": `{"items":[${Array.from({ length: 20_000 }, () => "{}").join()}]}`,
  "very many wrong elements": `{"items":[${Array.from({ length: 20_000 }, () => "1").join()}]}`,
  "only white space": " \t\r\n",
  "a form that pollutes": "__proto__[amount]=1&__proto__=1&constructor=2&amount[$gt]=0",
  "a form with broken escapes": "amount=%zz&%=%ff",
  "markup and quotes": `{"amount":"<script>alert(1)</script>","currency":"' OR 1=1 --"}`
}

/** The bodies that start a recurrence in API v4, where the whole body may be left out. */
const validOverrides = ["only white space", "the same member twice", "a lone surrogate", "a NUL"]

describe("Bodies", () => {
  it.effect(
    "whatever they hold, the response is a refusal, and no object is polluted",
    () =>
      Effect.gen(function* () {
        const shop = yield* openShop
        for (const [what, body] of Object.entries(bodies)) {
          for (const path of paths) {
            const answer = yield* shop.post(path, { body, headers: { "content-type": "application/json" } })
            assertAnswered(answer)
            assert.match(refusalIn(answer), /^4\d\d /, `${what}, ${path}`)
            assert.isBelow(answer.body.length, 50_000, what)
          }
          assertAnswered(yield* requestToken(basic, body))
        }
        assert.isUndefined(Reflect.get({}, "isAdmin"))
        assert.isUndefined(Reflect.get({}, "amount"))
        assert.deepStrictEqual(yield* LocalGateway.listPayments, [])
      }).pipe(Effect.provide(LocalGateway.layer)),
    patience
  )

  it.live(
    "whatever they hold for API v4, the response is in its form, and no object is polluted",
    () =>
      Effect.gen(function* () {
        const { merchant } = yield* LocalGateway
        const shop = yield* Effect.promise(() => openShopV4(merchant))
        const payment = yield* Effect.promise(() => shop.create())
        for (const [what, body] of Object.entries(bodies)) {
          const recurrence = yield* Effect.promise(() => shop.recur())
          for (const path of [
            `/eshops/${shop.goid}/payments`,
            `/eshops/${shop.goid}/recurrences`,
            `/payments/${payment.id}/refunds`,
            `/recurrences/${recurrence.id}/start`,
            `/recurrences/${recurrence.id}/next`
          ]) {
            const answer = yield* Effect.promise(() => shop.post(path, body))
            assertAnswered({ body: answer.text, status: answer.status })
            assert.isBelow(answer.text.length, 50_000, what)
            if (answer.status >= 400) assert.strictEqual(answer.body.code, answer.status, `${what}, ${path}`)
            else assert.include(validOverrides, what, path)
          }
        }
        assert.isUndefined(Reflect.get({}, "isAdmin"))
        assert.isUndefined(Reflect.get({}, "amount"))
      }).pipe(Effect.provide(LocalGateway.layerServer())),
    patience
  )

  it.live("what is not UTF-8 is refused, as is what is compressed", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      const token = yield* Effect.flatMap(fetchToken(url), (response) => Effect.promise(() => response.text()))
      const authorization = `Bearer ${tokenIn({ status: 200, headers: {}, body: token })}`
      const create = (body: Uint8Array<ArrayBuffer>, headers: { readonly [name: string]: string } = {}) =>
        Effect.promise(async () => {
          const response = await fetch(`${url}/api/payments/payment`, {
            method: "POST",
            headers: { authorization, ...headers },
            body
          })
          return { status: response.status, headers: {}, body: await response.text() }
        })
      const json = JSON.stringify(order)
      const inLatin1 = Uint8Array.from(Buffer.from(json.replace("order-1", "pl\u00e1tek"), "latin1"))
      const refused = yield* create(inLatin1)
      assert.strictEqual(refusalIn(refused), "409 G 116 INVALID_REQUEST")
      assert.include(refused.body, "The body is not UTF-8.")
      assert.strictEqual((yield* create(Uint8Array.from(Buffer.from(json, "utf16le")))).status, 409)
      const compressed = yield* create(Uint8Array.from(gzipSync(json)), { "content-encoding": "gzip" })
      assert.strictEqual(refusalIn(compressed), "415 G 116 INVALID_REQUEST")
      assert.strictEqual(refusalIn(yield* create(Uint8Array.from(gzipSync(json)))), "409 G 116 INVALID_REQUEST")
      const marked = Uint8Array.from(Buffer.from(`\ufeff${json}`))
      assert.strictEqual((yield* create(marked)).status, 200)
      assert.strictEqual((yield* LocalGateway.listPayments).length, 1)
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )
})

// ---------------------------------------------------------------------------------------------------------------------
// At random
// ---------------------------------------------------------------------------------------------------------------------

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const methods = words("GET POST DELETE PUT PATCH HEAD OPTIONS TRACE")
const segments = [
  "",
  ...words(`
    api payments payment cards refund refunds capture create-recurrence void-recurrence void-authorization qr-payment
    oauth2 token eshops eshop payment-instruments CZK accounts account-statement gw v3
    .. . %2e%2e %00 %ff % 1 -1 1e9 NaN 3000000003 3000000016 99999999999999999999 __proto__ constructor \u0159 {id} :id *
  `)
]
const members = words(`
  amount currency order_number target goid type callback return_url notification_url items payer contact email
  recurrence recurrence_cycle recurrence_date_to preauthorization additional_params lang name value
  date_from date_to format __proto__ constructor
`)
const texts = [
  "",
  "CZK",
  "0",
  "-1",
  "\u0000",
  "\ud800",
  "x".repeat(600),
  "2030-02-30",
  "2099-12-31",
  "javascript:alert(1)"
]
const values = [...texts.slice(1), undefined, null, true, 0, -1, 1.5, 1e308, 10_000, [], {}, [[[]]], { a: { b: null } }]

describe("Requests at random", () => {
  it.effect(
    "by a seed, a thousand or more, are all answered, without a failure within",
    () =>
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create()
        yield* LocalGateway.payByCard(id)
        const authorization = `Bearer ${tokenIn(yield* requestToken())}`
        const random = yield* Random.withSeed(Random.Random, "hostile")
        const chance = (probability: number) => random.nextDoubleUnsafe() < probability
        const below = (limit: number) => Math.floor(random.nextDoubleUnsafe() * limit)
        const one = <A>(list: ReadonlyArray<A>): A => Arr.getUnsafe(list, below(list.length))
        const some = <A>(most: number, make: () => A): Array<A> => Array.from({ length: below(most + 1) }, make)
        const value = (depth: number): unknown =>
          depth === 0 || chance(0.5) ? one(values) : chance(0.3) ? some(3, () => value(depth - 1)) : object(depth - 1)
        const object = (depth: number): unknown =>
          Object.fromEntries(some(8, () => [one(members), value(depth)] as const))
        const body = (): string =>
          chance(0.4)
            ? JSON.stringify({ ...order, ...Object(object(3)) })
            : chance(0.5)
              ? JSON.stringify(object(4))
              : chance(0.5)
                ? some(4, () => `${one(members)}=${one(texts)}`).join("&")
                : some(40, () => String.fromCharCode(below(0x250))).join("")
        const path = (): string =>
          chance(0.5)
            ? `/api${one(paths).replace("3000000003", String(chance(0.5) ? id : one(segments)))}`
            : `/${some(6, () => one(segments)).join("/")}`
        const query = () => (chance(0.2) ? `?${some(3, () => `${one(members)}=${one(segments)}`).join("&")}` : "")

        for (let count = 0; count < runs; count++) {
          const method = chance(0.6) ? "POST" : one(methods)
          const answer = yield* send(method, path() + query(), {
            ...(method === "GET" || method === "HEAD" ? {} : { body: body() }),
            headers: {
              ...(chance(0.9) ? { authorization } : { authorization: one(segments) }),
              ...(chance(0.5)
                ? { "content-type": one(["application/json", "text/html", "application/xml", "\u0000"]) }
                : {}),
              ...(chance(0.2) ? { "accept-language": one(segments) } : {})
            }
          })
          assertAnswered(answer)
        }
        // Some of it was understood.
        const statuses = new Set((yield* LocalGateway.listRequests).map(({ status }) => status))
        for (const status of [200, 403, 404, 409]) assert.isTrue(statuses.has(status), String(status))
        assert.strictEqual((yield* shop.read(id)).id, id)
      }).pipe(Effect.provideService(HttpClient.TracerPropagationEnabled, false), Effect.provide(LocalGateway.layer)),
    patience
  )
})
