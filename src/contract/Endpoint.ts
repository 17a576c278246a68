/**
 * The gateway's endpoints, each declared once. The client turns them into requests; the local gateway serves them.
 */
import type * as Schema from "effect/Schema"
import { isEchoOf } from "./EchoedText.js"
import { accountStatement, type ResponseFile } from "./AccountStatement.js"
import * as GatewaySchema from "./GatewaySchema.js"

/**
 * One endpoint of the gateway's REST API v3.
 *
 * `name` is the client's method, `path` is relative to the API's base address, with its parameters in braces.
 *
 * A `read` leaves the gateway's books as they are and may be repeated. A `change` may move money or alter something: it
 * is sent again only when it certainly was not taken.
 */
export interface Endpoint<Name extends string, Kind extends "read" | "change", Path extends string, Request, Response> {
  readonly name: Name
  readonly kind: Kind
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: Path
  /** With an access token, or with the merchant's credentials to get one. */
  readonly authorization: "bearer" | "basic"
  readonly request: RequestPayload<Request>
  readonly response: ResponsePayload<Response>
}

/**
 * How a request carries its payload: not at all, as an empty body under the form's content type, in the query,
 * form-encoded, or as JSON.
 */
export type RequestPayload<Request> =
  | { readonly type: "none" | "emptyForm" }
  | { readonly type: "query" | "form" | "json"; readonly schema: Schema.Decoder<Request> }

/** What was requested: a response is held against it. */
export interface Requested {
  /** The payment's or the card's. */
  readonly id: number | undefined
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly orderNumber?: string | undefined
}

/**
 * What a success carries: JSON, a file, or nothing (status 204).
 *
 * `doubt` says why a response does not prove that the gateway did what was requested: it is about something else, or says
 * nothing that is known. `failure` gives what the gateway says of a failure that it reports with a success status;
 * empty when it says nothing.
 */
export type ResponsePayload<Response> =
  | {
      readonly type: "json"
      readonly schema: Schema.Decoder<Response>
      readonly doubt?: (response: Response, requested: Requested) => string | undefined
      readonly failure?: (response: Response) => string | undefined
    }
  | { readonly type: "file"; readonly read: (file: ResponseFile) => Response }
  | { readonly type: "none"; readonly value: Response }

/** The names between braces in a path. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

const endpoint = <
  const Name extends string,
  const Kind extends "read" | "change",
  const Path extends `/${string}`,
  Request,
  Response
>(
  declaration: Omit<Endpoint<Name, Kind, Path, Request, Response>, "authorization">,
  authorization: "bearer" | "basic" = "bearer"
): Endpoint<Name, Kind, Path, Request, Response> => ({ ...declaration, authorization })

/** A response about another payment or card proves nothing about this one. */
const anotherId = (id: number, requested: Requested): string | undefined =>
  id === requested.id ? undefined : `it is for another id, ${id}`

/** A new payment's id is not known in advance, so the fields that are known must be present and equal. */
const anotherPayment = (
  { amount, currency, order_number }: typeof GatewaySchema.PaymentResponse.Type,
  requested: Requested
): string | undefined => {
  const differing = [
    ...(isEchoOf(requested.orderNumber, order_number) ? [] : ["order_number"]),
    ...(amount === requested.amount ? [] : ["amount"]),
    ...(currency === requested.currency ? [] : ["currency"])
  ]
  return differing.length === 0 ? undefined : `it is for another payment, as told by ${differing.join(", ")}`
}

const knownResults: ReadonlySet<string> = new Set(["FINISHED", "ACCEPTED", "FAILED"])

const operationResponse: ResponsePayload<typeof GatewaySchema.PaymentOperationResponse.Type> = {
  type: "json",
  schema: GatewaySchema.PaymentOperationResponse,
  doubt: ({ id, result }, requested) =>
    anotherId(id, requested) ?? (knownResults.has(result) ? undefined : "its result is unknown"),
  failure: ({ description, result }) => (result === "FAILED" ? (description ?? "") : undefined)
}

/** Gets an access token with the client's credentials (OAuth 2.0 client credentials grant). */
export const getAccessToken = endpoint(
  {
    name: "getAccessToken",
    kind: "read",
    method: "POST",
    path: "/oauth2/token",
    request: { type: "form", schema: GatewaySchema.AccessTokenRequest },
    response: { type: "json", schema: GatewaySchema.AccessTokenResponse }
  },
  "basic"
)

/** Creates a payment. Sent twice, it creates two: the gateway has no idempotency key. */
export const createPayment = endpoint({
  name: "createPayment",
  kind: "change",
  method: "POST",
  path: "/payments/payment",
  request: { type: "json", schema: GatewaySchema.CreatePaymentRequest },
  response: { type: "json", schema: GatewaySchema.CreatePaymentResponse, doubt: anotherPayment }
})

