/**
 * The messages of the control API: requests and responses of its endpoints.
 *
 * Members are named like the gateway's (`order_number`). Settings and faults have the same names as in code.
 */
import * as Schema from "effect/Schema"
import { RecurrenceCycles, RecurrenceStates } from "../../contract/CodeLists.js"
import { readAfter } from "../../basics/ReadAfter.js"
import { Fault } from "../server/Faults.js"
import { standings } from "../server/Notifications.js"
import { codeOf, list, object, oneOf, problemCodes, text, whole } from "../books/Fields.js"
import { isoDurationPattern, maxAdvanceSeconds } from "../books/Times.js"
import { amount, anyObject, anyText, count, goid, id, time } from "./LogEntry.js"

// ---------------------------------------------------------------------------------------------------------------------
// Responses
// ---------------------------------------------------------------------------------------------------------------------

/** Actions of the payer, as the last part of the path. */
export const payerActions = [
  "choose-payment-method",
  "pay-by-card",
  "pay-by-bank-transfer",
  "decline-attempt",
  "decline",
  "cancel",
  "time-out"
] as const

/** Actions of the merchant, as the last part of the path. */
export const merchantActions = [
  "refund",
  "capture",
  "release",
  "charge",
  "stop-recurrence",
  "resend-notification",
  "order-again"
] as const

/** Possible problems of an accepted order. */
export const contradictions = ["itemsSum", "noMethod", "notNotified"] as const

/** Events that happen to a payment by themselves. */
export const eventTypes = ["timeOut", "release", "charge", "recurrenceEnd", "operationEnd"] as const

/** Kinds of payments. */
export const paymentKinds = ["recurrence", "stored-card"] as const

export const PaymentView = object({
  id,
  goid,
  created_at: time,
  received: amount.annotate({
    description: "The amount that the merchant got: all of it, or the captured part. In minor units."
  }),
  refunded: amount.annotate({ description: "The refunded amount, in minor units." }),
  refundable: amount.annotate({ description: "The amount that can still be refunded, in minor units." }),
  actions: list(oneOf(payerActions)).annotate({
    description: "Actions that the payer can take now: POST /payments/{id}/…"
  }),
  merchant_actions: list(oneOf(merchantActions)).annotate({
    description: "Actions that the merchant can take now: POST /payments/{id}/…"
  }),
  contradictions: list(object({ type: oneOf(contradictions), message: anyText })).annotate({
    description:
      "What is wrong with the order, though it was accepted: its items add up to another amount, no payment method that it allows is offered, its notification address is not called."
  }),
  notified: Schema.optionalKey(
    oneOf(standings).annotate({
      description:
        "How the last notification went: `delivered`, `waiting` for its first attempt, `failing`; `noAddress` where the order has no address. Absent where there was nothing to report."
    })
  ),
  part_refundable_at: Schema.optionalKey(
    time.annotate({ description: "The time from which a part can be refunded, while only all of it can (330)." })
  ),
  next: Schema.optionalKey(
    object({
      type: oneOf(eventTypes),
      at: time
    }).annotate({ description: "The next event that happens by itself." })
  ),
  api: Schema.optionalKey(
    Schema.Literal("v4").annotate({ description: "A payment of GoPay's API v4; absent of one of v3." })
  ),
  payment: anyObject.annotate({
    description:
      "Exactly as in the response to `getPayment`. See /openapi.json. One of API v4 is shown in the same form, without its secret."
  })
}).annotate({ identifier: "Payment", description: "A payment in the gateway's books." })

export const Recurrence = object({
  payment_id: id,
  goid,
  order_number: anyText,
  amount,
  currency: anyText,
  recurrence: object({
    recurrence_cycle: codeOf(RecurrenceCycles),
    recurrence_period: Schema.optionalKey(count),
    recurrence_date_to: anyText,
    recurrence_state: codeOf(RecurrenceStates)
  }),
  started_at: Schema.optionalKey(time),
  next_charge_at: Schema.optionalKey(time.annotate({ description: "The next automatic charge." })),
  charges: list(id).annotate({ description: "The ids of its charges, oldest first." })
}).annotate({ identifier: "Recurrence", description: "A recurrence and its charges." })

