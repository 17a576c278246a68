import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { InvalidSeed, LocalGateway, readSeed, readSeedText, type Seed } from "../../../src/local-gateway/index.js"
import { seedJsonSchema } from "../../../src/local-gateway/books/SeedSchema.js"
import { onDemand, openShop, requestToken, send, tokenIn } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const seedOf = (json: unknown): Seed => Result.getOrThrow(readSeed(json))

const problemsOf = (json: unknown): ReadonlyArray<string> => {
  const read = readSeed(json)
  if (Result.isSuccess(read)) return []
  assert.instanceOf(read.failure, InvalidSeed)
  return read.failure.problems.map(({ field, message }) => `${field ?? ""}: ${message}`)
}

/** Starts a gateway with these payments: its list of them, the seed that it exports, and a shop. */
const begun = (...payments: ReadonlyArray<object>) =>
  Effect.provide(
    Effect.gen(function* () {
      const shop = yield* openShop
      const content = yield* LocalGateway.exportSeed
      return { answers: yield* LocalGateway.listPayments, content, shop }
    }),
    LocalGateway.layerWith({ seed: seedOf({ payments }) })
  )

const dayMillis = 24 * 3600 * 1000
const paid = { amount: 10_000, currency: "CZK", state: "PAID" }

describe("A seed", () => {
  it.effect("needs an amount, a currency and a state of a payment", () =>
    Effect.gen(function* () {
      const states = ["CREATED", "PAYMENT_METHOD_CHOSEN", "PAID", "AUTHORIZED", "CANCELED", "TIMEOUTED", "REFUNDED"]
      const { answers, content } = yield* begun(
        ...states.map((state) => ({ amount: 10_000, currency: "CZK", state })),
        { ...paid, state: "PARTIALLY_REFUNDED", refunds: [{ amount: 1000 }] }
      )
      assert.deepStrictEqual(
        answers.map(({ id, order_number, payment_instrument, preauthorization, state, sub_state }) =>
          [id, order_number, state, sub_state, payment_instrument, preauthorization?.state].join(" ")
        ),
        [
          "3000000003 order-1 CREATED   ",
          "3000000016 order-2 PAYMENT_METHOD_CHOSEN _101 PAYMENT_CARD ",
          "3000000029 order-3 PAID  PAYMENT_CARD ",
          "3000000042 order-4 AUTHORIZED  PAYMENT_CARD AUTHORIZED",
          "3000000055 order-5 CANCELED _5043  ",
          "3000000068 order-6 TIMEOUTED   ",
          "3000000081 order-7 REFUNDED  PAYMENT_CARD ",
          "3000000107 order-8 PARTIALLY_REFUNDED  PAYMENT_CARD "
        ]
      )
      assert.deepStrictEqual(
        content.payments?.map(({ received, refunds = [] }) => [received, ...refunds.map(({ amount }) => amount)]),
        [[0], [0], [10_000], [0], [0], [0], [10_000, 10_000], [10_000, 1000]]
      )
    })
  )

  it.effect(
    "says what a payment shows of its card and of the registration of its sale, and when its method was chosen",
    () =>
      Effect.gen(function* () {
        const eet_code = { fik: "d5ea0df8-d3ce-4fc7-a5a5-9ff8d2b0a7b6-ff", bkp: "A-B-C-D-E", pkp: "ab+/=" }
        const seed = seedOf({
          payments: [
            { ...paid, payer: { payment_card: { card_token: "token-1", "3ds_result": "Y/A" } }, eet_code },
            { ...paid, state: "PAYMENT_METHOD_CHOSEN", created_at: "-PT11H", chosen_at: "-PT30M" }
          ]
        })
        yield* Effect.gen(function* () {
          const shop = yield* openShop
          const { body } = yield* shop.get("/payments/payment/3000000003")
          assert.include(body, '"card_token":"token-1","3ds_result":"Y/A"}')
          assert.isTrue(body.endsWith(`,"eet_code":${JSON.stringify(eet_code)}}`), body)
          const { payments = [] } = yield* LocalGateway.exportSeed
          assert.deepStrictEqual(payments[0]?.eet_code, eet_code)
          assert.deepInclude(payments[0]?.payer?.payment_card, { card_token: "token-1", "3ds_result": "Y/A" })
          const again = yield* Effect.provide(
            LocalGateway.exportSeed,
            LocalGateway.layerWith({ seed: seedOf({ payments }) })
          )
          assert.deepStrictEqual(again.payments, payments)
          yield* TestClock.adjust("30 minutes")
          assert.strictEqual((yield* LocalGateway.listPayments)[1]?.state, "TIMEOUTED")
        }).pipe(Effect.provide(LocalGateway.layerWith({ seed })))
      })
  )

  it.effect("makes payments that a shop can go on with", () =>
    Effect.gen(function* () {
      const monthly = { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "2099-12-31" }
      const seed = seedOf({
        payments: [
          { ...paid, id: 13, refunds: [] },
          { ...paid, id: 26, state: "AUTHORIZED" },
          { ...paid, id: 39, recurrence: { ...onDemand.recurrence } },
          { ...paid, id: 52, recurrence: { ...monthly, started_at: "-P3M" } },
          { ...paid, id: 65, state: "CREATED" },
          { ...paid, id: 78, refunds: [{ amount: 500, state: "REQUESTED" }] }
        ]
      })
      yield* TestClock.setTime(Date.UTC(2026, 6, 15))
      yield* Effect.gen(function* () {
        const shop = yield* openShop
        assert.strictEqual((yield* shop.refund(13, 1000)).status, 200)
        assert.strictEqual((yield* shop.read(13)).state, "PARTIALLY_REFUNDED")
        assert.strictEqual((yield* shop.capture(26, 4000)).status, 200)
        assert.strictEqual((yield* shop.read(26)).state, "PAID")
        assert.strictEqual((yield* shop.charge(39)).status, 200)
        yield* LocalGateway.payByCard(65)
        const charges = (yield* LocalGateway.listPayments).filter(({ parent_id }) => parent_id === 52)
        assert.strictEqual(charges.length, 3, "what was due since then has happened")
        assert.include((yield* shop.refunds(78)).body, "REQUESTED")
        yield* LocalGateway.advanceTime(Duration.minutes(2))
        assert.include((yield* shop.refunds(78)).body, "SUCCESS")
        yield* LocalGateway.advanceTime(Duration.days(5))
      }).pipe(Effect.provide(LocalGateway.layerWith({ settings: partsAtOnce, seed })))
    })
  )

  it.effect("holds merchants, of which each has credentials and payments of its own", () => {
    const merchants = [
      { goid: 8_000_000_001, name: "One", client_id: "one", client_secret: "first secret" },
      { goid: 8_000_000_002, client_id: "two", client_secret: "second secret" }
    ]
    const seed = seedOf({
      merchants,
      cards: [{ card_id: 11, goid: 8_000_000_002, card_token: "stored" }],
      payments: [
        { ...paid, id: 13 },
        { ...paid, id: 26, target: { goid: 8_000_000_002 }, payer: { card_id: 11 } }
      ]
    })
    return Effect.gen(function* () {
      const { merchant, listMerchants: all } = yield* LocalGateway
      assert.strictEqual(merchant.goid, 8_000_000_001)
      assert.deepStrictEqual(
        (yield* LocalGateway.exportSeed).merchants?.map(({ name }) => name),
        ["One", "Test Shop"]
      )
      const seen = []
      for (const { clientId, clientSecret } of yield* all) {
        const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
        const headers = { authorization: `Bearer ${tokenIn(yield* requestToken(basic))}` }
        for (const path of ["payment/13", "payment/26", "cards/11"]) {
          seen.push((yield* send("GET", `/api/payments/${path}`, { headers })).status)
        }
      }
      assert.deepStrictEqual(seen, [200, 404, 404, 404, 200, 200])
      assert.strictEqual((yield* requestToken()).status, 403, "the merchant of an empty gateway is not there")
    }).pipe(Effect.provide(LocalGateway.layerWith({ seed })))
  })

  it.effect("counts times from now, and from the gateway's own", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(10 * dayMillis)
      const seed = seedOf({
        time_ahead: (2 * dayMillis) / 1000,
        payments: [
          { ...paid, created_at: "-P3D" },
          { ...paid, created_at: "1970-01-01T00:00:00+01:00", received_at: "1970-01-05T00:00:00Z" },
          paid
        ]
      })
      yield* Effect.gen(function* () {
        const { payments = [], time_ahead } = yield* LocalGateway.exportSeed
        assert.strictEqual(time_ahead, 172_800)
        assert.deepStrictEqual(
          payments.map(({ created_at, received_at }) => [created_at, received_at]),
          [
            ["1970-01-10T00:00:00.000Z", "1970-01-10T00:00:00.000Z"],
            ["1969-12-31T23:00:00.000Z", "1970-01-05T00:00:00.000Z"],
            ["1970-01-13T00:00:00.000Z", "1970-01-13T00:00:00.000Z"]
          ]
        )
      }).pipe(Effect.provide(LocalGateway.layerWith({ seed })))
    })
  )

  it.effect("changes settings, which options of the layer override", () =>
    Effect.gen(function* () {
      const seed = seedOf({ settings: { refund: "failed", capture: "failed" } })
      const settings = yield* Effect.provide(
        LocalGateway.getSettings,
        LocalGateway.layerWith({ settings: { capture: "finished" }, seed })
      )
      assert.deepInclude(settings, { refund: "failed", capture: "finished" })
    })
  )

  it.effect("put in place of what there is leaves nothing of it, and a reset goes back to the first", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      yield* shop.create()
      yield* LocalGateway.loadSeed(seedOf({ payments: [paid, paid] }))
      const states = Effect.map(LocalGateway.listPayments, (payments) =>
        payments.map(({ id, state }) => `${id} ${state}`)
      )
      assert.deepStrictEqual(yield* states, ["3000000003 PAID", "3000000016 PAID"])
      assert.strictEqual((yield* shop.read(3_000_000_003)).state, "PAID", "the token of this merchant holds")
      yield* LocalGateway.advanceTime(Duration.days(1))
      assert.deepStrictEqual(yield* states, ["3000000003 PAID", "3000000016 PAID"], "nothing old times out")
      yield* LocalGateway.reset
      assert.deepStrictEqual(yield* states, ["13 CREATED"])
      assert.deepStrictEqual(yield* LocalGateway.listRequests, [])
      assert.strictEqual((yield* shop.get("/payments/payment/13")).status, 403, "its tokens are gone")
      const { time_ahead } = yield* LocalGateway.exportSeed
      assert.strictEqual(time_ahead, 0)
    }).pipe(
      Effect.provide(LocalGateway.layerWith({ seed: seedOf({ payments: [{ ...paid, state: "CREATED", id: 13 }] }) }))
    )
  )
})

