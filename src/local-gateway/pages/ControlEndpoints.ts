/**
 * The endpoints of the control API, declared once. Its handlers and its OpenAPI document follow from these
 * declarations.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { PaymentInstruments, PaymentStates } from "../../contract/CodeLists.js"
import { readAfter } from "../../basics/ReadAfter.js"
import { FaultArming, RandomFaults } from "../server/Faults.js"
import { SeedContent } from "../books/SeedSchema.js"
import { codeOf, list, object, oneOf, problem, text, whole } from "../books/Fields.js"
import { AllSettings, SettingsChange } from "../books/SettingsSchema.js"
import { testCardNumbers } from "../books/TestCards.js"
import {
  ArmedFault,
  Duration,
  eventTypes,
  FaultKind,
  type merchantActions,
  merchantFields,
  number,
  type payerActions,
  paymentKinds,
  PaymentView,
  Recurrence,
  State,
  statusFilter,
  subState,
  Time
} from "./ControlMessages.js"
import { anyObject, anyText, count, goid, id, LogEntry, logEntryTypes } from "./LogEntry.js"

/** The groups of endpoints. */
export const controlTags = {
  Payments: "What is in the books.",
  Payer: "Acting as the payer.",
  Merchant: "Acting as the merchant, by the rules of the gateway's own API.",
  Time: "Moving time.",
  Notifications: "Delivering what is pending.",
  Faults: "Making requests fail.",
  Settings: "How the gateway behaves.",
  Log: "What happened.",
  Gateway: "The gateway as a whole: its merchants, state and tokens."
} as const

type ControlTag = keyof typeof controlTags

/** An endpoint of the control API, which has a name in the table of all. Its path starts after the prefix. */
export interface ControlEndpoint {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly tag: ControlTag
  readonly summary: string
  readonly description?: string
  /** Parameters of the query. */
  readonly query: Schema.Top & { readonly DecodingServices: never; readonly fields?: Schema.Struct.Fields }
  /** The body of a POST. */
  readonly body: Schema.Top & { readonly DecodingServices: never }
  readonly response: Schema.Top
  /** An example of the body. */
  readonly example?: unknown
  /** Statuses of refusals, besides those of every endpoint. */
  readonly refusals: ReadonlyArray<404 | 409>
}

/** An object without members. A struct without fields would take anything. */
const nothing = Schema.Record(
  Schema.String,
  Schema.Never.annotate(problem("Unknown", "is not known here; check its spelling"))
).annotate(problem("Object", "must be an object"))

const endpointBy =
  (method: ControlEndpoint["method"]) =>
  <const Declared extends Omit<ControlEndpoint, "method" | "query" | "body" | "refusals"> & Partial<ControlEndpoint>>(
    declared: Declared
  ) =>
    Struct.assign({ method, query: nothing, body: nothing, refusals: [] as const }, declared)

const view = endpointBy("GET")

const action = endpointBy("POST")

/** Declares actions on a payment. */
const paymentAction =
  <Part extends string>(tag: ControlTag, more: { readonly description?: string } = {}) =>
  <Body extends ControlEndpoint["body"]>(part: Part, summary: string, body: Body, example: unknown = {}) =>
    action({
      ...more,
      tag,
      path: `/payments/{id}/${part}`,
      summary,
      body,
      example,
      response: PaymentView,
      refusals: [404, 409]
    })

const payerAction = paymentAction<(typeof payerActions)[number]>("Payer")

const merchantAction = paymentAction<(typeof merchantActions)[number]>("Merchant", {
  description: "By the same rules as the gateway's own API; a refusal has its error code."
})

const undeliveredFields = { payment_id: id, url: anyText, attempts: count }

const timeText = Time.fields.now

/** How an attempt to deliver a notification has ended. */
const attemptResult = object({
  at: timeText,
  status: count.annotate({ description: "The status of the response; 0 where there was none." }),
  problem: Schema.optionalKey(anyText)
})

const partOf = (whole_: string) =>
  Schema.optionalKey(whole(1).annotate({ description: `In minor units. Default: ${whole_}.` }))

