/**
 * The operations of API v4, made from its endpoints.
 */
import type * as Schema from "effect/Schema"
import { ownMember } from "../../basics/OwnMember.js"
import { canonicalId, notAnId } from "../../contract/CanonicalId.js"
import { changeFactsV4 } from "../../contract/ChangeFactsV4.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { Requested, RequestPayload, ResponsePayload } from "../../contract/Endpoint.js"
import { type EndpointV4, endpointsV4 } from "../../contract/EndpointV4.js"
import type { ChangeOperationV4, GatewayOperationsV4 } from "../../contract/GatewayOperationsV4.js"
import * as GatewaySchemaV4 from "../../contract/GatewaySchemaV4.js"
import { isIdV4, notAnIdV4 } from "../../contract/IdV4.js"
import type { PaymentResponseV4, RecurrenceResponseV4 } from "../../contract/MessagesV4.js"
import * as ResponseSchema from "../../contract/ResponseSchema.js"
import * as ResponseSchemaV4 from "../../contract/ResponseSchemaV4.js"
import { type Operation, type PathParameter, preparation } from "../call/ApiOperation.js"
import { responseReader } from "../call/ResponseReader.js"
import type { AnyReason } from "../error/AnyReason.js"
import type { ReadReason } from "../error/GatewayFailure.js"
import { keptOfV4, subjectOfV4 } from "./ChangeRecordV4.js"
import type {
  ApiTypesV4,
  ChargeNotFoundV4,
  OutcomeUnknownV4,
  PaymentNotFoundV4,
  RecurrenceNotFoundV4,
  RefundNotFoundV4
} from "./GatewayErrorV4.js"
import { refusalsV4 } from "./RefusalReasonV4.js"

type OperationOfV4 = keyof GatewayOperationsV4

type NotFoundOf<Of extends OperationOfV4> = Of extends "getCharge"
  ? ChargeNotFoundV4
  : (typeof endpointsV4)[Of]["path"] extends `${string}{id}${string}`
    ? PaymentNotFoundV4
    : (typeof endpointsV4)[Of]["path"] extends `${string}{refund_id}${string}`
      ? RefundNotFoundV4
      : (typeof endpointsV4)[Of]["path"] extends `${string}{recurrence_id}${string}`
        ? RecurrenceNotFoundV4
        : never

/** The reasons that an operation of API v4 may fail for. */
export type ReasonOfV4<Of extends OperationOfV4> =
  | ReadReason
  | NotFoundOf<Of>
  | (Of extends ChangeOperationV4 ? OutcomeUnknownV4 : never)

const notFoundTag = (name: OperationOfV4, path: string): AnyReason["_tag"] | undefined => {
  if (name === "getCharge") return "ChargeNotFound"
  if (path.includes("{id}")) return "PaymentNotFound"
  if (path.includes("{refund_id}")) return "RefundNotFound"
  return path.includes("{recurrence_id}") ? "RecurrenceNotFound" : undefined
}

const subjects = { id: "paymentId", refund_id: "refundId", recurrence_id: "recurrenceId" } as const

const parameterOf = (name: string): PathParameter => {
  if (name === "goid") return { read: canonicalId, problem: notAnId, configured: ({ goid }) => goid }
  const read = (value: unknown) => (isIdV4(value) ? value : undefined)
  const subject = ownMember<"paymentId" | "refundId" | "recurrenceId">(subjects, name)
  return { read, problem: notAnIdV4, subjectOf: subject && ((id) => ({ [subject]: id })) }
}

interface Payload<Request, Response> {
  readonly request: RequestPayload<Request>
  readonly response: ResponsePayload<Response>
}

const isChange = (name: OperationOfV4): name is ChangeOperationV4 => Object.hasOwn(changeFactsV4, name)

