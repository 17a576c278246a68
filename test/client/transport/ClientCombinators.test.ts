/**
 * Effect's own combinators on the caller's `HttpClient`: a change is handed over once, whatever they repeat, a refusal that
 * they turn into a failure is read like any other, and what another request was answered is not taken for the response.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import type * as Cookies from "effect/http/Cookies"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Ref from "effect/Ref"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import {
  Gateway,
  getPayment,
  OnUnknownOutcome,
  refundPayment,
  RetryPolicy,
  withClientTransform
} from "../../../src/index.js"
import { changes, id } from "../../support/OperationPrograms.js"
import { finished, json, merchant, paid, refusal, scripted, tokenResponse } from "../../support/ScriptedTransport.js"

type Responses = ReadonlyArray<() => Response | Promise<Response>>
type Program = Effect.Effect<unknown, { readonly reason: { readonly _tag: string } }, Gateway>
type Combined = (http: HttpClient.HttpClient, services: Services) => HttpClient.HttpClient
interface Services {
  readonly breaker: CircuitBreaker.CircuitBreaker
  readonly limiter: RateLimiter.RateLimiter
  readonly scope: Scope.Scope
}

const responseAt = async (responses: Responses, index: number): Promise<Response> =>
  (responses[index] ?? responses.at(-1) ?? (() => json({})))()

/** The clients that are combined: the addresses of what they send, and what it is answered. */
const clients = {
  "a client of one's own": (responses: Responses) => {
    const { layer, sent } = scripted((_, index) =>
      Effect.tryPromise({ try: () => responseAt(responses, index), catch: (failure) => failure })
    )
    return { layer, sent: () => sent.map(({ url }) => url) }
  },
  FetchHttpClient: (responses: Responses) => {
    const sent: Array<string> = []
    const fetch: typeof globalThis.fetch = async (input) => {
      const url = String(input instanceof Request ? input.url : input)
      return url.endsWith("/oauth2/token") ? tokenResponse("token") : responseAt(responses, sent.push(url) - 1)
    }
    const layer = Layer.merge(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch))
    return { layer, sent: () => sent }
  }
} satisfies Record<string, (responses: Responses) => object>

const both = ["a client of one's own", "FetchHttpClient"] as const

/** What was sent to the gateway, and how the call ended: by its reason. */
const told = (client: (typeof both)[number], combined: Combined, program: Program, responses: Responses) => {
  const { layer, sent } = clients[client](responses)
  const combining = Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      return combined(yield* HttpClient.HttpClient, {
        breaker: yield* CircuitBreaker.make({ tripPolicy: CircuitBreaker.consecutive(1), openDuration: "1 minute" }),
        limiter: yield* RateLimiter.RateLimiter,
        scope: yield* Effect.scope
      })
    })
  ).pipe(
    Layer.provide(CircuitBreaker.layerStoreMemory()),
    Layer.provide(RateLimiter.layer),
    Layer.provide(RateLimiter.layerStoreMemory)
  )
  return program.pipe(
    Effect.match({ onFailure: ({ reason }) => reason._tag, onSuccess: () => "success" }),
    Effect.catchDefect(() => Effect.succeed("a defect")),
    Effect.provide(Gateway.layer(merchant)),
    Effect.provide(combining),
    Effect.provide(layer),
    Effect.provideService(RetryPolicy, RetryPolicy.none),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.map((outcome) => [sent().length, outcome] as const)
  )
}

const cookies = () => Ref.makeUnsafe<ReadonlyArray<Cookies.Cookie>>([])

const refund = refundPayment(id, { amount: 5_000 })
const unavailable = () => json({}, 503)
const immediately = Schedule.recurs(3)
const filtered = HttpClient.filterStatusOk

