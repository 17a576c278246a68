/**
 * Each change, ready to be made of a local gateway, with what its books then show: for tests of responses that are lost.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { payment as order } from "./OperationPrograms.js"

export type Program<A> = Effect.Effect<A, Client.GatewayError, Client.Gateway>

/** A change that is ready to be made. */
export interface LosableChange {
  readonly change: Program<unknown>
  /** Its record, as made before the call. */
  readonly record: Client.ChangeRecord
  /** How often the books show it. */
  readonly effects: Effect.Effect<number, Client.GatewayError, Client.Gateway | LocalGateway>
  /** What is learned in other ways than by asking. */
  readonly learned: Effect.Effect<Partial<Client.ChangeRecord>, never, LocalGateway>
}

/** When it is sent, by its record. */
export const sending = { sentAt: new Date("2026-01-01T12:00:00Z") }
/** Of what is refunded, charged and captured. */
export const amount = 1_000
const nothing: LosableChange["learned"] = Effect.succeed({})

export const paid = (details: Partial<Client.CreatePaymentRequest> = {}) =>
  Effect.gen(function* () {
    const { id } = yield* Client.createPayment({ ...order, ...details })
    yield* Effect.orDie(LocalGateway.payByCard(id))
    return id
  })

export const preauthorized = paid({ preauthorization: true })
const recurring = paid({ recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } })

const hold = (id: number, state: string) =>
  Effect.map(Client.getPayment(id), ({ preauthorization }) => (preauthorization?.state === state ? 1 : 0))

/** Each change, with what it needs made ready before it. */
export const losableChanges = {
  createPayment: Effect.sync(() => {
    const payment = { ...order, order_number: "2026-0077" }
    return {
      change: Client.createPayment(payment),
      record: Client.ChangeRecord.createPayment(payment, sending),
      effects: Effect.map(
        LocalGateway.listPayments,
        (all) => all.filter(({ order_number }) => order_number === "2026-0077").length
      ),
      learned: nothing
    }
  }),
  refundPayment: Effect.gen(function* () {
    const id = yield* paid()
    yield* Client.refundPayment(id, { amount })
    const refundsBefore = yield* Client.getPaymentRefunds(id)
    return {
      change: Client.refundPayment(id, { amount }),
      record: Client.ChangeRecord.refundPayment(id, { amount }, { ...sending, refundsBefore, isOnlyWriter: true }),
      effects: Effect.map(Client.getPaymentRefunds(id), (refunds) => refunds.length - 1),
      learned: nothing
    }
  }),
  createRecurrence: Effect.gen(function* () {
    const id = yield* recurring
    const charge = { amount, currency: "CZK", order_number: "2026-0078" }
    const children = Effect.map(LocalGateway.listPayments, (all) => all.filter(({ parent_id }) => parent_id === id))
    return {
      change: Client.createRecurrence(id, charge),
      record: Client.ChangeRecord.createRecurrence(id, charge, sending),
      effects: Effect.map(children, (all) => all.length),
      learned: Effect.map(children, ([child]) => (child === undefined ? {} : { childId: child.id }))
    }
  }),
  voidRecurrence: Effect.gen(function* () {
    const id = yield* recurring
    return {
      change: Client.voidRecurrence(id),
      record: Client.ChangeRecord.voidRecurrence(id, sending),
      effects: Effect.map(Client.getPayment(id), ({ recurrence }) =>
        recurrence?.recurrence_state === "STOPPED" ? 1 : 0
      ),
      learned: nothing
    }
  }),
  captureAuthorization: Effect.gen(function* () {
    const id = yield* preauthorized
    return {
      change: Client.captureAuthorization(id),
      record: Client.ChangeRecord.captureAuthorization(id, sending),
      effects: hold(id, "CAPTURED"),
      learned: nothing
    }
  }),
  captureAuthorizationPartial: Effect.gen(function* () {
    const id = yield* preauthorized
    return {
      change: Client.captureAuthorizationPartial(id, { amount }),
      record: Client.ChangeRecord.captureAuthorizationPartial(id, { amount }, sending),
      effects: hold(id, "CAPTURED"),
      learned: nothing
    }
  }),
  voidAuthorization: Effect.gen(function* () {
    const id = yield* preauthorized
    return {
      change: Client.voidAuthorization(id),
      record: Client.ChangeRecord.voidAuthorization(id, sending),
      effects: hold(id, "CANCELED"),
      learned: nothing
    }
  }),
  deleteCard: Effect.gen(function* () {
    const id = yield* paid({ payer: { request_card_token: true } })
    const cardId = (yield* Client.getPayment(id)).payer?.card_id ?? assert.fail("no card")
    return {
      change: Client.deleteCard(cardId),
      record: Client.ChangeRecord.deleteCard(cardId, sending),
      effects: Effect.map(Client.getCardDetails(cardId), ({ status }) => (status === "DELETED" ? 1 : 0)),
      learned: nothing
    }
  })
} satisfies {
  readonly [operation in Client.ChangeOperation]: Effect.Effect<
    LosableChange,
    Client.GatewayError,
    Client.Gateway | LocalGateway
  >
}
