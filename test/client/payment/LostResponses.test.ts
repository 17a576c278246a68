/**
 * Changes of a local gateway whose responses are lost: none is made twice, and what can be found out is found out.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as Client from "../../../src/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { payment as order } from "../../support/OperationPrograms.js"
import { isThorough } from "../../support/Runs.js"
import { type Fate, makeLossyGateway } from "../../support/LossyGateway.js"

type Program<A> = Effect.Effect<A, Client.GatewayError, Client.Gateway>

/** A change that is ready to be made. */
interface Prepared {
  readonly change: Program<unknown>
  /** Its record, as made before the call. */
  readonly record: Client.ChangeRecord
  /** How often the books show it. */
  readonly effects: Effect.Effect<number, Client.GatewayError, Client.Gateway | LocalGateway>
  /** What is learned in other ways than by asking. */
  readonly learned: Effect.Effect<Partial<Client.ChangeRecord>, never, LocalGateway>
}

const sending = { sentAt: new Date("2026-01-01T12:00:00Z") }
const amount = 1_000
const nothing: Prepared["learned"] = Effect.succeed({})

const paid = (details: Partial<Client.CreatePaymentRequest> = {}) =>
  Effect.gen(function* () {
    const { id } = yield* Client.createPayment({ ...order, ...details })
    yield* Effect.orDie(LocalGateway.payByCard(id))
    return id
  })

const preauthorized = paid({ preauthorization: true })
const recurring = paid({ recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } })

const hold = (id: number, state: string) =>
  Effect.map(Client.getPayment(id), ({ preauthorization }) => (preauthorization?.state === state ? 1 : 0))

const prepare = {
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
    Prepared,
    Client.GatewayError,
    Client.Gateway | LocalGateway
  >
}

const changes = Object.entries(prepare)

/** Makes a change again for as long as its error says that this is safe; the last reason, when it never succeeded. */
const insist = (change: Program<unknown>): Effect.Effect<string, never, Client.Gateway> =>
  Effect.matchEffect(change, {
    onSuccess: () => Effect.succeed("success"),
    onFailure: ({ reason }) => (reason.isRetryable ? insist(change) : Effect.succeed(reason._tag))
  })

/** The client is told that it did not arrive. */
const certain: ReadonlyArray<Fate> = ["refused", "limited", "token refused"]
const doubtful: ReadonlyArray<Fate> = ["lost", "late", "answer lost", "answer garbled"]

const pairs = certain.flatMap((first) => [...certain, ...doubtful].map((second) => [first, second]))
const triples = certain.flatMap((first) => pairs.map((others) => [first, ...others]))

/** What is after a doubtful one must not be reached. Every fifth of the long ones has each fate in each place. */
const courses: ReadonlyArray<ReadonlyArray<Fate>> = [
  ...doubtful.map((fate) => [fate]),
  ...pairs,
  ...triples.filter((_, index) => isThorough || index % 5 === 0)
]

describe.each(changes)("%s, made again for as long as its error says so", (_, prepared) => {
  it.effect.each([
    ["replaced by the client", Client.RetryPolicy.standard],
    ["left to the caller", Client.RetryPolicy.none]
  ] as const)("has one effect at most, however requests and answers are lost; a refused token is %s", ([, policy]) => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      for (const course of courses) {
        const { change, effects } = yield* prepared
        const before = { arrived: gateway.arrived(), effects: yield* effects }
        gateway.next(...course)
        const told = yield* Effect.provideService(insist(change), Client.RetryPolicy, policy)
        yield* Effect.orDie(gateway.arriveLate)
        gateway.forget()
        const arrived = gateway.arrived() - before.arrived
        const story = `${course.join(", ")}: ${told}`
        assert.isAtMost(arrived, 1, story)
        assert.strictEqual((yield* effects) - before.effects, arrived, story)
        if (told === "success") assert.strictEqual(arrived, 1, story)
        else if (told !== "OutcomeUnknown") assert.strictEqual(arrived, 0, story)
      }
    }).pipe(Effect.provide(gateway.layer))
  })
})