/** What prepares the request again, to repeat it. */
const repeating: Readonly<Record<string, Combined>> = {
  retryTransient: HttpClient.retryTransient({ schedule: immediately }),
  "retryTransient without an end": HttpClient.retryTransient({ schedule: Schedule.forever }),
  "retryTransient of responses": HttpClient.retryTransient({ retryOn: "response-only", schedule: immediately }),
  "retryTransient of errors, after filterStatusOk": (http) =>
    HttpClient.retryTransient(filtered(http), { retryOn: "errors-only", schedule: immediately }),
  "retry by times, after filterStatusOk": (http) => HttpClient.retry(filtered(http), { times: 3 }),
  "retry by schedule, after filterStatusOk": (http) => HttpClient.retry(filtered(http), immediately),
  "transformResponse that retries": (http) => HttpClient.transformResponse(filtered(http), Effect.retry(immediately)),
  "retry, then mapRequest": (http) =>
    HttpClient.mapRequest(HttpClient.retry(filtered(http), { times: 3 }), (request) => ({ ...request })),
  "retry, then withCookiesRef": (http) =>
    HttpClient.withCookiesRef(HttpClient.retry(filtered(http), { times: 3 }), cookies()),
  "withRateLimiter, then retry": (http, { limiter }) => HttpClient.retry(filtered(limited(http, limiter)), { times: 3 })
}

const limited = (http: HttpClient.HttpClient, limiter: RateLimiter.RateLimiter): HttpClient.HttpClient =>
  HttpClient.transformResponse(
    HttpClient.withRateLimiter(http, { limiter, key: "gateway", limit: 100, window: "1 second" }),
    Effect.catchTag("RateLimiterError", Effect.die)
  )

/** What is repeated after the preparation. */
const repeatingLater: Readonly<Record<string, Combined>> = {
  "transform that retries": HttpClient.transform((response) =>
    Effect.retry(Effect.flatMap(response, HttpClientResponse.filterStatusOk), immediately)
  ),
  "retry within another client": (http) => {
    const repeated = HttpClient.retry(filtered(http), { times: 3 })
    return HttpClient.make((request) => repeated.execute(request))
  }
}

describe.each(both)("over %s", (client) => {
  describe.each(Object.entries(repeating))("a client with %s", (_, combined) => {
    it.live.each(Object.entries(changes))("sends %s once, and says that its outcome is unknown", ([, change]) =>
      Effect.map(told(client, combined, change(), [unavailable, unavailable, () => json(finished)]), (seen) =>
        assert.deepStrictEqual(seen, [1, "OutcomeUnknown"])
      )
    )

    it.live("may repeat a read", () =>
      Effect.map(told(client, combined, getPayment(id), [unavailable, unavailable, () => json(paid)]), (seen) =>
        assert.deepStrictEqual(seen, [3, "success"])
      )
    )
  })

  describe.each(Object.entries(repeatingLater))("a client with %s", (_, combined) => {
    it.live.each(Object.entries(changes))("sends %s once as well", ([, change]) =>
      Effect.map(told(client, combined, change(), [unavailable, unavailable, () => json(finished)]), (seen) =>
        assert.deepStrictEqual(seen, [1, "OutcomeUnknown"])
      )
    )
  })

  it.live("a client that sends two at once sends a change once", () =>
    Effect.map(
      told(
        client,
        HttpClient.transformResponse((response) => Effect.race(response, response)),
        refund,
        [() => json(finished)]
      ),
      (seen) => assert.deepStrictEqual(seen, [1, "success"])
    )
  )

  // It retries what was rejected with status 429, which was certainly not made. The client cannot see that of an
  // `HttpClient` that the caller brought.
  it.live.each([
    ["a read", getPayment(id), paid, { FetchHttpClient: [2, "success"], "a client of one's own": [2, "success"] }],
    ["a change", refund, finished, { FetchHttpClient: [2, "success"], "a client of one's own": [1, "OutcomeUnknown"] }]
  ] as const)("withRateLimiter and status 429 for %s", ([, program, response, seen]) =>
    Effect.map(
      told(client, (http, { limiter }) => limited(http, limiter), program, [() => json({}, 429), () => json(response)]),
      (told) => assert.deepStrictEqual([...told], [...seen[client]])
    )
  )
})

/** A connection that is refused, as `fetch` reports it: nothing was sent. */
const unsent = (): never => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) })
}

