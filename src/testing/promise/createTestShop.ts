/**
 * A ledger, a local gateway and a store in memory whose clock the test moves.
 */
import { isError } from "../../contract/AnyRealm.js"
import type { DurationInput } from "../../contract/DurationInput.js"
import { createGatewayClient } from "../../promise/index.js"
import { createLedger, fileStore } from "../../ledger/promise/index.js"
import { mountLocalGateway } from "../../local-gateway/promise/index.js"
import {
  callback,
  type KillPoint,
  lostConnection,
  makeActivity,
  makeProcess,
  nextStep,
  processStore
} from "../TestProcess.js"
import { attentionWords, changeWords, makeStory, paymentWords, subscriptionWords } from "../Story.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { PaymentSubState } from "../../contract/CodeLists.js"
import type { GatewayClient } from "../../promise/GatewayClient.js"
import type { LedgerSettings } from "../../ledger/model/LedgerOptions.js"
import type { Ledger, LedgerOptions } from "../../ledger/promise/Ledger.js"
import type { FileStoreOptions, SqliteTransaction } from "../../ledger/store/fileStore.js"
import type { LedgerStore } from "../../ledger/model/LedgerStore.js"
import type { MountedLocalGateway } from "../../local-gateway/promise/RunningLocalGateway.js"
import type { SettingsChange } from "../../local-gateway/books/LocalGatewaySettings.js"

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * The options of a test shop.
 *
 * @category testing
 */
export interface TestShopOptions extends Pick<
  LedgerOptions<SqliteTransaction>,
  "onPayment" | "onChange" | "onSubscription" | "onAttention"
> {
  /** Further options of the shop's ledger. */
  readonly ledger?: Partial<Omit<LedgerSettings<SqliteTransaction>, "store" | "migrate">> | undefined
  /** Settings of the local gateway that differ from the default. */
  readonly gateway?: SettingsChange | undefined
  /** Creates the shop's tables once, before its first process. They are in the ledger's database, as in production. */
  readonly prepare?: ((store: LedgerStore<SqliteTransaction>) => PromiseLike<unknown>) | undefined
  /** The shop's own notification route. Default: the ledger's `notificationHandler`. */
  readonly onNotification?: ((request: Request) => PromiseLike<Response>) | undefined
  /** The class `Database` of better-sqlite3 or libsql. Default: `node:sqlite`, from Node.js 22.13 on. */
  readonly driver?: FileStoreOptions["driver"]
}

/**
 * A shop under test: a ledger over a store in memory, a local gateway, and one clock that the test moves.
 *
 * @category testing
 */
export interface TestShop {
  /** The ledger of the running process. After a kill it is a new one over the same store: read it from `shop` each time. */
  readonly ledger: Ledger<SqliteTransaction>
  /** The gateway client of the running process. */
  readonly gateway: GatewayClient
  /** The local gateway and all its controls. Move time with `advance` only. */
  readonly local: MountedLocalGateway
  /** The store. It outlives the processes. */
  readonly store: LedgerStore<SqliteTransaction>
  /** Pass it as the `callback` of a payment: its notifications reach this shop. */
  readonly callback: { readonly return_url: string; readonly notification_url: string }
  /** The current time of the shop, the gateway and the store. */
  readonly now: () => Date
  /** What has happened so far, in order, one line each: requests, notifications, handler calls, kills. */
  readonly story: () => ReadonlyArray<string>
  /** Adds a line to the story. */
  readonly tell: (event: string) => void
  /**
   * Moves time forward at once and runs what becomes due on the way, in order: payments time out, notifications arrive,
   * handlers are called, and the ledger's worker sends, reads and retries. Notifications arrive at most an hour late, or a
   * hundredth of the duration if that is longer. A call that you have not awaited, such as a refund whose response is lost,
   * gets as far as it can first. `advance(0)` runs what is due now.
   */
  readonly advance: (duration: DurationInput) => Promise<void>
  /** Pays by card and delivers the notification. */
  readonly pay: (paymentId: GatewayId) => Promise<void>
  /** Declines the payment (default: `_5006`, not enough money) and delivers the notification. */
  readonly decline: (paymentId: GatewayId, subState?: PaymentSubState) => Promise<void>
  /**
   * Loses the response to the next change, such as a refund: the gateway carries it out. Do not await that call before you
   * move time: `const refund = shop.ledger.refund(…)`, `await shop.advance("1 hour")`, `await refund`.
   */
  readonly loseNextResponse: () => void
  /**
   * Runs `work`, kills the process at the next change that it sends, and starts another process over the same store. `work`
   * never ends, and an `advance` in it stops there. Fails if `work` ends without sending a change.
   */
  readonly killDuring: (point: KillPoint, work: () => unknown) => Promise<void>
  /** Delivers a payment's notification twice, at the same time. Gives the shop's two HTTP statuses. */
  readonly deliverTwice: (paymentId: GatewayId) => Promise<readonly [number, number]>
  /** Closes the shop and the gateway and discards the store. */
  readonly close: () => Promise<void>
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const units = {
  milli: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000
} as const

const isUnit = (unit: string): unit is keyof typeof units => Object.hasOwn(units, unit)

const millisOf = (duration: DurationInput): number => {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?) (\w+?)s?$/.exec(String(duration)) ?? []
  const millis = typeof duration === "number" ? duration : isUnit(unit) ? Number(count) * units[unit] : NaN
  if (!(millis >= 0 && millis < Infinity)) {
    throw new TypeError(
      `advance: ${String(duration)} is not a duration. Pass milliseconds or a text such as "3 days" or "90 seconds".`
    )
  }
  return Math.round(millis)
}

