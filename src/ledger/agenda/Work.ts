/**
 * A duty in the agenda: only one poll of it runs at a time, and begins its due rows.
 */
import * as Effect from "effect/Effect"
import type { InFlight } from "../process/InFlight.js"
import type { StoreError } from "../store/Database.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"
import { type Begun, beginLook } from "./Begun.js"
import type { Duty } from "./Duty.js"
import { beginPage, mayBegin } from "./Page.js"
import type { RareLog } from "./RareLog.js"
import * as ReadBudget from "./ReadBudget.js"
import { type Run, withoutEnd } from "./Run.js"

export interface Work extends Pick<Duty<never>, "isWatch" | "name" | "pause"> {
  /** Polls, and begins due rows as places become free. Does not wait for them to end, and does not fail. */
  readonly look: (run: Run) => Effect.Effect<void>
  /** Polls at once, in the background: a row has become due. */
  readonly wake: Effect.Effect<void>
  /** Whether due rows wait for the budget of reads. */
  readonly isLimited: () => boolean
}

export interface WorkOptions {
  readonly begun: Begun
  /** Reports that a duty has died: once, and again only after it has worked in between. */
  readonly deaths: {
    readonly has: (duty: string) => boolean
    readonly report: (duty: string) => Effect.Effect<unknown>
    readonly end: (duty: string) => void
  }
  readonly inFlight: InFlight
  readonly logRarely: RareLog
  /** Reports a row that cannot be read. */
  readonly onUnreadable: (unreadable: UnnotifiedItem) => Effect.Effect<void>
}

export const make = <Row, Taken, E>(options: WorkOptions, duty: Duty<Row, Taken, E>): Work => {
  const { begun, deaths, inFlight, logRarely, onUnreadable } = options
  const { isWatch = false, name, pause } = duty
  const reads = ReadBudget.make(duty.reads)
  let isLooking = false
  let isWoken = false

  const pages = Effect.fnUntraced(function* (run: Run): Effect.fn.Return<void, StoreError> {
    for (let isFull = true; (isFull || isWoken) && (yield* mayBegin(run, inFlight, reads));) {
      isWoken = false
      isFull = yield* beginPage({ begun, duty, inFlight, look, onUnreadable, reads }, run)
    }
  })

  /** Stops until the next poll. */
  const stopped = ({ failed, failures }: Run, failure?: StoreError): void => {
    failed?.add(name)
    if (failure !== undefined) failures?.push(failure)
  }

  const look = (run: Run): Effect.Effect<void> =>
    Effect.suspend(() => {
      isWoken = true
      if (isLooking) return Effect.void
      isLooking = true
      return pages(run).pipe(
        Effect.tap(Effect.sync(() => deaths.end(name))),
        Effect.catch((failure) => {
          stopped(run, failure)
          return logRarely(failure)
        }),
        Effect.catchDefect((defect) => {
          stopped(run)
          return Effect.andThen(
            deaths.has(name) ? Effect.void : Effect.logError(`The ledger's worker failed: ${name}`, defect),
            deaths.report(name)
          )
        }),
        Effect.ensuring(Effect.sync(() => void (isLooking = false)))
      )
    })

  return {
    name,
    pause,
    isWatch,
    look,
    wake: beginLook(begun, inFlight, look(withoutEnd)),
    isLimited: reads.isLimited
  }
}
