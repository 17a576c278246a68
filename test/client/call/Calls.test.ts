import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Endpoint from "../../../src/contract/Endpoint.js"
import { unobserved } from "../../../src/client/call/CallObserver.js"
import * as Operation from "../../../src/client/call/Operation.js"
import { checkOptions } from "../../../src/client/config/GatewayOptions.js"
import { apiV3 } from "../../../src/client/call/ApiV3.js"
import * as Calls from "../../../src/client/call/Calls.js"
import { token, type CachedToken } from "../../../src/client/call/CachedToken.js"

const settings = Result.getOrThrow(
  checkOptions({ environment: "sandbox", goid: 1, clientId: "1", clientSecret: Redacted.make("s3cr3tXY") })
)

const inHand = token("token", { obtainedAt: 0, lifetime: 1_800_000, isFromStore: false })

const callWith = (get: Effect.Effect<CachedToken>) =>
  Calls.make(
    apiV3,
    settings,
    { get, held: Effect.succeed(inHand), drop: () => Effect.void },
    ({ onSend }) =>
      Effect.sync(() => {
        onSend?.()
        return { status: 200, header: () => undefined, data: new ArrayBuffer(0) }
      }),
    unobserved,
    () => false
  )

const call = callWith(Effect.succeed(inHand))

/** An operation that meets a bug of the client in every response. */
const failing = (operation: Operation.Operation<unknown>): Operation.Operation<unknown> => ({
  ...operation,
  read: () => {
    throw new RangeError("a bug")
  }
})

describe("a bug of the client", () => {
  it.effect("leaves the outcome of a change unknown that was sent", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(call(failing(Operation.make(Endpoint.refundPayment)), [7, { amount: 1 }]))
      assert.deepInclude(reason, { _tag: "OutcomeUnknown", isRetryable: false })
      assert.deepNestedInclude(reason, { "change.operation": "refundPayment", "change.paymentId": 7 })
      assert.include(reason.message, "the client failed to read the response")
      assert.notInclude(reason.message, "a bug")
    })
  )

  it.effect("is a defect when nothing was sent yet", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        callWith(Effect.die("a bug"))(Operation.make(Endpoint.refundPayment), [7, { amount: 1 }])
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )

  it.effect("is a defect of a read", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(call(failing(Operation.make(Endpoint.getPayment)), [7]))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )
})