/** A connection that is reset: the gateway may have the request. */
const reset = (): never => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("read"), { code: "ECONNRESET" }) })
}

/** What proves that a change was not taken. */
const proofs: Readonly<Record<string, () => Response>> = {
  "a refused connection": unsent,
  "a name that is not found": () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("lookup"), { code: "ENOTFOUND" }) })
  },
  "status 429": () => json({}, 429),
  "status 403 of a firewall": () => new Response("<html>", { status: 403 }),
  "a refusal by its code": () => refusal(409, 330)
}

/** What proves nothing, though it looks like it. */
const noProofs: Readonly<Record<string, () => Response>> = {
  "a reset connection": reset,
  "status 409 without a code": () => json({}, 409),
  "a refusal by a code that is in no list": () => refusal(409, 999),
  "a refusal that is of another operation": () => refusal(409, 353),
  "a failure of the gateway by its code": () => refusal(409, 500)
}

describe.each(Object.entries({ ...repeating, ...repeatingLater }))(
  "over FetchHttpClient, a client with %s",
  (_, combined) => {
    const repeats = (program: Program, ...responses: Responses) => told("FetchHttpClient", combined, program, responses)

    it.live.each(Object.entries(proofs))("repeats a change after %s, as it repeats a read", ([, proof]) =>
      Effect.gen(function* () {
        const [readsSent] = yield* repeats(getPayment(id), proof, proof, () => json(paid))
        const [sent, outcome] = yield* repeats(refund, proof, proof, () => json(finished))
        assert.strictEqual(sent, readsSent)
        if (sent === 3) assert.strictEqual(outcome, "success")
        else assert.notInclude(["success", "OutcomeUnknown"], outcome)
      })
    )

    it.live.each(Object.entries(proofs))("says what is known when it gives up after %s", ([, proof]) =>
      // One that never gives up ends with what it may not repeat.
      Effect.map(
        repeats(refund, proof, proof, proof, proof, () => refusal(404, 304)),
        ([, outcome]) => assert.notInclude(["success", "OutcomeUnknown"], outcome)
      )
    )

    it.live.each(Object.entries(noProofs))("does not repeat a change after %s", ([, response]) =>
      Effect.map(
        repeats(refund, response, () => json(finished)),
        (seen) => assert.deepStrictEqual([...seen], [1, "OutcomeUnknown"])
      )
    )

    it.live("repeats no change that may have been sent in between", () =>
      Effect.map(
        repeats(refund, unsent, reset, unsent, () => json(finished)),
        ([sent, outcome]) => {
          assert.isAtMost(sent, 2)
          assert.strictEqual(outcome, sent === 2 ? "OutcomeUnknown" : "GatewayUnavailable")
        }
      )
    )
  }
)

describe("over FetchHttpClient, a client that sends a second one while the first is under way", () => {
  it.live.each([
    ["it is not sent", unsent, "GatewayUnavailable"],
    ["it is turned away", () => new Response("<html>", { status: 403 }), "PermissionDenied"],
    ["it is refused", () => refusal(404, 304), "PaymentNotFound"],
    ["it is done", () => json(finished), "success"],
    ["it may have been taken", unavailable, "OutcomeUnknown"],
    ["its connection is reset", reset, "OutcomeUnknown"]
  ] as const)("sends one, and says what the first proves: %s", ([, first, outcome]) => {
    const arrived = Latch.makeUnsafe(false)
    const answer = Latch.makeUnsafe(false)
    const combined = HttpClient.transformResponse(
      Effect.fnUntraced(function* (
        response: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
      ) {
        const under = yield* Effect.forkChild(response)
        yield* arrived.await
        const again = yield* Effect.exit(response)
        yield* answer.open
        return yield* Exit.isSuccess(again) ? again : Fiber.join(under)
      })
    )
    const responding = async () => {
      arrived.openUnsafe()
      await Effect.runPromise(answer.await)
      return first()
    }
    return Effect.map(told("FetchHttpClient", identity, withClientTransform(refund, combined), [responding]), (seen) =>
      assert.deepStrictEqual([...seen], [1, outcome])
    )
  })

  it.live("takes no refusal for the end while the second is in doubt", () => {
    const combined = HttpClient.transformResponse(
      (response: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>) =>
        Effect.matchEffect(response, {
          onFailure: (first) => Effect.andThen(Effect.exit(response), Effect.fail(first)),
          onSuccess: (first) => Effect.as(Effect.exit(response), first)
        })
    )
    const seen = (...responses: Responses) =>
      told("FetchHttpClient", identity, withClientTransform(refund, combined), responses)
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* seen(unsent, reset), [2, "OutcomeUnknown"])
      assert.deepStrictEqual(yield* seen(() => json({}, 429), reset), [2, "OutcomeUnknown"])
      assert.deepStrictEqual(yield* seen(() => json({}, 429), unavailable), [2, "OutcomeUnknown"])
      assert.deepStrictEqual(yield* seen(unsent, unsent), [2, "GatewayUnavailable"])
    })
  })
})

