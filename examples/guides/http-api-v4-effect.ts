/**
 * A shop's own interface over API v4, with typed errors.
 */
import { Effect, Schema } from "effect"
import { GatewayV4 } from "effect-gopay/v4"
import { PaymentIdV4, PaymentV4, reasonsV4, RefundPaymentRequestV4, RefundV4 } from "effect-gopay/v4/schema"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

const params = { id: PaymentIdV4 }

/** What callers need of a payment: without `payment_secret`. */
const PaymentSummary = Schema.Struct({
  id: PaymentV4.fields.id,
  state: PaymentV4.fields.state,
  amount: PaymentV4.fields.amount
})

export const PaymentsV4 = HttpApiGroup.make("payments").add(
  HttpApiEndpoint.get("read", "/payments/:id", { params, success: PaymentSummary, error: reasonsV4.getPayment }),
  // The caller must not repeat it after 424, but find the outcome.
  HttpApiEndpoint.post("refund", "/payments/:id/refund", {
    params,
    payload: RefundPaymentRequestV4,
    success: RefundV4,
    error: reasonsV4.refundPayment
  })
)

export const ShopV4 = HttpApi.make("shop").add(PaymentsV4)

export const PaymentsV4Live = HttpApiBuilder.group(
  ShopV4,
  "payments",
  Effect.fn(function* (handlers) {
    const gateway = yield* GatewayV4
    return handlers.handleAll({
      read: ({ params }) => gateway.getPayment(params.id).pipe(Effect.unwrapReason("GatewayErrorV4")),
      refund: ({ params, payload }) =>
        gateway.refundPayment(params.id, payload).pipe(Effect.unwrapReason("GatewayErrorV4"))
    })
  })
)
