/**
 * The handler of notifications for Node's own server and for frameworks built on it.
 *
 * This module depends neither on Effect nor on the types of Node or any framework.
 */
import type { RequestHandler } from "./NotificationHandler.plain.js"

/** What is looked at of a request of Node, Express, Fastify or NestJS. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** As it came, before a framework took a prefix off `url`. */
  readonly originalUrl?: string | undefined
}

/** What is needed of a response of Node; those of Express and NestJS are ones. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writeHead: (status: number, headers: Record<string, string>) => unknown
  readonly end: () => unknown
}

/** What is needed of a reply of Fastify. */
export interface FastifyReply {
  readonly sent: boolean
  readonly code: (status: number) => unknown
  readonly headers: (headers: Record<string, string>) => unknown
  readonly send: () => unknown
}

/** Answers a request on Node's server, or in Express, Fastify or NestJS. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse | FastifyReply,
  next?: (error?: unknown) => void
) => void

/**
 * Turns a notification handler into one for Node's server, Express, Fastify and NestJS, with a `(request, response)` as these
 * hand them over.
 *
 * ```ts
 * const notify = toNodeHandler(gateway.createNotificationHandler({ expected, handler }))
 *
 * createServer(notify)             // node:http
 * app.use("/gopay/notify", notify) // Express; NestJS, in main.ts
 * app.all("/gopay/notify", notify) // Fastify
 * ```
 *
 * A prefix of the path does not matter, nor what has read the body before: of the request, only the method and the query are
 * looked at. Give it all methods, so that it can refuse those that are wrong. A response that has been sent already (by a
 * time-out of the framework's, say) is left alone. Whatever fails beyond that goes to `next`, or is answered with 503.
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
