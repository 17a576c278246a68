/**
 * All the ways in which client and ledger are broken on purpose.
 */
import { readFileSync } from "node:fs"
import { ledgerSabotages } from "./LedgerSabotages.js"
import { sceneSabotages } from "./SceneSabotages.js"
import { type Sabotage, sabotages } from "./Sabotages.js"
import { subscriptionSabotages } from "./SubscriptionSabotages.js"

/** A sabotage of subscriptions shows in a year of them, and one of what operators decide in a scene. */
export type AnySabotage = Omit<Sabotage, "mood"> & { readonly mood: Sabotage["mood"] | "subscriptions" | "scenes" }

export const allSabotages: ReadonlyArray<AnySabotage> = [
  ...sabotages,
  ...ledgerSabotages,
  ...subscriptionSabotages.map((sabotage) => ({ ...sabotage, mood: "subscriptions" as const })),
  ...sceneSabotages.map((sabotage) => ({ ...sabotage, mood: "scenes" as const }))
]

/** A sabotage whose text is not there any more, or not alone, would break something else or nothing. */
export const misfitsOf = (sabotages: ReadonlyArray<AnySabotage>): ReadonlyArray<string> =>
  sabotages.flatMap(({ changes, name }) =>
    changes.flatMap(({ file, search }) => {
      const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")
      const places = source.split(search).length - 1
      return places === 1 ? [] : [`${name}: this is ${places} times in src/${file}, and must be there once:\n${search}`]
    })
  )
