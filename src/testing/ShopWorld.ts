/**
 * Runs a test shop in either style: its processes, its time, its notifications, and the story of what happens.
 */
import type { ChangeEvent } from "../ledger/model/Change.js"
import type { AttentionItem } from "../ledger/model/Attention.js"
import type { PaymentEvent } from "../ledger/model/Order.js"
import type { SubscriptionEvent } from "../ledger/model/Subscription.js"
import { turns } from "../ledger/store/fileStore.js"
import type { KillPoint } from "./TestShopOperations.js"
import { type ClockedStore, makeActivity, nextStep, processStore } from "./TestStore.js"

/** The gateway notifies loopback addresses unless others are allowed. */
export const callback = {
  return_url: "http://shop.localhost/return",
  notification_url: "http://shop.localhost/notify"
}

/** A network failure, as the platform's transports report it. */
export const networkFailure = (connection: "refused" | "lost"): Error =>
  Object.assign(new Error(`The connection was ${connection}.`), {
    code: connection === "refused" ? "ECONNREFUSED" : "ECONNRESET"
  })

/** The parts of a test shop that outlive its processes. */
export interface ShopWorld {
  readonly store: ClockedStore
  readonly story: Story
  readonly activity: ReturnType<typeof makeActivity>
  /** What a killed process waits for. It fails when the test has ended, so that nothing keeps Node.js alive. */
  readonly dead: () => Promise<never>
  readonly ended: Promise<void>
  readonly end: () => void
  readonly next: NextChange
  readonly counts: { delivered: number; moves: number }
  /** Deliveries and worker runs in progress, by what they belong to. */
  readonly underWay: Map<string, Promise<unknown>>
  readonly inTurn: ReturnType<typeof turns>
  readonly loseNextResponse: () => void
  /** Starts a process. `own` is the store as this process sees it. */
  readonly beginProcess: (own?: ClockedStore) => ShopProcess & { readonly store: ReturnType<typeof processStore> }
}

/** Opens the parts that outlive the processes of a shop. `elapsed` is the time since then, in milliseconds. */
export const openWorld = (store: ClockedStore, elapsed: () => number): ShopWorld => {
  const story = makeStory(elapsed)
  const activity = makeActivity()
  const next: NextChange = { isLost: false, killAt: undefined }
  const counts = { delivered: 0, moves: 0 }
  const underWay = new Map<string, Promise<unknown>>()
  let processes = 0
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const dead = async (): Promise<never> => {
    await ended
    throw new Error("The process was killed.")
  }
  return {
    store,
    story,
    activity,
    dead,
    ended,
    end: () => end(),
    next,
    counts,
    underWay,
    inTurn: turns(),
    loseNextResponse: () => {
      next.isLost = true
    },
    beginProcess: (own = store) => {
      const process = makeProcess(`process ${++processes}`, story, next)
      return { ...process, store: processStore(own, process.isKilled, activity, dead) }
    }
  }
}

/** What happens to the next change: its response is lost, or the process is killed. */
interface NextChange {
  isLost: boolean
  killAt: KillPoint | undefined
}

/** The path of a change of a payment, such as `/payments/payment/1/refund`; `undefined` for other requests. */
export const changeOf = (method: string, pathname: string): string | undefined =>
  method === "POST" ? /\/api(\/payments\/payment(?:\/\d+\/[\w-]+)?)$/.exec(pathname)?.[1] : undefined

/** Receives the response to a request: it arrives, it is lost, or the process is dead. */
type Receiving = (status: number, text: string) => "arrives" | "lost" | "dead"

/** A process of a shop, which can be killed at a change. */
export type ShopProcess = ReturnType<typeof makeProcess>

