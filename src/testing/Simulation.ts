/**
 * What a seed decides of a simulation: what happens in each step, and which steps are left out to shorten a story. Each
 * style runs the steps in its own way.
 */
import type { PaymentResponse } from "../contract/Messages.js"
import type { KillPoint } from "./TestProcess.js"

/**
 * An invariant of a shop does not hold, or a step of the simulation has failed. The message has the seed and the story,
 * `cause` the error.
 *
 * @category testing
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

/**
 * What decides how a simulation goes.
 *
 * @category testing
 */
export interface SimulationSettings {
  /** Decides what happens. The same seed makes the same happen to the same shop. */
  readonly seed: number
  /** The number of orders. Default: 4. */
  readonly orders?: number | undefined
  /** The number of steps after the orders are placed. Default: 30. */
  readonly steps?: number | undefined
}

/** The name of what breaks when a step fails. */
const eachStepSucceeds = "each step succeeds"

/** How a shop sells an order unless a test says otherwise. */
export const usualOrder = { amount: 50_000, currency: "CZK" } as const

/** How long the usual checkout waits for the payment. */
export const usualWait = { waitAtMost: "1 second" } as const

/** A shop of either style, as a simulation runs it. */
export interface SimulatedShop {
  readonly payments: () => Promise<SeenPayments>
  readonly checkout: (orderNumber: string) => PromiseLike<unknown>
  readonly submit: (key: string, refund: SeenRefund) => PromiseLike<unknown>
  readonly act: (action: string) => unknown
  readonly holds: (invariant: string) => unknown
  readonly pay: (paymentId: number) => PromiseLike<unknown>
  readonly decline: (paymentId: number) => PromiseLike<unknown>
  readonly deliverTwice: (paymentId: number) => PromiseLike<unknown>
  readonly advance: (duration: Duration | 0) => PromiseLike<unknown>
  readonly loseNextResponse: () => void
  readonly killDuring: (point: KillPoint, work: () => PromiseLike<unknown>) => Promise<unknown>
  /** What is another one after a kill. */
  readonly process: () => unknown
  readonly tell: (event: string) => void
  readonly story: () => ReadonlyArray<string>
}

type Duration = "2 days" | "1 hour" | `${number} hours`

interface SeenRefund {
  readonly refund: number
  readonly amount: number
}

/** What may happen to a shop in one step. */
type Happening =
  | { readonly _tag: "Checkout"; readonly orderNumber: string; readonly killed?: KillPoint | undefined }
  | { readonly _tag: "Pay" | "Decline" | "DeliverTwice"; readonly paymentId: number }
  | {
      readonly _tag: "Refund"
      readonly key: string
      readonly refund: SeenRefund
      readonly losesResponse: boolean
      readonly killed?: KillPoint | undefined
    }
  | { readonly _tag: "Advance"; readonly duration: Duration }
  | { readonly _tag: "Action"; readonly name: string }
  | { readonly _tag: "Nothing" }

/** The payments of a shop, as far as they decide what may happen next. */
interface SeenPayments {
  /** Those of the gateway. */
  readonly made: ReadonlyArray<Pick<PaymentResponse, "id" | "state">>
  /** Those that the ledger knows. */
  readonly known: ReadonlyArray<{ readonly paymentId?: number | string | undefined }>
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

const nothing: Happening = { _tag: "Nothing" }

/** What happens in a step, as the seed and its number decide. The first steps are the orders. */
const happeningOf = (
  { orders = 4, seed }: SimulationSettings,
  step: number,
  actions: ReadonlyArray<string>,
  { known, made }: SeenPayments
): Happening => {
  if (step < orders) return { _tag: "Checkout", orderNumber: String(step + 1) }
  const below = chanceOf(Math.imul(seed, 0x9e3779b1) ^ step)
  const one = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length || 1)]
  const checkout = (killed?: KillPoint): Happening => ({
    _tag: "Checkout",
    orderNumber: String(1 + below(orders)),
    killed
  })
  const refund = (details: { readonly losesResponse?: boolean; readonly killed?: KillPoint } = {}): Happening => {
    const payment = one(made.filter(({ state }) => state === "PAID" || state === "PARTIALLY_REFUNDED"))
    if (payment === undefined) return nothing
    const amount = 1_000 * (1 + below(20))
    return {
      _tag: "Refund",
      key: `refund-${step}`,
      refund: { refund: payment.id, amount },
      losesResponse: false,
      ...details
    }
  }
  const point = (): KillPoint => (below(2) === 0 ? "beforeSending" : "afterSending")
  /** No payer has the address of a payment whose response was lost. */
  const openPayment = () => {
    const ids = new Set(known.map(({ paymentId }) => paymentId))
    return one(
      made.filter(({ id, state }) => ids.has(id) && (state === "CREATED" || state === "PAYMENT_METHOD_CHOSEN"))
    )
  }
  const happenings: ReadonlyArray<() => Happening> = [
    () => checkout(),
    () => {
      const payment = openPayment()
      return payment === undefined ? nothing : { _tag: "Pay", paymentId: payment.id }
    },
    () => {
      const payment = openPayment()
      return payment === undefined || below(2) === 1 ? nothing : { _tag: "Decline", paymentId: payment.id }
    },
    () => refund(),
    () => refund({ losesResponse: true }),
    () => refund({ killed: point() }),
    () => checkout(point()),
    () => {
      const payment = one(made)
      return payment === undefined ? nothing : { _tag: "DeliverTwice", paymentId: payment.id }
    },
    () => {
      const hours = 1 + below(12)
      return { _tag: "Advance", duration: hours === 1 ? "1 hour" : `${hours} hours` }
    },
    ...actions.map((name) => (): Happening => ({ _tag: "Action", name }))
  ]
  return one(happenings)?.() ?? nothing
}

