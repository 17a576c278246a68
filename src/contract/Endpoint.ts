/**
 * The gateway's endpoints, each declared once: `GatewayOperations` says what they do. The client turns them into requests;
 * the local gateway serves them.
 */
import type * as Schema from "effect/Schema"
import { isEchoOf } from "./EchoedText.js"
import { accountStatement, type ResponseFile } from "./AccountStatement.js"
import { OperationResults } from "./CodeLists.js"
import type { ChangeOperation, GatewayOperations } from "./GatewayOperations.js"
import * as GatewaySchema from "./GatewaySchema.js"
import * as ResponseSchema from "./ResponseSchema.js"
// oxlint-disable-next-line import/no-self-import, import/no-cycle -- a module's exports have no other name
import type * as Endpoints from "./Endpoint.js"

/**
 * One endpoint of the gateway's REST API v3.
 *
 * `name` is the client's method, `path` is relative to the API's base address, with its parameters in braces.
 *
 * A `read` changes nothing at the gateway and may be repeated. A `change` may move money or alter something: it is sent
 * again only if it certainly was not carried out.
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
  | {
      readonly type: "query" | "form" | "json"
      readonly schema: Schema.Decoder<Request>
      /** Whether the whole payload may be left out. Then the body is empty, with the same content type. */
      readonly isOptional?: boolean
    }

/** What was requested: the response is compared with it. */
export interface Requested {
  /** The id of the payment or the card. */
  readonly id: number | string | undefined
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly orderNumber?: string | undefined
}

/**
 * The content of a success: JSON, a file, or nothing (status 204).
 *
 * `doubt` says why a response does not prove that the gateway did what was requested: it is about something else, or
 * contains nothing known. `failure` is the gateway's message about a failure that it reports with a success status;
 * empty if there is no message.
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

/** The operations that have an endpoint. An error here names, at its end, those whose endpoint is missing below. */
type Operations = Pick<typeof Endpoints, keyof GatewayOperations>

type ReadName = Exclude<keyof Operations, ChangeOperation>

type Declaration<Endpoint> = Omit<Endpoint, "kind" | "authorization">

const read = <const Name extends ReadName, const Path extends `/${string}`, Request, Response>(
  declaration: Declaration<Endpoint<Name, "read", Path, Request, Response>>
): Endpoint<Name, "read", Path, Request, Response> => ({ ...declaration, kind: "read", authorization: "bearer" })

const change = <const Name extends ChangeOperation, const Path extends `/${string}`, Request, Response>(
  declaration: Declaration<Endpoint<Name, "change", Path, Request, Response>>
): Endpoint<Name, "change", Path, Request, Response> => ({ ...declaration, kind: "change", authorization: "bearer" })

/** A read by GET. */
const get = <const Name extends ReadName, const Path extends `/${string}`, Response>(
  name: Name,
  path: Path,
  response: ResponsePayload<Response>
) => read({ name, method: "GET", path, request: { type: "none" }, response })

/** A response about another payment or card proves nothing about this one. */
const anotherId = (id: number, requested: Requested): string | undefined =>
  id === requested.id ? undefined : `it is for another id, ${id}`

/** The id of a new payment is not known in advance, so the known fields must be present and equal. */
const anotherPayment = (
  { amount, currency, order_number }: typeof ResponseSchema.PaymentResponse.Type,
  requested: Requested
): string | undefined => {
  const differing = [
    ...(isEchoOf(requested.orderNumber, order_number) ? [] : ["order_number"]),
    ...(amount === requested.amount ? [] : ["amount"]),
    ...(currency === requested.currency ? [] : ["currency"])
  ]
  return differing.length === 0 ? undefined : `it is for another payment, as told by ${differing.join(", ")}`
}

const operationResponse: ResponsePayload<typeof ResponseSchema.PaymentOperationResponse.Type> = {
  type: "json",
  schema: ResponseSchema.PaymentOperationResponse,
  doubt: ({ id, result }, requested) =>
    anotherId(id, requested) ?? (Object.hasOwn(OperationResults, result) ? undefined : "its result is unknown"),
  failure: ({ description, result }) => (result === "FAILED" ? (description ?? "") : undefined)
}

