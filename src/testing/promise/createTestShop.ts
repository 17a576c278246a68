/**
 * A ledger, a local gateway and an in-memory store on a clock that the test moves, and a simulation of them from a
 * seed.
 */
import { messageOf } from "../../basics/AnyRealm.js"
import type { DurationInput } from "../../basics/DurationInput.js"
import { day, hour, minute, second } from "../../basics/Milliseconds.js"
import { createGatewayClient, type GatewayClient, type GatewayId } from "../../promise/index.js"
import { createLedger, fileStore } from "../../ledger/promise/index.js"
import type { Ledger, LedgerOptions, SqliteTransaction } from "../../ledger/promise/index.js"
import { type MountedLocalGateway, mountLocalGateway } from "../../local-gateway/promise/index.js"
import { InvariantBroken, runIn, simulation, usualCheckout } from "../Simulation.js"
import type { SimulatedShop, SimulationSettings } from "../Simulation.js"
import { attemptSeconds } from "../../client/config/AttemptSeconds.js"
import { callback, changeOf, networkFailure, openWorld, shopOperations } from "../ShopWorld.js"
import type { LedgerEvent, Processes, ShopProcess, ShopWorld, Story } from "../ShopWorld.js"
import { settingsProblem } from "../TestShopOperations.js"
import type { ShopPromises, TestShopParts, TestShopSettings } from "../TestShopOperations.js"
import { clocked } from "../TestStore.js"

/** The options of a test shop. */
export interface TestShopOptions
  extends
    TestShopSettings<PromiseLike<unknown>>,
    Pick<LedgerOptions<SqliteTransaction>, "onPayment" | "onChange" | "onSubscription" | "onAttention"> {
  /**
   * The shop's own notification route. It gets a notification when the one before has been answered. Default: the
   * ledger's `notificationHandler`.
   */
  readonly onNotification?: ((request: Request) => PromiseLike<Response>) | undefined
}

/** A shop under test: a ledger over a store in memory, a local gateway, and one clock that the test moves. */
export interface TestShop extends TestShopParts<Ledger<SqliteTransaction>>, ShopPromises {
  /** The gateway client of the first process. */
  readonly gateway: GatewayClient
  /** The local gateway and all its controls. Move time with `advance` only. */
  readonly local: MountedLocalGateway
  /** The current time of the shop, the gateway and the store. */
  readonly now: () => Date
  /** Closes the shop and the gateway and discards the store. */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const units = new Map(Object.entries({ milli: 1, second, minute, hour, day, week: 7 * day }))

const millisOf = (duration: DurationInput): number => {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?) (\w+?)s?$/.exec(String(duration)) ?? []
  const millis = typeof duration === "number" ? duration : Number(count) * (units.get(unit) ?? NaN)
  if (!(millis >= 0 && millis < Infinity)) {
    throw new TypeError(
      `advance: ${String(duration)} is not a duration. Pass milliseconds or a text such as "3 days" or "90 seconds".`
    )
  }
  return Math.round(millis)
}

/** A handler of the shop, whose calls and failures are recorded in the story. */
const reportedBy = <E extends LedgerEvent>({ called }: Story, handler?: (event: E) => void | PromiseLike<unknown>) =>
  handler &&
  (async (event: E): Promise<unknown> => {
    try {
      const answer = await handler(event)
      called(event)
      return answer
    } catch (error) {
      called(event, messageOf(error))
      throw error
    }
  })

/**
 * The requests in flight, by the clock of the shop. The client measures its own time-outs in real time, which the test
 * does not move, so a request that has waited for as long as the client would is given up here.
 */
