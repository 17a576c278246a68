/**
 * The state of a ledger as gauges of Effect, which `Otlp` of `effect/observability` sends.
 */
import { Layer } from "effect"
import { Ledger, type LedgerStore } from "effect-gopay/ledger"

/** The ledger of the process that has the worker. It sets the gauges once a minute; one process of an installation does. */
export const ledgerOver = <Tx>(store: LedgerStore<Tx>) =>
  Ledger.layerMetrics({ every: "1 minute" }).pipe(Layer.provideMerge(Ledger.layerWorker({ store, migrate: true })))
