/**
 * One attempt of an operation: its request, sent once, and the outcome.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { basicCredentials, type GatewaySettings } from "../config/GatewayOptions.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type { GatewayErrorReason } from "../error/GatewayError.js"
import { redactor, sentTexts } from "../error/Redaction.js"
import type { Transport } from "../transport/Transport.js"
import type { TransportFailure } from "../transport/TransportFailure.js"
import type { TransportRequest, TransportResponse } from "../transport/TransportRequest.js"
import { unanswered } from "./FailureReason.js"
import { OnResponse, reportHead } from "./OnResponse.js"
import type { Operation, PreparedRequest } from "./Operation.js"
import { RetryPolicy, totalTime } from "./RetryPolicy.js"

/** What one attempt came to. */
export interface AttemptOutcome<out Response> {
  readonly result: Result.Result<Response, GatewayErrorReason>
  /** The status of the response, when there was one. */
  readonly status: number | undefined
  /** Why there was none: `timeout`, the system's error code or the error's name. */
  readonly transportFailure: string | undefined
  /** The change that was sent, unless it certainly was not taken. */
  readonly inDoubt: ChangeRecord | undefined
}

/** A request and what it is sent with. */
interface AttemptOptions {
  readonly request: PreparedRequest
  readonly scheme: "Basic" | "Bearer"
  /** What the scheme carries in the `Authorization` header. */
  readonly credentials: Redacted.Redacted<string>
  /** The record of the change, when it is one. */
  readonly change: ChangeRecord | undefined
  /** Called right before the gateway may see any of it. */
  readonly onSend?: () => void
}

/** Sends a request once. It never fails: what came of it is a value. */
export type Attempt = <Response>(
  operation: Operation<Response>,
  options: AttemptOptions
) => Effect.Effect<AttemptOutcome<Response>>

/** Makes attempts over a transport. */
export const make = (settings: GatewaySettings, transport: Transport): Attempt => {
  const headersOf = requestHeaders(settings)
  const secrets = [settings.clientSecret, basicCredentials(settings)]
  return <Response>(
    operation: Operation<Response>,
    { change, credentials, onSend, request, scheme }: AttemptOptions
  ): Effect.Effect<AttemptOutcome<Response>> =>
    Effect.withFiber((fiber) => {
      const timeout = fiber.getRef(AttemptTimeout)
      const isRead = operation.kind === "read"
      const configured = isRead ? settings.readTimeout : settings.changeTimeout
      const wanted =
        timeout === undefined ? configured : Option.getOrElse(Duration.fromInput(timeout), () => configured)
      const time = isRead ? Duration.min(wanted, totalTime(fiber.getRef(RetryPolicy))) : wanted
      const bytes = operation.carries === "file" ? settings.maxFileBytes : settings.maxJsonBytes
      const sent = { operation: operation.name, subject: request.subject, change }
      const outcome = (
        result: Result.Result<Response, GatewayErrorReason>,
        status: number | undefined,
        transportFailure: string | undefined
      ): AttemptOutcome<Response> => ({
        result,
        status,
        transportFailure,
        inDoubt: Result.isSuccess(result) || result.failure._tag === "OutcomeUnknown" ? change : undefined
      })
      return Effect.match(
        transport(
          {
            method: operation.method,
            url: settings.baseUrl + request.path,
            headers: headersOf(scheme, credentials, request.contentType),
            body: request.body,
            isChange: !isRead,
            onSend
          },
          { time, bytes }
        ),
        {
          onFailure: (failure: TransportFailure) =>
            outcome(
              Result.fail(unanswered(sent, failure, Duration.format(time))),
              undefined,
              failure.isTimeout ? "timeout" : (failure.code ?? failure.name)
            ),
          onSuccess: (response: TransportResponse) => {
            if (scheme === "Bearer") reportHead(fiber.getRef(OnResponse), response)
            return outcome(
              operation.read(response, {
                call: sent,
                now: fiber.getRef(Clock.Clock).currentTimeMillisUnsafe(),
                redact: redactor(() => [...[...secrets, credentials].map(Redacted.value), ...sentTexts(request.sent)])
              }),
              response.status,
              undefined
            )
          }
        }
      )
    })
}

/**
 * The time limit of each attempt of the calls in the current fiber (connecting, headers and body), in place of the
 * configured time. Waiting for a token may take as long again.
 *
 * @category calls
 */
export const AttemptTimeout: Context.Reference<Duration.Input | undefined> = Context.Reference<
  Duration.Input | undefined
>("effect-gopay/AttemptTimeout", { defaultValue: () => undefined })

/** The headers of a request. All calls with the same token share them, so each variant is built once. */
const requestHeaders = (settings: GatewaySettings) => {
  const common = {
    accept: "application/json",
    "accept-language": /^(cs|sk)\b/i.test(settings.language) ? "cs-CZ" : "en-US",
    "user-agent": settings.userAgent
  }
  const made = new WeakMap<Redacted.Redacted<string>, Map<string | undefined, TransportRequest["headers"]>>()
  return (
    scheme: AttemptOptions["scheme"],
    credentials: Redacted.Redacted<string>,
    contentType: string | undefined
  ): TransportRequest["headers"] => {
    const byContentType = made.get(credentials) ?? new Map<string | undefined, TransportRequest["headers"]>()
    made.set(credentials, byContentType)
    const known = byContentType.get(contentType)
    if (known !== undefined) return known
    const headers = {
      ...common,
      authorization: `${scheme} ${Redacted.value(credentials)}`,
      ...(contentType === undefined ? undefined : { "content-type": contentType })
    }
    byContentType.set(contentType, headers)
    return headers
  }
}
