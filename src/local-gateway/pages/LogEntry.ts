/**
 * Entries of the log as shown by the control API, and fields that its other responses share.
 */
import * as Schema from "effect/Schema"
import { list, object, oneOf, whole } from "../books/Fields.js"

export const id = whole(1).annotate({ description: "Id of a payment." })

export const goid = whole(1).annotate({ description: "The shop's identifier." })

export const amount = whole(0).annotate({ description: "An integer in minor units (haléře, cents)." })

export const time = Schema.String.annotate({ description: "ISO 8601, in UTC, with milliseconds.", format: "date-time" })

export const count = whole(0)

export const anyText = Schema.String

/** An object that is described elsewhere. */
export const anyObject = Schema.Record(Schema.String, Schema.Unknown)

/** A change of a payment, and who caused it. */
const change = {
  payment_id: id,
  by: oneOf(["merchant", "payer", "time", "control"]),
  jump_millis: Schema.optionalKey(
    count.annotate({
      description: "The length of the jump in time during which it came due, in milliseconds; absent outside a jump."
    })
  )
}

/** Absent if the payment has been dropped. */
const currency = Schema.optionalKey(anyText.annotate({ description: "The currency of the amounts." }))

/** An entry of one type. */
const entryOf = <const Type extends string, Fields extends Schema.Struct.Fields>(
  type: Type,
  description: string,
  fields: Fields
) =>
  object({
    number: whole(1).annotate({ description: "The entry's number. The first is 1, and no number is used twice." }),
    at: time,
    type: Schema.Literal(type),
    ...fields
  }).annotate({ description })

export const LogEntry = Schema.Union([
  entryOf(
    "request",
    "A request to the gateway and its response. Secrets and card numbers are masked, long bodies are cut.",
    {
      method: anyText,
      path: anyText,
      query: anyText,
      status: count.annotate({ description: "0 when there was no response." }),
      duration_millis: Schema.Finite.annotate({
        description: "Time to the beginning of the response, in milliseconds, with the delay of the fault `latency`."
      }),
      error_codes: Schema.optionalKey(
        list(count).annotate({ description: "The codes of the errors in the response." })
      ),
      headers: Schema.Record(Schema.String, Schema.String),
      operation: Schema.optionalKey(anyText),
      payment_id: Schema.optionalKey(id),
      fault: Schema.optionalKey(anyText),
      request_body: anyText,
      response_body: anyText
    }
  ),
  entryOf("state", "The state of a payment changed.", {
    ...change,
    from: Schema.optionalKey(anyText.annotate({ description: "Absent for a new payment." })),
    to: anyText,
    sub_state: Schema.optionalKey(anyText),
    received: amount,
    refunded: amount,
    currency
  }),
  entryOf("recurrence", "The state of a recurrence changed.", { ...change, to: anyText }),
  entryOf("preauthorization", "The state of a preauthorization changed.", { ...change, to: anyText }),
  entryOf("payer", "The payer was asked to confirm the payment at the bank, or was sent back to the shop.", {
    payment_id: id,
    action: oneOf(["threeDSecure", "returned"])
  }),
  entryOf("operation", "A refund, a capture or a void was accepted, finished or failed.", {
    payment_id: id,
    operation: anyText,
    result: oneOf(["accepted", "finished", "failed"]),
    amount: Schema.optionalKey(amount),
    currency
  }),
  entryOf("notification", "An attempt to notify the merchant.", {
    payment_id: id,
    order_number: Schema.optionalKey(anyText.annotate({ description: "Absent once the payment is dropped." })),
    method: Schema.optionalKey(Schema.Literal("POST").annotate({ description: "Absent of a GET." })),
    url: anyText,
    attempt: count,
    status: count.annotate({ description: "0 when there was no response." }),
    problem: Schema.optionalKey(anyText),
    duration_millis: Schema.optionalKey(
      Schema.Finite.annotate({ description: "Time to the response, in milliseconds; absent where it was not sent." })
    ),
    headers: Schema.optionalKey(
      Schema.Record(Schema.String, Schema.String).annotate({ description: "Headers of the response." })
    ),
    response_body: Schema.optionalKey(anyText.annotate({ description: "Body of the response, cut." }))
  }),
  entryOf("warning", "A call was accepted that GoPay may refuse.", {
    operation: anyText,
    payment_id: Schema.optionalKey(id),
    refusal: anyText.annotate({ description: "The refusal, in words." })
  }),
  entryOf(
    "control",
    "Something was done through this API, or on the dashboard. Time and faults have their own entries.",
    {
      action: anyText.annotate({ description: "The operation, such as `payByCard`." }),
      payment_id: Schema.optionalKey(id),
      request: Schema.optionalKey(anyText.annotate({ description: "The body of the request, with secrets masked." })),
      problem: Schema.optionalKey(anyText.annotate({ description: "The reason for which it was refused." }))
    }
  ),
  entryOf("time", "Time was moved forward.", {
    advanced_millis: count,
    planned_millis: Schema.optionalKey(
      count.annotate({ description: "How far it was to move, where it was stopped before." })
    )
  }),
  entryOf("fault", "A fault was armed, used or disarmed.", {
    fault: anyText,
    change: oneOf(["armed", "used", "disarmed"])
  })
]).annotate({ identifier: "LogEntry", description: "An entry of the log." })

export type LogEntry = typeof LogEntry.Type

/** The kinds of entries. */
export const logEntryTypes = LogEntry.members.map(({ fields }) => fields.type.literal)
