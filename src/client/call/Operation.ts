/**
 * The operations of API v3, made from its endpoints.
 */
import { canonicalId, notAnId } from "../../contract/CanonicalId.js"
import * as Endpoint from "../../contract/Endpoint.js"
import { subjectOfParameter } from "../../contract/Subject.js"
import type { AnyReason, ApiTypesV3 } from "../error/AnyReason.js"
import { keptOf } from "../error/RecordedFacts.js"
import type {
  CardChangeReason,
  CardReadReason,
  ChangeReason,
  PaymentChangeReason,
  PaymentReadReason,
  ReadReason
} from "../error/GatewayFailure.js"
import type { ChangeOperation, GatewayOperations, OperationName } from "../../contract/GatewayOperations.js"
import { type Defaults, type Operation, type PathParameter, preparation } from "./ApiOperation.js"
import { refusalsV3 } from "./RefusalReason.js"
import { responseReader } from "./ResponseReader.js"

export type { Operation, PreparedRequest } from "./ApiOperation.js"

/** Why an operation may fail, from the kind and the path of its endpoint. */
type EndpointReason<Kind extends "read" | "change", Path extends string> = Path extends `${string}{id}${string}`
  ? Kind extends "read"
    ? PaymentReadReason
    : PaymentChangeReason
  : Path extends `${string}{card_id}${string}`
    ? Kind extends "read"
      ? CardReadReason
      : CardChangeReason
    : Kind extends "read"
      ? ReadReason
      : ChangeReason

const isReasonOf =
  <Kind extends "read" | "change", Path extends string>(kind: Kind, path: Path) =>
  (reason: AnyReason): reason is EndpointReason<Kind, Path> => {
    switch (reason._tag) {
      case "OutcomeUnknown":
        return kind === "change"
      case "PaymentNotFound":
        return path.includes("{id}")
      case "CardNotFound":
        return path.includes("{card_id}")
      case "AuthenticationFailed":
      case "GatewayUnavailable":
      case "InvalidRequest":
      case "OperationRefused":
      case "PermissionDenied":
      case "RateLimited":
      case "UnexpectedResponse":
        return true
      default:
        // A request of another API.
        return false
    }
  }

/**
 * Makes an operation from an endpoint. Its arguments are the parameters of the path, in order, and then the request. A
 * `goid` that is `undefined` is the configured one.
 */
export const make = <Kind extends "read" | "change", Path extends string, Request, Response>(
  endpoint: Endpoint.Endpoint<OperationName, Kind, Path, Request, Response>,
  defaults: Defaults = () => ({})
): Operation<Response, EndpointReason<Kind, Path>> => {
  const { kind, method, name, path, request, response } = endpoint
  const change = isChange(endpoint) ? endpoint.name : undefined
  return {
    name,
    kind,
    method,
    carries: response.type,
    creates: name === "createPayment" ? "paymentId" : undefined,
    path,
    isReason: isReasonOf(kind, path),
    ...preparation<ApiTypesV3>({
      path,
      request,
      parameter: parameterOf,
      defaults,
      notTaken: name === "captureAuthorization" ? partialCapture : `is not accepted by ${name}`,
      record:
        change && ((subject, value, sent) => ({ operation: change, ...subject, ...keptOf(change, value), ...sent }))
    }),
    read: responseReader(response, refusalsV3)
  }
}

/** The message when a request is passed to the capture of the whole. */
export const partialCapture = "is not accepted by captureAuthorization: captureAuthorizationPartial captures a part"

const isChange = (endpoint: {
  readonly name: OperationName
  readonly kind: "read" | "change"
}): endpoint is { readonly name: ChangeOperation; readonly kind: "change" } => endpoint.kind === "change"

const currencyCode = (value: unknown): string | undefined =>
  typeof value === "string" && /^\w+$/.test(value) ? value : undefined

const parameterOf = (name: string): PathParameter => {
  if (name === "currency") return { read: currencyCode, problem: "must be a currency code, such as CZK" }
  const member = subjectOfParameter(name)
  return { read: canonicalId, problem: notAnId, subjectOf: member && ((id) => ({ [member]: id })) }
}

// ---------------------------------------------------------------------------------------------------------------------
// The operations
// ---------------------------------------------------------------------------------------------------------------------

type OperationOf<Name extends keyof GatewayOperations> = Operation<ReturnType<GatewayOperations[Name]>, ReasonOf<Name>>

/** The reasons that an operation may fail for. */
export type ReasonOf<Name extends keyof GatewayOperations> = EndpointReason<
  EndpointOf<Name>["kind"],
  EndpointOf<Name>["path"]
>

/**
 * The endpoint is found by its name, so if an operation has no endpoint yet, the error is reported at `operations` and
 * nowhere before.
 */
type EndpointOf<Name extends keyof GatewayOperations> = Extract<
  (typeof Endpoint)[keyof typeof Endpoint],
  { readonly name: Name }
>

export const operations: { readonly [Name in keyof GatewayOperations]: OperationOf<Name> } = {
  createPayment: make(Endpoint.createPayment, ({ goid, language }) => ({
    target: { type: "ACCOUNT", goid },
    lang: language
  })),
  getPayment: make(Endpoint.getPayment),
  refundPayment: make(Endpoint.refundPayment),
  getPaymentRefunds: make(Endpoint.getPaymentRefunds),
  createRecurrence: make(Endpoint.createRecurrence),
  voidRecurrence: make(Endpoint.voidRecurrence),
  captureAuthorization: make(Endpoint.captureAuthorization),
  captureAuthorizationPartial: make(Endpoint.captureAuthorizationPartial),
  voidAuthorization: make(Endpoint.voidAuthorization),
  getCardDetails: make(Endpoint.getCardDetails),
  deleteCard: make(Endpoint.deleteCard),
  getPaymentInstruments: make(Endpoint.getPaymentInstruments),
  getPaymentInstrumentsAll: make(Endpoint.getPaymentInstrumentsAll),
  getAccountStatement: make(Endpoint.getAccountStatement, ({ goid }) => ({ goid })),
  getPaymentQr: make(Endpoint.getPaymentQr)
}

type EachOperation<out Value> = { readonly [Name in keyof GatewayOperations]: Value }

export const methodsOf = <Method>(methodOf: (operation: Operation<unknown>) => Method): EachOperation<Method> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names stay, only the types of `Object` lose them
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, methodOf(operation)])
  ) as EachOperation<Method>
