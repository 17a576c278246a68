/**
 * What becomes of a request whose token the gateway refuses: the rows of the table in `TokenRecovery`.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import * as Endpoint from "../../../src/contract/Endpoint.js"
import type { AttemptOutcome } from "../../../src/client/call/CallObserver.js"
import { apiV3 } from "../../../src/client/call/ApiV3.js"
import { outcomeUnknown } from "../../../src/client/call/FailureReason.js"
import * as Operation from "../../../src/client/call/Operation.js"
import { RetryPolicy } from "../../../src/client/call/RetryPolicy.js"
import type { GatewayErrorReason } from "../../../src/client/error/GatewayError.js"
import * as TokenRecovery from "../../../src/client/call/TokenRecovery.js"
import { token, type CachedToken } from "../../../src/client/call/CachedToken.js"

const read = Operation.make(Endpoint.getPayment)
const otherRead = Operation.make(Endpoint.getPaymentRefunds)
const change = Operation.make(Endpoint.refundPayment)

/** A refusal with a status and codes. */
const refused = (status: number, ...codes: ReadonlyArray<number>): GatewayErrorReason => ({
  _tag: status === 401 ? "AuthenticationFailed" : "PermissionDenied",
  isRetryable: false,
  message: "",
  status,
  errors: codes.map((error_code) => ({ error_code }))
})

const named = (name: string, isFromStore = false): CachedToken =>
  token(name, { obtainedAt: 0, lifetime: 1_800_000, isFromStore })

/**
 * A merchant whose cache has some tokens, one after another, the first in hand or not, and a gateway that answers with
 * these reasons one after another, then with success.
 */
const merchant = (
  tokens: ReadonlyArray<CachedToken>,
  reasons: ReadonlyArray<GatewayErrorReason>,
  { isHeld = true }: { readonly isHeld?: boolean } = {}
) => {
  const left = [...tokens]
  const answers = [...reasons]
  const sent: Array<string> = []
  const dropped: Array<string> = []
  let held = isHeld ? left[0] : undefined
  const withToken = TokenRecovery.make(apiV3, {
    held: Effect.sync(() => held),
    get: Effect.sync(() => (held ??= left[0] ?? named("one too many"))),
    drop: (refused) =>
      Effect.sync(() => {
        dropped.push(Redacted.value(refused.value))
        left.shift()
        held = undefined
      })
  })
  const call = (operation: Operation.Operation<unknown> = read) =>
    Effect.map(
      Effect.result(
        withToken<unknown>(operation, ({ value }) =>
          Effect.sync((): AttemptOutcome<unknown> => {
            sent.push(Redacted.value(value))
            const reason = answers.shift()
            return {
              result: reason === undefined ? Result.succeed("done") : Result.fail(reason),
              status: undefined,
              transportFailure: undefined
            }
          })
        )
      ),
      (result) => (Result.isSuccess(result) ? result.success : result.failure)
    )
  return { call, dropped, sent }
}

describe("a refused token that is new, for this call,", () => {
  it.effect("is dropped after 401, and the call fails", () =>
    Effect.gen(function* () {
      const { call, dropped, sent } = merchant([named("new")], [refused(401)], { isHeld: false })
      assert.deepStrictEqual(yield* call(), refused(401))
      assert.deepStrictEqual({ dropped, sent }, { dropped: ["new"], sent: ["new"] })
    })
  )

  it.effect("is kept after 403, and for a minute what it lacks is asked for with no other one", () =>
    Effect.gen(function* () {
      const denied = refused(403, 200)
      const { call, dropped, sent } = merchant([named("new"), named("newer")], [denied, denied, denied], {
        isHeld: false
      })
      // Whatever time it is: the time of the denial counts.
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* call(), denied)
      yield* TestClock.adjust(Duration.millis(59_999))
      assert.deepStrictEqual(yield* call(), denied)
      assert.deepStrictEqual({ dropped, sent }, { dropped: [], sent: ["new", "new"] })
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* call(), "done")
      assert.deepStrictEqual({ dropped, sent }, { dropped: ["new"], sent: ["new", "new", "new", "newer"] })
    })
  )

  it.each([
    ["of another operation", otherRead, refused(403, 200, 7)],
    ["with another code", read, refused(403, 0, 7)],
    ["by status 401", read, refused(401, 200, 7)]
  ] as const)("says nothing by 403 of a refusal %s", (_, operation, reason) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { call, dropped } = merchant([named("new"), named("newer")], [refused(403, 200, 7), reason], {
          isHeld: false
        })
        yield* call()
        assert.strictEqual(yield* call(operation), "done")
        assert.deepStrictEqual(dropped, ["new"])
      })
    )
  )
})

