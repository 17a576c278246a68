/**
 * The merchant of a call, in its span, its log messages and its metrics.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import type { GatewayId } from "../../contract/Messages.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"

/** The attributes of spans and log messages; `id` is that of the `Merchant.Service`, if there is one. */
export const merchantAttribute = (goid: GatewayId, id?: string): Readonly<Record<string, string>> => ({
  "gopay.goid": String(goid),
  ...(id === undefined ? undefined : metricAttribute(id))
})

/** The id of the `Merchant.Service` that a gateway is built for. */
export const MerchantId: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "effect-gopay/MerchantId",
  {
    defaultValue: () => undefined
  }
)

/** What is done with the settings of a gateway that is built for a `Merchant.Service`. */
export const OnMerchantBuilt: Context.Reference<
  (settings: GatewaySettings) => Effect.Effect<void, never, Scope.Scope>
> = Context.Reference<(settings: GatewaySettings) => Effect.Effect<void, never, Scope.Scope>>(
  "effect-gopay/OnMerchantBuilt",
  { defaultValue: () => () => Effect.void }
)

/**
 * The attribute of metrics: the merchant's name in the program, not its GoID, since the GoIDs of a platform would
 * multiply the series.
 */
const metricAttribute = (id: string) => ({ "gopay.merchant": id })

/** The context of a call with its merchant among the attributes of metrics, whichever program makes the call. */
export const measuredFor = (id: string | undefined, context: Context.Context<never>): Context.Context<never> =>
  id === undefined
    ? context
    : Context.add(context, Metric.CurrentMetricAttributes, {
        ...Context.get(context, Metric.CurrentMetricAttributes),
        ...metricAttribute(id)
      })