/** Reads a payment. */
export const getPayment = endpoint({
  name: "getPayment",
  kind: "read",
  method: "GET",
  path: "/payments/payment/{id}",
  request: { type: "none" },
  response: {
    type: "json",
    schema: GatewaySchema.PaymentResponse,
    doubt: ({ id }, requested) => anotherId(id, requested)
  }
})

/** Returns money to the payer. Sent twice, it may return it twice. */
export const refundPayment = endpoint({
  name: "refundPayment",
  kind: "change",
  method: "POST",
  path: "/payments/payment/{id}/refund",
  request: { type: "form", schema: GatewaySchema.RefundPaymentRequest },
  response: operationResponse
})

/** Lists the refunds of a payment. */
export const getPaymentRefunds = endpoint({
  name: "getPaymentRefunds",
  kind: "read",
  method: "GET",
  path: "/payments/payment/{id}/refunds",
  request: { type: "none" },
  response: { type: "json", schema: GatewaySchema.RefundHistory }
})

/** Charges an `ON_DEMAND` recurrence once more. Sent twice, it may charge twice. */
export const createRecurrence = endpoint({
  name: "createRecurrence",
  kind: "change",
  method: "POST",
  path: "/payments/payment/{id}/create-recurrence",
  request: { type: "json", schema: GatewaySchema.CreateRecurrenceRequest },
  response: {
    type: "json",
    schema: GatewaySchema.PaymentResponse,
    doubt: (child, requested) => {
      if (child.id === requested.id) return "it is the first payment itself"
      return child.parent_id === undefined || child.parent_id === requested.id
        ? anotherPayment(child, requested)
        : `it is a charge of another recurrence, ${child.parent_id}`
    }
  }
})

/** Stops a recurrence. */
export const voidRecurrence = endpoint({
  name: "voidRecurrence",
  kind: "change",
  method: "POST",
  path: "/payments/payment/{id}/void-recurrence",
  request: { type: "emptyForm" },
  response: operationResponse
})

/** Captures all that was authorized: the empty body is what tells it from a partial capture. */
export const captureAuthorization = endpoint({
  name: "captureAuthorization",
  kind: "change",
  method: "POST",
  path: "/payments/payment/{id}/capture",
  request: { type: "emptyForm" },
  response: operationResponse
})

/** Captures a part of what was authorized and releases the rest. */
export const captureAuthorizationPartial = endpoint({
  name: "captureAuthorizationPartial",
  kind: "change",
  method: "POST",
  path: "/payments/payment/{id}/capture",
  request: { type: "json", schema: GatewaySchema.CaptureAuthorizationPartialRequest },
  response: operationResponse
})

/** Releases what was authorized. */
export const voidAuthorization = endpoint({
  name: "voidAuthorization",
  kind: "change",
  method: "POST",
  path: "/payments/payment/{id}/void-authorization",
  request: { type: "emptyForm" },
  response: operationResponse
})

/** Reads a stored card; a deleted one can still be read. */
export const getCardDetails = endpoint({
  name: "getCardDetails",
  kind: "read",
  method: "GET",
  path: "/payments/cards/{card_id}",
  request: { type: "none" },
  response: {
    type: "json",
    schema: GatewaySchema.CardDetailsResponse,
    doubt: ({ card_id }, requested) => anotherId(card_id, requested)
  }
})

/** Deletes a stored card. The gateway answers a repeated deletion like the first. */
export const deleteCard = endpoint({
  name: "deleteCard",
  kind: "change",
  method: "DELETE",
  path: "/payments/cards/{card_id}",
  request: { type: "none" },
  response: { type: "none", value: undefined }
})

/** Lists the ways to pay in one currency. */
export const getPaymentInstruments = endpoint({
  name: "getPaymentInstruments",
  kind: "read",
  method: "GET",
  path: "/eshops/eshop/{goid}/payment-instruments/{currency}",
  request: { type: "none" },
  response: { type: "json", schema: GatewaySchema.PaymentInstrumentsResponse }
})

/** Lists the ways to pay in all currencies. */
export const getPaymentInstrumentsAll = endpoint({
  name: "getPaymentInstrumentsAll",
  kind: "read",
  method: "GET",
  path: "/eshops/eshop/{goid}/payment-instruments",
  request: { type: "none" },
  response: { type: "json", schema: GatewaySchema.PaymentInstrumentsAllResponse }
})

/** Downloads an account statement. A POST that, as we infer, only reads. */
export const getAccountStatement = endpoint({
  name: "getAccountStatement",
  kind: "read",
  method: "POST",
  path: "/accounts/account-statement",
  request: { type: "json", schema: GatewaySchema.AccountStatementRequest },
  response: { type: "file", read: accountStatement }
})

/**
 * Reads the QR code that pays a payment by bank transfer. In the official SDKs since 2025; not enabled for every shop.
 */
export const getPaymentQr = endpoint({
  name: "getPaymentQr",
  kind: "read",
  method: "GET",
  path: "/payments/payment/{id}/qr-payment",
  request: { type: "query", schema: GatewaySchema.PaymentQrRequest },
  response: { type: "json", schema: GatewaySchema.PaymentQrResponse }
})
