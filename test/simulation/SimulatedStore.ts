/**
 * The store in which the processes of a shop share their tokens: slow, failing, or losing what it has acknowledged.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Persistence from "effect/persistence/Persistence"
import * as Redacted from "effect/Redacted"
import { TokenEncryption } from "../../src/client/call/TokenEncryption.js"
import type { Observation } from "./Observation.js"
import type { Plan } from "./Plan.js"
import type { Process, Simulator } from "./Simulator.js"

/** How a step of it goes. */
interface Step {
  readonly takes: number
  readonly end: "done" | "failed" | "done, and said to have failed" | "never"
}

/** A store for all processes. Its own clock is right. */
export class SimulatedStore {
  isQuiet = false
  outage: { readonly until: number; readonly isSilent: boolean } | undefined
  private readonly simulator: Simulator
  private readonly plan: Plan
  private readonly observation: Observation
  private readonly home: Process
  private readonly entries = new Map<string, { readonly text: string; readonly until: number }>()
  private steps = 0

  /** Its steps happen in a process of their own, `home`. */
  constructor(simulator: Simulator, observation: Observation, plan: Plan, home: Process) {
    this.simulator = simulator
    this.observation = observation
    this.plan = plan
    this.home = home
  }

  /** What a process uses it through. */
  layerFor(process: Process): Layer.Layer<Persistence.Persistence> {
    const backing = Persistence.BackingPersistence.of({
      make: (storeId) =>
        Effect.succeed({
          get: (key) =>
            this.step(process, `get ${storeId}`, () => {
              const entry = this.entries.get(`${storeId} ${key}`)
              const value: unknown =
                entry !== undefined && this.simulator.now < entry.until ? JSON.parse(entry.text) : undefined
              return typeof value === "object" && value !== null ? value : undefined
            }),
          set: (key, value, timeToLive) =>
            this.step(process, `set ${storeId}`, () => {
              const text = JSON.stringify(value)
              for (const [secret, name] of this.observation.secrets) {
                if (text.includes(secret)) this.observation.violate("no secret is shown", `the store was given ${name}`)
              }
              const until = this.simulator.now + (timeToLive === undefined ? Infinity : Duration.toMillis(timeToLive))
              this.entries.set(`${storeId} ${key}`, { text, until })
            }),
          remove: (key) =>
            this.step(process, `remove ${storeId}`, () => {
              this.entries.delete(`${storeId} ${key}`)
            }),
          getMany: () => Effect.die("not used"),
          setMany: () => Effect.die("not used"),
          clear: Effect.die("not used")
        })
    })
    return Layer.provide(Persistence.layer, Layer.succeed(Persistence.BackingPersistence, backing))
  }

  private step<A>(process: Process, name: string, work: () => A): Effect.Effect<A, Persistence.PersistenceError> {
    return Effect.callback((resume) => {
      const { takes, end } = this.fateOf(name)
      if (end !== "done") this.simulator.tell(process, `store: ${name} ${end}`)
      let done: { readonly value: A } | undefined
      this.simulator.after(this.home, takes / 2, () => {
        if (end !== "failed") done = { value: work() }
      })
      if (end === "never") return
      const cancel = this.simulator.after(process, takes, () => {
        resume(end === "done" && done !== undefined ? Effect.succeed(done.value) : Effect.fail(failure))
      })
      return Effect.sync(cancel)
    })
  }

  private fateOf(name: string): Step {
    const { outage, plan, simulator } = this
    const event = `store ${name} ${++this.steps}`
    const chance = simulator.chance(event)
    if (outage !== undefined && simulator.now < outage.until && !this.isQuiet) {
      return { takes: 5, end: outage.isSilent ? "never" : "failed" }
    }
    const prompt = { takes: chance.between(1, 40), end: "done" } as const
    if (this.isQuiet || plan.store === "prompt" || plan.spared.has(event)) return prompt
    this.observation.troubles.add(event)
    if (plan.store === "slow") return { takes: chance.pick(20, 200, 900, 990, 1_500), end: "done" }
    if (chance.percent(60)) return prompt
    const takes = chance.pick(5, 900)
    const end = chance.pick("failed", "done, and said to have failed", "never")
    this.observation.hit(`store: ${end}`)
    return { takes, end }
  }
}

const failure = new Persistence.PersistenceError({
  message: "it failed",
  cause: Object.assign(new Error("connect redis://user:Passw0rd@redis.example"), { code: "ECONNREFUSED" })
})

const hidden = (text: string): string => Array.from(text, (letter) => letter.charCodeAt(0).toString(36)).join(".")

const shown = (text: string): string =>
  text
    .split(".")
    .map((code) => String.fromCharCode(Number.parseInt(code, 36)))
    .join("")

/**
 * Hides what it is given and shows it with the same secret and purpose only, without a promise. It protects nothing.
 */
export const encryption: TokenEncryption = {
  cipher: (secret, salt) => ({
    encrypt: (text, purpose) =>
      Effect.succeed(`${hidden(text)}/${hidden(`${Redacted.value(secret)} ${salt} ${purpose}`)}`),
    decrypt: (encrypted, purpose) => {
      const [text = "", key] = encrypted.split("/")
      return key === hidden(`${Redacted.value(secret)} ${salt} ${purpose}`)
        ? Effect.succeed(shown(text))
        : Effect.fail(new Error("encrypted with another key"))
    }
  })
}

export { TokenEncryption }
