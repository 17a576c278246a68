/**
 * What a process of a test shop is: what it sees of the store, where it is killed, and what it has to do next.
 */
import type { LedgerStore } from "../ledger/model/LedgerStore.js"
import type { SqliteTransaction } from "../ledger/store/fileStore.js"
import { setImmediate } from "node:timers/promises"
import { hour, minute } from "../contract/Milliseconds.js"
import type { Story } from "./Story.js"

/**
 * Where a test kills the shop's process: before it sends its next change, or after the gateway has carried the change out
 * and before the response arrives.
 *
 * @category testing
 */
export type KillPoint = "beforeSending" | "afterSending"

/** The gateway notifies loopback addresses unless it is allowed others. */
export const callback = {
  return_url: "http://shop.localhost/return",
  notification_url: "http://shop.localhost/notify"
}

/** The error of a connection that is lost after the request was sent. */
export const lostConnection = (): Error => Object.assign(new Error("The connection was lost."), { code: "ECONNRESET" })

/** What a dead process waits for. */
const dead = (): Promise<never> => new Promise(() => {})

/** Whether a request asks the gateway to change something. */
const isChange = (method: string, { pathname }: URL): boolean =>
  method === "POST" && /\/payments\/payment(\/\d+\/[\w-]+)?$/.test(pathname)

/** A request that was sent. */
interface SentRequest {
  readonly isChange: boolean
  /** Receives the response, with the text of a change's: it arrives, it is lost, or the process is dead. */
  readonly received: (status: number, text: string) => "arrives" | "lost" | "dead"
}

/** A process of a shop, which can be killed at a change. @internal */
export type ShopProcess = ReturnType<typeof makeProcess>

/** Begins a process. Its next change takes a loss that is `armed`: the response is lost. @internal */
export const makeProcess = (name: string, { send, tell }: Story, loss: { armed: boolean }) => {
  let isKilled = false
  let killAt: KillPoint | undefined
  let die = (): void => {}
  const death = new Promise<void>((resolve) => {
    die = resolve
  })
  const kill = (point: KillPoint): undefined => {
    isKilled = true
    tell(`${name} is killed ${point === "beforeSending" ? "before sending" : "after sending"} a change`)
    die()
  }
  return {
    name,
    death,
    isKilled: () => isKilled,
    killAt: (point: KillPoint | undefined) => {
      killAt = point
    },
    /** Sends a request, unless the process is dead or dies. Gives what its response is received by. */
    send: (method: string, url: URL, body: string): SentRequest | undefined => {
      if (isKilled) return undefined
      if (!isChange(method, url)) return { isChange: false, received: () => (isKilled ? "dead" : "arrives") }
      const point = killAt
      killAt = undefined
      if (point === "beforeSending") return kill(point)
      const responds = send(name, url.pathname.replace(/^.*\/api/, ""), body)
      const loses = loss.armed
      loss.armed = false
      return {
        isChange: true,
        received: (status, text) => {
          responds(status, text)
          if (point !== undefined) kill(point)
          if (isKilled) return "dead"
          if (loses) tell("its response is lost")
          return loses ? "lost" : "arrives"
        }
      }
    }
  }
}

/** When the ledger has something to do next, by the store's time. */
const nextDue = (now: string): string => `SELECT MIN(next_at) - ${now} AS wait FROM (
  SELECT next_at FROM gopay_change WHERE NOT (status = 'queued' AND EXISTS (
    SELECT 1 FROM gopay_change other WHERE other.payment_id = gopay_change.payment_id AND other.seq <> gopay_change.seq
      AND (other.holds IS NOT NULL OR (other.status = 'queued' AND other.seq < gopay_change.seq)))) UNION ALL SELECT next_at FROM gopay_payment UNION ALL SELECT next_at FROM gopay_event
  UNION ALL SELECT next_at FROM gopay_subscription UNION ALL SELECT next_at FROM gopay_period)`

/**
 * How far time moves at once, in milliseconds, of all that it moves and what is left of it: to what is due next. What the
 * gateway does in between is told to the shop an hour late at most, or a hundredth of the time.
 */
export const nextStep = async (
  { now = "", query }: Pick<LedgerStore<SqliteTransaction>, "now" | "query">,
  { all, left }: { readonly all: number; readonly left: number }
): Promise<number> => {
  const [row] = await query(nextDue(now), [])
  const wait = row?.["wait"] === null ? Infinity : Number(row?.["wait"])
  return Math.ceil(Math.min(left, Math.max(hour, all / 100), Math.max(wait, minute)))
}

/**
 * A store as one process sees it: after its death nothing is committed, and nothing comes back. What it waits for fails when
 * `whenDead` does: then it moves no row and reads nothing, so that it comes to its end.
 *
 * @internal
 */
export const processStore = (
  store: LedgerStore<SqliteTransaction>,
  isKilled: () => boolean,
  { during }: Activity,
  whenDead = dead
): LedgerStore<SqliteTransaction> => ({
  ...store,
  query: async (sql, values) => {
    const rows = isKilled() ? [] : await during(() => store.query(sql, values))
    if (!isKilled()) return rows
    // What insists on a statement goes on until it succeeds.
    return sql.startsWith("UPDATE ") ? whenDead().catch(() => []) : whenDead()
  },
  transaction: async (run) => {
    if (isKilled()) return whenDead()
    try {
      const result = await during(() =>
        store.transaction(async (tx) => {
          const made = await run(tx)
          if (isKilled()) throw new Error("The process was killed.")
          return made
        })
      )
      return isKilled() ? await whenDead() : result
    } catch (error) {
      if (isKilled()) return whenDead()
      throw error
    }
  },
  // It outlives the process.
  close: async () => {}
})

/** What the processes of a shop do at the store and the gateway. */
export interface Activity {
  /** Counts what is under way. */
  readonly during: <A>(work: () => Promise<A>) => Promise<A>
  /** Waits until nothing is under way, and nothing follows from what was. */
  readonly ended: () => Promise<void>
}

/** Begins with nothing under way. */
export const makeActivity = (): Activity => {
  let begun = 0
  let underWay = 0
  return {
    during: async (work) => {
      begun++
      underWay++
      try {
        return await work()
      } finally {
        underWay--
      }
    },
    ended: async () => {
      let seen = -1
      for (let quiet = 0; quiet < 5; quiet++) {
        if (underWay > 0 || seen !== begun) quiet = 0
        seen = begun
        await setImmediate()
      }
    }
  }
}
