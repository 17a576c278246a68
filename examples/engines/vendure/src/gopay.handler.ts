import { LanguageCode, type PaymentOptions, PaymentMethodHandler } from "@vendure/core"
import { gopay, GopayService } from "./gopay.service"

let service: GopayService

/**
 * The handler of payments by GoPay. Vendure's payments are made by notifications: no shopper makes one by
 * `addPaymentToOrder`.
 */
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
    // It has been captured already: that is what the notification says.
    if (ctx.apiType === "custom") return { success: true }
    const outcome = await service.capture(payment)
    return outcome._tag === "Done"
      ? { success: true }
      : { success: false, state: "Authorized", errorMessage: outcome.message }
  },
  cancelPayment: async (_ctx, _order, payment) => {
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

/** Refunds are pending until the gateway has made them, and may fail after that. */
export const gopayRefundProcess: NonNullable<PaymentOptions["refundProcess"]>[number] = {
  transitions: {
    Pending: { to: ["Pending", "Settled", "Failed"], mergeStrategy: "merge" },
    Settled: { to: ["Failed"], mergeStrategy: "merge" },
    Failed: { to: ["Settled"], mergeStrategy: "merge" }
  }
}
