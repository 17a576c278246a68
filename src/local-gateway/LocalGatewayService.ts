/**
 * The service of a running local gateway: its operations as Effects.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { InvalidFault } from "./server/Faults.js"
import type { PayerActionRefused } from "./server/PayerControls.js"
import type { ArmingOperations, ControlOperations, PayerOperations } from "./LocalGatewayOperations.js"
import type { Seed } from "./books/Seed.js"
import type { SeedContent } from "./books/SeedSchema.js"
import type { LocalMerchant } from "./books/Actors.js"

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

/** The operations of a local gateway as Effects, with what they still need. */
export interface LocalGatewayEffects<R>
  extends
    AsEffects<PayerOperations, PayerActionRefused, R>,
    AsEffects<ArmingOperations, InvalidFault, R>,
    AsEffects<ControlOperations<EffectTypes>, never, R> {}

/**
 * A running local gateway. Amounts are integers in minor units (haléře, cents).
 *
 * @category local gateway
 */
export interface LocalGatewayService extends LocalGatewayEffects<never> {
  /** Its address, without `/api`: `http://localhost` in process, otherwise for example `http://127.0.0.1:43211`. */
  readonly url: string
  /** The first of its merchants, ready to be passed to `Gateway.layer`. */
  readonly merchant: LocalMerchant
}
