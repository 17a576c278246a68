/**
 * Refunds that survive crashes, as Effect programs.
 */
import { fileStore, Ledger } from "effect-gopay/ledger"
import Database from "libsql"

export const refundComplaint = (paymentId: number) =>
  Ledger.use((ledger) => ledger.refund("complaint-77", paymentId, { amount: 50_000 }))

export const ledgerLive = (path: string) =>
  Ledger.layerWorker({ store: fileStore(path, { driver: Database }), migrate: true })
