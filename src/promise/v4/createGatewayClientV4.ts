/**
 * The client of API v4 for callers who do not use Effect: the operations, run as promises.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { makeSender } from "#transport"
import { unobserved } from "../../client/call/CallObserver.js"
import * as GatewayCore from "../../client/call/GatewayCore.js"
import * as SharedTokenCache from "../../client/call/SharedTokenCache.js"
import * as TokenCache from "../../client/call/TokenCache.js"
import { gatewaySource } from "../../client/call/TokenSource.js"
import { overSender } from "../../client/transport/Transport.js"
import { apiV4, checkOptionsV4 } from "../../client/v4/ApiV4.js"
import { awaitPaymentV4 } from "../../client/v4/AwaitPaymentV4.js"
import type { ChangeRecordV4 } from "../../client/v4/ChangeRecordV4.js"
import { type ApiTypesV4, type FailureV4, GatewayErrorV4, tokenFailureV4 } from "../../client/v4/GatewayErrorV4.js"
import { methodsOfV4, operationsV4 } from "../../client/v4/OperationsV4.js"
import { type ReadsV4, reconcileV4 } from "../../client/v4/ReconcileV4.js"
import { callContext, checkedOptions } from "../checkedOptions.js"
import { makeCallRunner } from "../makeCallRunner.js"
import { callOptionReader, readAwaitPaymentOptions } from "../readCallOptions.js"
import { reporting } from "../reporting.js"
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
  const { agent, fetch, observer, settings, ...runtime } = checkedOptions<ApiTypesV4>(options, checkOptionsV4)
  const sender = makeSender({ agent, fetch })
  const transport = overSender(sender)
  const scope = Scope.makeUnsafe()
  const observe = observer === undefined ? unobserved : reporting<ApiTypesV4>(observer)
  const source = gatewaySource(apiV4, settings, transport, observe)
  const tokens = TokenCache.keep(
    runtime.tokenStore === undefined
      ? source
      : Effect.runSync(SharedTokenCache.shared(source, settings, SharedTokenCache.fromPromises(runtime.tokenStore))),
    scope
  )
  const core = GatewayCore.make(apiV4, settings, transport, { tokens, observe })
  const { call } = core
  const { close, run } = makeCallRunner<ApiTypesV4>(
    { api: apiV4, readOptions, toError: (failure) => new GatewayErrorV4(failure) },
    callContext(runtime),
    async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      sender.close()
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

  return {
    ...promises,
    goid: core.goid,
    baseUrl: core.baseUrl,
    reconcile: async (change, callOptions) =>
      run({ kind: "read", name: "v4.reconcile" }, reconcileV4(reads, change), callOptions),
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
