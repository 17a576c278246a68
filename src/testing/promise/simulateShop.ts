/**
 * Runs a test shop through payers, operators and failures, as a seed decides.
 */
import {
  InvariantBroken,
  type Run,
  runIn,
  type SimulatedShop,
  simulation,
  type SimulationSettings,
  usualCheckout
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
export interface SimulationOptions extends SimulationSettings<
  ShopInvariant,
  (shop: TestShop, orderNumber: string) => PromiseLike<unknown>
> {
  /** Opens a shop, a new one for each run. `simulateShop` closes it. */
  readonly open: () => PromiseLike<TestShop>
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
  const { open } = options
  const shop = await open()
  const { local, store } = shop
  const { checkout = ({ ledger }, orderNumber) => ledger.checkout(orderNumber, ...usualCheckout) } = options
  const simulated: SimulatedShop<ShopInvariant> = {
    ...shop,
    made: local.listPayments,
    checkout: (orderNumber) => checkout(shop, orderNumber),
    submit: (key, refund) => store.transaction((tx) => shop.ledger.submit(tx, key, refund)),
    run: (act) => act(shop)
  }
  try {
    return await runIn(simulated, options, steps)
  } finally {
    await shop.close()
  }
}
