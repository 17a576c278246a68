/**
 * Keeps everything that a program reports: spans, metrics and log messages.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

export interface LogLine {
  readonly level: LogLevel
  readonly message: unknown
  readonly annotations: Readonly<Record<string, unknown>>
  /** The name of the span that it was logged in. */
  readonly span: string | undefined
}

/** A recorder, and the layer that makes a program tell it everything from the given level on. */
export const record = (level: LogLevel = "Debug") => {
  const spans: Array<Tracer.NativeSpan> = []
  const logs: Array<LogLine> = []
  const registry: Metric.MetricRegistry = new Map()
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
    const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
    logs.push({
      level: logLevel,
      message,
      annotations: fiber.getRef(References.CurrentLogAnnotations),
      span: span?._tag === "Span" ? span.name : undefined
    })
  })
  return {
    spans,
    logs,
    /** The attributes of each span of an operation. */
    attributesOf: (operation: string): ReadonlyArray<Record<string, unknown>> =>
      spans.flatMap(({ attributes, name }) => (name === `gopay.${operation}` ? [Object.fromEntries(attributes)] : [])),
    /** Every series of every metric. */
    series: () => Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)),
    /** The counters, each as `name operation outcome`. */
    counters: (): Record<string, unknown> =>
      Object.fromEntries(
        Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).flatMap((series) =>
          series.type === "Counter"
            ? [[[series.id, ...Object.values(series.attributes ?? {})].join(" "), series.state.count]]
            : []
        )
      ),
    layer: Layer.mergeAll(
      Layer.succeed(Tracer.Tracer, tracer),
      Layer.succeed(Metric.MetricRegistry, registry),
      Layer.succeed(References.MinimumLogLevel, level),
      Logger.layer([logger, Logger.tracerLogger])
    )
  }
}
