/**
 * The bodies of responses, and of notifications, read as far as a limit.
 */

/**
 * Reads the body of a `fetch` to its end. Of one that is longer than the limit nothing more is read, whatever length
 * the response declares: `undefined`. When the signal aborts, it rejects.
 */
export const readBody = async (
  response: Response,
  limit: number,
  signal: AbortSignal
): Promise<ArrayBuffer | undefined> => {
  const { body, headers } = response
  // It is empty, or the caller's `fetch` returns a body that is no stream.
  if (typeof body?.getReader !== "function") return within(await response.arrayBuffer(), limit)
  // Not a byte is read of one that declares to be longer.
  return readStream(body, Number(headers.get("content-length")) > limit ? undefined : limit, signal)
}

/**
 * Reads a stream to its end. Of one that is longer than the limit, or has none, nothing more is read: `undefined`. When the signal
 * aborts, it rejects.
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
