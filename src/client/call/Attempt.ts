/**
 * One attempt of an operation: its request, sent once, and the outcome.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { basicCredentials, type GatewaySettings } from "../config/GatewayOptions.js"
import { redactor, sentTexts } from "../error/Redaction.js"
import type { Transport } from "../transport/Transport.js"
import type { TransportFailure } from "../transport/TransportFailure.js"
import type { TransportRequest, TransportResponse } from "../transport/Sender.js"
import type { AttemptOutcome, Doubt, ObservedAttempt } from "./CallObserver.js"
import { unanswered } from "./FailureReason.js"
import type { Operation, PreparedRequest } from "./Operation.js"
import { RetryPolicy, totalTime } from "./RetryPolicy.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type { GatewayLanguage } from "../../contract/CodeLists.js"
import type { ResponseHead } from "./CallEvent.js"

/**
 * Called with the head of each response that the calls in the current fiber get, before the response is decoded: of
 * every attempt, but not of the request for a token. A defect of it is ignored. Default: nothing is called.
 *
 * ```ts
 * getPaymentRefunds(id).pipe(Effect.provideService(OnResponse, ({ status }) => Effect.log(`status ${status}`)))
 * ```
 */
export const OnResponse: Context.Reference<((head: ResponseHead) => Effect.Effect<unknown>) | undefined> =
  Context.Reference<((head: ResponseHead) => Effect.Effect<unknown>) | undefined>("effect-gopay/OnResponse", {
    defaultValue: () => undefined
  })

const headOf = ({ header, status }: TransportResponse): ResponseHead => {
  const time = Date.parse(header("date") ?? "")
  return { status, ...(Number.isNaN(time) ? undefined : { gatewayTimeMillis: time }) }
}

/** Reports the head of a response, whatever the report does. */
const reporting =
  (report: (head: ResponseHead) => Effect.Effect<unknown>) =>
  <E>(sent: Effect.Effect<TransportResponse, E>): Effect.Effect<TransportResponse, E> =>
    Effect.tap(sent, (response) =>
      Effect.catchCause(
        Effect.suspend(() => report(headOf(response))),
        () => Effect.void
      )
    )

/**
 * Asked before every attempt of a change, when nothing is left but to hand the request over: the token is there, and so
 * is the request's turn among those under way. Only a new connection, where none is kept, is made after it. An attempt
 * that follows a refused token asks again. `false` holds the request back: it is certainly not sent, and the call fails
 * with `GatewayUnavailable`. So does a program that fails: what it fails with is the `cause` of the error. One that dies
 * ends the call with its defect, and nothing is sent. A duration is the time for which it may
 * be sent, from when the check began: where they are over before the request is handed over, since a connection had to
 * be made or the process stood still, it is held back as well.
 *
 * It is the place to see that this process may still send, such as that it holds a lease in a database, however long it
 * has waited for a token or been suspended. It has the time of the attempt, which it takes from the request, and keeps
 * the request's turn meanwhile: one that has not answered when the time is up holds the request back too. Default: every
 * change is sent.
 *
 * ```ts
 * refundPayment(id, { amount }).pipe(Effect.provideService(BeforeSend, (change) => lease.isHeld(change.paymentId)))
 * ```
 */
export const BeforeSend: Context.Reference<
  ((change: ChangeRecord) => Effect.Effect<boolean | Duration.Input, unknown>) | undefined
> = Context.Reference<PreSendCheck | undefined>("effect-gopay/BeforeSend", { defaultValue: () => undefined })

type PreSendCheck = (change: ChangeRecord) => Effect.Effect<boolean | Duration.Input, unknown>

const preSendCheck = (
  fiber: Fiber.Fiber<unknown, unknown>,
  change: ChangeRecord
): ReturnType<PreSendCheck> | undefined => {
  const check = fiber.getRef(BeforeSend)
  return check && Effect.suspend(() => check(change))
}

/** Who a request is from: a token, or the merchant's own credentials. */
interface Credentials {
  readonly value: Redacted.Redacted<string>
}

interface AttemptedCall {
  readonly request: PreparedRequest
  readonly language: GatewayLanguage
  readonly doubt: Doubt
  readonly observed: ObservedAttempt
}

/** Makes what sends a call's request once. It never fails: what came of it is a value. */
export type Attempt = <Response>(
  operation: Operation<Response>,
  call: AttemptedCall
) => (credentials: Credentials) => Effect.Effect<AttemptOutcome<Response>>

