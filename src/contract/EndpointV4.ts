/**
 * The endpoints of GoPay's REST API v4, each declared once. The client calls them, the local gateway serves them.
 *
 * Sources: GoPay's OpenAPI document of August 2026; recurrences and cancelling from the types of its JavaScript SDK, of September
 * 2026. No module of v3's client imports this one, so that no client of v3 carries it.
 */
import type { MerchantScopeV4, PaymentScopeV4 } from "./CodeListsV4.js"

/** Where API v4 is, below the address of the gateway. */
export const basePathV4 = "/gp-gw/api/4.0"

/**
 * One endpoint of API v4. `path` is relative to {@link basePathV4}, with its parameters in braces.
 *
 * A `read` may be repeated; a `change` may move money or alter something.
 */
export interface EndpointV4 {
  readonly kind: "read" | "change"
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: `/${string}`
  /** The status of a success. */
  readonly status: 200 | 201 | 204
  /** The scope that a merchant's token needs; absent for the request of a token. */
  readonly merchantScope?: MerchantScopeV4
  /** Whether a success creates a payment. */
  readonly createsPayment?: true
  /** The scope that a payment's own token needs; absent if such a token is refused. */
  readonly paymentScope?: PaymentScopeV4
}

const read = <const Path extends `/${string}`>(path: Path) =>
  ({ kind: "read", method: "GET", path, status: 200, merchantScope: "payment:read" }) as const

/** A read for which the payment's own token suffices. */
const readOfPayment = <const Path extends `/payments/{id}${string}`>(path: Path) =>
  ({ ...read(path), paymentScope: "payment:read" }) as const

const created = <const Path extends `/${string}`>(path: Path) =>
  ({ kind: "change", method: "POST", path, status: 201, merchantScope: "payment:write" }) as const

const createdPayment = <const Path extends `/${string}`>(path: Path) =>
  ({ ...created(path), createsPayment: true }) as const

const ended = <const Path extends `/${string}`>(path: Path) =>
  ({ kind: "change", method: "DELETE", path, status: 204, merchantScope: "payment:write" }) as const

/** The endpoints by the names of their operations. */
export const endpointsV4 = {
  getAccessToken: { kind: "read", method: "POST", path: "/oauth2/token", status: 200 },
  createPayment: createdPayment("/eshops/{goid}/payments"),
  getPayment: readOfPayment("/payments/{id}"),
  cancelPayment: ended("/payments/{id}"),
  getCharge: readOfPayment("/payments/{id}/charge"),
  getPaymentQr: readOfPayment("/payments/{id}/qr-payment/info"),
  refundPayment: created("/payments/{id}/refunds"),
  getPaymentRefunds: readOfPayment("/payments/{id}/refunds"),
  getRefund: read("/refunds/{refund_id}"),
  createRecurrence: created("/eshops/{goid}/recurrences"),
  getRecurrence: read("/recurrences/{recurrence_id}"),
  startRecurrence: createdPayment("/recurrences/{recurrence_id}/start"),
  nextPayment: createdPayment("/recurrences/{recurrence_id}/next"),
  stopRecurrence: ended("/recurrences/{recurrence_id}")
} as const satisfies { readonly [name: string]: EndpointV4 }

/** An operation of API v4. */
export type OperationV4 = keyof typeof endpointsV4

/** The name of an operation of API v4 in logs and faults, since v3 has operations with the same names. */
export type NameOfV4 = `v4.${OperationV4}`
