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
  /** What happened, in order. */
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

/**
 * Lets a shop live through what a seed decides: orders are paid, declined and refunded, notifications come twice,
 * responses are lost, processes are killed, and days pass. When all has settled, the invariants are checked. Gives the
 * story; rejects with an `InvariantBroken`.
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
export const simulateShop = async ({
  checkout = sold,
  invariants,
  open,
  orders = 4,
  seed,
  steps = 30
}: SimulationOptions): Promise<ReadonlyArray<string>> => {
  const below = chanceOf(seed)
  const shop = await open()
  try {
    const payments = async () => shop.local.listPayments()
    const one = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length || 1)]
    const number = () => String(1 + below(orders))
    let refunds = 0

    /** A change that is made by a worker, so that no one waits for it when its response is lost. */
    const refund = async (losesResponse = false): Promise<void> => {
      const payment = one((await payments()).filter(({ state }) => state === "PAID" || state === "PARTIALLY_REFUNDED"))
      if (payment === undefined) return
      if (losesResponse) shop.loseNextResponse()
      const key = `refund-${++refunds}`
      const amount = 1_000 * (1 + below(20))
      await shop.store.transaction((tx) => shop.ledger.submit(tx, key, { refund: payment.id, amount }))
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
    for (let order = 1; order <= orders; order++) await checkout(shop, String(order))
    for (let step = 0; step < steps; step++) await one(happenings)?.()
    await shop.advance("2 days")
    for (const [invariant, holds] of Object.entries(invariants)) {
      const broken = (cause?: unknown) =>
        new InvariantBroken({ invariant, seed, story: shop.story() }, cause === undefined ? undefined : { cause })
      let answer: unknown
      try {
        answer = await holds(shop)
      } catch (error) {
        throw broken(error)
      }
      if (answer === false) throw broken()
    }
    return shop.story()
  } finally {
    await shop.close()
  }
}
