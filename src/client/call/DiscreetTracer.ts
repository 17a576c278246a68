/**
 * A tracer for spans below an attempt. The spans that Effect's `HttpClient` creates would contain the whole request:
 * the credentials in the error or response that they end with, and anything that the caller puts into a URL.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Tracer from "effect/Tracer"

/** Removes everything that may be secret from a tracer's spans. The path is shown as a template. */
export const discreet = (tracer: Tracer.Tracer, template: string): Tracer.Tracer =>
  Tracer.make({
    ...(tracer.context === undefined ? undefined : { context: tracer.context }),
    span: (options) => {
      const span = tracer.span(options)
      const attribute: Tracer.Span["attribute"] = span.attribute.bind(span)
      const end: Tracer.Span["end"] = span.end.bind(span)
      // The tracer knows its spans by their identity and class, so it gets the same object back.
      return Object.assign(span, {
        attribute: (name: string, value: unknown) => {
          if (name === "url.path") attribute("url.template", template)
          else if (!addresses.test(name)) attribute(name, value)
        },
        end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, withoutRequest(exit))
      })
    }
  })

/** Attributes that contain whole addresses. */
const addresses = /^(url\.(full|query)|http\.response\.header\.location)$/

/** How the span ended, in one word. */
const withoutRequest = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<void, Error> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.hasInterruptsOnly(exit.cause)) return Exit.interrupt()
  const [failure] = exit.cause.reasons.filter(Cause.isFailReason)
  const error = new Error(failure === undefined ? "a defect of the client" : wordOf(failure.error))
  error.name = "HttpClientError"
  return Exit.fail(error)
}

/** Errors of `HttpClient` have the tag of their reason. */
const wordOf = (error: unknown): string => {
  const reason = Predicate.isObject(error) ? error["reason"] : undefined
  return Predicate.isObject(reason) && Predicate.isString(reason["_tag"]) ? reason["_tag"] : "a failure of the client"
}
