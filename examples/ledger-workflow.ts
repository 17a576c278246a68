/**
 * A refund as a step of an Effect workflow: with the ledger, and the obvious version without it, which pays twice.
 */
import { Effect, Schedule, Schema } from "effect"
import { refundPayment } from "effect-gopay"
import { Ledger } from "effect-gopay/ledger"
import { Activity, Workflow } from "effect/workflow"

const payload = { complaint: Schema.String, paymentId: Schema.Int, amount: Schema.Int }

export const SettleComplaint = Workflow.make("SettleComplaint", {
  payload,
  success: Schema.String,
  idempotencyKey: ({ complaint }) => complaint
})

export const settleComplaintLive = SettleComplaint.toLayer(({ amount, complaint, paymentId }) =>
  Activity.make({
    name: "refund",
    success: Schema.String,
    // A step may run again: the same key is the same refund.
    execute: Ledger.use((ledger) => ledger.refund(complaint, paymentId, { amount })).pipe(
      Effect.map(({ _tag }) => _tag),
      Effect.repeat({
        until: (outcome) => outcome === "Done" || outcome === "Refused" || outcome === "Failed",
        schedule: Schedule.spaced("10 seconds")
      }),
      Effect.orDie
    )
  })
)

/** Do not do this: a step that runs again sends its refund again. */
export const PayTwice = Workflow.make("PayTwice", {
  payload,
  success: Schema.String,
  idempotencyKey: ({ complaint }) => complaint
})

export const payTwiceLive = PayTwice.toLayer(({ amount, paymentId }) =>
  Activity.make({
    name: "refund",
    success: Schema.String,
    execute: Effect.orDie(Effect.map(refundPayment(paymentId, { amount }), ({ result }) => result))
  })
)
