/**
 * Compressed responses.
 */
import * as Effect from "effect/Effect"

/** Whether a caller takes gzip, by the headers of its request. */
export const takesGzip = (headers: { readonly [name: string]: string | undefined }): boolean =>
  /\bgzip\b/.test(headers["accept-encoding"] ?? "")

/** A text, compressed. */
export const gzipped = (text: string): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })
