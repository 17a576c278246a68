import Database from "libsql"
import { execFile } from "node:child_process"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { PaymentEvent, SqliteTransaction, SubscriptionEvent } from "../../../src/ledger/promise/index.js"
import { createTestShop, type TestShop, type TestShopOptions } from "../../../src/testing/promise/index.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

let shop: TestShop | undefined

afterEach(() => shop?.close())

const opened = async (options: TestShopOptions = {}) =>
  (shop = await createTestShop({ driver: Database, gateway: partsAtOnce, ...options }))

/** A shop that ships each order when it is paid. */
const shipping = (): TestShopOptions => ({
  prepare: (store) => store.query("CREATE TABLE shipment (order_number TEXT)", []),
  onPayment: async ({ order, status, tx }: PaymentEvent<SqliteTransaction>) => {
    if (status === "paid") await tx.query("INSERT INTO shipment VALUES (?)", [order.orderNumber])
  }
})

const ordered = async ({ callback, ledger }: TestShop, number = "1") => {
  const order = await ledger.checkout(number, { amount: 50_000, currency: "CZK", callback })
  return order.status === "open" ? order.paymentId : expect.unreachable("the order has no payment")
}

const paid = async (open: TestShop) => {
  const id = await ordered(open)
  await open.pay(id)
  return id
}

const refundsOf = async (open: TestShop, id: number | string) =>
  (await open.gateway.getPaymentRefunds(id)).map(({ amount }) => amount)

describe("a test shop", () => {
  it("ships a paid order once, however often it is notified", async () => {
    const open = await opened(shipping())
    const id = await paid(open)
    expect(await open.store.query("SELECT * FROM shipment", [])).toHaveLength(1)
    expect(await open.deliverTwice(id)).toEqual([200, 200])
    await open.advance("3 days")
    expect(await open.store.query("SELECT * FROM shipment", [])).toEqual([{ order_number: "1" }])
  })

  it("lets a handler read the store while its transaction is open", async () => {
    const read: Array<unknown> = []
    const open = await opened({
      onPayment: async () => {
        const begun = Date.now()
        while (Date.now() === begun) await setImmediate()
        read.push(...(await open.store.query("SELECT order_number FROM gopay_payment", [])))
      }
    })
    await paid(open)
    expect(read).toEqual([{ order_number: "1" }])
  })

  it("finds a payment by the sweep when no notification comes", async () => {
    const open = await opened({ ...shipping(), gateway: { notificationCopies: 0 } })
    const id = await ordered(open)
    await open.pay(id)
    expect(await open.store.query("SELECT * FROM shipment", [])).toEqual([])
    await open.advance("1 day")
    expect(await open.store.query("SELECT * FROM shipment", [])).toHaveLength(1)
  })

  it("moves the shop, the gateway and the store by the same time", async () => {
    const open = await opened()
    const id = await ordered(open)
    const before = open.now().getTime()
    await open.advance("6 days")
    expect(open.now().getTime() - before).toBeGreaterThanOrEqual(6 * 86_400_000)
    expect((await open.gateway.getPayment(id)).state).toBe("TIMEOUTED")
    expect((await open.ledger.getOrder("1"))?.status).toBe("closed")
  })

  it.each([
    ["beforeSending", [], "InDoubt"],
    ["afterSending", [20_000], "Done"]
  ] as const)("refunds once at most when it is killed %s", async (point, refunds, outcome) => {
    const open = await opened()
    const id = await paid(open)
    const killed = open.ledger
    await open.killDuring(point, () => open.ledger.refund("r1", id, { amount: 20_000 }))
    expect(open.ledger).not.toBe(killed)
    await open.advance("1 day")
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe(outcome)
    expect(await refundsOf(open, id)).toEqual(refunds)
    expect(open.story().join("\n")).toContain("process 1 is killed")
  })

  it("refuses a part on the day of the payment as GoPay does, and says how to go on", async () => {
    const open = await opened({ gateway: {} })
    const id = await paid(open)
    expect(await open.ledger.refund("r1", id, { amount: 20_000 })).toMatchObject({
      _tag: "Refused",
      code: 330,
      message: expect.stringMatching(/a test shop's advance.* or set partialRefundDelaySeconds to 0/)
    })
    await open.advance("1 day")
    expect(await open.ledger.refund("r1-2", id, { amount: 20_000 })).toMatchObject({ _tag: "Done" })
    expect(await refundsOf(open, id)).toEqual([20_000])
  })

  it("refunds once when the response is lost", async () => {
    const open = await opened()
    const id = await paid(open)
    open.loseNextResponse()
    await open.store.transaction((tx) => open.ledger.submit(tx, "r1", { refund: id, amount: 20_000 }))
    await open.advance(0)
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe("InDoubt")
    await open.advance("1 day")
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe("Done")
    expect(await refundsOf(open, id)).toEqual([20_000])
    expect(open.story().join("\n")).toContain("its response is lost")
  })

  it("sells an order once when the response to its payment is lost", async () => {
    const open = await opened(shipping())
    open.loseNextResponse()
    const checkout = open.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback: open.callback })
    await open.advance("1 hour")
    const order = await checkout
    expect(order.status).toBe("open")
    await open.pay(order.paymentId ?? 0)
    await open.advance("3 days")
    // The first one was made, and nobody was given it to pay.
    const states = (await open.local.listPayments()).map(({ state }) => state)
    expect(states.toSorted()).toEqual(["PAID", "TIMEOUTED"])
    expect(await open.store.query("SELECT * FROM shipment", [])).toEqual([{ order_number: "1" }])
  })

  it.each(["2024-02-28T12:00:00Z", "2031-12-31T23:30:00Z"])("starts at %s, with its gateway", async (time) => {
    const open = await opened({ startAt: new Date(time) })
    const since = Date.parse(time)
    expect(open.now().getTime() - since).toBeLessThan(60_000)
    const id = await paid(open)
    open.loseNextResponse()
    await open.store.transaction((tx) => open.ledger.submit(tx, "r1", { refund: id, amount: 20_000 }))
    await open.advance("1 day")
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe("Done")
    const days = (await open.gateway.getPaymentRefunds(id)).map(({ date_requested }) =>
      String(date_requested).slice(0, 10)
    )
    expect(days).toEqual([new Date(since + 3_600_000).toISOString().slice(0, 10)])
    expect(open.story()[0]).toMatch(/^day 0 00:00:0/)
  })

  it("charges a period on its day, by the time that it started at", async () => {
    const events: Array<string> = []
    const open = await opened({
      startAt: new Date("2024-01-31T12:00:00Z"),
      onSubscription: async ({ period, type }) => void events.push([type, period?.period].join(" ").trim())
    })
    const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
    const first = { amount: 50_000, currency: "CZK", callback: open.callback, recurrence } as const
    const order = await open.ledger.checkout("s1", first)
    await open.pay(order.paymentId ?? 0)
    await open.ledger.createSubscription("s1", { orderNumber: "s1", maximum: 50_000, currency: "CZK" })
    await open.ledger.chargePeriod("s1", "2024-02", { amount: 50_000, dayOfMonth: 31 })
    await open.advance("28 days")
    expect(events).toEqual(["started"])
    await open.advance("1 day")
    expect(events).toEqual(["started", "paid 2024-02"])
  })

  it.each([new Date("x"), "2027-01-01", 0])("refuses to start at %s", async (startAt: unknown) => {
    // @ts-expect-error What is not a Date comes from JavaScript.
    await expect(createTestShop({ driver: Database, startAt })).rejects.toThrow(
      /^createTestShop: startAt must be a valid Date, such as new Date\("2027-03-27T12:00:00Z"\)\.$/
    )
  })

  it("settles a refund that someone waits for and whose response was lost, when time passes", async () => {
    const open = await opened()
    const id = await paid(open)
    open.loseNextResponse()
    const refund = open.ledger.refund("r1", id, { amount: 20_000 })
    await open.advance(0)
    expect(open.story().slice(-2)).toEqual([
      expect.stringContaining("its response is lost"),
      expect.stringContaining(`a notification of payment ${id}`)
    ])
    await open.advance("1 hour")
    expect((await refund)._tag).toBe("Done")
    expect(await refundsOf(open, id)).toEqual([20_000])
  })

  it("loses one response, and not the one after it", async () => {
    const open = await opened()
    const id = await paid(open)
    open.loseNextResponse()
    const lost = open.ledger.refund("r1", id, { amount: 20_000 })
    await open.advance("1 hour")
    await lost
    expect((await open.ledger.refund("r2", id, { amount: 10_000 }))._tag).toBe("Done")
    expect(open.story().filter((line) => line.includes("its response is lost"))).toHaveLength(1)
  })

  it("lets nothing of a killed process go on", async () => {
    const open = await opened()
    const id = await paid(open)
    const { gateway, ledger } = open
    await open.killDuring("afterSending", () => ledger.refund("r1", id, { amount: 20_000 }))
    const ended: Array<string> = []
    for (const [name, call] of [
      ["read", gateway.getPayment(id)],
      ["refund", gateway.refundPayment(id, { amount: 1_000 })],
      ["outcome", ledger.getOutcome("r1")]
    ] as const) {
      const end = () => void ended.push(name)
      void call.then(end, end)
    }
    await open.advance("1 day")
    expect(ended).toEqual([])
    expect(await refundsOf(open, id)).toEqual([20_000])
  })

  it("has several processes over one store, which do a thing once whichever is asked", async () => {
    const open = await opened({ ...shipping(), processes: 2, onAttention: () => {} })
    const id = await paid(open)
    expect(await open.deliverTwice(id)).toEqual([200, 200])
    expect(await open.store.query("SELECT * FROM shipment", [])).toHaveLength(1)
    const outcomes = await Promise.all(open.ledgers.map((ledger) => ledger.refund("r1", id, { amount: 20_000 })))
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Done", "Done"])
    expect(await refundsOf(open, id)).toEqual([20_000])
    const deliveries = open.story().flatMap((line) => /is answered with 200 by (.*)$/.exec(line)?.[1] ?? [])
    expect(new Set(deliveries)).toEqual(new Set(["process 1", "process 2"]))
  })

  it("runs the worker of each process, in turn", async () => {
    const open = await opened({ processes: 3 })
    for (const number of ["1", "2", "3"]) {
      const id = await ordered(open, number)
      await open.pay(id)
      await open.store.transaction((tx) => open.ledger.submit(tx, number, { refund: id, amount: 20_000 }))
      await open.advance(0)
    }
    const refunds = open.story().flatMap((line) => /(process \d) sends POST .*refund/.exec(line)?.[1] ?? [])
    expect(refunds.toSorted()).toEqual(["process 1", "process 2", "process 3"])
  })

  it("kills the process that sends, and not the other one", async () => {
    const open = await opened({ processes: 2, onAttention: () => {} })
    const id = await paid(open)
    const [first, second] = open.ledgers
    await open.killDuring("afterSending", async () => second?.refund("r1", id, { amount: 20_000 }))
    expect(open.ledgers[0]).toBe(first)
    expect(open.ledgers[1]).not.toBe(second)
    await open.advance("1 hour")
    expect((await first?.getOutcome("r1"))?._tag).toBe("Done")
    expect(await refundsOf(open, id)).toEqual([20_000])
    expect(open.story().filter((line) => line.includes("is killed"))).toEqual([
      expect.stringMatching(/process 2 is killed after sending a change$/)
    ])
  })

  it.each([0, 1.5, NaN])("refuses to have %s processes", async (processes) => {
    await expect(opened({ processes })).rejects.toThrow("createTestShop: processes must be a whole number from 1.")
  })

  it("leaves nothing that keeps Node.js alive when it is closed, though its processes were killed", async () => {
    const args = ["--import", "tsx", "test/testing/promise/EndingShops.ts"]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
    expect(stdout).toBe("killed beforeSending\nkilled afterSending\n")
  })

  it("stops the time that passes when the process is killed", async () => {
    const open = await opened({ onAttention: () => {} })
    const id = await paid(open)
    await open.store.transaction((tx) => open.ledger.submit(tx, "r1", { refund: id, amount: 20_000 }))
    const before = open.now().getTime()
    await open.killDuring("afterSending", () => open.advance("3 days"))
    await open.advance("1 hour")
    await open.advance("1 hour")
    expect(open.now().getTime() - before).toBeLessThan(3 * 3_600_000)
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe("Done")
  })

  it.each(["3 fortnights", "tomorrow", -1, NaN])("refuses to advance by %s", async (duration) => {
    const open = await opened()
    const advance: (duration: never) => Promise<void> = open.advance
    await expect(Reflect.apply(advance, open, [duration])).rejects.toThrow(`advance: ${duration} is not a duration`)
  })

  it("refuses options and points that do not exist", async () => {
    const misspelt: TestShopOptions = Object({ onPayments: () => {} })
    await expect(opened(misspelt)).rejects.toThrow("createTestShop: there is no option onPayments.")
    const open = await opened()
    await expect(Reflect.apply(open.killDuring, open, ["sending", () => {}])).rejects.toThrow(
      "killDuring: sending is neither"
    )
  })

  it("refuses to open under fake timers", async () => {
    vi.useFakeTimers()
    await expect(opened()).rejects.toThrow("createTestShop: turn fake timers off.")
    vi.useRealTimers()
  })

  it("delivers a notification twice, the second before the first is answered", async () => {
    const events: Array<string> = []
    const open = await opened({
      onNotification: async (request) => {
        events.push(`arrives ${new URL(request.url).searchParams.get("id")}`)
        await setImmediate()
        events.push("is answered")
        return new Response(null, { status: 200 })
      }
    })
    const id = await ordered(open)
    expect(await open.deliverTwice(id)).toEqual([200, 200])
    expect(events).toEqual([`arrives ${id}`, `arrives ${id}`, "is answered", "is answered"])
  })

  it("receives notifications in the order in which they are sent, also when the first is answered late", async () => {
    const ids: Array<number | string> = []
    const events: Array<string> = []
    const open = await opened({
      gateway: { notificationDelaySeconds: 60 },
      onNotification: async (request) => {
        const order = ids.findIndex((id) => request.url.endsWith(`?id=${id}`)) + 1
        events.push(`${order} arrives`)
        for (let late = 30; late > 10 * order; late--) await setImmediate()
        events.push(`${order} is answered`)
        return new Response(null, { status: 200 })
      }
    })
    for (const number of ["1", "2", "3"]) ids.push(await ordered(open, number))
    for (const id of ids) await open.local.payByCard(id)
    await open.local.deliverNotifications()
    expect(events).toEqual(ids.flatMap((_, index) => [`${index + 1} arrives`, `${index + 1} is answered`]))
  })

  it("tells what was sent, what came of it, and what the handlers were called with", async () => {
    vi.spyOn(console, "error").mockReturnValue()
    let failures = 0
    const open = await opened({
      onPayment: () => {
        if (failures++ === 0) throw new Error("The warehouse is closed.")
      },
      onChange: () => {},
      onAttention: () => {}
    })
    const id = await paid(open)
    open.tell("the warehouse opens")
    await open.deliverTwice(id)
    await open.ledger.refund("r1", id, { amount: 20_000 })
    await open.advance("1 minute")
    const reported = open.story().map((line) => line.replace(/^day \d+ \S+ /, ""))
    expect(reported.filter((line) => !line.startsWith("a notification"))).toEqual([
      `process 1 sends POST /payments/payment (order 1, 50000 CZK): payment ${id}`,
      `payment ${id} is paid by card`,
      "onPayment: order 1 is paid, and the handler fails: The warehouse is closed.",
      "onPayment: order 1 is paid",
      "the warehouse opens",
      `process 1 sends POST /payments/payment/${id}/refund (20000): FINISHED`,
      "time moves by 1 minute",
      "onPayment: order 1 is partiallyRefunded, 20000 refunded",
      "onChange: r1 is Done"
    ])
    vi.restoreAllMocks()
  })

  it("does not stop for each look of a refund that waits for another one", async () => {
    const open = await opened({ onAttention: () => {} })
    const id = await paid(open)
    await open.killDuring("beforeSending", () => open.ledger.refund("r1", id, { amount: 1_000 }))
    for (const key of ["r2", "r3", "r4", "r5", "r6"]) {
      await open.store.transaction((tx) => open.ledger.submit(tx, key, { refund: id, amount: 1_000 }))
      await open.advance("1 minute")
    }
    await open.advance("1 hour")
    const moves = vi.spyOn(open.local, "advanceTime")
    await open.advance("6 hours")
    expect(moves.mock.calls.length).toBeLessThan(60)
    vi.restoreAllMocks()
  })

  it("says when nothing was there to be killed", async () => {
    const open = await opened()
    await expect(open.killDuring("afterSending", () => open.ledger.getHealth())).rejects.toThrow("sent no change")
  })
})

