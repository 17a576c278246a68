/**
 * What drives a test shop in either style: its processes, one after another, its time and its notifications.
 */
import type { LedgerStore } from "../ledger/model/LedgerStore.js"
import type { SqliteTransaction } from "../ledger/store/fileStore.js"
import { turns } from "../ledger/store/Turns.js"
import { makeStory, type Story } from "./Story.js"
import type { KillPoint } from "./TestShopOperations.js"
import { clocked, makeActivity, nextStep, processStore } from "./TestStore.js"

/** The gateway notifies loopback addresses unless it is allowed others. */
export const callback = {
  return_url: "http://shop.localhost/return",
  notification_url: "http://shop.localhost/notify"
}

/** A network failure, as the platform's transports report it. */
export const networkFailure = (connection: "refused" | "lost"): Error =>
  Object.assign(new Error(`The connection was ${connection}.`), {
    code: connection === "refused" ? "ECONNREFUSED" : "ECONNRESET"
  })

/** What outlives the processes of a shop. */
export type ShopWorld = Awaited<ReturnType<typeof openWorld>>

/** Opens what outlives the processes of a shop. `elapsed` is the time since then, in milliseconds. */
export const openWorld = async (memory: LedgerStore<SqliteTransaction>, now: () => number, elapsed: () => number) => {
  const store = await clocked(memory, now)
  const story = makeStory(elapsed)
  const activity = makeActivity()
  const loss = { armed: false }
  let processes = 0
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  /** What a killed process waits for. When the test has ended it fails, so that nothing keeps Node.js alive. */
  const dead = async (): Promise<never> => {
    await ended
    throw new Error("The process was killed.")
  }
  return {
    store,
    story,
    activity,
    dead,
    end: () => end(),
    inTurn: turns(),
    loseNextResponse: () => {
      loss.armed = true
    },
    /** Begins a process, with the store as it sees it. */
    beginProcess: () => {
      const process = makeProcess(`process ${++processes}`, story, loss)
      return { ...process, store: processStore(store, process.isKilled, activity, dead) }
    }
  }
}

/** Receives the response to a request: it arrives, it is lost, or the process is dead. */
type Receiving = (status: number, text: string) => "arrives" | "lost" | "dead"

/** A process of a shop, which can be killed at a change. */
export type ShopProcess = ReturnType<typeof makeProcess>

/** Its next change takes a loss that is `armed`: the response is lost. */
const makeProcess = (name: string, { send, tell }: Story, loss: { armed: boolean }) => {
  let isKilled = false
  let killAt: KillPoint | undefined
  let die = (): void => {}
  const death = new Promise<void>((resolve) => {
    die = resolve
  })
  const kill = (point: KillPoint): undefined => {
    isKilled = true
    tell(`${name} is killed ${point === "beforeSending" ? "before sending" : "after sending"} a change`)
    die()
  }
  return {
    name,
    death,
    isKilled: () => isKilled,
    killAt: (point: KillPoint | undefined) => {
      killAt = point
    },
    /** Sends a request, unless the process is dead or dies. Gives what its response is received by. */
    send: (method: string, { pathname }: URL, body: string): Receiving | undefined => {
      if (isKilled) return undefined
      const [, change] = /\/api(\/payments\/payment(?:\/\d+\/[\w-]+)?)$/.exec(pathname) ?? []
      if (method !== "POST" || change === undefined) return () => (isKilled ? "dead" : "arrives")
      const point = killAt
      killAt = undefined
      if (point === "beforeSending") return kill(point)
      const responds = send(name, change, body)
      const loses = loss.armed
      loss.armed = false
      return (status, text) => {
        responds(status, text)
        if (point !== undefined) kill(point)
        if (isKilled) return "dead"
        if (loses) tell("its response is lost")
        return loses ? "lost" : "arrives"
      }
    }
  }
}

/** What each style does in its own way. */
interface ShopActions<Process> {
  readonly begin: () => PromiseLike<Process>
  readonly passTime: (millis: number) => PromiseLike<unknown>
  readonly deliverNotifications: () => PromiseLike<unknown>
  readonly runOnce: (process: Process) => PromiseLike<unknown>
  readonly notify: (process: Process, url: string) => PromiseLike<number>
}

/** Makes the operations of a shop whose `current` process runs. */
export const shopOperations = <Process extends ShopProcess>(
  { activity, inTurn, store, story }: ShopWorld,
  current: { process: Process },
  { begin, deliverNotifications, notify, passTime, runOnce }: ShopActions<Process>
) => {
  /** What the process does, as long as it lives. */
  const whileAlive = <A>(work: (process: Process) => PromiseLike<A>): Promise<A | undefined> =>
    Promise.race([work(current.process), current.process.death.then(() => undefined)])

  const deliver = async (url: string): Promise<number> => {
    const status = (await whileAlive((process) => notify(process, url))) ?? 503
    story.tell(`a notification of payment ${new URL(url).searchParams.get("id") ?? "?"} is answered with ${status}`)
    return status
  }

  const move = async (millis: number): Promise<void> => {
    if (millis > 0) await passTime(millis)
    await activity.ended()
    await deliverNotifications()
    await whileAlive(runOnce)
    await activity.ended()
  }

  return {
    /** Takes the gateway's notifications: one after another, so that the same seed tells the same story. */
    receive: (url: string): Promise<number> => inTurn(() => deliver(url)),
    deliverTwice: async (paymentId: number | string): Promise<readonly [number, number]> => {
      const url = `${callback.notification_url}?id=${paymentId}`
      return Promise.all([deliver(url), deliver(url)])
    },
    /** Moves time, by a duration in words, step by step to what is due next. */
    advance: async (all: number, words: string): Promise<void> => {
      if (all > 0) story.tell(`time moves by ${words}`)
      const { isKilled } = current.process
      // What was begun and is not awaited comes as far as it can.
      await activity.ended()
      await move(0)
      // A kill ends what it interrupts: time must not go on beside the next process.
      for (let left = all; left > 0 && !isKilled();) {
        const step = await nextStep(store, { all, left })
        await move(step)
        left -= step
      }
    },
    killDuring: async (point: KillPoint, work: () => unknown): Promise<void> => {
      const { process } = current
      process.killAt(point)
      try {
        await Promise.race([process.death, (async () => work())()])
      } finally {
        process.killAt(undefined)
      }
      if (!process.isKilled()) throw new Error("killDuring: the work ended and sent no change, so nothing was killed.")
      current.process = await begin()
    }
  }
}
