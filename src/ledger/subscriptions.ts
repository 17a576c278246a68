/**
 * The option of a ledger that has subscriptions. Its bundle is its own.
 */
import { make } from "./subscription/Subscriptions.js"

/**
 * What a ledger's subscriptions are made with. A ledger takes it as an option:
 *
 * ```ts
 * const ledger = createLedger({ gateway, store, subscriptions })
 * ```
 *
 * A shop without subscriptions does not import it, and its bundle is without them.
 */
export const subscriptions: { readonly "~effect-gopay/subscriptions": unknown } = {
  "~effect-gopay/subscriptions": make
}
