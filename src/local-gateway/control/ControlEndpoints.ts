/**
 * The endpoints of the control API, declared once. Its handlers and its OpenAPI document follow from these
 * declarations.
 *
 * Members are written like the gateway's (`order_number`). Settings and faults keep their names from code.
 */
import * as Schema from "effect/Schema"
import { PaymentInstruments, PaymentStates, RecurrenceCycles, RecurrenceStates } from "../../api/CodeLists.plain.js"
import { readAfter } from "../../api/ReadAfter.js"
import { Fault, FaultArming, FaultMix } from "../engine/Fault.js"
import { codeOf, list, object, oneOf, text, whole } from "../settings/Fields.js"
import { isoDurationPattern } from "../time/IsoTime.js"
import { SeedContent } from "../seed/SeedSchema.js"
import { AllSettings, SettingsChange } from "../settings/Settings.js"
import type { TestCards } from "../settings/TestCards.plain.js"
import { amount, anyObject, anyText, count, goid, id, LogEntry, logEntryTypes, time } from "./LogEntry.js"

/** An endpoint of the control API. Its path starts after the prefix. */
export interface ControlEndpoint {
  readonly name: string
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** Parameters of the query. */
  readonly query: Schema.Top & { readonly DecodingServices: never; readonly fields?: Schema.Struct.Fields }
  /** The body of a POST. */
  readonly body: Schema.Top & { readonly DecodingServices: never }
  readonly response: Schema.Top
  /** Statuses of refusals, besides those of every endpoint. */
  readonly refusals: ReadonlyArray<404 | 409>
}

/** An object without members. A struct without fields would take anything. */
const nothing = Schema.Record(
  Schema.String,
  Schema.Never.annotate({ message: "is not known here; check its spelling" })
).annotate({ message: "must be an object" })

const endpoint = <
  const Declared extends Omit<ControlEndpoint, "query" | "body" | "refusals"> & Partial<ControlEndpoint>
>(
  declared: Declared
) => ({ query: nothing, body: nothing, refusals: [] as const, ...declared })

// ---------------------------------------------------------------------------------------------------------------------
// Responses
// ---------------------------------------------------------------------------------------------------------------------

/** Actions of the payer, as the last part of the path. */
const payerActions = [
  "choose-payment-method",
  "pay-by-card",
  "pay-by-bank-transfer",
  "decline-attempt",
  "decline",
  "cancel",
  "time-out"
] as const

/** Actions of the merchant, as the last part of the path. */
const merchantActions = ["refund", "capture", "release", "charge", "stop-recurrence", "resend-notification"] as const

const contradictions = ["itemsSum", "noMethod", "notNotified"] as const

const PaymentView = object({
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
  next: Schema.optionalKey(
    object({
      type: oneOf(["timeOut", "release", "charge", "recurrenceEnd", "operationEnd"]),
      at: time
    }).annotate({ description: "The next event that happens by itself." })
  ),
  payment: anyObject.annotate({ description: "Exactly as in the response to `getPayment`. See /openapi.json." })
}).annotate({ identifier: "Payment", description: "A payment in the gateway's books." })

