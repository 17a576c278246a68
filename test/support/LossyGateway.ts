/**
 * A local gateway behind a transport that loses changes: before they arrive, or their answers after.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { Gateway } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { partsAtOnce } from "./partsAtOnce.js"

/**
 * What becomes of a change on its way. `answered`: nothing. `refused`, `limited`, `token refused`: it does not arrive,
 * and the client is told so. `lost`: it does not arrive, and the connection breaks. `answer lost`, `answer garbled`: it
 * arrives and is carried out, and its response is cut off or unreadable. `late`: the connection breaks, and it arrives
 * when the test says.
 */
export type Fate =
  | "answered"
  | "refused"
  | "limited"
  | "token refused"
  | "lost"
  | "answer lost"
  | "answer garbled"
  | "late"

export const makeLossyGateway = () => {
  const fates: Array<Fate> = []
  const late: Array<Effect.Effect<unknown, unknown>> = []
  let arrived = 0
  let befallen = 0

  const lossy = (http: HttpClient.HttpClient) =>
    HttpClient.make((request, { pathname }) => {
      const isChange = request.method !== "GET" && !pathname.endsWith("/oauth2/token")
      if (!isChange) return http.execute(request)
      const arrive = Effect.suspend(() => {
        arrived++
        return http.execute(request)
      })
      if (fates.length > 0) befallen++
      const fate = fates.shift() ?? "answered"
      switch (fate) {
        case "answered":
          return arrive
        case "refused":
          return broken(request, "ECONNREFUSED")
        case "limited":
          return Effect.succeed(answer(request, 429))
        case "token refused":
          return Effect.succeed(answer(request, 401))
        case "lost":
          return broken(request, "ECONNRESET")
        case "answer lost":
          return Effect.andThen(arrive, broken(request, "ECONNRESET"))
        case "answer garbled":
          return Effect.as(arrive, answer(request, 200))
        case "late":
          late.push(arrive)
          return broken(request, "ECONNRESET")
      }
    })

  const http = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, lossy))
  return {
    layer: Gateway.layer(LocalGateway.merchant).pipe(
      Layer.provide(http),
      Layer.provideMerge(LocalGateway.layerWith({ settings: partsAtOnce }))
    ),
    /** Decides what becomes of the next changes. */
    next: (...next: ReadonlyArray<Fate>) => fates.push(...next),
    /** What was decided and has not come to pass is forgotten. */
    forget: () => fates.splice(0),
    /** Lets the late ones arrive. */
    arriveLate: Effect.suspend(() => Effect.all(late.splice(0))),
    /** How many changes have arrived. */
    arrived: () => arrived,
    /** How many fates have come to pass. */
    befallen: () => befallen
  }
}

const answer = (request: HttpClientRequest.HttpClientRequest, status: number) =>
  HttpClientResponse.fromWeb(request, new Response("", { status }))

const broken = (request: HttpClientRequest.HttpClientRequest, code: string) =>
  Effect.suspend(() => {
    const cause = Object.assign(new Error(`connect ${code}`), { code })
    return Effect.fail(
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
    )
  })
