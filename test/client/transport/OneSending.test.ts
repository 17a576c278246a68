/**
 * A change is sent once, over whichever client, whatever is composed around it, and in whichever fiber: a second
 * sending is stopped, and never reported as done. A read may be repeated.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import type * as Layer from "effect/Layer"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Queue from "effect/Queue"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import {
  captureAuthorization,
  deleteCard,
  Gateway,
  getPayment,
  refundPayment,
  RetryPolicy,
  withClientTransform
} from "../../../src/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { NodeHttpClient } from "../../../src/node/index.js"
import { FakeTransport } from "../../../src/testing/index.js"
import { id } from "../../support/OperationPrograms.js"
import { captureLog } from "../../support/LogGuard.js"
import { layerNodeHttp, layerUndici } from "../../support/PlatformNodeClients.js"
import { type Route, startScriptedGateway } from "../../support/ScriptedGateway.js"
import { finished, merchant, paid } from "../../support/ScriptedTransport.js"

type Client = HttpClient.HttpClient
type Sent = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
type Program = Effect.Effect<unknown, { readonly reason: { readonly _tag: string } }, Gateway>

type Operation = readonly [program: Program, route: Route, answer: object]

/** Each has its answer after two failures which leave unknown whether the gateway has carried it out. */
const operations = {
  "a read": [getPayment(id), `GET /payments/payment/${id}`, paid],
  "a change with a body": [refundPayment(id, { amount: 5_000 }), `POST /payments/payment/${id}/refund`, finished],
  "a change without a body": [captureAuthorization(id), `POST /payments/payment/${id}/capture`, finished],
  "a change by DELETE": [deleteCard(3003000011), "DELETE /payments/cards/3003000011", {}]
} as const satisfies Record<string, Operation>

/** How often it was sent, and how its call ended. */
type Told = readonly [sent: number, outcome: string]

const outcomeOf = (program: Program) =>
  Effect.catchDefect(
    Effect.match(program, { onFailure: ({ reason }) => reason._tag, onSuccess: () => "success" }),
    () => Effect.succeed("a defect")
  )

const overSockets =
  (client: Layer.Layer<HttpClient.HttpClient, unknown>) =>
  (
    [program, route, answer]: Operation,
    combined: (http: Client) => Client
  ): Effect.Effect<Told, unknown, Scope.Scope> =>
    Effect.gen(function* () {
      const gateway = yield* Effect.acquireRelease(Effect.promise(startScriptedGateway), (gateway) =>
        Effect.promise(() => gateway.close())
      )
      gateway.on(route, { status: 503 }, { status: 503 }, { body: answer })
      const outcome = yield* outcomeOf(withClientTransform(program, combined)).pipe(
        Effect.provide(Gateway.layer({ ...merchant, environment: gateway.url })),
        Effect.provide(client)
      )
      return [gateway.calls.length, outcome]
    })

const clients = {
  NodeHttpClient: overSockets(NodeHttpClient.layer),
  FetchHttpClient: overSockets(FetchHttpClient.layer),
  "platform-node's over undici": overSockets(layerUndici),
  "platform-node's over node:http": overSockets(layerNodeHttp),
  "LocalGateway.layer": ([program], combined) =>
    Effect.gen(function* () {
      // It has a token then, whose request no fault is for.
      yield* Effect.ignore(getPayment(id))
      const fault = { type: "serverError", status: 503, effect: "committed" } as const
      yield* LocalGateway.armFaults([{ fault }, { fault }])
      const outcome = yield* outcomeOf(withClientTransform(program, combined))
      const requests = yield* LocalGateway.listRequests
      return [requests.filter(({ operation }) => operation !== "getAccessToken").length - 1, outcome] as const
    }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layerWith({}))),
  FakeTransport: ([program, , json], combined) =>
    Effect.gen(function* () {
      const outcome = yield* outcomeOf(withClientTransform(program, combined))
      return [(yield* FakeTransport.requests).length, outcome] as const
    }).pipe(
      Effect.provide(Gateway.layer(merchant)),
      Effect.provide(FakeTransport.layer({ json: {}, status: 503 }, { json: {}, status: 503 }, { json }))
    )
} satisfies Record<string, ReturnType<typeof overSockets>>

