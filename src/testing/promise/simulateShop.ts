/**
 * Runs a test shop through payers, operators and failures, as a seed decides.
 */
import { createLedgerOperator } from "../../ledger/promise/operator.js"
import {
  eachStepSucceeds,
  happeningOf,
  InvariantBroken,
  type Run,
  settlingTime,
  simulation,
  type SimulationSettings,
  usualOrder,
  usualWait
} from "../Simulation.js"
import type { KillPoint } from "../TestProcess.js"
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
  const { invariants, open, seed } = options
  const shop = await open()
  const broken = (invariant: string, cause?: unknown) =>
    new InvariantBroken({ invariant, seed, story: shop.story() }, cause === undefined ? undefined : { cause })
  try {
    try {
      for (const step of steps) await happen(shop, options, step)
      await shop.advance(settlingTime)
    } catch (error) {
      return broken(eachStepSucceeds, error)
    }
    for (const [invariant, holds] of Object.entries(invariants)) {
      try {
        if ((await holds(shop)) === false) return broken(invariant)
      } catch (error) {
        return broken(invariant, error)
      }
    }
    return shop.story()
  } finally {
    await shop.close()
  }
}

const sold: NonNullable<SimulationOptions["checkout"]> = ({ callback, ledger }, orderNumber) =>
  ledger.checkout(orderNumber, { ...usualOrder, callback }, usualWait)

/** Makes happen what happens in a step. */
const happen = async (shop: TestShop, options: SimulationOptions, step: number): Promise<unknown> => {
  const { actions = {}, checkout = sold } = options
  const seen = { made: await shop.local.listPayments(), known: await createLedgerOperator(shop.ledger).listPayments() }
  const happening = happeningOf(options, step, Object.keys(actions), seen)
  switch (happening._tag) {
    case "Checkout":
      return unlessKilled(shop, happening.killed, () => checkout(shop, happening.orderNumber))
    case "Pay":
      return shop.pay(happening.paymentId)
    case "Decline":
      return shop.decline(happening.paymentId)
    case "Refund":
      if (happening.losesResponse) shop.loseNextResponse()
      return unlessKilled(shop, happening.killed, async () => {
        // The worker sends it, so that no one waits for it when its response is lost.
        await shop.store.transaction((tx) => shop.ledger.submit(tx, happening.key, happening.refund))
        await shop.advance(0)
      })
    case "DeliverTwice":
      return shop.deliverTwice(happening.paymentId)
    case "Advance":
      return shop.advance(happening.duration)
    case "Action":
      shop.tell(happening.name)
      return new Map(Object.entries(actions)).get(happening.name)?.(shop)
    case "Nothing":
      return undefined
  }
}

/** Does some work, or kills the process in the middle of it. */
const unlessKilled = async (
  shop: TestShop,
  point: KillPoint | undefined,
  work: () => PromiseLike<unknown>
): Promise<unknown> => {
  if (point === undefined) return work()
  const { ledger } = shop
  return shop.killDuring(point, work).catch((error: unknown) => {
    // There may have been nothing to send; then the same process goes on.
    if (shop.ledger !== ledger) throw error
  })
}