const makeRequests = (now: () => number, { waitForClock }: ShopWorld["activity"]) => {
  const underWay = new Set<{ readonly end: number; readonly giveUp: () => void }>()
  const giveUp = (end: number): void => {
    for (const request of underWay) if (request.end <= end) request.giveUp()
  }
  return {
    /** Gives up requests whose time has passed. */
    giveUpLate: () => giveUp(now()),
    giveUpAll: () => giveUp(Infinity),
    /** Makes a request. If it is given up, it fails like a lost connection. */
    make: async <A>(request: Request, work: (request: Request) => Promise<A>): Promise<A> => {
      const isRead = changeOf(request.method, new URL(request.url).pathname) === undefined
      const end = now() + attemptSeconds[isRead ? "read" : "change"] * second
      const controller = new AbortController()
      const entry = { end, giveUp: () => controller.abort() }
      underWay.add(entry)
      // The gateway does not say for how long it withholds a response.
      const arrived = waitForClock(() => Math.min(end - now(), second))
      try {
        return await work(new Request(request, { signal: AbortSignal.any([request.signal, controller.signal]) }))
      } catch (failure) {
        if (controller.signal.aborted) throw connectionLost()
        throw failure
      } finally {
        arrived()
        underWay.delete(entry)
      }
    }
  }
}

const connectionLost = (): TypeError => new TypeError("fetch failed", { cause: networkFailure("lost") })

const fetchOf =
  (
    process: ShopProcess,
    local: MountedLocalGateway,
    requests: ReturnType<typeof makeRequests>,
    { activity, dead }: ShopWorld
  ) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const receive = process.send(request.method, new URL(request.url), await request.clone().text())
    if (receive === undefined) return dead()
    const { reception, response } = await activity.during(() =>
      requests.make(request, async (made) => {
        const response = await local.fetch(made)
        return { response, reception: receive(response.status, await response.clone().text()) }
      })
    )
    if (reception === "lost") throw connectionLost()
    return reception === "dead" ? dead() : response
  }

/**
 * Opens a shop to test: a ledger over a store in memory, a local gateway, and one clock for both. It needs no port, no
 * database server and no waiting.
 *
 * ```ts
 * await using shop = await createTestShop({ onPayment: handlers.onPayment })
 * const order = await shop.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback: shop.callback })
 * if (order.status === "open") await shop.pay(order.paymentId)
 * await shop.advance("3 days")
 * ```
 */