const thrice = { times: 2 }

const retried = (http: Client): Client => HttpClient.retry(HttpClient.filterStatusOk(http), thrice)

const retriedHere = HttpClient.transform((response: Sent) =>
  Effect.retry(Effect.flatMap(response, HttpClientResponse.filterStatusOk), thrice)
)

/** Sends in a fiber that has nothing of the caller's. */
const elsewhere = (http: Client, how: (http: Client) => Client): Client =>
  HttpClient.make((request) =>
    Effect.tryPromise({
      try: () => Effect.runPromise(how(http).execute(request)),
      catch: (failure): HttpClientError.HttpClientError => {
        throw failure
      }
    }).pipe(Effect.catchDefect((failure) => Effect.die(failure)))
  )

const byWorker = (http: Client): Client => {
  const jobs = Effect.runSync(
    Queue.unbounded<{
      readonly request: HttpClientRequest.HttpClientRequest
      readonly response: Deferred.Deferred<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
    }>()
  )
  Effect.runFork(
    Effect.forever(
      Effect.flatMap(Queue.take(jobs), ({ request, response }) =>
        Deferred.into(retried(http).execute(request), response)
      )
    )
  )
  return HttpClient.make((request) =>
    Effect.gen(function* () {
      const response = yield* Deferred.make<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>()
      yield* Queue.offer(jobs, { request, response })
      return yield* Deferred.await(response)
    })
  )
}

const breaker = CircuitBreaker.make({ tripPolicy: CircuitBreaker.consecutive(9), openDuration: "1 minute" }).pipe(
  Effect.provide(CircuitBreaker.layerStoreMemory())
)
const limiter = RateLimiter.RateLimiter.pipe(
  Effect.provide(RateLimiter.layer),
  Effect.provide(RateLimiter.layerStoreMemory)
)

/** Sends two at once, and gives the response to the first that is answered. */
const bothOf = (one: Sent, other: Sent): Sent =>
  Effect.flatMap(Effect.all([Effect.exit(one), Effect.exit(other)], { concurrency: 2 }), ([one, other]) =>
    Exit.isSuccess(one) ? one : other
  )

/** What the shop's client does, around or within what repeats. */
const compositions: Readonly<Record<string, (http: Client) => Client>> = {
  retry: retried,
  "transform that retries": retriedHere,
  "transformResponse that retries": HttpClient.transformResponse((response: Sent) =>
    Effect.retry(Effect.flatMap(response, HttpClientResponse.filterStatusOk), thrice)
  ),
  "retry, then withCircuitBreaker": (http) =>
    HttpClient.transformResponse(
      HttpClient.withCircuitBreaker(retried(http), { breaker: Effect.runSync(Effect.scoped(breaker)) }),
      Effect.catchTag("CircuitBreakerError", Effect.die)
    ),
  "retry, then withRateLimiter": (http) =>
    HttpClient.transformResponse(
      HttpClient.withRateLimiter(retried(http), {
        limiter: Effect.runSync(Effect.scoped(limiter)),
        key: "gateway",
        limit: 100,
        window: "1 second"
      }),
      Effect.catchTag("RateLimiterError", Effect.die)
    ),
  "retry, then transform": (http) => HttpClient.transform(retried(http), (response) => response),
  "retry, then tap, then transform": (http) =>
    HttpClient.transform(
      HttpClient.tap(retried(http), () => Effect.void),
      (response) => response
    ),
  "retry within make": (http) => HttpClient.make((request) => retried(http).execute(request)),
  "retry within make within make": (http) =>
    HttpClient.make((request) => HttpClient.make((inner) => retried(http).execute(inner)).execute(request)),
  "make within retry within make": (http) =>
    HttpClient.make((request) => retried(HttpClient.make((inner) => http.execute(inner))).execute(request)),
  "retry of a changed request within make": (http) =>
    HttpClient.make((request) =>
      HttpClient.mapRequest(retried(http), HttpClientRequest.setHeader("x-shop", "1")).execute(request)
    ),
  "retry of a request with another body within make": (http) =>
    HttpClient.make((request) =>
      retried(http).execute(
        request.method === "GET" ? request : HttpClientRequest.setBody(request, HttpBody.text("amount=5000"))
      )
    ),
  "a child fiber that retries": HttpClient.transform((response: Sent) =>
    Effect.flatMap(
      Effect.forkChild(Effect.retry(Effect.flatMap(response, HttpClientResponse.filterStatusOk), thrice)),
      Fiber.join
    )
  ),
  "a child fiber for each time": HttpClient.transform((response: Sent) =>
    Effect.retry(
      Effect.flatMap(Effect.forkChild(Effect.flatMap(response, HttpClientResponse.filterStatusOk)), Fiber.join),
      thrice
    )
  ),
  "a fiber of someone else's that retries": (http) => elsewhere(http, retried),
  "a fiber of someone else's for each time": (http) => retriedHere(elsewhere(http, (http) => http)),
  "a worker that retries": byWorker,
  "TracerDisabledWhen within, then transform that retries": (http) =>
    retriedHere(
      HttpClient.transformResponse(
        http,
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
      )
    ),
  "transform that retries, where spans are off": (http) =>
    HttpClient.transformResponse(retriedHere(http), Effect.provideService(Tracer.DisablePropagation, true)),
  "two at once": HttpClient.transform((response: Sent) => bothOf(response, response)),
  "two at once within make": (http) =>
    HttpClient.make((request) => bothOf(http.execute(request), http.execute(request))),
  "another client after a failure": (http) =>
    HttpClient.make((request) =>
      Effect.catch(Effect.flatMap(http.execute(request), HttpClientResponse.filterStatusOk), () =>
        Effect.catch(Effect.flatMap(http.execute(request), HttpClientResponse.filterStatusOk), () =>
          http.execute(request)
        )
      )
    )
}

