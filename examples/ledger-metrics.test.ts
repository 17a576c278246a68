import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Metric } from "effect"
import { Gateway } from "effect-gopay"
import { fileStore, Ledger } from "effect-gopay/ledger"
import { LocalGateway } from "effect-gopay/local-gateway"
import Database from "libsql"
import { ledgerOver } from "./ledger-metrics.js"

const registry: Metric.MetricRegistry = new Map()

const gauges = () =>
  new Map(
    Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).flatMap((series) =>
      series.type === "Gauge" ? [[series.id, series.state.value] as const] : []
    )
  )

const LedgerTest = ledgerOver(fileStore(":memory:", { driver: Database })).pipe(
  Layer.provide(Gateway.layer(LocalGateway.merchant)),
  Layer.provide(LocalGateway.layer)
)

it.live("shows what an operator has to know", () =>
  Effect.gen(function* () {
    yield* Ledger
    while (!gauges().has("gopay.ledger.sending")) yield* Effect.yieldNow
    assert.strictEqual(gauges().get("gopay.ledger.sending"), 1)
    assert.strictEqual(gauges().get("gopay.ledger.attention_items"), 0)
  }).pipe(Effect.provide(LedgerTest), Effect.provideService(Metric.MetricRegistry, registry))
)
