/**
 * A duty is a task that the agenda of a ledger repeats, described as a value. `Duties.ts` has all of them.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Places } from "../process/InFlight.js"
import type { StoreError } from "../store/Database.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"

/** The due rows of a duty, longest due first. Rows that cannot be read are left out. */
export interface Due<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Reports of rows that cannot be read, unless reading them has already made items of them. */
  readonly unreadable: ReadonlyArray<UnnotifiedItem>
}

/** A limit on how many rows of a duty this process begins, since each costs a read at the gateway. */
export interface ReadLimit<in E> {
  readonly perSecond: number
  /** In milliseconds: how long a failure pauses the duty; `undefined` if it does not. */
  readonly stopsFor: (failure: E) => number | undefined
}

/** A duty: its rows become due again and again, and any process may take one of them. */
export interface Duty<Row, Taken = Row, E = StoreError> {
  /** What it does, for an operator and the log. */
  readonly name: string
  /** Reads at most as many due rows as are wanted. A duty without rows does its work here. */
  readonly due: (wanted: number) => Effect.Effect<Due<Row>, StoreError>
  /** The row's name in this process, which acts on a row only once at a time. */
  readonly nameOf: (row: Row) => string
  /** Takes a row with a lease. Returns nothing if another process has taken it. */
  readonly take: (row: Row) => Effect.Effect<Option.Option<Taken>, StoreError>
  /** Acts on the row. Returns whether anything was done. */
  readonly act: (taken: Taken) => Effect.Effect<boolean, E>
  /** The log message when acting on the row fails or dies. The row is due again when its lease has expired. */
  readonly failed: (row: Row) => string
  /** The places for its rows, one row in each. Duties that call the same handler share them. */
  readonly places: Places
  /** How long it waits after a poll that found less than a full page of rows. */
  readonly pause: Duration.Duration
  readonly reads?: ReadLimit<E | StoreError>
  /** Whether a row that is done may make the next one due, so that the duty polls again at once. */
  readonly isChained?: boolean
  /** Whether a cron job does not count its rows: they only make rows of other duties due. */
  readonly isUncounted?: boolean
  /**
   * Whether it watches the ledger itself. It then also reports why the ledger is not ready. A cron job runs it once,
   * and does not count its work.
   */
  readonly isWatch?: boolean
}