describe("what is found of a change whose response was lost", () => {
  /** By what became of it: carried out, not carried out, and carried out after one has looked. */
  const expected: {
    readonly [operation in Client.ChangeOperation]: readonly [done: string, notDone: string]
  } = {
    createPayment: ["CannotTell", "CannotTell"],
    refundPayment: ["Happened", "NotSeenYet"],
    createRecurrence: ["Happened", "CannotTell"],
    voidRecurrence: ["StateReached", "NotSeenYet"],
    captureAuthorization: ["StateReached", "NotSeenYet"],
    captureAuthorizationPartial: ["StateReached", "NotSeenYet"],
    voidAuthorization: ["StateReached", "NotSeenYet"],
    deleteCard: ["StateReached", "NotSeenYet"]
  }

  const found = ({ learned, record }: Prepared) =>
    Effect.gen(function* () {
      // As after a crash: nothing is left but what was stored.
      const stored = yield* Client.ChangeRecord.parse(JSON.stringify(record))
      return (yield* Client.reconcile({ ...stored, ...(yield* learned) }))._tag
    })

  it.effect.each(changes)("%s", ([name, prepared]) =>
    Effect.gen(function* () {
      const [, [done, notDone] = []] = Object.entries(expected).find(([operation]) => operation === name) ?? []
      for (const [fate, soon, later] of [
        ["answer lost", done, done],
        ["answer garbled", done, done],
        ["lost", notDone, notDone],
        ["late", notDone, done]
      ] as const) {
        const gateway = makeLossyGateway()
        yield* Effect.gen(function* () {
          yield* TestClock.setTime(sending.sentAt.getTime())
          const ready = yield* prepared
          gateway.next(fate)
          const { reason } = yield* Effect.flip<unknown, Client.GatewayError, Client.Gateway>(ready.change)
          assert.strictEqual(reason._tag, "OutcomeUnknown")
          assert.strictEqual(yield* found(ready), soon, fate)
          yield* Effect.orDie(gateway.arriveLate)
          assert.strictEqual(yield* found(ready), later, fate)
        }).pipe(Effect.provide(gateway.layer))
      }
    })
  )

  it.effect("a full refund is seen by the payment's state, with no more than its error carries", () => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      const id = yield* paid()
      gateway.next("answer lost")
      const { reason } = yield* Effect.flip(Client.refundPayment(id, { amount: order.amount }))
      const change = reason._tag === "OutcomeUnknown" ? reason.change : assert.fail(reason._tag)
      assert.deepInclude(yield* Client.reconcile(change), { _tag: "StateReached", state: "REFUNDED" })
    }).pipe(Effect.provide(gateway.layer))
  })

  it.effect("the opposite having been done rules a capture and a release out", () => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      const captured = yield* preauthorized
      yield* Client.captureAuthorization(captured)
      const release = Client.ChangeRecord.voidAuthorization(captured, sending)
      assert.deepInclude(yield* Client.reconcile(release), { _tag: "DidNotHappen", state: "CAPTURED" })
      const released = yield* preauthorized
      yield* Client.voidAuthorization(released)
      const capture = Client.ChangeRecord.captureAuthorization(released, sending)
      assert.deepInclude(yield* Client.reconcile(capture), { _tag: "DidNotHappen", state: "CANCELED" })
    }).pipe(Effect.provide(gateway.layer))
  })

  it.effect("nothing is changed by looking", () => {
    const gateway = makeLossyGateway()
    return Effect.gen(function* () {
      for (const prepared of Object.values(prepare)) {
        const { record } = yield* prepared
        const before = gateway.arrived()
        yield* Client.reconcile(record)
        assert.strictEqual(gateway.arrived(), before)
      }
    }).pipe(Effect.provide(gateway.layer))
  })
})