const makeProcess = (name: string, { send, tell }: Story, next: NextChange) => {
  let isKilled = false
  let die = (): void => {}
  const death = new Promise<void>((resolve) => {
    die = resolve
  })
  const kill = (when: string): void => {
    if (isKilled) return
    isKilled = true
    tell(`${name} is killed ${when}`)
    die()
  }
  return {
    name,
    death,
    isKilled: () => isKilled,
    /** Kills it; `when` is for the story. */
    kill,
    /** Sends a request, unless the process is dead or dies. Returns the function that receives its response. */
    send: (method: string, { pathname }: URL, body: string): Receiving | undefined => {
      if (isKilled) return undefined
      const change = changeOf(method, pathname)
      if (change === undefined) return () => (isKilled ? "dead" : "arrives")
      const { isLost, killAt } = next
      next.killAt = undefined
      if (killAt === "beforeSending") {
        kill("before sending a change")
        return undefined
      }
      next.isLost = false
      const responds = send(name, change, body)
      return (status, text) => {
        responds(status, text)
        if (killAt !== undefined) kill("after sending a change")
        if (isKilled) return "dead"
        if (isLost) tell("its response is lost")
        return isLost ? "lost" : "arrives"
      }
    }
  }
}

/** The actions that differ between the styles. */
interface ShopActions<Process> {
  readonly begin: () => PromiseLike<Process>
  readonly passTime: (millis: number) => PromiseLike<unknown>
  readonly deliverNotifications: () => PromiseLike<unknown>
  readonly runOnce: (process: Process) => PromiseLike<unknown>
  readonly notify: (process: Process, url: string) => PromiseLike<number>
}

/** The running processes of a shop. A killed process is replaced by the next one. */
export type Processes<Process> = [Process, ...Array<Process>]

/** Makes the operations of a simulated shop, over its running processes: their work, notifications to them, time that passes. */
export const shopOperations = <Process extends ShopProcess>(
  { activity, counts, inTurn, next, store, story, underWay }: ShopWorld,
  processes: Processes<Process>,
  { begin, deliverNotifications, notify, passTime, runOnce }: ShopActions<Process>
) => {
  /**
   * Begins work unless the same work is still in progress. Waits until it has ended, or everything waits for the clock.
   */
  const goOn = async (of: string, work: () => PromiseLike<unknown>): Promise<void> => {
    const begun = underWay.get(of) ?? activity.during(async () => work()).finally(() => underWay.delete(of))
    underWay.set(of, begun)
    await Promise.race([begun, activity.atRest()])
  }

  /** Runs work of a process for as long as the process lives. */
  const whileAlive = <A>(process: Process, work: (process: Process) => PromiseLike<A>): Promise<A | undefined> =>
    Promise.race([work(process), process.death.then(() => undefined)])

  const deliver = async (url: string): Promise<number> => {
    const process = processes[counts.delivered++ % processes.length] ?? processes[0]
    const status = (await whileAlive(process, (alive) => notify(alive, url))) ?? 503
    const id = new URL(url).searchParams.get("id") ?? "?"
    story.tell(`a notification of payment ${id} is answered with ${status} by ${process.name}`)
    return status
  }

  const move = async (millis: number): Promise<void> => {
    if (millis > 0) await passTime(millis)
    await activity.atRest()
    await goOn("notifications", deliverNotifications)
    // Each process is first from time to time, when there is most to do.
    const first = counts.moves++ % processes.length
    for (const process of [...processes.slice(first), ...processes.slice(0, first)]) {
      await goOn(process.name, () => whileAlive(process, runOnce))
    }
    await activity.atRest()
  }

  return {
    /** Takes the gateway's notifications one after another, so that the same seed makes the same story. */
    receive: (url: string): Promise<number> => inTurn(() => deliver(url)),
    /** Delivers the gateway's notifications, as far as their handlers get without the clock moving. */
    deliverNotifications: () => goOn("notifications", deliverNotifications),
    deliverTwice: async (paymentId: number | string): Promise<readonly [number, number]> => {
      const url = `${callback.notification_url}?id=${paymentId}`
      return Promise.all([deliver(url), deliver(url)])
    },
    /** Moves time by a duration, given in words, step by step to what is due next. */
    advance: async (all: number, words: string): Promise<void> => {
      if (all > 0) story.tell(`time moves by ${words}`)
      const running = [...processes]
      // Work that was begun and is not awaited gets as far as it can.
      await activity.atRest()
      await move(0)
      // A kill ends the step that it interrupts: time must not continue alongside the next process.
      for (let left = all; left > 0 && !running.some(({ isKilled }) => isKilled());) {
        const step = Math.min(await nextStep(store, { all, left }), Math.ceil(activity.untilNextWake()))
        await move(step)
        left -= step
      }
    },
    killDuring: async (point: KillPoint, work: () => unknown): Promise<void> => {
      if (point !== "beforeSending" && point !== "afterSending") {
        throw new TypeError(`killDuring: ${String(point)} is neither "beforeSending" nor "afterSending".`)
      }
      next.killAt = point
      try {
        await Promise.race([...processes.map(({ death }) => death), (async () => work())()])
      } finally {
        next.killAt = undefined
      }
      const killed = processes.findIndex(({ isKilled }) => isKilled())
      if (killed < 0) throw new Error("killDuring: the work ended and sent no change, so nothing was killed.")
      processes[killed] = await begin()
    }
  }
}