export const createTestShop = async (options: TestShopOptions = {}): Promise<TestShop> => {
  const {
    driver,
    gateway: settings,
    ledger: ledgerSettings,
    onNotification,
    prepare,
    processes: count = 1,
    startAt,
    ...handlers
  } = options
  const { onAttention, onChange, onPayment, onSubscription, ...others } = handlers
  const [unknownOption] = Object.keys(others)
  if (unknownOption !== undefined) throw new TypeError(`createTestShop: there is no option ${unknownOption}.`)
  // Fake timers of vitest and jest would keep everything from continuing.
  if ("clock" in setTimeout) {
    throw new TypeError("createTestShop: turn fake timers off. The shop has a clock of its own, which advance moves.")
  }
  const problem = settingsProblem(options)
  if (problem !== undefined) throw new TypeError(`createTestShop: ${problem}.`)
  const ahead = startAt === undefined ? 0 : startAt.getTime() - Date.now()
  let moved = 0
  const now = (): number => Date.now() + ahead + moved
  const store = await clocked(fileStore(":memory:", { driver }), now)
  const world = openWorld(store, () => moved)
  const { activity, loseNextResponse, story } = world
  const requests = makeRequests(now, activity)
  await prepare?.(store)
  const local = mountLocalGateway({
    // The client has its own clock, and would keep a token for too long.
    settings: { tokenLifetimeSeconds: 315_360_000, ...settings },
    seed: { time_ahead: ahead / 1_000 },
    notificationReceiver: (url) => receive(url)
  })
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("The local gateway has no merchant.")

  const begin = async () => {
    const process = world.beginProcess()
    const gateway = createGatewayClient({
      ...merchant,
      fetch: fetchOf(process, local, requests, world),
      retry: { attempts: 1 }
    })
    const ledger = createLedger<SqliteTransaction>({
      readsPerSecond: 1_000,
      // A call that waits for an outcome sees what the test lets happen at once.
      pollEvery: "10 millis",
      processName: process.name,
      ...ledgerSettings,
      onPayment: reportedBy(story, onPayment),
      onChange: reportedBy(story, onChange),
      onSubscription: reportedBy(story, onSubscription),
      gateway,
      store: process.store,
      onAttention: (item) => {
        story.called(item)
        return onAttention?.(item)
      }
    })
    const close = async (): Promise<void> => {
      await ledger.close()
      await gateway.close()
    }
    // What is left of a killed process ends with the test. Nothing waits for that.
    void Promise.all([process.death, world.ended]).then(close)
    const notified =
      onNotification ??
      ledger.notificationHandler({
        // What a killed process waits for fails long after the test.
        onError: (error) => {
          if (process.isKilled()) return
          const cause = error.cause === undefined ? [] : [error.cause]
          console.error(`A notification was not processed: ${error.message}`, ...cause)
        }
      })
    return { ...process, ledger, gateway, close, notified }
  }
  const first = await begin()
  const processes: Processes<typeof first> = [first]
  while (processes.length < count) processes.push(await begin())
  await first.ledger.migrate()

  const { advance, deliverNotifications, deliverTwice, killDuring, receive } = shopOperations(world, processes, {
    begin,
    passTime: async (millis) => {
      moved += millis
      requests.giveUpLate()
      await local.advanceTime(millis)
    },
    deliverNotifications: local.deliverNotifications,
    runOnce: ({ ledger }) => ledger.runOnce(),
    notify: async ({ notified }, url) => (await notified(new Request(url))).status
  })

  const playing = async (paymentId: GatewayId, what: string, play: () => Promise<unknown>): Promise<void> => {
    story.tell(`payment ${paymentId} is ${what}`)
    await play()
    await deliverNotifications()
  }

  const close = async (): Promise<void> => {
    const closed = (async () => {
      for (const process of processes) await process.close()
      return true
    })()
    // A client waits for its changes, and nothing moves time for a withheld response.
    while (!(await Promise.race([closed, activity.atRest()]))) requests.giveUpAll()
    world.end()
    await local.close()
    await store.close()
  }

  return {
    get ledger() {
      return processes[0].ledger
    },
    get ledgers() {
      return processes.map(({ ledger }) => ledger)
    },
    get gateway() {
      return processes[0].gateway
    },
    local,
    store,
    callback,
    now: () => new Date(now()),
    story: story.lines,
    tell: story.tell,
    advance: async (duration) => advance(millisOf(duration), `${duration}${typeof duration === "number" ? " ms" : ""}`),
    pay: (id) => playing(id, "paid by card", () => local.payByCard(id)),
    decline: (id, subState) => playing(id, "declined", () => local.declinePayment(id, subState)),
    loseNextResponse,
    killDuring,
    deliverTwice,
    close,
    [Symbol.asyncDispose]: close
  }
}

/** Checks a shop when everything has settled: returns `false`, or throws, if the invariant does not hold. */
export type ShopInvariant = (shop: TestShop) => unknown

/** The options of a simulation. */
export interface SimulationOptions extends SimulationSettings<
  ShopInvariant,
  (shop: TestShop, orderNumber: string) => PromiseLike<unknown>
> {
  /** Opens a new shop for each run. `simulateShop` closes it. */
  readonly open: () => PromiseLike<TestShop>
}

/**
 * Runs a shop through the events that a seed determines: orders are paid, declined and refunded, notifications come
 * twice, responses are lost, processes are killed, and days pass. Partial refunds are possible at once. Then it checks
 * the invariants. Resolves to the story; rejects with an `InvariantBroken`, whose story is shortened: `open` is called
 * again for each attempt to shorten it.
 *
 * ```ts
 * await simulateShop({
 *   seed: 7,
 *   open: () => createTestShop(handlers),
 *   invariants: { "each paid order is shipped once": shippedOnce }
 * })
 * ```
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

const runOf = async (options: SimulationOptions, steps: ReadonlyArray<number>) => {
  const { checkout = ({ ledger }, orderNumber) => ledger.checkout(orderNumber, ...usualCheckout), open } = options
  const shop = await open()
  const simulated: SimulatedShop<ShopInvariant> = {
    ...shop,
    changeSettings: shop.local.changeSettings,
    made: shop.local.listPayments,
    checkout: (orderNumber) => checkout(shop, orderNumber),
    submit: (key, refund) => shop.store.transaction((tx) => shop.ledger.submit(tx, key, refund)),
    run: (act) => act(shop)
  }
  try {
    return await runIn(simulated, options, steps)
  } finally {
    await shop.close()
  }
}
