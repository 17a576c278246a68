/**
 * Whether a ledger sends, and why not.
 */

/**
 * Whether a ledger sends what is due.
 *
 * @category ledger
 */
export interface LedgerHealth {
  /** Whether changes and new payments are sent. Reads go on in a pause. */
  readonly isSending: boolean
  /**
   * Why nothing is sent; absent when `isSending`:
   *
   * - `Paused`: `pause()` was called.
   * - `GatewayAway`: the gateway did not answer for several payments in a row, or to several changes of one operation (see
   *   `message`). They go on by themselves when it does.
   * - `AnotherDatabase`: the database is a copy or a restored backup. Run `distrust`.
   * - `OtherInstallation`: the database belongs to another installation than the configured one.
   * - `NewerRelease`: the tables belong to a newer release.
   * - `OldTables`, `NoTables`: `migrate()` has not been run.
   * - `NoRow`: the ledger's own row was deleted.
   * - `Standby`: the database takes no writes.
   */
  readonly reason?:
    | "Paused"
    | "GatewayAway"
    | "AnotherDatabase"
    | "OtherInstallation"
    | "NewerRelease"
    | "OldTables"
    | "NoTables"
    | "NoRow"
    | "Standby"
  /** The time since when nothing is sent, ISO 8601, where it is known. */
  readonly since?: string
  /** The state and the next step, in a sentence. */
  readonly message: string
}

/**
 * How much there is in a ledger, and how long it has waited: for metrics, and for one health check.
 *
 * @category ledger
 */
export interface LedgerMetrics {
  /** Changes by their status, as `getChange` says it. */
  readonly changes: Readonly<Record<string, number>>
  /** Payments of orders by how far their creation is: `creating`, `created`, `lost`, `inDoubt`, `unknown`. */
  readonly payments: Readonly<Record<string, number>>
  /** How many steps and looks are due. */
  readonly due: number
  /** In milliseconds: how long the oldest of them has waited. Minutes mean that no worker runs, or not enough. */
  readonly oldestDueMillis: number
  /** How many changes and payments need an operator. */
  readonly attention: number
  /** How many outcomes wait for `onChange`. */
  readonly untold: number
  /** When a worker ran last, ISO 8601, to the minute; absent when none ever did. */
  readonly lastTick?: string
}

/**
 * A merchant whose rows are in the database of a ledger.
 *
 * @category ledger
 */
export interface LedgerMerchant {
  /** The address of the merchant's gateway. */
  readonly gateway: string
  /** The merchant's identifier. */
  readonly goid: string
  /** Whether it is the merchant of this ledger: a ledger shows no rows of others. */
  readonly isOwn: boolean
  /** How many changes are not decided. */
  readonly openChanges: number
  /** How many changes and payments need an operator. */
  readonly attention: number
}
