import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { Ledger, PgLedger } from "../../src/ledger/index.js"

const handled = { notificationHandler: () => () => Effect.succeed(200 as const) }

describe("the route of notifications of", () => {
  it.effect.each([
    ["Ledger", Ledger.notificationRoute("/notify").pipe(Layer.provide(Layer.mock(Ledger, handled)))],
    ["PgLedger", PgLedger.notificationRoute("/notify").pipe(Layer.provide(Layer.mock(PgLedger, handled)))]
  ] as const)("%s answers what its handler says", ([, route]) =>
    Effect.gen(function* () {
      const { dispose, handler } = HttpRouter.toWebHandler(route, { disableLogger: true })
      const response = yield* Effect.promise(() => handler(new Request("https://shop.example/notify?id=1")))
      assert.strictEqual(response.status, 200)
      yield* Effect.promise(dispose)
    })
  )
})
