/**
 * Clients that send as those of `@effect/platform-node` 4.1 do, which needs a newer Node.js than this package: over `undici`,
 * and over `node:http`, whose body goes out in a fiber of its own.
 */
import http from "node:http"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"

const broken = (request: HttpClientRequest.HttpClientRequest) => (cause: unknown) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

const bytesOf = (request: HttpClientRequest.HttpClientRequest): Uint8Array<ArrayBuffer> | null => {
  switch (request.body._tag) {
    case "Empty":
      return null
    case "Uint8Array":
      return new Uint8Array(request.body.body)
    default:
      throw new Error(`no ${request.body._tag} here`)
  }
}

/** Reads the body when it is called, and sends by what Node.js has of undici. */
const undici = HttpClient.make((request, url, signal) =>
  Effect.flatMap(Effect.succeed(bytesOf(request)), (body) =>
    Effect.map(
      Effect.tryPromise({
        try: () => fetch(url, { method: request.method, headers: request.headers, body, signal, redirect: "manual" }),
        catch: broken(request)
      }),
      (response) => HttpClientResponse.fromWeb(request, response)
    )
  )
)

/** Makes the request when it is called, and writes the body in a detached fiber. */
const nodeHttp = HttpClient.make((request, url, signal) => {
  const { headers, method } = request
  const sent = http.request(url, { agent: false, method, headers, signal })
  const { body } = request
  const upload = Effect.suspend(() => {
    switch (body._tag) {
      case "Empty":
        sent.end()
        return Effect.void
      case "Uint8Array":
        sent.end(body.body)
        return Effect.void
      default:
        return Effect.die(`no ${body._tag} here`)
    }
  })
  const answered = Effect.callback<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>((resume) => {
    sent.once("error", (failure) => resume(Effect.fail(broken(request)(failure))))
    sent.once("response", (response) => {
      const chunks: Array<Uint8Array> = []
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk))
      response.on("end", () => {
        const web = new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0 })
        resume(Effect.succeed(HttpClientResponse.fromWeb(request, web)))
      })
    })
  })
  return upload.pipe(
    Effect.onError(() => Effect.sync(() => sent.destroy())),
    Effect.forkDetach,
    Effect.flatMap((upload) => Effect.raceFirst(answered, Fiber.join(upload).pipe(Effect.andThen(Effect.never)))),
    Effect.onError(() => Effect.sync(() => sent.destroy()))
  )
})

export const layerUndici = Layer.succeed(HttpClient.HttpClient, undici)

export const layerNodeHttp = Layer.succeed(HttpClient.HttpClient, nodeHttp)
