/**
 * The contents of a seed file: the whole state of a local gateway, or any part of it.
 *
 * Members have the gateway's own names. `SeedBooks` fills in omitted members from those present.
 */
import type { JsonSchema } from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import {
  CardStatuses,
  PaymentStates,
  PreauthorizationStates,
  RecurrenceStates,
  RefundStates,
  ThreeDSecureResults
} from "../../contract/CodeLists.js"
import { maxLengths } from "../../contract/MaxLengths.js"
import { codeOf, list, object, oneOf, problem, text, whole } from "./Fields.js"
import { isTimeOrDistance } from "./Times.js"
import { Payer, PaymentOrder, Recurrence } from "./RequestDecoder.js"
import { Customer, description, RecurrenceV4 } from "./RequestDecoderV4.js"
import { stopReasonsV4 } from "./RecurrenceV4.js"
import { SettingsChange } from "./SettingsSchema.js"
import { testCards } from "./TestCards.js"

const described = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const id = whole(1)
const amount = whole(0, Number.MAX_SAFE_INTEGER, "must be an integer in minor units, 0 or more")
const positiveAmount = whole(1, Number.MAX_SAFE_INTEGER, "must be an integer in minor units, more than 0")
const anyText = Schema.String.annotate(problem("Text", "must be text"))

const time = Schema.String.annotate(problem("Text", "must be text")).check(
  Schema.makeFilter(
    (value) =>
      isTimeOrDistance(value) ||
      "must be a time such as 2026-01-31T12:00:00Z, or an ISO 8601 duration from now such as -P3D",
    {
      toJsonSchema: () => ({
        pattern:
          "^((\\d{4}|[+-]\\d{6})-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:?\\d\\d)|-?P[0-9YMWDTHS.]+)$"
      })
    }
  )
)

const maskedTestCards = [testCards[0].number, testCards[1].number] as const

const cardFields = {
  card_number: described(oneOf(maskedTestCards), `Masked; one of the test cards. Default: ${maskedTestCards[0]}.`),
  card_expiration: described(
    Schema.String.annotate({ message: "must be four digits, YYMM" }).check(
      Schema.isPattern(/^\d\d(0[1-9]|1[0-2])$/, { message: "must be four digits, YYMM" })
    ),
    "`YYMM`. Default: the test card's."
  ),
  card_brand: described(text(64), "Default: the test card's."),
  card_issuer_country: described(text(3), "ISO 3166-1 alpha-3. Default: the test card's."),
  card_issuer_bank: described(text(256), "Default: the test card's.")
}

/** The card of a payment. A stored card has more fields. */
const paymentCardFields = {
  ...cardFields,
  card_token: described(
    text(512),
    "Shown only: to be paid with, a card is one of `cards`. Default: that of the stored card, else none."
  ),
  "3ds_result": described(codeOf(ThreeDSecureResults), "Default: `Y/Y` of a stored card, else none.")
}

const SeedMerchant = object({
  goid: id.annotate({ description: "The shop's identifier." }),
  name: described(text(256), "What the pay page calls the shop. Default: `Test Shop`."),
  client_id: text(256),
  client_secret: text(256).annotate({ description: "A secret of this gateway only: never a real one." })
}).annotate({ identifier: "SeedMerchant" })

const SeedCard = object({
  card_id: described(id, "Default: the next free one."),
  goid: described(id, "Whose customer's card it is. Default: the first merchant."),
  ...cardFields,
  card_token: described(text(512), "Default: made up."),
  card_fingerprint: described(text(512), "Default: made up."),
  status: described(codeOf(CardStatuses), "Default: `ACTIVE`.")
}).annotate({ identifier: "SeedCard", description: "A stored card." })

const SeedRefund = object({
  id: described(id, "Default: the next free one."),
  amount: positiveAmount.annotate({ description: "In minor units." }),
  state: described(codeOf(RefundStates), "Default: `SUCCESS`."),
  date_requested: described(time, "Default: when the money was received."),
  date_last_change: described(time, "Default: when it was requested.")
}).annotate({ identifier: "SeedRefund", description: "A refund, or the attempt." })