const two = [
  { goid: 1, client_id: "a", client_secret: "a" },
  { goid: 2, client_id: "b", client_secret: "b" }
]
const requested = (id?: number) => ({ ...(id === undefined ? {} : { id }), amount: 1, state: "REQUESTED" })
const refunding = (refund_id?: number) => ({ type: "refund", ...(refund_id === undefined ? {} : { refund_id }) })

describe("A seed may hold", () => {
  const started = { ...onDemand.recurrence, recurrence_state: "STARTED" }

  it.each<[string, ReadonlyArray<object>]>([
    [
      "a preauthorization in each state that goes with the payment's",
      [
        ...["CREATED", "PAYMENT_METHOD_CHOSEN", "CANCELED", "TIMEOUTED"].map((state) => ({
          ...paid,
          state,
          preauthorization: { state: "REQUESTED" }
        })),
        { ...paid, preauthorization: { state: "CAPTURED" } },
        { ...paid, state: "REFUNDED", preauthorization: { state: "CAPTURED" } },
        { ...paid, state: "PARTIALLY_REFUNDED", preauthorization: { state: "CAPTURED" }, refunds: [{ amount: 1 }] },
        { ...paid, state: "CANCELED", preauthorization: { state: "CANCELED" } }
      ]
    ],
    [
      "a preauthorization without a state in a payment of any",
      ["CREATED", "PAYMENT_METHOD_CHOSEN", "PAID", "AUTHORIZED", "CANCELED", "TIMEOUTED", "REFUNDED"].map((state) => ({
        ...paid,
        state,
        preauthorization: {}
      }))
    ],
    [
      "nothing to pay where a card is to be held or charged",
      [
        { ...paid, id: 13, amount: 0, recurrence: started },
        { ...paid, amount: 0, state: "AUTHORIZED" },
        { ...paid, amount: 0, parent_id: 13 }
      ]
    ],
    [
      "what was received of a part of a hold, or of nothing",
      [
        { ...paid, received: 1, preauthorization: {} },
        { ...paid, state: "CREATED", received: 0, refunds: [] },
        { ...paid, amount: 1, state: "REFUNDED" }
      ]
    ],
    [
      "a card's payment that is held, and one by transfer that is not",
      [
        { ...paid, state: "AUTHORIZED", payment_instrument: "PAYMENT_CARD" },
        { ...paid, payment_instrument: "BANK_ACCOUNT" }
      ]
    ],
    [
      "a recurrence that has started, of a payment that may end so",
      ["PAID", "AUTHORIZED", "CANCELED"].map((state) => ({ ...paid, state, recurrence: started }))
    ],
    [
      "operations that were accepted",
      [
        {
          ...paid,
          state: "AUTHORIZED",
          accepted_operations: [{ type: "capture", amount: 10_000 }, { type: "capture" }, { type: "voidAuthorization" }]
        },
        { ...paid, amount: 0, state: "AUTHORIZED", accepted_operations: [{ type: "capture" }] },
        { ...paid, recurrence: started, accepted_operations: [{ type: "voidRecurrence" }] },
        { ...paid, refunds: [requested(26), requested(39)], accepted_operations: [refunding(39), refunding(26)] }
      ]
    ]
  ])("%s", (_, payments) => {
    assert.deepStrictEqual(problemsOf({ payments }), [])
  })

  it("cards and further payments of each merchant", () => {
    const problems = problemsOf({
      merchants: two,
      cards: [
        { card_id: 11, card_token: "one" },
        { card_id: 22, goid: 2 }
      ],
      payments: [
        { ...paid, payer: { card_id: 11, payment_card: { card_token: "one" } } },
        { ...paid, payer: { card_id: 11, payment_card: {} } },
        { ...paid, target: { goid: 2 }, payer: { card_id: 22, payment_card: { card_token: "shown only" } } },
        { ...paid, id: 13, target: { goid: 2 }, recurrence: started },
        { ...paid, parent_id: 13, payer: { card_id: 22 } }
      ]
    })
    assert.deepStrictEqual(problems, [])
  })
})

