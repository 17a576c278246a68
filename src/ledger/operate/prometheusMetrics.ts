/**
 * The state of a ledger in the text format of Prometheus.
 */
import type { LedgerHealth, LedgerMetrics } from "../model/Lists.js"

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

/**
 * Formats `getMetrics` and `getHealth` for Prometheus (`text/plain; version=0.0.4`), for a route such as `/metrics`.
 * The reason and the statuses are labels; times are in seconds. Alert rules are in `docs/alert-rules.yml`.
 */
export const prometheusMetrics = (metrics: LedgerMetrics, { isSending, reason }: LedgerHealth): string => {
  const { attention, changes, due, lastTick, oldestDueMillis, payments, unreported } = metrics
  const byStatus = (counts: Readonly<Record<string, number>>): ReadonlyArray<Sample> =>
    Object.entries(counts).map(([status, count]) => [{ status }, count])
  const gauge = (name: string, help: string, samples: ReadonlyArray<Sample>): ReadonlyArray<string> =>
    samples.length === 0
      ? []
      : [
          `# HELP gopay_ledger_${name} ${help}`,
          `# TYPE gopay_ledger_${name} gauge`,
          ...samples.map(([labels, value]) => `gopay_ledger_${name}${labelled(labels)} ${value}`)
        ]
  return [
    ...gauge("sending", "1 when changes are sent, 0 with the reason when they are not.", [
      [isSending || reason === undefined ? {} : { reason }, isSending ? 1 : 0]
    ]),
    ...gauge("changes", "Changes by their status.", byStatus(changes)),
    ...gauge("payments", "Payments of orders by how far their creation is.", byStatus(payments)),
    ...gauge("due_steps", "Steps and checks that are due.", [[{}, due]]),
    ...gauge("oldest_due_seconds", "How long the oldest of them has waited.", [[{}, oldestDueMillis / 1_000]]),
    ...gauge("attention_items", "Changes and payments that need an operator.", [[{}, attention]]),
    ...gauge("unreported_outcomes", "Outcomes that wait for onChange.", [[{}, unreported]]),
    ...gauge(
      "last_tick_timestamp_seconds",
      "When a worker ran last, since 1970.",
      lastTick === undefined ? [] : [[{}, Date.parse(lastTick) / 1_000]]
    ),
    ""
  ].join("\n")
}

const labelled = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}
