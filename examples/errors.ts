/**
 * What to do about each reason of a `GatewayError`. `errors.test.ts` runs it.
 */
import { Effect, Schedule } from "effect"
import {
  captureAuthorization,
  createPayment,
  type CreatePaymentRequest,
  createRecurrence,
  type CreateRecurrenceRequest,
  deleteCard,
  getAccountStatement,
  type AccountStatementRequest,
  getPayment,
  reconcile,
  refundPayment,
  voidAuthorization
} from "effect-gopay"

export const checkout = (order: CreatePaymentRequest) =>
  createPayment(order).pipe(
    Effect.map(({ gw_url }) => `send the payer to ${gw_url}`),
    Effect.catchReason("GatewayError", "InvalidRequest", ({ errors }) =>
      Effect.succeed(`correct ${errors.map(({ field = "the order", message }) => `${field}: ${message}`).join(", ")}`)
    )
  )

export const answer = (id: number) =>
  getPayment(id).pipe(
    Effect.map(({ state }) => `the payment is ${state}`),
    Effect.catchReasons(
      "GatewayError",
      { PaymentNotFound: ({ paymentId }) => Effect.succeed(`there is no payment ${paymentId}`) },
      ({ message }) => Effect.as(Effect.logError(message), "ask again later")
    )
  )

export const payments = (order: CreatePaymentRequest) =>
  checkout(order).pipe(
    Effect.catchReasons("GatewayError", {
      AuthenticationFailed: ({ message }) => Effect.as(Effect.logError(message), "no payments: check the credentials"),
      PermissionDenied: ({ message }) =>
        Effect.as(Effect.logError(message), "no payments: check the scope, or the network")
    })
  )

export const stateOf = (id: string) =>
  getPayment(id).pipe(
    Effect.map(({ state }) => state),
    Effect.catchReason("GatewayError", "PaymentNotFound", ({ paymentId }) => Effect.succeed(`no payment ${paymentId}`))
  )

export const forgetCard = (id: number) =>
  deleteCard(id).pipe(
    Effect.as("forgotten"),
    Effect.catchReason("GatewayError", "CardNotFound", () => Effect.succeed("there is no such card"))
  )

export const ship = (id: number) =>
  captureAuthorization(id).pipe(
    Effect.as("captured"),
    Effect.catchReason("GatewayError", "OperationRefused", ({ code, goalReached }) => {
      if (goalReached) return Effect.succeed("captured before: how much is not known")
      return Effect.succeed(code === 350 ? "nothing is held any more" : `refused with code ${code}`)
    })
  )

export const chargePatiently = (id: number, charge: CreateRecurrenceRequest) =>
  createRecurrence(id, charge).pipe(
    Effect.tapError(({ reason }) =>
      reason._tag === "RateLimited" ? Effect.sleep(reason.retryAfterMillis ?? 1_000) : Effect.void
    ),
    Effect.retry({
      while: ({ reason }) => reason.isRetryable,
      times: 3,
      schedule: Schedule.jittered(Schedule.exponential("100 millis"))
    })
  )

export const cancelOrder = (id: number) =>
  voidAuthorization(id).pipe(
    Effect.as("released"),
    Effect.catchReason("GatewayError", "GatewayUnavailable", ({ isRetryable }) =>
      Effect.succeed(isRetryable ? "nothing was sent: try it again later" : "the client is closed")
    )
  )

export const refundAll = (id: number, amount: number) =>
  refundPayment(id, { amount }).pipe(
    Effect.map(({ result }) => (result === "FINISHED" ? "refunded" : "taken, not done")),
    Effect.catchReason("GatewayError", "OutcomeUnknown", ({ change }) =>
      Effect.map(reconcile(change), (found) => (found._tag === "StateReached" ? "refunded" : found.message))
    )
  )

export const statement = (request: AccountStatementRequest) =>
  getAccountStatement(request).pipe(
    Effect.map((file) => file.toText()),
    Effect.catchReason("GatewayError", "UnexpectedResponse", ({ message }) =>
      Effect.as(Effect.logError(message), "no statement")
    )
  )
