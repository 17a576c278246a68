/**
 * The table of mishaps that each duty of a ledger is held against: a row is done once, and what stops it stops nothing else.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AttentionItem } from "../../src/ledger/index.js"
import { captureLog } from "../support/LogGuard.js"
import type { DutyScene, Services } from "./DutyScenes.js"
import { inWorld, type World } from "./World.js"

const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
})

/** Waits until something shows. The limit of the world ends a test in which it does not. */
const until = <E, R>(shows: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.flatMap(shows, (does) => (does ? Effect.void : Effect.andThen(settled, until(shows))))

/** What the duty does when it acts, by how often it has acted before. */
type Act = (before: number) => Effect.Effect<unknown>

interface Given {
  readonly world: World
  readonly scene: Effect.Success<ReturnType<DutyScene["begin"]>>
  readonly acted: () => number
  readonly told: ReadonlyArray<AttentionItem>
}

/** Runs a test of a duty whose rows are due. */
const run = <E>({ begin }: DutyScene, act: Act, test: (given: Given) => Effect.Effect<void, E, Services>) =>
  inWorld((world) =>
    Effect.gen(function* () {
      captureLog(/./)
      let acted = 0
      const told: Array<AttentionItem> = []
      const scene = yield* Effect.orDie(
        begin(
          world,
          Effect.suspend(() => act(acted++)),
          told
        )
      )
      yield* Effect.orDie(test({ world, scene, acted: () => acted, told }))
    })
  )

/** Runs of other processes until all is done, for some minutes at most. */
const finished = ({ scene, world }: Given, rows: number) =>
  Effect.gen(function* () {
    const other = yield* scene.makeProcess()
    for (let minute = 0; minute < 15 && (yield* scene.done) < rows; minute++) {
      yield* world.pass("1 minute")
      yield* other.runOnce()
    }
    assert.strictEqual(yield* scene.done, rows)
  })

/** What is so of each duty, whatever it does. */
export const describeDuty = (duty: DutyScene): void => {
  describe(`a duty: ${duty.name}`, () => {
    it.effect("whose process is killed in its act is gone on with by another one", () => {
      let kill = Effect.void
      return run(
        duty,
        (before) =>
          before === 0
            ? Effect.andThen(
                Effect.suspend(() => kill),
                Effect.never
              )
            : Effect.void,
        (given) =>
          Effect.gen(function* () {
            const { scene } = given
            const dying = yield* scene.makeProcess()
            // What another row is at then is not certain.
            kill = Effect.andThen(until(Effect.map(scene.done, (done) => done === duty.rows - 1)), dying.kill)
            yield* Effect.forkDetach(Effect.ignore(dying.runOnce()))
            yield* dying.killed
            yield* finished(given, duty.rows)
          })
      )
    })

    it.effect("that dies for one row does all others in the same run, and that row later", () =>
      run(
        duty,
        (before) => (before === 0 ? Effect.die(new Error("It dies.")) : Effect.void),
        (given) =>
          Effect.gen(function* () {
            const { acted, scene } = given
            const shop = yield* scene.makeProcess()
            yield* shop.runOnce()
            assert.isAtLeast(yield* scene.done, duty.rows - 1)
            assert.isAtLeast(acted(), duty.rows)
            yield* finished(given, duty.rows)
          })
      )
    )

    it.effect("that hangs for one row holds up no other one, and no other duty", () =>
      run(
        duty,
        (before) => (before === 0 ? Effect.never : Effect.void),
        ({ scene }) =>
          Effect.gen(function* () {
            yield* scene.witness?.begin ?? Effect.void
            const shop = yield* scene.makeProcess()
            yield* Effect.forkDetach(Effect.ignore(shop.runOnce()))
            yield* until(Effect.map(scene.done, (done) => done === duty.rows - 1))
            yield* until(scene.witness?.isDone ?? Effect.succeed(true))
            yield* shop.kill
          })
      )
    )

    // The ledger itself has no row, and that of a wake has nothing to be read.
    if (duty.rows > 1 && duty.isReadAlways !== true) {
      it.effect("one row of which cannot be read does all others, and that is reported once", () =>
        run(
          duty,
          () => Effect.void,
          ({ scene, told, world }) =>
            Effect.gen(function* () {
              yield* scene.spoil ?? Effect.void
              const shop = yield* scene.makeProcess()
              for (let minute = 0; minute < 3; minute++) {
                yield* shop.runOnce()
                yield* world.pass("1 minute")
              }
              assert.strictEqual(yield* scene.done, duty.rows - 1)
              assert.lengthOf(
                told.filter(({ kind }) => kind === "UnreadableRow"),
                1
              )
            })
        )
      )
    }

    it.effect("does nothing with rows that another process has taken since they were read", () =>
      run(
        duty,
        () => Effect.void,
        ({ acted, scene }) =>
          Effect.gen(function* () {
            const other = yield* scene.makeProcess()
            const late = yield* scene.makeProcess(Effect.ignore(other.runOnce()))
            assert.strictEqual(yield* late.runOnce(), 0)
            assert.strictEqual(yield* scene.done, duty.rows)
            assert.strictEqual(acted(), duty.rows)
          })
      )
    )

    it.effect("begins nothing when the budget is over, and the next run goes on", () => {
      let pass: World["pass"] | undefined
      return run(
        duty,
        () => Effect.suspend(() => pass?.("5 seconds") ?? Effect.void),
        (given) =>
          Effect.gen(function* () {
            const { acted, scene, world } = given
            const shop = yield* scene.makeProcess()
            yield* shop.runOnce({ budget: 0 })
            assert.strictEqual(acted(), 0)
            pass = world.pass
            yield* shop.runOnce({ budget: "1 second" })
            assert.isAtMost(acted(), duty.places)
            pass = undefined
            yield* finished(given, duty.rows)
          })
      )
    })

    it.effect("that is closed ends what it has begun, and begins nothing more", () => {
      const gate = Deferred.makeUnsafe<void>()
      return run(
        duty,
        () => Deferred.await(gate),
        (given) =>
          Effect.gen(function* () {
            const { acted, scene } = given
            const shop = yield* scene.makeProcess()
            const work = yield* Effect.forkChild(Effect.ignore(shop.runOnce()))
            const places = Math.min(duty.places, duty.rows)
            yield* until(Effect.sync(() => acted() === places))
            const closing = yield* Effect.forkChild(shop.close)
            yield* settled
            assert.isUndefined(closing.pollUnsafe())
            yield* Deferred.succeed(gate, undefined)
            yield* Fiber.join(closing)
            yield* Fiber.await(work)
            assert.strictEqual(acted(), places)
            assert.strictEqual(yield* scene.done, places)
            yield* finished(given, duty.rows)
          })
      )
    })
  })
}
