/**
 * How Effect's HTTP clients work inside, as far as a change is kept from being sent twice by it. Where a version of Effect changes one
 * of these, its name is in the failure, and `Handover` has to be read again.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Tracer from "effect/Tracer"

const made = () => HttpClientRequest.post("https://gateway.example/refund", { body: HttpBody.text("amount=1") })

/** A request that records each read of its headers and its body. */
const watched = (happened: Array<string>, request = made()) => {
  for (const name of ["headers", "body"] as const) {
    const value = request[name]
    Object.defineProperty(request, name, {
      get: () => {
        happened.push(name)
        return value
      },
      enumerable: true,
      configurable: true
    })
  }
  return request
}

/** Runs with a `TracerDisabledWhen` that records that it is asked. */
const asked = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  onAsked: (request: HttpClientRequest.HttpClientRequest) => void
): Effect.Effect<A, E, R> =>
  Effect.provideService(program, HttpClient.TracerDisabledWhen, (request) => {
    onAsked(request)
    return true
  })

const answering = (onSent: (request: HttpClientRequest.HttpClientRequest) => void = () => {}, status = 200) =>
  HttpClient.make((request) =>
    Effect.sync(() => {
      onSent(request)
      return HttpClientResponse.fromWeb(request, new Response(null, { status }))
    })
  )

describe("HttpClient.make", () => {
  it.effect("asks TracerDisabledWhen first, before it reads headers or body and before it sends", () => {
    const happened: Array<string> = []
    const client = answering(() => happened.push("sent"))
    return Effect.map(
      asked(client.execute(watched(happened)), () => happened.push("TracerDisabledWhen")),
      () => {
        assert.strictEqual(happened[0], "TracerDisabledWhen")
        assert.include(happened, "sent")
      }
    )
  })

  it.effect("asks TracerDisabledWhen about the very request, in the fiber that sends", () => {
    const request = made()
    const seen: Array<unknown> = []
    const client = answering((sent) => seen.push(sent, Fiber.getCurrent()))
    const program = asked(client.execute(request), (about) => seen.push(about, Fiber.getCurrent()))
    return Effect.map(program, () => {
      assert.lengthOf(seen, 4)
      assert.strictEqual(seen[0], request)
      assert.strictEqual(seen[2], request)
      assert.isDefined(seen[1])
      assert.strictEqual(seen[1], seen[3])
    })
  })

  it.effect("does not ask TracerDisabledWhen where Tracer.DisablePropagation is set", () => {
    let count = 0
    const program = asked(answering().execute(made()), () => count++)
    return Effect.map(Effect.provideService(program, Tracer.DisablePropagation, true), () =>
      assert.strictEqual(count, 0)
    )
  })

  it.effect("has TracerDisabledWhen as a reference, which is in no context by default", () =>
    Effect.map(Effect.context<never>(), (context) =>
      assert.isUndefined(Context.getOrUndefined(context, HttpClient.TracerDisabledWhen))
    )
  )
})

describe("HttpClient", () => {
  it.effect("executes as its postprocess of its preprocess, and retries by preprocessing again", () => {
    let prepared = 0
    const counting = HttpClient.mapRequestEffect(answering(undefined, 503), (request) =>
      Effect.sync(() => {
        prepared++
        return request
      })
    )
    const retried = HttpClient.retry(HttpClient.filterStatusOk(counting), { times: 2 })
    return Effect.map(Effect.exit(retried.postprocess(retried.preprocess(made()))), () =>
      assert.strictEqual(prepared, 3)
    )
  })
})

describe("HttpClientRequest", () => {
  it("keeps the body object when a header is set, and reads the headers by their accessor", () => {
    const happened: Array<string> = []
    const request = watched(happened)
    const { body } = request
    const changed = HttpClientRequest.setHeader(request, "x-shop", "1")
    assert.strictEqual(changed.body, body)
    assert.include(happened, "headers")
  })
})

describe("a Proxy in place of a body", () => {
  const proxied = (onRead: () => void) => {
    const request = made()
    const body = new Proxy(request.body, {
      get: (given: HttpBody.HttpBody, name) => {
        onRead()
        return Reflect.get(given, name)
      }
    })
    return HttpClientRequest.setBody(request, body)
  }

  it.effect("is a body, and is read in the fiber that sends by FetchHttpClient", () => {
    const readIn = new Set<unknown>()
    const sent: Array<unknown> = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      sent.push(await new Response(init?.body ?? null).text())
      return new Response(null)
    }
    return Effect.gen(function* () {
      const request = proxied(() => readIn.add(Fiber.getCurrent()))
      assert.isTrue(HttpBody.isHttpBody(request.body))
      readIn.clear()
      const client = yield* HttpClient.HttpClient
      yield* client.execute(request)
      assert.deepStrictEqual(sent, ["amount=1"])
      assert.isAbove(readIn.size, 0)
      assert.isFalse(readIn.has(undefined))
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.provideService(FetchHttpClient.Fetch, fetch))
  })
})
