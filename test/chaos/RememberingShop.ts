/**
 * A shop without the ledger that makes changes while all kinds of things go wrong, and remembers the outcome that it
 * got for each.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Client from "../../src/index.js"
import { existsSync, readFileSync } from "node:fs"
import { dice } from "./HostileResponse.js"
import { type PreparedChange, prepareChange } from "../support/PreparedChange.js"
import { PlannedChange } from "./Plan.js"

/**
 * What the shop knows of a change: `done` and `notDone` are definite. `why` is the reason of the error, what was found
 * out later, or how the call ended.
 */
export const Told = Schema.Struct({
  outcome: Schema.Literals(["done", "notDone", "undecided"]),
  why: Schema.String
})
export type Told = typeof Told.Type

/** What the shop remembers of a change. */
export interface Remembered {
  readonly change: PlannedChange
  readonly record: Client.ChangeRecord
  readonly told: Told
}

/** What the shop puts down, so that it outlives it. */
export interface Notebook {
  readonly begins: (change: PlannedChange, record: Client.ChangeRecord) => void
  readonly told: (change: PlannedChange, told: Told) => void
}

const attempts = 20

/** A response with an unknown result means accepted, not done: it may still fail. */
const toldBy = (answer: unknown): Told =>
  Predicate.hasProperty(answer, "result") && answer.result !== "FINISHED" && answer.result !== "ACCEPTED"
    ? { outcome: "undecided", why: "unknown result" }
    : { outcome: "done", why: "success" }

/**
 * Makes a change again for as long as its error says that this is safe: a definite answer to it holds for all attempts.
 */
const insist = (call: PreparedChange["call"], left = attempts): Effect.Effect<Told, never, Client.Gateway> =>
  Effect.matchEffect(call, {
    onSuccess: (answer) => Effect.succeed(toldBy(answer)),
    onFailure: ({ reason }) =>
      reason.isRetryable && left > 1
        ? insist(call, left - 1)
        : Effect.succeed<Told>({
            outcome: reason._tag === "OutcomeUnknown" ? "undecided" : "notDone",
            why: reason._tag
          })
  })

/** Lets a call run for a while, and interrupts it if it has not ended. */
const interruptAfter = (turns: number, call: Effect.Effect<Told, never, Client.Gateway>) =>
  Effect.gen(function* () {
    let isInDoubt = false
    const fiber = yield* Effect.forkChild(
      Effect.provideService(call, Client.OnUnknownOutcome, () => Effect.sync(() => (isInDoubt = true)))
    )
    for (let turn = 0; turn < turns && fiber.pollUnsafe() === undefined; turn++) yield* Effect.yieldNow
    yield* Fiber.interrupt(fiber)
    const exit = yield* Fiber.await(fiber)
    if (Exit.isSuccess(exit)) return exit.value
    if (!Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
    const told: Told = { outcome: isInDoubt ? "undecided" : "notDone", why: "interrupted" }
    return told
  })

/** What is found out of a change: what cannot be read now is left as it is, what is pending may still fail. */
export type Found = Client.Reconciliation["_tag"] | "unread" | "pending"

/** Finds out what became of a change. */
export const lookFor = (record: Client.ChangeRecord): Effect.Effect<Found, never, Client.Gateway> =>
  Effect.match(Client.reconcile(record), {
    onSuccess: (found): Found => (found._tag === "Happened" && found.isPending ? "pending" : found._tag),
    onFailure: (): Found => "unread"
  })

/** What the shop concludes from what was found. `StateReached` names no author, so that it decides nothing. */
export const concluded = (found: string): Told => ({
  outcome: found === "Happened" ? "done" : found === "DidNotHappen" ? "notDone" : "undecided",
  why: found
})

const order = { callback: { return_url: "https://shop.example/return" } }

/** Makes a change, reconciles it if its outcome is unknown, and returns what is known then. */
const make = (change: PlannedChange, seed: number, isOnlyWriter: boolean, notebook: Notebook) =>
  Effect.gen(function* () {
    const { below, pick } = dice(seed * 31 + change.index)
    const refundsBefore =
      change.operation === "refundPayment"
        ? Result.getOrUndefined(yield* Effect.result(Client.getPaymentRefunds(change.id)))
        : undefined
    const sentAt = new Date(yield* Clock.currentTimeMillis)
    const { call, record } = prepareChange({ ...change, order }, { sentAt, refundsBefore, isOnlyWriter })
    notebook.begins(change, record)
    const insisted = insist(call)
    const told = yield* below(6) === 0 ? interruptAfter(pick(2, 10, 30, 100), insisted) : insisted
    const known = told.outcome === "undecided" ? concluded(yield* lookFor(record)) : told
    notebook.told(change, known)
    return { change, record, told: known }
  })

/** Makes changes one after another; no one else refunds their payment while there are several. */
export const makeInTurn = (task: ReadonlyArray<PlannedChange>, seed: number, notebook: Notebook) =>
  Effect.gen(function* () {
    const made: Array<Remembered> = []
    for (const change of task) {
      const isOnlyWriter = task.length > 1 && made.every(({ told }) => told.outcome !== "undecided")
      made.push(yield* make(change, seed, isOnlyWriter, notebook))
    }
    return made
  })

// ---------------------------------------------------------------------------------------------------------------------

/** A line of the notebook that is kept in a file: a change that is about to be sent, or the outcome of one. */
const NotebookLine = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ change: PlannedChange, record: Client.ChangeRecord }),
    Schema.Struct({ index: Schema.Int, told: Told })
  ])
)

const decodeLine = Schema.decodeUnknownSync(NotebookLine)

const forgotten: Told = { outcome: "undecided", why: "killed" }

/** What a notebook in a file says. A change without an outcome is undecided. */
export const readNotebook = (path: string): ReadonlyArray<Remembered> => {
  const remembered = new Map<number, Remembered>()
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : []
  for (const line of lines) {
    // The last one may be cut off by the kill.
    if (!line.endsWith("}")) continue
    const entry = decodeLine(line)
    if ("record" in entry) {
      remembered.set(entry.change.index, { ...entry, told: forgotten })
    } else {
      const known = remembered.get(entry.index)
      if (known !== undefined) remembered.set(entry.index, { ...known, told: entry.told })
    }
  }
  return [...remembered.values()]
}
