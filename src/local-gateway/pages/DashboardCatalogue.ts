/**
 * Static data of the dashboard: the meaning of each setting, and the gateway's codes.
 */
import * as Struct from "effect/Struct"
import { Currencies, PaymentInstruments, PaymentStates, PaymentSubStates } from "../../contract/CodeLists.js"
import * as Endpoint from "../../contract/Endpoint.js"
import { loggedActions } from "./ControlApi.js"
import { logWords, type LogWords } from "./LogWords.js"
import {
  defaultSettings,
  type LocalGatewaySettings,
  type SettingsChange as Settings,
  strictSettings
} from "../books/LocalGatewaySettings.js"
import { SettingsChange } from "../books/SettingsSchema.js"
import { TestCards } from "../books/TestCards.js"

/** A setting on the dashboard. */
export interface SettingNote {
  readonly name: keyof LocalGatewaySettings
  readonly group: string
  readonly meaning: string
  readonly unit?: "seconds"
  readonly default: LocalGatewaySettings[keyof LocalGatewaySettings]
  /** The possible values, where they are few. */
  readonly choices?: ReadonlyArray<string | number>
}

/** Settings that are changed together. */
export interface SettingsPreset {
  readonly name: string
  readonly meaning: string
  readonly settings: Settings
}

/** Static data of the dashboard. */
export interface DashboardCatalogue {
  readonly settings: ReadonlyArray<SettingNote>
  /** Settings that are changed together. */
  readonly presets: ReadonlyArray<SettingsPreset>
  /** States of a payment and their meanings. */
  readonly paymentStates: { readonly [state: string]: string }
  readonly paymentSubStates: { readonly [subState: string]: string }
  readonly paymentInstruments: { readonly [instrument: string]: string }
  readonly currencies: { readonly [currency: string]: string }
  readonly testCards: ReadonlyArray<{ readonly number: string; readonly brand: string }>
  /** Operations of the gateway's API. */
  readonly operations: ReadonlyArray<string>
  /** Actions that are in the log. */
  readonly actions: ReadonlyArray<string>
  readonly log: LogWords
}