/** Makes happen what happens in a step. */
const happen = async (
  shop: SimulatedShop,
  settings: SimulationSettings,
  step: number,
  actions: ReadonlyArray<string>
): Promise<unknown> => {
  const happening = happeningOf(settings, step, actions, await shop.payments())
  switch (happening._tag) {
    case "Checkout":
      return unlessKilled(shop, happening.killed, () => shop.checkout(happening.orderNumber))
    case "Pay":
      return shop.pay(happening.paymentId)
    case "Decline":
      return shop.decline(happening.paymentId)
    case "Refund":
      if (happening.losesResponse) shop.loseNextResponse()
      return unlessKilled(shop, happening.killed, async () => {
        // The worker sends it, so that no one waits for it when its response is lost.
        await shop.submit(happening.key, happening.refund)
        await shop.advance(0)
      })
    case "DeliverTwice":
      return shop.deliverTwice(happening.paymentId)
    case "Advance":
      return shop.advance(happening.duration)
    case "Action":
      shop.tell(happening.name)
      return shop.act(happening.name)
    case "Nothing":
      return undefined
  }
}

/** Does some work, or kills the process in the middle of it. */
const unlessKilled = async (
  shop: SimulatedShop,
  point: KillPoint | undefined,
  work: () => PromiseLike<unknown>
): Promise<unknown> => {
  if (point === undefined) return work()
  const process = shop.process()
  return shop.killDuring(point, work).catch((error: unknown) => {
    // There may have been nothing to send; then the same process goes on.
    if (shop.process() !== process) throw error
  })
}

/** What decides a run beside its seed: the names of the actions and the invariants. */
interface RunSettings extends SimulationSettings {
  readonly actions?: object | undefined
  readonly invariants: object
}

/** Runs some of the steps in a new shop. */
export const runIn = async (shop: SimulatedShop, settings: RunSettings, steps: ReadonlyArray<number>): Promise<Run> => {
  const { actions = {}, invariants, seed } = settings
  const broken = (invariant: string, ...causes: ReadonlyArray<unknown>) =>
    new InvariantBroken({ invariant, seed, story: shop.story() }, causes.length === 0 ? {} : { cause: causes[0] })
  try {
    for (const step of steps) await happen(shop, settings, step, Object.keys(actions))
    await shop.advance("2 days")
  } catch (error) {
    return broken(eachStepSucceeds, error)
  }
  for (const invariant of Object.keys(invariants)) {
    try {
      if ((await shop.holds(invariant)) === false) return broken(invariant)
    } catch (error) {
      return broken(invariant, error)
    }
  }
  return shop.story()
}

/** What a run ends with: its story, or what did not hold. */
export type Run = ReadonlyArray<string> | InvariantBroken

/** How many shorter stories are tried. */
const attemptsAtMost = 60

/**
 * Asks for runs of some of the steps, and returns the story of the first one or the shortest one that breaks the same
 * invariant.
 */
export function* simulation({
  orders = 4,
  seed,
  steps = 30
}: SimulationSettings): Generator<ReadonlyArray<number>, Run, Run> {
  if (!Number.isSafeInteger(seed))
    throw new TypeError(`simulateShop: the seed must be an integer, not ${String(seed)}.`)
  let kept: ReadonlyArray<number> = Array.from({ length: orders + steps }, (_, step) => step)
  const first = yield kept
  if (!(first instanceof InvariantBroken)) return first
  let broken = first
  let attempts = 0
  // Large parts are left out first, and single steps last.
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length && attempts < attemptsAtMost; attempts++) {
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
