/**
 * The requests and responses of GoPay's REST API v4 as plain interfaces.
 *
 * Nothing of v4 was ever called by us. Each says how surely it is known:
 *
 * - _spec_: GoPay's OpenAPI document of August 2026
 * - _types_: the types of GoPay's JavaScript SDK, of about mid-September 2026, made of a specification before its release
 * - _observed_: what GoPay's own end-to-end tests say that an environment answered, in August and September 2026
 *
 * Members keep the gateway's own names. Amounts are integers in minor units (haléře, cents).
 */
import type { Currency, QrFormat } from "./CodeLists.js"
import type {
  ChargeStateV4,
  CurrencyV4,
  PaymentStateV4,
  RecurrenceStateV4,
  RecurrenceTypeV4,
  RefundStateV4,
  SchedulePeriodV4,
  StopReasonV4
} from "./CodeListsV4.js"

declare const idOf: unique symbol

/** Digits as text. An id of v3 is none of v4, nor is one of a refund one of a payment. */
type TypedId<Of extends string> = string & { readonly [idOf]: Of }

/** The id of a payment of API v4 (_spec_: text; _observed_: ten digits). Make one of stored text with `paymentIdV4`. */
export type PaymentIdV4 = TypedId<"payment of API v4">

/** The id of a refund of API v4 (_spec_: text). Make one of stored text with `refundIdV4`. */
export type RefundIdV4 = TypedId<"refund of API v4">

/** The id of a recurrence of API v4 (_types_: text). Make one of stored text with `recurrenceIdV4`. */
export type RecurrenceIdV4 = TypedId<"recurrence of API v4">

/** The payer (_spec_). */
export interface CustomerV4 {
  /** Required; at most 128 characters. */
  readonly email: string
  /** At most 256 characters. */
  readonly first_name?: string | undefined
  /** At most 256 characters. */
  readonly last_name?: string | undefined
  /** At most 128 characters, as the following ones. */
  readonly phone_number?: string | undefined
  /** At most 128 characters. */
  readonly city?: string | undefined
  /** With the number of the house. */
  readonly street?: string | undefined
  /** At most 128 characters. */
  readonly postal_code?: string | undefined
  /** Three letters, such as `CZE`. */
  readonly country_code?: string | undefined
  /** The shop's own name of the payer. */
  readonly customer_id?: string | undefined
}

/** Where the payer comes back to, and where notifications go (_spec_: both are required). */
export interface CallbackV4 {
  /** An absolute address. GoPay adds members to its query, so it should have no fragment (SDK). */
  readonly return_url: string
  /** An absolute address. Production refuses addresses of this machine with a bare 403 (SDK's README). */
  readonly notification_url: string
}

/** A parameter of the shop's own. It is accepted and never given back (_spec_). */
export interface AdditionalParamV4 {
  /** The parameter's name. */
  readonly name: string
  /** The parameter's value, as text. */
  readonly value: string
}

/** An order to be paid (_spec_). It cannot choose the methods to pay by, nor the language of the page. */
export interface CreatePaymentRequestV4 {
  /** An integer in minor units, 1 or more. The document allows 0; whether the gateway takes it is not known. */
  readonly amount: number
  /** ISO 4217 code; see `CurrenciesV4`. */
  readonly currency: CurrencyV4
  /** At most 128 characters. It need not be unique: no request is recognised by it (_observed_). */
  readonly order_number: string
  /** What is bought, in words. */
  readonly order_description?: string | undefined
  /** The payer. */
  readonly customer: CustomerV4
  /** The addresses of the shop. */
  readonly callback: CallbackV4
  /** At most four. */
  readonly additional_params?: ReadonlyArray<AdditionalParamV4> | undefined
}

/** A charge as a payment carries it (SDK: the document has more members, responses do not). */
export interface ChargeSummaryV4 {
  /** An id of its own. */
  readonly id?: string
  /** See `ChargeStatesV4`. */
  readonly state?: ChargeStateV4
}

/** A payment (_spec_). Description, parameters and addresses of the shop are not given back. */
export interface PaymentResponseV4 {
  /** Store it: payments cannot be searched. */
  readonly id: PaymentIdV4
  /** `CREATED`, `PAID` and so on: the words of v3, without a sub-state. */
  readonly state: PaymentStateV4
  /** As sent. */
  readonly order_number?: string
  /** In minor units, as sent. */
  readonly amount: number
  /** As sent. */
  readonly currency: Currency
  /** As sent. */
  readonly customer?: { readonly [Member in keyof CustomerV4]?: string }
  /** The address of the page to pay at. It cannot be framed (_spec_). */
  readonly gw_url?: string
  /** With it a browser gets a token for this payment. A secret: never log it or put it into an address. */
  readonly payment_secret?: string
  /** The charge by card or wallet, if there is one. */
  readonly charge?: ChargeSummaryV4
}

