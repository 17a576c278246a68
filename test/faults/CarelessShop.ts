/**
 * A shop in a process of its own that catches no error. Its arguments are the addresses of gateways.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { createPayment, Gateway } from "../../src/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { personalOrder } from "../support/PersonalOrder.js"
import { credentials } from "../support/Credentials.js"

for (const environment of process.argv.slice(2)) {
  void createGatewayClient({ ...credentials, environment }).createPayment(personalOrder)

  const clientSecret = Redacted.make(credentials.clientSecret)
  void createPayment(personalOrder).pipe(
    Effect.provide(Gateway.layer({ ...credentials, clientSecret, environment })),
    Effect.provide(FetchHttpClient.layer),
    Effect.runPromise
  )
}
