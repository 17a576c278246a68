/**
 * One process of a shop. Its arguments are the addresses of the gateway and the Redis; each message to it is a call.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { AccessToken, Gateway, GatewayConfig, getPayment } from "../../src/index.js"
import { credentials } from "../support/Credentials.js"
import * as RedisPersistence from "./RedisPersistence.js"
import { paymentId } from "./RevocableGateway.js"

const [environment = "", redis = ""] = process.argv.slice(2)

const tell = (message: { readonly answer: string } | { readonly log: unknown } | "ready"): void => {
  process.send?.(message)
}

const runtime = ManagedRuntime.make(
  Gateway.layerNoDeps.pipe(
    Layer.provide(AccessToken.layerPersisted),
    Layer.provide(
      GatewayConfig.layer({ ...credentials, clientSecret: Redacted.make(credentials.clientSecret), environment })
    ),
    Layer.provide(RedisPersistence.layer(redis)),
    Layer.provide(FetchHttpClient.layer),
    Layer.provideMerge(Logger.layer([Logger.make<unknown, void>(({ message }) => tell({ log: message }))]))
  )
)

const call = getPayment(paymentId).pipe(
  Effect.match({ onFailure: ({ message }) => message, onSuccess: ({ state }) => state })
)

process.on("message", () => {
  void runtime.runPromise(call).then((answer) => tell({ answer }))
})
process.on("disconnect", () => process.exit())

await runtime.context()
tell("ready")
