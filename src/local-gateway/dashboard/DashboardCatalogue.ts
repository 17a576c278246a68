/**
 * What the dashboard knows without asking the control API: what each setting means, and what codes there are.
 */
import * as Struct from "effect/Struct"
import { PaymentInstruments, PaymentStates, PaymentSubStates } from "../../api/CodeLists.plain.js"
import * as Endpoint from "../../api/Endpoint.js"
import { defaultSettings, type Settings } from "../settings/Settings.plain.js"
import { SettingsChange } from "../settings/Settings.js"
import { TestCards } from "../settings/TestCards.plain.js"

/** A setting, as the dashboard offers it. */
export interface SettingNote {
  readonly name: keyof Settings
  readonly group: string
  readonly meaning: string
  readonly unit?: "seconds"
  readonly default: Settings[keyof Settings]
  /** All values it can have, where they are few. */
  readonly choices?: ReadonlyArray<string | number>
}

/** What the dashboard knows without asking the control API. */
export interface DashboardCatalogue {
  readonly settings: ReadonlyArray<SettingNote>
  /** States of a payment with what they mean. */
  readonly paymentStates: { readonly [state: string]: string }
  readonly paymentSubStates: { readonly [subState: string]: string }
  readonly paymentInstruments: { readonly [instrument: string]: string }
  readonly testCards: ReadonlyArray<{ readonly number: string; readonly brand: string }>
  /** What a client can ask of the gateway. */
  readonly operations: ReadonlyArray<string>
}

const meanings = {
  timeToPay: ["Payments", "How long the payer has to pay before the payment is TIMEOUTED.", "seconds"],
  authorizationLifetime: ["Payments", "How long an authorized amount is held.", "seconds"],
  declinedAttempt: ["Payments", "Whether the payer may try again after a declined attempt on the pay page."],
  itemsSum: ["Payments", "Whether items that do not sum to the amount are refused with 360."],
  defaultLanguage: ["Payments", "What lang of a payment is when the order has none."],
  unicodeEscapes: ["Payments", "Whether JSON that escapes characters as \\uXXXX gets a firewall's 403, an HTML page."],
  returnOrder: ["The payer's return", "Whether the payer is back in the shop before or after the notification."],
  returnLead: ["The payer's return", "How long the payer is ahead, when they return first.", "seconds"],
  notificationAttempts: ["Notifications", "How often one is sent until it is answered with 200."],
  notificationRetryDelay: ["Notifications", "The pause before one is repeated; it doubles each time.", "seconds"],
  notificationMaxRetryDelay: ["Notifications", "The longest pause between two attempts.", "seconds"],
  notificationTimeout: ["Notifications", "How long a receiver may take to answer.", "seconds"],
  notificationDelay: ["Notifications", "How long after the change of state one is sent.", "seconds"],
  notificationCopies: ["Notifications", "How often each is delivered: 0 drops it, 2 duplicates it."],
  notificationOrder: ["Notifications", "In which order those that wait at the same time are sent."],
  notificationParentId: ["Notifications", "Whether that of a recurrence's further payment says parent_id."],
  notificationHosts: ["Notifications", "Hosts beside loopback that may be notified, with commas between them."],
  refund: ["Operations", "How refundPayment ends: at once, or accepted first."],
  capture: ["Operations", "How captures end."],
  voidAuthorization: ["Operations", "How voidAuthorization ends."],
  voidRecurrence: ["Operations", "How voidRecurrence ends."],
  timeToProcess: ["Operations", "How long after the answer ACCEPTED an operation is done or fails.", "seconds"],
  partialRefundDelay: ["Operations", "How long after the payment a part of it cannot be refunded yet.", "seconds"],
  unknownRefund: ["Operations", "How a refund of an unknown payment is refused: by its id, or always on the field id."],
  amountAfterCapture: ["Operations", "What amount says after a partial capture."],
  recurrenceChild: ["Recurrences", "What becomes of a recurrence's further payments once they are created."],
  voidUnpaidRecurrence: ["Recurrences", "Whether a recurrence whose first payment is not paid can be voided."],
  tokenLifetime: ["Tokens", "How long a token holds.", "seconds"],
  refusedTokenStatus: ["Tokens", "Status of the answer to an expired or unknown token."],
  scopes: ["Tokens", "Whether a token of scope payment-create is refused all but createPayment."],
  statementContentType: ["Statements", "Content type of a statement: the general one, or the format's own."],
  statementEncoding: ["Statements", "Encoding of CSV statements; ABO is always windows-1250."]
} satisfies { readonly [Name in keyof Settings]: readonly [group: string, meaning: string, unit?: "seconds"] }

const settingNotes = Struct.keys(meanings).map((name): SettingNote => {
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

/** What the dashboard knows without asking the control API. */
export const dashboardCatalogue: DashboardCatalogue = {
  settings: settingNotes,
  paymentStates: PaymentStates,
  paymentSubStates: PaymentSubStates,
  paymentInstruments: PaymentInstruments,
  testCards: Object.entries(TestCards).map(([number, { brand }]) => ({ number, brand })),
  operations: Object.values(Endpoint).map(({ name }) => name)
}
