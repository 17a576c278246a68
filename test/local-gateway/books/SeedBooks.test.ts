import { assert, describe, it } from "@effect/vitest"
import type { EventContext } from "../../../src/local-gateway/books/EventContext.js"
import { booksOf, seedOfBooks } from "../../../src/local-gateway/books/SeedBooks.js"
import type { SeedContent, SeedPayment } from "../../../src/local-gateway/books/SeedSchema.js"
import { defaultSettings } from "../../../src/local-gateway/books/DefaultSettings.js"
import type { LocalGatewaySettings } from "../../../src/local-gateway/books/LocalGatewaySettings.js"
import { payerBankAccount, testCards } from "../../../src/local-gateway/books/TestCards.js"

const now = Date.UTC(2026, 0, 31, 12)
const hour = 3_600_000
const eventContext: EventContext = { now, by: "control", random: { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => 0 } }

const booksWith = (seed: SeedContent, settings: Partial<LocalGatewaySettings> = {}) =>
  booksOf(seed, eventContext, { ...defaultSettings, ...settings })

const first = ({ payments: [payment] }: Pick<ReturnType<typeof booksOf>, "payments">) => {
  assert.isDefined(payment)
  return payment
}

const [visa, electron] = testCards
const paid = { amount: 10_000, currency: "CZK", state: "PAID" } as const
const created = { ...paid, state: "CREATED" } as const
const held = { ...paid, state: "AUTHORIZED" } as const
const canceled = { ...paid, state: "CANCELED" } as const
const chosen = { ...paid, state: "PAYMENT_METHOD_CHOSEN" } as const
const byTransfer = { payment_instrument: "BANK_ACCOUNT" } as const
const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
const nothingPaid = { card: undefined, bankAccount: undefined, country: undefined, subState: undefined }