const SeedOperation = object({
  type: oneOf(["refund", "capture", "voidAuthorization", "voidRecurrence"]),
  amount: described(positiveAmount, "Of a capture, in minor units. Default: the whole amount."),
  refund_id: described(id, "Of a refund: which of the payment's `refunds` it is."),
  ends_at: described(time, "When it is done or fails. Default: `timeToProcessSeconds` from now."),
  end: described(
    oneOf(["finished", "failed", "refused"]),
    "`refused`: a refund that was refused, and is listed until it fails. Default: `finished`."
  )
}).annotate({
  identifier: "SeedAcceptedOperation",
  description: "An operation that was accepted, and is done or fails later."
})

const { additional_params, callback, currency, items, lang, order_number, target } = object(
  PaymentOrder.fields
).mapFields(Struct.map(Schema.toType)).fields

const SeedPayer = object(Payer.fields)
  .mapFields(Struct.map(Schema.toType))
  .mapFields(
    Struct.assign({
      payment_card: described(object(paymentCardFields), "The card that it was paid with."),
      card_id: described(id, "The same card, where it is one of `cards`."),
      bank_account: described(
        object({
          iban: Schema.optionalKey(text(maxLengths.iban)),
          bic: Schema.optionalKey(text(maxLengths.bic)),
          prefix: Schema.optionalKey(text(maxLengths.prefix)),
          account_number: Schema.optionalKey(text(maxLengths.account_number)),
          bank_code: Schema.optionalKey(text(maxLengths.bank_code)),
          account_name: Schema.optionalKey(text(maxLengths.account_name)),
          country: Schema.optionalKey(text(maxLengths.country)),
          account_token: Schema.optionalKey(text(512))
        }),
        "The bank account that it was paid from."
      )
    })
  )
  .annotate({ identifier: "SeedPayer" })

const SeedRecurrence = object(Recurrence.fields)
  .mapFields(Struct.map(Schema.toType))
  .mapFields(
    Struct.assign({
      recurrence_state: described(
        codeOf(RecurrenceStates),
        "Default: `STARTED` where the payment was paid or held by card, else `REQUESTED`."
      ),
      started_at: described(time, "Default: when the payment was received or held."),
      charges: described(
        whole(0),
        "How often the gateway itself has charged it. Default: how many payments here are its further payments. What is due since then happens at once."
      )
    })
  )
  .annotate({ identifier: "SeedRecurrence" })

const SeedPaymentOfV4 = object({
  payment_secret: described(text(64), "A secret of this gateway only. Default: made up."),
  customer: Customer,
  recurrence_id: described(id, "The recurrence that it is a payment of: one of `recurrences`."),
  qr_requested_at: described(time, "When its QR code was last asked for. Default: never."),
  charge: described(
    object({
      id,
      state: oneOf(["SUCCEEDED", "FAILED"]),
      sub_state: described(anyText, "Why it failed.")
    }),
    "The last attempt to pay by card or by a wallet. Default: that of the payment's state, where it was paid so."
  )
}).annotate({ identifier: "SeedPaymentOfV4" })

const SeedRecurrenceV4 = object({
  id,
  goid: described(id, "The shop's identifier. Default: the first merchant."),
  ...RecurrenceV4.fields,
  stop_reason: described(oneOf(stopReasonsV4), "Why someone has stopped it. Default: no one has.")
}).annotate({
  identifier: "SeedRecurrenceV4",
  description: "A recurrence of GoPay's API v4. Its state follows from its first payment, which has a `recurrence`."
})