/** All endpoints of the control API. */
export const controlEndpoints = {
  getState: view({
    tag: "Gateway",
    path: "/state",
    summary: "A summary of the gateway",
    response: State
  }),
  listMerchants: view({
    tag: "Gateway",
    path: "/merchants",
    summary: "The merchants and their credentials",
    response: object({
      merchants: list(object({ ...merchantFields, client_secret: anyText }).annotate({ identifier: "Merchant" }))
    })
  }),
  listPayments: view({
    tag: "Payments",
    path: "/payments",
    summary: "Payments, newest first",
    query: object({
      goid: Schema.optionalKey(number(1)),
      state: Schema.optionalKey(codeOf(PaymentStates)),
      order_number: Schema.optionalKey(anyText),
      query: Schema.optionalKey(
        text(200).annotate({
          description:
            "Words that its id, order number, description, or the payer's name or e-mail must contain. First come those whose id or order number it is."
        })
      ),
      kind: Schema.optionalKey(
        oneOf(paymentKinds).annotate({ description: "Only those that start a recurrence, or have stored a card." })
      ),
      limit: Schema.optionalKey(number(1, 10_000).annotate({ description: "The most to return. Default: 100." }))
    }),
    response: object({
      revision: count.annotate({ description: "That of `GET /state` at the time." }),
      total: count.annotate({ description: "The number of payments that match." }),
      by_state: Schema.Record(Schema.String, whole(0)).annotate({
        description: "The numbers of payments that match but for their state, by state."
      }),
      payments: list(PaymentView)
    })
  }),
  getPayment: view({
    tag: "Payments",
    path: "/payments/{id}",
    summary: "One payment and its history",
    response: object({
      payment: PaymentView,
      order: anyObject.annotate({
        description:
          "The order, as `createPayment` of its API takes it, with its addresses. PIN and card token are withheld."
      }),
      refunds: list(anyObject.annotate({ description: "As in the response to `getPaymentRefunds`." })),
      charges: list(id).annotate({ description: "The ids of its charges, oldest first." }),
      timeline: list(LogEntry).annotate({ description: "Oldest first, as far back as the log goes." }),
      under_way: list(
        object({
          payment_id: id,
          at: timeText.annotate({ description: "The time at which it went out." }),
          attempt: count
        })
      ).annotate({ description: "Notifications that the merchant has not responded to yet: the log has none of them." })
    }),
    refusals: [404]
  }),
  choosePaymentMethod: payerAction(
    "choose-payment-method",
    "The payer chooses a payment method, and has not paid yet",
    object({ payment_instrument: codeOf(PaymentInstruments) }),
    { payment_instrument: "BANK_ACCOUNT" }
  ),
  payByCard: payerAction(
    "pay-by-card",
    "The payer pays by card",
    object({
      card_number: Schema.optionalKey(
        oneOf(testCardNumbers).annotate({ description: "One of the test cards. Default: 4444444444444448." })
      )
    }),
    { card_number: "4188030000000003" }
  ),
  payByBankTransfer: payerAction("pay-by-bank-transfer", "The payer's bank transfer arrives", nothing),
  declineAttempt: payerAction(
    "decline-attempt",
    "An attempt is declined, and the payer may try again",
    object({ sub_state: subState }),
    { sub_state: "_5006" }
  ),
  declinePayment: payerAction(
    "decline",
    "The payment is declined",
    object({
      sub_state: Schema.optionalKey(subState.annotate({ description: "Default: _5006, insufficient funds." }))
    }),
    { sub_state: "_5006" }
  ),
  cancelPayment: payerAction("cancel", "The payer cancels", nothing),
  timeOutPayment: payerAction("time-out", "The payer does not pay in time", nothing),
  refund: merchantAction(
    "refund",
    "The merchant refunds the payment, or a part of it",
    object({ amount: partOf("all that has not been refunded") }),
    { amount: 5000 }
  ),
  capture: merchantAction(
    "capture",
    "The merchant captures the held amount, or a part of it",
    object({ amount: partOf("the whole amount") }),
    { amount: 5000 }
  ),
  release: merchantAction("release", "The merchant releases the held amount", nothing),
  charge: merchantAction(
    "charge",
    "The merchant charges the recurrence again; the response is the new payment",
    object({
      amount: partOf("the amount of the first payment"),
      order_number: Schema.optionalKey(text(128).annotate({ description: "Default: that of the first payment." }))
    }),
    { order_number: "2026-0043" }
  ),
  stopRecurrence: merchantAction("stop-recurrence", "The merchant stops the recurrence", nothing),
  resendNotification: merchantAction(
    "resend-notification",
    "The gateway notifies the merchant of the payment's state once more",
    nothing
  ),
  orderAgain: merchantAction(
    "order-again",
    "The merchant creates another payment with the same order; the response is the new payment",
    nothing
  ),
  advanceTime: action({
    tag: "Time",
    path: "/advance-time",
    summary: "Moves time forward; everything due by then happens, in order",
    body: object({ by: Duration }),
    example: { by: "P1M" },
    response: Time
  }),
  listDue: view({
    tag: "Time",
    path: "/due",
    summary: "What falls due when time moves forward so far, earliest first",
    description:
      "The next event of each payment, and the next attempt of each notification. What follows from them is not foreseen.",
    query: object({
      by: readAfter(Duration, (value) =>
        typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
      ),
      limit: Schema.optionalKey(number(1, 1000).annotate({ description: "The most to return. Default: 20." }))
    }),
    response: object({
      until: timeText,
      total: count,
      due: list(
        object({
          type: oneOf([...eventTypes, "notification"]),
          at: timeText,
          payment_id: id,
          order_number: anyText,
          attempt: Schema.optionalKey(count.annotate({ description: "Of a notification: which attempt it is." }))
        })
      )
    })
  }),
  stopAdvancingTime: action({
    tag: "Time",
    path: "/advance-time/stop",
    summary: "Stops a move of time that is under way; time stays where it is by then",
    description: "`GET /state` has `moving` as long as one is under way. Its request responds with the time reached.",
    response: Time
  }),
  getSettings: view({
    tag: "Settings",
    path: "/settings",
    summary: "The current settings",
    response: AllSettings
  }),
  changeSettings: action({
    tag: "Settings",
    path: "/settings",
    summary: "Changes the given settings from now on",
    body: SettingsChange,
    example: { refund: "acceptedThenFinished" },
    response: AllSettings
  }),
  listNotifications: view({
    tag: "Notifications",
    path: "/notifications",
    summary: "The notifications that are not delivered: those that wait or are repeated, and those that were given up",
    description:
      "Given up is what was sent as often as `notificationAttempts` says, or could not be sent at all; it is known for as long as the log has it.",
    response: object({
      pending: list(
        object({
          ...undeliveredFields,
          due_at: timeText.annotate({ description: "The time of the next attempt." }),
          last: Schema.optionalKey(attemptResult.annotate({ description: "The attempt before." }))
        })
      ),
      given_up: list(object({ ...undeliveredFields, last: attemptResult }))
    })
  }),
  deliverNotifications: action({
    tag: "Notifications",
    path: "/deliver-notifications",
    summary: "Delivers all pending notifications, and responds when each is accepted or given up",
    response: nothing
  }),
  listRecurrences: view({
    tag: "Payments",
    path: "/recurrences",
    summary: "The recurrences, oldest first",
    response: object({ recurrences: list(Recurrence) })
  }),
  listClearings: view({
    tag: "Payments",
    path: "/clearings",
    summary: "The clearings of the merchants by now, each with its XML",
    description:
      "They are made by the settings `clearings`, `paymentFeeBasisPoints` and `refundFee`. Oldest first for each merchant and currency.",
    query: object({
      goid: Schema.optionalKey(number(1)),
      currency: Schema.optionalKey(anyText)
    }),
    response: object({
      clearings: list(
        object({
          goid: number(1),
          currency: anyText,
          number: anyText.annotate({ description: "The variable symbol of the transfer." }),
          date: anyText,
          transfer: count.annotate({ description: "In minor units." }),
          fee: count.annotate({ description: "In minor units." }),
          xml: anyText.annotate({ description: "The file that the gateway sends by mail." })
        })
      )
    })
  }),
  listCards: view({
    tag: "Payments",
    path: "/cards",
    summary: "The stored cards, including deleted ones",
    response: object({
      cards: list(anyObject.annotate({ description: "As in the response to `getCardDetails`, plus its `goid`." }))
    })
  }),
  getLog: view({
    tag: "Log",
    path: "/log",
    summary: "The log: requests, changes of state, notifications and other events",
    description:
      "The log keeps the last 1000 requests and the last 5000 other entries. Without `after` the response has the newest entries that match: continue to older ones with `before`, the number of the oldest that you have. With `after` it has the first ones that follow: continue with `next_after`.",
    query: object({
      query: Schema.optionalKey(
        text(200).annotate({
          description:
            "Words that an entry must contain, in any order and case: in its bodies and headers, and as the dashboard shows it, such as `API call`."
        })
      ),
      after: Schema.optionalKey(number(0).annotate({ description: "Only entries with a higher number." })),
      before: Schema.optionalKey(number(1).annotate({ description: "Only entries with a lower number." })),
      type: Schema.optionalKey(oneOf(logEntryTypes)),
      only: Schema.optionalKey(
        oneOf(["problems"]).annotate({
          description: "Only calls that were refused, failed or not answered, notifications not taken, and warnings."
        })
      ),
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
  exportSeed: view({
    tag: "Gateway",
    path: "/seed",
    summary: "The whole state of the gateway, as a seed",
    response: SeedContent
  }),
  loadSeed: action({
    tag: "Gateway",
    path: "/seed",
    summary: "Starts over from a seed",
    description:
      "Replaces the merchants, payments, cards, settings and time. The log continues, and tokens of merchants that still exist stay valid.",
    body: SeedContent,
    example: { payments: [{ amount: 139_950, currency: "CZK", state: "PAID", created_at: "-P3D" }] },
    response: object({ merchants: count, payments: count, cards: count })
  }),
  listFaults: view({
    tag: "Faults",
    path: "/faults",
    summary: "The armed faults, and all kinds of faults",
    response: object({ armed: list(ArmedFault), random: Schema.optionalKey(RandomFaults), kinds: list(FaultKind) })
  }),
  armFault: action({
    tag: "Faults",
    path: "/faults",
    summary: "Arms a fault for the next requests",
    description:
      "A single request can also ask for a fault with the header `x-local-gateway-fault`: a name, or a fault as JSON.",
    body: FaultArming,
    example: { fault: { type: "connectionReset" }, operation: "refundPayment" },
    response: ArmedFault
  }),
  disarmFaults: action({
    tag: "Faults",
    path: "/faults/disarm",
    summary: "Disarms one fault; without an `id`, all of them and the random ones",
    body: object({ id: Schema.optionalKey(whole(1)) }),
    example: { id: 1 },
    response: nothing,
    refusals: [404]
  }),
  armRandomFaults: action({
    tag: "Faults",
    path: "/faults/random",
    summary: "Random faults from now on, the same for the same seed and order of requests",
    body: RandomFaults,
    example: { seed: "monday", probability: 0.1, faults: [{ type: "serverError" }] },
    response: nothing
  }),
  reset: action({
    tag: "Gateway",
    path: "/reset",
    summary: "Returns to the initial state; the log, all tokens and all faults are dropped too",
    description:
      "With a `goid` only the payments, cards and pending notifications of that merchant are dropped, and nothing else changes: for tests that run at once, each with a merchant of its own.",
    body: object({ goid: Schema.optionalKey(goid) }),
    response: nothing,
    refusals: [404]
  }),
  revokeTokens: action({
    tag: "Gateway",
    path: "/revoke-tokens",
    summary: "Revokes all access tokens",
    response: nothing
  })
} satisfies { readonly [name: string]: ControlEndpoint }