/** What repeats nothing and keeps nothing back. */
const plain: Readonly<Record<string, Combined>> = {
  filterStatusOk: filtered,
  filterStatus: HttpClient.filterStatus((status) => status < 300),
  "filterStatusOk that is a defect": (http) =>
    HttpClient.transformResponse(
      filtered(http),
      (response): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
        Effect.orDie(response)
    ),
  filterOrElse: HttpClient.filterOrElse(
    () => true,
    () => Effect.die("never")
  ),
  tap: HttpClient.tap(() => Effect.void),
  tapError: HttpClient.tapError(() => Effect.void),
  tapRequest: HttpClient.tapRequest(() => Effect.void),
  catchTag: HttpClient.transformResponse(Effect.catchTag("HttpClientError", (error) => Effect.fail(error))),
  mapRequest: HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", "1")),
  mapRequestEffect: HttpClient.mapRequestEffect((request) => Effect.succeed(request)),
  mapRequestInput: HttpClient.mapRequestInput(HttpClientRequest.setHeader("x-shop", "1")),
  "mapRequest to a proxy": HttpClient.mapRequest((request) =>
    HttpClientRequest.setUrl(request, request.url.replace("gateway.example", "proxy.example"))
  ),
  transform: HttpClient.transform((response) => response),
  transformResponse: HttpClient.transformResponse((response) => response),
  withCookiesRef: HttpClient.withCookiesRef(cookies()),
  withScope: (http, { scope }) =>
    HttpClient.transformResponse(HttpClient.withScope(http), Effect.provideService(Scope.Scope, scope)),
  withRateLimiter: (http, { limiter }) => limited(http, limiter),
  withCircuitBreaker: (http, { breaker }) =>
    HttpClient.transformResponse(
      HttpClient.withCircuitBreaker(http, { breaker }),
      Effect.catchTag("CircuitBreakerError", Effect.die)
    ),
  "retry of nothing": HttpClient.retry({ times: 0 }),
  "followRedirects without one": HttpClient.followRedirects()
}

describe.each(both)("over %s", (client) => {
  describe.each(Object.entries(plain))("a client with %s", (_, combined) => {
    it.live("leaves a success, a refusal and a failure as they are, each sent once", () =>
      Effect.gen(function* () {
        const seen = (program: Program, response: () => Response) => told(client, combined, program, [response])
        assert.deepStrictEqual(yield* seen(getPayment(id), () => json(paid)), [1, "success"])
        assert.deepStrictEqual(yield* seen(refund, () => json(finished)), [1, "success"])
        assert.deepStrictEqual(yield* seen(getPayment(id), () => refusal(404, 304)), [1, "PaymentNotFound"])
        assert.deepStrictEqual(yield* seen(refund, () => refusal(404, 304)), [1, "PaymentNotFound"])
        assert.deepStrictEqual(yield* seen(getPayment(id), unavailable), [1, "GatewayUnavailable"])
        assert.deepStrictEqual(yield* seen(refund, unavailable), [1, "OutcomeUnknown"])
      })
    )
  })
})

