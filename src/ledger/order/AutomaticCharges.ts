/**
 * Recurrences that the gateway charges by itself: each charge is known by its notification, so one that does not come is
 * missed by its day.
 */
import type { PaymentResponse } from "../../contract/Messages.js"
import type { PaymentRow } from "./PaymentRow.js"
import { day } from "../../contract/Milliseconds.js"

/** How long after its day a charge may come: a payment may begin days after it was created. */
const grace = 3 * day

/** Whether the gateway charges the recurrence of a payment by itself. */
export const isAutomatic = ({ parent_id, terms: { recurrence } }: PaymentRow): boolean =>
  parent_id === null && recurrence !== undefined && recurrence.recurrence_cycle !== "ON_DEMAND"

/** The time at which the next charge is missed, by that at which the last one was recorded; nothing when there is none to come. */
export const missedAt = (
  { created_at, terms: { recurrence } }: PaymentRow,
  payment: PaymentResponse,
  lastAt: number | undefined
): number | undefined => {
  if (recurrence === undefined || payment.recurrence?.recurrence_state !== "STARTED") return undefined
  const { recurrence_cycle: cycle, recurrence_date_to, recurrence_period = 1 } = recurrence
  const next = later(lastAt ?? created_at, cycle, recurrence_period)
  return next === undefined || next > Date.parse(`${recurrence_date_to}T00:00:00Z`) ? undefined : next + grace
}

/** The time that is a number of cycles later. A month that lacks the day ends earlier. */
const later = (time: number, cycle: string, count: number): number | undefined => {
  switch (cycle) {
    case "DAY":
      return time + count * day
    case "WEEK":
      return time + count * 7 * day
    case "MONTH": {
      const from = new Date(time)
      const month = new Date(time)
      month.setUTCDate(1)
      month.setUTCMonth(from.getUTCMonth() + count)
      const last = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
      month.setUTCDate(Math.min(from.getUTCDate(), last))
      return month.getTime()
    }
    default:
      return undefined
  }
}
