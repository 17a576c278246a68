/**
 * The parts of a request that the routers of both APIs need: its body, its credentials, and when it is carried out.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import { refusal, type Refusal } from "../books/Refusal.js"

/** What the router provides while a request is served. */
export type RequestServices =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpRouter.RouteContext

/** Larger request bodies are refused. */
export const maxBodyBytes = 1024 * 1024

/** The body of a request as text; `malformed` is the status with which an invalid one is refused. */
export const readText = (
  request: HttpServerRequest.HttpServerRequest,
  malformed: number
): Effect.Effect<string, Refusal> =>
  Effect.gen(function* () {
    const encoding = request.headers["content-encoding"] ?? "identity"
    if (encoding !== "identity") return yield* refusal(116, "The body must come without a content encoding.", 415)
    const bytes = yield* Effect.mapError(request.arrayBuffer, () =>
      refusal(116, "The body could not be read.", malformed)
    )
    if (bytes.byteLength > maxBodyBytes) {
      return yield* refusal(116, `The body has more than ${maxBodyBytes} bytes.`, 413)
    }
    return yield* Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
      catch: () => refusal(116, "The body is not UTF-8.", malformed)
    })
  })

/** The token of an `Authorization` header; empty if there is none. */
export const bearerToken = (authorization: string | undefined): string =>
  /^bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? ""

/** The credentials of an `Authorization` header, still encoded; empty if there are none. */
export const basicText = (authorization: string | undefined): string => {
  const encoded = /^basic +(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? ""
  return Result.getOrElse(Base64.decodeString(encoded), () => "")
}

/**
 * Whether an `Authorization` header has these credentials, in either encoding: GoPay's Java client also encodes the
 * colon, as `%3A`.
 */
export const bearsCredentials = (name: string, secret: string, authorization: string | undefined): boolean => {
  const credentials = `${name}:${secret}`
  const given = basicText(authorization)
  return given === credentials || given === encodeURIComponent(credentials)
}

/**
 * Seconds between a request and its execution; absent means at once. With a delay the response is empty, and the caller
 * must not see it.
 */
export const CommitDelay: Context.Reference<number | undefined> = Context.Reference<number | undefined>(
  "effect-gopay/local-gateway/CommitDelay",
  { defaultValue: () => undefined }
)
