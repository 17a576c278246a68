/**
 * Time, chance and order of a simulation: processes whose fibers run one task at a time, in an order that the seed
 * decides.
 *
 * All of it happens within one synchronous call of {@link Simulator.run}: nothing may wait for a promise or a real timer.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Duration from "effect/Duration"
import * as Random from "effect/Random"
import * as Scheduler from "effect/Scheduler"
import { createHook } from "node:async_hooks"
import { createHash } from "node:crypto"
import { Chance } from "./Chance.js"

/** Something that happened, for the story. */
export interface StoryLine {
  /** In milliseconds since the simulation began. */
  readonly at: number
  readonly process: string
  readonly event: string
}

interface Timer {
  readonly at: number
  readonly key: number
  readonly process: Process
  readonly run: () => void
  isCancelled: boolean
}

/** A real process could not stand still for longer than this; a simulated one that runs on and on is stopped. */
const mostSteps = 3_000_000

/** When simulations begin: milliseconds since 1970. */
export const epoch = Date.UTC(2026, 0, 5, 9)

/** What only a real event loop can settle. */
const realWaits: ReadonlySet<string> = new Set(["PROMISE", "Timeout", "Immediate", "Microtask"])

/** A simulated program waited for the real event loop. */
export class RealWait extends Error {
  override readonly name = "RealWait"
}

/** The simulation never comes to rest. */
export class Restless extends Error {
  override readonly name = "Restless"
}

/** Time, chance and order. */
export class Simulator {
  readonly seed: number
  readonly story: Array<StoryLine> = []
  /** Milliseconds since the simulation began. */
  now = 0
  steps = 0
  private running: Process | undefined
  private readonly ready: Array<Dispatcher> = []
  private readonly timers = new TimerQueue()
  private readonly stopAt: () => boolean

  /** It runs until nothing is left to do, or `isOver` says so. */
  constructor(seed: number, isOver: () => boolean) {
    this.seed = seed
    this.stopAt = isOver
  }

  /** The numbers of an event. */
  chance(event: string): Chance {
    return new Chance(this.seed, event)
  }

  tell(process: Pick<Process, "name">, event: string): void {
    this.story.push({ at: this.now, process: process.name, event })
  }

  /** Lets a process do something after a time, unless it is dead by then. Returns what cancels it. */
  after(process: Process, millis: number, run: () => void): () => void {
    const timer: Timer = { at: this.now + millis, key: process.order.next(), process, run, isCancelled: false }
    this.timers.add(timer)
    process.timers++
    return () => {
      if (timer.isCancelled) return
      timer.isCancelled = true
      process.timers--
    }
  }

  /** For dispatchers with work. */
  enter(dispatcher: Dispatcher): void {
    this.ready.push(dispatcher)
  }

  /** Runs everything, in the order that the seed decides. */
  run(): void {
    const realWait = observeRealWaits()
    const restore = this.ownRandomness()
    try {
      while (!this.stopAt() && this.step()) {
        if (realWait.stack !== undefined) throw new RealWait(`a real wait began: ${realWait.stack}`)
        if (++this.steps > mostSteps) throw new Restless(`${mostSteps} steps, and more is to come`)
      }
    } finally {
      restore()
      realWait.end()
    }
  }

  private step(): boolean {
    const dispatcher = this.takeReady()
    if (dispatcher !== undefined) {
      if (dispatcher.process.holdBack(() => this.enter(dispatcher))) return true
      this.within(dispatcher.process, () => dispatcher.runOne())
      return true
    }
    const timer = this.timers.take()
    if (timer === undefined) return false
    if (timer.isCancelled) return true
    timer.isCancelled = true
    timer.process.timers--
    this.now = Math.max(this.now, timer.at)
    if (timer.process.isAlive && !timer.process.holdBack(() => this.within(timer.process, timer.run))) {
      this.within(timer.process, timer.run)
    }
    return true
  }

  private within(process: Process, run: () => void): void {
    const before = this.running
    this.running = process
    try {
      run()
    } finally {
      this.running = before
      process.tasks++
      if (process.tasksLeft !== undefined && --process.tasksLeft <= 0) process.die()
    }
  }

