/**
 * The state of a ledger in the text format of Prometheus.
 */
import type { LedgerHealth, LedgerMetrics } from "../model/Lists.js"
import { type Gauge, gaugesOf } from "./gauges.js"

/**
 * Formats `getMetrics` and `getHealth` for Prometheus (`text/plain; version=0.0.4`), for a route such as `/metrics`.
 * The reason and the statuses are labels; times are in seconds. Alert rules are in `docs/alert-rules.yml`.
 */
export const prometheusMetrics = (metrics: LedgerMetrics, health: LedgerHealth): string =>
  [...gaugesOf(metrics, health).flatMap(written), ""].join("\n")

const written = ({ help, name: short, samples, unit }: Gauge): ReadonlyArray<string> => {
  const name = `gopay_ledger_${short}${unit === undefined ? "" : `_${unit}`}`
  if (samples.length === 0) return []
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(({ value, ...labels }) => `${name}${labelled(labels)} ${value}`)
  ]
}

const labelled = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}
