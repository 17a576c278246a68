/**
 * A shop under test: its options and its controls.
 */
import type { DurationInput } from "../../contract/DurationInput.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { PaymentSubState } from "../../contract/CodeLists.js"
import type { GatewayClient } from "../../promise/GatewayClient.js"
import type { LedgerSettings } from "../../ledger/model/LedgerOptions.js"
import type { Ledger, LedgerOptions } from "../../ledger/promise/Ledger.js"
import type { FileStoreOptions, SqliteTransaction } from "../../ledger/store/fileStore.js"
import type { LedgerStore } from "../../ledger/model/LedgerStore.js"
import type { MountedLocalGateway } from "../../local-gateway/promise/MountedLocalGateway.js"
import type { SettingsChange } from "../../local-gateway/books/LocalGatewaySettings.js"
import type { KillPoint } from "../KillPoint.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * The options of a test shop.
 *
 * @category testing
 */
export interface TestShopOptions extends Pick<
  LedgerOptions<SqliteTransaction>,
  "onPayment" | "onChange" | "onSubscription" | "onAttention"
> {
  /** Further options of the shop's ledger. */
  readonly ledger?: Partial<Omit<LedgerSettings<SqliteTransaction>, "store" | "migrate">> | undefined
  /** Settings of the local gateway that differ from the default. */
  readonly gateway?: SettingsChange | undefined
  /** Creates the shop's tables once, before its first process. They are in the ledger's database, as in production. */
  readonly prepare?: ((store: LedgerStore<SqliteTransaction>) => PromiseLike<unknown>) | undefined
  /** The shop's own notification route. Default: the ledger's `notificationHandler`. */
  readonly onNotification?: ((request: Request) => PromiseLike<Response>) | undefined
  /** The class `Database` of better-sqlite3 or libsql. Default: `node:sqlite`, from Node.js 22.13 on. */
  readonly driver?: FileStoreOptions["driver"]
}

/**
 * A shop under test: a ledger over a store in memory, a local gateway, and one clock that the test moves.
 *
 * @category testing
 */
export interface TestShop {
  /** The ledger of the running process. After a kill it is a new one over the same store: read it from `shop` each time. */
  readonly ledger: Ledger<SqliteTransaction>
  /** The gateway client of the running process. */
  readonly gateway: GatewayClient
  /** The local gateway and all its controls. Move time with `advance` only. */
  readonly local: MountedLocalGateway
  /** The store. It outlives the processes. */
  readonly store: LedgerStore<SqliteTransaction>
  /** Pass it as the `callback` of a payment: its notifications reach this shop. */
  readonly callback: { readonly return_url: string; readonly notification_url: string }
  /** The current time of the shop, the gateway and the store. */
  readonly now: () => Date
  /** What has happened so far, in order, one line each: requests, notifications, handler calls, kills. */
  readonly story: () => ReadonlyArray<string>
  /** Adds a line to the story. */
  readonly tell: (event: string) => void
  /**
   * Moves time forward at once and runs what becomes due on the way, in order: payments time out, notifications arrive,
   * handlers are called, and the ledger's worker sends, reads and retries. Notifications arrive at most an hour late, or a
   * hundredth of the duration if that is longer. A call that you have not awaited, such as a refund whose response is lost,
   * gets as far as it can first. `advance(0)` runs what is due now.
   */
  readonly advance: (duration: DurationInput) => Promise<void>
  /** Pays by card and delivers the notification. */
  readonly pay: (paymentId: GatewayId) => Promise<void>
  /** Declines the payment (default: `_5006`, not enough money) and delivers the notification. */
  readonly decline: (paymentId: GatewayId, subState?: PaymentSubState) => Promise<void>
  /**
   * Loses the response to the next change, such as a refund: the gateway carries it out. Do not await that call before you
   * move time: `const refund = shop.ledger.refund(…)`, `await shop.advance("1 hour")`, `await refund`.
   */
  readonly loseNextResponse: () => void
  /**
   * Runs `work`, kills the process at the next change that it sends, and starts another process over the same store. `work`
   * never settles, and an `advance` in it stops there. Rejects if `work` ends without sending a change.
   */
  readonly killDuring: (point: KillPoint, work: () => unknown) => Promise<void>
  /** Delivers a payment's notification twice, at the same time. Resolves to the shop's two HTTP statuses. */
  readonly deliverTwice: (paymentId: GatewayId) => Promise<readonly [number, number]>
  /** Closes the shop and the gateway and discards the store. */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
