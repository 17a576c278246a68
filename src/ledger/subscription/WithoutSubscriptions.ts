/**
 * A ledger that was made without `subscriptions`: what stands for them.
 */
import * as Effect from "effect/Effect"
import { invalidArgument } from "../model/LedgerArguments.js"
import { subscriptionKeyPrefix } from "../model/LedgerKey.js"
import { type ReadableDatabase, type StoreError, unavailable } from "../store/Database.js"
import * as Statements from "../store/Statements.js"
import type { Subscriptions } from "./Subscriptions.js"

const remedy = "Give it the option subscriptions, which is exported beside it"

const refuse = () => Effect.fail(invalidArgument(`this ledger has no subscriptions. ${remedy}`))

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

/** Fails where there are subscriptions: no one would notice that nothing is charged. */
export const checkNone = (database: ReadableDatabase, scope: number): Effect.Effect<void, StoreError> =>
  Effect.flatMap(
    Statements.make(database).run("SELECT 1 AS found FROM gopay_subscription WHERE scope = ? LIMIT 1", [scope]),
    (found) =>
      found.length === 0
        ? Effect.void
        : Effect.fail(
            unavailable(
              `The database has subscriptions, and this ledger was made without them: it sends nothing. ${remedy}.`
            )
          )
  )
