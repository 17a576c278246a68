/**
 * Reads the bodies of responses and notifications up to a limit.
 */

/**
 * Reads the body of a `fetch` to its end. If it exceeds the limit, stops reading and returns `undefined`, whatever
 * length the response declares. Rejects when the signal aborts.
 */
export const readBody = async (
  response: Response,
  limit: number,
  signal: AbortSignal
): Promise<ArrayBuffer | undefined> => {
  const { body, headers } = response
  // It is empty, or the caller's `fetch` returned a body that is not a stream.
  if (typeof body?.getReader !== "function") return within(await response.arrayBuffer(), limit)
  // Nothing is read if the declared length exceeds the limit.
  return readStream(body, Number(headers.get("content-length")) > limit ? undefined : limit, signal)
}

/**
 * Reads a stream to its end. If it exceeds the limit or there is no stream, stops reading and returns `undefined`.
 * Rejects when the signal aborts.
 */
export const readStream = async (
  stream: ReadableStream<Uint8Array>,
  limit: number | undefined,
  signal: AbortSignal
): Promise<ArrayBuffer | undefined> => {
  const reader = stream.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  signal.addEventListener("abort", cancel)
  try {
    const data = limit === undefined ? undefined : await readChunks(reader, limit)
    if (data === undefined) cancel()
    signal.throwIfAborted()
    return data
  } finally {
    signal.removeEventListener("abort", cancel)
  }
}

const readChunks = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number
): Promise<ArrayBuffer | undefined> => {
  const collected = collector(limit)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return collected.data()
    if (!ArrayBuffer.isView(value)) throw new TypeError("not bytes")
    if (!collected.add(value)) return undefined
  }
}

export const collector = (limit: number) => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  return {
    /** Adds a chunk; `false` if the body is now too long. */
    add: (chunk: Uint8Array): boolean => {
      length += chunk.byteLength
      if (length > limit) return false
      chunks.push(chunk)
      return true
    },
    data: (): ArrayBuffer | undefined => {
      if (length > limit) return undefined
      const data = new Uint8Array(length)
      let offset = 0
      for (const chunk of chunks) {
        data.set(chunk, offset)
        offset += chunk.byteLength
      }
      return data.buffer
    }
  }
}

/** The caller's `fetch` may return anything as a buffer. */
const within = (data: ArrayBuffer, limit: number): ArrayBuffer | undefined => {
  if (Object.prototype.toString.call(data) !== "[object ArrayBuffer]") throw new TypeError("not a buffer")
  return data.byteLength > limit ? undefined : data
}
