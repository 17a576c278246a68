/**
 * A ClientSecret that is given as plain text, such as the local gateway's: nothing that is printed repeats it.
 */
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Gateway, GatewayConfig, getPayment, refundPayment, RetryPolicy } from "../../../src/index.js"
import { captureLog } from "../../support/LogGuard.js"
import { record } from "../../support/Recorder.js"
import { gatewayOver, json, scripted } from "../../support/ScriptedTransport.js"

const clientSecret = "kX3vQ9-plain"
const basic = Buffer.from(`1234567890:${clientSecret}`).toString("base64")
const merchant = { goid: 8123456781, clientId: "1234567890", clientSecret, environment: "https://gateway.example" }

/** Nothing of a value, however it is printed, has the secret. */
const keepsSecret = (value: unknown): void => {
  const all = { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity }
  const stack = value instanceof Error ? value.stack : ""
  for (const text of [String(value), JSON.stringify(value), inspect(value), inspect(value, all), stack]) {
    assert.notInclude(text ?? "", clientSecret)
    assert.notInclude(text ?? "", basic)
  }
}

/** A gateway that repeats what it was sent, in every text that an error may keep. */
const echo = (status: number) =>
  json(
    {
      errors: [
        { scope: "G", error_code: 303, error_name: clientSecret, message: `Basic ${basic}`, description: clientSecret }
      ]
    },
    status
  )

describe("a ClientSecret in plain text", () => {
  it.effect("is not shown by the configuration, nor by its error", () =>
    Effect.gen(function* () {
      const settings = yield* Effect.provide(GatewayConfig, GatewayConfig.layer(merchant))
      keepsSecret(settings)
      keepsSecret({ ...settings })
      const wrong = { ...merchant, goid: -1, [clientSecret]: clientSecret, environment: clientSecret }
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(GatewayConfig.layer(wrong))))
      keepsSecret(exit)
      if (exit._tag === "Success") return assert.fail("the options are wrong")
      keepsSecret(Cause.squash(exit.cause))
      keepsSecret(Cause.pretty(exit.cause))
    })
  )

  it.effect.each([
    [
      "the request for a token is refused",
      scripted(
        () => json({}),
        () => echo(401)
      )
    ],
    ["a call is refused", scripted(() => echo(409))],
    ["a response cannot be read", scripted(() => json({ id: clientSecret, [clientSecret]: basic }))]
  ] as const)("is not shown by an error when %s, nor by the log", ([, transport]) => {
    const recorder = record("Debug")
    captureLog(/The outcome of a change is unknown/)
    return Effect.gen(function* () {
      const calls = [Effect.asVoid(getPayment(1)), Effect.asVoid(refundPayment(1, { amount: 100 }))]
      for (const call of calls) {
        const exit = yield* Effect.exit<void, unknown, Gateway>(call)
        keepsSecret(exit)
        if (exit._tag === "Failure") keepsSecret(Cause.squash(exit.cause))
        else assert.fail("it succeeded")
      }
      keepsSecret(recorder.logs)
    }).pipe(
      Effect.provide(gatewayOver(transport, merchant)),
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provide(recorder.layer)
    )
  })
})
