/**
 * The rules of payments and of the books by themselves, at their limits.
 */
import * as Random from "effect/Random"
import * as Context from "effect/Context"
import * as Result from "effect/Result"
import { describe, expect, it, vi } from "vitest"
import { Agenda } from "../../../src/local-gateway/books/Agenda.js"
import { Books } from "../../../src/local-gateway/books/Books.js"
import type { EventContext } from "../../../src/local-gateway/books/EventContext.js"
import * as Payment from "../../../src/local-gateway/books/Payment.js"
import { defaultSettings } from "../../../src/local-gateway/books/DefaultSettings.js"
import type { LocalGatewaySettings } from "../../../src/local-gateway/books/LocalGatewaySettings.js"
import { testCard } from "../../../src/local-gateway/books/TestCards.js"
import type { Refusal } from "../../../src/local-gateway/books/Refusal.js"
import type { PaymentOrder } from "../../../src/local-gateway/books/RequestDecoder.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

const goid = 8123456781
const now = Date.parse("2026-01-31T11:00:00Z")
const card = testCard("4188030000000003")

const order: PaymentOrder = {
  target: { goid },
  amount: 1_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example/return" }
}

const recurring = (change: Partial<NonNullable<PaymentOrder["recurrence"]>> = {}): PaymentOrder => ({
  ...order,
  recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2030-12-31", ...change }
})

/** A payment that is new but for these members. */
const payment = (change: Partial<Payment.Payment> = {}): Payment.Payment => ({
  ...Payment.newPayment(3_000_000_003, order, "page", now),
  ...change
})

const paid = (change: Partial<Payment.Payment> = {}) =>
  payment({ state: "PAID", received: 1_000, receivedAt: now, ...change })

const held = (change: Partial<Payment.Payment> = {}) =>
  payment({ state: "AUTHORIZED", preauthorization: "AUTHORIZED", authorizedAt: now, ...change })

const accepted = (operation: Payment.Operation, endsAt = now): Payment.AcceptedOperation => ({
  operation,
  endsAt,
  end: "finished"
})

/** What a rule gives, or the code of the refusal. */
const given = <A>(result: Result.Result<A, Refusal>): A | number | undefined =>
  Result.isSuccess(result) ? result.success : result.failure.errors[0].code

// ---------------------------------------------------------------------------------------------------------------------

describe("the agenda", () => {
  it("gives tasks by their time, and of one time in the order in which they were entered", () => {
    const agenda = new Agenda()
    const waiting: Array<{ readonly at: number; readonly name: number }> = []
    const ran: Array<number> = []
    const expected: Array<number> = []
    // Entered and taken in turns, with many of the same time.
    for (let name = 0; name < 600; name++) {
      const at = (name * 7919) % 23
      waiting.push({ at, name })
      agenda.enter(at, () => ran.push(name))
      if (name % 3 === 2) {
        agenda.take(22)?.task()
        const first = waiting.toSorted((one, other) => one.at - other.at || one.name - other.name)[0]
        expected.push(first?.name ?? -1)
        waiting.splice(
          waiting.findIndex((entry) => entry === first),
          1
        )
      }
    }
    expected.push(
      ...waiting.toSorted((one, other) => one.at - other.at || one.name - other.name).map(({ name }) => name)
    )
    for (let next = agenda.take(22); next !== undefined; next = agenda.take(22)) next.task()
    expect(ran).toEqual(expected)
  })

  it("tells of what is due before everything else, and of nothing else", () => {
    let earlier = 0
    const agenda = new Agenda(() => earlier++)
    const told = [5, 5, 7, 3, 4, 1].map((at) => {
      const before = earlier
      agenda.enter(at, () => {})
      return earlier - before
    })
    expect(told).toEqual([1, 0, 0, 1, 0, 1])
    expect(agenda.next).toBe(1)
    expect(agenda.take(0)).toBeUndefined()
    agenda.clear()
    expect([agenda.next, agenda.take(9)]).toEqual([undefined, undefined])
  })
})

