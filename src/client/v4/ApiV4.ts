/**
 * API v4 in the form that calls use, and the hooks of its changes.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { ownMember, withoutPrototype } from "../../basics/OwnMember.js"
import { changeFactsV4 } from "../../contract/ChangeFactsV4.js"
import { basePathV4 } from "../../contract/EndpointV4.js"
import type { OperationName } from "../../contract/GatewayOperations.js"
import type { OperationNameV4 } from "../../contract/GatewayOperationsV4.js"
import { type Api, tokenOperation } from "../call/Api.js"
import type { PreSendCheck } from "../call/BeforeSend.js"
import { interruptionLog, type UnknownOutcomes } from "../call/OnUnknownOutcome.js"
import { type ApiDefaults, checkOptions, type GatewaySettings } from "../config/GatewayOptions.js"
import type { GatewayErrorReason, InvalidField } from "../error/GatewayError.js"
import { type ChangeRecordV4, changeOf } from "./ChangeRecordV4.js"
import type { ApiTypesV4, GatewayErrorReasonV4 } from "./GatewayErrorV4.js"
import { refusalsV4 } from "./RefusalReasonV4.js"

/**
 * A check that runs before every attempt of a change of API v4, right before the request is handed over. `false` holds
 * the request back: it is certainly not sent. A duration is how long it may be sent. See `BeforeSend` of v3, which does
 * not apply to changes of v4.
 */
export const BeforeSendV4: Context.Reference<
  ((change: ChangeRecordV4) => Effect.Effect<boolean | Duration.Input, unknown>) | undefined
> = Context.Reference<PreSendCheck<ChangeRecordV4> | undefined>("effect-gopay/v4/BeforeSend", {
  defaultValue: () => undefined
})

const adviceOn = (change: ChangeRecordV4): string => {
  const name = changeOf(change)
  return name === undefined ? customAdviceV4 : changeFactsV4[name].afterLoss
}

/** What to do about a custom request whose response was lost. */
export const customAdviceV4 = "do not repeat it, find out"

const onlyLogged = (change: ChangeRecordV4): Effect.Effect<void> => interruptionLog(adviceOn)(change)

/**
 * Called once for each change of API v4 whose outcome is unknown, however its call ends: with `OutcomeUnknown`, or by
 * an interruption, which can return no error. Store the record, and find out with `reconcile`. The call waits for this
 * program for at most ten seconds. The default writes the record to the log, as an error if the change was interrupted:
 * see `OnUnknownOutcome` of v3.
 */
export const OnUnknownOutcomeV4: Context.Reference<(change: ChangeRecordV4) => Effect.Effect<void, unknown>> =
  Context.Reference<(change: ChangeRecordV4) => Effect.Effect<void, unknown>>("effect-gopay/v4/OnUnknownOutcome", {
    defaultValue: () => onlyLogged
  })

const unknownOutcomesV4: UnknownOutcomes<ChangeRecordV4> = { reference: OnUnknownOutcomeV4, onlyLogged, adviceOn }

/** The operations of v3 under which a `RetryPolicy`, which is the same for both, sees the reads of v4. */
const shownAs: { readonly [name: string]: OperationName } = {
  "v4.getPaymentRefunds": "getPaymentRefunds",
  "v4.getRefund": "getPaymentRefunds",
  "v4.getPaymentQr": "getPaymentQr"
} satisfies { readonly [Name in OperationNameV4]?: OperationName }

/** The same reasons may be retried in both APIs. */
const shownReason = (reason: GatewayErrorReasonV4): GatewayErrorReason =>
  reason._tag === "RateLimited" || reason._tag === "GatewayUnavailable"
    ? reason
    : { _tag: "UnexpectedResponse", isRetryable: reason.isRetryable, message: reason.message }

/** GoPay's REST API v4. */
export const apiV4: Api<ApiTypesV4> = {
  getAccessToken: tokenOperation(refusalsV4),
  beforeSend: BeforeSendV4,
  unknownOutcomes: unknownOutcomesV4,
  shownToPolicy: ({ operation, reason, ...others }) => ({
    ...others,
    operation: ownMember(shownAs, operation) ?? "getPayment",
    reason: shownReason(reason)
  }),
  isPermissionDenied: ({ errors }) => errors !== undefined
}

/** The address of v4 (from its specification). A token may do what a shop's server does here. */
const defaultsV4: ApiDefaults = {
  sandbox: `https://gw.sandbox.gopay.com${basePathV4}`,
  production: `https://gate.gopay.com${basePathV4}`,
  path: basePathV4,
  scope: "payment:write payment:read"
}

/**
 * Checks the options of a client of API v4, which has no language. The address may be that of v3's API at the same
 * gateway.
 */
export const checkOptionsV4 = (options: unknown): Result.Result<GatewaySettings, ReadonlyArray<InvalidField>> => {
  if (!Predicate.isObject(options)) return checkOptions(options, defaultsV4)
  const { language, ...others } = withoutPrototype<{ readonly environment?: unknown; readonly language?: unknown }>(
    options
  )
  const { environment } = others
  const checked = checkOptions(
    typeof environment === "string" ? { ...others, environment: environment.replace(/\/api\/*$/, "") } : others,
    defaultsV4
  )
  if (language === undefined) return checked
  return Result.fail([
    { field: "language", message: "is not an option of API v4, which has no languages" },
    ...Result.match(checked, { onFailure: identity, onSuccess: () => [] })
  ])
}
