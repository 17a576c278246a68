/**
 * What spans and metrics show of changes, besides the spans of calls and steps.
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { ChangeOutcome } from "./Outcome.js"

type OutcomeTag = ChangeOutcome["_tag"]

/** Follows the changes that this process begins, moves and decides. Nothing in it fails. */
export interface ChangeWatch {
  /** Remembers the current span as the one in which a change began. */
  readonly begun: (key: string) => Effect.Effect<void>
  /** Links the current span, that of a step, to the one in which the change began, unless it is a part of that trace. */
  readonly link: (key: string) => Effect.Effect<void>
  /** Counts what a change came to, if that is another outcome than before, and logs the end of a doubt. */
  readonly moved: (
    change: { readonly key: string; readonly operation: string; readonly payment_id: string },
    before: OutcomeTag,
    after: OutcomeTag
  ) => Effect.Effect<void>
}

/** How many changes are remembered: those that this process began last. */
const rememberedAtMost = 1_000

const outcomes = Metric.counter("gopay.ledger.outcomes", {
  description: "Changes of a ledger that were decided or are in doubt",
  incremental: true
})

/** Watches the changes of a merchant, whose attributes in spans these are. */
export const watching = (merchant: Readonly<Record<string, string>>): ChangeWatch => {
  const { "gopay.merchant": id } = merchant
  const measured = id === undefined ? outcomes : Metric.withAttributes(outcomes, { "gopay.merchant": id })
  const beginnings = new Map<string, Tracer.ExternalSpan>()
  return {
    begun: (key) =>
      Effect.map(Effect.option(Effect.currentSpan), (found) => {
        if (Option.isNone(found)) return
        const { sampled, spanId, traceId } = found.value
        beginnings.delete(key)
        beginnings.set(key, Tracer.externalSpan({ spanId, traceId, sampled }))
        const [oldest] = beginnings.keys()
        if (beginnings.size > rememberedAtMost && oldest !== undefined) beginnings.delete(oldest)
      }),
    link: (key) =>
      Effect.map(Effect.option(Effect.currentSpan), (found) => {
        const span = beginnings.get(key)
        if (span === undefined || Option.isNone(found) || found.value.traceId === span.traceId) return
        found.value.addLinks([{ span, attributes: {} }])
      }),
    moved: ({ key, operation, payment_id }, before, after) => {
      if (after === before || after === "Pending") return Effect.void
      const series = Metric.withAttributes(measured, { "gopay.operation": operation, "gopay.ledger.outcome": after })
      const counted = Effect.catchCause(Metric.update(series, 1), () => Effect.void)
      if (before !== "InDoubt" || (after !== "Done" && after !== "Refused")) return counted
      const known = Effect.logInfo(`The outcome of a change is known: it was ${after === "Done" ? "made" : "not made"}`)
      return Effect.andThen(
        counted,
        Effect.annotateLogs(known, {
          ...merchant,
          "gopay.operation": operation,
          "gopay.payment_id": payment_id,
          "gopay.ledger.key": key
        })
      )
    }
  }
}

/** Watches nothing: callers with promises have no tracer and no metrics. */
export const unwatched: ChangeWatch = {
  begun: () => Effect.void,
  link: () => Effect.void,
  moved: () => Effect.void
}
