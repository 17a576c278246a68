/**
 * The one loop over all duties, with duties that the ledger does not have.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as Agenda from "../../src/ledger/agenda/Agenda.js"
import type { Duty } from "../../src/ledger/agenda/Duty.js"
import * as InFlight from "../../src/ledger/process/InFlight.js"
import { type StoreError, unavailable } from "../../src/ledger/store/Database.js"
import { captureLog } from "../support/LogGuard.js"

const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate)
})

const second = Duration.seconds(1)
const budget = Duration.seconds(20)

/** Rows in memory: one is due until it is done. */
const duty = (
  inFlight: InFlight.InFlight,
  due: Set<string>,
  settings: Partial<Duty<string, string, StoreError>> = {}
): Duty<string> => ({
  name: "the rows that are due",
  due: (wanted) => Effect.sync(() => ({ rows: [...due].slice(0, wanted), unreadable: [] })),
  nameOf: (row) => row,
  take: (row) => Effect.succeed(due.has(row) ? Option.some(row) : Option.none()),
  act: (row) => Effect.sync(() => due.delete(row)),
  failed: (row) => `The row ${row} failed`,
  places: inFlight.places(2),
  pause: second,
  ...settings
})

/** An agenda, and the duties that have died and not worked since. */
const made = Effect.gen(function* () {
  const inFlight = yield* InFlight.make
  const dead = new Set<string>()
  const reports: Array<string> = []
  const agenda = Agenda.make({
    inFlight,
    ready: Effect.void,
    deaths: {
      has: (name) => dead.has(name),
      report: (name) =>
        Effect.sync(() => {
          reports.push(name)
          dead.add(name)
        }),
      end: (name) => void dead.delete(name)
    },
    onUnreadable: () => Effect.void
  })
  return { agenda, inFlight, reports }
})

const letters = ["a", "b", "c", "d", "e"]

describe("a run", () => {
  it.effect("looks again while rows are done, and counts them", () =>
    Effect.gen(function* () {
      const { agenda, inFlight } = yield* made
      const [first, then] = [new Set(letters), new Set<string>()]
      const works = [
        agenda.work(duty(inFlight, then, { name: "what follows", nameOf: (row) => `then ${row}` })),
        agenda.work(
          duty(inFlight, first, { act: (row) => Effect.sync(() => first.delete(row) && then.add(row).size > 0) })
        )
      ]
      assert.strictEqual(yield* agenda.runOnce(works, budget), 10)
      assert.deepStrictEqual([first.size, then.size], [0, 0])
      assert.strictEqual(yield* agenda.runOnce(works, budget), 0)
    })
  )

  it.effect("does not begin again with a row that has failed in it, though that is due", () =>
    Effect.gen(function* () {
      captureLog(/^The row a failed/)
      const { agenda, inFlight } = yield* made
      const due = new Set(letters)
      let taken = 0
      const work = agenda.work(
        duty(inFlight, due, {
          take: (row) =>
            row === "a" ? Effect.suspend(() => (taken++, Effect.fail(unavailable("away")))) : Effect.succeedSome(row)
        })
      )
      assert.strictEqual(yield* agenda.runOnce([work], budget), 4)
      assert.strictEqual(taken, 1)
      assert.strictEqual(yield* agenda.runOnce([work], budget), 0)
      assert.strictEqual(taken, 2)
    })
  )

  it.effect("does what others have to do when a duty cannot read what is due, and then fails with that", () =>
    Effect.gen(function* () {
      captureLog(/^The ledger waits/)
      const { agenda, inFlight } = yield* made
      const due = new Set(letters)
      let reads = 0
      const works = [
        agenda.work(
          duty(inFlight, new Set(), {
            name: "one that fails",
            due: () => Effect.suspend(() => (reads++, Effect.fail(unavailable("The table is gone."))))
          })
        ),
        agenda.work(duty(inFlight, due))
      ]
      const failure = yield* Effect.flip(agenda.runOnce(works, budget))
      assert.strictEqual(failure.message, "The table is gone.")
      assert.deepStrictEqual([due.size, reads], [0, 1])
    })
  )

  it.effect("ends with its budget while a table is locked, and has done what others had to do", () =>
    Effect.gen(function* () {
      const { agenda, inFlight } = yield* made
      const due = new Set(letters)
      const works = [
        agenda.work(duty(inFlight, new Set(), { name: "one that waits", due: () => Effect.never })),
        agenda.work(duty(inFlight, due))
      ]
      const run = yield* Effect.forkChild(agenda.runOnce(works, budget))
      yield* settled
      assert.strictEqual(due.size, 0)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* Fiber.join(run), 5)
    })
  )

  it.effect("waits beyond its budget for what it has begun, and for nothing else", () =>
    Effect.gen(function* () {
      const { agenda, inFlight } = yield* made
      const gate = yield* Deferred.make<void>()
      const due = new Set(letters)
      const work = agenda.work(duty(inFlight, due, { act: (row) => Effect.as(Deferred.await(gate), due.delete(row)) }))
      const run = yield* Effect.forkChild(agenda.runOnce([work], budget))
      yield* settled
      yield* TestClock.adjust("30 seconds")
      assert.isUndefined(run.pollUnsafe())
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(run), 2)
    })
  )

  it.effect("looks once by a watch, which is not counted", () =>
    Effect.gen(function* () {
      const { agenda, inFlight } = yield* made
      const due = new Set(letters)
      let looks = 0
      const works = [
        agenda.work(
          duty(inFlight, new Set(), {
            name: "a watch",
            isWatch: true,
            due: () => Effect.sync(() => ({ rows: looks++ === 0 ? ["seen"] : [], unreadable: [] })),
            take: Effect.succeedSome
          })
        ),
        agenda.work(duty(inFlight, due))
      ]
      assert.strictEqual(yield* agenda.runOnce(works, budget), 5)
      assert.strictEqual(looks, 1)
    })
  )
})

