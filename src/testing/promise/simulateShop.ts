/**
 * Runs a test shop through payers, operators and failures, as a seed decides.
 */
import type { TestShop } from "./TestShop.plain.js"

/**
 * Checks a shop when everything has settled: returns `false`, or throws, when the invariant does not hold.
 *
 * @category testing
 * @since 0.1.0
 */
export type ShopInvariant = (shop: TestShop) => unknown

/**
 * The options of a simulation.
 *
 * @category testing
 * @since 0.1.0
 */
export interface SimulationOptions {
  /** Decides what happens. The same seed makes the same happen to the same shop. */
  readonly seed: number
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
  /** The number of orders. Default: 4. */
  readonly orders?: number | undefined
  /** The number of steps after the orders are placed. Default: 30. */
  readonly steps?: number | undefined
}

/**
 * An invariant of a shop does not hold, or a step of the simulation has failed. The message has the seed and the story,
 * `cause` the error.
 *
 * @category testing
 * @since 0.1.0
 */
export class InvariantBroken extends Error {
  /** The name of the error. */
  override readonly name = "InvariantBroken"
  /** The name of the invariant; `each step succeeds` when `checkout` or an action has thrown. */
  readonly invariant: string
  /** The seed that reproduces it. */
  readonly seed: number
  /** What happened, in order: the shortest story found. */
  readonly story: ReadonlyArray<string>

  /** `simulateShop` creates it. */
  constructor(
    { invariant, seed, story }: Pick<InvariantBroken, "invariant" | "seed" | "story">,
    options?: { readonly cause?: unknown }
  ) {
    super(`"${invariant}" does not hold with seed ${seed}:\n${story.join("\n")}`, options)
    this.invariant = invariant
    this.seed = seed
    this.story = story
  }
}

/** Numbers from 0 to below `n` that only the seed decides (mulberry32). */
const chanceOf = (seed: number) => {
  let state = seed | 0
  return (n: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }
}

const sold: NonNullable<SimulationOptions["checkout"]> = ({ callback, ledger }, orderNumber) =>
  ledger.checkout(orderNumber, { amount: 50_000, currency: "CZK", callback }, { waitAtMost: "1 second" })

/** How many shorter stories are tried. */
const attemptsAtMost = 60

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
 * @since 0.1.0
 */
export const simulateShop = async (options: SimulationOptions): Promise<ReadonlyArray<string>> => {
  const { invariants, open, orders = 4, seed, steps = 30 } = options
  if (!Number.isSafeInteger(seed))
    throw new TypeError(`simulateShop: the seed must be an integer, not ${String(seed)}.`)
  if (typeof open !== "function") throw new TypeError("simulateShop: open must be a function that opens a new shop.")
  if (Object(invariants) !== invariants) throw new TypeError("simulateShop: invariants must be an object of functions.")
  let kept: ReadonlyArray<number> = Array.from({ length: orders + steps }, (_, step) => step)
  const first = await lived(options, kept)
  if (!(first instanceof InvariantBroken)) return first
  let broken = first
  let attempts = 0
  // Large parts are left out first, and single steps last.
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length && attempts < attemptsAtMost; attempts++) {
      const fewer = kept.toSpliced(from, size)
      const again = await lived(options, fewer)
      if (again instanceof InvariantBroken && again.invariant === broken.invariant) {
        kept = fewer
        broken = again
      } else from += size
    }
  }
  throw broken
}

/** Runs some of the steps, each as the seed and its number decide. The first ones are the orders. */
const lived = async (
  { actions = {}, checkout = sold, invariants, open, orders = 4, seed }: SimulationOptions,
  steps: ReadonlyArray<number>
): Promise<ReadonlyArray<string> | InvariantBroken> => {
  const shop = await open()
  const broken = (invariant: string, cause?: unknown) =>
    new InvariantBroken({ invariant, seed, story: shop.story() }, cause === undefined ? undefined : { cause })
  try {
    try {
      for (const step of steps) {
        const below = chanceOf(Math.imul(seed, 0x9e3779b1) ^ step)
        if (step < orders) await checkout(shop, String(step + 1))
        else await happen(shop, { actions, below, checkout, orders, step })
      }
      await shop.advance("2 days")
    } catch (error) {
      return broken("each step succeeds", error)
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

/** What one step needs. */
interface Step {
  readonly actions: NonNullable<SimulationOptions["actions"]>
  readonly checkout: NonNullable<SimulationOptions["checkout"]>
  readonly orders: number
  readonly step: number
  /** A number from 0 to below another one. */
  readonly below: (n: number) => number
}

/** Makes one thing happen. */
const happen = async (shop: TestShop, { actions, below, checkout, orders, step }: Step): Promise<void> => {
  const payments = async () => shop.local.listPayments()
  const one = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length || 1)]
  const number = () => String(1 + below(orders))

  /** The worker sends it, so that no one waits for it when its response is lost. */
  const refund = async (losesResponse = false): Promise<void> => {
    const payment = one((await payments()).filter(({ state }) => state === "PAID" || state === "PARTIALLY_REFUNDED"))
    if (payment === undefined) return
    if (losesResponse) shop.loseNextResponse()
    const amount = 1_000 * (1 + below(20))
    await shop.store.transaction((tx) => shop.ledger.submit(tx, `refund-${step}`, { refund: payment.id, amount }))
    await shop.advance(0)
  }
  const killed = async (work: () => PromiseLike<unknown>): Promise<void> => {
    const { ledger } = shop
    const point = below(2) === 0 ? "beforeSending" : "afterSending"
    await shop.killDuring(point, work).catch((error: unknown) => {
      // There may have been nothing to send; then the same process goes on.
      if (shop.ledger !== ledger) throw error
    })
  }
  /** No payer has the address of a payment whose response was lost. */
  const openPayment = async () => {
    const known = new Set((await shop.ledger.listPayments()).map(({ paymentId }) => paymentId))
    return one(
      (await payments()).filter(
        ({ id, state }) => known.has(id) && (state === "CREATED" || state === "PAYMENT_METHOD_CHOSEN")
      )
    )
  }
  const hours = async (): Promise<void> => {
    const count = 1 + below(12)
    await shop.advance(count === 1 ? "1 hour" : `${count} hours`)
  }
  const happenings: ReadonlyArray<() => unknown> = [
    () => checkout(shop, number()),
    async () => {
      const payment = await openPayment()
      if (payment !== undefined) await shop.pay(payment.id)
    },
    async () => {
      const payment = await openPayment()
      if (payment !== undefined && below(2) === 0) await shop.decline(payment.id)
    },
    () => refund(),
    () => refund(true),
    () => killed(() => refund()),
    () => killed(async () => checkout(shop, number())),
    async () => {
      const payment = one(await payments())
      if (payment !== undefined) await shop.deliverTwice(payment.id)
    },
    hours,
    ...Object.entries(actions).map(([name, act]) => () => {
      shop.tell(name)
      return act(shop)
    })
  ]
  await one(happenings)?.()
}
