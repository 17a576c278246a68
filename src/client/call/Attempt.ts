/**
 * One attempt of an operation: its request, sent once, and the outcome.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { GatewayLanguage } from "../../contract/CodeLists.js"
import { basicCredentials, type GatewaySettings } from "../config/GatewayOptions.js"
import type { AnyReason, ApiTypes } from "../error/AnyReason.js"
import { redactor, sentTexts } from "../error/Redaction.js"
import type { TransportResponse } from "../transport/Sender.js"
import type { Transport } from "../transport/Transport.js"
import type { TransportFailure } from "../transport/TransportFailure.js"
import { timeLimit } from "./AttemptTimeout.js"
import { preSendCheck } from "./BeforeSend.js"
import type { Api } from "./Api.js"
import type { Operation, PreparedRequest } from "./ApiOperation.js"
import type { AttemptOutcome, Doubt, ObservedAttempt } from "./CallObserver.js"
import { unanswered } from "./FailureReason.js"
import { OnResponse, reporting } from "./OnResponse.js"
import { requestHeaders } from "./requestHeaders.js"

/** The credentials of a request: a token, or the merchant's own. */
interface Credentials {
  readonly value: Redacted.Redacted<string>
}

interface AttemptedCall<Types extends ApiTypes> {
  readonly request: PreparedRequest<Types>
  readonly language: GatewayLanguage
  readonly doubt: Doubt<Types>
  readonly observed: ObservedAttempt
}

/** Sends the request of a call once. It never fails: its result is a value. */
export type Attempt<Types extends ApiTypes> = <Response>(
  operation: Operation<Response, AnyReason, Types>,
  call: AttemptedCall<Types>
) => (credentials: Credentials) => Effect.Effect<AttemptOutcome<Response>>

/** Makes attempts over a transport. `scheme` is that of the `Authorization` header. */
export const make = <Types extends ApiTypes>(
  { beforeSend }: { readonly beforeSend: Api<Types>["beforeSend"] | undefined },
  settings: GatewaySettings,
  transport: Transport,
  scheme: "Basic" | "Bearer"
): Attempt<Types> => {
  const headersOf = requestHeaders(settings, scheme)
  const secrets = [settings.clientSecret, basicCredentials(settings)]
  return <Response>(
    operation: Operation<Response, AnyReason, Types>,
    { doubt, language, observed, request }: AttemptedCall<Types>
  ) => {
    const isRead = operation.kind === "read"
    const bytes = operation.carries === "file" ? settings.maxFileBytes : settings.maxJsonBytes
    const url = settings.baseUrl + request.path
    return ({ value: credentials }) => {
      const sent = Effect.withFiber((fiber): Effect.Effect<AttemptOutcome<Response>> => {
        const clock = fiber.getRef(Clock.Clock)
        const time = timeLimit(fiber, isRead, settings)
        const change: Types["change"] | undefined = request.recordOf?.({
          goid: settings.goid,
          sentAt: new Date(clock.currentTimeMillisUnsafe()).toISOString()
        })
        const settled = (outcome: AttemptOutcome<Response>): AttemptOutcome<Response> => {
          if (isLost(outcome)) doubt.change = change
          return outcome
        }
        const report = scheme === "Bearer" ? fiber.getRef(OnResponse) : undefined
        const failedCall = {
          operation: operation.name,
          subject: request.subject,
          change,
          path: request.path,
          advice: operation.advice
        }
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
                check: change && beforeSend && preSendCheck(fiber, beforeSend, change),
                onSend: () => {
                  doubt.change = change
                },
                onNotTaken: () => {
                  doubt.change = undefined
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
              return settled({
                result: Result.fail(unanswered(failedCall, failure, `${Duration.toSeconds(time)} s`)),
                status: undefined,
                transportFailure: failure.isTimeout ? "timeout" : (failure.code ?? failure.name)
              })
            },
            onSuccess: (response: TransportResponse) =>
              settled({ result: read(response), status: response.status, transportFailure: undefined })
          }
        )
      })
      // Only once the outcome is handed on, since a callback may interrupt the call.
      return Effect.map(observed(sent), (outcome) => {
        if (Result.isFailure(outcome.result) && !isLost(outcome)) doubt.change = undefined
        return outcome
      })
    }
  }
}

const isLost = ({ result }: AttemptOutcome<unknown>): boolean =>
  Result.isFailure(result) && result.failure._tag === "OutcomeUnknown"
