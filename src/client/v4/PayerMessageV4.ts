/**
 * Messages for the payer of API v4, from the texts of v3.
 */
import { ownMember } from "../../basics/OwnMember.js"
import type { ChangeOperation } from "../../contract/GatewayOperations.js"
import type { ChangeNameV4 } from "../../contract/GatewayOperationsV4.js"
import { payerMessage, type PayerLanguage, type PayerMessage } from "../payment/PayerMessage.js"

/**
 * The change of v3 with the same messages for the payer: the payer asked for the same, and it may have taken money or
 * not.
 */
const alike: { readonly [Name in ChangeNameV4]: ChangeOperation } = {
  "v4.createPayment": "createPayment",
  "v4.startRecurrence": "createPayment",
  "v4.createRecurrence": "createPayment",
  "v4.nextPayment": "createRecurrence",
  "v4.cancelPayment": "voidRecurrence",
  "v4.refundPayment": "refundPayment",
  "v4.stopRecurrence": "voidRecurrence"
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** An error of a call of v4 in the form that `payerMessage` reads. */
const callErrorAsOfV3 = (error: unknown): unknown => {
  const operation = member(error, "operation")
  const reason = member(error, "reason")
  const name =
    typeof operation === "string" ? (ownMember<ChangeOperation>(alike, operation) ?? "getPayment") : undefined
  return {
    _tag: "GatewayError",
    operation: name,
    reason: {
      _tag: member(reason, "_tag"),
      goalReached: member(reason, "goalReached"),
      ...(member(reason, "change") === undefined ? undefined : { change: { operation: name } })
    }
  }
}

/** A payment or an error of v4 in the form that `payerMessage` reads. */
const asOfV3 = (subject: unknown): unknown => {
  switch (member(subject, "_tag")) {
    case "GatewayErrorV4":
      return callErrorAsOfV3(subject)
    case "NotificationErrorV4":
      return { _tag: "NotificationError", reason: member(subject, "reason") }
    default:
      // A payment by the QR code of `getPaymentQr` is CREATED until the money arrives: a method is chosen, in words of v3.
      return member(subject, "state") === "CREATED" ? { state: "PAYMENT_METHOD_CHOSEN" } : subject
  }
}

/**
 * A message to the payer about a payment of API v4 or an error of it: what happened and what to do now, without codes, without blame, and
 * never an invitation to pay twice. After `OutcomeUnknown` of `nextPayment` the payer is asked not to pay again; after that of
 * `createPayment` a new payment is offered, since no one has the address of the lost one. A payer of a payment that is
 * `CREATED` may have sent the money by QR code, and is asked not to pay again either.
 *
 * Sends nothing, and never throws. An unknown language is English.
 */
export const payerMessageV4 = (subject: unknown, language: PayerLanguage): PayerMessage => {
  try {
    return payerMessage(asOfV3(subject), language)
  } catch {
    // A getter may throw.
    return payerMessage(undefined, language)
  }
}
