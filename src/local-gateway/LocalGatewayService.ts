/**
 * A local gateway for programs with Effect: its options, in process or behind a server, and its service.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { PlaceOptions } from "./server/BasePath.js"
import type { InvalidFault } from "./server/Faults.js"
import type { JournalListeners } from "./server/Journal.js"
import type { NotificationReceiver } from "./server/Notifications.js"
import type { PayerActionRefused } from "./server/PayerControls.js"
import type { ArmingOperations, ControlOperations, PayerOperations } from "./LocalGatewayOperations.js"
import type { Seed } from "./books/Seed.js"
import type { SeedContent } from "./books/SeedSchema.js"
import type { LocalMerchant } from "./books/Actors.js"
import type { SettingsChange } from "./books/LocalGatewaySettings.js"

/**
 * The message when a gateway is given a password, which earlier versions had: a gateway that several people can reach
 * must not start while ignoring it.
 */
export const passwordRefusal =
  "the local gateway asks for no password. Leave it out, and let a proxy ask for one before everything but /api/, /gw/ and /gp-gw/ (docs/local-gateway.md, Shared by several people)"

/**
 * The initial settings of a local gateway, its seed, and the recipients of notifications and log entries, which must not
 * throw.
 */
export interface LocalGatewayOptions extends JournalListeners {
  /** Settings that differ from the default and from the seed. */
  readonly settings?: SettingsChange | undefined
  /** The initial state, to which `reset` returns. Default: one merchant and nothing else. */
  readonly seed?: Seed | undefined
  /**
   * Receives the notifications: the address with its `id`, the method, and the content of a POST. Returns the status of
   * the response, or the response with its headers and body for the log; 200 means accepted. Default: in process,
   * notifications are only logged; a server sends them, by GET, or by POST for payments of API v4.
   */
  readonly notificationReceiver?: NotificationReceiver | undefined
}

/** Options of a server, besides those of every local gateway. */
export interface LocalGatewayServerOptions extends LocalGatewayOptions, PlaceOptions {}

/** Operations as Effects: one without parameters is an Effect itself. */
export type AsEffects<Operations, E, R> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (...args: infer Args) => infer A
    ? Args extends readonly []
      ? Effect.Effect<A, E, R>
      : (...args: Args) => Effect.Effect<A, E, R>
    : never
}

interface EffectTypes {
  readonly duration: Duration.Input
  readonly seed: Seed
  readonly seedContent: SeedContent
}

/** The operations of a local gateway as Effects, with their requirements. */
export interface LocalGatewayEffects<R>
  extends
    AsEffects<PayerOperations, PayerActionRefused, R>,
    AsEffects<ArmingOperations, InvalidFault, R>,
    AsEffects<ControlOperations<EffectTypes>, never, R> {}

/** A running local gateway. Amounts are integers in minor units (haléře, cents). */
export interface LocalGatewayService extends LocalGatewayEffects<never> {
  /** Its address, without `/api`: `http://localhost` in process, otherwise for example `http://127.0.0.1:43211`. */
  readonly url: string
  /** The first of its merchants, ready to be passed to `Gateway.layer`. */
  readonly merchant: LocalMerchant
}
