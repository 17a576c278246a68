/**
 * The code lists of GoPay's REST API v4, where they differ from those of v3.
 *
 * Source: GoPay's OpenAPI document of August 2026.
 */
import { Currencies, type PaymentState } from "./CodeLists.js"

const { BGN: _, ...currencies } = Currencies

/** Currencies of a payment of API v4, by ISO 4217 code. */
export const CurrenciesV4 = currencies

/** One of {@link CurrenciesV4}, or any other, as the list is open. */
export type CurrencyV4 = keyof typeof CurrenciesV4 | (string & {})

/** The states of a payment: those of v3, without its sub-states. */
export type PaymentStateV4 = PaymentState

/** Scopes of a merchant's token. */
export const MerchantScopesV4 = {
  "payment:write": "Creating, cancelling and refunding payments; recurrences",
  "payment:read": "Reading payments, refunds and recurrences",
  "card:write": "Storing and deleting cards",
  "card:read": "Reading stored cards",
  "shared:read": "The public key and the address of the card form"
} as const

/** One of {@link MerchantScopesV4}. */
export type MerchantScopeV4 = keyof typeof MerchantScopesV4

/** Scopes of a payment's own token, which its secret is exchanged for. */
export const PaymentScopesV4 = {
  "payment:read": "Reading this payment",
  "payment:charge": "Charging this payment"
} as const

/** One of {@link PaymentScopesV4}. */
export type PaymentScopeV4 = keyof typeof PaymentScopesV4

/** States of a refund. */
export const RefundStatesV4 = {
  REQUESTED: "Not decided yet, of one that was accepted or of one that was refused",
  SUCCESS: "The money was returned",
  FAILED: "Nothing was returned"
} as const

/** One of {@link RefundStatesV4}, or any other. */
export type RefundStateV4 = keyof typeof RefundStatesV4 | (string & {})

/** States of a charge by card or wallet. */
export const ChargeStatesV4 = {
  REQUESTED: "Asked for",
  PROCESSING: "Under way",
  ACTION_REQUIRED: "The payer has to do something, such as confirm it at the bank",
  SUCCEEDED: "Charged",
  FAILED: "Not charged"
} as const

/** One of {@link ChargeStatesV4}, or any other. */
export type ChargeStateV4 = keyof typeof ChargeStatesV4 | (string & {})

/** Who charges a recurrence. */
export const RecurrenceTypesV4 = { AUTO: "The gateway, by a schedule", ON_DEMAND: "The shop" } as const

/** One of {@link RecurrenceTypesV4}, or any other. */
export type RecurrenceTypeV4 = keyof typeof RecurrenceTypesV4 | (string & {})

/** States of a recurrence. */
export const RecurrenceStatesV4 = {
  NEW: "Not started",
  REQUESTED: "Started; its first payment is not paid",
  STARTED: "Its first payment is paid",
  STOPPED: "Over"
} as const

/** One of {@link RecurrenceStatesV4}, or any other. */
export type RecurrenceStateV4 = keyof typeof RecurrenceStatesV4 | (string & {})

/** Why a recurrence is over. */
export const StopReasonsV4 = {
  RECURRENCE_EXPIRED: "Its last day is over",
  CARD_EXPIRED: "The card has expired",
  CANCELLED_VIA_API: "By a call",
  CANCELLED_VIA_BACKOFFICE: "In GoPay's administration",
  CANCELLED_BY_GOPAY: "By GoPay",
  UNKNOWN: "Not said"
} as const

/** One of {@link StopReasonsV4}, or any other. */
export type StopReasonV4 = keyof typeof StopReasonsV4 | (string & {})

/** Periods of a schedule. */
export const SchedulePeriodsV4 = { DAY: "Day", WEEK: "Week", MONTH: "Month" } as const

/** One of {@link SchedulePeriodsV4}, or any other. */
export type SchedulePeriodV4 = keyof typeof SchedulePeriodsV4 | (string & {})
