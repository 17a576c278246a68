import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import {
  type PaymentDifference,
  type ExpectedPayment,
  Gateway,
  GatewayError,
  makeNotificationHandler,
  NotificationError,
  type NotificationErrorReason,
  verifyPayment
} from "../../../src/index.js"
import { gatewayOver, json, refusal, scripted } from "../../support/ScriptedTransport.js"
import {
  answerPayment,
  child,
  childId,
  goid,
  idIn,
  order,
  orders,
  parentId,
  paymentId,
  paymentOf,
  strangerId,
  subscription
} from "../../support/NotifiedPayments.js"

const known = (id: number) => orders.get(id)

const reasonOf = (error: unknown): NotificationErrorReason =>
  error instanceof NotificationError ? error.reason : assert.fail(`not a NotificationError: ${String(error)}`)

/** What differs when the gateway answers this. */
const differences = (answered: object, expected: ExpectedPayment = order) =>
  verifyPayment(`?id=${paymentId}`, () => expected).pipe(
    Effect.flip,
    Effect.map((error): ReadonlyArray<PaymentDifference> => {
      const reason = reasonOf(error)
      return reason._tag === "PaymentMismatch" ? reason.differences : assert.fail(reason._tag)
    }),
    Effect.provide(gatewayOver(scripted(() => json({ ...paymentOf(paymentId, order), ...answered }))))
  )

