/**
 * A process is killed before and after each of its statements, under each thing that can go wrong with the request;
 * outside the long check at every fifth of these moments, a different fifth in each story. Another process takes over.
 * Books are judged by key.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { getPayment } from "../../src/index.js"
import type { ChangeOutcome } from "../../src/ledger/index.js"
import { type Fault, type GatewayOperation, LocalGateway, type SettingsChange } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import { faultyRequests } from "../support/faultyRequests.js"
import { everyFifthOf } from "../support/Runs.js"
import { reportedChangesOf, withReportedChanges } from "./ReportedChanges.js"
import { held, inWorld, type KilledStatement, killedStatements, paid, refunded, type TestLedger } from "./World.js"

interface Story {
  readonly name: string
  readonly operation: GatewayOperation
  readonly fault?: Fault
  readonly settings?: SettingsChange
}

const faults: ReadonlyArray<readonly [string, Fault]> = [
  ["the response is lost", { type: "connectionReset", effect: "committed" }],
  ["the request is lost", { type: "connectionReset", effect: "none" }],
  ["it is carried out two hours later", { type: "commitLater", seconds: 7200 }],
  ["it is refused", { type: "refusal" }],
  ["there are too many requests", { type: "rateLimited" }],
  ["the token is refused", { type: "tokenRefused" }]
]

const stories: ReadonlyArray<Story> = [
  { name: "a refund", operation: "refundPayment" },
  ...faults.map(([what, fault]): Story => ({ name: `a refund, and ${what}`, operation: "refundPayment", fault })),
  { name: "a refund that is accepted", operation: "refundPayment", settings: { refund: "acceptedThenFinished" } },
  { name: "a refund that fails later", operation: "refundPayment", settings: { refund: "acceptedThenFailed" } },
  { name: "a capture", operation: "captureAuthorization" },
  ...faults
    .slice(0, 3)
    .map(([what, fault]): Story => ({ name: `a capture, and ${what}`, operation: "captureAuthorization", fault })),
  { name: "a release", operation: "voidAuthorization" },
  {
    name: "a release, and the response is lost",
    operation: "voidAuthorization",
    fault: { type: "connectionReset", effect: "committed" }
  }
]

const ask = (ledger: TestLedger, { operation }: Story, id: number, options?: { readonly waitAtMost: number }) => {
  switch (operation) {
    case "refundPayment":
      return ledger.refund("key", id, { amount: 500 }, options)
    case "captureAuthorization":
      return ledger.capture("key", id, options)
    default:
      return ledger.release("key", id, options)
  }
}

/** How often the gateway has made the change. */
const effects = ({ operation }: Story, id: number) => {
  if (operation === "refundPayment") return Effect.map(refunded(id), ({ length }) => length)
  const goal = operation === "captureAuthorization" ? "CAPTURED" : "CANCELED"
  return Effect.map(getPayment(id), ({ preauthorization }) => (preauthorization?.state === goal ? 1 : 0))
}

const wordOf = (outcome: ChangeOutcome): string => (outcome._tag === "InDoubt" ? "needs an operator" : outcome._tag)

const check = (outcome: ChangeOutcome, count: number): void => {
  const story = JSON.stringify({ outcome, count })
  if (outcome._tag === "Done") assert.strictEqual(count, 1, story)
  else if (outcome._tag === "Refused") assert.strictEqual(count, 0, story)
  else assert.isAtMost(count, 1, story)
}

/** Runs a story with a process that is killed; returns how far it came. */
const tell = (story: Story, killAt: KilledStatement | undefined) =>
  inWorld(
    (world) =>
      Effect.gen(function* () {
        const { pass, sent } = world
        const ledger = yield* withReportedChanges(world)
        const id = yield* story.operation === "refundPayment" ? paid : held
        if (story.fault !== undefined) {
          yield* Effect.orDie(LocalGateway.armFault(story.fault, { operation: story.operation }))
        }
        const process = yield* withReportedChanges(world, { killAt })
        const fiber = yield* Effect.forkChild(
          ask(process, story, id, { waitAtMost: 0 }).pipe(
            Effect.andThen(process.runOnce()),
            Effect.andThen(process.getOutcome("key"))
          )
        )
        const turn = Effect.promise(() => new Promise(setImmediate))
        while (fiber.pollUnsafe() === undefined && !process.isKilled()) yield* turn
        for (let turns = 0; turns < 10; turns++) yield* turn
        const answered = fiber.pollUnsafe()
        const statements = process.statements()
        const wasKilled = process.isKilled()
        yield* process.kill
        yield* Fiber.interrupt(fiber)
        // The shop asks again, as it does when it does not know.
        yield* ask(ledger, story, id, { waitAtMost: 0 })
        for (let step = 0; step < 6; step++) {
          yield* pass("31 seconds")
          yield* ledger.runOnce()
        }
        for (let hours = 0; hours < 52; hours += 6) {
          yield* pass("6 hours")
          yield* ledger.runOnce()
        }
        const outcome = yield* ledger.getOutcome("key")
        if (outcome === undefined) return yield* Effect.die("the key is lost")
        const count = yield* effects(story, id)
        check(outcome, count)
        const reported = yield* reportedChangesOf(world, "key")
        assert.isTrue(reported.at(-1)?.startsWith(wordOf(outcome)), reported.join("; "))
        assert.deepStrictEqual([...new Set(reported)], reported, "told twice")
        const before = answered?._tag === "Success" ? answered.value?._tag : undefined
        if (before === "Done" || before === "Refused") assert.strictEqual(outcome._tag, before, "another answer")
        // An operator is asked only when nothing is to be seen, or the gateway does not date it to when it was sent.
        const isLateRefund = story.fault?.type === "commitLater" && story.operation === "refundPayment"
        if (outcome._tag === "InDoubt") {
          assert.isTrue(outcome.needsOperator)
          assert.isAtMost(count, isLateRefund ? 1 : 0)
        }
        return { statements, sent: sent.length, wasKilled, wentWrong: (yield* faultyRequests(LocalGateway)).length }
      }),
    { settings: story.settings }
  )

describe("a process that is killed", () => {
  it.effect.each(stories.map((story) => [story.name, story] as const))(
    "in %s: no second effect, no wrong answer, no lost key",
    ([, story]) =>
      Effect.gen(function* () {
        // A killed process waits for its store for ever.
        captureLog(/^(The ledger waits|A payment could not be checked)/)
        const whole = yield* tell(story, undefined)
        assert.isAtLeast(whole.statements, 6)
        assert.strictEqual(whole.wentWrong, story.fault === undefined ? 0 : 1)
        let sentOnes = 0
        for (const killAt of everyFifthOf(killedStatements(whole.statements), stories.indexOf(story))) {
          const { sent, wasKilled } = yield* tell(story, killAt)
          assert.isTrue(wasKilled, JSON.stringify(killAt))
          if (sent > 0) sentOnes++
        }
        assert.isAtLeast(sentOnes, 1)
      })
  )
})
