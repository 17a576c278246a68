/**
 * The gateway, as the orders of a ledger use it.
 */
import type * as Effect from "effect/Effect"
import type { CreatePaymentRequest, CreatePaymentResponse, Id, PaymentResponse } from "../../api/Messages.plain.js"
import type { GatewayFailure } from "../../client/error/GatewayError.plain.js"
import type { Reads } from "../../client/outcome/Reconcile.js"
import type { RefundList } from "./RefundList.js"

/** The reads of payments, and their creation. */
export interface OrderGateway {
  /** The merchant. */
  readonly goid: Effect.Effect<Id>
  readonly reads: Pick<Reads<GatewayFailure>, "getPayment" | "getPaymentRefunds">
  /** The refunds of a payment, with the gateway's clock. */
  readonly listRefunds: (paymentId: string) => Effect.Effect<RefundList, GatewayFailure>
  /** Creates a payment once, unless the last look says no. */
  readonly createPayment: (
    request: CreatePaymentRequest,
    maySend: Effect.Effect<boolean, unknown>
  ) => Effect.Effect<CreatePaymentResponse, GatewayFailure>
}

/** The name of the parameter that names the attempt to create a payment. The gateway gives it back in each response. */
const parameter = "effect-gopay"

/** A request that names the attempt. */
export const withAttempt = (request: CreatePaymentRequest, attempt: string): CreatePaymentRequest => ({
  ...request,
  additional_params: [...(request.additional_params ?? []), { name: parameter, value: attempt }]
})

/** The attempt of a ledger that created the payment. */
export const attemptOf = ({ additional_params = [] }: PaymentResponse): string | undefined =>
  additional_params.find(({ name }) => name === parameter)?.value
