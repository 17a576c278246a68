/**
 * A local gateway that is mounted in a server of the caller's.
 *
 * This module has no dependency on Effect.
 */
import type { RunningLocalGateway, StartLocalGatewayOptions } from "./RunningLocalGateway.js"

/**
 * Options of `mountLocalGateway`.
 *
 * @category local gateway
 */
export interface MountLocalGatewayOptions extends Omit<StartLocalGatewayOptions, "port" | "host" | "publicUrl"> {
  /**
   * The address at which it is mounted, such as `http://localhost:3000/gopay`, or the path alone: then the origin is
   * that of each request. `gw_url` starts with it. Behind https name the whole address. Default: `/gopay`.
   */
  readonly url?: string | undefined
}

/**
 * A local gateway that responds to requests of a server of the caller's: the operations of a running local gateway, and
 * `fetch` or `node` to give to that server. Both are bound, so that they can be passed on by themselves.
 *
 * @category local gateway
 */
export interface MountedLocalGateway extends Omit<RunningLocalGateway, "merchant"> {
  /** Responds to a request below its path. The path may have been taken off already, as some routers do. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * The same for Node's own requests and responses: `app.use(local.node)` in Express, `server.middlewares.use(local.node)`
   * in Vite. What is not below its path goes on to `next`. It has to come before whatever reads bodies.
   */
  readonly node: (request: object, response: object, next?: (error?: unknown) => void) => void
}