/** A change of a payment whose response contains the outcome. */
const operation = <const Name extends ChangeOperation, const Path extends `/${string}`, Request>(
  name: Name,
  path: Path,
  request: RequestPayload<Request> = { type: "emptyForm" }
) => change({ name, method: "POST", path, request, response: operationResponse })

export { getAccessToken } from "./AccessTokenEndpoint.js"

export const createPayment = change({
  name: "createPayment",
  method: "POST",
  path: "/payments/payment",
  request: { type: "json", schema: GatewaySchema.CreatePaymentRequest },
  response: { type: "json", schema: ResponseSchema.CreatePaymentResponse, doubt: anotherPayment }
})

export const getPayment = get("getPayment", "/payments/payment/{id}", {
  type: "json",
  schema: ResponseSchema.PaymentResponse,
  doubt: ({ id }, requested) => anotherId(id, requested)
})

export const refundPayment = operation("refundPayment", "/payments/payment/{id}/refund", {
  type: "form",
  schema: GatewaySchema.RefundPaymentRequest
})

export const getPaymentRefunds = get("getPaymentRefunds", "/payments/payment/{id}/refunds", {
  type: "json",
  schema: ResponseSchema.RefundHistory
})

export const createRecurrence = change({
  name: "createRecurrence",
  method: "POST",
  path: "/payments/payment/{id}/create-recurrence",
  request: { type: "json", schema: GatewaySchema.CreateRecurrenceRequest },
  response: {
    type: "json",
    schema: ResponseSchema.PaymentResponse,
    doubt: (child, requested) => {
      if (child.id === requested.id) return "it is the first payment itself"
      return child.parent_id === undefined || child.parent_id === requested.id
        ? anotherPayment(child, requested)
        : `it is a charge of another recurrence, ${child.parent_id}`
    }
  }
})

export const voidRecurrence = operation("voidRecurrence", "/payments/payment/{id}/void-recurrence")

/** The empty body distinguishes it from a partial capture. */
export const captureAuthorization = operation("captureAuthorization", "/payments/payment/{id}/capture")

export const captureAuthorizationPartial = operation("captureAuthorizationPartial", "/payments/payment/{id}/capture", {
  type: "json",
  schema: GatewaySchema.CaptureAuthorizationPartialRequest
})

export const voidAuthorization = operation("voidAuthorization", "/payments/payment/{id}/void-authorization")

export const getCardDetails = get("getCardDetails", "/payments/cards/{card_id}", {
  type: "json",
  schema: ResponseSchema.CardDetailsResponse,
  doubt: ({ card_id }, requested) => anotherId(card_id, requested)
})

export const deleteCard = change({
  name: "deleteCard",
  method: "DELETE",
  path: "/payments/cards/{card_id}",
  request: { type: "none" },
  response: { type: "none", value: undefined }
})

export const getPaymentInstruments = get(
  "getPaymentInstruments",
  "/eshops/eshop/{goid}/payment-instruments/{currency}",
  { type: "json", schema: ResponseSchema.PaymentInstrumentsResponse }
)

export const getPaymentInstrumentsAll = get("getPaymentInstrumentsAll", "/eshops/eshop/{goid}/payment-instruments", {
  type: "json",
  schema: ResponseSchema.PaymentInstrumentsAllResponse
})

/** A POST that, as we infer, only reads. */
export const getAccountStatement = read({
  name: "getAccountStatement",
  method: "POST",
  path: "/accounts/account-statement",
  request: { type: "json", schema: GatewaySchema.AccountStatementRequest },
  response: { type: "file", read: accountStatement }
})

/** In the official SDKs since 2025; not enabled for every shop. */
export const getPaymentQr = read({
  name: "getPaymentQr",
  method: "GET",
  path: "/payments/payment/{id}/qr-payment",
  request: { type: "query", schema: GatewaySchema.PaymentQrRequest },
  response: { type: "json", schema: ResponseSchema.PaymentQrResponse }
})
