import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder, HttpApiSchema } from "effect/http-api"
import { Gateway } from "effect-gopay"
import { fileStore, Ledger } from "effect-gopay/ledger"
import { NodeHttpClient } from "effect-gopay/node"
import { Refused, Shop, Unavailable, UnknownOrder } from "./api.ts"

const unavailable = ({ message }: { readonly message: string }) => Effect.fail(new Unavailable({ message }))

const Orders = HttpApiBuilder.group(
  Shop,
  "orders",
  Effect.fn(function* (handlers) {
    const ledger = yield* Ledger
    const shopUrl = yield* Config.String("SHOP_URL").pipe(Config.withDefault("http://localhost:3000"))
    const callback = { return_url: `${shopUrl}/return`, notification_url: `${shopUrl}/notify` }

    return handlers.handleAll({
      checkout: Effect.fn(
        function* () {
          const order = yield* ledger.checkout(randomUUID(), { amount: 139_950, currency: "CZK", callback })
          if (order.status !== "open") return yield* unavailable(order)
          return HttpApiSchema.withHeaders({ body: undefined, headers: { location: order.gwUrl } })
        },
        Effect.catchTag(["GatewayError", "LedgerError"], unavailable)
      ),

      payerReturned: Effect.fn(
        function* ({ request }) {
          const order = yield* ledger.verifyReturn(request)
          return `Order ${order.orderNumber} is ${order.status}.`
        },
        Effect.catchTags({
          NotificationError: () => Effect.fail(new UnknownOrder()),
          GatewayError: unavailable,
          LedgerError: unavailable
        })
      ),

      refund: Effect.fn(
        function* ({ params, payload }) {
          const order = yield* ledger.getOrder(params.number)
          if (order === undefined || !("paymentId" in order)) return yield* Effect.fail(new UnknownOrder())
          const outcome = yield* ledger.refund(payload.key, order.paymentId, { amount: payload.amount })
          const isOver = outcome._tag === "Refused" || outcome._tag === "Failed"
          return isOver ? yield* Effect.fail(new Refused({ message: outcome.message })) : outcome
        },
        Effect.catchTag("LedgerError", unavailable)
      )
    })
  })
)

const LedgerLive = Layer.unwrap(
  Effect.map(Config.String("DATABASE").pipe(Config.withDefault("shop.db")), (path) =>
    Ledger.layer({ store: fileStore(path), migrate: true })
  )
).pipe(Layer.provide(Gateway.layerConfig), Layer.provide(NodeHttpClient.layer))

const Routes = Layer.merge(
  HttpApiBuilder.layer(Shop, { openapiPath: "/openapi.json" }).pipe(Layer.provide(Orders)),
  Ledger.notificationRoute("/notify")
)

HttpRouter.serve(Routes, { disableListenLog: true, disableLogger: true }).pipe(
  Layer.provide(LedgerLive),
  Layer.provide(NodeHttpServer.layerConfig(createServer, { port: Config.Port("PORT").pipe(Config.withDefault(3000)) })),
  Layer.launch,
  NodeRuntime.runMain
)
