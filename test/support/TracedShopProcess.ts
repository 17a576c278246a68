/**
 * A shop in a process of its own that logs at debug, prints its spans, and catches nothing. Its argument is the
 * gateway's address.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { createPayment, Gateway } from "../../src/index.js"
import { personalOrder } from "./PersonalOrder.js"
import { credentials } from "./Credentials.js"

const [environment = ""] = process.argv.slice(2)

class PrintedSpan extends Tracer.NativeSpan {
  override end(...[endTime, exit]: Parameters<Tracer.NativeSpan["end"]>): void {
    super.end(endTime, exit)
    const { attributes, events, name } = this
    console.log(
      JSON.stringify({ name, attributes: [...attributes], events: events.map(([name, , more]) => [name, more]) })
    )
  }
}

await createPayment(personalOrder).pipe(
  Effect.provide(Gateway.layer({ ...credentials, clientSecret: Redacted.make(credentials.clientSecret), environment })),
  Effect.provide(FetchHttpClient.layer),
  Effect.provide(
    Layer.mergeAll(
      Layer.succeed(References.MinimumLogLevel, "All"),
      Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new PrintedSpan(options) }))
    )
  ),
  Effect.runPromise
)
