/**
 * Every operation meets every fault, over sockets, in both styles: what comes of it is what the rules say.
 */
import { Console } from "node:console"
import { Writable } from "node:stream"
import { inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Operation, operations } from "../../src/client/call/Operation.js"
import { GatewayError } from "../../src/promise/index.js"
import { leaksIn } from "../support/PersonalOrder.js"
import { type Addresses, effectsOfRepeating, observe, rows, tokenResponse } from "./Cell.js"
import { type Fault, faults, right } from "./WireFaults.js"
import { runClient } from "../support/Program.js"
import { refusingAddress, startRawGateway, startStallingAddress } from "../support/RawGateway.js"
import { expected, type Name, type Outcome, rules } from "./Rules.js"
import type { Style } from "../support/ClientStyles.js"

const changes = rows.filter(({ kind }) => kind === "change")

let stalling: Awaited<ReturnType<typeof startStallingAddress>> | undefined
let addresses: Addresses = { "refusing address": refusingAddress, "stalling address": "" }

beforeAll(async () => {
  stalling = await startStallingAddress()
  addresses = { ...addresses, "stalling address": stalling.url }
})

afterAll(() => stalling?.[Symbol.asyncDispose]())

/** Runs many cells at once: most of them wait. */
const forAll = <A, B>(items: ReadonlyArray<A>, run: (item: A) => Promise<B>): Promise<ReadonlyArray<B>> =>
  Effect.runPromise(Effect.forEach(items, (item) => Effect.promise(() => run(item)), { concurrency: 100 }))

/** All that can be seen of an error. */
const rendered = (error: unknown): string => {
  let written = ""
  const stream = new Writable({
    write: (chunk, _, done) => {
      written += String(chunk)
      done()
    }
  })
  new Console(stream).error(error)
  return [
    written,
    String(error),
    error instanceof Error ? `${error.message}\n${error.stack}` : "",
    JSON.stringify(error),
    inspect(error),
    // What Node prints of an uncaught error: custom forms are passed over.
    inspect(error, { depth: null, showHidden: true, getters: true, customInspect: false }),
    Cause.pretty(Cause.fail(error))
  ].join("\n")
}

interface Observed {
  readonly fault: Fault
  readonly name: Name
  readonly outcome: Outcome
  readonly strays: number
  readonly error: unknown
}

/** What a code means is worked out above both styles, and seen for each in the first: after that, a few of them do. */
const isCommon = ({ name }: Fault): boolean => !name.startsWith("409 with code") || /(100|303|304|999)$/.test(name)

/**
 * Node's sockets cannot be led elsewhere, and what was given up before it arrived is not counted there: for those that
 * are not made, or stall, there is a table in `test/client/transport`.
 */
const overSockets = faults.filter(
  (fault) => isCommon(fault) && typeof fault.answer === "function" && fault.isStalled === undefined
)

describe.each<[Style | "sockets", ReadonlyArray<Fault>]>([
  ["promise", faults],
  ["Effect", faults.filter(isCommon)],
  ["sockets", overSockets]
])("in the %s style", (style, faults) => {
  let observed: ReadonlyArray<Observed> = []

  beforeAll(async () => {
    const cells = faults.flatMap((fault) => rows.map((row) => ({ row, fault })))
    observed = await forAll(cells, async ({ fault, row }) => ({
      fault,
      name: row.name,
      ...(await observe({ fault, row, style, addresses }))
    }))
  }, 600_000)

  it.each(faults)("$name means to every operation what the rules say", (fault) => {
    const ofFault = observed.filter((cell) => cell.fault === fault)
    expect(Object.fromEntries(ofFault.map(({ name, outcome }) => [name, outcome]))).toEqual(
      Object.fromEntries(rows.map((row) => [row.name, expected(fault.name, row, style)]))
    )
  })

  it("no operation fails for a reason that its type does not list", () => {
    const undeclared = observed.flatMap(({ error, fault, name }) => {
      if (!(error instanceof GatewayError) || name === "getAccessToken") return []
      const operation: Operation<unknown> = operations[name]
      return [error.reason].some(operation.isReason) ? [] : [`${name}, ${fault.name}: ${error.reason._tag}`]
    })
    expect(undeclared).toEqual([])
  })

  it("no change is sent without a token", () => {
    const withoutToken = observed.filter(
      ({ name, outcome }) => name === "getAccessToken" && outcome.reason !== "success"
    )
    expect(withoutToken.length).toBeGreaterThan(50)
    expect(withoutToken.map(({ strays }) => strays)).toEqual(withoutToken.map(() => 0))
  })

  it("no secret is in any rendering of an error", () => {
    const leaks = observed.flatMap(({ error, fault, name }) => {
      const text = error === undefined ? "" : rendered(error)
      return leaksIn(text).map((secret) => `${secret}: ${name}, ${fault.name}`)
    })
    expect(leaks).toEqual([])
  })
})

describe("a process", () => {
  it("prints no secret of errors that no one catches", { timeout: 180_000 }, async () => {
    const cells = rows
      .filter(({ name }) => name === "createPayment")
      .flatMap((row) =>
        faults.flatMap(({ answer, isStalled }) =>
          typeof answer === "function" && isStalled === undefined ? [() => answer(row.answer)] : []
        )
      )
    const gateways = await Promise.all(
      cells.map((answer) =>
        startRawGateway(({ path }) => (path.endsWith("/oauth2/token") ? right(tokenResponse) : answer()))
      )
    )
    // It keeps running after each of them.
    const { errors, output } = await runClient(
      "careless",
      gateways.map(({ url }) => url),
      ["--unhandled-rejections=warn"]
    )
    const printed = output + errors
    await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()))
    expect(printed.split("GatewayError: createPayment: ").length).toBeGreaterThan(cells.length)
    expect(leaksIn(printed)).toEqual([])
  })
})

describe("a loop that repeats while isRetryable", () => {
  it.each(changes)("never has a second effect: $name", { timeout: 180_000 }, async (row) => {
    const repeated = faults.filter(isCommon)
    const effects = await forAll(repeated, (fault) => effectsOfRepeating({ row, fault, style: "promise", addresses }))
    expect(effects).toContain(1)
    const twice = repeated.filter((_, index) => (effects[index] ?? 0) > 1)
    expect(twice.map(({ name }) => name)).toEqual([])
  })
})

describe("the rules", () => {
  it("speak of every fault once", () => {
    expect(rules.flatMap((rule) => rule.faults).sort()).toEqual(faults.map(({ name }) => name).sort())
  })
})
