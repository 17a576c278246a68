/**
 * The state of a ledger as gauges of Effect, which `Otlp` of `effect/observability` sends.
 */
import { Effect, Layer, Metric, Schedule } from "effect"
import { Ledger } from "effect-gopay/ledger"

const sending = Metric.gauge("gopay.ledger.sending", { description: "1 when changes are sent, else 0" })
const attention = Metric.gauge("gopay.ledger.attention_items", { description: "Items that need an operator" })
const oldestDue = Metric.gauge("gopay.ledger.oldest_due", {
  description: "How long the oldest due step has waited",
  attributes: { unit: "s" }
})
const unreported = Metric.gauge("gopay.ledger.unreported_outcomes", {
  description: "Outcomes that wait for onChange"
})
const lastTick = Metric.gauge("gopay.ledger.last_tick", {
  description: "When a worker ran last, since 1970",
  attributes: { unit: "s" }
})

const measure = Effect.gen(function* () {
  const { operator } = yield* Ledger
  const health = yield* operator.getHealth
  const metrics = yield* operator.getMetrics
  yield* Metric.update(sending, health.isSending ? 1 : 0)
  yield* Metric.update(attention, metrics.attention)
  yield* Metric.update(oldestDue, metrics.oldestDueMillis / 1_000)
  yield* Metric.update(unreported, metrics.unreported)
  if (metrics.lastTick !== undefined) yield* Metric.update(lastTick, Date.parse(metrics.lastTick) / 1_000)
})

/** Sets the gauges once a minute, for as long as the layer lives. A database that is away is logged. */
export const LedgerGauges = measure.pipe(
  Effect.catchCause((cause) => Effect.logWarning("The ledger's gauges were not set", cause)),
  Effect.repeat(Schedule.spaced("1 minute")),
  Effect.forkScoped,
  Layer.effectDiscard
)
