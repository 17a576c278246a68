/**
 * What is seen of a simulation, as the network, the gateway and the shops tell it. The first violation ends it.
 */
import type { Process, Simulator } from "./Simulator.js"

/** Something that must not be. */
export interface Violation {
  /** The name of the invariant. */
  readonly invariant: string
  readonly what: string
}

/** A call of a shop, and how long it may take. */
export interface CallInProgress {
  readonly name: string
  readonly process: Process
  readonly since: number
  readonly limit: number
  readonly isHurried: boolean
}

/** What the gateway did of a change, in truth. */
interface Truth {
  /** How often it was taken: done, or accepted to be done later. */
  taken: number
  /** It was accepted, and may have failed since. */
  isAccepted: boolean
  /** The payment that it made. */
  id: number | undefined
  /** Whether a shop got "not done" as its outcome. */
  isDenied: boolean
}

/** A state that a payment had from a time on. */
export interface StateSince {
  readonly at: number
  readonly state: string
}

/** What is seen of a simulation. */
export class Observation {
  readonly simulator: Simulator
  readonly violations: Array<Violation> = []
  /** Values that must not be revealed, with a name for each. */
  readonly secrets = new Map<string, string>()
  readonly calls = new Set<CallInProgress>()
  readonly tokenRequests = new Map<Process, number>()
  readonly requestsUnderWay = new Map<Process, number>()
  /** What met with something, by the names of the chances. */
  readonly troubles = new Set<string>()
  /** How often each thing that can go wrong did. */
  readonly hits = new Map<string, number>()
  /** Payments for which a read of the refunds returned the list of another one. */
  readonly misledLists = new Set<string>()
  /** Nothing has gone wrong for a while, and nothing will. */
  isQuiet = false
  callsEnded = 0
  requests = 0
  private readonly changes = new Map<string, Truth>()
  private readonly states = new Map<number, Array<StateSince>>()

  constructor(simulator: Simulator) {
    this.simulator = simulator
  }

  violate(invariant: string, what: string): void {
    this.violations.push({ invariant, what })
    this.simulator.tell({ name: "the judge" }, `${invariant}: ${what}`)
  }

  get isOver(): boolean {
    return this.violations.length > 0
  }

  hit(what: string): void {
    this.hits.set(what, (this.hits.get(what) ?? 0) + 1)
  }

  truthOf(change: string): Truth {
    const truth = this.changes.get(change) ?? { taken: 0, isAccepted: false, id: undefined, isDenied: false }
    this.changes.set(change, truth)
    return truth
  }

  /** What was said of changes that were not taken is forgotten. */
  forgetDenials(): void {
    for (const truth of this.changes.values()) truth.isDenied = false
  }

  stateChanged(paymentId: number, state: string, at = this.simulator.now): void {
    const states = this.states.get(paymentId) ?? []
    states.push({ at, state })
    this.states.set(paymentId, states)
  }

  /** The states that a payment had from a time until now. */
  statesSince(paymentId: number, since: number): ReadonlySet<string> {
    const states = this.states.get(paymentId) ?? []
    return new Set(states.filter((_, index) => (states[index + 1]?.at ?? Infinity) >= since).map(({ state }) => state))
  }

  payments(): ReadonlyArray<number> {
    return [...this.states.keys()]
  }

  /** Whether a payment was there at a time. */
  wasThere(paymentId: number, at: number): boolean {
    return (this.states.get(paymentId)?.[0]?.at ?? Infinity) <= at
  }

  /** Since when a payment has or had a state; `Infinity` if it never had it. */
  firstTimeOf(paymentId: number, state: string): number {
    return this.states.get(paymentId)?.find((one) => one.state === state)?.at ?? Infinity
  }

  lastChangeOf(paymentId: number): StateSince | undefined {
    return this.states.get(paymentId)?.at(-1)
  }

  addSecret(text: string, name: string): void {
    if (text.length >= 6) this.secrets.set(text, name)
  }
}

/** Counts what is under way for each process. */
export const countUp = (counts: Map<Process, number>, process: Process): number => {
  const count = (counts.get(process) ?? 0) + 1
  counts.set(process, count)
  return count
}

export const countDown = (counts: Map<Process, number>, process: Process): void => {
  counts.set(process, (counts.get(process) ?? 0) - 1)
}