/** A shop with a started subscription, and its reported events, with their times. */
const subscribed = async () => {
  const reported: Array<{ readonly type: string; readonly period: string | undefined; readonly at: number }> = []
  const open = await opened({
    onSubscription: async ({ period, type }: SubscriptionEvent<SqliteTransaction>) => {
      reported.push({ type, period: period?.period, at: open.now().getTime() })
    }
  })
  const checkout = await open.ledger.checkout("1", {
    amount: 50_000,
    currency: "CZK",
    callback: open.callback,
    recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" }
  })
  const first = checkout.status === "open" ? checkout.paymentId : expect.unreachable("the order has no payment")
  await open.pay(first)
  await open.ledger.createSubscription("abo", { orderNumber: "1", maximum: 50_000, currency: "CZK" })
  await open.advance(0)
  expect(reported.splice(0).map(({ type }) => type)).toEqual(["started"])
  const now = open.now()
  /** A month that has not begun, by how many there are between. */
  const month = (later: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2 + later, 1)).toISOString().slice(0, 7)
  /** Asks for the charge of a month. Returns the time from which it is due. */
  const charged = async (period: string) => {
    const { nextAttemptAt = "" } = await open.ledger.chargePeriod("abo", period, { amount: 29_900 })
    return Date.parse(nextAttemptAt)
  }
  return { open, first, reported, month, charged }
}

