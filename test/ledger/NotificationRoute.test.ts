import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import Database from "libsql"
import { Gateway } from "../../src/index.js"
import { fileStore, Ledger, PgLedger } from "../../src/ledger/index.js"

const gateway = Gateway.layer({
  goid: 8123456781,
  clientId: "1",
  clientSecret: "a-secret",
  environment: "http://127.0.0.1:9"
}).pipe(Layer.provide(FetchHttpClient.layer))

const ledger = Ledger.layer({ store: fileStore(":memory:", { driver: Database }) }).pipe(Layer.provide(gateway))

/** A service whose handler answers with 200. All else of it is a ledger's. */
const handled = Effect.map(Ledger, (own) => ({ ...own, notificationHandler: () => () => Effect.succeed(200 as const) }))

describe("the route of notifications of", () => {
  it.effect.each([
    ["Ledger", Ledger.notificationRoute("/notify").pipe(Layer.provide(Layer.effect(Ledger, handled)))],
    [
      "PgLedger",
      PgLedger.notificationRoute("/notify").pipe(
        Layer.provide(Layer.unwrap(Effect.map(handled, (service) => Layer.mock(PgLedger, service))))
      )
    ]
  ] as const)("%s answers what its handler says", ([, route]) =>
    Effect.gen(function* () {
      const { dispose, handler } = HttpRouter.toWebHandler(route.pipe(Layer.provide(ledger)), { disableLogger: true })
      const response = yield* Effect.promise(() => handler(new Request("https://shop.example/notify?id=1")))
      assert.strictEqual(response.status, 200)
      yield* Effect.promise(dispose)
    })
  )
})
