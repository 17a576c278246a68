/**
 * Handlers for Node's own server and for frameworks built on it.
 *
 * This module depends neither on Effect nor on the types of Node or any framework.
 */
import { isBytes } from "../basics/AnyRealm.js"
import { ownMember } from "../basics/OwnMember.js"

/** The part of a request of Node, Express, Fastify or NestJS that is checked. */
export interface NodeRequest {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** The requested address, with its query. */
  readonly url?: string | undefined
  /** The address before a framework stripped a prefix from `url`. */
  readonly originalUrl?: string | undefined
  /** The headers. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string> | undefined>> | undefined
  /** The body as parsed by a framework. */
  readonly body?: unknown
  /** Reads the body, if it has not been read. */
  [Symbol.asyncIterator]?(): AsyncIterator<unknown>
  /** Reads the body without destroying the connection if it is not read to its end. */
  iterator?(options: { readonly destroyOnReturn: false }): AsyncIterator<unknown>
  /** Discards the unread rest. */
  resume?(): unknown
}

/**
 * A request in the form that `toNodeHandler` passes to a handler: the part of a web `Request` that the handlers of this
 * package check.
 */
export interface ReceivedRequest {
  /** The HTTP method. */
  readonly method: string
  /** The path with its query. */
  readonly url: string
  /** The headers. */
  readonly headers: { readonly get: (name: string) => string | null }
  /**
   * Reads the body. A form that a framework has parsed is encoded again, with each value of a list. Rejects if a body
   * that no framework has read has more than `maxBytes`. Default: 100,000.
   */
  readonly text: (maxBytes?: number) => Promise<string>
  /** Reads the body as bytes, such as an uploaded file. */
  readonly arrayBuffer: () => Promise<ArrayBuffer>
}

/** The part of a Node response that is needed; Express and NestJS have it as well. */
export interface NodeResponse {
  /** Whether the response has been sent already. */
  readonly headersSent: boolean
  /** Writes status and headers. */
  readonly writeHead: (status: number, headers: Record<string, string>) => unknown
  /** Ends the response. */
  readonly end: (body?: string) => unknown
}

/** The part of a Fastify reply that is needed. */
export interface FastifyReply {
  /** Whether the reply has been sent already. */
  readonly sent: boolean
  /** Sets the status. */
  readonly code: (status: number) => unknown
  /** Sets the headers. */
  readonly headers: (headers: Record<string, string>) => unknown
  /** Sends the reply. */
  readonly send: (body?: string) => unknown
}

/** Answers a request on Node's server, or in Express, Fastify or NestJS. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse | FastifyReply,
  next?: (error?: unknown) => void
) => void

/** The longest text that is read, in bytes. */
const maxText = 100_000

/** The longest body that is read as bytes: a statement, with what a form adds to it. */
const maxBytes = 17 * 1024 * 1024

/** Reads a body that no framework has read yet. */
const readBytes = async (request: NodeRequest, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const read = request.iterator?.({ destroyOnReturn: false }) ?? request[Symbol.asyncIterator]?.()
  if (read === undefined) return new Uint8Array()
  try {
    for await (const chunk of { [Symbol.asyncIterator]: () => read }) {
      if (!isBytes(chunk)) throw new TypeError("The body of the request has been decoded already.")
      size += chunk.length
      if (size > maxBytes) throw new RangeError("The body of the request is too long.")
      chunks.push(chunk)
    }
  } catch (error) {
    // Otherwise Node's server reads nothing more from the connection, and a next request on it gets no response.
    request.resume?.()
    throw error
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * A form as it was before a framework parsed it. A field that occurs several times is a list, which Express's parser
 * turns into an object if it is long.
 */
const formText = (body: object): string => {
  const fields = Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    (typeof value === "object" && value !== null ? Object.values(value) : [value]).map((one) => [name, String(one)])
  )
  return String(new URLSearchParams(fields))
}

const received = (request: NodeRequest): ReceivedRequest => ({
  method: request.method ?? "",
  url: request.originalUrl ?? request.url ?? "",
  headers: {
    get: (name) => {
      const value = ownMember(request.headers ?? {}, name.toLowerCase())
      return value === undefined ? null : typeof value === "string" ? value : value.join(", ")
    }
  },
  text: async (maxBytes = maxText) => {
    const { body } = request
    if (typeof body === "string") return body
    if (isBytes(body)) return new TextDecoder().decode(body)
    // Express 4 sets an empty body if none of its parsers handles the request's type.
    if (typeof body === "object" && body !== null && Object.keys(body).length > 0) return formText(body)
    return new TextDecoder().decode(await readBytes(request, maxBytes))
  },
  arrayBuffer: async () => {
    const { body } = request
    if (isBytes(body)) return new Uint8Array(body).buffer
    return (await readBytes(request, maxBytes)).buffer
  }
})

/**
 * Turns a handler of notifications, or the one that `createAdminHandler` makes, into one for Node's server, Express,
 * Fastify and NestJS, with their `(request, response)`.
 *
 * ```ts
 * const notify = toNodeHandler(gateway.createNotificationHandler({ expected, handler }))
 *
 * createServer(notify)             // node:http
 * app.use("/gopay/notify", notify) // Express; NestJS, in main.ts
 * app.all("/gopay/notify", notify) // Fastify
 * ```
 *
 * It does not matter if the path has a prefix, or if the body has been read before: for a notification, only the method
 * and the query are checked, and the body if POST is accepted. Route all methods to it, so that it can refuse wrong
 * ones. A response that has already been sent, for example after a time-out of the framework, is left alone. Any other
 * failure is passed to `next`, or answered with 503.
 */
export const toNodeHandler =
  (handler: (request: ReceivedRequest) => Promise<Response>): NodeHandler =>
  (request, response, next) => {
    const respond = (status: number, headers: Record<string, string>, body = ""): void => {
      // An empty body counts as absent.
      const content = body === "" ? [] : ([body] as const)
      if ("writeHead" in response) {
        if (response.headersSent) return
        response.writeHead(status, headers)
        response.end(...content)
      } else if (!response.sent) {
        response.code(status)
        response.headers(headers)
        response.send(...content)
      }
    }
    const handle = async (): Promise<void> => {
      const given = await handler(received(request))
      respond(given.status, Object.fromEntries(given.headers), await given.text())
    }
    handle()
      .catch((error: unknown) => (next === undefined ? respond(503, { "cache-control": "no-store" }) : next(error)))
      .catch(() => undefined)
  }