const redirect = (status: number, location: string) => () => new Response(null, { status, headers: { location } })

describe.each(both)("over %s", (client) => {
  describe.each([
    ["302 to another host", redirect(302, "https://evil.example/")],
    ["307 to another host", redirect(307, "https://evil.example/")],
    ["302 to the same host", redirect(302, "https://gateway.example/elsewhere")],
    ["308 to the same host", redirect(308, "https://gateway.example/elsewhere")]
  ])("a client with followRedirects, at a %s", (_, response) => {
    it.live.each(Object.entries(changes))("says that the outcome of %s is unknown", ([, change]) =>
      Effect.map(
        told(client, HttpClient.followRedirects(), change(), [response, () => json(finished)]),
        ([, outcome]) => assert.strictEqual(outcome, "OutcomeUnknown")
      )
    )

    it.live("does not take what a read was answered there", () =>
      Effect.map(
        told(client, HttpClient.followRedirects(), getPayment(id), [response, () => json(paid)]),
        ([, outcome]) => assert.strictEqual(outcome, "UnexpectedResponse")
      )
    )
  })
})

it.live("a fetch that follows redirects, whatever it is told, is not taken at its word", () =>
  Effect.gen(function* () {
    const followed = (body: unknown) => () => Object.defineProperty(json(body), "redirected", { value: true })
    assert.deepStrictEqual(yield* told("FetchHttpClient", (http) => http, refund, [followed(finished)]), [
      1,
      "OutcomeUnknown"
    ])
    assert.deepStrictEqual(yield* told("FetchHttpClient", (http) => http, getPayment(id), [followed(paid)]), [
      1,
      "UnexpectedResponse"
    ])
  })
)

const failure = new HttpClientError.HttpClientError({
  reason: new HttpClientError.TransportError({ request: HttpClientRequest.get("https://gateway.example") })
})

/** Does it for requests of operations, but not for those for a token. */
const ofOperations =
  <A>(does: Effect.Effect<A, HttpClientError.HttpClientError>) =>
  ({ url }: { readonly url: string }): Effect.Effect<unknown, HttpClientError.HttpClientError> =>
    url.endsWith("/oauth2/token") ? Effect.void : does

/** A circuit breaker that rejects each request of an operation, with what becomes of its error. */
const brokenCircuit =
  (mapped: (rejection: CircuitBreaker.CircuitBreakerError) => Effect.Effect<never, HttpClientError.HttpClientError>) =>
  (http: HttpClient.HttpClient, { breaker }: Services): HttpClient.HttpClient => {
    const key = ({ url }: { readonly url: string }) => (url.endsWith("/oauth2/token") ? "token" : "operation")
    const opened = breaker.execute(Effect.void, { key: "operation", classify: () => CircuitBreaker.failure() })
    const guarded = HttpClient.withCircuitBreaker(
      HttpClient.transform(http, (response) => response),
      { breaker, key }
    )
    return HttpClient.transformResponse(
      HttpClient.mapRequestEffect(guarded, (request) => Effect.as(Effect.ignore(opened), request)),
      Effect.catchTag("CircuitBreakerError", mapped)
    )
  }

const asTransportError = (cause: unknown) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request: HttpClientRequest.get("https://gateway.example"), cause })
    })
  )

/** A client that has the request, and of whose sendings nothing is seen. */
const unseen = HttpClient.make((request) =>
  Effect.andThen(
    Effect.sync(() => new Headers(request.headers)),
    Effect.fail(failure)
  )
)

