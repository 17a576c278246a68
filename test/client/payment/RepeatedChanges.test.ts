/**
 * Changes of a local gateway, made again for as long as their errors say that this is safe: none is made twice.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "../../../src/index.js"
import { losableChanges, type Program } from "../../support/LosableChanges.js"
import { type Fate, makeLossyGateway } from "../../support/LossyGateway.js"
import { isThorough } from "../../support/Runs.js"

/** Makes a change again for as long as its error says that this is safe; the last reason, when it never succeeded. */
const insist = (change: Program<unknown>): Effect.Effect<string, never, Client.Gateway> =>
  Effect.matchEffect(change, {
    onSuccess: () => Effect.succeed("success"),
    onFailure: ({ reason }) => (reason.isRetryable ? insist(change) : Effect.succeed(reason._tag))
  })

/** After these the client knows that the change did not arrive. */
const certain: ReadonlyArray<Fate> = ["refused", "limited", "token refused"]
const doubtful: ReadonlyArray<Fate> = ["lost", "late", "answer lost", "answer garbled"]

const pairs = certain.flatMap((first) => [...certain, ...doubtful].map((second) => [first, second]))
const triples = certain.flatMap((first) => pairs.map((others) => [first, ...others]))

/** What is after a doubtful one must not be reached. Every fifth of the long ones has each fate in each place. */
const courses: ReadonlyArray<ReadonlyArray<Fate>> = [
  ...doubtful.map((fate) => [fate]),
  ...pairs,
  ...triples.filter((_, index) => isThorough || index % 5 === 0)
]

describe.each(Object.entries(losableChanges))("%s, made again for as long as its error says so", (_, prepared) => {
  it.effect.each([
    ["replaced by the client", Client.RetryPolicy.standard],
    ["left to the caller", Client.RetryPolicy.none]
  ] as const)("has one effect at most, however requests and answers are lost; a refused token is %s", ([, policy]) => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      for (const course of courses) {
        const { change, effects } = yield* prepared
        const before = { arrived: gateway.arrived(), befallen: gateway.befallen(), effects: yield* effects }
        gateway.next(...course)
        const told = yield* Effect.provideService(insist(change), Client.RetryPolicy, policy)
        yield* Effect.orDie(gateway.arriveLate)
        gateway.forget()
        const arrived = gateway.arrived() - before.arrived
        const story = `${course.join(", ")}: ${told}`
        assert.isAbove(gateway.befallen(), before.befallen, story)
        assert.isAtMost(arrived, 1, story)
        assert.strictEqual((yield* effects) - before.effects, arrived, story)
        if (told === "success") assert.strictEqual(arrived, 1, story)
        else if (told !== "OutcomeUnknown") assert.strictEqual(arrived, 0, story)
      }
    }).pipe(Effect.provide(gateway.layer))
  })
})
