/**
 * Static data of the dashboard: the meaning of each setting, and the gateway's codes.
 */
import * as Struct from "effect/Struct"
import { Currencies, PaymentInstruments, PaymentStates, PaymentSubStates } from "../../contract/CodeLists.js"
import * as Endpoint from "../../contract/Endpoint.js"
import { loggedActions } from "./ControlApi.js"
import {
  settingGroups,
  settings,
  strictSettings,
  type LocalGatewaySettings,
  type Setting,
  type SettingsChange
} from "../books/LocalGatewaySettings.js"
import { TestCards } from "../books/TestCards.js"

/** A setting on the dashboard. */
export interface SettingNote {
  readonly name: keyof LocalGatewaySettings
  readonly group: string
  readonly meaning: string
  readonly unit?: "seconds"
  readonly default: Setting["default"]
  /** The possible values, where they are few. */
  readonly choices?: ReadonlyArray<string | number>
}

const groupOf = (name: string): string =>
  Object.entries(settingGroups).find(([, group]) => Object.hasOwn(group, name))?.[0] ?? ""

const settingNotes = Struct.keys(settings).map((name): SettingNote => {
  const { default: byDefault, meaning, ...parameter }: Setting = settings[name]
  return {
    name,
    group: groupOf(name),
    meaning: meaning.replaceAll("`", ""),
    default: byDefault,
    ...("unit" in parameter ? { unit: parameter.unit } : {}),
    ...("choices" in parameter ? { choices: parameter.choices } : {})
  }
})

/** Settings that are changed together. */
const presets: ReadonlyArray<{ readonly name: string; readonly meaning: string; readonly settings: SettingsChange }> = [
  { name: "Strict", meaning: "Refuses what GoPay may refuse, as --strict does.", settings: strictSettings },
  {
    name: "Operations take time",
    meaning: "Refunds, captures and voids are accepted first, and finish a minute later.",
    settings: {
      refund: "acceptedThenFinished",
      capture: "acceptedThenFinished",
      voidAuthorization: "acceptedThenFinished",
      voidRecurrence: "acceptedThenFinished"
    }
  },
  {
    name: "Unruly notifications",
    meaning: "Each notification comes twice, a minute late, the newest first.",
    settings: { notificationCopies: 2, notificationDelaySeconds: 60, notificationOrder: "reversed" }
  },
  {
    name: "The payer is back first",
    meaning: "The payer returns to the shop before it is notified.",
    settings: { notificationTiming: "returnFirst" }
  }
]

/** Static data of the dashboard: also the operations of the gateway's API, and the actions that are in the log. */
export const dashboardCatalogue = () => ({
  settings: settingNotes,
  presets,
  paymentStates: PaymentStates,
  paymentSubStates: PaymentSubStates,
  paymentInstruments: PaymentInstruments,
  currencies: Currencies,
  testCards: Object.entries(TestCards).map(([number, { brand }]) => ({ number, brand })),
  operations: Object.values(Endpoint).map(({ name }) => name),
  actions: loggedActions
})

/** Static data of the dashboard. */
export type DashboardCatalogue = ReturnType<typeof dashboardCatalogue>
