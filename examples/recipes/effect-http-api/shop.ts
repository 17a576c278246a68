import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Gateway, getEmbedJsUrl } from "effect-gopay"
import { fileStore, Ledger } from "effect-gopay/ledger"
import { NodeHttpClient } from "effect-gopay/node"
import { Shop } from "./api.ts"
import { Orders } from "./orders.ts"

const settings = Config.all({
  path: Config.String("DATABASE").pipe(Config.withDefault("shop.db")),
  installation: Config.String("GOPAY_INSTALLATION").pipe(Config.withDefault(undefined))
})

const LedgerLive = Layer.unwrap(
  Effect.map(settings, ({ installation, path }) =>
    Ledger.layerWorker({ store: fileStore(path), installation, migrate: true })
  )
)

const GatewayLive = Gateway.layerConfig().pipe(Layer.provide(NodeHttpClient.layer))

/** A content security policy that lets the shop's form go to the pay page. GoPay's samples show two addresses of it for production. */
const policyFor = (script: string) => {
  const { origin } = new URL(script)
  const payPages = origin === "https://gate.gopay.cz" ? `${origin} https://gate.gopay.com` : origin
  return `default-src 'self'; form-action 'self' ${payPages}; frame-ancestors 'none'; base-uri 'none'`
}

const Policy = HttpRouter.middleware(
  Effect.gen(function* () {
    const policy = policyFor(yield* getEmbedJsUrl)
    return Effect.map(HttpServerResponse.setHeaders({ "content-security-policy": policy, "cache-control": "no-store" }))
  }),
  { global: true }
)

const Routes = Layer.mergeAll(
  HttpApiBuilder.layer(Shop, { openapiPath: "/openapi.json" }).pipe(Layer.provide(Orders)),
  Ledger.notificationRoute("/notify"),
  HttpRouter.add(
    "GET",
    "/",
    Effect.sync(() =>
      HttpServerResponse.html(`<form method="post" action="/checkout">
        <input type="hidden" name="number" value="${randomUUID()}">
        <button>Order a shirt for 1 399.50 CZK</button>
      </form>`)
    )
  ),
  Policy
)

HttpRouter.serve(Routes, { disableListenLog: true, disableLogger: true }).pipe(
  Layer.provide(NodeHttpServer.layerConfig(createServer, { port: Config.Port("PORT").pipe(Config.withDefault(3000)) })),
  // Built before the server listens: a request that arrives before the routes is never answered.
  Layer.provide(LedgerLive),
  Layer.provide(GatewayLive),
  Layer.launch,
  Effect.tapErrorTag("ConfigError", () =>
    Console.error("To try the shop: npx effect-gopay local-gateway --data gateway.json -- npm start")
  ),
  NodeRuntime.runMain
)
