/**
 * The handler of notifications for Node's own server and for frameworks built on it.
 *
 * This module depends neither on Effect nor on the types of Node or any framework.
 */
import type { RequestHandler } from "./NotificationHandler.plain.js"

/**
 * The part of a request of Node, Express, Fastify or NestJS that is looked at.
 *
 * @category notifications
 * @since 0.1.0
 */
export interface NodeRequest {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** The address that was asked for, with its query. */
  readonly url?: string | undefined
  /** As it came, before a framework took a prefix off `url`. */
  readonly originalUrl?: string | undefined
}

/**
 * The part of a response of Node that is needed; those of Express and NestJS have it too.
 *
 * @category notifications
 * @since 0.1.0
 */
export interface NodeResponse {
  /** Whether the response has been sent already. */
  readonly headersSent: boolean
  /** Writes status and headers. */
  readonly writeHead: (status: number, headers: Record<string, string>) => unknown
  /** Ends the response. */
  readonly end: () => unknown
}

/**
 * The part of a reply of Fastify that is needed.
 *
 * @category notifications
 * @since 0.1.0
 */
export interface FastifyReply {
  /** Whether the reply has been sent already. */
  readonly sent: boolean
  /** Sets the status. */
  readonly code: (status: number) => unknown
  /** Sets the headers. */
  readonly headers: (headers: Record<string, string>) => unknown
  /** Sends the reply. */
  readonly send: () => unknown
}

/**
 * Answers a request on Node's server, or in Express, Fastify or NestJS.
 *
 * @category notifications
 * @since 0.1.0
 */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse | FastifyReply,
  next?: (error?: unknown) => void
) => void

/**
 * Turns a notification handler into one for Node's server, Express, Fastify and NestJS, with a `(request, response)` as
 * these hand them over.
 *
 * ```ts
 * const notify = toNodeHandler(gateway.createNotificationHandler({ expected, handler }))
 *
 * createServer(notify)             // node:http
 * app.use("/gopay/notify", notify) // Express; NestJS, in main.ts
 * app.all("/gopay/notify", notify) // Fastify
 * ```
 *
 * A prefix of the path does not matter, nor what has read the body before: of the request, only the method and the
 * query are looked at. Give it all methods, so that it can refuse those that are wrong. A response that has been sent
 * already (by a time-out of the framework's, say) is left alone. Whatever fails beyond that goes to `next`, or is
 * answered with 503.
 *
 * @category notifications
 * @since 0.1.0
 */
export const toNodeHandler =
  (handler: RequestHandler): NodeHandler =>
  (request, response, next) => {
    const respond = (status: number, headers: Record<string, string>): void => {
      if ("writeHead" in response) {
        if (response.headersSent) return
        response.writeHead(status, headers)
        response.end()
      } else if (!response.sent) {
        response.code(status)
        response.headers(headers)
        response.send()
      }
    }
    const handle = async (): Promise<void> => {
      const { headers, status } = await handler({ method: request.method, url: request.originalUrl ?? request.url })
      respond(status, Object.fromEntries(headers))
    }
    handle()
      .catch((error: unknown) => (next === undefined ? respond(503, { "cache-control": "no-store" }) : next(error)))
      .catch(() => undefined)
  }
