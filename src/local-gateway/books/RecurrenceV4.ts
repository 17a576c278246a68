/**
 * A recurrence of API v4: a template for payments. Its state follows from its first payment, which is charged again by
 * the rules of v3's recurrences.
 */
import * as Result from "effect/Result"
import type { Payment } from "./Payment.js"
import { refusalV4, type Refusal } from "./Refusal.js"
import type { RecurrenceOrderV4 } from "./RequestDecoderV4.js"
import { midnightAfter } from "./Times.js"

/** The reasons why a recurrence was stopped by someone. */
export const stopReasonsV4 = ["CANCELLED_VIA_API", "CANCELLED_VIA_BACKOFFICE"] as const

/** A recurrence in the books. */
export interface RecurrenceV4 extends RecurrenceOrderV4 {
  readonly id: number
  /** The reason why it was stopped, if someone has stopped it. */
  readonly stopReason: (typeof stopReasonsV4)[number] | undefined
}

/** The state of a recurrence, and if it has stopped, the reason. */
export interface StandingV4 {
  readonly state: "NEW" | "REQUESTED" | "STARTED" | "STOPPED"
  readonly stopReason?: RecurrenceV4["stopReason"] | "RECURRENCE_EXPIRED"
}

/**
 * The state of a recurrence, from its first payment, if there is one. An unpaid first payment leaves it `REQUESTED`
 * until its last day.
 */
export const standingOf = (
  { dateTo, stopReason }: RecurrenceV4,
  first: Payment | undefined,
  now: number
): StandingV4 => {
  if (stopReason !== undefined) return { state: "STOPPED", stopReason }
  if (now >= midnightAfter(dateTo)) return { state: "STOPPED", stopReason: "RECURRENCE_EXPIRED" }
  return { state: first === undefined ? "NEW" : first.recurrence === "STARTED" ? "STARTED" : "REQUESTED" }
}

/** Who charges it: GoPay by a schedule, or the merchant. */
export const cycleOf = ({ dateTo, schedule }: RecurrenceV4): NonNullable<Payment["order"]["recurrence"]> => ({
  recurrence_date_to: dateTo,
  ...(schedule === undefined
    ? { recurrence_cycle: "ON_DEMAND" }
    : { recurrence_cycle: schedule.period, recurrence_period: schedule.cycle })
})

const conflict = (description: string): Result.Result<never, Refusal> => Result.fail(refusalV4(409, description))

/** Refuses to start a recurrence that is not new. */
export const startable = ({ state }: StandingV4): Result.Result<void, Refusal> =>
  state === "NEW" ? Result.void : conflict(`The recurrence is ${state}, and was started or stopped before.`)

/** Refuses to charge a recurrence that the merchant may not charge. */
export const chargeableV4 = ({ type }: RecurrenceV4, { state }: StandingV4): Result.Result<void, Refusal> => {
  if (state !== "STARTED") return conflict(`The recurrence is ${state}: its first payment must be paid before.`)
  return type === "ON_DEMAND" ? Result.void : conflict("The gateway itself charges this recurrence.")
}

/** Refuses to stop a recurrence that has stopped. */
export const stoppableV4 = ({ state }: StandingV4): Result.Result<void, Refusal> =>
  state === "STOPPED" ? conflict("The recurrence has stopped before.") : Result.void
