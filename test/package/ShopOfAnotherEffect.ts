/**
 * A shop whose `effect` is another copy than the one that the package imports: `TwoCopies.test.ts` runs it in a folder of its
 * own. It prints what came of each program, as JSON.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import {
  Gateway,
  type GatewayOptions,
  getPayment,
  OnUnknownOutcome,
  refundPayment,
  withClientTransform
} from "effect-gopay"

let changes = 0

/** A gateway that answers reads, and whose answer to a change is lost. */
const client = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make((request, { pathname }) =>
    Effect.sync(() => {
      if (pathname.endsWith("/refund")) {
        changes++
        return HttpClientResponse.fromWeb(request, new Response("", { status: 503 }))
      }
      const body = pathname.endsWith("/token")
        ? { token_type: "bearer", access_token: "token", expires_in: 1800 }
        : { id: 1, state: "PAID", amount: 5, currency: "CZK" }
      const headers = { "content-type": "application/json" }
      return HttpClientResponse.fromWeb(request, new Response(JSON.stringify(body), { headers }))
    })
  )
)

const gatewayWith = (clientSecret: GatewayOptions["clientSecret"]) =>
  Gateway.layer({
    goid: "8123456781",
    clientId: "1234567890",
    clientSecret,
    environment: "https://gateway.example"
  }).pipe(Layer.provide(client))

const gateway = gatewayWith("s3cr3tXY")

const retrying = withClientTransform(HttpClient.retryTransient({ schedule: Schedule.recurs(3) }))

const lostRefund = refundPayment(1, { amount: 5 }).pipe(
  Effect.catchReason("GatewayError", "OutcomeUnknown", ({ change }) => Effect.succeed(change.operation)),
  Effect.provideService(OnUnknownOutcome, () => Effect.void)
)

const exit = await Effect.runPromiseExit(Effect.provide(getPayment(1), gatewayWith(Redacted.make("s3cr3tXY"))))

console.log(
  JSON.stringify({
    redacted: Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "",
    read: await Effect.runPromise(
      Effect.provide(
        Effect.map(getPayment(1), ({ state }) => state),
        gateway
      )
    ),
    lost: await Effect.runPromise(Effect.provide(lostRefund, gateway)),
    retried: await Effect.runPromise(Effect.provide(retrying(lostRefund), gateway)),
    changes
  })
)
