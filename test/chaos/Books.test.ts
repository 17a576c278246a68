/**
 * Whatever breaks, the outcomes that a shop gets for its changes agree with the gateway's books, and no change is made
 * twice: with real processes and sockets. The simulated ones are in `test/simulation`.
 */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Gateway } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { faultyRequests } from "../support/faultyRequests.js"
import { startProgram } from "../support/Program.js"
import { compare, type Summary } from "./BooksCheck.js"
import { faults } from "./Faults.js"
import { dice } from "./HostileResponse.js"
import { makePlan } from "./Plan.js"
import { isThorough, runs, sayHowToRepeat, seed } from "../support/Runs.js"
import { lookFor, readNotebook, type Remembered } from "./RememberingShop.js"

sayHowToRepeat()

const longest = 3_600_000

const mix = (seed: number) => ({ seed, probability: 0.3, faults })

/**
 * Lets all happen that is still to come, and compares. What is found out is found by another client, as after a crash.
 */
const settle = (gateway: typeof LocalGateway.Service, remembered: ReadonlyArray<Remembered>) =>
  Effect.gen(function* () {
    yield* gateway.disarmFaults()
    yield* gateway.advanceTime(Duration.hours(1))
    const found = yield* Effect.forEach(remembered, (one) =>
      Effect.map(lookFor(one.record), (found) => ({ ...one, found }))
    ).pipe(Effect.provide(Gateway.layer(gateway.merchant)))
    return compare(found, yield* gateway.exportSeed)
  })

/** Sums up several runs, for those who started many; the undecided changes by what was found out about them. */
const report = (kind: string, summaries: ReadonlyArray<Summary>) => {
  if (!isThorough) return
  const undecided = summaries.flatMap((summary) => summary.undecided)
  const sum = (count: (summary: Summary) => number) => summaries.reduce((total, summary) => total + count(summary), 0)
  const list = Object.entries(Array.groupBy(undecided, ({ operation, why }) => `${operation} ${why}`)).map(
    ([name, all]) => `  ${name}: ${all.length}, in the books: ${all.filter(({ effects }) => effects === 1).length}`
  )
  console.log(
    [
      `${kind}: ${sum(({ changes }) => changes)} changes, ${sum(({ done }) => done)} done, ` +
        `${sum(({ notDone }) => notDone)} not done, ${undecided.length} undecided:`,
      ...list.toSorted()
    ].join("\n")
  )
}

// ---------------------------------------------------------------------------------------------------------------------

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "books-"))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A shop in a process of its own; `nextLine` waits until it has put something down, or has ended. */
const startShop = (url: string, seed: number, changes: number) =>
  Effect.promise(async () => {
    const settings = [url, join(folder, "notebook"), String(seed), String(changes)]
    const child = await startProgram(new URL("RememberingShopProcess.ts", import.meta.url), settings)
    const ended = once(child, "exit")
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    return {
      nextLine: Effect.promise(async () => (await lines.next()).done !== true),
      stop: Effect.sync(() => child.kill("SIGSTOP")),
      goOn: Effect.sync(() => child.kill("SIGCONT")),
      kill: Effect.promise(async () => {
        child.kill("SIGKILL")
        await ended
      }),
      exitCode: Effect.promise(async () => {
        await ended
        return child.exitCode
      })
    }
  })

/** A server that keeps its books in a file, so that a restarted one continues with the same state. */
const startServer = (seed: number, changes: number, port: number) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const layer = LocalGateway.layerServer({
      dataFile: join(folder, "books.json"),
      port,
      seed: makePlan(seed, changes).beginning
    })
    const gateway = Context.get(yield* Layer.buildWithScope(layer, scope), LocalGateway)
    yield* gateway.armRandomFaults(mix(seed + port))
    return { gateway, stop: Scope.close(scope, Exit.void) }
  })

/** A round of processes: the seed decides what is done and what goes wrong, the system in which order. */
const roundOfProcesses = (seed: number, changes: number) =>
  Effect.gen(function* () {
    const { below } = dice(seed)
    const count = { kills: 0, restarts: 0, inFlight: 0, faulty: 0 }
    let server = yield* startServer(seed, changes, 0)
    const { url } = server.gateway
    let shop = yield* startShop(url, seed, changes)
    let untilKill = changes / 4 + below(30)
    const countFaulty = Effect.suspend(() =>
      Effect.map(faultyRequests(server.gateway), ({ length }) => {
        count.faulty += length
      })
    )
    for (let line = 1; ; line++) {
      if (!(yield* shop.nextLine)) break
      if (line % (changes / 2) === 0) {
        yield* countFaulty
        yield* server.stop
        server = yield* startServer(seed, changes, Number(new URL(url).port))
        count.restarts++
      } else if (line % 11 === 0) yield* server.gateway.revokeTokens
      if (--untilKill <= 0 && count.kills < changes / 30) {
        yield* shop.stop
        const inFlight = readNotebook(join(folder, "notebook")).filter(({ told }) => told.why === "killed").length
        if (inFlight === 0) {
          yield* shop.goOn
          continue
        }
        yield* shop.kill
        count.kills++
        count.inFlight += inFlight
        untilKill = 20 + below(40)
        shop = yield* startShop(url, seed, changes)
      }
    }
    assert.strictEqual(yield* shop.exitCode, 0)
    yield* countFaulty
    const remembered = readNotebook(join(folder, "notebook"))
    const planned = makePlan(seed, changes).tasks.flat().length
    assert.strictEqual(remembered.length, planned)
    const summary = yield* settle(server.gateway, remembered)
    yield* server.stop
    rmSync(join(folder, "notebook"))
    rmSync(join(folder, "books.json"))
    return { ...summary, ...count }
  }).pipe(Effect.provide(FetchHttpClient.layer))

describe("A shop that is killed and looks into its notebook, at a gateway that is restarted", () => {
  it.live(
    "agrees with the books",
    () =>
      Effect.gen(function* () {
        const all = yield* Effect.all(
          Array.makeBy(Math.ceil(runs / 4000), (round) => roundOfProcesses(seed + round, isThorough ? 100 : 40))
        )
        const kills = all.reduce((sum, one) => sum + one.kills, 0)
        const restarts = all.reduce((sum, one) => sum + one.restarts, 0)
        const inFlight = all.reduce((sum, one) => sum + one.inFlight, 0)
        const faulty = all.reduce((sum, one) => sum + one.faulty, 0)
        report(`${kills} kills, ${inFlight} changes in flight, ${restarts} restarts, ${faulty} faulty requests`, all)
        assert.isAtLeast(kills, all.length)
        assert.isAtLeast(inFlight, all.length)
        assert.isAtLeast(restarts, all.length)
        assert.isAtLeast(faulty, all.length)
      }),
    longest
  )
})