  private takeReady(): Dispatcher | undefined {
    const { ready } = this
    let best = -1
    for (let index = 0; index < ready.length; index++) {
      if (best < 0 || (ready[index]?.key ?? 0) < (ready[best]?.key ?? 0)) best = index
    }
    if (best < 0) return undefined
    const [taken] = ready.splice(best, 1)
    return taken
  }

  /** Chance that programs take from the platform is the seed's as well. */
  private ownRandomness(): () => void {
    const { random } = Math
    const rest = this.chance("platform")
    Math.random = () => rest.next() / 2 ** 32
    const digits = (chance: Chance, count: number) =>
      Array.from({ length: count }, () => chance.below(16).toString(16)).join("")
    const randomUUID = (): string => {
      const chance = this.running?.random ?? rest
      return `${digits(chance, 8)}-${digits(chance, 4)}-4${digits(chance, 3)}-8${digits(chance, 3)}-${digits(chance, 12)}`
    }
    // They lie on the prototypes, and stay there.
    Object.defineProperty(crypto, "randomUUID", { value: randomUUID, configurable: true })
    Object.defineProperty(crypto.subtle, "digest", { value: digestAtOnce, configurable: true })
    return () => {
      Math.random = random
      Reflect.deleteProperty(crypto, "randomUUID")
      Reflect.deleteProperty(crypto.subtle, "digest")
    }
  }
}

/** A hash without a promise: what takes it for one is answered at once. */
const digestAtOnce = (_algorithm: string, data: Uint8Array) => ({
  // oxlint-disable-next-line unicorn/no-thenable -- a promise would be a real wait
  then: (onValue: (hash: Uint8Array) => unknown) => void onValue(createHash("sha256").update(data).digest())
})

const observeRealWaits = () => {
  const found: { stack: string | undefined; readonly end: () => void } = {
    stack: undefined,
    end: () => hook.disable()
  }
  const hook = createHook({
    init: (_id, type) => {
      if (realWaits.has(type)) found.stack ??= new Error(type).stack
    }
  }).enable()
  return found
}

/** The earliest first; of those of one time, the one with the lowest key: a binary heap. */
class TimerQueue {
  private readonly heap: Array<Timer> = []