const quietly = Effect.provideService(References.MinimumLogLevel, "None")
const once = Effect.provideService(RetryPolicy, RetryPolicy.none)

it.live("says in the log what was stopped", () => {
  const warnings = captureLog(/^The HttpClient was about to send a change again/)
  return clients.FakeTransport(operations["a change with a body"], retriedHere).pipe(
    Effect.map(() =>
      assert.deepStrictEqual(
        [...warnings],
        [`The HttpClient was about to send a change again, and was stopped: POST /api/payments/payment/${id}/refund`]
      )
    ),
    Effect.scoped,
    once
  )
})

describe.each(Object.entries(clients))("over %s", (_, told) => {
  describe.each(Object.entries(compositions))("%s", (composition, combined) => {
    it.live.each(Object.entries(operations))("%s", ([name, operation]) =>
      told(operation, combined).pipe(
        Effect.map((seen) =>
          name === "a read"
            ? assert.strictEqual(seen[0], composition.startsWith("two") ? 2 : 3)
            : assert.deepStrictEqual([...seen], [1, "OutcomeUnknown"])
        ),
        Effect.scoped,
        once,
        quietly
      )
    )
  })
})

it.live.each([["NodeHttpClient", NodeHttpClient.layer] as const, ["FetchHttpClient", FetchHttpClient.layer] as const])(
  "does not say that it was sent what a client makes another request of, over %s",
  ([, client]) => {
    const warnings = captureLog(/^The HttpClient made another request of a change/)
    const remade = (http: Client): Client =>
      HttpClient.make(({ body, headers, url }) => http.execute(HttpClientRequest.post(url, { headers, body })))
    return Effect.gen(function* () {
      const gateway = yield* Effect.acquireRelease(Effect.promise(startScriptedGateway), (gateway) =>
        Effect.promise(() => gateway.close())
      )
      const [refund, route, body] = operations["a change with a body"]
      gateway.on(route, { body })
      const { reason } = yield* Effect.flip(withClientTransform(refund, remade)).pipe(
        Effect.provide(Gateway.layer({ ...merchant, environment: gateway.url })),
        Effect.provide(client)
      )
      assert.lengthOf(gateway.calls, 0)
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      assert.match(
        reason.message,
        /It may have been sent, .*: the HttpClient made another request of it, .* Do not repeat it/
      )
      assert.lengthOf(warnings, 1)
    })
  }
)