const SeedPayment = object({
  id: described(id, "Default: the next free one. GoPay's are multiples of 13."),
  parent_id: described(id, "The first payment of the recurrence that this one is a charge of."),
  amount: amount.annotate({ description: "In minor units." }),
  currency,
  state: codeOf(PaymentStates),
  sub_state: described(anyText, "Default: what the state has without a special reason."),
  payment_instrument: described(anyText, "Default: `PAYMENT_CARD` where the state needs one."),
  order_number: described(order_number, "Default: `order-` and its place among the payments."),
  order_description: Schema.optionalKey(description),
  items,
  callback: described(callback, "Default: the parent's, or `http://localhost/`, with no notification."),
  payer: Schema.optionalKey(SeedPayer),
  target: described(target, "Default: the parent's, or the first merchant."),
  lang,
  additional_params,
  country_code: described(text(3), "The payer's, as the gateway has learned it. Default: the card's."),
  recurrence: Schema.optionalKey(SeedRecurrence),
  preauthorization: described(
    object({
      state: described(codeOf(PreauthorizationStates), "Default: the one that goes with the payment's."),
      authorized_at: described(time, "Default: when the payment was created.")
    }),
    "The amount was only to be held."
  ),
  eet_code: described(
    object({
      fik: Schema.optionalKey(text(39)),
      bkp: Schema.optionalKey(text(44)),
      pkp: Schema.optionalKey(text(344))
    }),
    "The codes of the Czech sales registration, as recorded of a payment of 2019. Default: none."
  ),
  received: described(amount, "What the merchant got, in minor units. Default: the amount, where the state says so."),
  created_at: described(time, "Default: the earliest of the payment's other times, or now."),
  chosen_at: described(
    time,
    "When the payer chose how to pay. Default: when it was created, where the state is `PAYMENT_METHOD_CHOSEN`."
  ),
  received_at: described(time, "Default: when it was created or held."),
  refunds: described(
    list(SeedRefund),
    "Oldest first. Default: none; for a payment that is `REFUNDED`, one of all that was received."
  ),
  accepted_operations: described(list(SeedOperation), "Oldest first. Default: those that end the `REQUESTED` refunds."),
  pay_page: described(
    text(64).check(Schema.isPattern(/^[\w-]+$/, { message: "must be letters, digits, _ and -" })),
    "Last part of the pay page's address. Default: made up."
  ),
  v4: described(SeedPaymentOfV4, "What makes it a payment of GoPay's API v4, which API v3 does not show.")
}).annotate({ identifier: "SeedPayment" })

const SeedNotification = object({
  payment_id: id,
  url: anyText.annotate({ description: "With its query." }),
  body: described(text(256), "The JSON that it is posted with. Default: none, it is a GET."),
  attempts: whole(0).annotate({ description: "How often it was sent." }),
  due_at: time
}).annotate({
  identifier: "SeedNotification",
  description: "A notification that waits to be sent, or to be sent again."
})

/** The content of a seed file. */
export const SeedContent = object({
  $schema: described(text(2048), "Where this schema is: for editors."),
  time_ahead: described(
    Schema.Finite,
    "How far the gateway's time is ahead of the clock, in seconds. Default: 0. Times are those of the gateway."
  ),
  merchants: described(list(SeedMerchant), "Default: the one merchant of a gateway that is given no others."),
  settings: Schema.optionalKey(SettingsChange),
  cards: Schema.optionalKey(list(SeedCard)),
  payments: described(list(SeedPayment), "In the order of their creation."),
  recurrences: described(list(SeedRecurrenceV4), "Those of API v4; a recurrence of v3 is its first payment."),
  notifications: Schema.optionalKey(list(SeedNotification))
}).annotate({
  identifier: "Seed",
  description:
    "What a local gateway begins with. Amounts are integers in minor units (haléře, cents). Times are ISO 8601: `2026-01-31T12:00:00Z`, or a duration from now: `-P3D` is three days ago."
})

/** The JSON Schema (2020-12) of a seed file; fit for `JSON.stringify`. */
export const seedJsonSchema = (): JsonSchema => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(SeedContent, { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Seed of a local gateway of effect-gopay",
    ...schema,
    $defs: definitions
  }
}

/** The content of a seed file. */
export type SeedContent = typeof SeedContent.Type

/** A payment in a seed. */
export type SeedPayment = typeof SeedPayment.Type

/** A recurrence of API v4 in a seed. */
export type SeedRecurrenceV4 = typeof SeedRecurrenceV4.Type

/** A stored card in a seed. */
export type SeedCard = typeof SeedCard.Type
