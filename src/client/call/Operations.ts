/**
 * The gateway's operations, ready to call.
 */
import * as Endpoint from "../../contract/Endpoint.js"
import type { GatewayOperations } from "../../contract/GatewayOperations.js"
import * as Operation from "./Operation.js"

/** An operation with its result and its reasons. */
type OperationOf<Name extends keyof GatewayOperations> = Operation.Operation<
  ReturnType<GatewayOperations[Name]>,
  ReasonOf<Name>
>

/** The reasons that an operation may fail for. */
export type ReasonOf<Name extends keyof GatewayOperations> = Operation.ReasonOf<
  (typeof Endpoint)[Name]["kind"],
  (typeof Endpoint)[Name]["path"]
>

/** Each operation, by its method's name. */
export const operations: { readonly [Name in keyof GatewayOperations]: OperationOf<Name> } = {
  createPayment: Operation.make(Endpoint.createPayment, ({ goid, language }) => ({
    target: { type: "ACCOUNT", goid },
    lang: language
  })),
  getPayment: Operation.make(Endpoint.getPayment),
  refundPayment: Operation.make(Endpoint.refundPayment),
  getPaymentRefunds: Operation.make(Endpoint.getPaymentRefunds),
  createRecurrence: Operation.make(Endpoint.createRecurrence),
  voidRecurrence: Operation.make(Endpoint.voidRecurrence),
  captureAuthorization: Operation.make(Endpoint.captureAuthorization),
  captureAuthorizationPartial: Operation.make(Endpoint.captureAuthorizationPartial),
  voidAuthorization: Operation.make(Endpoint.voidAuthorization),
  getCardDetails: Operation.make(Endpoint.getCardDetails),
  deleteCard: Operation.make(Endpoint.deleteCard),
  getPaymentInstruments: Operation.make(Endpoint.getPaymentInstruments),
  getPaymentInstrumentsAll: Operation.make(Endpoint.getPaymentInstrumentsAll),
  getAccountStatement: Operation.make(Endpoint.getAccountStatement, ({ goid }) => ({ goid })),
  getPaymentQr: Operation.make(Endpoint.getPaymentQr)
}

/** Something for each operation. */
type EachOperation<out Value> = { readonly [Name in keyof GatewayOperations]: Value }

/** Makes one method for each operation. */
export const methodsOf = <Method>(make: (operation: Operation.Operation<unknown>) => Method): EachOperation<Method> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names stay, only the types of `Object` lose them
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, make(operation)])
  ) as EachOperation<Method>