describe("What a seed leaves out of a payment", () => {
  it.each<[string, SeedPayment, object]>([
    ["is the test card of one that is paid", paid, { instrument: "PAYMENT_CARD", card: visa, country: "POL" }],
    [
      "is a bank account of one paid by transfer",
      { ...paid, ...byTransfer },
      { ...nothingPaid, bankAccount: payerBankAccount, country: "CZE", subState: "_3002" }
    ],
    [
      "is no country of a card that no one has paid with",
      { ...created, payer: { payment_card: {} } },
      { country: undefined }
    ],
    ["is no reason of a transfer that no one has made", { ...created, ...byTransfer }, { subState: undefined }],
    ["is the method of a further payment that waits", { ...created, parent_id: 13 }, { instrument: "PAYMENT_CARD" }],
    [
      "is no start of a recurrence whose card is only chosen",
      { ...chosen, recurrence },
      { recurrence: "REQUESTED", startedAt: undefined }
    ],
    [
      "is nothing of a payer that has not paid",
      created,
      { ...nothingPaid, instrument: undefined, chosenAt: undefined }
    ],
    ["is no card of one paid otherwise", { ...paid, payment_instrument: "GPAY" }, nothingPaid],
    [
      "is the method, and its reason, of one whose method is chosen",
      chosen,
      { ...nothingPaid, instrument: "PAYMENT_CARD", subState: "_101", chosenAt: now }
    ],
    ["is the reason for which a transfer waits", { ...chosen, ...byTransfer }, { ...nothingPaid, subState: "_102" }],
    ["is the reason of a cancellation", canceled, { ...nothingPaid, subState: "_5043" }],
    ["is no reason of a hold that was released", { ...canceled, preauthorization: {} }, { subState: undefined }],
    ["is the reason of a card that was only checked", { ...held, amount: 0 }, { subState: "_5001" }],
    ["is not the reason that is there", { ...canceled, sub_state: "_6501" }, { subState: "_6501" }],
    [
      "is the rest of the card that is named",
      { ...paid, payer: { payment_card: { card_number: electron.number, card_issuer_bank: "Other" } } },
      { card: { ...electron, issuerBank: "Other" }, country: "CZE", cardToken: undefined, threeDSecure: undefined }
    ],
    [
      "is the time of a hold, which is that of its creation",
      { ...held, created_at: "-PT2H" },
      { preauthorization: "AUTHORIZED", authorizedAt: now - 2 * hour, receivedAt: undefined, received: 0 }
    ],
    [
      "is the time of a capture, which is that of the hold",
      { ...paid, preauthorization: { authorized_at: "-PT1H" } },
      { preauthorization: "CAPTURED", createdAt: now - hour, authorizedAt: now - hour, receivedAt: now - hour }
    ],
    [
      "is no time of a hold that was only asked for",
      { ...created, preauthorization: {} },
      { preauthorization: "REQUESTED", authorizedAt: undefined, receivedAt: undefined }
    ],
    ["is no hold where none was asked for", paid, { preauthorization: undefined, authorizedAt: undefined }],
    [
      "is its creation, the earliest of its times",
      { ...paid, chosen_at: "-PT1H", refunds: [{ amount: 1, state: "FAILED", date_requested: "-PT3H" }] },
      { createdAt: now - 3 * hour, chosenAt: now - hour, receivedAt: now - 3 * hour }
    ],
    [
      "is its creation, now at the latest",
      { ...paid, received_at: "PT1H" },
      { createdAt: now, receivedAt: now + hour }
    ],
    [
      "is the start of a recurrence that was paid by card",
      { ...paid, received_at: "-PT1H", created_at: "-PT2H", recurrence },
      { recurrence: "STARTED", startedAt: now - hour, charges: 0 }
    ],
    [
      "is the start of a recurrence that was held",
      { ...held, created_at: "-PT2H", preauthorization: { authorized_at: "-PT1H" }, recurrence },
      { recurrence: "STARTED", startedAt: now - hour }
    ],
    [
      "is the start of a recurrence whose payment was canceled",
      { ...canceled, created_at: "-PT1H", recurrence: { ...recurrence, recurrence_state: "STARTED" } },
      { startedAt: now - hour }
    ],
    [
      "is no start of a recurrence that no one has paid",
      { ...created, recurrence },
      { recurrence: "REQUESTED", startedAt: undefined }
    ],
    [
      "is no start of a recurrence that was not paid by card",
      { ...paid, ...byTransfer, recurrence },
      { recurrence: "REQUESTED", startedAt: undefined }
    ],
    [
      "is not the number of charges that is there",
      { ...paid, recurrence: { ...recurrence, charges: 7 } },
      { charges: 7 }
    ]
  ])("%s", (_, payment, expected) => {
    assert.deepInclude(first(booksWith({ payments: [payment] })), expected)
  })

  it("is no bank account where settings show none", () => {
    const books = booksWith({ payments: [{ ...paid, ...byTransfer }] }, { transferAccount: "omitted" })
    assert.deepInclude(first(books), { bankAccount: undefined, country: "CZE" })
  })

  it("is what its stored card shows", () => {
    const cards = [{ card_id: 11, card_token: "stored", card_number: electron.number }]
    const { cards: stored, ...books } = booksWith({ cards, payments: [{ ...paid, payer: { card_id: 11 } }] })
    const shown = { card: electron, cardToken: "stored", threeDSecure: "Y/Y", storedCard: stored[0] } as const
    assert.deepInclude(first(books), shown)
    assert.notProperty(first(books).order.payer ?? {}, "card_id")
  })

  it("is taken from the parent, of a further payment, and counted there", () => {
    const callback = { return_url: "https://shop.example.com/return" }
    const parent = { ...paid, id: 13, callback, recurrence }
    const { payments } = booksWith({
      payments: [parent, { ...paid, parent_id: 13 }, { ...paid, amount: 0, parent_id: 13 }]
    })
    assert.strictEqual(payments[0]?.charges, 2)
    assert.deepInclude(payments[1], { instrument: "PAYMENT_CARD", ...nothingPaid, parentId: 13, charges: 0 })
    assert.deepInclude(payments[1]?.order, { callback })
    assert.deepInclude(payments[2], { subState: undefined })
  })

  it("are ids that are free, secrets, and places in the list", () => {
    const { cards, payments, refunds } = booksWith({
      cards: [{ card_id: 3_003_000_022 }, {}],
      payments: [paid, { ...paid, refunds: [{ id: 3_000_000_016, amount: 1, state: "FAILED" }] }, { ...paid, id: 13 }]
    })
    assert.deepStrictEqual(
      payments.map(({ id, order }) => `${id} ${order.order_number}`),
      ["3000000029 order-1", "3000000042 order-2", "13 order-3"]
    )
    assert.strictEqual(refunds[0]?.id, 3_000_000_016)
    assert.deepStrictEqual(
      cards.map(({ id }) => id),
      [3_003_000_022, 3_003_000_033]
    )
    assert.deepInclude(cards[1], { token: "A".repeat(64), fingerprint: "0".repeat(64), status: "ACTIVE", card: visa })
    assert.strictEqual(first({ payments }).payPage, "0".repeat(32))
  })
})

