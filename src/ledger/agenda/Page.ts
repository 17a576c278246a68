/**
 * Processes a page of due rows of a duty: takes each with a lease, waits for a place, and acts on it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { InFlight } from "../process/InFlight.js"
import type { StoreError } from "../store/Database.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"
import { type Begun, beginLook, follow } from "./Begun.js"
import type { Duty } from "./Duty.js"
import type { ReadBudget } from "./ReadBudget.js"
import type { Run } from "./Run.js"

/** How many rows a statement reads. */
const batch = 50

export interface PageOptions<Row, Taken, E> {
  readonly begun: Begun
  readonly duty: Duty<Row, Taken, E>
  readonly inFlight: InFlight
  /** Polls for due rows of the duty: a row that was done may have made the next one due. */
  readonly look: (run: Run) => Effect.Effect<void>
  /** Reports a row that cannot be read. */
  readonly onUnreadable: (unreadable: UnnotifiedItem) => Effect.Effect<void>
  readonly reads: ReadBudget<E | StoreError>
}

/** Whether rows of the duty may be begun now. */
export const mayBegin = (
  { until }: Run,
  { isClosing }: Pick<InFlight, "isClosing">,
  { isStopped }: Pick<ReadBudget<never>, "isStopped">
): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => now < until && !isClosing() && !isStopped(now))

/** Takes a row and acts on it. A failure must not stop the other rows. */
const doRow = <Row, Taken, E>(
  { begun, duty, inFlight, look, reads }: PageOptions<Row, Taken, E>,
  row: Row,
  run: Run
): Effect.Effect<void> =>
  Effect.flatMap(duty.take(row), (taken) =>
    Option.isSome(taken) ? duty.act(taken.value) : Effect.succeed(false)
  ).pipe(
    Effect.flatMap((isDone) => {
      if (!isDone) return Effect.void
      if (duty.isWatch !== true) begun.done++
      if (duty.isUncounted === true) begun.uncounted++
      return duty.isChained === true ? beginLook(begun, inFlight, look(run)) : Effect.void
    }),
    Effect.catchCause((cause) => {
      run.failed?.add(duty.nameOf(row))
      return Effect.andThen(reads.stopBy(cause), Effect.logWarning(duty.failed(row), cause))
    })
  )

/** Waits for a place and acts on the row there. The run may have ended by then. */
const beginRow = <Row, Taken, E>(
  options: PageOptions<Row, Taken, E>,
  row: Row,
  run: Run
): Effect.Effect<Fiber.Fiber<void>> => {
  const { begun, duty, inFlight, reads } = options
  const name = duty.nameOf(row)
  const left = Effect.sync(() => begun.acting.delete(name))
  const work = Effect.flatMap(mayBegin(run, inFlight, reads), (may) =>
    may ? Effect.asVoid(inFlight.runOnce(name, doRow(options, row, run))) : Effect.void
  )
  begun.acting.add(name)
  return Effect.onInterrupt(duty.places.begin(Effect.ensuring(work, left)), () => left)
}

/** Begins the rows of one page. Returns whether the page was full. */
export const beginPage = Effect.fnUntraced(function* <Row, Taken, E>(
  options: PageOptions<Row, Taken, E>,
  run: Run
): Effect.fn.Return<boolean, StoreError> {
  const { begun, duty, inFlight, onUnreadable, reads } = options
  const wanted = Math.min(batch, reads.left(yield* Clock.currentTimeMillis))
  if (wanted < 1) return false
  const { rows, unreadable } = yield* duty.due(wanted)
  reads.spend(rows.length, wanted)
  for (const item of unreadable) yield* onUnreadable(item)
  let count = 0
  for (const row of rows) {
    const name = duty.nameOf(row)
    if (begun.acting.has(name) || inFlight.has(name) || run.failed?.has(name) === true) continue
    if (!(yield* mayBegin(run, inFlight, reads))) return false
    follow(yield* beginRow(options, row, run), begun.acts)
    count++
  }
  return count === batch
})
