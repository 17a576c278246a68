import type { Ledger } from "effect-gopay/ledger/promise"
import type { Payload, Plugin } from "payload"
import { makeAdapter } from "./adapter.js"
import { compareWithLedger } from "./compare.js"
import { openLedger, type Tx } from "./ledger.js"
import { checkOptions, type GopayOptions } from "./options.js"

/** Payments by GoPay. Fails when an option is missing, unknown or wrong. */
export const createGopay = (options: GopayOptions) => {
  const settings = checkOptions(options)
  const ledgers = new WeakMap<Payload, Ledger<Tx>>()
  /** The ledger of this process. */
  const ledger = (payload: Payload): Ledger<Tx> => {
    const opened = ledgers.get(payload) ?? openLedger(payload, settings)
    ledgers.set(payload, opened)
    return opened
  }
  /** For `plugins`: starts the ledger's worker with Payload, to finish what an earlier process had begun. */
  const plugin: Plugin = (config) => ({
    ...config,
    onInit: async (payload) => {
      await config.onInit?.(payload)
      // A build opens Payload too, and must not send anything.
      const isBuild = process.env["NEXT_PHASE"] === "phase-production-build"
      if (settings.worker !== false && !isBuild) ledger(payload).startWorker()
    }
  })
  /** For `payments.paymentMethods` of `ecommercePlugin`. */
  const adapter = makeAdapter(ledger, settings)
  /** Compares Payload's transactions and refunds with the ledger's: the differences, a line each. */
  const compare = (payload: Payload) => compareWithLedger(payload, ledger(payload))
  return { adapter, plugin, ledger, compare }
}