describe("a payment by the payer", () => {
  it("by card is received, or held, and starts a recurrence where one was ordered", () => {
    expect(Payment.paidByCard(payment(), card, undefined, now + 1)).toMatchObject({
      state: "PAID",
      received: 1_000,
      receivedAt: now + 1,
      authorizedAt: undefined,
      recurrence: undefined,
      startedAt: undefined
    })
    expect(Payment.paidByCard(payment({ preauthorization: "REQUESTED" }), card, undefined, now + 1)).toMatchObject({
      state: "AUTHORIZED",
      received: 0,
      receivedAt: undefined,
      authorizedAt: now + 1
    })
    expect(Payment.paidByCard(payment({ recurrence: "REQUESTED" }), card, undefined, now + 1)).toMatchObject({
      recurrence: "STARTED",
      startedAt: now + 1
    })
  })

  it("by transfer comes from the Czech Republic", () => {
    expect(Payment.paidByBankTransfer(payment(), undefined, now)).toMatchObject({ country: "CZE", subState: "_3002" })
  })

  it("that is declined was by card unless another method was chosen, whose time goes on", () => {
    expect(Payment.attemptDeclined(payment(), "_5003", now + 1)).toMatchObject({
      instrument: "PAYMENT_CARD",
      chosenAt: now + 1
    })
    const chosen = payment({ instrument: "GPAY", chosenAt: now })
    expect(Payment.attemptDeclined(chosen, "_5003", now + 1)).toMatchObject({ instrument: "GPAY", chosenAt: now })
    expect(Payment.declined(payment(), "_5003").instrument).toBe("PAYMENT_CARD")
    expect(Payment.declined(chosen, "_5003").instrument).toBe("GPAY")
  })

  it("was declined last where its sub-state says so, and the payer may try again", () => {
    const last = (state: Payment.Payment["state"], subState: string | undefined) =>
      Payment.lastDecline(payment({ state, subState }))
    expect(last("PAYMENT_METHOD_CHOSEN", "_5003")).toBe("_5003")
    expect(last("PAYMENT_METHOD_CHOSEN", "_101")).toBeUndefined()
    expect(last("PAYMENT_METHOD_CHOSEN", "_102")).toBeUndefined()
    expect(last("CANCELED", "_5003")).toBeUndefined()
  })
})

describe("what can be refunded", () => {
  const amountOf = (
    one: Payment.Payment | undefined,
    amount: number,
    settings: Partial<LocalGatewaySettings> = {},
    at = now
  ) =>
    given(
      Result.map(
        Payment.amountToRefund(one, "3000000003", Result.succeed(amount), { ...defaultSettings, ...settings }, at),
        (refund) => refund.amount + 0.5
      )
    )

  it("is what has come and neither went back nor will", () => {
    const busy = paid({
      refunded: 100,
      accepted: [accepted({ type: "refund", amount: 200, refundId: 1 }), accepted({ type: "capture", amount: 300 })]
    })
    expect(Payment.refundable(busy)).toBe(700)
    const amountLeft = (amount: number) => amountOf(busy, amount, partsAtOnce)
    expect([amountLeft(700), amountLeft(701)]).toEqual([700.5, 332])
  })

  it("is nothing after a time, whatever the state", () => {
    const settings = { refundableForSeconds: 10 }
    expect(amountOf(paid(), 1_000, settings, now + 9_999)).toBe(1_000.5)
    expect(amountOf(paid(), 1_000, settings, now + 10_000)).toBe(331)
    expect(amountOf(paid({ state: "REFUNDED" }), 1_000, settings, now + 10_000)).toBe(331)
    expect(amountOf(paid({ state: "REFUNDED" }), 1_000, settings, now)).toBe(303)
  })

  it("is a part only after a while, where that is so", () => {
    const settings = { partialRefundDelaySeconds: 10 }
    expect(amountOf(paid(), 999, settings, now + 9_999)).toBe(330)
    expect(amountOf(paid(), 999, settings, now + 10_000)).toBe(999.5)
    expect(amountOf(paid(), 1_000, settings, now)).toBe(1_000.5)
    expect(amountOf(paid({ receivedAt: undefined }), 999, settings, now + 10_000)).toBe(330)
  })

  it("is unknown by its id: a number that could be one, or a wrong one", () => {
    const unknown = (id: string) =>
      given(
        Payment.amountToRefund(
          undefined,
          id,
          Result.succeed(1),
          { ...defaultSettings, unknownRefund: "byCheckDigit" },
          now
        )
      )
    expect(["13", "14", "x", " 13", "13 ", "13.0", "1".repeat(16)].map(unknown)).toEqual([
      304, 111, 111, 111, 111, 111, 111
    ])
  })
})

