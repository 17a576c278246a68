/**
 * Checks of settings from a seed, the control API or an untyped caller.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { list, object, oneOf, text, whole } from "./Fields.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"

const aboutTenYears = 10 * 366 * 24 * 3600
const seconds = whole(0, aboutTenYears)
const positiveSeconds = whole(1, aboutTenYears)
const languages = ["CS", "EN", "SK", "DE", "PL", "HU", "RO"] as const
const operationResult = oneOf(["finished", "failed", "acceptedThenFinished", "acceptedThenFailed"])

const fields = {
  itemsSum: oneOf(["ignored", "checked"]),
  orderChecks: oneOf(["lenient", "documented"]),
  scopes: oneOf(["ignored", "enforced"]),
  refusedTokenStatus: oneOf([401, 403]),
  tokenLifetimeSeconds: positiveSeconds,
  unicodeEscapes: oneOf(["accepted", "refused"]),
  fractionalAmounts: oneOf(["rounded", "cut", "refused"]),
  jsonFullCapture: oneOf(["accepted", "refused"]),
  textEcho: oneOf(["asSent", "encodedParams", "encoded"]),
  defaultLanguage: oneOf(languages),
  timeToPaySeconds: positiveSeconds,
  timeToPayByCardSeconds: positiveSeconds,
  timeToPayByTransferSeconds: positiveSeconds,
  timeToPayOtherwiseSeconds: positiveSeconds,
  authorizationLifetimeSeconds: positiveSeconds,
  declinedAttempt: oneOf(["allowsRetry", "cancelsPayment"]),
  refund: operationResult,
  capture: operationResult,
  voidAuthorization: operationResult,
  voidRecurrence: operationResult,
  timeToProcessSeconds: seconds,
  partialRefundDelaySeconds: seconds,
  refundableForSeconds: positiveSeconds,
  unknownRefund: oneOf(["byCheckDigit", "asField"]),
  refusedRefund: oneOf(["unlisted", "listed"]),
  amountAfterCapture: oneOf(["ordered", "captured"]),
  voidUnpaidRecurrence: oneOf(["refused", "accepted"]),
  recurrenceChild: oneOf(["paid", "declined", "pending"]),
  transferAccount: oneOf(["shown", "omitted"]),
  statementContentType: oneOf(["binary", "ofFormat"]),
  statementEncoding: oneOf(["utf-8", "windows-1250"]),
  clearings: oneOf(["never", "daily", "weekly", "monthly"]),
  paymentFeeBasisPoints: whole(0, 10_000),
  refundFee: whole(0, 1_000_000),
  notificationTiming: oneOf(["notificationFirst", "returnFirst", "whilePending", "never", "varied"]),
  returnLeadSeconds: seconds,
  notificationAttempts: whole(1, 1000),
  notificationRetryDelaySeconds: seconds,
  notificationMaxRetryDelaySeconds: seconds,
  notificationTimeoutSeconds: positiveSeconds,
  notificationDelaySeconds: seconds,
  notificationCopies: whole(0, 10),
  notificationOrder: oneOf(["inOrder", "reversed"]),
  notificationParentId: oneOf(["sent", "omitted"]),
  notificationHosts: list(text(256))
} satisfies { readonly [Name in keyof LocalGatewaySettings]: Schema.Schema<LocalGatewaySettings[Name]> }

/** All settings. */
export const AllSettings = object(fields).annotate({ identifier: "Settings", description: "How the gateway behaves." })

/** Settings to change: those that are named. */
export const SettingsChange = object(fields)
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "SettingsChange", description: "How the gateway is to behave: the settings that are named." })
