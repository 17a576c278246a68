/**
 * A function on AWS Lambda that takes the money of an order, and ends in time to tell what became of it.
 */
import { ChangeRecord, createGatewayClient, GatewayError, optionsFromEnv } from "effect-gopay/promise"

const gateway = createGatewayClient({
  ...optionsFromEnv(process.env),
  retry: { attempts: 2, totalTimeout: "10 seconds" }
})

export const shipOrder = async (
  paymentId: number,
  lambda: { readonly getRemainingTimeInMillis: () => number }
): Promise<"captured" | "to be found out"> => {
  await remember(ChangeRecord.captureAuthorization(paymentId, { sentAt: new Date() }))
  try {
    const signal = AbortSignal.timeout(Math.max(1, lambda.getRemainingTimeInMillis() - 2_000))
    await gateway.captureAuthorization(paymentId, { signal })
    return "captured"
  } catch (error) {
    if (error instanceof GatewayError && error.reason._tag === "OutcomeUnknown") return "to be found out"
    throw error // certainly not captured
  }
}

/** Into the shop's database, for a later `reconcile`: Lambda may end the function without a word. */
declare const remember: (change: object) => Promise<void>