describe("A wrong seed says where and what", () => {
  it.each<[string, unknown, ReadonlyArray<string>]>([
    ["no object", [], [": must be an object"]],
    ["an unknown member", { payment: [] }, ["payment: is not known here; check its spelling"]],
    [
      "several wrong members at once",
      {
        payments: [{ ...paid, amount: "100", state: "PAYED" }],
        settings: { timeToPaySeconds: 0 },
        merchants: [{ goid: 1 }]
      },
      [
        "merchants[0].client_id: is required",
        "merchants[0].client_secret: is required",
        "settings.timeToPaySeconds: must be a whole number from 1 to 316224000",
        "payments[0].amount: must be an integer in minor units, 0 or more",
        "payments[0].state: must be one of CREATED, PAYMENT_METHOD_CHOSEN, PAID, AUTHORIZED, CANCELED, TIMEOUTED, REFUNDED, PARTIALLY_REFUNDED"
      ]
    ],
    [
      "a card that is no test card",
      { cards: [{ card_number: "401200******1112" }] },
      ["cards[0].card_number: must be one of 444444******4448, 418803******0003"]
    ],
    [
      "a time that is none",
      { payments: [{ ...paid, created_at: "yesterday" }] },
      [
        "payments[0].created_at: must be a time such as 2026-01-31T12:00:00Z, or an ISO 8601 duration from now such as -P3D"
      ]
    ],
    [
      "refunds that do not go with the state",
      {
        payments: [
          { ...paid, refunds: [{ amount: 1 }] },
          { ...paid, state: "REFUNDED", refunds: [{ amount: 1 }, { amount: 9999, state: "FAILED" }] },
          { ...paid, state: "PARTIALLY_REFUNDED" },
          { ...paid, state: "CREATED", refunds: [{ amount: 1, state: "FAILED" }] },
          { ...paid, refunds: [{ amount: 10_001, state: "REQUESTED" }] }
        ]
      },
      [
        "payments[0].refunds: must not have a SUCCESS in a payment that is PAID: received is 10000, refunded 1",
        "payments[1].refunds: must have SUCCESS for all that was received: received is 10000, refunded 1",
        "payments[2].refunds: must have SUCCESS for a part of what was received: received is 10000, refunded 0",
        "payments[3].refunds: must be empty for a payment that is CREATED",
        "payments[4].refunds: must not be more than what was received"
      ]
    ],
    [
      "money that cannot have come",
      {
        payments: [
          { ...paid, received: 10_001 },
          { ...paid, received: 1 },
          { ...paid, state: "CANCELED", received: 1 },
          { ...paid, amount: 0 }
        ]
      },
      [
        "payments[0].received: must not be more than the amount",
        "payments[1].received: can only be less than the amount where a part of a preauthorization was captured",
        "payments[2].received: must be 0 of a payment that is CANCELED",
        "payments[3].amount: must be more than 0 without a recurrence or a preauthorization"
      ]
    ],
    [
      "ids and tokens that are taken",
      {
        payments: [
          { ...paid, id: 13, pay_page: "a" },
          { ...paid, id: 13, pay_page: "a" },
          { ...paid, refunds: [{ id: 13, amount: 1, state: "FAILED" }] }
        ],
        cards: [
          { card_id: 11, card_token: "a" },
          { card_id: 11, card_token: "a" }
        ],
        merchants: [
          { goid: 1, client_id: "a", client_secret: "b" },
          { goid: 1, client_id: "a", client_secret: "c" }
        ]
      },
      [
        "merchants[1].goid: is the GoID of another one",
        "merchants[1].client_id: is the ClientID of another one",
        "cards[1].card_id: is the id of another one",
        "cards[1].card_token: is the token of another one",
        "payments[1].id: is the id of another one",
        "payments[1].pay_page: is the pay page of another one",
        "payments[2].refunds[0].id: is the id of another one"
      ]
    ],
    [
      "references to nothing",
      {
        merchants: [
          { goid: 1, client_id: "a", client_secret: "a" },
          { goid: 2, client_id: "b", client_secret: "b" }
        ],
        cards: [{ card_id: 11, goid: 2 }, { goid: 3 }],
        payments: [
          { ...paid, target: { goid: 3 } },
          { ...paid, id: 13, payer: { card_id: 11 } },
          { ...paid, payer: { card_id: 22 } },
          { ...paid, parent_id: 26 },
          { ...paid, parent_id: 13 }
        ],
        notifications: [{ payment_id: 39, url: "http://localhost/", attempts: 0, due_at: "PT0S" }]
      },
      [
        "cards[1].goid: is not a merchant of this seed",
        "payments[0].target.goid: is not a merchant of this seed",
        "payments[1].payer.card_id: is a card that was stored for another merchant",
        "payments[2].payer.card_id: is not one of the cards of this seed",
        "payments[3].parent_id: is not one of the payments of this seed",
        "payments[4].parent_id: is a payment without a recurrence",
        "notifications[0].payment_id: is not one of the payments of this seed"
      ]
    ],
    [
      "states that do not go together",
      {
        payments: [
          { ...paid, preauthorization: { state: "AUTHORIZED" } },
          { ...paid, state: "AUTHORIZED", payment_instrument: "BANK_ACCOUNT" },
          { ...paid, state: "CREATED", recurrence: { ...onDemand.recurrence, recurrence_state: "STARTED" } },
          {
            ...paid,
            accepted_operations: [{ type: "capture" }, { type: "voidRecurrence", end: "refused" }, { type: "refund" }]
          },
          { ...paid, refunds: [{ id: 13, amount: 1, state: "REQUESTED" }], accepted_operations: [] }
        ]
      },
      [
        "payments[0].preauthorization.state: cannot be AUTHORIZED of a payment that is PAID",
        "payments[1].payment_instrument: must be PAYMENT_CARD: only a card can be held",
        "payments[2].recurrence.recurrence_state: cannot be STARTED of a payment that is CREATED",
        "payments[3].accepted_operations[0].type: needs a preauthorization",
        "payments[3].accepted_operations[1].end: can only be refused of a refund",
        "payments[3].accepted_operations[1].type: needs a recurrence",
        "payments[3].accepted_operations[2].refund_id: must be the id of a refund that is REQUESTED",
        "payments[4].accepted_operations: must hold what ends each refund that is REQUESTED, or be left out"
      ]
    ],
    ["no merchant", { merchants: [] }, ["merchants: must have at least one, or be left out"]],
    [
      "a further payment that does not go with its parent",
      {
        merchants: two,
        payments: [
          { ...paid, id: 13, recurrence: onDemand.recurrence },
          { ...paid, id: 26, parent_id: 26 },
          { ...paid, parent_id: 13, target: { goid: 2 } },
          { ...paid, parent_id: 13, recurrence: onDemand.recurrence },
          { ...paid, parent_id: 13, preauthorization: {} }
        ]
      },
      [
        "payments[1].parent_id: is the payment itself",
        "payments[2].target.goid: must be that of the parent",
        "payments[3].recurrence: belongs to the parent, not to a further payment",
        "payments[4].preauthorization: is not for a further payment of a recurrence"
      ]
    ],
    [
      "a stored card that does not go with the payment",
      {
        merchants: two,
        cards: [{ card_id: 11, card_token: "one" }],
        payments: [
          { ...paid, payer: { card_id: 11, payment_card: { card_token: "two" } } },
          { ...paid, target: { goid: 2 }, payer: { card_id: 11 } }
        ]
      },
      [
        "payments[0].payer.payment_card.card_token: must be that of the stored card",
        "payments[1].payer.card_id: is a card that was stored for another merchant"
      ]
    ],
    [
      "the state of a preauthorization, or a recurrence, that the payment cannot have",
      {
        payments: [
          { ...paid, preauthorization: { state: "REQUESTED" } },
          { ...paid, preauthorization: { state: "CANCELED" } },
          { ...paid, state: "CREATED", preauthorization: { state: "CAPTURED" } },
          { ...paid, preauthorization: {}, payment_instrument: "BANK_ACCOUNT" },
          ...["PAYMENT_METHOD_CHOSEN", "TIMEOUTED"].map((state) => ({
            ...paid,
            state,
            recurrence: { ...onDemand.recurrence, recurrence_state: "STARTED" }
          }))
        ]
      },
      [
        "payments[0].preauthorization.state: cannot be REQUESTED of a payment that is PAID",
        "payments[1].preauthorization.state: cannot be CANCELED of a payment that is PAID",
        "payments[2].preauthorization.state: cannot be CAPTURED of a payment that is CREATED",
        "payments[3].payment_instrument: must be PAYMENT_CARD: only a card can be held",
        "payments[4].recurrence.recurrence_state: cannot be STARTED of a payment that is PAYMENT_METHOD_CHOSEN",
        "payments[5].recurrence.recurrence_state: cannot be STARTED of a payment that is TIMEOUTED"
      ]
    ],
    [
      "refunds that are of all, or of nothing",
      {
        payments: [
          { ...paid, state: "PARTIALLY_REFUNDED", refunds: [{ amount: 10_000 }] },
          { ...paid, state: "REFUNDED", preauthorization: {}, received: 0 }
        ]
      },
      [
        "payments[0].refunds: must have SUCCESS for a part of what was received: received is 10000, refunded 10000",
        "payments[1].refunds: must have SUCCESS for all that was received: received is 0, refunded 0"
      ]
    ],
    [
      "accepted operations that the payment cannot have",
      {
        payments: [
          { ...paid, refunds: [requested(13)], accepted_operations: [{ ...refunding(13), amount: 1 }] },
          { ...paid, refunds: [requested(26)], accepted_operations: [refunding(26), refunding(26)] },
          { ...paid, refunds: [requested(39), requested(52)], accepted_operations: [refunding(39)] },
          { ...paid, refunds: [requested()], accepted_operations: [refunding()] },
          { ...paid, refunds: [requested(65), requested(78)], accepted_operations: [65, 78, 91].map(refunding) },
          { ...paid, state: "AUTHORIZED", accepted_operations: [{ type: "capture", amount: 10_001 }] },
          { ...paid, accepted_operations: [{ type: "voidAuthorization" }] }
        ]
      },
      [
        "payments[0].accepted_operations[0].amount: is that of the refund, and is not said again",
        "payments[1].accepted_operations: must end each refund once",
        "payments[2].accepted_operations: must hold what ends each refund that is REQUESTED, or be left out",
        "payments[3].accepted_operations[0].refund_id: must be the id of a refund that is REQUESTED",
        "payments[3].accepted_operations: must hold what ends each refund that is REQUESTED, or be left out",
        "payments[4].accepted_operations[2].refund_id: must be the id of a refund that is REQUESTED",
        "payments[5].accepted_operations[0].amount: must not be more than the payment's",
        "payments[6].accepted_operations[0].type: needs a preauthorization"
      ]
    ],
    [
      "a pay page that is no part of an address",
      { payments: ["/a", "a/"].map((pay_page) => ({ ...paid, pay_page })) },
      [0, 1].map((place) => `payments[${place}].pay_page: must be letters, digits, _ and -`)
    ],
    [
      "a card's end that is no month",
      { cards: [{ card_expiration: "2613" }, { card_expiration: "12612" }, { card_expiration: "26121" }] },
      [0, 1, 2].map((place) => `cards[${place}].card_expiration: must be four digits, YYMM`)
    ]
  ])("%s", (_, json, problems) => {
    assert.deepStrictEqual(problemsOf(json), problems)
  })

  it("a line for each problem, below one that says so", () => {
    const wrong = { payments: [paid, {}], settings: 1 }
    const read = readSeed(wrong)
    const [first, ...others] = Result.isFailure(read) ? read.failure.message.split("\n") : []
    assert.strictEqual(first, "The seed cannot be used:")
    assert.lengthOf(others, problemsOf(wrong).length)
  })

  it("but for the mark that some editors put first", () => {
    assert.isTrue(Result.isSuccess(readSeedText("\uFEFF{}")))
    assert.isTrue(Result.isFailure(readSeedText("{}\uFEFF")))
  })

  it("without repeating any value of it", () => {
    const secret = "s3cret-t0ken"
    const wrong = {
      merchants: [{ goid: secret, client_id: 1, client_secret: [secret] }],
      cards: [{ card_number: secret, card_token: { secret } }],
      payments: [{ ...paid, currency: secret, payer: { verify_pin: secret, allowed_card_token: [secret] } }]
    }
    const read = readSeed(wrong)
    assert.isTrue(Result.isFailure(read))
    assert.notInclude(String(Result.isFailure(read) && read.failure.message) + JSON.stringify(read), secret)
    const broken = readSeedText(`{"merchants": [{"client_secret": "${secret}" "x"}]}`)
    assert.isTrue(Result.isFailure(broken))
    assert.notInclude(String(Result.isFailure(broken) && broken.failure.message) + JSON.stringify(broken), secret)
  })

  it.each([
    ['{\n  "payments": [\n    { "amount": 1, }\n  ]\n}', "line 3, column 20"],
    ['{"payments": [}', "line 1, column 15"],
    ['{"a": 1 "b"}', "line 1, column 9"],
    ["{'a': 1}", "line 1, column 2"],
    ['{"a": "b\nc"}', "line 1, column 7"],
    ['{"a" 1}', "line 1, column 6"],
    ['{"a": 01}', "line 1, column 8"],
    ['{"a": [1, 2', "line 1, column 12"],
    ["[] x", "line 1, column 4"],
    ["", "line 1, column 1"]
  ])("where %j is no JSON", (text, place) => {
    const read = readSeedText(text)
    assert.include(Result.isFailure(read) ? read.failure.message : "", `is not well-formed JSON at ${place}`)
  })
})