/** The realtime clock of SQLite, and by how much the test has moved it. */
const movedNow =
  "(CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) + (SELECT millis FROM gopay_test_clock))"

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
 *
 * @category testing
 */
export const createTestShop = async ({
  driver,
  gateway: settings,
  ledger: ledgerSettings,
  onAttention,
  onChange,
  onNotification,
  onPayment,
  onSubscription,
  prepare,
  ...others
}: TestShopOptions = {}): Promise<TestShop> => {
  const [unknownOption] = Object.keys(others)
  if (unknownOption !== undefined) throw new TypeError(`createTestShop: there is no option ${unknownOption}.`)
  // Fake timers of vitest and jest would keep everything from going on.
  if ("clock" in setTimeout) {
    throw new TypeError("createTestShop: turn fake timers off. The shop has a clock of its own, which advance moves.")
  }
  const store = fileStore(":memory:", driver === undefined ? {} : { driver })
  await store.query("CREATE TABLE gopay_test_clock (millis INTEGER NOT NULL)", [])
  await store.query("INSERT INTO gopay_test_clock VALUES (0)", [])
  await prepare?.(store)
  const moving = { ...store, now: movedNow }
  let moved = 0
  const activity = makeActivity()
  let endTest = (): void => {}
  const testEnded = new Promise<void>((resolve) => {
    endTest = resolve
  })
  /** What a killed process waits for. When the test has ended it fails, so that nothing keeps Node.js alive. */
  const dead = async (): Promise<never> => {
    await testEnded
    throw new Error("The process was killed.")
  }
  const now = (): Date => new Date(Date.now() + moved)
  const story = makeStory(() => moved)
  const { lines, tell } = story
  /** A handler of the shop, whose calls and failures are told. */
  const toldBy = <E>(words: (event: E) => string, handler: ((event: E) => unknown) | undefined) =>
    handler === undefined
      ? undefined
      : async (event: E): Promise<unknown> => {
          try {
            const answer = await handler(event)
            tell(words(event))
            return answer
          } catch (error) {
            tell(`${words(event)}, and the handler fails: ${isError(error) ? error.message : String(error)}`)
            throw error
          }
        }

  const local = mountLocalGateway({
    // The client goes by its own clock, and would keep a token for too long.
    settings: { tokenLifetimeSeconds: 315_360_000, ...settings },
    notificationReceiver: (url) => deliver(url)
  })
  await local.listPayments()
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("The local gateway has no merchant.")

  const loss = { armed: false }
  let processes = 0
  const killed: Array<() => Promise<void>> = []
  const begin = () => {
    const process = makeProcess(`process ${++processes}`, story, loss)
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init)
      const sent = process.send(request.method, new URL(request.url), await request.clone().text())
      if (sent === undefined) return dead()
      const { reception, response } = await activity.during(async () => {
        const response = await local.fetch(request)
        return { response, reception: sent.received(response.status, await response.clone().text()) }
      })
      if (reception === "lost") throw new TypeError("fetch failed", { cause: lostConnection() })
      return reception === "dead" ? dead() : response
    }
    const gateway = createGatewayClient({ ...merchant, fetch, retry: { attempts: 1 } })
    const ledger = createLedger<SqliteTransaction>({
      readsPerSecond: 1_000,
      // A call that waits for an outcome sees what the test has let happen at once.
      pollEvery: "10 millis",
      processName: process.name,
      ...ledgerSettings,
      onPayment: toldBy(paymentWords, onPayment),
      onChange: toldBy(changeWords, onChange),
      onSubscription: toldBy(subscriptionWords, onSubscription),
      gateway,
      store: processStore(moving, process.isKilled, activity, dead),
      onAttention: (item) => {
        tell(attentionWords(item))
        return onAttention?.(item)
      }
    })
    const close = async (): Promise<void> => {
      await ledger.close()
      await gateway.close()
    }
    return {
      ...process,
      ledger,
      gateway,
      close,
      notified:
        onNotification ??
        ledger.notificationHandler({
          // What a killed process waits for fails long after the test.
          onError: (error) => {
            if (process.isKilled()) return
            const cause = error.cause === undefined ? [] : [error.cause]
            console.error(`A notification was not processed: ${error.message}`, ...cause)
          }
        })
    }
  }
  let current = begin()
  await current.ledger.migrate()

  /** What the process does, as long as it lives. */
  const whileAlive = async <A>(work: (process: typeof current) => PromiseLike<A>): Promise<A | undefined> => {
    const process = current
    return Promise.race([work(process), process.death.then(() => undefined)])
  }

  const deliver = async (url: string): Promise<number> => {
    const response = await whileAlive(({ notified }) => notified(new Request(url)))
    const status = response?.status ?? 503
    tell(`a notification of payment ${new URL(url).searchParams.get("id") ?? "?"} is answered with ${status}`)
    return status
  }

  const move = async (millis: number): Promise<void> => {
    if (millis > 0) {
      moved += millis
      await store.query("UPDATE gopay_test_clock SET millis = ?", [moved])
      await local.advanceTime(millis)
    }
    await local.deliverNotifications()
    await whileAlive(({ ledger }) => ledger.runOnce())
    await activity.ended()
  }

  const advance: TestShop["advance"] = async (duration) => {
    const all = millisOf(duration)
    if (all > 0) tell(`time moves by ${duration}${typeof duration === "number" ? " ms" : ""}`)
    const process = current
    // What was begun and is not awaited comes as far as it can.
    await activity.ended()
    await move(0)
    // A kill ends what it interrupts: time must not go on beside the next process.
    for (let left = all; left > 0 && !process.isKilled();) {
      const step = await nextStep(moving, { all, left })
      await move(step)
      left -= step
    }
  }

  const close = async (): Promise<void> => {
    await current.close()
    // What is left of the killed ones comes to its end. Nothing waits for that.
    for (const end of killed) void end()
    endTest()
    await local.close()
    await store.close()
  }

  return {
    get ledger() {
      return current.ledger
    },
    get gateway() {
      return current.gateway
    },
    local,
    store,
    callback,
    now,
    story: lines,
    tell,
    advance,
    pay: async (paymentId) => {
      tell(`payment ${paymentId} is paid by card`)
      await local.payByCard(paymentId)
      await local.deliverNotifications()
    },
    decline: async (paymentId, subState) => {
      tell(`payment ${paymentId} is declined`)
      await local.declinePayment(paymentId, subState)
      await local.deliverNotifications()
    },
    loseNextResponse: () => {
      loss.armed = true
    },
    killDuring: async (point, work) => {
      if (point !== "beforeSending" && point !== "afterSending") {
        throw new TypeError(`killDuring: ${String(point)} is neither "beforeSending" nor "afterSending".`)
      }
      const process = current
      process.killAt(point)
      try {
        await Promise.race([process.death, (async () => work())()])
      } finally {
        process.killAt(undefined)
      }
      if (!process.isKilled()) throw new Error("killDuring: the work ended and sent no change, so nothing was killed.")
      killed.push(process.close)
      current = begin()
    },
    deliverTwice: async (paymentId) => {
      const url = `${callback.notification_url}?id=${paymentId}`
      return Promise.all([deliver(url), deliver(url)])
    },
    close,
    [Symbol.asyncDispose]: close
  }
}
