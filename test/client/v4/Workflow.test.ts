/**
 * A refund of API v4 as a step of an Effect workflow: if its response is lost, the step ends with the change's record,
 * and the next one finds out.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Activity from "effect/workflow/Activity"
import * as Workflow from "effect/workflow/Workflow"
import * as WorkflowEngine from "effect/workflow/WorkflowEngine"
import * as V4 from "../../../src/client/v4/index.js"
import { GatewayErrorSchemaV4, RefundV4 } from "../../../src/schema/v4/index.js"
import { gatewayV4Over, paymentId } from "../../support/GatewayV4.js"
import { fetchFailure, json, scripted } from "../../support/ScriptedTransport.js"

const Refunded = Schema.Literals(["Happened", "DidNotHappen", "StateReached", "NotSeenYet", "CannotTell"])

const listed = Activity.make({
  name: "list",
  success: Schema.Array(RefundV4),
  error: GatewayErrorSchemaV4,
  execute: V4.getPaymentRefunds(paymentId)
})

const refund = Activity.make({
  name: "refund",
  success: RefundV4,
  error: GatewayErrorSchemaV4,
  execute: V4.refundPayment(paymentId, { amount: 400 })
})

const Settle = Workflow.make("Settle", {
  payload: { complaint: Schema.String },
  success: Refunded,
  error: GatewayErrorSchemaV4,
  idempotencyKey: ({ complaint }) => complaint
})

const SettleLive = Settle.toLayer(() =>
  Effect.gen(function* () {
    const refundsBefore = yield* listed
    return yield* Effect.as(refund, "Happened" as const).pipe(
      Effect.catchReason("GatewayErrorV4", "OutcomeUnknown", ({ change }) =>
        change === undefined
          ? Effect.succeed("CannotTell" as const)
          : Activity.make({
              name: "find out",
              success: Refunded,
              error: GatewayErrorSchemaV4,
              execute: Effect.map(V4.reconcile({ ...change, refundsBefore, isOnlyWriter: true }), ({ _tag }) => _tag)
            })
      )
    )
  })
)

it.live("a lost refund in a step is sent once, and found by the next step, however often the workflow is run", () => {
  let isMade = false
  const transport = scripted(({ method }) => {
    if (method === "GET") return json(isMade ? [{ id: "9", state: "SUCCESS", amount: 400 }] : [])
    isMade = true
    return fetchFailure("ECONNRESET")
  })
  return Effect.gen(function* () {
    for (const _ of [1, 2]) assert.strictEqual(yield* Settle.execute({ complaint: "7" }), "Happened")
    assert.deepStrictEqual(
      transport.sent.map(({ method }) => method),
      ["GET", "POST", "GET"]
    )
  }).pipe(
    Effect.provide(
      SettleLive.pipe(Layer.provideMerge(WorkflowEngine.layerMemory), Layer.provide(gatewayV4Over(transport)))
    )
  )
})

it.effect("what an engine stores of the step is JSON, and becomes the error again", () =>
  Effect.gen(function* () {
    const lost = Effect.provide(
      Effect.exit(V4.refundPayment(paymentId, { amount: 400 })),
      gatewayV4Over(scripted(() => fetchFailure("ECONNRESET")))
    )
    const stored = Schema.toCodecJson(refund.exitSchema)
    const text = JSON.stringify(yield* Schema.encodeEffect(stored)(yield* lost))
    const error = yield* Effect.flip(yield* Schema.decodeUnknownEffect(stored)(JSON.parse(text)))
    assert.instanceOf(error, V4.GatewayErrorV4)
    const { reason } = error
    const change = reason._tag === "OutcomeUnknown" ? reason.change : undefined
    assert.deepStrictEqual([change?.operation, change?.amount], ["v4.refundPayment", 400])
  })
)