/** A payment that can be paid now: a new one. */
export interface CreatedPaymentV4 extends PaymentResponseV4 {
  /** The address of the page to pay at. It cannot be framed (_spec_). */
  readonly gw_url: string
}

/** The state of a payment's charge by card or wallet (_types_). */
export interface ChargeResponseV4 {
  /** An id of its own. */
  readonly id: string
  /** See `ChargeStatesV4`. */
  readonly state: ChargeStateV4
  /** Why it failed, in words that are not publicly listed. */
  readonly fail_reason?: string
}

/** How much to return (_spec_). */
export interface RefundPaymentRequestV4 {
  /** An integer in minor units, 1 or more. The payment's amount returns all of it. */
  readonly amount: number
}

/** A refund (_spec_). It does not say which payment it belongs to: store that yourself. */
export interface RefundResponseV4 {
  /** Store it with the id of the payment. */
  readonly id: RefundIdV4
  /** `REQUESTED` at first. Money has moved only at `SUCCESS`; a refused refund may be listed as well (_observed_). */
  readonly state: RefundStateV4
  /** In minor units. */
  readonly amount: number
  /** The payment's. */
  readonly currency?: Currency
  /** ISO 8601, by the gateway's clock. */
  readonly created_at?: string
  /** Absent until its state has changed. */
  readonly updated_at?: string
}

/** How often the gateway charges by itself (_types_). */
export interface ScheduleV4 {
  /** See `SchedulePeriodsV4`. */
  readonly period: SchedulePeriodV4
  /** 1 or more. */
  readonly cycle: number
}

/** Payments again and again (_types_). Creating it charges nothing. */
export interface CreateRecurrenceRequestV4 {
  /** `AUTO`: the gateway charges by the schedule. `ON_DEMAND`: `nextPayment` charges. */
  readonly type: RecurrenceTypeV4
  /** Required for `AUTO`, refused for `ON_DEMAND` (_observed_). */
  readonly schedule?: ScheduleV4 | undefined
  /** Its last day, `yyyy-mm-dd`, which has to lie ahead. */
  readonly recurrence_date_to: string
  /** The order of each payment of the recurrence. */
  readonly payment: CreatePaymentRequestV4
}

/** Values of one payment that replace those of its recurrence (_types_). Unknown members are refused (_observed_). */
export interface PaymentOverrideV4 {
  /** An integer in minor units, 1 or more. */
  readonly amount?: number | undefined
  /** Give each `nextPayment` one of its own: without it, one whose response is lost cannot be recognised. */
  readonly order_number?: string | undefined
  /** What is bought, in words. */
  readonly order_description?: string | undefined
  /** Merged with that of the recurrence, member by member. */
  readonly customer?: { readonly [Member in keyof CustomerV4]?: string | undefined } | undefined
  /** The addresses of the shop. */
  readonly callback?: CallbackV4 | undefined
  /** At most four. */
  readonly additional_params?: ReadonlyArray<AdditionalParamV4> | undefined
}

/** The payment last made of a recurrence, or what it will be made of. */
export interface RecurrencePaymentV4 extends Partial<PaymentResponseV4> {}

/** A recurrence (_types_). */
export interface RecurrenceResponseV4 {
  /** Store it: recurrences cannot be listed. */
  readonly id: RecurrenceIdV4
  /** See `RecurrenceTypesV4`. */
  readonly type?: RecurrenceTypeV4
  /**
   * `NEW`; `REQUESTED` once it is started; `STARTED` once its first payment is paid; `STOPPED`. Where that payment is not paid, it stays
   * `REQUESTED` for good: make another one (_types_).
   */
  readonly state: RecurrenceStateV4
  /** Of `AUTO` only. */
  readonly schedule?: ScheduleV4
  /** Its last day, `yyyy-mm-dd`. */
  readonly recurrence_date_to?: string
  /** Of one that is over; see `StopReasonsV4`. */
  readonly stop_reason?: StopReasonV4
  /** It has an `id` once there is a payment: the one made last. */
  readonly payment?: RecurrencePaymentV4
}

/** The kind of picture (_spec_). */
export interface PaymentQrRequestV4 {
  /** Default: `png`. */
  readonly format?: QrFormat | undefined
}
