/**
 * What is wrong with a shop's ledger, and what to do.
 */
import type { LedgerHealth, LedgerMetrics } from "../ledger/model/LedgerHealth.js"
import type { OpenLedger } from "./withLedger.js"
import { minute } from "../contract/Milliseconds.js"

/** Why nothing is sent, where the tables can be read all the same. */
const countable: ReadonlySet<LedgerHealth["reason"]> = new Set(["Paused", "GatewayAway", "AnotherDatabase"])

/** How a ledger is. Without tables there is nothing to count. */
export const readLedger = async (ledger: OpenLedger) => {
  const health = await ledger.getHealth()
  const canCount = health.isSending || countable.has(health.reason)
  return { health, metrics: canCount ? await ledger.getMetrics() : undefined }
}

const named = " If it is this shop's own, name its installation: --installation, or GOPAY_INSTALLATION."

/** What is wrong, and what to do. */
export const ledgerFindings = (
  { isSending, message, reason }: LedgerHealth,
  metrics: LedgerMetrics | undefined,
  now: number
): ReadonlyArray<string> => {
  const found: Array<string> = isSending
    ? []
    : [`Nothing is sent. ${message.replace(/ Nothing is sent\.$/, "")}${reason === "OtherInstallation" ? named : ""}`]
  if (metrics === undefined) return found
  const { attention, changes, due, lastTick, oldestDueMillis, untold } = metrics
  const silence = lastTick === undefined ? undefined : Math.floor((now - Date.parse(lastTick)) / minute)
  if (silence === undefined) {
    found.push("No worker has ever run. Call startWorker() in the shop's processes, or runOnce() in a cron job.")
  } else if (silence > 10) {
    found.push(`The last worker ran ${silence} minutes ago. Is the shop's worker process running?`)
  }
  if (oldestDueMillis > 5 * minute) {
    found.push(
      `${due} steps are due, the oldest for ${Math.floor(oldestDueMillis / minute)} minutes. More workers, or a higher concurrency or readsPerSecond, make them sooner.`
    )
  }
  if (attention > 0) found.push(`${attention} changes or payments need an operator. See: effect-gopay ledger list.`)
  if (untold > 0) found.push(`${untold} outcomes wait for onChange. Does it fail? Its errors are in the shop's log.`)
  const { unknown = 0 } = changes
  if (unknown > 0) {
    found.push(
      `${unknown} changes were sent and their outcome is unknown. They are searched for; send none again by hand.`
    )
  }
  return found
}
