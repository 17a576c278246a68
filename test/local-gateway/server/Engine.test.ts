import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { openShop } from "../../support/GatewayRequests.js"

describe("A move of time", () => {
  it.effect("stands in the log with its own length", () =>
    Effect.gen(function* () {
      for (const hours of [24, 1]) yield* LocalGateway.advanceTime(Duration.hours(hours))
      const lengths = (yield* LocalGateway.listEvents).flatMap((event) =>
        event.type === "time" ? [event.advancedMillis / 3_600_000] : []
      )
      assert.deepStrictEqual(lengths, [24, 1])
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("A move of time whose caller goes away", () => {
  it.effect("stays where it has got to, and stands in the log with what it was to be", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create()
      const move = yield* Effect.forkChild(LocalGateway.advanceTime(Duration.days(30)))
      // The payment has timed out, and the shop never responds to the notification of that.
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(move)
      const moves = (yield* LocalGateway.listEvents).filter(({ type }) => type === "time")
      const hours = 3_600_000
      assert.deepInclude(moves[0], { type: "time", plannedMillis: 30 * 24 * hours })
      assert.isAtLeast(moves[0]?.type === "time" ? moves[0].advancedMillis : 0, 11 * hours)
      assert.isBelow(moves[0]?.type === "time" ? moves[0].advancedMillis : 0, 13 * hours)
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver: () => Effect.never })))
  )
})

describe("A reset", () => {
  it.effect("forgets what was due: no payment times out, and no one is told of one", () => {
    const told: Array<string> = []
    const notificationReceiver = (url: string) => Effect.sync(() => told.push(url) && 500)
    return Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create()
      const { id } = yield* shop.create()
      yield* LocalGateway.cancelPayment(id)
      yield* TestClock.adjust(0)
      assert.lengthOf(told, 1)
      assert.lengthOf((yield* LocalGateway.exportSeed).notifications ?? [], 1)
      yield* LocalGateway.reset
      assert.isEmpty((yield* LocalGateway.exportSeed).notifications ?? [])
      yield* LocalGateway.advanceTime(Duration.days(30))
      assert.lengthOf(told, 1)
      assert.deepStrictEqual(
        (yield* LocalGateway.listEvents).map(({ type }) => type),
        ["time"]
      )
    }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))
  })
})
