/**
 * What the control API answers, as far as the dashboard reads it. Types only.
 */
import type { PaymentResponse } from "../../api/Messages.js"

/** What makes a payment go on by itself. */
export interface NextEvent {
  readonly type: string
  /** ISO 8601. */
  readonly at: string
}

/** A payment in the books; amounts are in minor units. */
export interface PaymentView {
  readonly id: number
  readonly goid: number
  readonly created_at: string
  readonly received: number
  readonly refunded: number
  readonly refundable: number
  /** What the payer can do now, as the last part of the path. */
  readonly actions: ReadonlyArray<string>
  readonly next?: NextEvent
  readonly payment: PaymentResponse
}

/** A refund, as `getPaymentRefunds` answers it. */
export interface RefundView {
  readonly id: number
  readonly state: string
  readonly amount: number
  readonly currency: string
  readonly date_requested: string
}

/** One payment, and all that happened to it. */
export interface PaymentDetail {
  readonly payment: PaymentView
  readonly refunds: ReadonlyArray<RefundView>
  readonly charges: ReadonlyArray<number>
  readonly timeline: ReadonlyArray<LogEntry>
}

/** Payments, newest first. */
export interface Payments {
  readonly total: number
  readonly payments: ReadonlyArray<PaymentView>
}

/** The gateway in short. */
export interface State {
  readonly url: string
  readonly now: string
  readonly time_ahead: number
  readonly revision: number
  readonly newest: number
  readonly payments: { readonly total: number; readonly by_state: { readonly [state: string]: number } }
  readonly cards: number
  readonly notifications_waiting: number
  readonly merchants: ReadonlyArray<MerchantView>
}

/** A merchant, without the secret. */
export interface MerchantView {
  readonly goid: number
  readonly name: string
  readonly client_id: string
}

/** Merchants with their secrets: never to be shown. */
export interface Merchants {
  readonly merchants: ReadonlyArray<MerchantView & { readonly client_secret: string }>
}

/** A recurrence, with the further payments that came of it. */
export interface RecurrenceView {
  readonly payment_id: number
  readonly order_number: string
  readonly amount: number
  readonly currency: string
  readonly recurrence: {
    readonly recurrence_cycle: string
    readonly recurrence_period?: number
    readonly recurrence_date_to: string
    readonly recurrence_state: string
  }
  readonly started_at?: string
  readonly next_charge_at?: string
  readonly charges: ReadonlyArray<number>
}

/** A stored card. */
export interface CardView {
  readonly goid: number
  readonly card_id: number | string
  readonly card_number: string
  readonly card_expiration: string
  readonly card_brand: string
  readonly card_issuer_country: string
  readonly card_issuer_bank: string
  readonly status: string
}

interface Entry<Type extends string> {
  readonly number: number
  readonly at: string
  readonly type: Type
}

/** A request that was answered. */
export interface RequestEntry extends Entry<"request"> {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly operation?: string
  readonly payment_id?: number
  readonly fault?: string
  readonly request_body: string
  readonly response_body: string
}

/** A payment's new state. */
export interface StateEntry extends Entry<"state"> {
  readonly payment_id: number
  readonly by: string
  readonly from?: string
  readonly to: string
  readonly sub_state?: string
  readonly received: number
  readonly refunded: number
}

/** A recurrence's or preauthorization's new state. */
export interface PartEntry extends Entry<"recurrence" | "preauthorization"> {
  readonly payment_id: number
  readonly by: string
  readonly to: string
}

/** A refund, a capture or a void. */
export interface OperationEntry extends Entry<"operation"> {
  readonly payment_id: number
  readonly operation: string
  readonly result: string
  readonly amount?: number
}

/** An attempt to notify the shop. */
export interface NotificationEntry extends Entry<"notification"> {
  readonly payment_id: number
  readonly url: string
  readonly attempt: number
  readonly status: number
  readonly problem?: string
}

/** Time that was moved forward. */
export interface TimeEntry extends Entry<"time"> {
  readonly forwarded_millis: number
}

/** A fault that was armed, used or disarmed. */
export interface FaultEntry extends Entry<"fault"> {
  readonly fault: string
  readonly change: string
}

/** Something that happened. */
export type LogEntry =
  | RequestEntry
  | StateEntry
  | PartEntry
  | OperationEntry
  | NotificationEntry
  | TimeEntry
  | FaultEntry

/** A piece of the log, oldest first. */
export interface Log {
  readonly entries: ReadonlyArray<LogEntry>
  readonly next_after: number
}

/** A parameter of a fault. */
export interface FaultParameter {
  readonly description: string
  readonly default: string | number
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

/** Values of settings by name. */
export interface SettingValues {
  readonly [name: string]: string | number | ReadonlyArray<string>
}
