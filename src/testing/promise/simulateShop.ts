/**
 * Runs a test shop through payers, operators and failures, as a seed decides.
 */
import { createLedgerOperator } from "../../ledger/promise/operator.js"
import {
  InvariantBroken,
  type Run,
  runIn,
  type SimulatedShop,
  simulation,
  type SimulationSettings,
  usualOrder,
  usualWait
} from "../Simulation.js"
import type { TestShop } from "./createTestShop.js"

/**
 * Checks a shop when everything has settled: returns `false`, or throws, when the invariant does not hold.
 *
 * @category testing
 */
export type ShopInvariant = (shop: TestShop) => unknown

/**
 * The options of a simulation.
 *
 * @category testing
 */
export interface SimulationOptions extends SimulationSettings {
  /** Opens a shop, a new one for each run. `simulateShop` closes it. */
  readonly open: () => PromiseLike<TestShop>
  /** What must hold in the end, by name. */
  readonly invariants: { readonly [name: string]: ShopInvariant }
  /** How the shop sells an order. Default: the ledger's `checkout` of 500 CZK. */
  readonly checkout?: ((shop: TestShop, orderNumber: string) => PromiseLike<unknown>) | undefined
  /**
   * What else may happen, by name, such as a cron job of the shop's or a cancelled subscription. Each is as likely as a
   * refund or a killed process.
   */
  readonly actions?: { readonly [name: string]: (shop: TestShop) => unknown } | undefined
}

/**
 * Runs a shop through what a seed decides: orders are paid, declined and refunded, notifications come twice, responses are
 * lost, processes are killed, and days pass. Then it checks the invariants. Resolves to the story; rejects with an
 * `InvariantBroken`, whose story is shortened: `open` is called again for each attempt to leave something out.
 *
 * ```ts
 * await simulateShop({
 *   seed: 7,
 *   open: () => createTestShop(handlers),
 *   invariants: { "each paid order is shipped once": shippedOnce }
 * })
 * ```
 *
 * @category testing
 */
export const simulateShop = async (options: SimulationOptions): Promise<ReadonlyArray<string>> => {
  const { invariants, open } = options
  const runs = simulation(options)
  let run = runs.next()
  if (typeof open !== "function") throw new TypeError("simulateShop: open must be a function that opens a new shop.")
  if (Object(invariants) !== invariants) throw new TypeError("simulateShop: invariants must be an object of functions.")
  while (run.done !== true) run = runs.next(await runOf(options, run.value))
  if (run.value instanceof InvariantBroken) throw run.value
  return run.value
}

/** Runs some of the steps in a new shop. */
const runOf = async (options: SimulationOptions, steps: ReadonlyArray<number>): Promise<Run> => {
  const { actions = {}, checkout = sold, invariants, open } = options
  const shop = await open()
  const { local, store } = shop
  const simulated: SimulatedShop = {
    ...shop,
    payments: async () => ({
      made: await local.listPayments(),
      known: await createLedgerOperator(shop.ledger).listPayments()
    }),
    checkout: (orderNumber) => checkout(shop, orderNumber),
    submit: (key, refund) => store.transaction((tx) => shop.ledger.submit(tx, key, refund)),
    act: (name) => new Map(Object.entries(actions)).get(name)?.(shop),
    holds: (name) => new Map(Object.entries(invariants)).get(name)?.(shop),
    process: () => shop.ledger
  }
  try {
    return await runIn(simulated, options, steps)
  } finally {
    await shop.close()
  }
}

const sold: NonNullable<SimulationOptions["checkout"]> = ({ callback, ledger }, orderNumber) =>
  ledger.checkout(orderNumber, { ...usualOrder, callback }, usualWait)
