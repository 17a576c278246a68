/**
 * Gateways in states that random events brought about.
 */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { LocalGateway, readSeed, type SeedContent } from "../../../src/local-gateway/index.js"
import { seedJsonSchema } from "../../../src/local-gateway/books/SeedSchema.js"
import { openShop, order } from "../../support/GatewayRequests.js"
import { runs } from "../../support/Runs.js"

const satisfies = new Ajv2020({ strict: true, strictRequired: false, validateFormats: false }).compile(seedJsonSchema())

const results = ["finished", "failed", "acceptedThenFinished", "acceptedThenFailed"] as const
const cycles = ["DAY", "WEEK", "MONTH", "ON_DEMAND"]

/** One thing that a shop, a payer, time or a developer does; refused ones are as good as any. */
const happening = (shop: Effect.Success<typeof openShop>) =>
  Effect.gen(function* () {
    const pick = <A>(choices: ReadonlyArray<A>) =>
      Effect.map(Random.nextIntBetween(0, choices.length), (index) => choices.slice(index, index + 1))
    const payments = yield* LocalGateway.listPayments
    // Of a paid or held payment more can become.
    const lively = payments.filter(({ state }) => /^(PAID|AUTHORIZED|PARTIALLY_REFUNDED)$/.test(state))
    const [payment] = yield* pick(lively.length > 0 && (yield* Random.nextBoolean) ? lively : payments)
    const kind = payment === undefined ? 0 : yield* Random.nextIntBetween(0, 20)
    const id = payment?.id ?? 0
    const amount = yield* Random.nextIntBetween(1, 6000)
    const gateway = yield* LocalGateway
    switch (kind) {
      case 0:
      case 1:
      case 2: {
        const [recurrence_cycle] = yield* pick(cycles)
        const recurrence = { recurrence_cycle, recurrence_period: 1, recurrence_date_to: "1970-03-31" }
        const [more = {}] = yield* pick([
          {},
          { recurrence },
          { preauthorization: true },
          { recurrence, preauthorization: true },
          { recurrence, amount: 0 },
          { payer: { request_card_token: true, contact: { email: "jana@example.com" } } },
          { payer: { verify_pin: "1234", allowed_payment_instruments: [] }, items: [{ name: "a", amount: -5 }] },
          { lang: "", additional_params: [{ name: "a", value: "" }], order_number: 5 }
        ])
        return yield* shop.postJson("/payments/payment", { ...order, amount: 5000, ...more })
      }
      case 3:
      case 4:
      case 5: {
        const [open = id] = yield* pick(payments.flatMap(({ id, state }) => (state === "CREATED" ? [id] : [])))
        return yield* Effect.ignore(gateway.payByCard(open))
      }
      case 6:
        return yield* Effect.ignore(gateway.payByBankTransfer(id))
      case 7: {
        const [instrument = ""] = yield* pick(["BANK_ACCOUNT", "PAYMENT_CARD", "GPAY"])
        return yield* Effect.ignore(gateway.choosePaymentMethod(id, instrument))
      }
      case 8:
        return yield* Effect.ignore(gateway.declineAttempt(id, "_5001"))
      case 9:
        return yield* Effect.ignore(amount % 2 === 0 ? gateway.cancelPayment(id) : gateway.declinePayment(id))
      case 10:
      case 11:
        return yield* shop.refund(id, amount)
      case 12:
        return yield* amount % 2 === 0 ? shop.capture(id, amount) : shop.capture(id)
      case 13:
        return yield* amount % 2 === 0 ? shop.voidAuthorization(id) : shop.voidRecurrence(id)
      case 14:
        return yield* shop.charge(id)
      case 15: {
        const [result = "finished"] = yield* pick(results)
        const [recurrenceChild = "paid"] = yield* pick(["paid", "declined", "pending"] as const)
        return yield* gateway.changeSettings({
          refund: result,
          capture: result,
          voidAuthorization: result,
          voidRecurrence: result,
          recurrenceChild,
          voidUnpaidRecurrence: "accepted",
          timeToProcessSeconds: amount * 60
        })
      }
      case 16:
        return yield* LocalGateway.advanceTime(Duration.minutes(amount / 2))
      case 17:
        return yield* shop.remove(`/payments/cards/${payment?.payer?.card_id ?? 1}`)
      default:
        return yield* shop.refund(id, amount)
    }
  })

/** Without what is made up anew. */
const comparable = ({ payments = [], ...others }: SeedContent) => ({
  ...others,
  payments: payments.map((payment) => ({ ...payment, pay_page: "" }))
})

describe("The state of a gateway, as a seed", () => {
  it.effect.each(Array.from({ length: runs / 50 }, (_, index) => index))(
    "reads back as it is after random events (%d), and what is due still happens",
    (number) =>
      Effect.gen(function* () {
        const notificationReceiver = (url: string) => Effect.succeed(url.includes("7") ? 200 : 500)
        const month = Duration.days(31)
        const first = yield* Effect.gen(function* () {
          const gateway = yield* LocalGateway
          for (let count = 0; count < 40; count++) {
            // Tokens expire as time advances.
            yield* happening(yield* openShop)
            // What is due at the very same time may happen in another order.
            yield* TestClock.adjust(1)
          }
          const before = yield* gateway.exportSeed
          yield* gateway.advanceTime(month)
          return { before, after: yield* gateway.exportSeed }
        }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver })))

        const json: unknown = JSON.parse(JSON.stringify(first.before))
        assert.isTrue(satisfies(json), JSON.stringify(satisfies.errors))
        const seed = Result.getOrThrow(readSeed(json))
        const second = yield* Effect.gen(function* () {
          const gateway = yield* LocalGateway
          const before = yield* gateway.exportSeed
          yield* gateway.advanceTime(month)
          return { before, after: yield* gateway.exportSeed }
        }).pipe(Effect.provide(LocalGateway.layerWith({ notificationReceiver, seed })))
        assert.deepStrictEqual(second.before, first.before)
        assert.deepStrictEqual(comparable(second.after), comparable(first.after))
      }).pipe(Random.withSeed(number))
  )
})
