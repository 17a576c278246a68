/**
 * The options of a local gateway: in process, behind a server, or mounted in a server of the caller's.
 */
import type { LoggedEvent, JournalEntry, LoggedRequest } from "./server/Journal.js"
import type { NotificationReceiver } from "./server/Notifications.js"
import type { LoopbackAddress } from "./server/LoopbackServer.js"
import type { Seed } from "./books/Seed.js"
import type { SettingsChange } from "./books/LocalGatewaySettings.js"

/**
 * The initial settings of a local gateway, its seed, and the recipients of notifications and log entries.
 *
 * @category local gateway
 */
export interface LocalGatewayOptions extends SettingsChange {
  /** The initial state, to which `reset` returns. Default: one merchant and nothing else. */
  readonly seed?: Seed
  /**
   * Takes the notifications: it gets the address with its `id` and returns the response's status, or the response with
   * its headers and body for the log; 200 means taken. Default: in process, notifications are only logged; a server sends a GET.
   */
  readonly notificationReceiver?: NotificationReceiver
  /** Called with every request that was handled, as in `listRequests`. It must not throw. */
  readonly onRequest?: (request: JournalEntry<LoggedRequest>) => void
  /** Called with every other event, as in `listEvents`: changes of state, notifications, faults. It must not throw. */
  readonly onEvent?: (event: JournalEntry<LoggedEvent>) => void
}

/**
 * Options of a server, besides those of every local gateway.
 *
 * @category local gateway
 */
export interface LocalGatewayServerOptions extends LocalGatewayOptions {
  /**
   * Path of the file that keeps the state between runs: a seed file, created when it does not exist, and used in place
   * of the seed when it does. It is written before a change is acknowledged, and contains credentials. A second gateway
   * that is to use it at the same time does not start, and says which one does.
   */
  readonly dataFile?: string
  /** Default: 0, which means any free port. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`. With an address that is not loopback, other machines can reach the gateway. */
  readonly host?: LoopbackAddress["host"] | undefined
  /**
   * Names, without a port, by which the gateway may be called besides loopback names and `host`: such as `gopay`
   * between containers. Every other `Host` is refused with 403, so that no web page can reach the gateway through a
   * name of its own.
   */
  readonly allowHosts?: ReadonlyArray<string> | undefined
  /**
   * The address at which browsers and clients reach the gateway, where it is not the one that it listens on: such as
   * `http://localhost:4646` for a gateway in a container. It becomes `url`, and `gw_url` starts with it. It has no
   * path.
   */
  readonly publicUrl?: string | undefined
}

/**
 * Options of a gateway that is mounted in a server of the caller's, besides those of every local gateway.
 *
 * @category local gateway
 */
export interface MountedLocalGatewayOptions extends LocalGatewayOptions {
  /**
   * The address at which it is mounted, such as `http://localhost:3000/gopay`, or the path alone: then the origin is
   * that of each request. `gw_url` starts with it. Default: `/gopay`.
   */
  readonly url?: string | undefined
  /** As for a server: the path of the file that keeps the state between runs. */
  readonly dataFile?: string | undefined
  /**
   * Names, without a port, by which it may be called besides loopback names and that of `url`. Every other `Host` is
   * refused with 403.
   */
  readonly allowHosts?: ReadonlyArray<string> | undefined
}
