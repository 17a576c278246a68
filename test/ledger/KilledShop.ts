/**
 * A shop of several processes that are killed while they take orders and refund, at a gateway that loses responses.
 * Each kill aims at a phase that is in flight, and all hits are counted. The gateway's books are judged by key, each of
 * which has an amount of its own, and by order.
 */
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { type Fault, type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { type LedgerStore } from "../../src/ledger/promise/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { startProgram } from "../support/Program.js"
import { freePort } from "../system/FreePort.js"
import { makePhaseReader, type Phase, phases } from "./Phase.js"
import { entering, entriesOf, makeEntries } from "./ShopEntries.js"
import type { ShopPlan } from "./ShopProcess.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

export interface KilledShopOptions<Tx> {
  readonly seed: number
  /**
   * How many kills hit their target; those that come too late are not counted. The shop has four refunds and four
   * orders for each, and gets eight more of each whenever a process has settled all before it was killed.
   */
  readonly kills: number
  readonly storePlan: ShopPlan["store"]
  /** Opens the store in this process. */
  readonly open: () => LedgerStore<Tx>
  /** The program that runs the processes. Default: this one's. */
  readonly node?: string
  /** Is done once, in the middle of it. */
  readonly disaster?: () => Promise<void>
  /** Gets progress messages. */
  readonly say?: (line: string) => void
}

export interface Summary {
  readonly kills: number
  /** How many kills hit each phase. */
  readonly hits: Readonly<Record<Phase, number>>
  /** What too little of was hit for the run to prove anything. */
  readonly tooFew: ReadonlyArray<string>
  /** Changes that no answer came to, though their process lived on. */
  readonly unanswered: number
  readonly done: number
  readonly refused: number
  /** Refunds that an operator decided by the gateway's books. */
  readonly byOperator: number
  readonly double: number
  readonly wrong: number
  readonly lost: number
  /** Orders with two payments that a payer could make. */
  readonly paidTwice: number
  /** Payments that the shop has entered twice, or never, or that are not paid. */
  readonly misentered: number
  readonly seconds: number
  /** What the shop says, and what the gateway has. */
  readonly books: ReadonlyArray<Entry>
}

/** The keys or orders of one outcome. */
export interface Entry {
  readonly "the shop": string
  readonly count: number
  readonly "at the gateway": number
}

/** Every eighth change or so gets no answer, and many answers are slow. */
const probability = 0.5
const faults: ReadonlyArray<Fault> = [
  { type: "connectionReset", effect: "committed" },
  { type: "connectionReset", effect: "none" },
  { type: "noResponse", effect: "committed" },
  { type: "commitLater", seconds: 2 },
  { type: "tokenRefused", status: 401 },
  { type: "serverError", effect: "committed" },
  { type: "latency", milliseconds: 150 },
  ...[20, 40, 60].map((milliseconds) => ({ type: "latency", milliseconds }) as const),
  ...[20, 40, 60, 80, 100].map((milliseconds) => ({ type: "slowBody", milliseconds }) as const)
]

/**
 * What meets the next request of an operation after each kill, in turn. A refund that is answered 429 would hold its payment
 * for ten minutes, in which a copy of it could show: that is tested by a clock that the test moves.
 */
const limited = { type: "rateLimited", seconds: 0 } as const
const lostResponse = { type: "connectionReset", effect: "committed" } as const
const inTurn = [
  [lostResponse, "refundPayment"],
  [limited, "createPayment"],
  [lostResponse, "createPayment"],
  [limited, "getPayment"],
  [limited, "getPaymentRefunds"]
] as const

const random = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** How many processes the shop has. */
const processes = 3

const startShop = async (
  plan: ShopPlan,
  reported: Map<string, string>,
  pay: (orderNumber: string, paymentId: number) => void,
  node: string | undefined
) => {
  const child = await startProgram(new URL("ShopProcess.ts", import.meta.url), [JSON.stringify(plan)], node)
  // All its lines are read by then.
  const ended = once(child, "close")
  const { inFlight, lost, read } = makePhaseReader()
  const lines = createInterface(child.stdout)
  lines.on("line", (line) => {
    read(line)
    const [, orderNumber, paymentId] = /^Open (\S+) (\d+)$/.exec(line) ?? []
    if (orderNumber !== undefined) pay(orderNumber, Number(paymentId))
    const [, outcome = "", key = ""] = /^(Done|Refused) (\S+)$/.exec(line) ?? []
    if (key === "") return
    const before = reported.get(key)
    assert.isTrue(before === undefined || before === outcome, `${key} was ${before} and is ${outcome}`)
    reported.set(key, outcome)
  })
  /** `false` if there is none any more. */
  const nextLine = () => Promise.race([once(lines, "line").then(() => true), ended.then(() => false)])
  return {
    /** How many refunds it was asked for. */
    refunds: plan.refunds.length,
    ended,
    inFlight,
    lost,
    /** Waits until a phase is in flight, and still is after a pause; `false` if the process ended before. */
    reaches: async (phase: Phase, milliseconds: number): Promise<boolean> => {
      do {
        if (inFlight(phase) > 0 && milliseconds > 0) await pause(milliseconds)
        if (inFlight(phase) > 0) return true
      } while (await nextLine())
      return false
    },
    kill: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}

const paid = async (local: RunningLocalGateway, count: number): Promise<ReadonlyArray<number>> => {
  const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const ids: Array<number> = []
  for (let payment = 0; payment < count; payment++) {
    const { id } = await gateway.createPayment({ ...order, amount: 10_000_000 })
    await local.payByCard(id)
    ids.push(id)
  }
  await gateway.close()
  return ids
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Runs the shop until all its keys are settled, and judges the books. */
export const runKilledShop = async <Tx>(options: KilledShopOptions<Tx>): Promise<Summary> => {
  const { disaster, kills, node, open, say = () => {}, seed, storePlan } = options
  const since = Date.now()
  const next = random(seed)
  const local = await startLocalGateway({ settings: partsAtOnce })
  const ids = await paid(local, 12)
  const refunds: Array<ShopPlan["refunds"][number]> = []
  const orders: Array<ShopPlan["orders"][number]> = []
  /** Refunds and orders that no process has been asked for yet. Each has an amount of its own. */
  const addWork = (count: number): void => {
    for (let added = 0; added < count; added++) {
      const index = refunds.length
      refunds.push({ key: `key-${index}`, paymentId: ids[index % ids.length] ?? 0, amount: 1_000 + index })
      orders.push({ orderNumber: `order-${index}`, amount: 500_000 + index })
    }
  }
  addWork(4 * kills)
  const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const store = open()
  const ledger = createLedger({ gateway, store, onPayment: entering(store) })
  await ledger.migrate()
  await makeEntries(store)
  const ports = await Promise.all(Array.from({ length: processes }, freePort))
  const least = Math.floor(kills / phases.length)
  await local.armRandomFaults({ seed, probability, faults })
  await local.armFault(lostResponse, { operation: "refundPayment", calls: Math.max(1, least) })

  const reported = new Map<string, string>()
  const payable = new Map<string, Set<number>>()
  /** A payer pays at the address that he was given, once. */
  const pay = (orderNumber: string, paymentId: number): void => {
    const given = payable.get(orderNumber) ?? new Set()
    payable.set(orderNumber, given.add(paymentId))
    local.payByCard(paymentId).catch(() => {})
  }
  const { clientId, clientSecret, goid } = local.merchant
  // Each process requests all keys, so that several request each key at once.
  const planOf = (index: number): ShopPlan => ({
    environment: local.url,
    merchant: { clientId, clientSecret, goid },
    store: storePlan,
    times: { timeout: 1_500, lease: 3_000, escalateAfter: 10_000 },
    refunds: refunds
      .map((_, turn) => refunds[(turn + index * 7) % refunds.length] ?? refunds[0])
      .flatMap((one) => one ?? []),
    orders: [...orders],
    port: ports[index] ?? 0,
    notified: ports
  })
  const shops = await Promise.all(
    Array.from({ length: processes }, (_, index) => startShop(planOf(index), reported, pay, node))
  )
  /** What the kills aim at that are to come next. */
  const aims: Array<Phase> = []
  let killed = 0
  /** Kills that what they aimed at had ended before. */
  let late = 0
  let unanswered = 0
  const hits = { order: 0, refund: 0, answer: 0, handler: 0 }
  /** Each process has its own killer: several are killed at once, and start again at once. */
  const killer = async (victim: number): Promise<void> => {
    for (let shop = shops[victim]; shop !== undefined && killed - late < kills; shop = shops[victim]) {
      // Each of the others may still come too late.
      if (killed - late + aims.length >= kills) {
        await pause(10)
        continue
      }
      const hitsToCome = (phase: Phase) => hits[phase] + aims.filter((aim) => aim === phase).length
      const aim = phases.reduce((least, phase) => (hitsToCome(phase) < hitsToCome(least) ? phase : least))
      aims.push(aim)
      const milliseconds = next() < 0.5 ? 0 : 10 * next()
      const isReached = await shop.reaches(aim, milliseconds)
      if (isReached) await shop.kill()
      aims.splice(aims.indexOf(aim), 1)
      if (!isReached) {
        // It has settled all. Other processes may have, too: the work is added once.
        if (hasStalled) return
        unanswered += shop.lost()
        if (shop.refunds === refunds.length) addWork(8)
        shops[victim] = await startShop(planOf(victim), reported, pay, node)
        continue
      }
      const kill = ++killed
      if (shop.inFlight(aim) === 0) late++
      for (const phase of phases) if (shop.inFlight(phase) > 0) hits[phase]++
      const inFlight = phases
        .filter((phase) => shop.inFlight(phase) > 0)
        .map((phase) => `${phase} × ${shop.inFlight(phase)}`)
      say(
        `${kill}: SIGKILL to process ${victim + 1}; in flight: ${inFlight.join(", ") || "nothing"}; ` +
          `settled: ${reported.size} of ${refunds.length} refunds; at the gateway: ${payable.size} of ${orders.length} orders`
      )
      unanswered += shop.lost()
      const [fault, operation] = inTurn[kill % inTurn.length] ?? inTurn[0]
      await local.armFault(fault, { operation })
      shops[victim] = await startShop(planOf(victim), reported, pay, node)
      if (kill === Math.ceil(kills / 2)) await disaster?.()
    }
  }
  const decided = new Set<string>()
  let hasStalled = false
  let before = -1
  /** A shop in which nothing moves any more is ended, and judged as it is. */
  const watch = setInterval(() => {
    const progress = killed + reported.size + payable.size + decided.size
    hasStalled = progress === before
    if (hasStalled) for (const shop of shops) void shop.kill()
    before = progress
  }, 120_000)
  /** An operator looks into the gateway's books, and decides by them. */
  const operate = async (): Promise<void> => {
    for (const { amount, decisions, key, kind, paymentId, version } of await ledger.operator.listAttention()) {
      // The credentials are right: what was refused because of them continues by itself.
      if (paymentId === undefined || kind === "CredentialsRefused") continue
      const isListed = (await gateway.getPaymentRefunds(paymentId)).some((refund) => refund.amount === amount)
      const as = decisions.includes("cancelled") ? "cancelled" : isListed ? "done" : "notDone"
      const decision = { version, as, by: "the test", note: "by the books" } as const
      const outcome = await ledger.operator.resolveChange(key, decision).catch(() => undefined)
      if (outcome !== undefined) decided.add(key)
    }
  }
  const end = new AbortController()
  const operating = (async () => {
    // The gateway may not answer, or the database be stopped: then it is tried again.
    for (; !end.signal.aborted; await pause(100)) await operate().catch(() => {})
  })()
  // A kill may take a process away in which a response is lost: some are lost before the first one.
  const lost = () => shops.reduce((sum, shop) => sum + shop.lost(), 0)
  const endWithin = (milliseconds: number): Promise<boolean> =>
    Promise.race([Promise.all(shops.map(({ ended }) => ended)).then(() => true), pause(milliseconds).then(() => false)])
  while (lost() < least && !(await endWithin(10))) continue
  await Promise.all(shops.map((_, victim) => killer(victim)))
  // What is still to come comes now.
  await local.disarmFaults()
  while (!(await endWithin(100))) await local.advanceTime(10_000)
  end.abort()
  await operating
  // What the last process has left to the operator.
  await operate()
  clearInterval(watch)

  const booked = new Map<number, number>()
  for (const id of ids) {
    for (const { amount, state } of await gateway.getPaymentRefunds(id)) {
      if (state !== "FAILED") booked.set(amount, (booked.get(amount) ?? 0) + 1)
    }
  }
  for (const paymentId of [...payable.values()].flatMap((ids) => [...ids])) {
    await ledger.verifyReturn(`/return?id=${paymentId}`)
  }
  const entries = await entriesOf(store)
  const paidPayments = (await local.listPayments()).filter(({ order_number = "", state }) => {
    return order_number.startsWith("order-") && state === "PAID"
  })
  const entered = (id: number) =>
    entries.filter(({ paymentId, status }) => paymentId === id && status === "paid").length
  const paidOf = (orderNumber: string) => paidPayments.filter(({ order_number }) => order_number === orderNumber).length
  const misentered =
    paidPayments.filter(({ id }) => entered(id) !== 1).length +
    entries.filter(({ paymentId }) => !paidPayments.some(({ id }) => id === paymentId)).length
  const paidTwice = orders.filter(({ orderNumber }) => paidOf(orderNumber) > 1).length
  const count = { done: 0, refused: 0, byOperator: decided.size, double: 0, wrong: 0, lost: 0 }
  const books = new Map<string, Entry>()
  const enter = (what: string, effects: number): void => {
    const { "at the gateway": before = 0, count = 0 } = books.get(what) ?? {}
    books.set(what, { "the shop": what, count: count + 1, "at the gateway": before + effects })
  }
  for (const { orderNumber } of orders) {
    const order = await ledger.getOrder(orderNumber)
    if (order?.status !== "paid") count.lost++
    enter(`orders: ${order?.status ?? "forgotten"}`, paidOf(orderNumber))
  }
  for (const { amount, key } of refunds) {
    const effects = booked.get(amount) ?? 0
    const outcome = await ledger.getOutcome(key)
    const name =
      outcome === undefined ? "forgotten" : "how" in outcome ? `${outcome._tag}, ${outcome.how}` : outcome._tag
    enter(`refunds: ${name}`, effects)
    if (effects > 1) count.double++
    if (outcome === undefined || outcome._tag === "Pending") count.lost++
    else if (outcome._tag === "Done") count[effects === 1 ? "done" : "wrong"]++
    else if (outcome._tag === "Refused") count[effects === 0 ? "refused" : "wrong"]++
    else count.lost++
    const before = reported.get(key)
    if (before !== undefined && before !== outcome?._tag) count.wrong++
  }
  await ledger.close()
  await gateway.close()
  await local.close()
  unanswered += lost()
  const tooFewKills = killed - late < kills ? [`kills: ${killed - late} of ${kills}`] : []
  const counts = [
    ...phases.map((phase) => [`kills that hit ${phase}`, hits[phase]] as const),
    ["changes without an answer", unanswered] as const
  ]
  const tooFew = [
    ...tooFewKills,
    ...counts.flatMap(([name, count]) => (count < least ? [`${name}: ${count} of ${least}`] : []))
  ]
  return {
    ...count,
    hits,
    tooFew,
    unanswered,
    paidTwice,
    misentered,
    books: [...books.values()],
    kills: killed,
    seconds: Math.round((Date.now() - since) / 100) / 10
  }
}
