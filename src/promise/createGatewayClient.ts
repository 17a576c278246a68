/**
 * The client for callers who do not use Effect: the operations, run as promises.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type ClientPort, withPort } from "../client/call/ClientPort.js"
import { customOperationsV3 } from "../client/call/CustomOperationV3.js"
import { apiV3 } from "../client/call/ApiV3.js"
import { methodsOf, operations } from "../client/call/Operation.js"
import { gatewaySource } from "../client/call/TokenSource.js"
import type { ApiTypesV3 } from "../client/error/AnyReason.js"
import { checkOptions, embedJsUrl } from "../client/config/GatewayOptions.js"
import { GatewayError } from "../client/error/GatewayError.js"
import type { GatewayFailure } from "../client/error/GatewayFailure.js"
import {
  isNotificationFailure,
  NotificationError,
  type NotificationFailure
} from "../client/notification/Notification.js"
import { sharing } from "../client/notification/SharedReads.js"
import * as Verification from "../client/notification/Verification.js"
import * as AwaitPayment from "../client/payment/AwaitPayment.js"
import * as Reconcile from "../client/payment/Reconcile.js"
import { clientClosed } from "./makeCallRunner.js"
import { createNotificationHandler } from "./createNotificationHandler.js"
import type { GatewayClient, GatewayClientOptions, GatewayPromises } from "./GatewayClient.js"
import { openClient } from "./openClient.js"
import { readAwaitPaymentOptions } from "./readCallOptions.js"
import { readCallOptions, readCaptureOptions } from "./readCallOptionsV3.js"

/**
 * Makes a client for one merchant at one gateway. Nothing is sent before its first call.
 *
 * ```ts
 * await using gateway = createGatewayClient({ goid, clientId, clientSecret, environment: "sandbox", language: "CS" })
 * const payment = await gateway.createPayment({ amount: 139_950, currency: "CZK", order_number: "2026-0042", callback })
 * ```
 *
 * @throws TypeError when an option is missing, wrong or unknown; it names every one
 */
export const createGatewayClient = (options: GatewayClientOptions): GatewayClient => {
  const { call, close, context, isClosed, run, scope, settle, ...core } = openClient<ApiTypesV3, NotificationFailure>(
    options,
    {
      api: apiV3,
      checkOptions,
      readOptions: readCallOptions,
      toError: (failure) => new GatewayError(failure),
      isNotificationFailure: (failure) => isNotificationFailure(failure),
      toNotificationError: (failure) => new NotificationError(failure),
      tokenSource: (settings, transport, observe) => gatewaySource(apiV3, settings, transport, observe)
    }
  )

  // The parameters and result of a method are its endpoint's: `Operation` encodes and decodes by it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows a method to its endpoint
  const promises = methodsOf(
    (operation) =>
      (...args: ReadonlyArray<unknown>) =>
        run(
          operation,
          call(operation, args.slice(0, operation.arity)),
          args[operation.arity],
          operation.name === "captureAuthorization" ? readCaptureOptions : readCallOptions
        )
  ) as GatewayPromises

  const reads: Reconcile.MerchantReads<GatewayFailure> = {
    goid: Effect.succeed(core.goid),
    getPayment: (paymentId) => call(operations.getPayment, [paymentId]),
    getPaymentRefunds: (paymentId) => call(operations.getPaymentRefunds, [paymentId]),
    getCardDetails: (cardId) => call(operations.getCardDetails, [cardId])
  }

  const reader: Verification.PaymentReader<GatewayError> = {
    goid: reads.goid,
    getPayment: (paymentId) =>
      Effect.suspend(() =>
        Effect.mapError(
          isClosed()
            ? Effect.fail(clientClosed("getPayment", "This client is closed. Nothing was sent."))
            : Effect.provideContext(reads.getPayment(paymentId), context),
          (failure) => new GatewayError(failure)
        )
      )
  }

  const sharedReader = sharing(reader)

  const send: ClientPort["send"] = async ({ args, operation: name }, { check, ...options }) => {
    const operation = operations[name]
    const settled = await settle(operation, call(operation, args), { ...options, beforeSend: check })
    return Result.isSuccess(settled) ? { response: settled.success } : { failure: settled.failure }
  }

  const client: GatewayClient = {
    ...promises,
    goid: core.goid,
    baseUrl: core.baseUrl,
    sendRequest: async (request, options) => {
      const operation = customOperationsV3.undecoded(request)
      return run(operation, call(operation, []), options)
    },
    reconcile: async (change, options) =>
      run({ kind: "read", name: "reconcile" }, Reconcile.reconcile(reads, change), options),
    verifyPayment: async (source, expected, options) =>
      run(
        operations.getPayment,
        Verification.verifyPayment(sharedReader, source, Verification.findOrder(expected)),
        options
      ),
    awaitPayment: async (paymentId, options) =>
      run(
        operations.getPayment,
        AwaitPayment.awaitPayment(reads.getPayment(paymentId), options),
        options,
        readAwaitPaymentOptions
      ),
    createNotificationHandler: (options) => createNotificationHandler(reader, options, scope),
    warm: async (options) => run({ kind: "read", name: "getAccessToken" }, core.warm, options),
    getEmbedJsUrl: () => embedJsUrl(core.baseUrl),
    close,
    [Symbol.asyncDispose]: close
  }
  return withPort(client, { style: "promise", goid: core.goid, baseUrl: core.baseUrl, send })
}
