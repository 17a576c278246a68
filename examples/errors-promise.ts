/**
 * The same as `errors.ts`, with promises.
 */
import { setTimeout as sleep } from "node:timers/promises"
import {
  type AccountStatementRequest,
  type CreatePaymentRequest,
  type CreateRecurrenceRequest,
  type GatewayClient,
  GatewayError,
  type PaymentResponse
} from "effect-gopay/promise"

/** The reason of a `GatewayError`; anything else is thrown on. */
const reasonOf = (error: unknown) => {
  if (error instanceof GatewayError) return error.reason
  throw error
}

export const checkout = async (gateway: GatewayClient, order: CreatePaymentRequest): Promise<string> => {
  try {
    return `send the payer to ${(await gateway.createPayment(order)).gw_url}`
  } catch (error) {
    const reason = reasonOf(error)
    if (reason._tag !== "InvalidRequest") throw error
    return `correct ${reason.errors.map(({ field = "the order", message }) => `${field}: ${message}`).join(", ")}`
  }
}

export const payments = async (gateway: GatewayClient, order: CreatePaymentRequest): Promise<string> => {
  try {
    return await checkout(gateway, order)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason._tag === "AuthenticationFailed") return "no payments: check the credentials"
    if (reason._tag === "PermissionDenied") return "no payments: check the scope, or the network"
    throw error
  }
}

export const stateOf = async (gateway: GatewayClient, id: string): Promise<string> => {
  try {
    return (await gateway.getPayment(id)).state
  } catch (error) {
    const reason = reasonOf(error)
    if (reason._tag === "PaymentNotFound") return `no payment ${reason.paymentId}`
    throw error
  }
}

export const forgetCard = async (gateway: GatewayClient, id: number): Promise<string> => {
  try {
    await gateway.deleteCard(id)
    return "forgotten"
  } catch (error) {
    if (reasonOf(error)._tag === "CardNotFound") return "there is no such card"
    throw error
  }
}

export const ship = async (gateway: GatewayClient, id: number): Promise<string> => {
  try {
    await gateway.captureAuthorization(id)
    return "captured"
  } catch (error) {
    const reason = reasonOf(error)
    if (reason._tag !== "OperationRefused") throw error
    if (reason.goalReached) return "captured before: how much is not known"
    return reason.code === 350 ? "nothing is held any more" : `refused with code ${reason.code}`
  }
}

export const chargePatiently = async (
  gateway: GatewayClient,
  id: number,
  charge: CreateRecurrenceRequest,
  retries = 3
): Promise<PaymentResponse> => {
  try {
    return await gateway.createRecurrence(id, charge)
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason.isRetryable || retries === 0) throw error
    await sleep((reason._tag === "RateLimited" ? reason.retryAfterMillis : undefined) ?? 1_000)
    return chargePatiently(gateway, id, charge, retries - 1)
  }
}

export const cancelOrder = async (gateway: GatewayClient, id: number): Promise<string> => {
  try {
    await gateway.voidAuthorization(id)
    return "released"
  } catch (error) {
    const reason = reasonOf(error)
    if (reason._tag !== "GatewayUnavailable") throw error
    return reason.isRetryable ? "nothing was sent: try it again later" : "the client is closed"
  }
}

export const refundAll = async (gateway: GatewayClient, id: number, amount: number): Promise<string> => {
  try {
    const { result } = await gateway.refundPayment(id, { amount })
    return result === "FINISHED" ? "refunded" : "taken, not done"
  } catch (error) {
    const reason = reasonOf(error)
    if (reason._tag !== "OutcomeUnknown") throw error
    const found = await gateway.reconcile(reason.change)
    return found._tag === "StateReached" ? "refunded" : found.message
  }
}

export const statement = async (gateway: GatewayClient, request: AccountStatementRequest): Promise<string> => {
  try {
    return (await gateway.getAccountStatement(request)).toText()
  } catch (error) {
    if (reasonOf(error)._tag === "UnexpectedResponse") return "no statement"
    throw error
  }
}
