/**
 * The state of a ledger as gauges.
 */
import type { LedgerHealth, LedgerMetrics } from "../model/Lists.js"

export interface Gauge {
  /** Without the prefix of the ledger and without the unit. */
  readonly name: string
  readonly unit?: "seconds"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

interface Sample {
  readonly status?: string
  readonly reason?: string
  readonly value: number
}

/** The gauges of `getMetrics` and `getHealth`. `docs/alert-rules.yml` and `docs/observability.md` have their names. */
export const gaugesOf = (metrics: LedgerMetrics, { isSending, reason }: LedgerHealth): ReadonlyArray<Gauge> => {
  const { attention, changes, due, lastTick, oldestDueMillis, payments, unreported } = metrics
  return [
    {
      name: "sending",
      help: "1 when changes are sent, 0 with the reason when they are not.",
      samples: [isSending || reason === undefined ? { value: isSending ? 1 : 0 } : { reason, value: 0 }]
    },
    { name: "changes", help: "Changes by their status.", samples: byStatus(changes) },
    { name: "payments", help: "Payments of orders by how far their creation is.", samples: byStatus(payments) },
    { name: "due_steps", help: "Steps and checks that are due.", samples: [{ value: due }] },
    {
      name: "oldest_due",
      unit: "seconds",
      help: "How long the oldest of them has waited.",
      samples: [{ value: oldestDueMillis / 1_000 }]
    },
    {
      name: "attention_items",
      help: "Changes and payments that need an operator.",
      samples: [{ value: attention }]
    },
    { name: "unreported_outcomes", help: "Outcomes that wait for onChange.", samples: [{ value: unreported }] },
    {
      name: "last_tick_timestamp",
      unit: "seconds",
      help: "When a worker ran last, since 1970.",
      samples: lastTick === undefined ? [] : [{ value: Date.parse(lastTick) / 1_000 }]
    }
  ]
}

const byStatus = (counts: Readonly<Record<string, number>>): ReadonlyArray<Sample> =>
  Object.entries(counts).map(([status, value]) => ({ status, value }))