// ---------------------------------------------------------------------------------------------------------------------

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, validateFormats: false })
const satisfies = ajv.compile(seedJsonSchema())

describe("The JSON Schema of seeds", () => {
  const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

  it("is the one in the package, which exports it", () => {
    assert.strictEqual(text("dist/seed.schema.json"), `${JSON.stringify(seedJsonSchema())}\n`)
    assert.include(text("package.json"), `"./seed.schema.json": "./dist/seed.schema.json"`)
  })

  it.each<[boolean, unknown]>([
    [true, {}],
    [true, { $schema: "./node_modules/effect-gopay/dist/seed.schema.json", payments: [paid] }],
    [
      true,
      {
        payments: [
          { ...paid, created_at: "-P1DT2H" },
          { ...paid, created_at: "2026-01-31T12:00:00Z" }
        ]
      }
    ],
    [false, { payment: [] }],
    [false, { payments: [{ ...paid, amount: 1.5 }] }],
    [false, { payments: [{ ...paid, state: "PAYED" }] }],
    [false, { payments: [{ ...paid, created_at: "yesterday" }] }],
    [false, { payments: [{ amount: 1, currency: "CZK" }] }],
    [false, { settings: { refund: "perhaps" } }],
    [false, { cards: [{ card_number: "401200******1112" }] }],
    [false, { merchants: [{ goid: 1, client_id: "a" }] }]
  ])("takes (%s) what is taken: %j", (taken, json) => {
    assert.strictEqual(satisfies(json), taken, ajv.errorsText(satisfies.errors))
    assert.strictEqual(Result.isSuccess(readSeed(json)), taken)
  })
})
