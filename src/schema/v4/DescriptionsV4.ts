/**
 * What the schemas of API v4 say of themselves: made of the comments of `MessagesV4`, `GatewayErrorV4` and `ChangeRecordV4` by
 * `npm run descriptions`.
 */

/** By the path of an interface or its member: what it is, and the interface that has the members of its type. */
export const descriptionsV4: { readonly [path: string]: string | readonly [about: string, type: string] } = {
  CustomerV4: "The payer.",
  CallbackV4: "Where the payer comes back to, and where notifications go.",
  AdditionalParamV4: "A parameter of the shop's own. It is accepted and never given back.",
  CreatePaymentRequestV4: "An order to be paid. It cannot choose the methods to pay by, nor the language of the page.",
  ChargeSummaryV4: "A charge as a payment carries it.",
  PaymentResponseV4: "A payment. Description, parameters and addresses of the shop are not given back.",
  CreatedPaymentV4: "A payment that can be paid now: a new one.",
  ChargeResponseV4: "The state of a payment's charge by card or wallet.",
  RefundPaymentRequestV4: "How much to return.",
  RefundResponseV4: "A refund. It does not say which payment it belongs to: store that yourself.",
  ScheduleV4: "How often the gateway charges by itself.",
  CreateRecurrenceRequestV4: "Payments again and again. Creating it charges nothing.",
  PaymentOverrideV4: "Values of one payment that replace those of its recurrence. Unknown members are refused.",
  RecurrencePaymentV4: "The payment last made of a recurrence, or what it will be made of.",
  RecurrenceResponseV4: "A recurrence.",
  PaymentQrRequestV4: "The kind of picture.",
  PaymentNotFoundV4: "The gateway knows no such payment.",
  ChargeNotFoundV4:
    "The payment has no charge by card or wallet, or there is no such payment: the gateway's answer is the same.",
  RefundNotFoundV4: "The gateway knows no such refund.",
  RecurrenceNotFoundV4: "The gateway knows no such recurrence.",
  OutcomeUnknownV4:
    "A change was sent, and it is unknown whether the gateway carried it out. Do not repeat it: find out with `reconcile`.",
  ApiTypesV4: "The types of the calls of API v4.",
  FailureV4: "The parts of an error.",
  GatewayErrorJsonV4: "The result of `toJSON` of a `GatewayErrorV4`.",
  TokenFailureV4: "The failure of a token request, which is the same in every API.",
  ChangeRecordV4:
    "The facts of a change of API v4: enough to look for its effect with `reconcile`, nothing personal or secret. Plain data, fit for JSON; its `operation` distinguishes it from a record of v3. Add members with a spread: `{ ...change, refundsBefore }`.",
  RefundBeforeV4: "The part of a refund that distinguishes it from others.",
  "CustomerV4.email": "Required; at most 128 characters.",
  "CustomerV4.first_name": "At most 256 characters.",
  "CustomerV4.last_name": "At most 256 characters.",
  "CustomerV4.phone_number": "At most 128 characters, as the following ones.",
  "CustomerV4.city": "At most 128 characters.",
  "CustomerV4.street": "With the number of the house.",
  "CustomerV4.postal_code": "At most 128 characters.",
  "CustomerV4.country_code": "Three letters, such as `CZE`.",
  "CustomerV4.customer_id": "The shop's own name of the payer.",
  "CallbackV4.return_url": "An absolute address. GoPay adds members to its query, so it should have no fragment.",
  "CallbackV4.notification_url": "An absolute address. Production refuses addresses of this machine with a bare 403.",
  "AdditionalParamV4.name": "The parameter's name.",
  "AdditionalParamV4.value": "The parameter's value, as text.",
  "CreatePaymentRequestV4.amount":
    "An integer in minor units, 1 or more. The document allows 0; whether the gateway takes it is not known.",
  "CreatePaymentRequestV4.currency": "ISO 4217 code; see `CurrenciesV4`.",
  "CreatePaymentRequestV4.order_number":
    "At most 128 characters. It need not be unique: no request is recognised by it.",
  "CreatePaymentRequestV4.order_description": "What is bought, in words.",
  "CreatePaymentRequestV4.customer": ["The payer.", "CustomerV4"],
  "CreatePaymentRequestV4.callback": ["The addresses of the shop.", "CallbackV4"],
  "CreatePaymentRequestV4.additional_params": ["At most four.", "AdditionalParamV4"],
  "ChargeSummaryV4.id": "An id of its own.",
  "ChargeSummaryV4.state": "See `ChargeStatesV4`.",
  "PaymentResponseV4.id": "Store it: payments cannot be searched.",
  "PaymentResponseV4.state": "`CREATED`, `PAID` and so on: the words of v3, without a sub-state.",
  "PaymentResponseV4.order_number": "As sent.",
  "PaymentResponseV4.amount": "In minor units, as sent.",
  "PaymentResponseV4.currency": "As sent.",
  "PaymentResponseV4.customer": ["As sent.", "CustomerV4"],
  "PaymentResponseV4.gw_url": "The address of the page to pay at. It cannot be framed.",
  "PaymentResponseV4.payment_secret":
    "With it a browser gets a token for this payment. A secret: never log it or put it into an address.",
  "PaymentResponseV4.charge": ["The charge by card or wallet, if there is one.", "ChargeSummaryV4"],
  "CreatedPaymentV4.gw_url": "The address of the page to pay at. It cannot be framed.",
  "ChargeResponseV4.id": "An id of its own.",
  "ChargeResponseV4.state": "See `ChargeStatesV4`.",
  "ChargeResponseV4.fail_reason": "Why it failed, in words that are not publicly listed.",
  "RefundPaymentRequestV4.amount": "An integer in minor units, 1 or more. The payment's amount returns all of it.",
  "RefundResponseV4.id": "Store it with the id of the payment.",
  "RefundResponseV4.state":
    "`REQUESTED` at first. Money has moved only at `SUCCESS`; a refused refund may be listed as well.",
  "RefundResponseV4.amount": "In minor units.",
  "RefundResponseV4.currency": "The payment's.",
  "RefundResponseV4.created_at": "ISO 8601, by the gateway's clock.",
  "RefundResponseV4.updated_at": "Absent until its state has changed.",
  "ScheduleV4.period": "See `SchedulePeriodsV4`.",
  "ScheduleV4.cycle": "1 or more.",
  "CreateRecurrenceRequestV4.type": "`AUTO`: the gateway charges by the schedule. `ON_DEMAND`: `nextPayment` charges.",
  "CreateRecurrenceRequestV4.schedule": ["Required for `AUTO`, refused for `ON_DEMAND`.", "ScheduleV4"],
  "CreateRecurrenceRequestV4.recurrence_date_to": "Its last day, `yyyy-mm-dd`, which has to lie ahead.",
  "CreateRecurrenceRequestV4.payment": ["The order of each payment of the recurrence.", "CreatePaymentRequestV4"],
  "PaymentOverrideV4.amount": "An integer in minor units, 1 or more.",
  "PaymentOverrideV4.order_number":
    "Give each `nextPayment` one of its own: without it, one whose response is lost cannot be recognised.",
  "PaymentOverrideV4.order_description": "What is bought, in words.",
  "PaymentOverrideV4.customer": ["Merged with that of the recurrence, member by member.", "CustomerV4"],
  "PaymentOverrideV4.callback": ["The addresses of the shop.", "CallbackV4"],
  "PaymentOverrideV4.additional_params": ["At most four.", "AdditionalParamV4"],
  "RecurrenceResponseV4.id": "Store it: recurrences cannot be listed.",
  "RecurrenceResponseV4.type": "See `RecurrenceTypesV4`.",
  "RecurrenceResponseV4.state":
    "`NEW`; `REQUESTED` once it is started; `STARTED` once its first payment is paid; `STOPPED`. Where that payment is not paid, it stays `REQUESTED` for good: make another one.",
  "RecurrenceResponseV4.schedule": ["Of `AUTO` only.", "ScheduleV4"],
  "RecurrenceResponseV4.recurrence_date_to": "Its last day, `yyyy-mm-dd`.",
  "RecurrenceResponseV4.stop_reason": "Of one that is over; see `StopReasonsV4`.",
  "RecurrenceResponseV4.payment": ["It has an `id` once there is a payment: the one made last.", "RecurrencePaymentV4"],
  "PaymentQrRequestV4.format": "Default: `png`.",
  "PaymentNotFoundV4.paymentId": "The requested id.",
  "ChargeNotFoundV4._tag": "The name of the reason.",
  "RefundNotFoundV4._tag": "The name of the reason.",
  "RefundNotFoundV4.refundId": "The requested id.",
  "RecurrenceNotFoundV4._tag": "The name of the reason.",
  "RecurrenceNotFoundV4.recurrenceId": "The requested id.",
  "OutcomeUnknownV4.change": [
    "The record of what was sent: pass it to `reconcile`, or store it as JSON.",
    "ChangeRecordV4"
  ],
  "ApiTypesV4.change": ["", "ChangeRecordV4"],
  "FailureV4.operation": "The operation that failed.",
  "FailureV4.reason": "The reason of the failure.",
  "FailureV4.cause": "A cause besides the reason.",
  "GatewayErrorJsonV4._tag": "Always `GatewayErrorV4`.",
  "GatewayErrorJsonV4.operation": "The operation that failed.",
  "GatewayErrorJsonV4.message": "The operation and the problem, in words.",
  "GatewayErrorJsonV4.help": "The section of the documents that says what to do about it.",
  "GatewayErrorJsonV4.reason": "The reason of the failure.",
  "ChangeRecordV4.operation": "Its name, such as `v4.refundPayment`; `v4.sendRequest` for a custom request.",
  "ChangeRecordV4.goid": "The merchant's GoID. Absent in a record that was made before the call.",
  "ChangeRecordV4.path": "For a custom request: its path, without anything that may be secret.",
  "ChangeRecordV4.paymentId": "The payment that it changes.",
  "ChangeRecordV4.recurrenceId": "The recurrence that it changes.",
  "ChangeRecordV4.amount": "An integer in minor units.",
  "ChangeRecordV4.currency": "ISO 4217 code, such as `CZK`.",
  "ChangeRecordV4.orderNumber": "The order number, as sent.",
  "ChangeRecordV4.sentAt": "When it was handed over to be sent, ISO 8601 in UTC.",
  "ChangeRecordV4.refundsBefore": [
    "For a refund: the result of `getPaymentRefunds` before the call. Without it no refund can be identified as this one.",
    "RefundBeforeV4"
  ],
  "ChangeRecordV4.isOnlyWriter":
    "Your word, for a refund, that nothing but this call has refunded the payment since `refundsBefore` was read; for `nextPayment`, that nothing but this call has charged the recurrence since `paymentBefore`. It counts for `ON_DEMAND` only, since GoPay itself charges a recurrence of the type `AUTO`: send an `order_number` that no other payment has.",
  "ChangeRecordV4.paymentBefore": "For `nextPayment`: the `payment.id` of `getRecurrence` before the call.",
  "CreatedPaymentV4.id": ["Store it: payments cannot be searched.", "PaymentResponseV4.id"],
  "CreatedPaymentV4.state": [
    "`CREATED`, `PAID` and so on: the words of v3, without a sub-state.",
    "PaymentResponseV4.state"
  ],
  "CreatedPaymentV4.order_number": ["As sent.", "PaymentResponseV4.order_number"],
  "CreatedPaymentV4.amount": ["In minor units, as sent.", "PaymentResponseV4.amount"],
  "CreatedPaymentV4.currency": ["As sent.", "PaymentResponseV4.currency"],
  "CreatedPaymentV4.customer": ["As sent.", "CustomerV4"],
  "CreatedPaymentV4.payment_secret": [
    "With it a browser gets a token for this payment. A secret: never log it or put it into an address.",
    "PaymentResponseV4.payment_secret"
  ],
  "CreatedPaymentV4.charge": ["The charge by card or wallet, if there is one.", "ChargeSummaryV4"],
  "RecurrencePaymentV4.id": ["Store it: payments cannot be searched.", "PaymentResponseV4.id"],
  "RecurrencePaymentV4.state": [
    "`CREATED`, `PAID` and so on: the words of v3, without a sub-state.",
    "PaymentResponseV4.state"
  ],
  "RecurrencePaymentV4.order_number": ["As sent.", "PaymentResponseV4.order_number"],
  "RecurrencePaymentV4.amount": ["In minor units, as sent.", "PaymentResponseV4.amount"],
  "RecurrencePaymentV4.currency": ["As sent.", "PaymentResponseV4.currency"],
  "RecurrencePaymentV4.customer": ["As sent.", "CustomerV4"],
  "RecurrencePaymentV4.gw_url": ["The address of the page to pay at. It cannot be framed.", "PaymentResponseV4.gw_url"],
  "RecurrencePaymentV4.payment_secret": [
    "With it a browser gets a token for this payment. A secret: never log it or put it into an address.",
    "PaymentResponseV4.payment_secret"
  ],
  "RecurrencePaymentV4.charge": ["The charge by card or wallet, if there is one.", "ChargeSummaryV4"],
  "PaymentNotFoundV4._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "PaymentNotFoundV4.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "PaymentNotFoundV4.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "PaymentNotFoundV4.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "PaymentNotFoundV4.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "ChargeNotFoundV4.paymentId": ["The requested id.", "PaymentNotFoundV4.paymentId"],
  "ChargeNotFoundV4.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "ChargeNotFoundV4.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "ChargeNotFoundV4.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "ChargeNotFoundV4.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "RefundNotFoundV4.paymentId": ["The requested id.", "PaymentNotFound.paymentId"],
  "RefundNotFoundV4.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "RefundNotFoundV4.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "RefundNotFoundV4.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "RefundNotFoundV4.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "RecurrenceNotFoundV4.paymentId": ["The requested id.", "PaymentNotFound.paymentId"],
  "RecurrenceNotFoundV4.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "RecurrenceNotFoundV4.isRetryable": [
    "Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not carry it out.",
    "ReasonDetails.isRetryable"
  ],
  "RecurrenceNotFoundV4.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "RecurrenceNotFoundV4.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "OutcomeUnknownV4.operation": ["", "SentChange.operation"],
  "OutcomeUnknownV4.goid": ["", "SentChange.goid"],
  "OutcomeUnknownV4.paymentId": ["", "SentChange.paymentId"],
  "OutcomeUnknownV4.cardId": ["", "SentChange.cardId"],
  "OutcomeUnknownV4.recurrenceId": ["", "SentChange.recurrenceId"],
  "OutcomeUnknownV4.amount": ["", "SentChange.amount"],
  "OutcomeUnknownV4.currency": ["", "SentChange.currency"],
  "OutcomeUnknownV4.orderNumber": ["", "SentChange.orderNumber"],
  "OutcomeUnknownV4.usesStoredCard": ["", "SentChange.usesStoredCard"],
  "OutcomeUnknownV4.sentAt": ["ISO 8601 in UTC.", "SentChange.sentAt"],
  "OutcomeUnknownV4.isRetryable": ["Never: repeating it may do it twice.", "OutcomeUnknown.isRetryable"],
  "OutcomeUnknownV4.code": ["The system's error code, such as `ECONNRESET`.", "OutcomeUnknown.code"],
  "OutcomeUnknownV4._tag": ["The name of the reason.", "ReasonDetails._tag"],
  "OutcomeUnknownV4.message": ["The problem and its remedy, in words.", "ReasonDetails.message"],
  "OutcomeUnknownV4.status": [
    "HTTP status of the gateway's response; not that of a response of yours that passes this error on.",
    "ResponseDetails.status"
  ],
  "OutcomeUnknownV4.errors": ["The gateway's own error elements, when its body could be read.", "ErrorItem"],
  "OutcomeUnknownV4.path": [
    "For a custom request: its path, without anything that may be secret.",
    "ChangeRecordV4.path"
  ],
  "OutcomeUnknownV4.refundsBefore": [
    "For a refund: the result of `getPaymentRefunds` before the call. Without it no refund can be identified as this one.",
    "RefundBeforeV4"
  ],
  "OutcomeUnknownV4.isOnlyWriter": [
    "Your word, for a refund, that nothing but this call has refunded the payment since `refundsBefore` was read; for `nextPayment`, that nothing but this call has charged the recurrence since `paymentBefore`. It counts for `ON_DEMAND` only, since GoPay itself charges a recurrence of the type `AUTO`: send an `order_number` that no other payment has.",
    "ChangeRecordV4.isOnlyWriter"
  ],
  "OutcomeUnknownV4.paymentBefore": [
    "For `nextPayment`: the `payment.id` of `getRecurrence` before the call.",
    "ChangeRecordV4.paymentBefore"
  ],
  "TokenFailureV4.reason": ["The reason of the failure.", "FailureV4.reason"],
  "TokenFailureV4.cause": ["A cause besides the reason.", "FailureV4.cause"],
  "RefundBeforeV4.id": ["Store it with the id of the payment.", "RefundResponseV4.id"],
  "RefundBeforeV4.state": [
    "`REQUESTED` at first. Money has moved only at `SUCCESS`; a refused refund may be listed as well.",
    "RefundResponseV4.state"
  ],
  "RefundBeforeV4.amount": ["In minor units.", "RefundResponseV4.amount"],
  "RefundBeforeV4.currency": ["The payment's.", "RefundResponseV4.currency"],
  "RefundBeforeV4.created_at": ["ISO 8601, by the gateway's clock.", "RefundResponseV4.created_at"],
  "RefundBeforeV4.updated_at": ["Absent until its state has changed.", "RefundResponseV4.updated_at"]
}