const Recurrence = object({
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

const Time = object({
  now: time,
  time_ahead: Schema.Finite.annotate({ description: "Seconds by which the gateway's time is ahead of the clock." })
}).annotate({ identifier: "Time" })

const ArmedFault = object({
  id: whole(1),
  fault: Fault,
  operation: Schema.optionalKey(anyText),
  callsLeft: count.annotate({ description: "Requests that it will still hit." })
}).annotate({ identifier: "ArmedFault", description: "An armed fault." })

const FaultKind = object({
  name: anyText,
  description: anyText,
  parameters: Schema.Record(
    Schema.String,
    object({ description: anyText, default: Schema.Union([Schema.String, Schema.Finite]) })
  )
}).annotate({ identifier: "FaultKind", description: "A fault that can be armed." })

const merchantFields = { goid, name: anyText, client_id: anyText }

const State = object({
  url: anyText.annotate({ description: "Address of the gateway, without `/api`." }),
  ...Time.fields,
  revision: count.annotate({ description: "Increases with every change of payments, cards, settings and time." }),
  newest: count.annotate({ description: "Number of the newest entry of the log." }),
  payments: object({ total: count, by_state: Schema.Record(Schema.String, whole(0)) }),
  cards: count,
  notifications_waiting: count,
  merchants: list(object(merchantFields))
}).annotate({ identifier: "State", description: "A summary of the gateway, cheap enough to poll every second." })

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

/** A whole number in a query. */
const number = (minimum: number, maximum?: number) =>
  readAfter(whole(minimum, maximum), (value) =>
    typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  )

const statusFilter = text(4)
  .check(Schema.isPattern(/^(\d{1,3}|[1-5]xx)$/, { message: "must be a status, or its class, such as 4xx" }))
  .annotate({ description: "A status, or a class such as `4xx`; 0 where there was no response." })

const durationMessage = "must be seconds, 0 or more, or an ISO 8601 duration such as P1M or PT12H"

/** At most about 1000 years, so that every time can still be written. */
const maxSeconds = 1000 * 366 * 24 * 3600

const Duration = Schema.Union([
  Schema.Number.annotate({ message: durationMessage }).check(
    Schema.isFinite({ message: durationMessage }).abort(),
    Schema.isBetween({ minimum: 0, maximum: maxSeconds }, { message: durationMessage })
  ),
  Schema.String.check(Schema.isPattern(isoDurationPattern, { message: durationMessage }))
]).annotate({ message: durationMessage, description: "Seconds, or an ISO 8601 duration: `P1M` is one month." })

const testCards: ReadonlyArray<keyof typeof TestCards> = ["4444444444444448", "4188030000000003"]

const subState = text(64).check(
  Schema.isPattern(/^_\d+$/, { message: "must be a sub-state: an underscore and digits, such as _5006" })
)

/** The endpoint of an action of the payer. */
const payerAction = <const Name extends string, Body extends ControlEndpoint["body"]>(
  name: Name,
  action: (typeof payerActions)[number],
  summary: string,
  body: Body
) =>
  endpoint({
    name,
    method: "POST",
    path: `/payments/{id}/${action}`,
    summary,
    body,
    response: PaymentView,
    refusals: [404, 409]
  })

/** The endpoint of an action of the merchant. */
const merchantAction = <const Name extends string, Body extends ControlEndpoint["body"]>(
  name: Name,
  action: (typeof merchantActions)[number],
  summary: string,
  body: Body
) =>
  endpoint({
    name,
    method: "POST",
    path: `/payments/{id}/${action}`,
    summary,
    description: "By the same rules as the gateway's own API; a refusal has its error code.",
    body,
    response: PaymentView,
    refusals: [404, 409]
  })

const partOf = (whole_: string) =>
  Schema.optionalKey(whole(1).annotate({ description: `In minor units. Default: ${whole_}.` }))

/** All endpoints of the control API. */
export const controlEndpoints = {
  getState: endpoint({
    name: "getState",
    method: "GET",
    path: "/state",
    summary: "A summary of the gateway",
    response: State
  }),
  getMerchants: endpoint({
    name: "getMerchants",
    method: "GET",
    path: "/merchants",
    summary: "The merchants and their credentials",
    response: object({
      merchants: list(object({ ...merchantFields, client_secret: anyText }).annotate({ identifier: "Merchant" }))
    })
  }),
  getPayments: endpoint({
    name: "getPayments",
    method: "GET",
    path: "/payments",
    summary: "Payments, newest first",
    query: object({
      goid: Schema.optionalKey(number(1)),
      state: Schema.optionalKey(codeOf(PaymentStates)),
      order_number: Schema.optionalKey(anyText),
      limit: Schema.optionalKey(number(1, 10_000).annotate({ description: "The most to return. Default: 100." }))
    }),
    response: object({
      total: count.annotate({ description: "The number of payments that match." }),
      payments: list(PaymentView)
    })
  }),
  getPayment: endpoint({
    name: "getPayment",
    method: "GET",
    path: "/payments/{id}",
    summary: "One payment and its history",
    response: object({
      payment: PaymentView,
      order: anyObject.annotate({
        description: "The order, as `createPayment` takes it, with its addresses. PIN and card token are withheld."
      }),
      refunds: list(anyObject.annotate({ description: "As in the response to `getPaymentRefunds`." })),
      charges: list(id).annotate({ description: "The ids of its charges, oldest first." }),
      timeline: list(LogEntry).annotate({ description: "Oldest first, as far back as the log goes." })
    }),
    refusals: [404]
  }),
  choosePaymentMethod: payerAction(
    "choosePaymentMethod",
    "choose-payment-method",
    "The payer chooses a payment method, and has not paid yet",
    object({ payment_instrument: codeOf(PaymentInstruments) })
  ),
  payByCard: payerAction(
    "payByCard",
    "pay-by-card",
    "The payer pays by card",
    object({
      card_number: Schema.optionalKey(
        oneOf(testCards).annotate({ description: "One of the test cards. Default: 4444444444444448." })
      )
    })
  ),
  payByBankTransfer: payerAction(
    "payByBankTransfer",
    "pay-by-bank-transfer",
    "The payer's bank transfer arrives",
    nothing
  ),
  declineAttempt: payerAction(
    "declineAttempt",
    "decline-attempt",
    "An attempt is declined, and the payer may try again",
    object({ sub_state: subState })
  ),
  decline: payerAction(
    "decline",
    "decline",
    "The payment is declined",
    object({
      sub_state: Schema.optionalKey(subState.annotate({ description: "Default: _5006, insufficient funds." }))
    })
  ),
  cancel: payerAction("cancel", "cancel", "The payer cancels", nothing),
  timeOut: payerAction("timeOut", "time-out", "The payer does not pay in time", nothing),
  refund: merchantAction(
    "refund",
    "refund",
    "The merchant refunds the payment, or a part of it",
    object({ amount: partOf("all that has not been refunded") })
  ),
  capture: merchantAction(
    "capture",
    "capture",
    "The merchant captures the held amount, or a part of it",
    object({ amount: partOf("the whole amount") })
  ),
  release: merchantAction("release", "release", "The merchant releases the held amount", nothing),
  charge: merchantAction(
    "charge",
    "charge",
    "The merchant charges the recurrence again; the response is the new payment",
    object({
      amount: partOf("the amount of the first payment"),
      order_number: Schema.optionalKey(text(128).annotate({ description: "Default: that of the first payment." }))
    })
  ),
  stopRecurrence: merchantAction("stopRecurrence", "stop-recurrence", "The merchant stops the recurrence", nothing),
  resendNotification: merchantAction(
    "resendNotification",
    "resend-notification",
    "The gateway notifies the merchant of the payment's state once more",
    nothing
  ),
  forward: endpoint({
    name: "forward",
    method: "POST",
    path: "/forward",
    summary: "Moves time forward; everything due by then happens, in order",
    body: object({ by: Duration }),
    response: Time
  }),
  getSettings: endpoint({
    name: "getSettings",
    method: "GET",
    path: "/settings",
    summary: "The current settings",
    response: AllSettings
  }),
  changeSettings: endpoint({
    name: "changeSettings",
    method: "POST",
    path: "/settings",
    summary: "Changes the given settings from now on",
    body: SettingsChange,
    response: AllSettings
  }),
  drainNotifications: endpoint({
    name: "drainNotifications",
    method: "POST",
    path: "/drain-notifications",
    summary: "Delivers all pending notifications, and responds when each is accepted or given up",
    response: nothing
  }),
  getRecurrences: endpoint({
    name: "getRecurrences",
    method: "GET",
    path: "/recurrences",
    summary: "The recurrences, oldest first",
    response: object({ recurrences: list(Recurrence) })
  }),
  getCards: endpoint({
    name: "getCards",
    method: "GET",
    path: "/cards",
    summary: "The stored cards, including deleted ones",
    response: object({
      cards: list(anyObject.annotate({ description: "As in the response to `getCardDetails`, plus its `goid`." }))
    })
  }),
  getLog: endpoint({
    name: "getLog",
    method: "GET",
    path: "/log",
    summary: "The log: requests, changes of state, notifications and other events",
    description:
      "The log keeps the last 1000 requests and the last 5000 other entries. Without `after` the response has the newest entries that match: continue to older ones with `before`, the number of the oldest that you have. With `after` it has the first ones that follow: continue with `next_after`.",
    query: object({
      query: Schema.optionalKey(
        text(200).annotate({
          description:
            "Words that an entry must contain, in any order and case, with or without accents: in its bodies and headers, and as the dashboard shows it, in English or Czech, such as `API call`."
        })
      ),
      after: Schema.optionalKey(number(0).annotate({ description: "Only entries with a higher number." })),
      before: Schema.optionalKey(number(1).annotate({ description: "Only entries with a lower number." })),
      type: Schema.optionalKey(oneOf(logEntryTypes)),
      payment_id: Schema.optionalKey(number(1)),
      operation: Schema.optionalKey(
        anyText.annotate({ description: "Such as `createPayment` or `refund`; of a control action, its operation." })
      ),
      status: Schema.optionalKey(statusFilter),
      error_code: Schema.optionalKey(number(1).annotate({ description: "Only requests refused with this code." })),
      limit: Schema.optionalKey(number(1, 5000).annotate({ description: "The most to return. Default: 200." }))
    }),
    response: object({
      entries: list(LogEntry).annotate({ description: "Oldest first." }),
      next_after: count,
      total: count.annotate({ description: "The number of entries in the log that match, on all pages." })
    })
  }),
  exportSeed: endpoint({
    name: "exportSeed",
    method: "GET",
    path: "/seed",
    summary: "The whole state of the gateway, as a seed",
    response: SeedContent
  }),
  seed: endpoint({
    name: "seed",
    method: "POST",
    path: "/seed",
    summary: "Starts over from a seed",
    description:
      "Replaces the merchants, payments, cards, settings and time. The log continues, and tokens of merchants that still exist stay valid.",
    body: SeedContent,
    response: object({ merchants: count, payments: count, cards: count })
  }),
  getFaults: endpoint({
    name: "getFaults",
    method: "GET",
    path: "/faults",
    summary: "The armed faults, and all kinds of faults",
    response: object({ armed: list(ArmedFault), mix: Schema.optionalKey(FaultMix), kinds: list(FaultKind) })
  }),
  armFault: endpoint({
    name: "armFault",
    method: "POST",
    path: "/faults",
    summary: "Arms a fault for the next requests",
    description:
      "A single request can also ask for a fault with the header `x-local-gateway-fault`: a name, or a fault as JSON.",
    body: FaultArming,
    response: ArmedFault
  }),
  disarmFaults: endpoint({
    name: "disarmFaults",
    method: "POST",
    path: "/faults/disarm",
    summary: "Disarms one fault; without an `id`, all of them and the mix",
    body: object({ id: Schema.optionalKey(whole(1)) }),
    response: nothing,
    refusals: [404]
  }),
  mixFaults: endpoint({
    name: "mixFaults",
    method: "POST",
    path: "/faults/mix",
    summary: "Random faults from now on, the same for the same seed and order of requests",
    body: FaultMix,
    response: nothing
  }),
  reset: endpoint({
    name: "reset",
    method: "POST",
    path: "/reset",
    summary: "Returns to the initial state; the log, all tokens and all faults are dropped too",
    response: nothing
  }),
  revokeTokens: endpoint({
    name: "revokeTokens",
    method: "POST",
    path: "/revoke-tokens",
    summary: "Revokes all access tokens",
    response: nothing
  })
} satisfies { readonly [name: string]: ControlEndpoint }

/** The body of a refusal. */
export const ControlError = object({
  error: oneOf([
    "InvalidRequest",
    "NotFound",
    "WrongState",
    "NotOffered",
    "Refused",
    "Unauthorized",
    "CrossSite",
    "UnsupportedMediaType"
  ]),
  message: anyText,
  problems: Schema.optionalKey(
    list(object({ field: Schema.optionalKey(anyText), message: anyText })).annotate({
      description: "The wrong fields."
    })
  ),
  error_code: Schema.optionalKey(count.annotate({ description: "The gateway's error code, of `Refused`." })),
  state: Schema.optionalKey(anyText.annotate({ description: "The state of the payment, where that is the reason." }))
}).annotate({ identifier: "Error" })

/** The body of a refusal. */
export type ControlError = typeof ControlError.Type
