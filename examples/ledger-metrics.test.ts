import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Metric } from "effect"
import { Ledger } from "effect-gopay/ledger"
import { TestShop } from "effect-gopay/testing"
import Database from "libsql"
import { LedgerGauges } from "./ledger-metrics.js"

const LedgerTest = Layer.effect(
  Ledger,
  Effect.map(TestShop, ({ ledger }) => ledger)
)

const registry: Metric.MetricRegistry = new Map()

const gauges = () =>
  Object.fromEntries(
    Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).flatMap((series) =>
      series.type === "Gauge" ? [[series.id, series.state.value]] : []
    )
  )

it.effect("shows what an operator has to know", () =>
  Effect.gen(function* () {
    const shop = yield* TestShop
    yield* shop.advance("2 minutes")
    assert.deepInclude(gauges(), { "gopay.ledger.sending": 1, "gopay.ledger.attention_items": 0 })
    assert.isAbove(Number(gauges()["gopay.ledger.last_tick"]), 0)
    yield* shop.ledger.operator.pause
    yield* shop.advance("2 minutes")
    assert.deepInclude(gauges(), { "gopay.ledger.sending": 0 })
  }).pipe(
    Effect.provide(LedgerGauges.pipe(Layer.provide(LedgerTest))),
    Effect.provide(TestShop.layer({ driver: Database, onAttention: () => Effect.void })),
    Effect.provideService(Metric.MetricRegistry, registry)
  )
)
