/**
 * What a seed decides in a simulation: the event of each step, and which steps are left out to shorten a story. Each
 * style runs the steps in its own way.
 */
import type { PaymentResponse } from "../contract/Messages.js"
import type { SettingsChange } from "../local-gateway/books/LocalGatewaySettings.js"
import { callback } from "./ShopWorld.js"
import type { ShopPromises, TestShopParts } from "./TestShopOperations.js"

/**
 * An invariant of a shop does not hold, or a step of the simulation has failed. The message has the seed and the story,
 * `cause` the error.
 */
export class InvariantBroken extends Error {
  /** Always `InvariantBroken`. */
  readonly _tag = "InvariantBroken"
  /** The name of the error. */
  override readonly name = "InvariantBroken"
  /** The name of the invariant; `each step succeeds` when `checkout` or an action has failed. */
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

/** The settings that determine a simulation. */
export interface SimulationSettings<out Act, out Checkout> {
  /** Determines what happens: the same seed makes the same events in the same shop. */
  readonly seed: number
  /** The number of orders. Default: 4. */
  readonly orders?: number | undefined
  /** The number of steps after the orders are placed. Default: 30. */
  readonly steps?: number | undefined
  /** What must hold when everything has settled, by name: an invariant is broken if it fails, or returns `false`. */
  readonly invariants: { readonly [name: string]: Act }
  /** How the shop sells an order. Default: the ledger's `checkout` of 500 CZK. */
  readonly checkout?: Checkout | undefined
  /**
   * Other events, by name, such as a cron job of the shop or a cancelled subscription. Each is as likely as a refund or
   * a killed process.
   */
  readonly actions?: { readonly [name: string]: Act } | undefined
}

/** The default way to sell an order, and how long the shop waits for the payment. */
export const usualCheckout = [{ amount: 50_000, currency: "CZK", callback }, { waitAtMost: "1 second" }] as const

/** A shop of either style, as the simulation uses it. */
export interface SimulatedShop<in Act> extends ShopPromises, Pick<TestShopParts<unknown>, "store"> {
  readonly changeSettings: (change: SettingsChange) => PromiseLike<unknown>
  /** The payments of the gateway. */
  readonly made: () => PromiseLike<ReadonlyArray<Pick<PaymentResponse, "id" | "state">>>
  readonly checkout: (orderNumber: string) => PromiseLike<unknown>
  readonly submit: (key: string, refund: { readonly refund: number; readonly amount: number }) => PromiseLike<unknown>
  /** Runs an action or an invariant. */
  readonly run: (act: Act) => unknown
}

/** Returns pseudo-random integers from 0 to below `n`, determined by the seed (mulberry32). */
const chanceOf = (seed: number) => {
  let state = seed | 0
  return (n: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }
}

/** Makes the event that the seed and the number of a step determine. The first steps are the orders. */
const happen = async <Act>(
  shop: SimulatedShop<Act>,
  { actions = {}, orders = 4, seed }: SimulationSettings<Act, unknown>,
  step: number
): Promise<void> => {
  if (step < orders) return void (await shop.checkout(String(step + 1)))
  const made = await shop.made()
  const ordered = await shop.store.query("SELECT payment_id FROM gopay_payment", [])
  const known = new Set(ordered.map((row) => Number(row["payment_id"])))
  const inState = (...states: ReadonlyArray<string>) => made.filter(({ state }) => states.includes(state))
  const paid = inState("PAID", "PARTIALLY_REFUNDED")
  // No payer has the address of a payment whose creation lost its response.
  const open = inState("CREATED", "PAYMENT_METHOD_CHOSEN").filter(({ id }) => known.has(id))

  const below = chanceOf(Math.imul(seed, 0x9e3779b1) ^ step)
  const one = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length || 1)]
  const withOneOf = async (payments: typeof made, act: (paymentId: number) => unknown): Promise<void> => {
    const payment = one(payments)
    if (payment !== undefined) await act(payment.id)
  }
  const sell = () => shop.checkout(String(1 + below(orders)))
  const refund = (before?: () => void) =>
    withOneOf(paid, async (paymentId) => {
      before?.()
      // The worker sends it, so that nothing waits for it if its response is lost.
      await shop.submit(`refund-${step}`, { refund: paymentId, amount: 1_000 * (1 + below(20)) })
      await shop.advance(0)
    })
  const killedDuring = (work: () => unknown) =>
    // There may have been nothing to send; then the same process continues.
    shop.killDuring(below(2) === 0 ? "beforeSending" : "afterSending", work).catch(() => {})
  const happenings: ReadonlyArray<() => unknown> = [
    sell,
    () => withOneOf(open, shop.pay),
    () => withOneOf(open, (paymentId) => below(2) === 0 && shop.decline(paymentId)),
    () => refund(),
    () => refund(shop.loseNextResponse),
    () => killedDuring(() => refund()),
    () => killedDuring(sell),
    () => withOneOf(made, shop.deliverTwice),
    () => {
      const hours = 1 + below(12)
      return shop.advance(hours === 1 ? "1 hour" : `${hours} hours`)
    },
    ...Object.entries(actions).map(([name, action]) => () => {
      shop.tell(name)
      return shop.run(action)
    })
  ]
  await one(happenings)?.()
}

/** Runs some of the steps in a new shop. */
export const runIn = async <Act>(
  shop: SimulatedShop<Act>,
  settings: SimulationSettings<Act, unknown>,
  steps: ReadonlyArray<number>
): Promise<Run> => {
  const { invariants, seed } = settings
  const broken = (invariant: string, options?: { readonly cause: unknown }) =>
    new InvariantBroken({ invariant, seed, story: shop.story() }, options)
  try {
    // Otherwise nearly all refunds would be refused, since few simulations last a day.
    await shop.changeSettings({ partialRefundDelaySeconds: 0 })
    for (const step of steps) await happen(shop, settings, step)
    await shop.advance("2 days")
  } catch (cause) {
    return broken("each step succeeds", { cause })
  }
  for (const [name, invariant] of Object.entries(invariants)) {
    try {
      if ((await shop.run(invariant)) === false) return broken(name)
    } catch (cause) {
      return broken(name, { cause })
    }
  }
  return shop.story()
}

/** The end of a run: its story, or the broken invariant. */
export type Run = ReadonlyArray<string> | InvariantBroken

/**
 * Asks for runs of some of the steps. Returns the story of the first run, or the shortest one that breaks the same
 * invariant.
 */
export function* simulation(
  settings: SimulationSettings<unknown, unknown>
): Generator<ReadonlyArray<number>, Run, Run> {
  const { orders = 4, seed, steps = 30 } = settings
  if (!Number.isSafeInteger(seed))
    throw new TypeError(`simulateShop: the seed must be an integer, not ${String(seed)}.`)
  let kept: ReadonlyArray<number> = Array.from({ length: orders + steps }, (_, step) => step)
  const first = yield kept
  if (!(first instanceof InvariantBroken)) return first
  let broken = first
  let attempts = 0
  // Leaves out large parts first and single steps last, in at most 60 attempts.
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length && attempts < 60; attempts++) {
      const fewer = kept.toSpliced(from, size)
      const again = yield fewer
      if (again instanceof InvariantBroken && again.invariant === broken.invariant) {
        kept = fewer
        broken = again
      } else from += size
    }
  }
  return broken
}