describe("what is held", () => {
  const captured = (one: Payment.Payment | undefined, amount: number | "all") =>
    given(Result.map(Payment.amountToCapture(one, Result.succeed(amount)), (capture) => capture.amount))

  it("can be captured once, all or a part", () => {
    expect([captured(held(), "all"), captured(held(), 1_000), captured(held(), 1)]).toEqual([1_000, 1_000, 1])
    expect(captured(held(), 1_001)).toBe(332)
    expect(captured(held({ preauthorization: "CAPTURED" }), "all")).toBe(351)
    expect(captured(held({ preauthorization: "CANCELED" }), "all")).toBe(350)
    expect(captured(undefined, "all")).toBe(350)
  })

  it("is neither captured nor released while either is under way", () => {
    for (const operation of [{ type: "capture", amount: 1 }, { type: "voidAuthorization" }] as const) {
      const busy = held({ accepted: [accepted(operation)] })
      expect([captured(busy, "all"), given(Payment.releasable(busy))]).toEqual([350, 352])
    }
    const other = held({ accepted: [accepted({ type: "voidRecurrence" })] })
    expect([captured(other, "all"), given(Payment.releasable(other))]).toEqual([1_000, other])
  })
})

describe("a recurrence", () => {
  const stoppable = (
    recurrence: Payment.Payment["recurrence"],
    settings: Partial<LocalGatewaySettings> = {},
    busy = false
  ) =>
    given(
      Result.map(
        Payment.stoppable(payment({ recurrence, accepted: busy ? [accepted({ type: "voidRecurrence" })] : [] }), {
          ...defaultSettings,
          ...settings
        }),
        () => 0
      )
    )

  it("can be stopped once it has started, and before that where the gateway accepts it", () => {
    expect([stoppable("STARTED"), stoppable("STOPPED"), stoppable(undefined)]).toEqual([0, 342, 340])
    expect(stoppable("STARTED", {}, true)).toBe(340)
    const lenient = { voidUnpaidRecurrence: "accepted" } as const
    expect(stoppable("REQUESTED", { voidUnpaidRecurrence: "refused" })).toBe(340)
    expect([stoppable("REQUESTED", lenient), stoppable("STOPPED", lenient), stoppable(undefined, lenient)]).toEqual([
      0, 342, 340
    ])
  })
})

describe("an operation that was accepted", () => {
  it("is done, unless something else has happened meanwhile", () => {
    const states = (one: Payment.Payment, operation: Payment.Operation) => Payment.done(one, operation, now)?.state
    expect(states(held(), { type: "voidAuthorization" })).toBe("CANCELED")
    expect(states(paid({ preauthorization: "CAPTURED" }), { type: "voidAuthorization" })).toBeUndefined()
    expect(states(held(), { type: "capture", amount: 1 })).toBe("PAID")
    expect(states(paid({ preauthorization: "CAPTURED" }), { type: "capture", amount: 1 })).toBeUndefined()
    const stop = { type: "voidRecurrence" } as const
    expect(Payment.done(paid({ recurrence: "STARTED" }), stop, now)?.recurrence).toBe("STOPPED")
    expect(Payment.done(paid({ recurrence: "STOPPED" }), stop, now)).toBeUndefined()
  })
})

describe("what happens next to a payment", () => {
  const next = (one: Payment.Payment) => {
    const event = Payment.nextEvent(one, defaultSettings)
    return event && `${event.type} ${new Date(event.at).toISOString().slice(0, 16)}`
  }

  const started = (startedAt: string, change: Partial<NonNullable<PaymentOrder["recurrence"]>>, charges = 0) =>
    next(paid({ order: recurring(change), recurrence: "STARTED", startedAt: Date.parse(startedAt), charges }))

  const daily = (recurrence_date_to: string) =>
    ({ recurrence_cycle: "DAY", recurrence_period: 1, recurrence_date_to }) as const

  it("is a charge until the last day is over in Prague, then the recurrence's end", () => {
    expect(started("2026-01-01T12:00:00Z", daily("2026-01-02"))).toBe("charge 2026-01-02T12:00")
    expect(started("2026-01-01T12:00:00Z", daily("2026-01-02"), 1)).toBe("recurrenceEnd 2026-01-02T23:00")
    expect(started("2026-01-01T22:59:00Z", daily("2026-01-02"))).toBe("charge 2026-01-02T22:59")
    expect(started("2026-01-01T23:00:00Z", daily("2026-01-02"))).toBe("recurrenceEnd 2026-01-02T23:00")
    expect(started("2026-01-01T23:30:00Z", daily("2026-01-02"))).toBe("recurrenceEnd 2026-01-02T23:00")
    const far = { ...daily("2026-01-02"), recurrence_period: 1_000_000_000_000 }
    expect(started("2026-01-01T12:00:00Z", far)).toBe("recurrenceEnd 2026-01-02T23:00")
    const monthly = { ...far, recurrence_cycle: "MONTH" } as const
    expect(started("2026-01-01T12:00:00Z", monthly)).toBe("recurrenceEnd 2026-01-02T23:00")
  })

  it("is of several at one time what was accepted", () => {
    const releasedAt = now + defaultSettings.authorizationLifetimeSeconds * 1000
    const busy = held({ accepted: [accepted({ type: "capture", amount: 1 }, releasedAt)] })
    expect(next(busy)?.split(" ")[0]).toBe("operationEnd")
    expect(next(held())?.split(" ")[0]).toBe("release")
  })
})

