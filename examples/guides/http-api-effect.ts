/**
 * A shop's own interface over the gateway and a ledger, with typed errors.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { type ChangeRecord, Gateway, OnUnknownOutcome } from "effect-gopay"
import { ChangeOutcome, InvalidArgument, KeyReused, Ledger, LedgerUnavailable } from "effect-gopay/ledger"
import { GatewayId, Payment, PaymentOperation, reasons, RefundPaymentRequest } from "effect-gopay/schema"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

const params = { id: GatewayId }

export const Payments = HttpApiGroup.make("payments").add(
  HttpApiEndpoint.get("read", "/payments/:id", { params, success: Payment, error: reasons.getPayment }),
  // Without a ledger, the caller must not repeat it after 424, but find the outcome.
  HttpApiEndpoint.post("refund", "/payments/:id/refund", {
    params,
    payload: RefundPaymentRequest,
    success: PaymentOperation,
    error: reasons.refundPayment
  }),
  // With a ledger, the same key may be sent again after any response.
  HttpApiEndpoint.put("refundOnce", "/payments/:id/refunds/:key", {
    params: { ...params, key: Schema.String },
    payload: RefundPaymentRequest,
    success: ChangeOutcome,
    error: [KeyReused, InvalidArgument, LedgerUnavailable]
  })
)

export const Shop = HttpApi.make("shop").add(Payments)

export const PaymentsLive = HttpApiBuilder.group(
  Shop,
  "payments",
  Effect.fn(function* (handlers) {
    const gateway = yield* Gateway
    const ledger = yield* Ledger
    return handlers.handleAll({
      read: ({ params }) => gateway.getPayment(params.id).pipe(Effect.unwrapReason("GatewayError")),
      refund: ({ params, payload }) =>
        gateway.refundPayment(params.id, payload).pipe(Effect.unwrapReason("GatewayError")),
      refundOnce: ({ params, payload }) =>
        ledger.refund(params.key, params.id, payload).pipe(Effect.unwrapReason("LedgerError"))
    })
  })
)

/** Your table of changes whose outcome no caller knows. A job settles each by `reconcile(change)`. */
export class UnknownChanges extends Context.Service<
  UnknownChanges,
  { readonly add: (change: ChangeRecord) => Effect.Effect<void> }
>()("UnknownChanges") {}

export const RecordUnknown = Layer.effect(
  OnUnknownOutcome,
  Effect.map(UnknownChanges, ({ add }) => add)
)
