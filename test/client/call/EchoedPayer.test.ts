import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createPayment, request } from "../../../src/index.js"
import { errorBody, gatewayOver, json, scripted } from "../../support/ScriptedTransport.js"

const payer = { contact: { email: "jana@example.com", first_name: "Jana", last_name: "Dvoržáková" } }
const order = {
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example.com/return" },
  payer
}

describe("What a gateway repeats of the payer", () => {
  it.effect.each([
    ["a new payment", createPayment(order)],
    ["a request of one's own", request({ kind: "change", method: "POST", path: "/odd", body: { payer } })]
  ] as const)("is in no error of %s", ([, call]) => {
    const echo = { message: "Dvoržáková is refused.", description: "jana@example.com" }
    const transport = scripted(() => json(errorBody(111, "INVALID", echo), 409))
    return Effect.gen(function* () {
      const error = yield* Effect.flip(call)
      assert.strictEqual(error.reason._tag, "InvalidRequest")
      assert.notMatch(`${String(error)} ${JSON.stringify(error)}`, /jana|dvor/i)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})