describe("The books of a seed", () => {
  it("count what was refunded, at its times", () => {
    const books = booksWith({
      payments: [
        {
          ...paid,
          id: 13,
          state: "PARTIALLY_REFUNDED",
          created_at: "-PT4H",
          received_at: "-PT3H",
          refunds: [
            { id: 26, amount: 1000 },
            { id: 39, amount: 500, state: "FAILED", date_requested: "-PT2H" },
            { id: 52, amount: 2000, date_requested: "-PT2H", date_last_change: "-PT1H" }
          ]
        }
      ]
    })
    assert.strictEqual(first(books).refunded, 3000)
    assert.deepStrictEqual(
      books.refunds.map(({ changedAt, id, requestedAt, state }) => [id, state, now - requestedAt, now - changedAt]),
      [
        [26, "SUCCESS", 3 * hour, 3 * hour],
        [39, "FAILED", 2 * hour, 2 * hour],
        [52, "SUCCESS", 2 * hour, hour]
      ]
    )
  })

  it("have the movements of money, oldest first", () => {
    const { movements } = booksWith({
      payments: [
        created,
        { ...paid, id: 13, amount: 1, received_at: "-PT1H" },
        { ...held, id: 26 },
        {
          ...paid,
          id: 39,
          received_at: "-PT3H",
          state: "REFUNDED",
          refunds: [{ amount: 10_000, date_requested: "-PT2H" }]
        },
        { ...paid, id: 52, preauthorization: {}, received: 0 },
        { ...paid, id: 65, received_at: "PT0S", refunds: [{ amount: 5, state: "REQUESTED" }] }
      ]
    })
    assert.deepStrictEqual(movements, [
      { at: now - 3 * hour, type: "PAYMENT", amount: 10_000, paymentId: 39 },
      { at: now - 2 * hour, type: "REFUND", amount: -10_000, paymentId: 39 },
      { at: now - hour, type: "PAYMENT", amount: 1, paymentId: 13 },
      { at: now, type: "PAYMENT", amount: 10_000, paymentId: 65 }
    ])
  })

  it("go on with what was accepted", () => {
    const refund = { id: 26, amount: 5, state: "REQUESTED" } as const
    const acceptedOf = (payment: SeedPayment) =>
      first(booksWith({ payments: [payment] }, { timeToProcessSeconds: 90 })).accepted
    const endsAt = now + 90_000
    const ofRefund = { type: "refund", amount: 5, refundId: 26 } as const
    assert.deepStrictEqual(acceptedOf({ ...paid, refunds: [refund, { amount: 1, state: "FAILED" }] }), [
      { operation: ofRefund, endsAt, end: "finished" }
    ])
    assert.deepStrictEqual(acceptedOf({ ...paid, accepted_operations: [] }), [])
    const refunds = [{ ...refund, id: 39, amount: 6 }, refund]
    assert.deepStrictEqual(
      acceptedOf({
        ...paid,
        preauthorization: {},
        refunds,
        accepted_operations: [
          { type: "refund", refund_id: 26, end: "failed", ends_at: "PT1H" },
          { type: "capture" },
          { type: "capture", amount: 7 },
          { type: "voidAuthorization" }
        ]
      }),
      [
        { operation: ofRefund, endsAt: now + hour, end: "failed" },
        { operation: { type: "capture", amount: 10_000 }, endsAt, end: "finished" },
        { operation: { type: "capture", amount: 7 }, endsAt, end: "finished" },
        { operation: { type: "voidAuthorization" }, endsAt, end: "finished" }
      ]
    )
  })
})

describe("The order of a payment", () => {
  const target = { type: "ACCOUNT", goid: 8_123_456_781 }
  const callback = { return_url: "http://localhost/" }
  const least = { amount: 10_000, currency: "CZK", order_number: "order-1", callback, target }

  it("is no more than what a seed says", () => {
    assert.deepStrictEqual<object>(first(booksWith({ payments: [created] })).order, least)
    assert.deepStrictEqual<object>(first(booksWith({ payments: [{ ...created, recurrence }] })).order, {
      ...least,
      recurrence
    })
  })

  it("does not hold what the payer paid with", () => {
    const payer = { contact: { email: "jana@example.com" }, card_id: 11, payment_card: {}, bank_account: {} }
    const { order } = first(booksWith({ payments: [{ ...held, payer }] }))
    assert.deepStrictEqual<object>(order, { ...least, payer: { contact: payer.contact }, preauthorization: true })
  })
})

