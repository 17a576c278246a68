/**
 * The settings of the local gateway, checked.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Settings } from "./Settings.js"

const oneOf = <const Choices extends ReadonlyArray<string | number>>(choices: Choices) =>
  Schema.Literals(choices).annotate({ message: `must be one of ${choices.join(", ")}` })

const whole = (minimum: number, maximum: number) =>
  Schema.Number.annotate({ message: `must be a whole number from ${minimum} to ${maximum}` }).check(
    Schema.makeFilter(
      (value) =>
        (Number.isInteger(value) && value >= minimum && value <= maximum) ||
        `must be a whole number from ${minimum} to ${maximum}`
    )
  )

const aboutTenYears = 10 * 366 * 24 * 3600
const seconds = whole(0, aboutTenYears)
const positiveSeconds = whole(1, aboutTenYears)
const languages = ["CS", "EN", "SK", "DE", "PL", "HU", "RO"] as const
const operationResult = oneOf(["finished", "failed", "acceptedThenFinished", "acceptedThenFailed"])

const fields = {
  itemsSum: oneOf(["ignored", "checked"]),
  scopes: oneOf(["ignored", "enforced"]),
  refusedTokenStatus: oneOf([401, 403]),
  tokenLifetime: positiveSeconds,
  unicodeEscapes: oneOf(["accepted", "refused"]),
  defaultLanguage: oneOf(languages),
  timeToPay: positiveSeconds,
  authorizationLifetime: positiveSeconds,
  declinedAttempt: oneOf(["allowsRetry", "cancelsPayment"]),
  refund: operationResult,
  capture: operationResult,
  voidAuthorization: operationResult,
  voidRecurrence: operationResult,
  timeToProcess: seconds,
  partialRefundDelay: seconds,
  unknownRefund: oneOf(["byCheckDigit", "asField"]),
  amountAfterCapture: oneOf(["ordered", "captured"]),
  voidUnpaidRecurrence: oneOf(["refused", "accepted"]),
  recurrenceChild: oneOf(["paid", "declined", "pending"]),
  statementContentType: oneOf(["binary", "ofFormat"]),
  statementEncoding: oneOf(["utf-8", "windows-1250"]),
  returnOrder: oneOf(["notificationFirst", "returnFirst", "whilePending", "never", "varied"]),
  returnLead: seconds,
  notificationAttempts: whole(1, 1000),
  notificationRetryDelay: seconds,
  notificationMaxRetryDelay: seconds,
  notificationTimeout: positiveSeconds,
  notificationDelay: seconds,
  notificationCopies: whole(0, 10),
  notificationOrder: oneOf(["inOrder", "reversed"]),
  notificationParentId: oneOf(["sent", "omitted"]),
  notificationHosts: Schema.Array(Schema.String)
} satisfies { readonly [Name in keyof Settings]: Schema.Schema<Settings[Name]> }

/** Settings to change: those that are named. */
export const SettingsChange = Schema.Struct(fields).mapFields(Struct.map(Schema.optionalKey))
