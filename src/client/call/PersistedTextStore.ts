/**
 * A store of texts over Effect's `Persistence`.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Persistable from "effect/persistence/Persistable"
import type * as Persistence from "effect/persistence/Persistence"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { TextStore } from "./TextStore.js"

class Entry extends Persistable.Class<{ payload: { readonly key: string; readonly timeToLive: Duration.Duration } }>()(
  "AccessToken",
  { primaryKey: ({ key }) => key, success: Schema.String }
) {}

const entry = (key: string, timeToLive: Duration.Duration = Duration.zero) => new Entry({ key, timeToLive })

/** It is opened for each use, since what it is kept in may be down when the program starts. */
export const make = (persistence: Persistence.Persistence["Service"]): TextStore => {
  const using = <A>(
    use: (store: Persistence.PersistenceStore) => Effect.Effect<A, unknown>
  ): Effect.Effect<A, unknown> =>
    withScope(
      Effect.suspend(() =>
        Effect.flatMap(
          persistence.make({
            storeId: "gopay_access_tokens",
            timeToLive: (_, key) => (key instanceof Entry ? key.timeToLive : Duration.zero)
          }),
          use
        )
      )
    )
  return {
    get: (key) => using((store) => Effect.flatMap(store.get(entry(key)), (exit) => exit ?? Effect.undefined)),
    set: (key, text, timeToLive) => using((store) => store.set(entry(key, timeToLive), Exit.succeed(text))),
    remove: (key) => using((store) => store.remove(entry(key)))
  }
}

/** Provides a scope that is closed in the background; a failure to close it is ignored. */
const withScope = <A, E>(work: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.flatMap(Scope.make(), (scope) =>
    Effect.onExit(Effect.provideService(work, Scope.Scope, scope), (exit) =>
      Effect.forkDetach(
        Effect.catchCause(
          Effect.suspend(() => Scope.close(scope, exit)),
          () => Effect.void
        )
      )
    )
  )
