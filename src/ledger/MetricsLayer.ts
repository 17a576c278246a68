/**
 * The state of a ledger as gauges of Effect's metrics.
 */
import type * as Config from "effect/Config"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import { configError } from "../basics/InvalidFields.js"
import type { CallError, LedgerService } from "./model/LedgerService.js"
import { type Gauge, gaugesOf } from "./operate/gauges.js"

/** How the gauges of a ledger are set. */
export interface LedgerMetricsOptions {
  /** How often the tables are read. Default: a minute. */
  readonly every?: Duration.Input | undefined
}

const merchantOfLedger: unique symbol = Symbol("effect-gopay/ledger/Merchant")

/** Attaches the attributes of its merchant to a ledger; a spread copies them. */
export const withMerchant = <Service extends object>(
  service: Service,
  attributes: Readonly<Record<string, string>>
): Service => Object.assign(service, { [merchantOfLedger]: attributes })

const merchantOf = (service: object): Readonly<Record<string, string>> => {
  const attributes = Predicate.hasProperty(service, merchantOfLedger) ? service[merchantOfLedger] : {}
  return Predicate.isObject(attributes)
    ? Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]))
    : {}
}

/**
 * Sets the gauges of a ledger for as long as the layer lives. The reason why nothing is sent is left out: it would make
 * a series of its own, which would stay after the reason is gone.
 */
export const metricsLayer = <Id>(
  ledger: Context.Service<Id, Pick<LedgerService, "operator">>,
  { every = "1 minute" }: LedgerMetricsOptions = {}
): Layer.Layer<never, Config.ConfigError, Id> =>
  Layer.fresh(
    Layer.effectDiscard(
      Effect.gen(function* () {
        const pause = Option.filter(
          Duration.fromInput(every),
          (time) => Duration.isFinite(time) && Duration.toMillis(time) > 0
        )
        if (Option.isNone(pause)) {
          return yield* Effect.fail(configError([{ field: "every", message: "must be a duration above zero" }]))
        }
        const service = yield* ledger
        yield* setGauges(service.operator, merchantOf(service)).pipe(
          Effect.catchCause((cause) => Effect.logWarning("The ledger's gauges were not set", cause)),
          Effect.repeat(Schedule.spaced(pause.value)),
          Effect.forkScoped
        )
      })
    )
  )

/** Sets the gauges once. A status that no row has any more is set to zero. */
const setGauges = (
  { getHealth, getMetrics }: LedgerService["operator"],
  merchant: Readonly<Record<string, string>>
): Effect.Effect<void, CallError> => {
  const series = new Map<string, ReturnType<typeof seriesOf>>()
  return Effect.gen(function* () {
    const values = new Map<string, number>()
    for (const gauge of gaugesOf(yield* getMetrics, yield* getHealth)) {
      for (const { status, value } of gauge.samples) {
        const key = `${gauge.name} ${status ?? ""}`
        if (!series.has(key)) series.set(key, seriesOf(gauge, { ...merchant, ...statusAttribute(status) }))
        values.set(key, value)
      }
    }
    for (const [key, metric] of series) yield* Metric.update(metric, values.get(key) ?? 0)
  })
}

const seriesOf = ({ help, name, unit }: Gauge, attributes: Readonly<Record<string, string>>) =>
  Metric.gauge(`gopay.ledger.${name}`, {
    description: help,
    attributes: { ...attributes, ...(unit === undefined ? undefined : { unit: "s" }) }
  })

const statusAttribute = (status: string | undefined) =>
  status === undefined ? undefined : { "gopay.ledger.status": status }