describe("verifying a payment", () => {
  class NoDatabase extends Data.TaggedError("NoDatabase") {}

  it.effect.each([
    { how: "at once", expected: known },
    { how: "as a promise", expected: (id: number) => Promise.resolve(orders.get(id)) },
    { how: "as a program", expected: (id: number) => Effect.succeed(orders.get(id)) }
  ])("gives it with what the shop expected, which is found $how", ({ expected }) => {
    const transport = scripted(answerPayment)
    return Effect.gen(function* () {
      const verified = yield* verifyPayment(`https://shop.example/return?id=${paymentId}`, expected)
      assert.deepStrictEqual(verified, { payment: paymentOf(paymentId, order), order, orderOf: "payment" })
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("reads it after what is expected was found: never the query's claims, never an older state", () => {
    const happened: Array<string> = []
    const transport = scripted((request) => {
      happened.push(`read ${idIn(request)}`)
      return answerPayment(request)
    })
    return Effect.gen(function* () {
      yield* verifyPayment(`?id=${paymentId}&state=PAID&amount=1`, (id) => {
        happened.push(`asked ${id}`)
        return order
      })
      assert.deepStrictEqual(happened, [`asked ${paymentId}`, `read ${paymentId}`])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("that is cheaper, though truly paid, names the fields that differ", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* differences({ amount: 100 }), [{ field: "amount", expected: 139_950, actual: 100 }])
      assert.deepStrictEqual(yield* differences({ amount: 100, currency: "EUR", order_number: "2026-0001" }), [
        { field: "order_number", expected: "2026-0042", actual: "2026-0001" },
        { field: "amount", expected: 139_950, actual: 100 },
        { field: "currency", expected: "CZK", actual: "EUR" }
      ])
    })
  )

  it.effect("of another merchant differs, whether expected expressly or as configured", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* differences({ target: { type: "ACCOUNT", goid: 8111111111 } }), [
        { field: "goid", expected: goid, actual: 8111111111 }
      ])
      assert.deepStrictEqual(yield* differences({}, { ...order, goid: "8111111111" }), [
        { field: "goid", expected: "8111111111", actual: goid }
      ])
    })
  )

  it.effect("takes a goid as text", () =>
    Effect.gen(function* () {
      const { payment } = yield* verifyPayment(`?id=${paymentId}`, () => ({ ...order, goid: String(goid) }))
      assert.strictEqual(payment.id, paymentId)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("takes a row without a goid, which a database gives as null, as one of the configured merchant", () =>
    Effect.gen(function* () {
      const { payment } = yield* verifyPayment(`?id=${paymentId}`, () => ({ ...order, goid: null }))
      assert.strictEqual(payment.id, paymentId)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("lets nothing pass that the response does not say", () =>
    Effect.gen(function* () {
      const fields = yield* differences({ target: null, order_number: null })
      assert.deepStrictEqual(
        fields.map(({ actual, field }) => [field, actual]),
        [
          ["goid", undefined],
          ["order_number", undefined]
        ]
      )
    })
  )

  // What rows of databases have in place of what their type says.
  it.effect.each<[string, () => object, ReadonlyArray<string>]>([
    ["an amount as text", () => ({ amount: "139950" }), ["amount: must be an integer in minor units, and is a string"]],
    [
      "an amount as bigint",
      () => ({ amount: 139_950n }),
      ["amount: must be an integer in minor units, and is a bigint"]
    ],
    ["an amount in crowns", () => ({ amount: 1399.5 }), ["amount: must be an integer in minor units, and is a number"]],
    ["a numeric order number", () => ({ order_number: 20260042 }), ["order_number: must be text, and is a number"]],
    ["a goid as bigint", () => ({ goid: BigInt(goid) }), ["goid: must be a GoID, and is a bigint"]],
    [
      "nothing that can be compared",
      () => ({ order_number: undefined, amount: null, currency: 203 }),
      [
        "order_number: must be text, and is undefined",
        "amount: must be an integer in minor units, and is null",
        "currency: must be text, and is a number"
      ]
    ]
  ])(
    "cannot be compared with %s, which is no mismatch: the fields are named, and nothing is read",
    ([, row, problems]) => {
      const transport = scripted(answerPayment)
      return Effect.gen(function* () {
        const wrong: typeof order = Object.assign({ ...order }, row())
        const reason = reasonOf(yield* Effect.flip(verifyPayment(`?id=${paymentId}`, () => wrong)))
        assert.deepInclude(reason, { _tag: "ExpectationFailed", paymentId })
        for (const problem of problems) assert.include(reason.message, problem)
        assert.strictEqual(transport.sent.length, 0)
      }).pipe(Effect.provide(gatewayOver(transport)))
    }
  )

  it.effect("takes the order of a class whose members are getters", () => {
    class Row {
      get order_number(): string {
        return order.order_number
      }
      get amount(): number {
        return order.amount
      }
      get currency(): string {
        return order.currency
      }
    }
    return Effect.gen(function* () {
      const { payment } = yield* verifyPayment(`?id=${paymentId}`, () => new Row())
      assert.strictEqual(payment.id, paymentId)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  })

  it.effect.each([
    ["A&B", "A&amp;B", true],
    ["O'Neill", "O&#39;Neill", true],
    ["A&amp;B", "A&amp;B", true],
    ["A&amp;B", "A&B", false],
    ["A&B", "A&amp;amp;B", false]
  ] as const)("whose order number %s comes back as %s is the expected one: %s", ([sent, echoed, isExpected]) =>
    Effect.gen(function* () {
      const expected = { ...order, order_number: sent }
      const verified = yield* Effect.result(verifyPayment(`?id=${paymentId}`, () => expected))
      assert.strictEqual(verified._tag, isExpected ? "Success" : "Failure")
    }).pipe(Effect.provide(gatewayOver(scripted(() => json({ ...paymentOf(paymentId, order), order_number: echoed })))))
  )

  it.effect.each([undefined, null])("that the shop does not know (%s) reads nothing", (none) => {
    const transport = scripted(answerPayment)
    return Effect.gen(function* () {
      const reason = reasonOf(
        yield* Effect.flip(verifyPayment(`?id=${strangerId}&parent_id=${strangerId}`, () => none))
      )
      assert.deepInclude(reason, { _tag: "UnknownPayment", paymentId: strangerId })
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("that is a charge of a known recurrence takes the parent's order, and compares the merchant", () =>
    Effect.gen(function* () {
      const source = `?id=${childId}&parent_id=${parentId}`
      const verified = yield* verifyPayment(source, known)
      assert.deepStrictEqual(verified, { payment: child, order: subscription, orderOf: "parent" })
      const otherGoid = (id: number) => (id === parentId ? { ...subscription, goid: 8111111111 } : undefined)
      const reason = reasonOf(yield* Effect.flip(verifyPayment(source, otherGoid)))
      assert.deepInclude(reason, {
        _tag: "PaymentMismatch",
        differences: [{ field: "goid", expected: 8111111111, actual: goid }]
      })
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("that only claims to be a charge of a known recurrence differs in its parent", () =>
    Effect.gen(function* () {
      const reason = reasonOf(yield* Effect.flip(verifyPayment(`?id=${strangerId}&parent_id=${parentId}`, known)))
      assert.deepInclude(reason, {
        _tag: "PaymentMismatch",
        differences: [{ field: "parent_id", expected: parentId, actual: undefined }]
      })
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("asks the shop of no other payment than those that it needs to know", () =>
    Effect.gen(function* () {
      const askedFor = (source: string) => {
        const asked: Array<number> = []
        const program = verifyPayment(source, (id) => {
          asked.push(id)
          return known(id)
        })
        return Effect.as(Effect.exit(program), asked)
      }
      assert.deepStrictEqual(yield* askedFor(`?id=${paymentId}&parent_id=${parentId}`), [paymentId])
      assert.deepStrictEqual(yield* askedFor(`?id=${strangerId}`), [strangerId])
      assert.deepStrictEqual(yield* askedFor(`?id=${childId}&parent_id=${parentId}`), [childId, parentId])
      assert.deepStrictEqual(yield* askedFor(`?id=${strangerId}&parent_id=${parentId}`), [strangerId, parentId])
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("that is a charge of a recurrence which the shop does not know differs in its parent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(verifyPayment(`?id=${childId}&parent_id=${parentId}`, known))
      assert.deepInclude(reasonOf(error), {
        _tag: "PaymentMismatch",
        differences: [{ field: "parent_id", expected: parentId, actual: strangerId }]
      })
    }).pipe(Effect.provide(gatewayOver(scripted(() => json({ ...child, parent_id: strangerId })))))
  )

  it.effect("says for an operator in what it differs", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        verifyPayment(`?id=${paymentId}`, () => ({ ...order, amount: 1, currency: "EUR" }))
      )
      assert.strictEqual(error.message, `Payment ${paymentId} is not the expected one: it differs in amount, currency.`)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("takes a goid with zeros before it for the same, and one with zeros within for another", () =>
    Effect.gen(function* () {
      const verify = (goid: string) => Effect.exit(verifyPayment(`?id=${paymentId}`, () => ({ ...order, goid })))
      assert.isTrue(Exit.isSuccess(yield* verify(`00${goid}`)))
      assert.isTrue(Exit.isFailure(yield* verify("81234567810")))
      assert.isTrue(Exit.isFailure(yield* verify("81230456781")))
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("that is a charge which the shop made and knows is compared whole", () =>
    Effect.gen(function* () {
      const own = { order_number: "auto-7", amount: 100, currency: "EUR" }
      const verified = yield* verifyPayment(`?id=${childId}&parent_id=${parentId}`, (id) =>
        id === childId ? own : order
      )
      assert.deepStrictEqual(verified, { payment: child, order: own, orderOf: "payment" })
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect.each([
    {
      how: "throws",
      expected: (): undefined => {
        throw new Error("no database")
      }
    },
    { how: "rejects", expected: () => Promise.reject<undefined>(new Error("no database")) }
  ])("fails when the shop's function $how, with the failure as the cause, and reads nothing", ({ expected }) => {
    const transport = scripted(answerPayment)
    return Effect.gen(function* () {
      const error = yield* Effect.flip(verifyPayment(`?id=${paymentId}`, expected))
      assert.deepInclude(reasonOf(error), { _tag: "ExpectationFailed", paymentId })
      assert.deepStrictEqual(error.cause, new Error("no database"))
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("fails with what the shop's program fails with, as it is, and reads nothing", () => {
    const transport = scripted(answerPayment)
    return Effect.gen(function* () {
      for (const failure of [new NoDatabase(), "no database", { reason: { _tag: "UnknownPayment" } }, undefined]) {
        const error = yield* Effect.flip(verifyPayment(`?id=${paymentId}`, () => Effect.fail(failure)))
        assert.strictEqual(error, failure)
      }
      const found = yield* verifyPayment(`?id=${paymentId}`, () => Effect.fail(new NoDatabase())).pipe(
        Effect.catchTag("NoDatabase", () => Effect.succeed("later"))
      )
      assert.strictEqual(found, "later")
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("dies with a defect of the shop's program, and reads nothing", () => {
    const transport = scripted(answerPayment)
    const defect = new TypeError("a bug of the shop")
    return Effect.gen(function* () {
      const exit = yield* Effect.exit(verifyPayment(`?id=${paymentId}`, () => Effect.die(defect)))
      assert.deepStrictEqual(exit, Exit.die(defect))
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("runs a query once that the shop's function gives: one runs whenever it is waited for", () =>
    Effect.gen(function* () {
      let runs = 0
      const query: PromiseLike<typeof order> = {
        // oxlint-disable-next-line unicorn/no-thenable -- as query builders have it
        then: (...listeners) => {
          runs += 1
          return Promise.resolve(order).then(...listeners)
        }
      }
      const verified = yield* verifyPayment(`?id=${paymentId}`, () => query)
      assert.deepStrictEqual(verified.order, order)
      assert.strictEqual(runs, 1)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("can be recovered from by the reason's name", () =>
    Effect.gen(function* () {
      const told = yield* verifyPayment(`?id=${paymentId}`, () => Promise.reject<undefined>(new NoDatabase())).pipe(
        Effect.as("verified"),
        Effect.catchReason("NotificationError", "ExpectationFailed", ({ paymentId }) =>
          Effect.succeed(`later: ${paymentId}`)
        )
      )
      assert.strictEqual(told, `later: ${paymentId}`)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("fails with an error that can be yielded and caught again", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(verifyPayment("/notify", known))
      const again = yield* Effect.flip(
        Effect.gen(function* () {
          return yield* error
        })
      )
      assert.strictEqual(again, error)
      assert.instanceOf(error, NotificationError)
    }).pipe(Effect.provide(gatewayOver(scripted(answerPayment))))
  )

  it.effect("fails as the read does", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(verifyPayment(`?id=${paymentId}`, known))
      assert.instanceOf(error, GatewayError)
      assert.strictEqual(error.reason._tag, "PaymentNotFound")
    }).pipe(Effect.provide(gatewayOver(scripted(() => refusal(404, 304)))))
  )
})

describe("a gateway of which a test provides only what is needed", () => {
  const gateway = Layer.mock(Gateway, {
    goid: Effect.succeed(goid),
    getPayment: (id) => Effect.succeed({ ...paymentOf(Number(id), order), state: "PAID" })
  })

  it.effect("verifies payments", () =>
    Effect.gen(function* () {
      const { payment } = yield* verifyPayment(`?id=${paymentId}`, () => order)
      assert.strictEqual(payment.state, "PAID")
    }).pipe(Effect.provide(gateway))
  )

  it.effect("has its notifications delivered", () =>
    Effect.gen(function* () {
      const handled: Array<number> = []
      const handle = yield* makeNotificationHandler({
        expected: () => order,
        handler: ({ payment }) => Effect.sync(() => handled.push(payment.id))
      })
      assert.strictEqual(yield* handle({ method: "GET", url: `?id=${paymentId}` }), 200)
      assert.deepStrictEqual(handled, [paymentId])
    }).pipe(Effect.provide(gateway))
  )
})
