/**
 * Compressed responses.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** In bytes: shorter texts are not worth compressing. */
const leastCompressed = 1400

const gzipped = (text: string): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })

interface TextOptions {
  readonly contentType: string
  readonly headers: { readonly [name: string]: string }
}

/** Responds with a text, compressed if the caller accepts gzip. */
export const compressedText = (
  text: string,
  { contentType, headers }: TextOptions
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { headers: asked } = yield* HttpServerRequest.HttpServerRequest
    const options = { contentType, headers: { ...headers, vary: "accept-encoding" } }
    const takesGzip = /\bgzip\b/.test(asked["accept-encoding"] ?? "")
    if (!takesGzip || text.length < leastCompressed) return HttpServerResponse.text(text, options)
    const response = HttpServerResponse.uint8Array(yield* gzipped(text), options)
    return HttpServerResponse.setHeader(response, "content-encoding", "gzip")
  })
