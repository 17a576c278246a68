/**
 * What drives a test shop in either style: its processes, one after another, its time and its notifications.
 */
import type { LedgerStore } from "../ledger/model/LedgerStore.js"
import type { SqliteTransaction } from "../ledger/store/fileStore.js"
import { turns } from "../ledger/store/Turns.js"
import { makeStory } from "./Story.js"
import { makeProcess, type ShopProcess } from "./TestProcess.js"
import type { KillPoint } from "./TestShopOperations.js"
import { makeActivity, nextStep, processStore } from "./TestStore.js"

/** The gateway notifies loopback addresses unless it is allowed others. */
export const callback = {
  return_url: "http://shop.localhost/return",
  notification_url: "http://shop.localhost/notify"
}

/** What outlives the processes of a shop. */
export type ShopWorld = ReturnType<typeof makeWorld>

/** Makes what outlives the processes of a shop. `elapsed` is the time since the shop was opened, in milliseconds. */
export const makeWorld = (store: LedgerStore<SqliteTransaction>, elapsed: () => number) => {
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
