/**
 * The same as `safe-refund.ts`, with promises.
 */
import { ChangeRecord, type GatewayClient, GatewayError } from "effect-gopay/promise"

/**
 * The refunds whose outcome is not known, one for each payment: in a database, a table with the payment's id as its
 * key.
 */
export interface OpenRefunds {
  /** Runs something while no other process does so for this payment: a lock on the order's row. */
  readonly locked: <A>(paymentId: number, run: () => Promise<A>) => Promise<A>
  readonly find: (paymentId: number) => Promise<string | undefined>
  /** What is saved is committed when this ends, so that it survives the process. */
  readonly save: (paymentId: number, record: string) => Promise<void>
  readonly remove: (paymentId: number) => Promise<void>
}

export const refund = (gateway: GatewayClient, open: OpenRefunds, paymentId: number, amount: number) =>
  open.locked(paymentId, async () => {
    if ((await open.find(paymentId)) !== undefined) throw new Error("An earlier refund of this payment is in doubt.")
    const record = ChangeRecord.refundPayment(
      paymentId,
      { amount },
      {
        refundsBefore: await gateway.getPaymentRefunds(paymentId),
        isOnlyWriter: true, // by the lock, by the check above, and since no one refunds by hand
        sentAt: new Date()
      }
    )
    await open.save(paymentId, JSON.stringify(record))
    try {
      const refund = await gateway.refundPayment(paymentId, { amount })
      if (refund.result === "FINISHED") await open.remove(paymentId) // else: taken, not done
      return refund
    } catch (error) {
      if (error instanceof GatewayError && error.reason._tag !== "OutcomeUnknown") await open.remove(paymentId)
      throw error
    }
  })

/** For each open refund: at the start of the process, and now and then. */
export const settle = (gateway: GatewayClient, open: OpenRefunds, paymentId: number) =>
  open.locked(paymentId, async () => {
    const stored = await open.find(paymentId)
    if (stored === undefined) return "nothing is open"
    const found = await gateway.reconcile(ChangeRecord.parse(stored))
    switch (found._tag) {
      case "Happened":
        if (found.isPending) return "taken, not done: look again later"
        await open.remove(paymentId)
        return `done: refund ${found.id}`
      case "StateReached":
        await open.remove(paymentId)
        return "all is refunded"
      case "DidNotHappen":
        await open.remove(paymentId)
        return "not done"
      case "NotSeenYet":
        return found.ageMillis < 3_600_000 ? "look again later" : `ask an operator: ${found.message}`
      case "CannotTell":
        return `ask an operator: ${found.message}`
    }
  })
