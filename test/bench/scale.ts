/**
 * What a local gateway costs as it grows: `npm run bench -- scale`. Each figure is the time for one payment when there are
 * many of them, as a ratio to the time for one when there are few: 1 where the cost of a payment does not depend on the
 * others.
 *
 * The first argument divides all sizes, for a quicker run.
 */
import { Duration, Effect, Layer, Result } from "effect"
import { LocalGateway, readSeed, type Seed } from "effect-gopay/local-gateway"

const divisor = Number(process.argv[2] ?? 1)
const sized = (count: number): number => Math.ceil(count / divisor)

const seedOf = (content: unknown): Seed => Result.getOrThrow(readSeed(content))

/** Milliseconds that something takes; the memory of what went before is collected first where that is possible. */
const timed = async (run: () => Promise<unknown>): Promise<number> => {
  globalThis.gc?.()
  const started = performance.now()
  await run()
  return performance.now() - started
}

const dayOf = (index: number): string => `-PT${1 + (index % 4000)}H`

/**
 * A shop with everything: one payment of ten begins a recurrence, and the rest are its charges, refunds and stored
 * cards.
 */
const shopContent = (count: number) => ({
  cards: Array.from({ length: Math.ceil(count / 20) }, (_, index) => ({ card_id: 11 * (index + 300_000_000) })),
  payments: Array.from({ length: count }, (_, index) => {
    const id = 13 * (index + 300_000_000)
    const common = { id, amount: 10_000, currency: "CZK", created_at: dayOf(index) }
    const kind = index % 10
    if (kind === 0) {
      const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" }
      const payer = { card_id: 11 * (Math.floor(index / 20) + 300_000_000) }
      return { ...common, state: "PAID", recurrence, payer }
    }
    if (kind < 6) return { ...common, state: "PAID", parent_id: id - 13 * kind }
    if (kind === 6) return { ...common, state: "REFUNDED" }
    return { ...common, state: kind === 7 ? "CANCELED" : "PAID" }
  })
})

/** Begins from a seed of that many payments. */
const seeding = (count: number) => {
  const content = shopContent(count)
  return timed(() => {
    const seed = seedOf(content)
    return Effect.runPromise(Effect.scoped(Layer.build(LocalGateway.layerWith({ seed }))))
  })
}

const order = JSON.stringify({
  amount: 10_000,
  currency: "CZK",
  order_number: "scale",
  target: { type: "ACCOUNT", goid: LocalGateway.merchant.goid },
  callback: { return_url: "http://localhost/return" }
})

const posting = async (url: string, authorization: string, type: string, body: string): Promise<string> => {
  const response = await fetch(url, { method: "POST", headers: { authorization, "content-type": type }, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
}

/** Creates payments at a server that has that many already. */
const creating = async (already: number, count: number) => {
  const seed = seedOf(shopContent(already))
  const created = Effect.gen(function* () {
    const { merchant, url } = yield* LocalGateway
    const basic = `Basic ${btoa(`${merchant.clientId}:${merchant.clientSecret}`)}`
    return yield* Effect.promise(async () => {
      const tokenUrl = `${url}/api/oauth2/token`
      const token = await posting(tokenUrl, basic, "application/x-www-form-urlencoded", "grant_type=client_credentials")
      const bearer = `Bearer ${JSON.parse(token).access_token}`
      const create = () => posting(`${url}/api/payments/payment`, bearer, "application/json", order)
      for (let index = 0; index < 50; index++) await create()
      return await timed(async () => {
        for (let index = 0; index < count; index++) await create()
      })
    })
  })
  return await Effect.runPromise(Effect.provide(created, LocalGateway.layerServer({ seed })))
}

/** Moves time forward by a number of days; the given recurrences are charged on each of them. */
const forwarding = (recurrences: number, days: number) => {
  const recurrence = { recurrence_cycle: "DAY", recurrence_period: 1, recurrence_date_to: "2099-12-31" }
  const payments = Array.from({ length: recurrences }, (_, index) => ({
    amount: 10_000,
    currency: "CZK",
    state: "PAID",
    recurrence,
    created_at: `-PT${index}S`
  }))
  const seed = seedOf({ payments })
  return timed(() =>
    Effect.runPromise(Effect.provide(LocalGateway.advanceTime(Duration.days(days)), LocalGateway.layerWith({ seed })))
  )
}

const shown = (millis: number): string =>
  millis < 10_000 ? `${millis.toFixed(0)} ms` : `${(millis / 1000).toFixed(1)} s`

/** Prints how the time for one grows between two sizes. */
const compare = async (
  what: string,
  small: readonly [number, () => Promise<number>],
  large: readonly [number, () => Promise<number>]
): Promise<void> => {
  const [few, few_] = small
  const [many, many_] = large
  const fewMillis = await few_()
  const manyMillis = await many_()
  const ratio = manyMillis / many / (fewMillis / few)
  console.log(`${what}: ${ratio.toFixed(2)} (${few} in ${shown(fewMillis)}, ${many} in ${shown(manyMillis)})`)
}

// What is compiled first would pay for it.
await seeding(sized(2_000))

const [small, large] = [sized(10_000), sized(100_000)]
await compare(
  "a payment of a seed, among ten times as many",
  [small, () => seeding(small)],
  [large, () => seeding(large)]
)

const created = sized(500)
const already = sized(20_000)
await compare(
  `a payment created, with ${already} there already`,
  [created, () => creating(0, created)],
  [created, () => creating(already, created)]
)

const recurrences = sized(300)
await compare(
  `a charge of ${recurrences} daily recurrences, in a year in place of a month`,
  [30 * recurrences, () => forwarding(recurrences, 30)],
  [365 * recurrences, () => forwarding(recurrences, 365)]
)
