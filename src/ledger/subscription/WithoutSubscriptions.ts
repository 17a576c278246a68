/**
 * A ledger that was made without `subscriptions`: what stands for them.
 */
import * as Effect from "effect/Effect"
import { invalidArgument } from "../model/LedgerArguments.js"
import { subscriptionKeyPrefix } from "../model/LedgerKey.js"
import type { Subscriptions } from "./Subscriptions.js"

const refuse = () =>
  Effect.fail(
    invalidArgument("this ledger has no subscriptions. Give it the option subscriptions, which is exported beside it")
  )

/** Has no calls, and leaves the charges of other processes alone. */
export const withoutSubscriptions: Subscriptions = {
  calls: {
    createSubscription: refuse,
    getSubscription: refuse,
    chargePeriod: refuse,
    replaceCard: refuse,
    cancelSubscription: refuse
  },
  isOthers: (key) => key.startsWith(subscriptionKeyPrefix),
  beginDue: () => Effect.succeed([]),
  mayFollow: () => Effect.succeed(true),
  chargeRefusal: () => Effect.undefined
}
