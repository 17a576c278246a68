/**
 * The options that both styles of ledger share.
 */
import type { DurationInput } from "../../contract/DurationInput.js"
import type { LedgerStore } from "./LedgerStore.js"

/**
 * The options of a ledger, apart from the gateway and from what it tells.
 *
 * @category ledger
 */
export interface LedgerSettings<in out Tx> {
  /** The database: `fileStore(path)`, `pgStore(pool)`, `prismaStore(prisma)`, `drizzleStore(db, sql)` and others. */
  readonly store: LedgerStore<Tx>
  /**
   * The name of this installation, such as `production`, of 1 to 100 characters. The database keeps the name that it was
   * migrated with, and a ledger of another name sends nothing: so a copy of production's database in a test environment
   * refunds nothing. Required at GoPay's production gateway. Default elsewhere: `main`.
   */
  readonly installation?: string | undefined
  /**
   * PostgreSQL: the schema of the ledger's tables, which `migrate` creates where it does not exist. Without it they are
   * found by the `search_path` of the connections, and `migrate` makes no second set of them when that is lost. Default: none.
   */
  readonly schema?: string | undefined
  /**
   * Makes the tables before the first call, as `migrate()` does: for programs that cannot wait for it where the ledger is
   * made. `submit` makes none, since it is in a transaction of the shop's: start the worker before. Default: `false`.
   */
  readonly migrate?: boolean | undefined
  /**
   * The name of this process in the history, of 1 to 100 characters, such as its host and number. Default: a random one.
   */
  readonly processName?: string | undefined
  /** How long a change that was sent and is not seen is searched for before an operator is asked. Default: 24 hours. */
  readonly escalateAfter?: DurationInput | undefined
  /**
   * Your word that no one refunds payments past this ledger: no one in GoPay's administration, no other program. Then a
   * refund whose response was lost is recognised by its amount alone. Without it, it is recognised only where the gateway
   * dates it within two minutes of the time at which it was sent, and an operator decides otherwise. If the word is
   * broken, a refund by hand of the same amount may be taken for one of the ledger's that was lost. Default: `false`.
   */
  readonly noOtherRefunders?: boolean | undefined
  /**
   * For how long what is paid and refunded is compared with the gateway once a day, each at its own time of the day: a refund
   * that has failed after all, a list that lacks one, a payment in another state are told. It costs one read a day for
   * each payment and refund of that time. `0` compares nothing. Default: 21 days.
   */
  readonly compareFor?: DurationInput | undefined
  /**
   * Two operators decide about a change of more than this amount, in minor units, or of no amount of its own, such as a full
   * capture, and acknowledge a refund of more: what the first one says is kept (`proposal`), and counts when another one, by another name, says the same. Names are compared however they are
   * spaced, composed and capitalized; take them from a sign-in, since whoever types names can type two. Give it to
   * every ledger that operators use, that of the command line included. Default: one decides.
   */
  readonly dualApprovalAbove?: number | undefined
  /**
   * How long a process may take from locking a payment to handing the request over: it lists the payment's refunds and
   * waits for a token. After that the others take it for dead, and it sends no more. Default: 30 seconds.
   */
  readonly lease?: DurationInput | undefined
  /** The pause between two reads of the store by a worker. Default: 1 second. */
  readonly pollEvery?: DurationInput | undefined
  /** How many changes a worker is at, at once. Default: 8. */
  readonly concurrency?: number | undefined
  /**
   * The days after the first attempt on which a period of a subscription that was declined is charged again; after the last
   * one it is given up. GoPay recommends three attempts at least. At most 366; none is one attempt. Default: 2, 5 and 10.
   */
  readonly retryAfterDays?: ReadonlyArray<number> | undefined
  /** The time zone in which the periods of subscriptions begin. Default: `Europe/Prague`. */
  readonly timeZone?: string | undefined
  /** How many payments of orders a worker reads in a second at most, beside its changes. Default: 10. */
  readonly readsPerSecond?: number | undefined
}
