/**
 * The store of a test shop: its clock, its view for a process, and when something in it becomes due.
 */
import { setImmediate } from "node:timers/promises"
import { hour, minute } from "../basics/Milliseconds.js"
import type { LedgerStore } from "../ledger/model/LedgerStore.js"
import type { SqliteTransaction } from "../ledger/store/fileStore.js"

type Store = LedgerStore<SqliteTransaction>

/** A store on the clock of a test. */
export type ClockedStore = Store & { readonly now: string }

/** Puts an in-memory store on the clock of the test. */
export const clocked = async (memory: Store, now: () => number): Promise<ClockedStore> => {
  let stored = now()
  let transactions = 0
  await memory.query("CREATE TABLE gopay_test_clock (millis INTEGER NOT NULL)", [])
  await memory.query("INSERT INTO gopay_test_clock VALUES (?)", [stored])
  const setClock = async (): Promise<void> => {
    const millis = now()
    if (millis === stored) return
    stored = millis
    await memory.query("UPDATE gopay_test_clock SET millis = ?", [millis])
  }
  return {
    ...memory,
    now: "(SELECT millis FROM gopay_test_clock)",
    query: async (sql, values) => {
      // A handler may read while its transaction is open, and the clock would wait for that.
      if (transactions === 0 || !/^\s*SELECT\b/i.test(sql)) await setClock()
      return memory.query(sql, values)
    },
    transaction: async (run) => {
      await setClock()
      transactions++
      try {
        return await memory.transaction(run)
      } finally {
        transactions--
      }
    }
  }
}

/**
 * How far time moves in one step, in milliseconds: to what is due next, given the whole move and what is left of it.
 * The shop is notified of what the gateway does in between, at most an hour late, or a hundredth of the whole move.
 */
export const nextStep = async (
  { now, query }: ClockedStore,
  { all, left }: { readonly all: number; readonly left: number }
): Promise<number> => {
  const nextDue = `SELECT MIN(next_at) - ${now} AS wait FROM (
    SELECT next_at FROM gopay_change WHERE NOT (status = 'queued' AND EXISTS (
      SELECT 1 FROM gopay_change other WHERE other.payment_id = gopay_change.payment_id AND other.seq <> gopay_change.seq
        AND (other.holds IS NOT NULL OR (other.status = 'queued' AND other.seq < gopay_change.seq))))
    UNION ALL SELECT next_at FROM gopay_payment UNION ALL SELECT next_at FROM gopay_event
    UNION ALL SELECT next_at FROM gopay_subscription UNION ALL SELECT next_at FROM gopay_period)`
  const [row] = await query(nextDue, [])
  const wait = row?.["wait"] === null ? Infinity : Number(row?.["wait"])
  return Math.ceil(Math.min(left, Math.max(hour, all / 100), Math.max(wait, minute)))
}

/**
 * The store as one process sees it: after its death nothing is committed, and nothing returns. Its waits fail when
 * `dead` does; it then moves no row and reads nothing, so that it ends.
 */
export const processStore = (
  store: Store,
  isKilled: () => boolean,
  { during }: ReturnType<typeof makeActivity>,
  dead: () => Promise<never>
): Store => {
  const whileAlive = async <A>(work: () => Promise<A>): Promise<A> => {
    if (isKilled()) return dead()
    try {
      return await during(work)
    } finally {
      if (isKilled()) await dead()
    }
  }
  return {
    ...store,
    query: (sql, values) => {
      const rows = whileAlive(() => store.query(sql, values))
      // Code that insists on a statement retries it until it succeeds.
      return sql.startsWith("UPDATE ")
        ? rows.catch((error: unknown) => (isKilled() ? [] : Promise.reject(error)))
        : rows
    },
    transaction: (run) =>
      whileAlive(() =>
        store.transaction(async (tx) => {
          const made = await run(tx)
          if (isKilled()) throw new Error("The process was killed.")
          return made
        })
      ),
    // It outlives the process.
    close: async () => {}
  }
}

/** A wait for the clock of a shop. */
interface ClockWait {
  /** In how many milliseconds time has to stop for it, if time moves. */
  readonly remaining: () => number
}

/**
 * In how many turns of the event loop nothing may happen before everything counts as at rest. After a wait for the
 * clock, its caller continues over promises.
 */
const quietTurns = { without: 5, withWaits: 20 }

/** Tracks the work of a shop's processes at the store and the gateway, and which of it waits for the clock. */
export const makeActivity = () => {
  let happened = 0
  let underWay = 0
  const waits = new Set<ClockWait>()
  return {
    /** Counts work in progress. */
    during: async <A>(work: () => Promise<A>): Promise<A> => {
      happened++
      underWay++
      try {
        return await work()
      } finally {
        happened++
        underWay--
      }
    },
    /** Records a wait for the clock. Call the returned function when the wait has ended. */
    waitForClock: (remaining: ClockWait["remaining"]): (() => void) => {
      const wait = { remaining }
      happened++
      waits.add(wait)
      return () => {
        happened++
        waits.delete(wait)
      }
    },
    /** In how many milliseconds work in progress continues; `Infinity` if nothing waits for the clock. */
    untilNextWake: (): number =>
      underWay === 0 ? Infinity : Math.min(...[...waits].map(({ remaining }) => Math.max(1, remaining()))),
    /** Waits until no work is in progress, or all of it waits for the clock. */
    atRest: async (): Promise<undefined> => {
      let seen = -1
      for (let quiet = 0; quiet < (waits.size > 0 ? quietTurns.withWaits : quietTurns.without); quiet++) {
        if ((underWay > 0 && waits.size === 0) || seen !== happened) quiet = 0
        seen = happened
        await setImmediate()
      }
      return undefined
    }
  }
}
