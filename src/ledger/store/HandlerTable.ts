/**
 * Which handlers the processes of a merchant have. What a handler is to be notified of is left to those processes that have
 * it: one without it would move the row, and the shop would never know.
 */
import * as Effect from "effect/Effect"
import type { ReadableDatabase, StoreError } from "./Database.js"
import type { HandlerName } from "./HandlerTransaction.js"
import * as Statements from "./Statements.js"

export type HandlerTable = ReturnType<typeof make>

export const make = (database: ReadableDatabase, scope: number, own: ReadonlySet<HandlerName>) => {
  const { isBrief, one, run } = Statements.make(database)
  return {
    /** Records the handlers of this process, for as long as the database lives. */
    register: Effect.forEach(
      own,
      (name) =>
        run(`INSERT INTO gopay_handler (scope, name) SELECT ?, ? WHERE ${isBrief()} ON CONFLICT DO NOTHING`, [
          scope,
          name
        ]),
      { discard: true }
    ),

    /** Whether this process lacks a handler that others of the merchant have. */
    isLeftToOthers: (name: HandlerName): Effect.Effect<boolean, StoreError> =>
      own.has(name)
        ? Effect.succeed(false)
        : Effect.map(
            one("SELECT name FROM gopay_handler WHERE scope = ? AND name = ?", [scope, name]),
            (found) => found !== undefined
          )
  }
}
