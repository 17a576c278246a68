/**
 * Payers, operators and misfortunes for a test shop, as a seed decides.
 */
import type { TestShop } from "./TestShop.plain.js"

/**
 * What is true of a shop when everything has settled: it returns `false`, or throws, where it is not.
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
  /** Decides what happens: the same seed lets the same happen to the same shop. */
  readonly seed: number
  /** Opens the shop, a new one for each simulation; it is closed afterwards. */
  readonly open: () => PromiseLike<TestShop>
  /** What must be true of the shop in the end, by its name. */
  readonly invariants: { readonly [name: string]: ShopInvariant }
  /** The shop's own way to sell an order. Default: the ledger's `checkout` of 500 CZK. */
  readonly checkout?: ((shop: TestShop, orderNumber: string) => PromiseLike<unknown>) | undefined
  /** The number of orders. Default: 4. */
  readonly orders?: number | undefined
  /** The number of things that happen. Default: 30. */
  readonly steps?: number | undefined
}

/**
 * An invariant of a shop does not hold. The message has the seed and the story.
 *
 * @category testing
 * @since 0.1.0
 */
export class InvariantBroken extends Error {
  /** The name of the error. */
  override readonly name = "InvariantBroken"
  /** The name of the invariant. */
  readonly invariant: string
  /** The seed that leads there again. */
  readonly seed: number
  /** What happened, in order: the shortest story that was found. */
  readonly story: ReadonlyArray<string>

  /** Made by `simulateShop`. */
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

/** How often a story is tried with less in it. */
const attemptsAtMost = 60

/**
 * Lets a shop live through what a seed decides: orders are paid, declined and refunded, notifications come twice,
 * responses are lost, processes are killed, and days pass. When all has settled, the invariants are checked. Gives the
 * story; rejects with an `InvariantBroken`, whose story is made short: what can be left out of it is left out, in new
 * shops of `open`.
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
  const { orders = 4, steps = 30 } = options
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

/** Lets some of the steps happen, each as the seed and its number decide. The first ones are the orders. */
const lived = async (
  { checkout = sold, invariants, open, orders = 4, seed }: SimulationOptions,
  steps: ReadonlyArray<number>
): Promise<ReadonlyArray<string> | InvariantBroken> => {
  const shop = await open()
  try {
    for (const step of steps) {
      if (step < orders) await checkout(shop, String(step + 1))
      else await happen(shop, { checkout, orders, step, below: chanceOf(Math.imul(seed, 0x9e3779b1) ^ step) })
    }
    await shop.advance("2 days")
    for (const [invariant, holds] of Object.entries(invariants)) {
      const broken = (cause?: unknown) =>
        new InvariantBroken({ invariant, seed, story: shop.story() }, cause === undefined ? undefined : { cause })
      try {
        if ((await holds(shop)) === false) return broken()
      } catch (error) {
        return broken(error)
      }
    }
    return shop.story()
  } finally {
    await shop.close()
  }
}

/** What one step needs. */
interface Step {
  readonly checkout: NonNullable<SimulationOptions["checkout"]>
  readonly orders: number
  readonly step: number
  /** A number from 0 to below another one. */
  readonly below: (n: number) => number
}

/** Lets one thing happen. */
const happen = async (shop: TestShop, { below, checkout, orders, step }: Step): Promise<void> => {
  const payments = async () => shop.local.listPayments()
  const one = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length || 1)]
  const number = () => String(1 + below(orders))

  /** A change that is made by a worker, so that no one waits for it when its response is lost. */
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
      // Nothing may have been there to be sent; then the same process goes on.
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
  const happenings: ReadonlyArray<() => PromiseLike<unknown>> = [
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
    () => shop.advance(`${1 + below(12)} hours`)
  ]
  await one(happenings)?.()
}