// ---------------------------------------------------------------------------------------------------------------------

/** Books, and everything that they tell. */
const open = (settings: Partial<LocalGatewaySettings> = {}) => {
  const agenda = new Agenda()
  const changed = vi.fn<() => void>()
  const operations: Array<string> = []
  const eventContextAt = (at: number): EventContext => ({
    now: at,
    by: "merchant",
    random: Context.get(Context.empty(), Random.Random)
  })
  const books = new Books({
    agenda,
    settings: () => ({ ...defaultSettings, ...partsAtOnce, ...settings }),
    eventContextAt,
    onChange: changed,
    onPaymentChange: () => {},
    onOperation: (_, { type }, result) => operations.push(`${type} ${result}`)
  })
  const pass = (until: number) => {
    for (let due = agenda.take(until); due !== undefined; due = agenda.take(until)) due.task()
  }
  return { agenda, books, changed, eventContext: eventContextAt(now), eventContextAt, operations, pass }
}

describe("the books", () => {
  it("find a payment by its id alone", () => {
    const { books, eventContext } = open()
    const { id } = books.createPayment(order, eventContext)
    expect([id, String(id)].map((one) => books.payment(one)?.id)).toEqual([id, id])
    for (const other of [` ${id}`, `${id} `, `${id}.0`, `+${id}`, "x", ""]) expect(books.payment(other)).toBeUndefined()
  })

  it("make up addresses and tokens that no one guesses", () => {
    const { books, eventContext } = open()
    const first = books.createPayment(recurring(), eventContext)
    const parent = books.payByCard(
      { ...first, order: { ...first.order, payer: { request_card_token: true } } },
      card,
      eventContext
    )
    const child = books.createRecurrence(goid, String(parent.id), Result.succeed(order), eventContext)
    expect(Result.getOrThrow(child).payPage).toMatch(/^[0-9a-f]{32}$/)
    expect(parent.storedCard?.token).toMatch(/^[A-Za-z0-9+/]{64}$/)
    expect(parent.storedCard?.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  it("pay with the card whose token the order has, not with another one of the same shop", () => {
    const { books, eventContext } = open()
    const asking = { ...order, payer: { request_card_token: true } }
    const [first, second] = [card, testCard("4444444444444448")].map((one) =>
      books.payByCard(books.createPayment(asking, eventContext), one, eventContext)
    )
    const withToken = (token: string) =>
      books.presentedCard(books.createPayment({ ...order, payer: { allowed_card_token: token } }, eventContext))
    expect(withToken(second?.storedCard?.token ?? "")?.id).toBe(second?.storedCard?.id)
    expect(withToken(first?.storedCard?.token ?? "")?.id).toBe(first?.storedCard?.id)
    expect(withToken("another")).toBeUndefined()
    expect(books.presentedCard(books.createPayment(order, eventContext))).toBeUndefined()
  })

  it("charge a card until the month in which it expires is over in Prague", () => {
    const charged = (at: string, expiration: string) => {
      const { books, eventContext, eventContextAt } = open()
      const parent = books.payByCard(
        books.createPayment(recurring(), eventContext),
        { ...card, expiration },
        eventContext
      )
      const id = Result.getOrThrow(
        books.createRecurrence(goid, String(parent.id), Result.succeed(order), eventContextAt(Date.parse(at)))
      ).id
      return [books.payment(id)?.state, books.payment(id)?.subState]
    }
    const expired = ["CANCELED", "_5007"]
    const fine = ["PAID", undefined]
    expect(charged("2026-11-30T12:00:00Z", "2612")).toEqual(fine)
    expect(charged("2026-12-31T12:00:00Z", "2612")).toEqual(fine)
    expect(charged("2026-12-31T22:59:59Z", "2612")).toEqual(fine)
    expect(charged("2026-12-31T23:00:00Z", "2612")).toEqual(expired)
    expect(charged("2027-01-01T00:00:00Z", "2612")).toEqual(expired)
    expect(charged("2028-02-28T22:59:59Z", "2802")).toEqual(fine)
    expect(charged("2028-02-29T22:59:59Z", "2802")).toEqual(fine)
    expect(charged("2028-02-29T23:00:00Z", "2802")).toEqual(expired)
  })

  it("tell of each operation, when it was accepted, done or has failed, and change its refund", () => {
    const outcomes = (["finished", "failed", "acceptedThenFinished", "acceptedThenFailed"] as const).map((refund) => {
      const { books, changed, eventContext, operations, pass } = open({ refund, timeToProcessSeconds: 1 })
      const { id } = books.payByCard(books.createPayment(order, eventContext), card, eventContext)
      changed.mockClear()
      books.refund(goid, String(id), Result.succeed(1_000), eventContext)
      pass(now + 1_000)
      expect(changed).toHaveBeenCalled()
      return [operations.join(", "), ...books.content().refunds.map(({ state }) => state), books.payment(id)?.state]
    })
    expect(outcomes).toEqual([
      ["refund finished", "SUCCESS", "REFUNDED"],
      ["refund failed", "FAILED", "PAID"],
      ["refund accepted, refund finished", "SUCCESS", "REFUNDED"],
      ["refund accepted, refund failed", "FAILED", "PAID"]
    ])
  })

  it("enter in the agenda once what is due at a time", () => {
    const { agenda, books, eventContext } = open()
    books.createPayment(order, eventContext)
    books.reschedule()
    expect(agenda.take(Infinity)).toBeDefined()
    expect(agenda.take(Infinity)).toBeUndefined()
  })

  it("go on from their content as if they had gone on", () => {
    const first = open()
    const asking = { ...order, payer: { request_card_token: true } }
    const { id } = first.books.payByCard(
      first.books.createPayment(asking, first.eventContext),
      card,
      first.eventContext
    )
    first.books.refund(goid, String(id), Result.succeed(400), first.eventContext)
    const open2 = first.books.createPayment(order, first.eventContext)
    const content = first.books.content()
    expect(content.movements).toEqual([
      { at: now, type: "PAYMENT", amount: 1_000, paymentId: id },
      { at: now, type: "REFUND", amount: -400, paymentId: id }
    ])

    const second = open()
    second.books.createPayment(order, second.eventContext)
    // The second round shows that nothing of the first is left. Movements of a payment that does not exist are dropped.
    for (const movements of [
      [],
      [...content.movements, { at: now, type: "PAYMENT", amount: 1, paymentId: 7 }]
    ] as const) {
      second.changed.mockClear()
      second.books.replace({ ...content, movements })
      expect(second.changed).toHaveBeenCalledOnce()
    }
    expect(second.books.content()).toEqual(content)
    expect(second.books.movementsOf(goid)).toHaveLength(2)
    expect(second.books.paymentAtPage(open2.payPage)?.id).toBe(open2.id)
    const nextIds = [first, second].map(({ books, eventContext }) => {
      const { storedCard } = books.payByCard(books.createPayment(asking, eventContext), card, eventContext)
      return storedCard?.id
    })
    expect(nextIds[0]).toBe(nextIds[1])
    second.pass(now + defaultSettings.timeToPaySeconds * 1000)
    expect(second.books.payment(open2.id)?.state).toBe("TIMEOUTED")
  })

  it("forget one merchant's payments, pay pages, cards, refunds and movements, and nothing of another's", () => {
    const { books, changed, eventContext } = open()
    const [first, second] = [goid, 7].map((merchant) => {
      const asking = { ...order, target: { goid: merchant }, payer: { request_card_token: true } }
      const { id } = books.payByCard(books.createPayment(asking, eventContext), card, eventContext)
      books.refund(merchant, String(id), Result.succeed(400), eventContext)
      return books.payment(id)
    })
    changed.mockClear()
    expect([...books.forget(goid)]).toEqual([first?.id])
    expect(changed).toHaveBeenCalledOnce()
    expect(books.paymentAtPage(first?.payPage ?? "")).toBeUndefined()
    expect(books.paymentAtPage(second?.payPage ?? "")?.id).toBe(second?.id)
    expect([books.movementsOf(goid).length, books.movementsOf(7).length]).toEqual([0, 2])
    const { cards, payments, refunds } = books.content()
    expect(cards.map((one) => one.goid)).toEqual([7])
    expect(payments.map(({ id }) => id)).toEqual([second?.id])
    expect(refunds.map(({ paymentId }) => paymentId)).toEqual([second?.id])
  })

  it("charge a recurrence whose card they do not know", () => {
    const { books, eventContext } = open()
    const started = paid({ order: recurring(), recurrence: "STARTED", startedAt: now })
    books.replace({ payments: [started], cards: [], refunds: [], movements: [], recurrences: [] })
    const child = Result.getOrThrow(
      books.createRecurrence(goid, String(started.id), Result.succeed(order), eventContext)
    )
    expect(books.payment(child.id)?.state).toBe("PAID")
  })
})
