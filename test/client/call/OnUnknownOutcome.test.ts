/**
 * Each change whose outcome is unknown is reported once, however its call ends.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import {
  type ChangeRecord,
  createPayment,
  Gateway,
  getPaymentRefunds,
  OnUnknownOutcome,
  reconcile,
  refundPayment
} from "../../../src/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { id } from "../../support/OperationPrograms.js"
import { finished, gatewayOver, json, merchant, refusal, scripted } from "../../support/ScriptedTransport.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const reported = () => {
  const changes: Array<ChangeRecord> = []
  return { changes, report: (change: ChangeRecord) => Effect.sync(() => changes.push(change)) }
}

const logged = () => {
  const messages: Array<string> = []
  const annotations: Array<unknown> = []
  const logger = Logger.make<unknown, void>(({ fiber, message }) => {
    messages.push(JSON.stringify(message))
    annotations.push(fiber.getRef(References.CurrentLogAnnotations))
  })
  return { messages, annotations, layer: Logger.layer([logger]) }
}

describe("a change whose outcome is unknown", () => {
  const refund = refundPayment(id, { amount: 5 })

  it.effect("and that fails is reported with the record of its error, and not logged as well", () => {
    const { changes, report } = reported()
    const log = logged()
    return Effect.gen(function* () {
      const { reason } = yield* Effect.flip(refund)
      assert(reason._tag === "OutcomeUnknown")
      assert.deepStrictEqual(changes, [reason.change])
      assert.strictEqual(reason.change.goid, merchant.goid)
      assert.deepStrictEqual(log.messages, [])
    }).pipe(
      Effect.provideService(OnUnknownOutcome, report),
      Effect.provide(gatewayOver(scripted(() => json({}, 503)))),
      Effect.provide(log.layer)
    )
  })

  it.effect("is reported where its error is swallowed", () => {
    const { changes, report } = reported()
    return Effect.gen(function* () {
      const other = Effect.delay(Effect.succeed("another"), "1 second")
      const raced = yield* Effect.forkChild(Effect.race(refund, other))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(raced), "another")
      yield* Effect.ignore(refund)
      assert.lengthOf(changes, 2)
    }).pipe(Effect.provideService(OnUnknownOutcome, report), Effect.provide(gatewayOver(scripted(() => json({}, 503)))))
  })

  it.effect("fails with it where the report fails, and the log has the record", () => {
    const log = logged()
    return Effect.gen(function* () {
      const { reason } = yield* Effect.flip(refund)
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      assert.lengthOf(log.messages, 1)
      assert.match(log.messages[0] ?? "", /do not repeat it.*"operation":"refundPayment"/s)
      assert.deepStrictEqual(log.annotations, [
        {
          "gopay.operation": "refundPayment",
          "gopay.goid": String(merchant.goid),
          "gopay.payment_id": String(id),
          "error.type": "503",
          "http.response.status_code": 503
        }
      ])
    }).pipe(
      Effect.provideService(OnUnknownOutcome, () => Effect.fail("no database")),
      Effect.provide(gatewayOver(scripted(() => json({}, 503)))),
      Effect.provide(log.layer)
    )
  })

  it.effect.each([
    ["is done", () => json(finished)],
    ["is refused", () => refusal(409, 330)]
  ] as const)("is none that %s", ([, response]) => {
    const { changes, report } = reported()
    return Effect.gen(function* () {
      yield* Effect.exit(refund)
      assert.deepStrictEqual(changes, [])
    }).pipe(Effect.provideService(OnUnknownOutcome, report), Effect.provide(gatewayOver(scripted(response))))
  })
})

it.effect("a part that was interrupted is recognised with the refunds that were listed before", () => {
  const { changes, report } = reported()
  return Effect.gen(function* () {
    const callback = { return_url: "https://shop.example/return" }
    const order = yield* createPayment({ amount: 1_000, currency: "CZK", order_number: "1", callback })
    yield* LocalGateway.payByCard(order.id)
    const refundsBefore = yield* getPaymentRefunds(order.id)
    yield* LocalGateway.armFault({ type: "noResponse" }, { operation: "refundPayment" })
    const refund = yield* refundPayment(order.id, { amount: 400 }).pipe(
      Effect.provideService(OnUnknownOutcome, (change) => report({ ...change, refundsBefore, isOnlyWriter: true })),
      Effect.timeout("10 seconds"),
      Effect.exit,
      Effect.forkChild
    )
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(refund)
    const [change] = changes
    assert.strictEqual((yield* reconcile(change ?? assert.fail("Nothing was reported.")))._tag, "Happened")
  }).pipe(
    Effect.provide(Gateway.layer(LocalGateway.merchant)),
    Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce }))
  )
})
