import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as TestClock from "effect/testing/TestClock"
import { vi } from "vitest"
import { Engine } from "../../../src/local-gateway/server/Engine.js"
import { defaultMerchant } from "../../../src/local-gateway/books/LocalMerchant.js"
import { payerControls } from "../../../src/local-gateway/server/PayerControls.js"
import { payPageRoutes } from "../../../src/local-gateway/pages/PayPage.js"
import { makeHandler } from "../../../src/local-gateway/server/Routes.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import type { NotificationTiming } from "../../../src/local-gateway/books/LocalGatewaySettings.js"
import { openShop, send } from "../../support/GatewayRequests.js"

/** An engine with one payment, and its payer about to press the button. What notifications are asked is noted. */
const aboutToPay = (notificationTiming: NotificationTiming, firstAttempts: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    const engine = yield* Engine.start({
      url: "http://localhost",
      settings: { notificationTiming, returnLeadSeconds: 7, notificationTimeoutSeconds: 10 }
    })
    const { books, notifications } = engine
    const payment = books.createPayment(
      {
        target: { goid: defaultMerchant.goid },
        amount: 100,
        currency: "CZK",
        order_number: "1",
        callback: { return_url: "http://shop.example/return" }
      },
      yield* engine.eventContext("merchant")
    )
    const asked: Array<string> = []
    const note = (what: string) => asked.push(`${what}, ${books.payment(payment.id)?.state}`)
    vi.spyOn(notifications, "hold").mockImplementation(
      (id, seconds) => void note(`hold ${id === payment.id} ${seconds}`)
    )
    vi.spyOn(notifications, "firstAttempts").mockImplementation((id) => {
      note(`firstAttempts ${id === payment.id}`)
      return firstAttempts
    })
    const answer = yield* makeHandler(engine, payPageRoutes(engine, payerControls(engine)))
    const press = (action: string) => {
      const fields = new URLSearchParams({ payer_action: action, method: "PAYMENT_CARD", card: "4448" }).toString()
      const request = HttpClientRequest.post(`http://localhost/gw/v3/${payment.payPage}`).pipe(
        HttpClientRequest.bodyText(fields, "application/x-www-form-urlencoded")
      )
      return Effect.scoped(
        Effect.provideService(answer, HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(request))
      ).pipe(Effect.map(({ headers }) => headers["location"]))
    }
    return { asked, press, back: `http://shop.example/return?id=${payment.id}` }
  })

describe("The payer returns", () => {
  it.effect("after the shop was notified: the page waits for the first attempt", () =>
    Effect.gen(function* () {
      const { asked, back, press } = yield* aboutToPay("notificationFirst", Effect.sleep("4 seconds"))
      const pressed = yield* Effect.forkChild(press("approve"))
      yield* TestClock.adjust("3 seconds")
      assert.isUndefined(pressed.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(pressed), back)
      assert.deepStrictEqual(asked, ["firstAttempts true, PAID"])
    })
  )

  it.effect("after as long as the shop may take to answer a notification, if it does not", () =>
    Effect.gen(function* () {
      for (const action of ["approve", "cancel"]) {
        const { back, press } = yield* aboutToPay("notificationFirst", Effect.never)
        const pressed = yield* Effect.forkChild(press(action))
        yield* TestClock.adjust("9 seconds")
        assert.isUndefined(pressed.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* Fiber.join(pressed), back)
      }
    })
  )

  it.effect("before the shop is notified: notifications are held back before the payment is made", () =>
    Effect.gen(function* () {
      const { asked, back, press } = yield* aboutToPay("returnFirst", Effect.never)
      assert.strictEqual(yield* press("approve"), back)
      assert.deepStrictEqual(asked, ["hold true 7, PAYMENT_METHOD_CHOSEN"])
    })
  )

  it.effect("after cancelling, once the shop was notified, whatever the order", () =>
    Effect.gen(function* () {
      for (const order of ["returnFirst", "whilePending", "never"] as const) {
        const { asked, back, press } = yield* aboutToPay(order)
        assert.strictEqual(yield* press("cancel"), back)
        assert.deepStrictEqual(asked, ["firstAttempts true, CANCELED"])
      }
    })
  )
})

describe("With notifications that are sent", () => {
  /** Pays at the page. Returns what the shop had been notified of when the payer came back, and ten seconds later. */
  const told = (notificationTiming: NotificationTiming) => {
    const notified: Array<string> = []
    return Effect.gen(function* () {
      const shop = yield* openShop
      const { gw_url } = yield* shop.create()
      const back = yield* send("POST", new URL(gw_url ?? "").pathname, {
        body: "payer_action=approve&method=PAYMENT_CARD&card=4448",
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
      const onReturn = notified.length
      yield* TestClock.adjust("10 seconds")
      return { status: back.status, onReturn, later: notified.length }
    }).pipe(
      Effect.provide(
        LocalGateway.layerWith({
          settings: { notificationTiming, returnLeadSeconds: 7 },
          notificationReceiver: (url) => Effect.sync(() => (notified.push(url), 200))
        })
      )
    )
  }

  it.effect("the shop hears of the payment before or after the payer is back, as is set", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told("notificationFirst"), { status: 303, onReturn: 1, later: 1 })
      assert.deepStrictEqual(yield* told("returnFirst"), { status: 303, onReturn: 0, later: 1 })
      assert.deepStrictEqual(yield* told("whilePending"), { status: 303, onReturn: 0, later: 1 })
      assert.strictEqual((yield* told("never")).later, 1)
    })
  )
})
