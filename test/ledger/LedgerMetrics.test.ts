/**
 * What a ledger shows in Effect's metrics: its gauges, and what became of its changes.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import Database from "libsql"
import { Merchant } from "../../src/index.js"
import { fileStore, Ledger } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { type record as makeRecorder, record } from "../support/Recorder.js"
import { inWorld, paid, workOnce } from "./World.js"

const goid = String(LocalGateway.merchant.goid)

type Recorder = ReturnType<typeof makeRecorder>

/** The series of one name: attributes and value. */
const seriesOf = (recorder: Recorder, name: string): ReadonlyArray<Record<string, unknown>> =>
  recorder
    .series()
    .flatMap((series) =>
      series.id === name && (series.type === "Gauge" || series.type === "Counter")
        ? [{ ...series.attributes, value: Number(series.type === "Gauge" ? series.state.value : series.state.count) }]
        : []
    )

describe("the gauges of a ledger", () => {
  it.effect("are set at once, and then as often as is said", () => {
    const recorder = record("None")
    return inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 500 })
        yield* Effect.gen(function* () {
          yield* Layer.build(Ledger.layerMetrics({ every: "10 seconds" }))
          yield* pass("1 second")
          const attributes = { "gopay.goid": goid }
          assert.deepStrictEqual(seriesOf(recorder, "gopay.ledger.sending"), [{ ...attributes, value: 1 }])
          assert.deepInclude(seriesOf(recorder, "gopay.ledger.changes"), {
            ...attributes,
            "gopay.ledger.status": "done",
            value: 1
          })
          yield* ledger.operator.pause
          yield* pass("10 seconds")
          assert.deepStrictEqual(seriesOf(recorder, "gopay.ledger.sending"), [{ ...attributes, value: 0 }])
        }).pipe(Effect.provide(Layer.succeed(Ledger, ledger)), Effect.provide(recorder.layer), Effect.scoped)
      })
    )
  })

  it.effect("set a status that is gone to zero", () => {
    const recorder = record("None")
    return inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        yield* Layer.build(Ledger.layerMetrics())
        yield* pass("1 second")
        yield* ledger.operator.pause
        yield* ledger.refund("a", yield* paid, { amount: 500 }, { waitAtMost: 0 })
        yield* pass("1 minute")
        const queued = () =>
          seriesOf(recorder, "gopay.ledger.changes").filter((series) => series["gopay.ledger.status"] === "queued")
        assert.deepStrictEqual(
          queued().map(({ value }) => value),
          [1]
        )
        yield* ledger.operator.resume
        yield* ledger.runOnce()
        yield* pass("1 minute")
        assert.deepStrictEqual(
          queued().map(({ value }) => value),
          [0]
        )
      }).pipe(Effect.provide(Layer.succeed(Ledger, ledger)), Effect.provide(recorder.layer), Effect.scoped)
    )
  })

  it.effect("have all that the alert rules watch, under the names that a collector makes of them", () => {
    const recorder = record("None")
    return inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        yield* ledger.runOnce()
        yield* Layer.build(Ledger.layerMetrics())
        yield* pass("1 second")
        const exported = recorder.series().map(({ attributes, id }) => {
          const { unit } = { unit: undefined, ...attributes }
          return id.replaceAll(".", "_") + (unit === "s" ? "_seconds" : "")
        })
        const rules = readFileSync("docs/alert-rules.yml", "utf8")
        const watched = [...rules.matchAll(/expr: .*?(gopay_ledger_\w+)/g)].map(([, name]) => String(name))
        assert.isNotEmpty(watched)
        assert.includeMembers(exported, watched)
      }).pipe(Effect.provide(Layer.succeed(Ledger, ledger)), Effect.provide(recorder.layer), Effect.scoped)
    )
  })

  it.effect("of two merchants are two series, which have their names", () => {
    const recorder = record("None")
    class Cz extends Merchant.Service<Cz>()("test/Cz") {}
    class Sk extends Merchant.Service<Sk>()("test/Sk") {}
    const other = { ...LocalGateway.merchant, goid: 8_999_999_991 }
    const store = () => fileStore(":memory:", { driver: Database })
    const gauges = Ledger.layerMetrics()
    const ledgers = Layer.merge(
      gauges.pipe(Layer.provide(Cz.over(Ledger.layer({ store: store(), migrate: true })))),
      gauges.pipe(Layer.provide(Sk.over(Ledger.layer({ store: store(), migrate: true }))))
    ).pipe(
      Layer.provide(Layer.merge(Cz.layer(LocalGateway.merchant), Sk.layer(other))),
      Layer.provide(LocalGateway.layer)
    )
    return Effect.gen(function* () {
      yield* Layer.build(ledgers)
      yield* Effect.yieldNow
      const merchants = () => seriesOf(recorder, "gopay.ledger.sending").map((series) => series["gopay.merchant"])
      while (merchants().length < 2) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      assert.sameMembers(merchants(), ["test/Cz", "test/Sk"])
    }).pipe(Effect.provide(recorder.layer), Effect.scoped)
  })

  it.effect("that cannot be read are logged, and read again", () => {
    const recorder = record("Warn")
    const recorded = () => recorder.logs.flatMap(({ message }) => message).map(String)
    return inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        let isAway = true
        const { getMetrics, ...operator } = ledger.operator
        const failing = {
          ...ledger,
          operator: {
            ...operator,
            getMetrics: Effect.suspend(() => (isAway ? Effect.die("the database is away") : getMetrics))
          }
        }
        yield* Layer.build(Layer.provide(Ledger.layerMetrics(), Layer.succeed(Ledger, failing)))
        yield* pass("1 second")
        assert.deepStrictEqual(seriesOf(recorder, "gopay.ledger.sending"), [])
        assert.include(recorded(), "The ledger's gauges were not set")
        isAway = false
        yield* pass("1 minute")
        assert.lengthOf(seriesOf(recorder, "gopay.ledger.sending"), 1)
      }).pipe(Effect.provide(recorder.layer), Effect.scoped)
    )
  })

  it.effect.each([0, -1, Infinity])("refuse %s milliseconds as their pause", (every) =>
    inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const layer = Layer.provide(Ledger.layerMetrics({ every }), Layer.succeed(Ledger, ledger))
        const exit = yield* Effect.exit(Effect.scoped(Layer.build(layer)))
        assert.include(String(Exit.isFailure(exit) && exit.cause), "every: must be a duration above zero")
      })
    )
  )
})