/** The shop's own code in a client, that fails or dies. */
const failing: Readonly<Record<string, readonly [Combined, sent: number, refund: string, read: string]>> = {
  "mapRequestEffect that fails": [
    HttpClient.mapRequestEffect((request) => Effect.as(ofOperations(Effect.fail(failure))(request), request)),
    0,
    "GatewayUnavailable",
    "GatewayUnavailable"
  ],
  "mapRequestEffect that dies": [
    HttpClient.mapRequestEffect((request) => Effect.as(ofOperations(Effect.die("a bug"))(request), request)),
    0,
    "a defect",
    "a defect"
  ],
  "tapRequest that fails": [
    HttpClient.tapRequest(ofOperations(Effect.fail(failure))),
    0,
    "GatewayUnavailable",
    "GatewayUnavailable"
  ],
  "withCircuitBreaker that is open": [brokenCircuit(asTransportError), 0, "GatewayUnavailable", "GatewayUnavailable"],
  "withCircuitBreaker that is open, as a defect": [brokenCircuit(Effect.die), 0, "a defect", "a defect"],
  "withCircuitBreaker that is open, then retry": [
    (http, services) => HttpClient.retry(brokenCircuit(asTransportError)(http, services), { times: 2 }),
    0,
    "GatewayUnavailable",
    "GatewayUnavailable"
  ],
  "transform that fails before the sending": [
    HttpClient.transform((response, request) => Effect.andThen(ofOperations(Effect.fail(failure))(request), response)),
    0,
    "GatewayUnavailable",
    "GatewayUnavailable"
  ],
  "transform that fails when it has read the body": [
    HttpClient.transform((response, { body, url }) =>
      Effect.andThen(ofOperations(body === undefined ? Effect.void : Effect.fail(failure))({ url }), response)
    ),
    0,
    "OutcomeUnknown",
    "GatewayUnavailable"
  ],
  "transform to another client, which fails": [
    HttpClient.transform((response, request) =>
      request.url.endsWith("/oauth2/token") ? response : unseen.execute(request)
    ),
    0,
    "OutcomeUnknown",
    "GatewayUnavailable"
  ],
  "transform to another client with a copy of the request": [
    HttpClient.transform((response, request) =>
      request.url.endsWith("/oauth2/token")
        ? response
        : unseen.execute(HttpClientRequest.setHeader(request, "x-shop", "1"))
    ),
    0,
    "OutcomeUnknown",
    "GatewayUnavailable"
  ],
  "tap that fails": [
    HttpClient.tap(({ request }) => ofOperations(Effect.fail(failure))(request)),
    1,
    "OutcomeUnknown",
    "GatewayUnavailable"
  ],
  "tap that dies": [
    HttpClient.tap(({ request }) => ofOperations(Effect.die("a bug"))(request)),
    1,
    "OutcomeUnknown",
    "a defect"
  ],
  "tap that is interrupted": [
    HttpClient.tap(({ request }) => ofOperations(Effect.interrupt)(request)),
    1,
    "OutcomeUnknown",
    "GatewayUnavailable"
  ]
}

describe.each(both)("over %s", (client) => {
  it.live.each(Object.entries(failing))("a client with %s says what is known", ([, [combined, sent, change, read]]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told(client, combined, refund, [() => json(finished)]), [sent, change])
      assert.deepStrictEqual(yield* told(client, combined, getPayment(id), [() => json(paid)]), [sent, read])
    })
  )
})

type Sent = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

/** Where a client waits, until it is interrupted; and whether a change that has come there is in doubt. */
const waitingIn: Readonly<
  Record<
    string,
    readonly [
      combined: (waiting: Effect.Effect<never>) => (http: HttpClient.HttpClient) => HttpClient.HttpClient,
      response: () => Response,
      inDoubt: Readonly<Record<(typeof both)[number], boolean>>
    ]
  >
