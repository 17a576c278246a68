/**
 * The operations of a test shop, declared once: both styles derive their types from it.
 */
import { isDate } from "../basics/AnyRealm.js"
import type { GatewayId } from "../contract/Messages.js"
import type { PaymentSubState } from "../contract/CodeLists.js"
import type { DurationInput } from "../basics/DurationInput.js"
import type { LedgerSettings } from "../ledger/model/LedgerOperations.js"
import type { LedgerStore } from "../ledger/model/LedgerStore.js"
import type { FileStoreOptions, SqliteTransaction } from "../ledger/store/fileStore.js"
import type { SettingsChange } from "../local-gateway/books/LocalGatewaySettings.js"
import type { AsPromises } from "../local-gateway/promise/RunningLocalGateway.js"

/**
 * Where a test kills the shop's process: before it sends its next change, or after the gateway has carried the change out
 * and before the response arrives.
 */
export type KillPoint = "beforeSending" | "afterSending"

/** What is wrong with the settings of a shop; `undefined` if nothing is. */
export const settingsProblem = ({ processes = 1, startAt }: TestShopSettings<unknown>): string | undefined => {
  if (startAt !== undefined && !(isDate(startAt) && !Number.isNaN(startAt.getTime()))) {
    return 'startAt must be a valid Date, such as new Date("2027-03-27T12:00:00Z")'
  }
  return Number.isSafeInteger(processes) && processes > 0 ? undefined : "processes must be a whole number from 1"
}

/** The options of a test shop, apart from its handlers. */
export interface TestShopSettings<out Prepared> {
  /** Further options of the shop's ledger, which has `subscriptions`. */
  readonly ledger?: Partial<Omit<LedgerSettings<SqliteTransaction>, "store" | "migrate">> | undefined
  /**
   * Settings of the local gateway that differ from the default. By default it refuses a partial refund for 24 hours
   * (330), as GoPay does: a test with one has to move time by a day first, or set `partialRefundDelaySeconds: 0`.
   */
  readonly gateway?: SettingsChange | undefined
  /** Creates the shop's tables once, before its first process. They are in the ledger's database, as in production. */
  readonly prepare?: ((store: LedgerStore<SqliteTransaction>) => Prepared) | undefined
  /**
   * When the shop's time begins, such as the day before clocks change. It may be in the past. Default: now, or with Effect the
   * time of the `TestClock`, which cannot go back.
   */
  readonly startAt?: Date | undefined
  /**
   * The number of the shop's processes. Each has a ledger over the same store, and a gateway client. Notifications
   * reach them in turn, and `advance` runs the worker of each. Default: 1.
   */
  readonly processes?: number | undefined
  /** The class `Database` of better-sqlite3 or libsql. Default: `node:sqlite`, from Node.js 22.13 on. */
  readonly driver?: FileStoreOptions["driver"]
}

/** The ledger of a shop and what outlives its processes, in either style. */
export interface TestShopParts<out Ledger> {
  /** The ledger of the first process. After a kill it is a new one over the same store: read it from `shop` each time. */
  readonly ledger: Ledger
  /** The ledger of each process, as `ledger` is the first one's. */
  readonly ledgers: ReadonlyArray<Ledger>
  /** The store. It outlives the processes. */
  readonly store: LedgerStore<SqliteTransaction>
  /** Pass it as the `callback` of a payment: its notifications reach this shop. */
  readonly callback: { readonly return_url: string; readonly notification_url: string }
}

/**
 * The operations of a test shop, each declared once. `TestShop` derives its types from it. `Types` are those that
 * differ between the styles: of a duration, and of the work of a process to be killed.
 */
export interface TestShopOperations<Types extends { readonly duration: unknown; readonly work: unknown }> {
  /** What has happened so far, in order, one line each: requests, notifications, handler calls, kills. */
  readonly story: () => ReadonlyArray<string>
  /** Adds a line to the story. */
  readonly tell: (event: string) => void
  /**
   * Moves time forward at once and runs what becomes due on the way, in order: payments time out, notifications arrive,
   * handlers are called, and the ledger's worker sends, reads and retries. Notifications arrive at most an hour late, or a
   * hundredth of the duration if that is longer. A call that you have not awaited, such as a refund whose response is lost,
   * gets as far as it can first. `advance(0)` runs what is due now.
   *
   * Work that it has begun may wait for this clock: for a response under one of the faults `latency`, `noResponse` and
   * `slowBody`, with Effect also in a handler that sleeps. Then time moves to where that work continues. Work that
   * still waits when the duration has passed continues with the next `advance`.
   */
  readonly advance: (duration: Types["duration"]) => void
  /**
   * Pays by card and delivers the notification. Does not move time: a handler that sleeps continues with the next
   * `advance`.
   */
  readonly pay: (paymentId: GatewayId) => void
  /** Declines the payment (default: `_5006`, not enough money) and delivers the notification. */
  readonly decline: (paymentId: GatewayId, subState?: PaymentSubState) => void
  /**
   * Loses the response to the next change, such as a refund or the creation of a payment: the gateway carries it out. Begin
   * that call, move time, and only then wait for it.
   */
  readonly loseNextResponse: () => void
  /**
   * Runs `work`, kills the process that sends the next change, and starts another one in its place over the same store. `work`
   * never ends, and an `advance` in it stops there. Fails if `work` ends without sending a change.
   */
  readonly killDuring: (point: KillPoint, work: Types["work"]) => void
  /**
   * Delivers a payment's notification twice, at the same time. Returns the shop's two HTTP statuses when the handlers
   * have ended. If a handler sleeps, begin this, `advance`, and then wait for it.
   */
  readonly deliverTwice: (paymentId: GatewayId) => readonly [number, number]
}

type PromiseOperations = TestShopOperations<{ readonly duration: DurationInput; readonly work: () => unknown }>

type Immediate = "story" | "tell" | "loseNextResponse"

/** What a test does with its shop, as promises. */
export interface ShopPromises
  extends Pick<PromiseOperations, Immediate>, AsPromises<Omit<PromiseOperations, Immediate>> {}