describe("the counter of outcomes", () => {
  it.effect("counts a change when it is decided, and when it is in doubt, whoever finds out", () => {
    const recorder = record("None")
    const counted = () =>
      seriesOf(recorder, "gopay.ledger.outcomes").map((series) => [
        series["gopay.operation"],
        series["gopay.ledger.outcome"],
        series.value
      ])
    return inWorld((world) =>
      Effect.gen(function* () {
        const { ledger, pass } = world
        const id = yield* paid
        yield* ledger.refund("a", id, { amount: 100 })
        yield* ledger.refund("a", id, { amount: 100 })
        assert.deepStrictEqual(counted(), [["refundPayment", "Done", 1]])
        yield* LocalGateway.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
        yield* ledger.refund("b", id, { amount: 200 }, { waitAtMost: 0 })
        yield* workOnce(world, ledger)
        assert.deepInclude(counted(), ["refundPayment", "InDoubt", 1])
        yield* pass("10 minutes")
        yield* workOnce(world, ledger)
        assert.deepInclude(counted(), ["refundPayment", "Done", 2])
        yield* ledger.refund("c", id, { amount: 100_000 }, { waitAtMost: 0 })
        yield* pass("10 minutes")
        yield* workOnce(world, ledger)
        yield* pass("10 minutes")
        yield* workOnce(world, ledger)
        assert.sameDeepMembers(counted(), [
          ["refundPayment", "Done", 2],
          ["refundPayment", "InDoubt", 1],
          ["refundPayment", "Refused", 1]
        ])
        yield* LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
        yield* ledger.refund("d", id, { amount: 300 }, { waitAtMost: 0 })
        yield* workOnce(world, ledger)
        yield* pass("2 days")
        yield* workOnce(world, ledger)
        const { version } = (yield* ledger.operator.getChange("d")) ?? { version: 0 }
        yield* ledger.operator.resolveChange("d", { as: "notDone", by: "Alena", note: "GoPay has none", version })
        assert.deepInclude(counted(), ["refundPayment", "InDoubt", 2])
        assert.deepInclude(counted(), ["refundPayment", "Refused", 2])
      }).pipe(Effect.provide(recorder.layer))
    )
  })
})