> = {
  "before the sending": [
    (waiting) => HttpClient.transformResponse((response) => Effect.andThen(waiting, response)),
    () => json(finished),
    { FetchHttpClient: false, "a client of one's own": false }
  ],
  "with a copy of the request": [
    (waiting) =>
      HttpClient.transform((response, request) =>
        Effect.andThen(
          Effect.sync(() => HttpClientRequest.setHeader(request, "x-shop", "1")),
          Effect.andThen(waiting, response)
        )
      ),
    () => json(finished),
    { FetchHttpClient: true, "a client of one's own": true }
  ],
  "after status 429": [
    (waiting) => HttpClient.transformResponse((response: Sent): Sent => Effect.andThen(response, waiting)),
    () => json({}, 429),
    { FetchHttpClient: false, "a client of one's own": true }
  ],
  "after a refused connection": [
    (waiting) => HttpClient.transformResponse((response: Sent): Sent => Effect.andThen(Effect.exit(response), waiting)),
    unsent,
    { FetchHttpClient: false, "a client of one's own": true }
  ],
  "after status 503": [
    (waiting) => HttpClient.transformResponse((response: Sent): Sent => Effect.andThen(response, waiting)),
    unavailable,
    { FetchHttpClient: true, "a client of one's own": true }
  ],
  "in another client after status 429": [
    (waiting) => {
      const other = HttpClient.make(({ headers }) => Effect.andThen(Effect.succeed(headers), waiting))
      return HttpClient.transform((response, request) => Effect.andThen(response, other.execute(request)))
    },
    () => json({}, 429),
    { FetchHttpClient: true, "a client of one's own": true }
  ],
  "after status 429, with a copy for another client": [
    (waiting) =>
      HttpClient.transform((response, request) => {
        const copy = HttpClientRequest.setHeader(request, "x-shop", "1")
        const other = HttpClient.make(() => waiting)
        return Effect.andThen(response, other.execute(copy))
      }),
    () => json({}, 429),
    { FetchHttpClient: true, "a client of one's own": true }
  ],
  "after status 429 that followed another client's failure": [
    (waiting) =>
      HttpClient.transform((response, request) =>
        Effect.andThen(Effect.exit(unseen.execute(request)), Effect.andThen(response, waiting))
      ),
    () => json({}, 429),
    { FetchHttpClient: true, "a client of one's own": true }
  ]
}

/** Interrupts a refund where its client waits: how many were sent, and how many are reported to be in doubt. */
const interrupted = (
  client: (typeof both)[number],
  combined: (waiting: Effect.Effect<never>) => (http: HttpClient.HttpClient) => HttpClient.HttpClient,
  response: () => Response
) =>
  Effect.gen(function* () {
    const isWaiting = Latch.makeUnsafe(false)
    let reported = 0
    const program = Effect.gen(function* () {
      const waiting = Effect.andThen(isWaiting.open, Effect.never)
      // A client that begins with it again does not come as far as that.
      const fiber = yield* withClientTransform(refund, combined(waiting)).pipe(
        Effect.ensuring(isWaiting.open),
        Effect.forkChild
      )
      yield* isWaiting.await
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provideService(OnUnknownOutcome, () => Effect.sync(() => reported++)))
    const [sent] = yield* told(client, identity, program, [response])
    return { sent, reported }
  })

describe.each(both)("over %s", (client) => {
  it.live.each(Object.entries(waitingIn))(
    "a refund that is interrupted while its client waits %s is in doubt if it may have been taken",
    ([, [combined, response, inDoubt]]) =>
      Effect.map(interrupted(client, combined, response), ({ reported }) =>
        assert.strictEqual(reported, inDoubt[client] ? 1 : 0)
      )
  )

  it.live("a client that goes on after its call was interrupted sends nothing that was said to be unsent", () =>
    Effect.gen(function* () {
      const goesOn = Latch.makeUnsafe(false)
      const hasGoneOn = Latch.makeUnsafe(false)
      const program = Effect.gen(function* () {
        const isWaiting = Latch.makeUnsafe(false)
        const combined = HttpClient.transformResponse((response: Sent) =>
          isWaiting.open.pipe(
            Effect.andThen(goesOn.await),
            Effect.andThen(response),
            Effect.ensuring(hasGoneOn.open),
            Effect.uninterruptible
          )
        )
        const fiber = yield* Effect.forkChild(withClientTransform(refund, combined))
        yield* isWaiting.await
        yield* Fiber.interrupt(fiber)
        yield* goesOn.open
        yield* hasGoneOn.await
      }).pipe(Effect.provideService(OnUnknownOutcome, () => Effect.die("It is in no doubt.")))
      const [sent] = yield* told(client, identity, program, [() => json(finished)])
      assert.strictEqual(sent, 0)
    })
  )
})
