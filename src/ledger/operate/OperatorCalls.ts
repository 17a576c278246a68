/**
 * The calls of the operators' entry: what they read and decide.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { withoutUndefined } from "../../basics/Nulls.js"
import { type ChangeRow, entryOf } from "../store/ChangeRow.js"
import type { Patch } from "../store/ChangeTable.js"
import { invalidArgument, millisecondsOf, timeOf } from "../model/LedgerArguments.js"
import type { HandlerName } from "../model/LedgerOperations.js"
import type { LedgerMetrics } from "../model/Lists.js"
import type { OperatorCore } from "../model/LedgerService.js"
import { recordedUntil } from "../store/OpenTransactions.js"
import { counting, type Counts } from "../store/MetricsTable.js"
import type { PaymentPatch, PaymentRow } from "../store/PaymentTable.js"
import type { StoreError } from "../store/Database.js"
import type { TimePlace } from "../store/Statements.js"
import * as Adoption from "./Adoption.js"
import { bookedOrders } from "./BookedOrders.js"
import * as ListCalls from "./ListCalls.js"
import { operated, type OperatorParts, type WiredParts } from "./OperatorParts.js"
import * as Resolutions from "./Resolutions.js"

export const make = (wired: WiredParts): OperatorCore => {
  const parts = operated(wired)
  const { changes, database, gatewayScope, getHealth, handlers, ledger, ready, scope } = parts
  return {
    ...Adoption.make(parts),
    ...ListCalls.make(parts),
    ...Resolutions.make(parts),
    getHealth,

    getChange: (key) =>
      Effect.map(Effect.andThen(ready, changes.find(key)), (row) => Option.getOrUndefined(Option.map(row, entryOf))),

    getRecordedUntil: Effect.map(Effect.andThen(ready, recordedUntil(database)), (at) => new Date(at).toISOString()),

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

    retireHandler: Effect.fnUntraced(function* (name) {
      if (!handlerNames.has(name)) {
        yield* Effect.fail(invalidArgument(`the handler is one of ${[...handlerNames].join(", ")}`))
      }
      yield* ready
      yield* handlers.retire(name)
    }),

    pause: Effect.asVoid(Effect.andThen(ready, ledger.pause)),
    resume: Effect.asVoid(Effect.andThen(Effect.andThen(ready, ledger.resume), changes.wakeQueued))
  }
}

const handlerNames: ReadonlySet<HandlerName> = new Set(["onPayment", "onChange", "onSubscription"])

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

/** Processes rows page by page, in the order of their times. Returns how many of them counted. */
const countEach = Effect.fnUntraced(function* <Row>(
  page: (after: TimePlace) => Effect.Effect<ReadonlyArray<Row>, StoreError>,
  placeOf: (row: Row) => TimePlace,
  counts: (row: Row) => Effect.Effect<boolean, StoreError>
): Effect.fn.Return<number, StoreError> {
  let count = 0
  for (let after: TimePlace = { at: 0, seq: 0 }; ;) {
    const rows = yield* page(after)
    const last = rows.at(-1)
    if (last === undefined) return count
    after = placeOf(last)
    for (const row of rows) if (yield* counts(row)) count++
  }
})

/** Erases what was decided or ended longer ago than this, in milliseconds. Returns the number of rows. */
const erase = Effect.fnUntraced(function* (parts: OperatorParts, age: number) {
  const { changes, history, payments, refunds } = parts
  /** Erases the history of a row before its details: if the process ends in between, the row is found again. */
  const erased = (
    subject: "change" | "payment",
    row: Pick<ChangeRow, "seq" | "version">,
    moved: Effect.Effect<Option.Option<unknown>, StoreError>
  ): Effect.Effect<boolean, StoreError> => Effect.andThen(history.erase(subject, row), Effect.map(moved, Option.isSome))

  const removed = yield* countEach(
    (after) => payments.removeUnpaid(age, after),
    (place) => place,
    () => Effect.succeed(true)
  )
  const ended = yield* countEach(
    (after) => payments.forgettable(age, after),
    ({ created_at, moved_at, seq }) => ({ at: moved_at ?? created_at, seq }),
    (row) => {
      const patch = paymentErasure(row)
      return patch === undefined ? Effect.succeed(false) : erased("payment", row, payments.move(row, patch))
    }
  )
  const decided = yield* countEach(
    (after) => changes.forgettable(age, after),
    ({ created_at, decided_at, seq }) => ({ at: decided_at ?? created_at, seq }),
    (row) => erased("change", row, changes.move(row, changeErasure(row)))
  )
  return removed + ended + decided + (yield* refunds.erase(age)) + (yield* changes.eraseReleases(age))
})

const changeErasure = ({ decision, status }: ChangeRow): Patch => {
  const {
    code,
    how = "answered",
    outcome = status === "done" || status === "failed" ? status : "refused"
  } = decision ?? {}
  return {
    request: null,
    record: null,
    message: null,
    proposal: null,
    decision: withoutUndefined({ outcome, how, message: "", code })
  }
}

/** What is erased from a payment; `undefined` if there is nothing left to erase. */
const paymentErasure = ({ decisions, message }: PaymentRow): PaymentPatch | undefined => {
  const said = decisions ?? []
  if (message === null && said.every(({ by }) => by === "")) return undefined
  const unsigned = said.map((decision) => ({ ...decision, by: "", note: "" }))
  return { message: null, ...(said.length === 0 ? undefined : { decisions: unsigned }) }
}
