/**
 * What the control API answers, as the dashboard reads it. Types only.
 */
import type { CardDetailsResponse, PaymentResponse, RefundHistoryItem } from "../../../api/Messages.plain.js"
import type { controlEndpoints, LogEntry } from "../../control/ControlEndpoints.js"

type Answer<Name extends keyof typeof controlEndpoints> = (typeof controlEndpoints)[Name]["answer"]["Type"]

/** The gateway in short. */
export type State = Answer<"getState">

/** A merchant, without the secret. */
export type MerchantView = State["merchants"][number]

/** Merchants with their secrets: never to be shown. */
export type Merchants = Answer<"getMerchants">

/** A payment in the books; amounts are in minor units. */
export type PaymentView = Omit<Answer<"getPayment">["payment"], "payment"> & { readonly payment: PaymentResponse }

/** Payments, newest first. */
export type Payments = Omit<Answer<"getPayments">, "payments"> & { readonly payments: ReadonlyArray<PaymentView> }

/** One payment, and all that happened to it. */
export type PaymentDetail = Omit<Answer<"getPayment">, "payment" | "refunds"> & {
  readonly payment: PaymentView
  readonly refunds: ReadonlyArray<RefundHistoryItem>
}

/** A recurrence, with the further payments that came of it. */
export type RecurrenceView = Answer<"getRecurrences">["recurrences"][number]

/** A stored card. */
export type CardView = CardDetailsResponse & { readonly goid: number }

/** A piece of the log, oldest first. */
export type Log = Answer<"getLog">

export type { LogEntry }

/** Entries of the log of some types. */
export type EntryOf<Type extends LogEntry["type"]> = Extract<LogEntry, { readonly type: Type }>

/** Settings as they are now. */
export type SettingValues = Answer<"getSettings">

/** A parameter of a fault. */
export interface FaultParameter {
  readonly description: string
  readonly default: string | number
  /** All values it can have, where they are few. */
  readonly choices?: ReadonlyArray<string | number>
}

/** What can go wrong. */
export interface FaultKind {
  readonly name: string
  readonly description: string
  readonly parameters: { readonly [name: string]: FaultParameter }
}

/** A fault that waits for its requests. */
export interface ArmedFault {
  readonly id: number
  readonly fault: { readonly type: string; readonly [parameter: string]: string | number }
  readonly operation?: string
  readonly callsLeft: number
}

/** Faults that are armed, and those that could be. */
export interface Faults {
  readonly armed: ReadonlyArray<ArmedFault>
  readonly kinds: ReadonlyArray<FaultKind>
}
