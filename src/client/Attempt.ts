/**
 * One attempt of an operation: the request as it goes on the wire, sent once, and its answer read.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Exchange } from "./Exchange.js"
import type { GatewaySettings } from "./GatewayConfig.js"
import type { GatewayErrorReason, SentChange } from "./GatewayError.js"
import type { Operation, PreparedRequest } from "./Operation.js"
import { unanswered } from "./Refusal.js"

/**
 * How long each attempt of the calls in the current fiber may take (connecting, headers and body), in place of the
 * configured time. Waiting for a token counts as well.
 */
export const AttemptTimeout: Context.Reference<Duration.Input | undefined> = Context.Reference<
  Duration.Input | undefined
>("effect-gopay/AttemptTimeout", { defaultValue: () => undefined })

/** What an attempt needs besides the operation. */
export interface AttemptOptions {
  readonly prepared: PreparedRequest
  readonly scheme: "Basic" | "Bearer"
  /** What the scheme carries in the `Authorization` header. */
  readonly credentials: Redacted.Redacted<string>
  /** What is about to be sent, when it is a change. */
  readonly change: SentChange | undefined
}

/** Sends an operation's request once. It fails with nothing but a reason. */
export const make = (settings: GatewaySettings, exchange: Exchange) => {
  const commonHeaders = {
    accept: "application/json",
    "accept-language": /^(cs|sk)\b/i.test(settings.language) ? "cs-CZ" : "en-US",
    "user-agent": settings.userAgent
  }
  const redact = redactor(Redacted.value(settings.clientSecret))
  return <Path extends string, Request, Response>(
    operation: Operation<Path, Request, Response>,
    { change, credentials, prepared, scheme }: AttemptOptions
  ): Effect.Effect<Response, GatewayErrorReason> => {
    const configured = operation.kind === "read" ? settings.readTimeout : settings.changeTimeout
    const call = { operation: operation.name, subject: prepared.subject, change }
    const request = HttpClientRequest.makeWith(
      operation.method,
      settings.baseUrl + prepared.path,
      UrlParams.empty,
      Option.none(),
      Headers.fromRecordUnsafe({
        ...commonHeaders,
        authorization: `${scheme} ${Redacted.value(credentials)}`,
        ...(prepared.contentType === undefined ? undefined : { "content-type": prepared.contentType })
      }),
      prepared.body === undefined ? HttpBody.empty : HttpBody.text(prepared.body, prepared.contentType)
    )
    return Effect.flatMap(AttemptTimeout, (timeout) => {
      const limit = timeout === undefined ? configured : Duration.fromInputUnsafe(timeout)
      return Effect.matchEffect(exchange(request, limit), {
        onFailure: (noAnswer) => Effect.fail(unanswered(call, noAnswer, Duration.format(limit))),
        onSuccess: (answer) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.fromResult(
              operation.read(answer, { call, now, redact: (text) => redact(text, Redacted.value(credentials)) })
            )
          )
      })
    })
  }
}

/**
 * Makes the gateway's own texts fit for errors and logs: known secrets, addresses of people, card numbers and whatever
 * looks like a token are taken out, and the rest is kept short.
 */
const redactor =
  (clientSecret: string) =>
  (text: string, credentials: string): string =>
    [clientSecret, credentials]
      .reduce((redacted, secret) => redacted.replaceAll(secret, "<redacted>"), text)
      .replace(/[^\s@<>]+@[^\s@<>]+/g, "<redacted>")
      .replace(/\b(?:\d[ -]?){12,18}\d\b/g, "<redacted>")
      .replace(/[A-Za-z0-9+/_=-]{41,}/g, "<redacted>")
      .slice(0, 300)
