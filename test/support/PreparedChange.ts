/**
 * Changes, ready to be made: each with the record that is stored before it.
 */
import type * as Effect from "effect/Effect"
import type { RefundTiming } from "../../src/client/error/ChangeRecord.js"
import * as Client from "../../src/index.js"

export interface PreparedChange {
  readonly record: Client.ChangeRecord
  readonly call: Effect.Effect<unknown, Client.GatewayError, Client.Gateway>
}

/** What a change is about, and by which it is recognised. */
export interface ChangeDetails {
  readonly operation: Client.ChangeOperation
  /** Of the payment or the card. */
  readonly id: number
  readonly amount: number
  readonly orderNumber: string
  /** What a created payment has beside its sum and its order number. */
  readonly order: Pick<Client.CreatePaymentRequest, "callback" | "payer">
}

/** Makes the record of a change, and the call itself. */
export const prepareChange = (
  { amount, id, operation, order, orderNumber }: ChangeDetails,
  timing: RefundTiming
): PreparedChange => {
  const { ChangeRecord } = Client
  const charge = { amount, currency: "CZK", order_number: orderNumber }
  const payment = { ...charge, ...order }
  switch (operation) {
    case "createPayment":
      return { record: ChangeRecord.createPayment(payment, timing), call: Client.createPayment(payment) }
    case "refundPayment":
      return { record: ChangeRecord.refundPayment(id, { amount }, timing), call: Client.refundPayment(id, { amount }) }
    case "createRecurrence":
      return { record: ChangeRecord.createRecurrence(id, charge, timing), call: Client.createRecurrence(id, charge) }
    case "voidRecurrence":
      return { record: ChangeRecord.voidRecurrence(id, timing), call: Client.voidRecurrence(id) }
    case "captureAuthorization":
      return { record: ChangeRecord.captureAuthorization(id, timing), call: Client.captureAuthorization(id) }
    case "captureAuthorizationPartial":
      return {
        record: ChangeRecord.captureAuthorizationPartial(id, { amount }, timing),
        call: Client.captureAuthorizationPartial(id, { amount })
      }
    case "voidAuthorization":
      return { record: ChangeRecord.voidAuthorization(id, timing), call: Client.voidAuthorization(id) }
    case "deleteCard":
      return { record: ChangeRecord.deleteCard(id, timing), call: Client.deleteCard(id) }
  }
}
