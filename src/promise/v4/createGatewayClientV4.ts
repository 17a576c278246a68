/**
 * The client of API v4 for callers who do not use Effect: the operations, run as promises.
 */
import { findOrder } from "../../client/notification/Verification.js"
import * as Effect from "effect/Effect"
import { gatewaySource } from "../../client/call/TokenSource.js"
import { apiV4, checkOptionsV4 } from "../../client/v4/ApiV4.js"
import { awaitPaymentV4 } from "../../client/v4/AwaitPaymentV4.js"
import type { ChangeRecordV4 } from "../../client/v4/ChangeRecordV4.js"
import { customOperationsV4 } from "../../client/v4/CustomOperationV4.js"
import { type ApiTypesV4, type FailureV4, GatewayErrorV4, tokenFailureV4 } from "../../client/v4/GatewayErrorV4.js"
import { NotificationErrorV4, type NotificationFailureV4 } from "../../client/v4/NotificationV4.js"
import { methodsOfV4, operationsV4 } from "../../client/v4/OperationsV4.js"
import { type ReadsV4, reconcileV4 } from "../../client/v4/ReconcileV4.js"
import {
  isNotificationFailureV4,
  type PaymentReaderV4,
  sharingV4,
  verifyPaymentV4
} from "../../client/v4/VerificationV4.js"
import { openClient } from "../openClient.js"
import { clientClosed } from "../makeCallRunner.js"
import { callOptionReader, readAwaitPaymentOptions } from "../readCallOptions.js"
import { createNotificationHandlerV4 } from "./createNotificationHandlerV4.js"
import type { GatewayClientOptionsV4, GatewayClientV4, GatewayPromisesV4 } from "./GatewayClientV4.js"

const readOptions = /* @__PURE__ */ callOptionReader<ChangeRecordV4>()

/**
 * Makes a client of GoPay's API v4 for one merchant at one gateway. Nothing is sent before its first call.
 *
 * ```ts
 * await using gateway = createGatewayClient({ goid, clientId, clientSecret, environment: "sandbox" })
 * const payment = await gateway.createPayment({ amount: 139_950, currency: "CZK", order_number: "2026-0042", customer, callback })
 * ```
 *
 * @throws TypeError when an option is missing, wrong or unknown; it names every one
 */
export const createGatewayClientV4 = (options: GatewayClientOptionsV4): GatewayClientV4 => {
  const { call, close, context, isClosed, run, scope, ...core } = openClient<ApiTypesV4, NotificationFailureV4>(
    options,
    {
      api: apiV4,
      checkOptions: checkOptionsV4,
      readOptions,
      toError: (failure) => new GatewayErrorV4(failure),
      isNotificationFailure: (failure) => isNotificationFailureV4(failure),
      toNotificationError: (failure) => new NotificationErrorV4(failure),
      tokenSource: (settings, transport, observe) => gatewaySource(apiV4, settings, transport, observe)
    }
  )

  // The parameters and result of a method are its endpoint's: `OperationsV4` encodes and decodes by it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows a method to its endpoint
  const promises = methodsOfV4(
    (operation) =>
      (...args: ReadonlyArray<unknown>) =>
        run(operation, call(operation, args.slice(0, operation.arity)), args[operation.arity])
  ) as GatewayPromisesV4

  const reads: ReadsV4<FailureV4> = {
    goid: Effect.succeed(core.goid),
    getPayment: (paymentId) => call(operationsV4.getPayment, [paymentId]),
    getPaymentRefunds: (paymentId) => call(operationsV4.getPaymentRefunds, [paymentId]),
    getRecurrence: (recurrenceId) => call(operationsV4.getRecurrence, [recurrenceId])
  }

  const sharedReader = sharingV4(reads)

  const reader: PaymentReaderV4<GatewayErrorV4> = {
    getPayment: (paymentId) =>
      Effect.suspend(() =>
        Effect.mapError(
          isClosed()
            ? Effect.fail(clientClosed("v4.getPayment", "This client is closed. Nothing was sent."))
            : Effect.provideContext(reads.getPayment(paymentId), context),
          (failure) => new GatewayErrorV4(failure)
        )
      )
  }

  return {
    ...promises,
    goid: core.goid,
    baseUrl: core.baseUrl,
    sendRequest: async (request, callOptions) => {
      const operation = customOperationsV4.undecoded(request)
      return run(operation, call(operation, []), callOptions)
    },
    reconcile: async (change, callOptions) =>
      run({ kind: "read", name: "v4.reconcile" }, reconcileV4(reads, change), callOptions),
    verifyPayment: async (source, expected, callOptions) =>
      run(operationsV4.getPayment, verifyPaymentV4(sharedReader, source, findOrder(expected)), callOptions),
    createNotificationHandler: (handlerOptions) => createNotificationHandlerV4(reader, handlerOptions, scope),
    awaitPayment: async (paymentId, waitOptions) =>
      run(
        operationsV4.getPayment,
        awaitPaymentV4(reads.getPayment(paymentId), waitOptions),
        waitOptions,
        readAwaitPaymentOptions
      ),
    warm: async (callOptions) =>
      run({ kind: "read", name: "getAccessToken" }, Effect.mapError(core.warm, tokenFailureV4), callOptions),
    close,
    [Symbol.asyncDispose]: close
  }
}