describe("a refused token that is older, or from a store,", () => {
  it.effect("is dropped, and another one is tried", () =>
    Effect.gen(function* () {
      for (const operation of [read, change]) {
        const { call, dropped, sent } = merchant([named("old"), named("new")], [refused(401)])
        assert.strictEqual(yield* call(operation), "done")
        assert.deepStrictEqual({ dropped, sent }, { dropped: ["old"], sent: ["old", "new"] })
      }
    })
  )

  it.effect("was not checked by a proxy that answers 403 to a change: it is not sent again", () =>
    Effect.gen(function* () {
      for (const reason of [refused(403), refused(403, 7), refused(403, 7, 200)]) {
        const { call, dropped, sent } = merchant([named("old"), named("new")], [reason])
        assert.deepStrictEqual(yield* call(change), reason)
        assert.deepStrictEqual({ dropped, sent }, { dropped: ["old"], sent: ["old"] })
      }
      const { call } = merchant([named("old"), named("new")], [refused(403, 200)])
      assert.strictEqual(yield* call(change), "done")
    })
  )

  it.effect("is dropped when the refusal leaves a change in doubt: it is not sent again", () =>
    Effect.gen(function* () {
      const sentChange = { operation: "refundPayment", sentAt: "2026-01-01T12:00:00.000Z" } as const
      const inDoubt = (status: number) => outcomeUnknown(sentChange, "", { status, errors: [{ error_code: 999 }] })
      for (const [status, isDropped] of [
        [401, true],
        [403, true],
        [409, false]
      ] as const) {
        const { call, dropped, sent } = merchant([named("old"), named("new")], [inDoubt(status)])
        assert.deepStrictEqual(yield* call(change), inDoubt(status))
        assert.deepStrictEqual({ dropped, sent }, { dropped: isDropped ? ["old"] : [], sent: ["old"] })
      }
      const { call, dropped } = merchant([named("new"), named("newer")], [inDoubt(403)], { isHeld: false })
      assert.deepStrictEqual(yield* call(change), inDoubt(403))
      assert.deepStrictEqual(dropped, [])
    })
  )

  it.effect("is only dropped where the policy renews none, and the call may be repeated", () =>
    Effect.gen(function* () {
      const { call, dropped, sent } = merchant([named("old"), named("new")], [refused(401)])
      const failure = yield* Effect.provideService(call(), RetryPolicy, RetryPolicy.none)
      assert.deepStrictEqual(failure, { ...refused(401), isRetryable: true })
      assert.deepStrictEqual({ dropped, sent }, { dropped: ["old"], sent: ["old"] })
    })
  )

  it.effect("is not replaced by another after a failure that says nothing of tokens", () =>
    Effect.gen(function* () {
      const invalid: GatewayErrorReason = {
        _tag: "InvalidRequest",
        refusedBy: "gateway",
        errors: [],
        isRetryable: false,
        message: "",
        status: 403
      }
      const lost: GatewayErrorReason = {
        _tag: "OutcomeUnknown",
        isRetryable: false,
        message: "",
        status: 409,
        change: { operation: "refundPayment", sentAt: "2026-01-01T00:00:00.000Z" }
      }
      const limited: GatewayErrorReason = { _tag: "RateLimited", isRetryable: true, message: "", status: 429 }
      for (const reason of [invalid, lost, limited]) {
        const { call, dropped } = merchant([named("old"), named("new")], [reason])
        assert.strictEqual(yield* call(), reason)
        assert.deepStrictEqual(dropped, [])
        // Nor after a second attempt.
        const second = merchant([named("old"), named("new")], [refused(401), reason])
        assert.strictEqual(yield* second.call(), reason)
        assert.deepStrictEqual(
          { dropped: second.dropped, sent: second.sent },
          { dropped: ["old"], sent: ["old", "new"] }
        )
      }
    })
  )
})

describe("a token that replaced a refused one", () => {
  it.effect("and is new is the last one, whatever the reason of its refusal", () =>
    Effect.gen(function* () {
      const { call, dropped, sent } = merchant(
        [named("old"), named("new"), named("newer")],
        [refused(401), refused(401)]
      )
      assert.deepStrictEqual(yield* call(), refused(401))
      assert.deepStrictEqual({ dropped, sent }, { dropped: ["old", "new"], sent: ["old", "new"] })
      const denied = refused(403, 200)
      const other = merchant([named("old"), named("new"), named("newer")], [refused(401), denied])
      assert.deepStrictEqual(yield* other.call(), denied)
      assert.deepStrictEqual(other.dropped, ["old"])
    })
  )

  it.effect.each([
    [401, refused(401)],
    [403, refused(403, 200)]
  ] as const)("and is from the store may be as old: after %i a third one is tried, and no fourth", ([, refusal]) =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      const tokens = ["1", "2", "3", "4"].map((name) => named(name, true))
      const { call, sent } = merchant(tokens, [refusal, refusal])
      assert.strictEqual(yield* call(), "done")
      assert.deepStrictEqual(sent, ["1", "2", "3"])
      const other = merchant(tokens, [refusal, refusal, refusal])
      assert.deepStrictEqual(yield* other.call(), refusal)
      assert.deepStrictEqual(other.sent, ["1", "2", "3"])
    })
  )

  it.effect("and is from the store counts as new after 403 within the minute: another one would be refused too", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("59 seconds")
      const tokens = ["1", "2", "3"].map((name) => named(name, true))
      const denied = refused(403, 200)
      const { call, dropped, sent } = merchant(tokens, [denied, denied])
      assert.deepStrictEqual(yield* call(), denied)
      assert.deepStrictEqual({ dropped, sent }, { dropped: ["1"], sent: ["1", "2"] })
    })
  )
})