const make = <const Of extends OperationOfV4, Request>(
  name: Of,
  { request, response }: Payload<Request, ReturnType<GatewayOperationsV4[Of]>>
): Operation<ReturnType<GatewayOperationsV4[Of]>, ReasonOfV4<Of>, ApiTypesV4> => {
  const endpoint: EndpointV4 = endpointsV4[name]
  const { createsPayment, kind, method, path, status } = endpoint
  const change = isChange(name) ? name : undefined
  const notFound = notFoundTag(name, path)
  return {
    name: `v4.${name}`,
    kind,
    method,
    carries: response.type,
    path,
    creates: createsPayment && "paymentId",
    ...(change === undefined ? undefined : { advice: changeFactsV4[change].afterLoss }),
    isReason: (reason): reason is ReasonOfV4<Of> =>
      reason._tag === "OutcomeUnknown"
        ? kind === "change"
        : !reason._tag.endsWith("NotFound") || reason._tag === notFound,
    ...preparation<ApiTypesV4>({
      path,
      request,
      parameter: parameterOf,
      defaults: () => ({}),
      notTaken: `is not accepted by ${name}`,
      record:
        change &&
        ((subject, value, sent) => ({
          operation: `v4.${change}`,
          ...subjectOfV4(change, subject?.paymentId ?? subject?.recurrenceId),
          ...keptOfV4(change, value),
          ...sent
        }))
    }),
    read: responseReader(response, refusalsV4, kind === "change" ? status : undefined)
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Responses, held against requests
// ---------------------------------------------------------------------------------------------------------------------

type Doubt<Response> = (response: Response, requested: Requested) => string | undefined

const anotherId: Doubt<{ readonly id: string }> = ({ id }, requested) =>
  id === requested.id ? undefined : `it is for another id, ${id}`

/**
 * The id of a new payment is not known in advance. The response must repeat what was sent; for an override, the part
 * that was sent.
 */
const anotherPayment: Doubt<{ readonly [Member in keyof PaymentResponseV4]?: PaymentResponseV4[Member] }> = (
  { amount, currency, order_number },
  requested
) => {
  const isLacking = <Value>(sent: Value | undefined, echoed: Value | undefined): boolean =>
    sent !== undefined && sent !== echoed
  const differing = [
    ...(requested.orderNumber === undefined || isEchoOf(requested.orderNumber, order_number) ? [] : ["order_number"]),
    ...(isLacking(requested.amount, amount) ? ["amount"] : []),
    ...(isLacking(requested.currency, currency) ? ["currency"] : [])
  ]
  return differing.length === 0 ? undefined : `it is for another payment, as told by ${differing.join(", ")}`
}

const anotherTemplate: Doubt<RecurrenceResponseV4> = ({ payment = {} }, requested) => anotherPayment(payment, requested)

const anotherAmount: Doubt<{ readonly amount: number }> = ({ amount }, requested) =>
  amount === requested.amount ? undefined : `it is for another refund, of ${amount}`

const json = <Response>(schema: Schema.Decoder<Response>, doubt?: Doubt<Response>): ResponsePayload<Response> => ({
  type: "json",
  schema,
  ...(doubt === undefined ? undefined : { doubt })
})

const nothing = { type: "none" } as const
const done = { type: "none", value: undefined } as const

const body = <Request>(schema: Schema.Decoder<Request>) => ({ type: "json", schema }) as const

/** The operations, each with the form of its response. */
export const operationsV4: {
  readonly [Of in OperationOfV4]: Operation<ReturnType<GatewayOperationsV4[Of]>, ReasonOfV4<Of>, ApiTypesV4>
} = {
  createPayment: make("createPayment", {
    request: body(GatewaySchemaV4.CreatePaymentRequestV4),
    response: json(ResponseSchemaV4.CreatedPaymentV4, anotherPayment)
  }),
  getPayment: make("getPayment", { request: nothing, response: json(ResponseSchemaV4.PaymentResponseV4, anotherId) }),
  cancelPayment: make("cancelPayment", { request: nothing, response: done }),
  getCharge: make("getCharge", { request: nothing, response: json(ResponseSchemaV4.ChargeResponseV4) }),
  getPaymentQr: make("getPaymentQr", {
    request: { type: "query", schema: GatewaySchemaV4.PaymentQrRequestV4 },
    response: json(ResponseSchema.PaymentQrResponse)
  }),
  refundPayment: make("refundPayment", {
    request: body(GatewaySchemaV4.RefundPaymentRequestV4),
    response: json(ResponseSchemaV4.RefundResponseV4, anotherAmount)
  }),
  getPaymentRefunds: make("getPaymentRefunds", { request: nothing, response: json(ResponseSchemaV4.RefundListV4) }),
  getRefund: make("getRefund", { request: nothing, response: json(ResponseSchemaV4.RefundResponseV4, anotherId) }),
  createRecurrence: make("createRecurrence", {
    request: body(GatewaySchemaV4.CreateRecurrenceRequestV4),
    response: json(ResponseSchemaV4.RecurrenceResponseV4, anotherTemplate)
  }),
  getRecurrence: make("getRecurrence", {
    request: nothing,
    response: json(ResponseSchemaV4.RecurrenceResponseV4, anotherId)
  }),
  startRecurrence: make("startRecurrence", {
    request: { ...body(GatewaySchemaV4.PaymentOverrideV4), isOptional: true },
    response: json(ResponseSchemaV4.CreatedPaymentV4, anotherPayment)
  }),
  nextPayment: make("nextPayment", {
    request: { ...body(GatewaySchemaV4.PaymentOverrideV4), isOptional: true },
    response: json(ResponseSchemaV4.PaymentResponseV4, anotherPayment)
  }),
  stopRecurrence: make("stopRecurrence", { request: nothing, response: done })
}

type EachOperation<out Value> = { readonly [Of in OperationOfV4]: Value }

export const methodsOfV4 = <Method>(
  methodOf: (operation: Operation<unknown, ApiTypesV4["reason"], ApiTypesV4>) => Method
): EachOperation<Method> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names stay, only the types of `Object` lose them
  Object.fromEntries(
    Object.entries(operationsV4).map(([name, operation]) => [name, methodOf(operation)])
  ) as EachOperation<Method>
