/**
 * The merchant of a call, in its span, its log messages and its metrics.
 */
import * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import type { GatewayId } from "../../contract/Messages.js"

/** Spans and messages have it. */
export const merchantAttribute = (goid: GatewayId) => ({ "gopay.goid": String(goid) })

/** The id of the `Merchant.Service` that a gateway is built for. */
export const MerchantId: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "effect-gopay/MerchantId",
  {
    defaultValue: () => undefined
  }
)

/** Metrics have the merchant that the program has named, and no GoID: each of a platform would multiply their series. */
export const metricAttribute = (id: string) => ({ "gopay.merchant": id })

/** The context of a call with its merchant among the attributes of metrics, whoever's program makes the call. */
export const measuredFor = (id: string | undefined, context: Context.Context<never>): Context.Context<never> =>
  id === undefined
    ? context
    : Context.add(context, Metric.CurrentMetricAttributes, {
        ...Context.get(context, Metric.CurrentMetricAttributes),
        ...metricAttribute(id)
      })