  add(timer: Timer): void {
    const { heap } = this
    let index = heap.push(timer) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !isBefore(timer, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = timer
  }

  take(): Timer | undefined {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let index = 0
    for (;;) {
      const left = heap[2 * index + 1]
      const right = heap[2 * index + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1
      const below = heap[child]
      if (below === undefined || !isBefore(below, last)) break
      heap[index] = below
      index = child
    }
    heap[index] = last
    return first
  }
}

const isBefore = (one: Timer, other: Timer): boolean =>
  one.at < other.at || (one.at === other.at && one.key < other.key)

/**
 * The tasks of a fiber and of the fibers that it has forked: in their order, interleaved with others as the seed
 * decides.
 */
class Dispatcher implements Scheduler.SchedulerDispatcher {
  readonly process: Process
  key = 0
  private tasks: Array<{ readonly task: () => void; readonly priority: number }> = []

  constructor(process: Process) {
    this.process = process
  }

  scheduleTask(task: () => void, priority: number): void {
    if (!this.process.isAlive) return
    const place = this.tasks.findIndex((other) => other.priority > priority)
    this.tasks.splice(place < 0 ? this.tasks.length : place, 0, { task, priority })
    if (this.tasks.length === 1) this.enter()
  }

  runOne(): void {
    if (!this.process.isAlive) return
    const next = this.tasks.shift()
    if (this.tasks.length > 0) this.enter()
    next?.task()
  }

  flush(): void {
    while (this.tasks.length > 0) this.tasks.shift()?.task()
  }

  private enter(): void {
    this.key = this.process.order.next()
    this.process.simulator.enter(this)
  }
}

/** How many operations a fiber gets through before it makes way for others, at most. */
const mostOperations = 400

/** A process: alive until it dies, which is never to be scheduled again, without any finalizer. */
export class Process {
  readonly simulator: Simulator
  readonly name: string
  isAlive = true
  /** How far its clock is ahead, in milliseconds. */
  clockAhead = 0
  /** How many timers wait. */
  timers = 0
  /** Until when it stood still last. */
  pausedUntil = -1
  tasks = 0
  /** After how many more tasks it dies. */
  tasksLeft: number | undefined
  readonly order: Chance
  readonly random: Chance
  private readonly context: Context.Context<never>
  private readonly main: Dispatcher
  /** What to run when it continues. */
  private held: Array<() => void> | undefined
  private onDeath: (() => void) | undefined

  constructor(simulator: Simulator, name: string, mayYield: boolean) {
    this.simulator = simulator
    this.name = name
    this.order = simulator.chance(`order ${name}`)
    this.random = simulator.chance(`random ${name}`)
    this.main = new Dispatcher(this)
    const { random } = this
    this.context = Context.make(Scheduler.Scheduler, mayYield ? this.yielding() : this.steady()).pipe(
      Context.add(Clock.Clock, this.clock()),
      Context.add(Random.Random, {
        nextIntUnsafe: () => random.next(),
        nextDoubleUnsafe: () => random.next() / 2 ** 32
      })
    )
  }

  /** Runs a program in it. */
  start<A, E, R>(
    program: Effect.Effect<A, E, R>,
    services: Context.Context<R>,
    onExit?: (exit: Exit.Exit<A, E>) => void
  ) {
    const started: { fiber: Fiber.Fiber<A, E> | undefined } = { fiber: undefined }
    this.main.scheduleTask(() => {
      started.fiber = Effect.runForkWith(Context.merge(services, this.context))(program)
      if (onExit !== undefined) started.fiber.addObserver(onExit)
    }, 0)
    return started
  }

  /** Runs at once what needs no waiting. */
  runNow<A, E>(program: Effect.Effect<A, E>): A | undefined {
    const exit = Effect.runForkWith(this.context)(program).pollUnsafe()
    return exit?._tag === "Success" ? exit.value : undefined
  }

  /** Does something as a task of its own. */
  soon(run: () => void): void {
    this.main.scheduleTask(run, 0)
  }

  /** Stands still for a time and then continues, as by SIGSTOP and SIGCONT. Its clock does not stand still. */
  pause(millis: number): void {
    if (this.held !== undefined) return
    this.held = []
    this.pausedUntil = this.simulator.now + millis
    this.simulator.tell(this, `stands still for ${millis} ms`)
    const waker = new Process(this.simulator, `waker of ${this.name}`, false)
    this.simulator.after(waker, millis, () => {
      const held = this.held ?? []
      this.held = undefined
      this.simulator.tell(this, "goes on")
      for (const run of held) if (this.isAlive) run()
    })
  }

  /** Keeps a task until it continues, if it stands still. */
  holdBack(run: () => void): boolean {
    this.held?.push(run)
    return this.held !== undefined
  }

  whenDead(run: () => void): void {
    this.onDeath = run
  }

  die(): void {
    if (!this.isAlive) return
    this.isAlive = false
    this.simulator.tell(this, "dies")
    this.onDeath?.()
  }

  private yielding(): Scheduler.Scheduler {
    const { order } = this
    let budget = order.below(mostOperations)
    return {
      executionMode: "async",
      shouldYield: ({ currentOpCount }) => {
        if (currentOpCount <= budget) return false
        budget = order.below(mostOperations)
        return true
      },
      makeDispatcher: () => new Dispatcher(this)
    }
  }

  private steady(): Scheduler.Scheduler {
    return { executionMode: "async", shouldYield: () => false, makeDispatcher: () => new Dispatcher(this) }
  }

  private clock(): Clock.Clock {
    const { simulator } = this
    const millis = () => epoch + simulator.now + this.clockAhead
    const nanos = () => BigInt(Math.round(millis() * 1e6))
    const monotonic = () => BigInt(Math.round(simulator.now * 1e6))
    return {
      currentTimeMillisUnsafe: () => Math.floor(millis()),
      currentTimeMillis: Effect.sync(() => Math.floor(millis())),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => {
        const wait = Duration.toMillis(duration)
        if (wait <= 0) return Effect.yieldNow
        if (!Number.isFinite(wait)) return Effect.never
        return Effect.callback((resume) => {
          const cancel = simulator.after(this, wait, () => resume(Effect.void))
          return Effect.sync(cancel)
        })
      }
    }
  }
}
