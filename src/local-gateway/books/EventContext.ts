/**
 * The context of an event: a time, an actor, and a source of random values.
 */
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import type * as Random from "effect/Random"
import type { EventActor } from "./Actors.js"

/**
 * The time, the actor and the source of random values for one change of the books.
 *
 * Time and randomness are services of Effect, not of the platform: a test that sets the clock and seeds the generator
 * gets the same tokens and addresses each time, and nothing here is secret enough to need better randomness.
 */
export interface EventContext {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly by: EventActor
  readonly random: Random.Random
}

const bytes = ({ random }: EventContext, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => Math.floor(random.nextDoubleUnsafe() * 256))

/** As many random bytes, in lower-case hexadecimal. */
export const randomHex = (eventContext: EventContext, count: number): string => Hex.encode(bytes(eventContext, count))

/** As many random bytes, in standard base64. */
export const randomBase64 = (eventContext: EventContext, count: number): string =>
  Base64.encode(bytes(eventContext, count))
