import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { prometheusMetrics } from "../../src/ledger/promise/index.js"

const metrics = {
  changes: { done: 7, needsOperator: 1 },
  payments: { created: 9 },
  due: 3,
  oldestDueMillis: 1_500,
  attention: 1,
  unreported: 2,
  lastTick: "2026-11-23T12:00:00.000Z"
}

describe("prometheusMetrics", () => {
  it("is in the text format, with statuses as labels and times in seconds", () => {
    const text = prometheusMetrics(metrics, { isSending: true, message: "Changes are sent." })
    expect(text.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
      "gopay_ledger_sending 1",
      'gopay_ledger_changes{status="done"} 7',
      'gopay_ledger_changes{status="needsOperator"} 1',
      'gopay_ledger_payments{status="created"} 9',
      "gopay_ledger_due_steps 3",
      "gopay_ledger_oldest_due_seconds 1.5",
      "gopay_ledger_attention_items 1",
      "gopay_ledger_unreported_outcomes 2",
      `gopay_ledger_last_tick_timestamp_seconds ${Date.UTC(2026, 10, 23, 12) / 1_000}`,
      ""
    ])
    expect(text.match(/^# TYPE \S+ gauge$/gm)).toHaveLength(8)
  })

  it("says why nothing is sent, and leaves out what is not known", () => {
    const { lastTick: _, ...silent } = { ...metrics, changes: {} }
    const text = prometheusMetrics(silent, { isSending: false, reason: "Paused", message: "" })
    expect(text).toContain('gopay_ledger_sending{reason="Paused"} 0\n')
    expect(text).not.toMatch(/last_tick|ledger_changes/)
  })

  it("has every metric that the alert rules name", () => {
    const rules = readFileSync("docs/alert-rules.yml", "utf8")
    const known = new Set(prometheusMetrics(metrics, { isSending: true, message: "" }).match(/gopay_ledger_\w+/g))
    const named = new Set([...rules.matchAll(/expr: .*?(gopay_ledger_\w+)/g)].map(([, name]) => name))
    expect(named.size).toBe(rules.match(/- alert:/g)?.length)
    expect([...named].filter((name) => name === undefined || !known.has(name))).toEqual([])
  })
})
