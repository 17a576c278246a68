/**
 * Charges and subscriptions, broken on purpose: each of these must be noticed in a year of subscriptions.
 */
import type { Sabotage } from "./Sabotages.js"

const steps = "ledger/change/Steps.ts"
const periods = "ledger/subscription/PeriodSteps.ts"
const subscriptions = "ledger/subscription/Subscriptions.ts"

const sabotage = (name: string, file: string, search: string, replace: string) => ({
  name,
  changes: [{ file, search, replace }]
})

export const subscriptionSabotages: ReadonlyArray<Omit<Sabotage, "mood">> = [
  {
    name: "charge a period again while a charge of it is in doubt",
    changes: [
      {
        file: periods,
        search: `if (!isDecided(attempt)) return`,
        replace: `if (attempt.status === "queued" || attempt.status === "accepted") return`
      },
      {
        file: periods,
        search: `if (attempts.some((one) => !isDecided(one))) return yield* postponed(row, hour)`,
        replace: ``
      }
    ]
  },
  sabotage(
    "take a lost charge for one that was refused",
    steps,
    `if (row.status !== "unknown") return { next_at: null }`,
    `return refused("found", "It is lost.")`
  ),
  sabotage(
    "forget how often a period was tried",
    periods,
    `const isLast = row.attempts > retryAfterDays.length`,
    `const isLast = row.attempts > 99`
  ),
  sabotage(
    "tell a period before it has moved",
    subscriptions,
    `move,
      tell: (tx) => onSubscription`,
    `move: () => move(),
      tell: (tx) => onSubscription`
  ),
  sabotage(
    "leave a period when its handler fails",
    periods,
    `if (row.status === "paid") return yield* closed(row)`,
    `if (row.attempts > 0) return yield* closed(row)`
  ),
  sabotage(
    "record each attempt under a key of its own",
    periods,
    `yield* record(key, chargeOf(row, subscription))`,
    `yield* record(\`\${key}\${row.version}\`, chargeOf(row, subscription))`
  ),
  sabotage("charge more than was asked for", periods, `amount: row.amount,`, `amount: row.amount * 9,`)
]
