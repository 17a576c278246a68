/**
 * Subscriptions that the ledger charges, with Effect.
 */
import { Console, Effect } from "effect"
import { Ledger, type LedgerStore, type SqliteTransaction } from "effect-gopay/ledger"

export const ledgerOver = (
  store: LedgerStore<SqliteTransaction>,
  deliver: (tx: SqliteTransaction, name: string, period: string) => Effect.Effect<void>
) =>
  Ledger.layerWorker({
    store,
    migrate: true,
    // In the transaction that records it: what is written here is written exactly once.
    onSubscription: ({ period, subscription: { name }, tx, type }) =>
      type === "paid" ? deliver(tx, name, period?.period ?? "") : Console.log(`${name}: ${type}`)
  })

/** A cron job, as often as you like: each month of each member is charged once. */
export const chargeMonth = (names: ReadonlyArray<string>, month: string) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const description = `Membership ${month}`
    const items = [{ name: description, amount: 29_900, count: 1 }]
    for (const name of names) {
      // A member who has just cancelled does not stop the others.
      yield* ledger
        .chargePeriod(name, month, { amount: 29_900, dayOfMonth: 31, order_description: description, items })
        .pipe(Effect.catch((error) => Console.error(`${name}, ${month}: ${error.message}`)))
    }
  })