describe("a duty that is woken", () => {
  it.effect("gives a row that hangs one place, however often that is found due", () =>
    Effect.gen(function* () {
      const { agenda, inFlight } = yield* made
      const due = new Set(["a"])
      const gate = yield* Deferred.make<void>()
      const act = (row: string) =>
        Effect.andThen(
          row === "a" ? Deferred.await(gate) : Effect.void,
          Effect.sync(() => due.delete(row))
        )
      const work = agenda.work(duty(inFlight, due, { act }))
      yield* work.wake
      yield* work.wake
      yield* settled
      due.add("b")
      yield* work.wake
      yield* settled
      assert.deepStrictEqual([...due], ["a"])
      yield* Deferred.succeed(gate, undefined)
      yield* settled
    })
  )
})

describe("a worker", () => {
  it.effect("does all of a duty while another one dies, and reports that again when it has worked meanwhile", () =>
    Effect.gen(function* () {
      captureLog(/^The ledger's worker failed/)
      const { agenda, inFlight, reports } = yield* made
      const due = new Set<string>()
      let isOdd = true
      const works = [
        agenda.work(
          duty(inFlight, new Set(), {
            name: "one that dies",
            due: () => (isOdd ? Effect.die(new Error("It dies.")) : Effect.succeed({ rows: [], unreadable: [] }))
          })
        ),
        agenda.work(duty(inFlight, due))
      ]
      const worker = yield* Effect.forkChild(agenda.runWorker(works))
      const passed = Effect.andThen(settled, TestClock.adjust("1 second"))
      for (const row of letters) {
        due.add(row)
        yield* passed
        yield* settled
        assert.strictEqual(due.size, 0)
      }
      const count = reports.length
      isOdd = false
      yield* passed
      yield* passed
      isOdd = true
      yield* passed
      yield* passed
      assert.isAbove(reports.length, count)
      yield* Fiber.interrupt(worker)
    })
  )

  it.effect("that is interrupted while rows wait for a place leaves these to the next one", () =>
    Effect.gen(function* () {
      const { agenda, inFlight } = yield* made
      const gate = yield* Deferred.make<void>()
      const due = new Set(letters)
      const work = agenda.work(duty(inFlight, due, { act: (row) => Effect.as(Deferred.await(gate), due.delete(row)) }))
      const worker = yield* Effect.forkChild(agenda.runWorker([work]))
      yield* settled
      yield* Fiber.interrupt(worker)
      yield* Deferred.succeed(gate, undefined)
      yield* settled
      assert.strictEqual(due.size, 3)
      assert.strictEqual(yield* agenda.runOnce([work], budget), 3)
    })
  )
})