const meanings = {
  timeToPaySeconds: ["Payments", "Time to choose a method; then the payment is TIMEOUTED.", "seconds"],
  timeToPayByCardSeconds: ["Payments", "Time to pay from the choice of the card.", "seconds"],
  timeToPayByTransferSeconds: ["Payments", "Time to pay from the choice of a bank transfer.", "seconds"],
  timeToPayOtherwiseSeconds: ["Payments", "Time to pay from the choice of any other method.", "seconds"],
  authorizationLifetimeSeconds: ["Payments", "Time for which an authorized amount is held.", "seconds"],
  declinedAttempt: ["Payments", "Whether the payer may try again after a declined attempt on the pay page."],
  itemsSum: ["Payments", "Whether items that do not sum to the amount are refused with 360."],
  orderChecks: ["Payments", "Whether orders must have all that the documentation requires."],
  defaultLanguage: ["Payments", "The lang of a payment whose order has none."],
  transferAccount: ["Payments", "Whether a paid bank transfer shows the account that it came from."],
  fractionalAmounts: [
    "Payments",
    "What becomes of an amount with a fraction, such as the 1998.9999999999998 of 19.99 * 100."
  ],
  jsonFullCapture: ["Payments", "Whether a capture whose JSON body is null or {} captures all."],
  textEcho: ["Payments", "Whether additional_params, or order_number too, come back HTML-encoded."],
  unicodeEscapes: ["Payments", "Whether JSON with \\uXXXX escapes is refused with a firewall's 403, an HTML page."],
  notificationTiming: ["The payer's return", "Whether the payer returns to the shop before or after the notification."],
  returnLeadSeconds: ["The payer's return", "The payer's lead when they return first.", "seconds"],
  notificationAttempts: ["Notifications", "The most attempts until one is answered with 200."],
  notificationRetryDelaySeconds: [
    "Notifications",
    "The pause before the second attempt; it doubles each time.",
    "seconds"
  ],
  notificationMaxRetryDelaySeconds: ["Notifications", "The longest pause between two attempts.", "seconds"],
  notificationTimeoutSeconds: ["Notifications", "Time limit for the receiver's response.", "seconds"],
  notificationDelaySeconds: ["Notifications", "The delay after a change of state.", "seconds"],
  notificationCopies: ["Notifications", "Deliveries of each notification: 0 drops it, 2 duplicates it."],
  notificationOrder: ["Notifications", "The order in which notifications pending at the same time are sent."],
  notificationParentId: ["Notifications", "Whether the notification of a charge has parent_id."],
  notificationHosts: ["Notifications", "Hosts besides loopback that may be notified, separated by commas."],
  refund: ["Operations", "The result of refundPayment: at once, or accepted first."],
  capture: ["Operations", "The result of captures."],
  voidAuthorization: ["Operations", "The result of voidAuthorization."],
  voidRecurrence: ["Operations", "The result of voidRecurrence."],
  timeToProcessSeconds: ["Operations", "Time after ACCEPTED until an operation finishes or fails.", "seconds"],
  partialRefundDelaySeconds: [
    "Operations",
    "Time after the payment during which it cannot be refunded in part.",
    "seconds"
  ],
  refundableForSeconds: ["Operations", "Time after the payment from which it is refunded no more (331).", "seconds"],
  refusedRefund: ["Operations", "Whether a refund that is refused is listed all the same: REQUESTED, then FAILED."],
  unknownRefund: ["Operations", "The refusal of a refund of an unknown payment: by its id, or always on the field id."],
  amountAfterCapture: ["Operations", "The amount of a payment after a partial capture."],
  recurrenceChild: ["Recurrences", "The outcome of a recurrence's charges."],
  voidUnpaidRecurrence: ["Recurrences", "Whether a recurrence can be voided while its first payment is unpaid."],
  tokenLifetimeSeconds: ["Tokens", "The lifetime of a token.", "seconds"],
  refusedTokenStatus: ["Tokens", "Status of the response to an expired or unknown token."],
  scopes: ["Tokens", "Whether a token of scope payment-create allows nothing but createPayment."],
  statementContentType: ["Statements", "Content type of a statement: the general one, or the format's own."],
  statementEncoding: ["Statements", "Encoding of CSV statements."],
  clearings: ["Statements", "When, at midnight, all that is on the account is paid out, less the fee."],
  paymentFeeBasisPoints: ["Statements", "What a clearing keeps of each payment, in hundredths of a percent."],
  refundFee: ["Statements", "What is booked beside each refund, in minor units."]
} satisfies {
  readonly [Name in keyof LocalGatewaySettings]: readonly [group: string, meaning: string, unit?: "seconds"]
}

const settingNotes = (): ReadonlyArray<SettingNote> =>
  Struct.keys(meanings).map((name): SettingNote => {
    const [group, meaning, unit]: readonly [string, string, "seconds"?] = meanings[name]
    const { schema } = SettingsChange.fields[name]
    return {
      name,
      group,
      meaning,
      default: defaultSettings[name],
      ...(unit === undefined ? {} : { unit }),
      ...("literals" in schema ? { choices: schema.literals } : {})
    }
  })

const presets: ReadonlyArray<SettingsPreset> = [
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

/** Static data of the dashboard. */
export const dashboardCatalogue = (): DashboardCatalogue => ({
  settings: settingNotes(),
  presets,
  paymentStates: PaymentStates,
  paymentSubStates: PaymentSubStates,
  paymentInstruments: PaymentInstruments,
  currencies: Currencies,
  testCards: Object.entries(TestCards).map(([number, { brand }]) => ({ number, brand })),
  operations: Object.values(Endpoint).map(({ name }) => name),
  actions: loggedActions,
  log: logWords
})