/** Records what happens, in order, each line with its time. */
export type Story = ReturnType<typeof makeStory>

/** Begins a story. `elapsed` is the time since the shop was opened, in milliseconds. */
const makeStory = (elapsed: () => number) => {
  const lines: Array<string> = []
  const add = (event: string): number => {
    const seconds = Math.floor(elapsed() / 1_000)
    const time = new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19)
    return lines.push(`day ${Math.floor(seconds / 86_400)} ${time} ${event}`) - 1
  }
  return {
    /** The lines so far. */
    lines: (): ReadonlyArray<string> => [...lines],
    /** Adds a line to the story. */
    tell: (event: string) => void add(event),
    /** Adds the line of a request. Returns a function that adds the gateway's response to that line. */
    send: (process: string, path: string, body: string) => {
      const line = add(`${process} sends POST ${path}${requestDetails(body)}`)
      return (status: number, response: string) => {
        lines[line] += `: ${responseDetails(status, response)}`
      }
    },
    /** Adds the call of a handler, and why it failed. */
    called: (event: LedgerEvent, failure?: string) =>
      void add(eventWords(event) + (failure === undefined ? "" : `, and the handler fails: ${failure}`))
  }
}

/** The members of a JSON object, or the fields of a form, as texts. */
const fieldsOf = (body: string): { readonly [name: string]: string | undefined } => {
  try {
    return Object.fromEntries(new URLSearchParams(Object(JSON.parse(body))))
  } catch {
    return Object.fromEntries(new URLSearchParams(body))
  }
}

const requestDetails = (body: string): string => {
  const { amount, currency, order_number: order } = fieldsOf(body)
  const money = [amount, currency].filter((part) => part !== undefined).join(" ")
  const details = [order === undefined ? "" : `order ${order}`, money].filter((detail) => detail !== "")
  return details.length === 0 ? "" : ` (${details.join(", ")})`
}

const responseDetails = (status: number, body: string): string => {
  const { id, result } = fieldsOf(body)
  if (status < 300) return result === undefined ? `payment ${id}` : result
  const [, code] = /"error_code":\s*(\d+)/.exec(body) ?? []
  return code === undefined ? `status ${status}` : `error ${code}`
}

/** The events that handlers of the shop are called with. */
export type LedgerEvent = PaymentEvent<unknown> | ChangeEvent<unknown> | SubscriptionEvent<unknown> | AttentionItem

const eventWords = (event: LedgerEvent): string => {
  if ("kind" in event) return `an operator is asked: ${event.kind} (${event.key})`
  if ("outcome" in event) return `onChange: ${event.key} is ${event.outcome._tag}`
  if ("subscription" in event) {
    const { period, subscription, type } = event
    return `onSubscription: ${subscription.name}${period === undefined ? "" : `, ${period.period}`}: ${type}`
  }
  const { attention, order, refunded, status } = event
  return [
    `onPayment: order ${order.orderNumber} is ${status}`,
    ...(refunded > 0 ? [`${refunded} refunded`] : []),
    ...(attention === undefined ? [] : [attention])
  ].join(", ")
}