describe("Books as a seed", () => {
  const again = (seed: SeedContent) => seedOfBooks(booksWith(seed))

  it("hold no more of a new payment than there is", () => {
    const { cards, payments } = again({ payments: [{ ...created, id: 13, pay_page: "page" }] })
    assert.deepStrictEqual(cards, [])
    assert.deepStrictEqual(payments, [
      {
        id: 13,
        ...created,
        order_number: "order-1",
        callback: { return_url: "http://localhost/" },
        target: { type: "ACCOUNT", goid: 8_123_456_781 },
        received: 0,
        created_at: "2026-01-31T12:00:00.000Z",
        refunds: [],
        accepted_operations: [],
        pay_page: "page"
      }
    ])
  })

  it("hold the card of a payment that named none", () => {
    const [payment] = again({ payments: [paid] }).payments
    assert.deepInclude(payment?.payer?.payment_card, { card_number: visa.number, card_brand: visa.brand })
  })

  it("hold all that was in it, where all was", () => {
    const at = (time: string) => `2026-01-${time}:00.000Z`
    const card = {
      card_number: electron.number,
      card_expiration: "2712",
      card_brand: "Brand",
      card_issuer_country: "CZE",
      card_issuer_bank: "Bank"
    }
    const common = {
      currency: "EUR",
      order_number: "2026-1",
      callback: { return_url: "https://shop.example.com/return", notification_url: "https://shop.example.com/notify" },
      target: { type: "ACCOUNT", goid: 1 },
      created_at: at("30T10:00"),
      accepted_operations: [],
      refunds: []
    } as const
    const charged = { ...recurrence, recurrence_period: 2, recurrence_state: "STARTED" } as const
    const seed = {
      merchants: [{ goid: 1, client_id: "id", client_secret: "secret" }],
      cards: [{ card_id: 11, goid: 1, ...card, card_token: "t", card_fingerprint: "f", status: "DELETED" }],
      payments: [
        {
          ...common,
          id: 13,
          amount: 700,
          order_description: "Tea",
          items: [{ name: "Tea", amount: 700 }],
          lang: "cs",
          additional_params: [{ name: "a", value: "b" }],
          state: "PARTIALLY_REFUNDED",
          sub_state: "_5001",
          payment_instrument: "PAYMENT_CARD",
          payer: {
            contact: { email: "jana@example.com" },
            payment_card: { ...card, card_token: "t", "3ds_result": "Y/Y" },
            card_id: 11
          },
          country_code: "CZE",
          recurrence: { ...charged, started_at: at("30T10:02"), charges: 3 },
          preauthorization: { state: "CAPTURED", authorized_at: at("30T10:01") },
          received: 700,
          eet_code: { fik: "f", bkp: "b", pkp: "p" },
          chosen_at: at("30T10:00"),
          received_at: at("30T10:03"),
          refunds: [
            { id: 26, amount: 1, state: "SUCCESS", date_requested: at("30T11:00"), date_last_change: at("30T11:01") },
            { id: 39, amount: 2, state: "REQUESTED", date_requested: at("30T12:00"), date_last_change: at("30T12:00") }
          ],
          accepted_operations: [
            { type: "refund", refund_id: 39, ends_at: at("31T13:00"), end: "failed" },
            { type: "capture", amount: 5, ends_at: at("31T13:00"), end: "finished" },
            { type: "voidRecurrence", ends_at: at("31T14:00"), end: "finished" }
          ],
          pay_page: "one"
        },
        {
          ...common,
          id: 52,
          parent_id: 13,
          amount: 100,
          state: "PAID",
          payment_instrument: "PAYMENT_CARD",
          received: 100,
          received_at: at("30T10:00"),
          pay_page: "two"
        },
        {
          ...common,
          id: 65,
          amount: 100,
          state: "PAID",
          sub_state: "_3002",
          payment_instrument: "BANK_ACCOUNT",
          payer: { bank_account: { iban: "CZ0000000000000000000000" } },
          country_code: "CZE",
          received: 100,
          received_at: at("30T10:00"),
          pay_page: "three"
        },
        {
          ...common,
          id: 78,
          amount: 100,
          state: "CREATED",
          recurrence: { ...charged, recurrence_state: "REQUESTED", charges: 0 },
          received: 0,
          pay_page: "four"
        },
        {
          ...common,
          id: 91,
          amount: 100,
          state: "CREATED",
          preauthorization: { state: "REQUESTED" },
          received: 0,
          pay_page: "five"
        },
        { ...common, id: 104, amount: 100, state: "CREATED", payer: {}, received: 0, pay_page: "six" },
        {
          ...common,
          id: 117,
          amount: 100,
          state: "PAID",
          payment_instrument: "PAYMENT_CARD",
          payer: { payment_card: card },
          country_code: "CZE",
          received: 100,
          received_at: at("30T10:00"),
          pay_page: "seven"
        }
      ]
    } satisfies SeedContent
    const { cards, payments } = again(seed)
    assert.deepStrictEqual(cards, seed.cards)
    for (const [place, payment] of payments.entries()) assert.deepStrictEqual(payment, seed.payments[place])
  })
})