const soonAfter = (time: number) => ({
  asymmetricMatch: (at: number) => at >= time && at < time + 30 * 60_000,
  toString: () => `soon after ${new Date(time).toISOString()}`
})

describe("a subscription of a test shop", () => {
  it("is charged when its months are due, again two days after a decline, and not when it is cancelled", async () => {
    const { charged, first, month, open, reported } = await subscribed()
    const january = await charged(month(0))
    const february = await charged(month(1))
    await charged(month(2))

    await open.advance(january - open.now().getTime() + 10 * 86_400_000)
    expect(reported.splice(0)).toEqual([{ type: "paid", period: month(0), at: soonAfter(january) }])

    await open.local.changeSettings({ recurrenceChild: "declined" })
    await open.advance(february - open.now().getTime() + 86_400_000)
    await open.local.changeSettings({ recurrenceChild: "paid" })
    await open.advance("9 days")
    expect(reported.splice(0)).toEqual([
      { type: "declined", period: month(1), at: soonAfter(february) },
      { type: "paid", period: month(1), at: soonAfter(february + 2 * 86_400_000) }
    ])

    expect((await open.ledger.cancelSubscription("abo"))._tag).toBe("Cancelled")
    await open.advance("40 days")
    expect(reported.map(({ type }) => type)).toEqual(["cancelled"])
    expect((await open.gateway.getPayment(first)).recurrence?.recurrence_state).toBe("STOPPED")
    const children = (await open.local.listPayments()).filter(({ parent_id }) => parent_id === first)
    expect(children.map(({ state }) => state)).toEqual(["PAID", "CANCELED", "PAID"])
  })

  it("tells when the last month of its card begins", async () => {
    const { open, reported } = await subscribed()
    const { cardExpires = "" } = (await open.ledger.getSubscription("abo")) ?? {}
    // Midnight in Prague is an hour or two before that of UTC.
    const begins = Date.parse(`${cardExpires}-01T00:00:00Z`)
    await open.advance(begins - open.now().getTime() - 7 * 3_600_000)
    expect(reported).toEqual([])
    await open.advance("100 days")
    const [expires] = reported
    expect(expires?.type).toBe("cardExpires")
    expect(Math.abs((expires?.at ?? 0) - begins)).toBeLessThan(3 * 3_600_000)
  })
})
