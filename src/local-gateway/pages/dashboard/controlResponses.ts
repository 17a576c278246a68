/**
 * Responses of the control API, as the dashboard reads them. Types only.
 */
import type { PaymentResponse, RefundHistoryItem } from "../../../contract/Messages.js"
import type { controlEndpoints } from "../ControlEndpoints.js"
import type { LogEntry } from "../LogEntry.js"

type Response<Name extends keyof typeof controlEndpoints> = (typeof controlEndpoints)[Name]["response"]["Type"]

/** A summary of the gateway. */
export type State = Response<"getState">

/** A merchant, without the secret. */
export type MerchantView = State["merchants"][number]

/** Merchants with their secrets: never to be shown. */
export type Merchants = Response<"listMerchants">

/** A payment in the books; amounts are in minor units. */
export type PaymentView = Omit<Response<"getPayment">["payment"], "payment"> & { readonly payment: PaymentResponse }

/** Payments, newest first. */
export type Payments = Omit<Response<"listPayments">, "payments"> & { readonly payments: ReadonlyArray<PaymentView> }

/** One payment and its history. */
export type PaymentDetail = Omit<Response<"getPayment">, "payment" | "refunds"> & {
  readonly payment: PaymentView
  readonly refunds: ReadonlyArray<RefundHistoryItem>
}

/** The notifications that are not delivered. */
export type Undelivered = Response<"listNotifications">

/** What falls due by a time. */
export type Due = Response<"listDue">

/** A clearing, with its XML. */
export type ClearingView = Response<"listClearings">["clearings"][number]

/** A piece of the log, oldest first. */
export type Log = Response<"getLog">

export type { LogEntry }

/** Entries of the log of some types. */
export type EntryOf<Type extends LogEntry["type"]> = Extract<LogEntry, { readonly type: Type }>

/** The current settings. */
export type SettingValues = Response<"getSettings">

/** The armed faults, and all kinds of faults. */
export type Faults = Response<"listFaults">

/** A kind of fault. */
export type FaultKind = Faults["kinds"][number]
