/**
 * What the scenes about charges and subscriptions share: a subscription that has started, in a world.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createPayment, type Gateway } from "../../src/index.js"
import type { LedgerOptions, SqliteTransaction, SubscriptionEvent } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { inWorld, order, type TestLedger, type World } from "./World.js"

type Services = Gateway | LocalGateway

export const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const

/** Charges whose request is lost, and charges whose response is lost. */
export const lost = { type: "connectionReset", effect: "none" } as const
export const unanswered = { type: "connectionReset", effect: "committed" } as const

export const arm = (fault: Parameters<typeof LocalGateway.armFault>[0]) =>
  Effect.orDie(LocalGateway.armFault(fault, { operation: "createRecurrence" }))

export const set = (change: Parameters<typeof LocalGateway.changeSettings>[0]) =>
  Effect.orDie(LocalGateway.changeSettings(change))

export const decline = (declined: boolean) => set({ recurrenceChild: declined ? "declined" : "paid" })

/** The charges that the gateway has made. */
export const children = Effect.map(Effect.orDie(LocalGateway.listPayments), (payments) =>
  payments.filter(({ parent_id }) => parent_id !== undefined)
)

export const flipped = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.orDie(Effect.flip(effect))

/** Notifies the shop of a payment, or of a charge of one. */
export const notify = (ledger: TestLedger, id: number, parent?: number) =>
  ledger.notificationHandler()({
    method: "GET",
    url: `/notify?id=${id}${parent === undefined ? "" : `&parent_id=${parent}`}`
  })

/** A first payment that is paid, and that the shop knows nothing of. */
export const first = Effect.gen(function* () {
  const { id } = yield* createPayment({ ...order, recurrence })
  yield* LocalGateway.payByCard(id)
  return id
}).pipe(Effect.orDie)

/** A charge of it. */
export const charge = { amount: 500, currency: "CZK", order_number: "sub-1" }

/** The terms of a first payment, of its subscription and of a month. */
export const request = { amount: 100_000, currency: "CZK", callback: order.callback, recurrence }
export const terms = { orderNumber: "1", maximum: 50_000, currency: "CZK" }
export const month = { amount: 29_900 }

/** The open payment of an order. */
export const opened = (ledger: TestLedger, orderNumber: string) =>
  Effect.map(ledger.checkout(orderNumber, request), (checkout) => (checkout.status === "open" ? checkout.paymentId : 0))

/** Pays a payment, and notifies the shop. */
export const pay = (ledger: TestLedger, id: number) =>
  Effect.andThen(Effect.orDie(LocalGateway.payByCard(id)), notify(ledger, id))

/** Pays the first payment of an order, and notifies the shop. */
export const paidFirst = (ledger: TestLedger, orderNumber: string) =>
  Effect.tap(opened(ledger, orderNumber), (id) => pay(ledger, id))

export interface Scene extends World {
  readonly shop: TestLedger
  /** The first payment of the subscription. */
  readonly id: number
  /** The events that the shop got since it started. */
  readonly events: Array<SubscriptionEvent<SqliteTransaction>>
  /** Lets days pass, with a worker at work. */
  readonly days: (count: number) => Effect.Effect<void, unknown, Services>
}

/** A shop with a subscription that has started; the clock begins on 2 January 1970. */
export const started = (
  test: (scene: Scene) => Effect.Effect<void, unknown, Services>,
  settings: Partial<LedgerOptions<SqliteTransaction>> = {}
) =>
  inWorld((world) =>
    Effect.gen(function* () {
      const events: Array<SubscriptionEvent<SqliteTransaction>> = []
      const shop = yield* world.makeProcess({
        ...settings,
        onSubscription: (event) =>
          Effect.andThen(
            settings.onSubscription?.(event) ?? Effect.void,
            Effect.sync(() => void events.push(event))
          )
      })
      const id = yield* paidFirst(shop, "1")
      yield* shop.createSubscription("sub", terms)
      yield* shop.runOnce()
      assert.deepStrictEqual(typesOf(events.splice(0)), ["started"])
      const days = (count: number) =>
        Effect.gen(function* () {
          for (let day = 0; day < count; day++) {
            yield* world.pass("1 day")
            yield* shop.runOnce()
          }
        })
      yield* Effect.orDie(test({ ...world, shop, id, events, days }))
    })
  )

export const typesOf = (events: ReadonlyArray<SubscriptionEvent<SqliteTransaction>>) => events.map(({ type }) => type)
