/**
 * A shop that enters the outcomes that its ledger reports, in the transaction of the ledger.
 */
import * as Effect from "effect/Effect"
import type { ChangeEvent, ChangeOutcome, SqliteTransaction } from "../../src/ledger/index.js"
import type { TestProcess, World } from "./World.js"

const inWords = (outcome: ChangeOutcome): string => {
  switch (outcome._tag) {
    case "Done":
      return `Done, ${outcome.how}`
    case "Refused":
      return `Refused, ${outcome.how}`
    case "Failed":
      return "Failed"
    case "Pending":
      return outcome.status
    case "InDoubt":
      return outcome.needsOperator ? "needs an operator" : "in doubt"
  }
}

/** A process that records the change events of its handler, in the transaction. */
export const withReportedChanges = (
  world: World,
  {
    before = () => Effect.void,
    ...settings
  }: Parameters<World["makeProcess"]>[0] & {
    readonly before?: (event: ChangeEvent<SqliteTransaction>) => Effect.Effect<unknown, unknown>
  } = {}
): Effect.Effect<TestProcess> =>
  Effect.gen(function* () {
    yield* Effect.promise(() =>
      world.store.rows("CREATE TABLE IF NOT EXISTS reported_change (event TEXT PRIMARY KEY, key TEXT, outcome TEXT)")
    )
    return yield* world.makeProcess({
      ...settings,
      onChange: (event) =>
        Effect.andThen(
          before(event),
          Effect.promise(() =>
            event.tx.query("INSERT INTO reported_change VALUES (?, ?, ?)", [
              event.eventId,
              event.key,
              `${inWords(event.outcome)}${event.before === undefined ? "" : `, not ${event.before._tag}`}`
            ])
          )
        )
    })
  })

/** The events of a change that the shop got, in order. */
export const reportedChangesOf = ({ store }: World, key: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () =>
    (await store.rows("SELECT outcome FROM reported_change WHERE key = ? ORDER BY rowid", key)).map(({ outcome }) =>
      String(outcome)
    )
  )
