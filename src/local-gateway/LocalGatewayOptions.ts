/**
 * The options of a local gateway: in process, or behind a server.
 */
import type { PlaceOptions } from "./server/BasePath.js"
import type { JournalListeners } from "./server/Journal.js"
import type { NotificationReceiver } from "./server/Notifications.js"
import type { Seed } from "./books/Seed.js"
import type { SettingsChange } from "./books/LocalGatewaySettings.js"

/**
 * Why a gateway with a password does not start, and the remedy. Earlier gateways asked for one, and a shared one must not open
 * because the option is passed over.
 */
export const passwordRefusal =
  "the local gateway asks for no password. Leave it out, and let a proxy ask for one before everything but /api/, /gw/ and /gp-gw/ (docs/local-gateway.md, Shared by several people)"

/**
 * The initial settings of a local gateway, its seed, and the recipients of notifications and log entries, which must not
 * throw.
 *
 * @category local gateway
 */
export interface LocalGatewayOptions extends SettingsChange, JournalListeners {
  /** The initial state, to which `reset` returns. Default: one merchant and nothing else. */
  readonly seed?: Seed | undefined
  /**
   * Takes the notifications: it gets the address with its `id` and returns the response's status, or the response with
   * its headers and body for the log; 200 means taken. Default: in process, notifications are only logged; a server sends a GET.
   */
  readonly notificationReceiver?: NotificationReceiver | undefined
}

/**
 * Options of a server, besides those of every local gateway.
 *
 * @category local gateway
 */
export interface LocalGatewayServerOptions extends LocalGatewayOptions, PlaceOptions {}