/** Makes attempts over a transport. `scheme` is that of the `Authorization` header. */
export const make = (settings: GatewaySettings, transport: Transport, scheme: "Basic" | "Bearer"): Attempt => {
  const headersOf = requestHeaders(settings, scheme)
  const secrets = [settings.clientSecret, basicCredentials(settings)]
  return <Response>(operation: Operation<Response>, { doubt, language, observed, request }: AttemptedCall) => {
    const isRead = operation.kind === "read"
    const bytes = operation.carries === "file" ? settings.maxFileBytes : settings.maxJsonBytes
    const url = settings.baseUrl + request.path
    return ({ value: credentials }) => {
      const sent = Effect.withFiber((fiber): Effect.Effect<AttemptOutcome<Response>> => {
        const clock = fiber.getRef(Clock.Clock)
        const time = timeLimit(fiber, isRead, settings)
        const change = request.change && {
          ...request.change,
          goid: settings.goid,
          sentAt: new Date(clock.currentTimeMillisUnsafe()).toISOString()
        }
        const report = scheme === "Bearer" ? fiber.getRef(OnResponse) : undefined
        const failedCall = { operation: operation.name, subject: request.subject, change }
        const read = (response: TransportResponse) =>
          operation.read(response, {
            call: failedCall,
            now: clock.currentTimeMillisUnsafe(),
            redact: redactor(() => [...[...secrets, credentials].map(Redacted.value), ...sentTexts(request.sent)])
          })
        return Effect.match(
          (report === undefined ? identity : reporting(report))(
            transport(
              {
                method: operation.method,
                url,
                headers: headersOf(credentials, request.contentType, language),
                body: request.body,
                isChange: !isRead,
                check: change && preSendCheck(fiber, change),
                onSend: () => {
                  doubt.change = change
                },
                provesNotTaken: (response) => {
                  const result = read(response)
                  return Result.isFailure(result) && result.failure._tag !== "OutcomeUnknown"
                }
              },
              { time, bytes }
            )
          ),
          {
            onFailure: (failure: TransportFailure) => {
              doubt.cause = failure.cause
              return {
                result: Result.fail(unanswered(failedCall, failure, `${Duration.toSeconds(time)} s`)),
                status: undefined,
                transportFailure: failure.isTimeout ? "timeout" : (failure.code ?? failure.name)
              }
            },
            onSuccess: (response: TransportResponse) => ({
              result: read(response),
              status: response.status,
              transportFailure: undefined
            })
          }
        )
      })
      // Not before the outcome is handed on: whoever is called meanwhile may interrupt the call.
      return Effect.map(observed(sent), (outcome) => {
        if (Result.isFailure(outcome.result) && outcome.result.failure._tag !== "OutcomeUnknown") {
          doubt.change = undefined
        }
        return outcome
      })
    }
  }
}

/** How long an attempt may take: as long as the fiber or the settings say, and a read no longer than all its attempts. */
const timeLimit = (fiber: Fiber.Fiber<unknown, unknown>, isRead: boolean, settings: GatewaySettings) => {
  const wanted = fiber.getRef(AttemptTimeout)
  const configured = isRead ? settings.readTimeout : settings.changeTimeout
  const time = wanted === undefined ? configured : Option.getOrElse(Duration.fromInput(wanted), () => configured)
  return isRead ? Duration.min(time, totalTime(fiber.getRef(RetryPolicy))) : time
}

/**
 * The time limit of each attempt of the calls in the current fiber (connecting, headers and body), in place of the
 * configured time. Waiting for a token may take as long again.
 */
export const AttemptTimeout: Context.Reference<Duration.Input | undefined> = Context.Reference<
  Duration.Input | undefined
>("effect-gopay/AttemptTimeout", { defaultValue: () => undefined })

/** Czech or English: the gateway's messages have no other. */
const acceptLanguage = (language: GatewayLanguage): "cs-CZ" | "en-US" =>
  /^(cs|sk)\b/i.test(language) ? "cs-CZ" : "en-US"

/** The headers of a request. All calls with the same token share them, so each variant is built once. */
const requestHeaders = (settings: GatewaySettings, scheme: "Basic" | "Bearer") => {
  const common = {
    accept: "application/json",
    "user-agent": settings.userAgent
  }
  const made = new WeakMap<Redacted.Redacted<string>, Map<string, TransportRequest["headers"]>>()
  return (
    credentials: Redacted.Redacted<string>,
    contentType: string | undefined,
    language: GatewayLanguage
  ): TransportRequest["headers"] => {
    const variants = made.get(credentials) ?? new Map<string, TransportRequest["headers"]>()
    made.set(credentials, variants)
    const variant = `${acceptLanguage(language)} ${contentType}`
    const known = variants.get(variant)
    if (known !== undefined) return known
    const headers = {
      ...common,
      "accept-language": acceptLanguage(language),
      authorization: `${scheme} ${Redacted.value(credentials)}`,
      ...(contentType === undefined ? undefined : { "content-type": contentType })
    }
    variants.set(variant, headers)
    return headers
  }
}