export const Time = object({
  now: time,
  time_ahead: Schema.Finite.annotate({ description: "Seconds by which the gateway's time is ahead of the clock." })
}).annotate({ identifier: "Time" })

export const ArmedFault = object({
  id: whole(1),
  fault: Fault,
  operation: Schema.optionalKey(anyText),
  callsLeft: count.annotate({ description: "Requests that it will still hit." })
}).annotate({ identifier: "ArmedFault", description: "An armed fault." })

export const FaultKind = object({
  name: anyText,
  description: anyText,
  parameters: Schema.Record(
    Schema.String,
    object({ description: anyText, default: Schema.Union([Schema.String, Schema.Finite]) })
  )
}).annotate({ identifier: "FaultKind", description: "A fault that can be armed." })

/** A merchant, without its secret. */
export const merchantFields = { goid, name: anyText, client_id: anyText }

export const State = object({
  url: anyText.annotate({ description: "Address of the gateway, without `/api`." }),
  ...Time.fields,
  moving: Schema.optionalKey(
    object({
      from: time,
      to: time,
      awaiting: list(id).annotate({
        description:
          "The payments of which the merchant has yet to respond to a notification: time moves on after that."
      })
    }).annotate({ description: "The move of time that is under way." })
  ),
  revision: count.annotate({ description: "Increases with every change of payments, cards, settings and time." }),
  newest: count.annotate({ description: "Number of the newest entry of the log." }),
  payments: object({ total: count, by_state: Schema.Record(Schema.String, whole(0)) }),
  cards: count,
  notifications_waiting: count,
  notifications_failing: count.annotate({
    description:
      "The payments of which the last attempt to notify the merchant has failed, whether or not another follows."
  }),
  faults: list(ArmedFault),
  random_faults: Schema.Boolean.annotate({ description: "Whether random faults are armed." }),
  merchants: list(object(merchantFields))
}).annotate({ identifier: "State", description: "A summary of the gateway, cheap enough to poll every second." })

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** A whole number in a query. */
export const number = (minimum: number, maximum?: number) =>
  readAfter(whole(minimum, maximum), (value) =>
    typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  )

export const statusFilter = text(4)
  .check(Schema.isPattern(/^(\d{1,3}|[1-5]xx)$/, { message: "must be a status, or its class, such as 4xx" }))
  .annotate({ description: "A status, or a class such as `4xx`; 0 where there was no response." })

const durationMessage = "must be seconds, 0 or more, or an ISO 8601 duration such as P1M or PT12H"

export const Duration = Schema.Union([
  Schema.Number.annotate({ message: durationMessage }).check(
    Schema.isFinite({ message: durationMessage }).abort(),
    Schema.isBetween({ minimum: 0, maximum: maxAdvanceSeconds }, { message: durationMessage })
  ),
  Schema.String.check(Schema.isPattern(isoDurationPattern, { message: durationMessage }))
]).annotate({ message: durationMessage, description: "Seconds, or an ISO 8601 duration: `P1M` is one month." })

/** A sub-state of a payment. */
export const subState = text(64).check(
  Schema.isPattern(/^_\d+$/, { message: "must be a sub-state: an underscore and digits, such as _5006" })
)

/** The body of a refusal. */
export const ControlError = object({
  error: oneOf([
    "InvalidRequest",
    "NotFound",
    "WrongPaymentState",
    "InstrumentNotOffered",
    "Refused",
    "Unauthorized",
    "CrossSite",
    "UnsupportedMediaType"
  ]),
  message: anyText,
  problems: Schema.optionalKey(
    list(
      object({
        field: Schema.optionalKey(anyText),
        code: oneOf(problemCodes).annotate({
          description: "What is wrong, for programs. `Invalid`: only the message says what."
        }),
        values: list(Schema.Union([Schema.String, Schema.Finite])).annotate({
          description: "The bounds or choices that the message names, in its order."
        }),
        message: anyText
      })
    ).annotate({ description: "The wrong fields." })
  ),
  error_code: Schema.optionalKey(count.annotate({ description: "The gateway's error code, of `Refused`." })),
  state: Schema.optionalKey(anyText.annotate({ description: "The state of the payment, where that is the reason." }))
}).annotate({ identifier: "Error" })

/** The body of a refusal. */
export type ControlError = typeof ControlError.Type
