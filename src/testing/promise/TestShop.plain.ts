/**
 * A shop under test: its options and what a test does with it.
 *
 * This module does not depend on Effect.
 */
import type { DurationInput } from "../../api/DurationInput.plain.js"
import type { GatewayId } from "../../api/Messages.plain.js"
import type { PaymentSubState } from "../../api/CodeLists.plain.js"
import type { GatewayClient } from "../../promise/GatewayClient.plain.js"
import type { LedgerSettings } from "../../ledger/LedgerOptions.plain.js"
import type { Ledger, LedgerOptions } from "../../ledger/promise/Ledger.plain.js"
import type { FileStoreOptions, SqliteTransaction } from "../../ledger/store/fileStore.plain.js"
import type { LedgerStore } from "../../ledger/store/LedgerStore.plain.js"
import type { MountedLocalGateway } from "../../local-gateway/promise/MountedLocalGateway.plain.js"
import type { SettingsChange } from "../../local-gateway/settings/LocalGatewaySettings.plain.js"
import type { KillPoint } from "../KillPoint.plain.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * The options of a test shop.
 *
 * @category testing
 * @since 0.1.0
 */
export interface TestShopOptions extends Pick<
  LedgerOptions<SqliteTransaction>,
  "onPayment" | "onChange" | "onSubscription" | "onAttention"
> {
  /** Further options of the shop's ledger. */
  readonly ledger?: Partial<Omit<LedgerSettings<SqliteTransaction>, "store" | "migrate">> | undefined
  /** Settings of the local gateway that differ from the default. */
  readonly gateway?: SettingsChange | undefined
  /**
   * Makes the tables of the shop, once, before its first process: through `store.query`, or a transaction. What is
   * written through `tx` in a handler lies beside the ledger's own.
   */
  readonly prepare?: ((store: LedgerStore<SqliteTransaction>) => PromiseLike<unknown>) | undefined
  /** The shop's own route for notifications. Default: the ledger's `notificationHandler`. */
  readonly onNotification?: ((request: Request) => PromiseLike<Response>) | undefined
  /** The SQLite of the store, such as better-sqlite3 or libsql. Default: `node:sqlite`, from Node.js 22.13 on. */
  readonly driver?: FileStoreOptions["driver"]
}

/**
 * A shop under test: a ledger over a store in memory, a local gateway, and one clock, which moves when the test says so.
 *
 * @category testing
 * @since 0.1.0
 */
export interface TestShop {
  /** The ledger of the process that runs. After a kill it is another one, over the same store. */
  readonly ledger: Ledger<SqliteTransaction>
  /** The client of the process that runs. */
  readonly gateway: GatewayClient
  /** The local gateway, with all of its controls. Time is moved by `advance` alone. */
  readonly local: MountedLocalGateway
  /** The store, which outlives the processes. */
  readonly store: LedgerStore<SqliteTransaction>
  /** For `callback` of a payment: its notifications come to the shop. */
  readonly callback: { readonly return_url: string; readonly notification_url: string }
  /** The time of the shop, the gateway and the store. */
  readonly now: () => Date
  /** Everything that was done with the shop, in order, in words. */
  readonly story: () => ReadonlyArray<string>
  /** Adds a line of the test's own to the story. */
  readonly tell: (event: string) => void
  /**
   * Lets time pass without waiting, and lets happen what becomes due by then, in order: the gateway's part, its
   * notifications, the shop's handlers and the ledger's worker. A notification reaches the shop an hour late at most, or
   * a hundredth of a longer time than four days. What was begun and is not awaited, such as a refund whose response is
   * lost, is brought as far as it can come before, and settles with the time. `advance(0)` does what is due now.
   */
  readonly advance: (duration: DurationInput) => Promise<void>
  /** The payer pays by card, and the notification comes. */
  readonly pay: (paymentId: GatewayId) => Promise<void>
  /** The payment is declined (default: `_5006`, not enough money), and the notification comes. */
  readonly decline: (paymentId: GatewayId, subState?: PaymentSubState) => Promise<void>
  /**
   * The gateway carries out the next change, such as a refund, and its response never arrives. What waits for its outcome
   * settles by `advance`: `const refund = shop.ledger.refund(…)`, `await shop.advance("1 hour")`, `await refund`.
   */
  readonly loseNextResponse: () => void
  /**
   * Kills the process while it does this, at the next change that it sends, and starts another one over the same store.
   * What the killed process was at never comes to an end, as `work`. Rejects when `work` ends and sent no change.
   */
  readonly killDuring: (point: KillPoint, work: () => unknown) => Promise<void>
  /** Delivers the notification of a payment twice at the same time. Gives the statuses of the responses. */
  readonly deliverTwice: (paymentId: GatewayId) => Promise<readonly [number, number]>
  /** Closes the shop and the gateway, and forgets the store. */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
