/**
 * Where a printed failure points to: the caller's own function, not a module of this package.
 */
import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Gateway, getPayment } from "../../../src/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"

const checkout = Effect.fn("checkout")(function* () {
  return yield* getPayment(3_000_000_000_013)
})

it.effect("the first frame of a failed call is its caller's", () =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(checkout())
    const lines = Exit.isFailure(exit) ? Cause.pretty(exit.cause).split("\n") : []
    assert.match(String(lines[0]), /^GatewayError: getPayment: The gateway knows no payment 3000000000013/)
    assert.match(String(lines[1]), /^ +at checkout \(.*CallersFrame\.test\.ts/)
  }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
)
