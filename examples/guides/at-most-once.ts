/**
 * A refund without the ledger, in a workflow whose engine can run a step at most once.
 */
import { ChangeRecord, type GatewayClient, GatewayError } from "effect-gopay/promise"

/** What the engine does. It stores the result of a step, and then does not run it again. */
export interface Steps {
  /** Runs again when it was interrupted or has thrown, after a pause. */
  readonly run: (name: string, step: () => Promise<string>) => Promise<string>
  /** Never runs again. Returns `undefined` when it was interrupted. */
  readonly once: (name: string, step: () => Promise<string>) => Promise<string | undefined>
}

/** Run it as the only workflow of a payment: nothing else may refund it meanwhile. */
export const refundInSteps = async (gateway: GatewayClient, steps: Steps, paymentId: number, amount: number) => {
  // The earlier refunds: without them, no later read can distinguish this refund from an earlier one.
  const record = await steps.run("record", async () =>
    JSON.stringify(
      ChangeRecord.refundPayment(
        paymentId,
        { amount },
        { refundsBefore: await gateway.getPaymentRefunds(paymentId), isOnlyWriter: true, sentAt: new Date() }
      )
    )
  )
  const sent = await steps.once("send", async () => {
    try {
      const { result } = await gateway.refundPayment(paymentId, { amount })
      return result === "FINISHED" ? "refunded" : "unknown"
    } catch (error) {
      return error instanceof GatewayError && error.reason._tag !== "OutcomeUnknown" ? "not refunded" : "unknown"
    }
  })
  if (sent === "refunded" || sent === "not refunded") return sent
  // Only reads, so it may run as often as it takes.
  return steps.run("reconcile", async () => {
    const found = await gateway.reconcile(ChangeRecord.parse(record))
    if (found._tag === "StateReached" || (found._tag === "Happened" && !found.isPending)) return "refunded"
    if (found._tag === "DidNotHappen") return "not refunded"
    const isYoung = found._tag === "Happened" || (found._tag === "NotSeenYet" && found.ageMillis < 3_600_000)
    if (isYoung) throw new Error("Not known yet.")
    return `an operator decides: ${found.message}`
  })
}
