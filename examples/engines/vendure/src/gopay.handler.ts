import { LanguageCode, type PaymentOptions, PaymentMethodHandler } from "@vendure/core"
import { gopay, GopayService } from "./gopay.service"

let service: GopayService

/** Takes payments from the ledger only: a shopper who calls `addPaymentToOrder` gets `Declined`. */
export const gopayHandler = new PaymentMethodHandler({
  code: gopay,
  description: [{ languageCode: LanguageCode.en, value: "GoPay" }],
  args: { preauthorization: { type: "boolean", defaultValue: false } },
  init: (injector) => {
    service = injector.get(GopayService)
  },
  createPayment: (ctx, _order, amount, _args, { amount: paid, paymentId, status }) =>
    ctx.apiType === "custom"
      ? {
          amount: Number(paid),
          state: status === "authorized" ? "Authorized" : "Settled",
          transactionId: String(paymentId)
        }
      : { amount, state: "Declined", errorMessage: "Payments by GoPay begin with createGopayPayment." },
  settlePayment: async (ctx, _order, payment) => {
    // The ledger reports that it is captured.
    if (ctx.apiType === "custom") return { success: true }
    const outcome = await service.capture(payment)
    return outcome._tag === "Done"
      ? { success: true }
      : { success: false, state: "Authorized", errorMessage: outcome.message }
  },
  cancelPayment: async (ctx, _order, payment) => {
    // The ledger reports that it is released, or that the hold has expired.
    if (ctx.apiType === "custom") return { success: true }
    const outcome = await service.release(payment)
    return outcome._tag === "Done"
      ? { success: true }
      : { success: false, state: "Authorized", errorMessage: outcome.message }
  },
  createRefund: async (ctx, _input, amount, _order, payment) => ({
    state: "Pending",
    transactionId: await service.submitRefund(ctx, payment.transactionId, amount)
  })
})

/** A refund is pending until the gateway has made it, and may fail after that. */
export const gopayRefundProcess: NonNullable<PaymentOptions["refundProcess"]>[number] = {
  transitions: {
    Pending: { to: ["Pending", "Settled", "Failed"], mergeStrategy: "merge" },
    Settled: { to: ["Failed"], mergeStrategy: "merge" },
    Failed: { to: ["Settled"], mergeStrategy: "merge" }
  }
}
