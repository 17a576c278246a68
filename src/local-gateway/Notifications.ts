/**
 * Notifications: the gateway's GET to the merchant's `notification_url` when a payment has changed its state.
 */
import * as Effect from "effect/Effect"
import type { PaymentChange } from "./Books.js"

/** Sends notifications, and repeats those that were not taken. */
export class Notifications {
  /** A payment has changed; the merchant is notified of the states that are worth it. */
  paymentChanged(_change: PaymentChange): void {}

  /** The next notifications about this payment are sent that much later: the payer is to be back in the shop before. */
  hold(_paymentId: number, _seconds: number): void {}

  /** Waits until the first attempt at each notification about this payment that is due has ended. */
  firstAttempts(_paymentId: number): Effect.Effect<void> {
    return Effect.void
  }

  /** Waits until all that is to be sent is delivered or given up. */
  readonly drain: Effect.Effect<void> = Effect.void
}
