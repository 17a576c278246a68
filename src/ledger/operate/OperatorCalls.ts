/**
 * What operators ask of a ledger, and tell it: the calls of the entry for operators.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { entryOf } from "../change/ChangeView.js"
import { millisecondsOf, timeOf } from "../model/LedgerArguments.js"
import type { LedgerMetrics } from "../model/LedgerHealth.js"
import type { OperatorCore } from "../model/LedgerService.js"
import { counting, type Counts } from "../store/MetricsTable.js"
import * as Acknowledgements from "./Acknowledgements.js"
import * as Adoption from "./Adoption.js"
import { bookedOrders } from "./BookedOrders.js"
import { erase } from "./Erasure.js"
import * as ListCalls from "./ListCalls.js"
import { operated, type WiredParts } from "./OperatorParts.js"
import * as Resolutions from "./Resolutions.js"

export const make = (wired: WiredParts): OperatorCore => {
  const parts = operated(wired)
  const { changes, database, gatewayScope, getHealth, ledger, ready, scope } = parts
  return {
    ...Adoption.make(parts),
    ...Acknowledgements.make(parts),
    ...ListCalls.make(parts),
    ...Resolutions.make(parts),
    getHealth,

    getChange: (key) =>
      Effect.map(Effect.andThen(ready, changes.find(key)), (row) => Option.getOrUndefined(Option.map(row, entryOf))),

    pageOfBookedOrders: (options, after) => Effect.andThen(ready, bookedOrders(parts, options, after)),

    eraseDetails: Effect.fnUntraced(function* ({ olderThan }) {
      const age = Math.round(yield* millisecondsOf("olderThan", olderThan))
      yield* ready
      return yield* erase(parts, age)
    }),

    distrust: Effect.fnUntraced(function* ({ since }) {
      yield* ledger.distrust(yield* timeOf("since", since))
      yield* changes.wakeQueued
    }),

    listMerchants: Effect.map(Effect.andThen(ready, ledger.scopes), (scopes) =>
      scopes.map(({ scope, ...counts }) => {
        const [address = "", goid = ""] = scope.split(" ")
        return { gateway: address, goid, isOwn: scope === gatewayScope, ...counts }
      })
    ),

    getMetrics: Effect.map(Effect.andThen(ready, counting(database, scope)), metricsOf),
    pause: Effect.asVoid(Effect.andThen(ready, ledger.pause)),
    resume: Effect.asVoid(Effect.andThen(Effect.andThen(ready, ledger.resume), changes.wakeQueued))
  }
}

const metricsOf = ({ changes, oldestDue, tickedAt, ...counts }: Counts): LedgerMetrics => {
  const { locked = 0, refusing = 0, sending = 0, ...others } = changes
  const allSending = locked + sending + refusing
  return {
    changes: { ...others, ...(allSending === 0 ? undefined : { sending: allSending }) },
    ...counts,
    oldestDueMillis: oldestDue,
    ...(tickedAt === undefined ? undefined : { lastTick: new Date(tickedAt).toISOString() })
  }
}
