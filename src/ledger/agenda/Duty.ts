/**
 * What the agenda of a ledger has to do again and again: a duty is a value. See `Duties.ts` for all of them.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Places } from "../process/InFlight.js"
import type { StoreError } from "../store/Database.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"

/** What is due of a duty, longest due first. Rows that cannot be read were set aside. */
export interface Due<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Reports of rows that cannot be read, unless reading them has already made items of them. */
  readonly unreadable: ReadonlyArray<UnnotifiedItem>
}

/** A limit on the rows of a duty that this process begins, since each costs a read at the gateway. */
export interface ReadLimit<in E> {
  readonly perSecond: number
  /** In milliseconds: for how long a failure stops the duty. Nothing where it does not. */
  readonly stopsFor: (failure: E) => number | undefined
}

/** A duty: its rows are due again and again, and any process may take one of them. */
export interface Duty<Row, Taken = Row, E = StoreError> {
  /** What it does, for an operator and the log. */
  readonly name: string
  /** Reads what is due, as many rows as are wanted. A duty that has no rows does its work here. */
  readonly due: (wanted: number) => Effect.Effect<Due<Row>, StoreError>
  /** The row's name in this process, which acts on it once at a time. */
  readonly nameOf: (row: Row) => string
  /** Takes a row, for as long as a lease lasts. Gives nothing where another process has taken it. */
  readonly take: (row: Row) => Effect.Effect<Option.Option<Taken>, StoreError>
  /** Does what is due of it. Gives whether anything was done. */
  readonly act: (taken: Taken) => Effect.Effect<boolean, E>
  /** What is logged where that fails or dies. The row is due again when its lease has expired. */
  readonly failed: (row: Row) => string
  /** The places for its rows, each for one at a time. Duties that call the same handler share them. */
  readonly places: Places
  /** How long it waits after it has found no full page of rows. */
  readonly pause: Duration.Duration
  readonly reads?: ReadLimit<E | StoreError>
  /** Whether a row that was done may make the next one due, so that it is looked for at once. */
  readonly isChained?: boolean
  /** Whether its rows are no work of their own: they make those of other duties due, and a cron job does not count them. */
  readonly isUncounted?: boolean
  /**
   * Whether it watches the ledger itself: it says, too, why the ledger is not ready. A cron job looks once, and does not count
   * what it does.
   */
  readonly isWatch?: boolean
}
