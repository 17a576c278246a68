import { describe, expect, it } from "vitest"
import {
  type BookedOrder,
  type ExpectedMovement,
  parseStatement,
  reconcileStatement,
  type ParsedStatement,
  type StatementMovement
} from "../../src/statement/index.js"
import { isThorough } from "../support/Runs.js"
import { growthOf } from "../support/Steps.js"
import { abo, clearingXml, csvB, csvBHead, utf8 } from "./files.js"

type Line = readonly [day: string, type: string, reference: string, amount: number, id?: string]

const decimal = (amount: number): string => (amount / 100).toFixed(2).replace(".", ",")

/** GoPay has not said how it writes them. */
const creditNote = "dobropis"

/** A CSV_B with these movements, whose balances begin with `opening`. */
const csv = (lines: ReadonlyArray<Line>, opening = 0, currency = "CZK"): ParsedStatement => {
  let balance = opening
  const rows = lines.map(([day, type, reference, amount, id = ""]) => {
    const before = balance
    balance += amount
    const [year, month, date] = day.split("-")
    return `${id};${date}.${month}.${year} 12:00;${type};;;;;;${reference};${decimal(amount)};${decimal(before)};${decimal(balance)};${currency};`
  })
  return parseStatement(csvB([csvBHead, ...rows]), { currency, types: { [creditNote]: "CreditNote" } })
}

const payment = "GOPAY-platba"
const refund = "GOPAY-storno-platby"
const payout = "GOPAY-vyuctovani"
const fee = "GOPAY-popl"

/** A line at the end of the month that makes all of June due. */
const untilJuly: Line = ["2026-07-03", "GOPAY-DOBITI-UCTU", "", 1]

const order = (
  orderNumber: string,
  amount: number,
  paidOn: string,
  more: Partial<BookedOrder["payments"][number]> = {}
): BookedOrder => ({
  orderNumber,
  currency: "CZK",
  payments: [{ amount, paidOn, ...more }]
})

const keys = (expected: ReadonlyArray<ExpectedMovement>) =>
  expected.map(({ amount, orderNumber }) => [orderNumber, amount])
const named = (movements: ReadonlyArray<StatementMovement>) =>
  movements.map(({ amount, orderNumber }) => [orderNumber, amount])

describe("Statements and books that agree", () => {
  it("match payments and refunds by order number, and say so", () => {
    const result = reconcileStatement(
      csv([
        ["2026-06-01", payment, "A-1", 139_950],
        ["2026-06-02", payment, "A-2", 100],
        ["2026-06-05", refund, "A-1", -50],
        untilJuly
      ]),
      {
        orders: [
          order("A-1", 139_950, "2026-06-01", { refunds: [{ amount: 50, requestedOn: "2026-06-05" }] }),
          order("A-2", 100, "2026-06-02")
        ]
      }
    )
    expect(result.agrees).toBe(true)
    expect(result.matched.map(({ by, expected, movement }) => [by, expected._tag, movement.line])).toEqual([
      ["orderNumber", "Payment", 2],
      ["orderNumber", "Payment", 3],
      ["orderNumber", "Refund", 4]
    ])
    expect(result.topUps).toHaveLength(1)
  })

  it("match a captured hold with less, where the books do not know how much was captured", () => {
    const held = (more: Partial<BookedOrder["payments"][number]>) =>
      reconcileStatement(csv([["2026-06-02", payment, "A-1", 600], untilJuly]), {
        orders: [order("A-1", 1_000, "2026-06-01", more)]
      })
    expect(keys(held({ isUpperBound: true }).matched.map(({ expected }) => expected))).toEqual([["A-1", 1_000]])
    expect(held({}).differentAmounts.map(({ difference }) => difference)).toEqual([-400])
  })

  it("match several payments of one order, in the order of their days, equal amounts too", () => {
    const statement = csv([
      ["2026-06-01", payment, "A-1", 500],
      ["2026-06-09", payment, "A-1", 500],
      ["2026-06-10", payment, "A-1", 700],
      untilJuly
    ])
    const payments = [
      { paymentId: 3, amount: 700, paidOn: "2026-06-10" },
      { paymentId: 2, amount: 500, paidOn: "2026-06-09" },
      { paymentId: 1, amount: 500, paidOn: "2026-06-01" }
    ]
    const result = reconcileStatement(statement, { orders: [{ orderNumber: "A-1", currency: "CZK", payments }] })
    expect(result.agrees).toBe(true)
    const days = new Map(result.matched.map(({ expected, movement }) => [expected.paymentId, movement.date]))
    expect([1, 2, 3].map((id) => days.get(id))).toEqual(["2026-06-01", "2026-06-09", "2026-06-10"])
  })

  it("match partial refunds, and expect none that failed", () => {
    const statement = csv([
      ["2026-06-01", payment, "A-1", 900],
      ["2026-06-03", refund, "A-1", -100],
      ["2026-06-03", refund, "A-1", -100],
      untilJuly
    ])
    const refunds = [
      { amount: 100, requestedOn: "2026-06-03" },
      { amount: 100, requestedOn: "2026-06-03", state: "SUCCESS" as const },
      { amount: 100, requestedOn: "2026-06-03", state: "FAILED" as const }
    ]
    expect(reconcileStatement(statement, { orders: [order("A-1", 900, "2026-06-01", { refunds })] }).agrees).toBe(true)
  })

  it("match a refund of an earlier month's order, whose payment is not in the list", () => {
    const statement = csv([["2026-06-03", refund, "A-1", -100], ["2026-06-04", refund, "A-1", -70], untilJuly])
    const books = (second: "SUCCESS" | "FAILED", paymentId?: number): BookedOrder => ({
      orderNumber: "A-1",
      currency: "CZK",
      payments: [],
      refunds: [
        { amount: 100, requestedOn: "2026-06-03", paymentId },
        { amount: 70, requestedOn: "2026-06-04", state: second }
      ]
    })
    expect(reconcileStatement(statement, { orders: [books("SUCCESS", 7)] })).toMatchObject({
      agrees: true,
      matched: [{ expected: { _tag: "Refund", amount: -100, paymentId: 7 } }, { expected: { amount: -70 } }]
    })
    const failed = reconcileStatement(statement, { orders: [books("FAILED")] })
    expect(failed.foreign).toMatchObject([{ _tag: "FailedRefund", movement: { amount: -70 } }])
    const wrong = { ...books("SUCCESS"), refunds: [{ amount: -1 }] }
    expect(() => reconcileStatement(statement, { orders: [wrong] })).toThrow("the amount of a refund")
  })

  it("do not expect a payment that the shop does not count as paid, nor one in another currency", () => {
    const statement = csv([["2026-06-01", payment, "A-1", 900], untilJuly])
    const euros: BookedOrder = { ...order("A-3", 5, "2026-06-02"), currency: "EUR" }
    const result = reconcileStatement(statement, {
      orders: [order("A-1", 900, "2026-06-01"), order("A-2", 900, "2026-06-02", { paid: false }), euros]
    })
    expect(result.agrees).toBe(true)
    expect(keys(result.notCovered)).toEqual([["A-3", 5]])
  })

  it("take a payment id before an order number", () => {
    const xml = parseStatement(utf8(clearingXml))
    const orders = [
      order("2026-0001", 100_000, "2026-06-01", { paymentId: 3_000_006_542, refunds: [{ amount: 10_000 }] }),
      order("2026-0001-again", 100_000, "2026-06-01", { paymentId: 3_000_006_555, paid: false })
    ]
    const result = reconcileStatement(xml, { orders })
    expect(result.matched.map(({ by }) => by)).toEqual(["paymentId", "paymentId"])
    expect(result.agrees).toBe(true)
    const other = reconcileStatement(xml, {
      orders: [order("2026-0001", 100_000, "2026-06-01", { paymentId: 3_000_006_555 })]
    })
    expect(other.matched).toEqual([])
    expect(other.foreign.map(({ _tag }) => _tag)).toEqual(["UnknownOrder", "UnknownOrder"])
  })
})

describe("The end of a month", () => {
  const statement = csv([
    ["2026-06-01", payment, "A-1", 100],
    ["2026-06-30", payment, "A-2", 100]
  ])
  const orders = [
    order("A-1", 100, "2026-06-01"),
    order("A-2", 100, "2026-06-30"),
    order("A-3", 300, "2026-06-28"),
    order("A-4", 400, "2026-06-27")
  ]

  it("is not yet due within the last three days of the statement, unless the caller says so", () => {
    const result = reconcileStatement(statement, { orders })
    expect([keys(result.missing), keys(result.notYetDue)]).toEqual([[["A-4", 400]], [["A-3", 300]]])
    const later = reconcileStatement(statement, { orders, through: "2026-06-30" })
    expect([keys(later.missing), keys(later.notYetDue)]).toEqual([
      [
        ["A-3", 300],
        ["A-4", 400]
      ],
      []
    ])
    expect(reconcileStatement(statement, { orders, through: "2026-06-26" }).agrees).toBe(true)
  })

  it("is missing when a day is asked for that the statements do not reach", () => {
    const beyond = [...orders.slice(0, 2), order("A-5", 1, "2026-07-02")]
    expect(reconcileStatement(statement, { orders: beyond }).agrees).toBe(true)
    expect(keys(reconcileStatement(statement, { orders: beyond, through: "2026-07-31" }).missing)).toEqual([["A-5", 1]])
  })

  it("leaves what is older than the statements to older ones", () => {
    const result = reconcileStatement(statement, { orders: [...orders.slice(0, 2), order("A-0", 1, "2026-05-12")] })
    expect([result.agrees, keys(result.notCovered)]).toEqual([true, [["A-0", 1]]])
  })

  it("books a payment of May in June", () => {
    const result = reconcileStatement(statement, {
      orders: [order("A-1", 100, "2026-05-31"), order("A-2", 100, "2026-06-30")]
    })
    expect(result.agrees).toBe(true)
  })

  it("has no day of its own for what has none", () => {
    const undated: BookedOrder = { orderNumber: "A-6", currency: "CZK", payments: [{ amount: 6 }] }
    expect(keys(reconcileStatement(statement, { orders: [...orders.slice(0, 2), undated] }).missing)).toEqual([
      ["A-6", 6]
    ])
  })
})

describe("What does not agree is found and named", () => {
  const lines: ReadonlyArray<Line> = [
    ["2026-06-01", payment, "A-1", 1_000],
    ["2026-06-02", payment, "A-2", 2_000],
    ["2026-06-05", refund, "A-1", -300],
    untilJuly
  ]
  const orders = [
    order("A-1", 1_000, "2026-06-01", { refunds: [{ amount: 300, requestedOn: "2026-06-05" }] }),
    order("A-2", 2_000, "2026-06-02")
  ]

  it("a payment and a refund that the statement does not have", () => {
    expect(keys(reconcileStatement(csv(lines.toSpliced(1, 1)), { orders }).missing)).toEqual([["A-2", 2_000]])
    expect(keys(reconcileStatement(csv(lines.toSpliced(2, 1)), { orders }).missing)).toEqual([["A-1", -300]])
  })

  it("a payment that is booked twice", () => {
    const result = reconcileStatement(csv(lines.toSpliced(1, 0, ["2026-06-02", payment, "A-2", 2_000])), { orders })
    expect(result.foreign).toMatchObject([{ _tag: "Surplus", orderNumber: "A-2" }])
    expect(result.missing).toEqual([])
  })

  it("another amount, by one haléř", () => {
    const result = reconcileStatement(csv(lines.with(1, ["2026-06-02", payment, "A-2", 2_001])), { orders })
    expect(result.differentAmounts).toMatchObject([{ expected: { orderNumber: "A-2" }, difference: 1 }])
    expect([result.missing, result.foreign]).toEqual([[], []])
  })

  it("an order that is in no one's books", () => {
    const result = reconcileStatement(csv([...lines, ["2026-07-03", payment, "B-9", 7]]), { orders })
    expect(result.foreign).toMatchObject([{ _tag: "UnknownOrder", movement: { orderNumber: "B-9" } }])
    expect(result.foreign[0]).not.toHaveProperty("orderNumber")
  })

  it("a transfer that came late, after the shop had given the payment up", () => {
    const late = order("A-3", 700, "2026-06-01", { paymentId: 33, paid: false })
    const result = reconcileStatement(csv([...lines.slice(0, 3), ["2026-06-20", payment, "A-3", 700], untilJuly]), {
      orders: [...orders, late]
    })
    expect(result.foreign).toMatchObject([{ _tag: "NotCountedAsPaid", orderNumber: "A-3", paymentId: 33 }])
  })

  it("a refund that the shop was told had failed", () => {
    const failed = order("A-3", 700, "2026-06-02", { refunds: [{ amount: 50, state: "FAILED" }] })
    const statement = csv([
      ...lines.slice(0, 3),
      ["2026-06-02", payment, "A-3", 700],
      ["2026-06-04", refund, "A-3", -50],
      untilJuly
    ])
    expect(reconcileStatement(statement, { orders: [...orders, failed] }).foreign).toMatchObject([
      { _tag: "FailedRefund" }
    ])
  })

  it("money of an unmatched transfer, a hold, and a type that is not known", () => {
    const statement = csv([
      ...lines.slice(0, 3),
      ["2026-06-07", "GOPAY-NESPAROVANE / 12", "77", 5],
      ["2026-06-07", "BLOKACE POHYBU", "", -5],
      ["2026-06-08", "Bonus", "", 1],
      untilJuly
    ])
    const result = reconcileStatement(statement, { orders })
    expect(result.agrees).toBe(false)
    expect(result.toCheck.map(({ _tag }) => _tag)).toEqual(["UnmatchedTransfer", "Hold", "Unknown"])
  })

  it("several that fit, with all candidates, when one of two equal payments of one day is missing", () => {
    const payments = [
      { paymentId: 1, amount: 500, paidOn: "2026-06-01" },
      { paymentId: 2, amount: 500, paidOn: "2026-06-01" }
    ]
    const twice = { orderNumber: "A-1", currency: "CZK", payments }
    const result = reconcileStatement(csv([["2026-06-01", payment, "A-1", 500], untilJuly]), { orders: [twice] })
    expect(result.ambiguous).toMatchObject([
      { isBalanced: false, movements: [{ line: 2 }], candidates: [{ paymentId: 1 }, { paymentId: 2 }] }
    ])
    expect([result.missing, result.agrees]).toEqual([[], false])
    const apart = { ...twice, payments: payments.with(1, { paymentId: 2, amount: 500, paidOn: "2026-06-20" }) }
    const clear = reconcileStatement(
      csv([["2026-06-01", "GOPAY-DOBITI-UCTU", "", 1], ["2026-06-20", payment, "A-1", 500], untilJuly]),
      { orders: [apart] }
    )
    expect([clear.matched[0]?.expected.paymentId, keys(clear.missing)]).toEqual([2, [["A-1", 500]]])
  })

  it("of equal payments of one order the one whose day is nearer, and none where two are as near", () => {
    const paid = (...days: ReadonlyArray<string>) => ({
      orderNumber: "A-1",
      currency: "CZK",
      payments: days.map((paidOn, index) => ({ paymentId: index + 1, amount: 500, paidOn }))
    })
    const booked = (orders: BookedOrder, ...days: ReadonlyArray<string>) => {
      const lines = days.map((day): Line => [day, payment, "A-1", 500])
      return reconcileStatement(csv([["2026-06-01", "GOPAY-DOBITI-UCTU", "", 1], ...lines, untilJuly]), {
        orders: [orders]
      })
    }
    const fewer = booked(paid("2026-06-10", "2026-06-12"), "2026-06-13")
    expect(fewer.matched.map(({ expected }) => expected.paymentId)).toEqual([2])
    expect(fewer.missing.map(({ paymentId }) => paymentId)).toEqual([1])
    const between = booked(paid("2026-06-10", "2026-06-12"), "2026-06-11")
    expect([between.matched, between.ambiguous]).toMatchObject([
      [],
      [{ candidates: [{ paymentId: 1 }, { paymentId: 2 }] }]
    ])
    const [before, after, even] = [
      booked(paid("2026-06-11"), "2026-06-10", "2026-06-13"),
      booked(paid("2026-06-12"), "2026-06-10", "2026-06-13"),
      booked(paid("2026-06-11"), "2026-06-10", "2026-06-12")
    ]
    const dates = [before, after, even].map(({ foreign, matched }) => [
      matched.map(({ movement }) => movement.date),
      foreign.map(({ movement }) => movement.date)
    ])
    expect(dates).toEqual([
      [["2026-06-10"], ["2026-06-13"]],
      [["2026-06-13"], ["2026-06-10"]],
      [["2026-06-10"], ["2026-06-12"]]
    ])
  })

  it("amounts of one order that differ in several ways", () => {
    const payments = [
      { amount: 500, paidOn: "2026-06-01" },
      { amount: 600, paidOn: "2026-06-01" }
    ]
    const statement = csv([["2026-06-01", payment, "A-1", 550], ["2026-06-01", payment, "A-1", 550], untilJuly])
    const result = reconcileStatement(statement, { orders: [{ orderNumber: "A-1", currency: "CZK", payments }] })
    expect(result.ambiguous).toMatchObject([{ isBalanced: true, movements: [{ line: 2 }, { line: 3 }] }])
  })

  it("what shop and gateway say differently", () => {
    const shop = [
      order("A-1", 1_000, "2026-06-01", { paymentId: 1, refunds: [{ amount: 300, requestedOn: "2026-06-05" }] }),
      order("A-2", 2_000, "2026-06-02", { paymentId: 2 })
    ]
    const said = (state: string, amount: number, refunded = 300) => [
      {
        id: 1,
        state: "PARTIALLY_REFUNDED",
        amount: 1_000,
        refunds: [
          { amount: refunded, state: "SUCCESS" },
          { amount: 9, state: "FAILED" }
        ]
      },
      { id: 2, state, amount }
    ]
    const differences = (payments: ReturnType<typeof said>) =>
      reconcileStatement(csv(lines), { orders: shop, payments }).gatewayDifferences
    expect(differences(said("PAID", 2_000))).toEqual([])
    expect(differences(said("TIMEOUTED", 2_000))).toMatchObject([
      { _tag: "Paid", paymentId: 2, shop: true, gateway: false }
    ])
    expect(differences(said("PAID", 2_001))).toMatchObject([{ _tag: "Amount", shop: 2_000, gateway: 2_001 }])
    const captured = { id: 2, state: "PAID", amount: 9_000, preauthorization: { state: "CAPTURED" } }
    expect(reconcileStatement(csv(lines), { orders: shop, payments: [captured] }).gatewayDifferences).toEqual([])
    expect(differences(said("PAID", 2_000, 299))).toMatchObject([{ _tag: "Refunded", shop: 300, gateway: 299 }])
    expect(differences([...said("PAID", 2_000), { id: 9, state: "PAID", amount: 5 }])).toMatchObject([
      { _tag: "UnknownPayment", paymentId: 9 }
    ])
    expect(differences([...said("PAID", 2_000), { id: 9, state: "CANCELED", amount: 5 }])).toEqual([])
  })
})

describe("A change of unknown outcome that is on the statement", () => {
  it("comes first as evidence: a payment whose creation was lost", () => {
    const lost: BookedOrder = {
      orderNumber: "A-1",
      currency: "CZK",
      payments: [],
      inDoubt: [{ key: "k-1", operation: "createPayment", amount: 500 }]
    }
    const result = reconcileStatement(csv([["2026-06-01", payment, "A-1", 500], untilJuly]), { orders: [lost] })
    expect(result.evidence).toMatchObject([{ change: { key: "k-1" }, orderNumber: "A-1", movement: { line: 2 } }])
    expect([result.foreign, result.agrees]).toEqual([[], false])
    expect(Object.keys(result).slice(0, 2)).toEqual(["agrees", "evidence"])
  })

  it("is told from what the books expect of the same order, and is evidence once", () => {
    const orders: ReadonlyArray<BookedOrder> = [
      {
        ...order("A-1", 500, "2026-06-01", { refunds: [{ amount: 100, requestedOn: "2026-06-03" }] }),
        inDoubt: [
          { key: "r-2", operation: "refundPayment", amount: 100 },
          { key: "c-1", operation: "createRecurrence", amount: 500 }
        ]
      }
    ]
    const lines: ReadonlyArray<Line> = [
      ["2026-06-01", payment, "A-1", 500],
      ["2026-06-03", refund, "A-1", -100],
      ["2026-06-03", refund, "A-1", -100],
      ["2026-06-03", refund, "A-1", -100],
      ["2026-06-04", payment, "A-1", 500],
      untilJuly
    ]
    const result = reconcileStatement(csv(lines), { orders })
    expect(new Set(result.evidence.map(({ change }) => change.key))).toEqual(new Set(["c-1", "r-2"]))
    expect(result.foreign).toMatchObject([{ _tag: "Surplus", movement: { amount: -100 } }])
  })

  it("is ambiguous evidence where movements and changes of one amount differ in number", () => {
    const evidenceOf = (changes: number, movements: number) => {
      const inDoubt = Array.from({ length: changes }, (_, index) => ({
        key: `r-${index}`,
        operation: "refundPayment" as const,
        amount: 100
      }))
      const lines = Array.from({ length: movements }, (): Line => ["2026-06-03", refund, "A-1", -100])
      const { evidence } = reconcileStatement(
        csv([["2026-06-01", payment, "A-1", 500], ["2026-06-02", refund, "A-1", -50], ...lines, untilJuly]),
        { orders: [{ ...order("A-1", 500, "2026-06-01"), inDoubt }] }
      )
      return evidence.map(({ isAmbiguous = false }) => isAmbiguous)
    }
    expect([evidenceOf(1, 1), evidenceOf(2, 2)]).toEqual([[false], [false, false]])
    expect([evidenceOf(1, 2), evidenceOf(2, 1), evidenceOf(2, 3)]).toEqual([[true], [true], [true, true]])
  })

  it("is no evidence with another amount, order or kind, and its absence proves nothing", () => {
    const inDoubt = [{ key: "k", operation: "refundPayment" as const, amount: 100 }]
    const books: BookedOrder = { ...order("A-1", 500, "2026-06-01"), inDoubt }
    const quiet = reconcileStatement(csv([["2026-06-01", payment, "A-1", 500], untilJuly]), { orders: [books] })
    expect([quiet.agrees, quiet.evidence]).toEqual([true, []])
    const other = reconcileStatement(
      csv([
        ["2026-06-01", payment, "A-1", 500],
        ["2026-06-03", refund, "A-1", -101],
        ["2026-06-03", refund, "A-2", -100],
        untilJuly
      ]),
      { orders: [books] }
    )
    expect([other.evidence, named(other.foreign.map(({ movement }) => movement))]).toEqual([
      [],
      [
        ["A-1", -101],
        ["A-2", -100]
      ]
    ])
  })
})

describe("Files that overlap", () => {
  const june = [
    ["2026-06-28", payment, "A-1", 100],
    ["2026-06-29", payment, "A-2", 200],
    ["2026-06-29", payment, "A-2", 200]
  ] as const
  const orders = [
    order("A-1", 100, "2026-06-28"),
    {
      orderNumber: "A-2",
      currency: "CZK",
      payments: [
        { amount: 200, paidOn: "2026-06-29" },
        { amount: 200, paidOn: "2026-06-29" }
      ]
    }
  ]

  it("count a movement once, and equal movements of one file as often as it has them", () => {
    const [first, second] = [csv(june), csv(june.slice(1), 100)]
    for (const statements of [
      [first, first],
      [first, second],
      [second, first],
      [first, first, first],
      [first, second, first],
      [second, second, first, second]
    ]) {
      const result = reconcileStatement(statements, { orders, through: "2026-06-29" })
      expect([result.agrees, result.matched.length]).toEqual([true, 3])
    }
    expect(reconcileStatement([first, second], { orders }).repeated).toBe(2)
  })

  it("count movements by their ids where they have them", () => {
    const withIds = (from: number) =>
      csv(
        june
          .slice(from)
          .map(([day, type, name, amount], index): Line => [day, type, name, amount, String(900 + from + index)]),
        from * 100
      )
    const result = reconcileStatement([withIds(0), withIds(1)], { orders, through: "2026-06-29" })
    expect([result.agrees, result.matched.length, result.repeated]).toEqual([true, 3, 2])
  })

  it("of different layouts count a movement once", () => {
    const statement = csv([
      ["2026-06-01", payment, "A-1", 139_500],
      ["2026-06-02", payment, "A-2", 10_000],
      ["2026-06-05", refund, "A-1", -20_000],
      ["2026-06-08", payout, "20260608", -120_000],
      ["2026-06-08", fee, "20260608", -4_500],
      untilJuly
    ])
    const books = [
      order("A-1", 139_500, "2026-06-01", { refunds: [{ amount: 20_000, requestedOn: "2026-06-05" }] }),
      order("A-2", 10_000, "2026-06-02")
    ]
    const result = reconcileStatement([parseStatement(abo(), { currency: "CZK" }), statement], { orders: books })
    expect(result.matched.map(({ by }) => by)).toEqual(["orderNumber", "orderNumber", "orderNumber"])
    expect([result.repeated, result.clearings.length, result.contradictions]).toEqual([5, 1, []])
  })

  it("with a month missing between them are told of by the balance", () => {
    const [june1, august] = [
      csv([["2026-06-01", payment, "A-1", 100]]),
      csv([["2026-08-01", payment, "A-2", 100]], 350)
    ]
    const result = reconcileStatement([august, june1], {
      orders: [order("A-1", 100, "2026-06-01"), order("A-2", 100, "2026-08-01"), order("A-7", 250, "2026-07-10")]
    })
    expect(result.contradictions).toEqual([
      { _tag: "Gap", from: "2026-06-01", to: "2026-08-01", currency: "CZK", difference: 250 }
    ])
    expect([result.agrees, keys(result.notCovered)]).toEqual([false, [["A-7", 250]]])
  })

  it("without a gap prove what is missing between them, though a CSV file does not say its days", () => {
    const [june1, july] = [csv([["2026-06-20", payment, "A-1", 100]]), csv([["2026-07-10", payment, "A-2", 100]], 100)]
    const orders = [order("A-1", 100, "2026-06-20"), order("A-2", 100, "2026-07-10"), order("A-3", 5, "2026-06-30")]
    expect(keys(reconcileStatement([june1, july], { orders }).missing)).toEqual([["A-3", 5]])
  })

  it("with one movement of two amounts contradict each other", () => {
    const one = csv([["2026-06-01", payment, "A-1", 100, "5"]])
    const other = csv([["2026-06-01", payment, "A-1", 101, "5"]])
    const result = reconcileStatement([one, other], { orders: [order("A-1", 100, "2026-06-01")] })
    expect(result.contradictions).toMatchObject([{ _tag: "OtherAmount", difference: 1 }])
  })

  it("tell accounts of two currencies apart", () => {
    const result = reconcileStatement(
      [
        csv([["2026-06-01", payment, "A-1", 100, "5"], untilJuly]),
        csv([["2026-06-01", payment, "A-1", 100, "5"], untilJuly], 0, "EUR")
      ],
      {
        orders: [order("A-1", 100, "2026-06-01")]
      }
    )
    expect(result.foreign).toMatchObject([{ movement: { currency: "EUR" } }])
  })
})

describe("Files of two accounts", () => {
  const own = csv(
    [
      ["2026-06-02", payment, "A-1", 100, "11"],
      ["2026-06-09", payment, "A-2", 200, "12"],
      ["2026-06-09", payout, "20260609", -600, "13"]
    ],
    500
  )
  const of = (statements: ReadonlyArray<ParsedStatement>) => reconcileStatement(statements, { orders: [] })

  it.each([
    ["other balances", 900, "2026-06-02", "2026-06-02", 400],
    ["the same balance at first", 500, "2026-06-02", "2026-06-09", -93],
    ["a movement of a day between", 500, "2026-06-01", "2026-06-02", 7],
    ["the same balance until the second day", 600, "2026-06-08", "2026-06-09", 7]
  ])("contradict each other, whose movements are not the same: %s", (_, opening, first, day, difference) => {
    const other = csv(
      [
        [first, payment, "A-1", 7, "21"],
        ["2026-06-10", payment, "A-2", 8, "22"]
      ],
      opening
    )
    const found = { _tag: "TwoAccounts", from: day, to: day, currency: "CZK" }
    expect(of([own, other]).contradictions).toEqual([{ ...found, difference, files: [0, 1] }])
    expect(of([other, own])).toMatchObject({ agrees: false, contradictions: [{ _tag: "TwoAccounts", from: day }] })
  })

  it("contradict each other on a day at whose start their balances agree", () => {
    const found = { _tag: "TwoAccounts", from: "2026-06-02", difference: 0 }
    expect(of([own, csv([["2026-06-02", payment, "A-1", 7, "21"]], 500)]).contradictions).toMatchObject([found])
  })

  it("are named by their positions, and no balance explains a transfer", () => {
    const other = csv([["2026-06-02", payment, "A-1", 7, "21"]], 900)
    const { clearings, contradictions } = of([own, csv([["2026-06-02", payment, "A-1", 100, "11"]], 500), other])
    expect(contradictions.map(({ files }) => files)).toEqual([
      [0, 2],
      [1, 2]
    ])
    expect(clearings.map(({ explainedBy }) => explainedBy)).toEqual(["no"])
    expect(of([own]).clearings.map(({ explainedBy }) => explainedBy)).toEqual(["cutOff"])
  })

  it.each([
    ["of another currency", csv([["2026-06-02", payment, "A-1", 7, "21"]], 900, "EUR")],
    ["that overlaps", csv([["2026-06-09", payment, "A-2", 200, "12"]], 600)],
    ["of a day that was not over", csv([["2026-06-02", payment, "A-1", 100, "11"]], 500)],
    ["that goes on within the day", csv([["2026-06-09", payment, "A-3", 5, "31"]], 200)],
    ["of other days", csv([["2026-06-12", payment, "A-3", 5, "31"]], 200)],
    ["without movements", parseStatement(csvB([csvBHead]), { currency: "CZK" })],
    [
      "of the whole month, downloaded on its first day before a movement",
      { ...own, format: "XLS", movements: [], closingBalance: 500, period: { from: "2026-06-01", to: "2026-06-30" } }
    ]
  ] satisfies ReadonlyArray<readonly [string, ParsedStatement]>)(
    "are not those of one account: a file %s",
    (_, file) => {
      for (const statements of [
        [own, file],
        [file, own]
      ])
        expect(of(statements).contradictions).toEqual([])
    }
  )
})

describe("Clearings", () => {
  const lines: ReadonlyArray<Line> = [
    ["2026-06-02", payment, "A-1", 10_000],
    ["2026-06-03", refund, "A-1", -2_000],
    ["2026-06-03", "GOPAY-storno-popl", "A-1", -100],
    ["2026-06-07", payment, "A-2", 5_000],
    ["2026-06-08", payment, "A-3", 7_000],
    ["2026-06-10", payout, "000123", -13_200],
    ["2026-06-10", fee, "000123", -200],
    ["2026-06-12", payment, "A-4", 1_000],
    ["2026-06-17", payout, "124", -7_450],
    ["2026-06-17", fee, "124", -550]
  ]

  it("explain each transfer to the haléř, by the day of its cut-off", () => {
    const { clearings } = reconcileStatement(csv(lines, 500), { orders: [] })
    expect(clearings).toMatchObject([
      {
        number: "123",
        transfer: 13_200,
        carried: 500,
        gross: 15_000,
        refunds: 2_000,
        refundFees: 100,
        fees: 200,
        explainedBy: "cutOff",
        through: "2026-06-07"
      },
      { number: "124", transfer: 7_450, carried: 0, gross: 8_000, refunds: 0, fees: 550, explainedBy: "cutOff" }
    ])
    for (const one of clearings.filter(({ explainedBy }) => explainedBy !== "no")) {
      expect(one.carried + one.gross - one.refunds - one.refundFees - one.fees + one.creditNotes + one.others).toBe(
        one.transfer
      )
    }
  })

  it("are explained with their credit notes, and with what no other column has", () => {
    const { clearings } = reconcileStatement(
      csv([
        ["2026-06-02", payment, "A-1", 10_000],
        ["2026-06-03", creditNote, "", 250],
        ["2026-06-04", "GOPAY-DOBITI-UCTU", "", 1_000],
        ["2026-06-10", payout, "7", -11_300],
        ["2026-06-10", creditNote, "7", 50]
      ]),
      { orders: [] }
    )
    expect(clearings).toMatchObject([
      { transfer: 11_300, gross: 10_000, creditNotes: 300, others: 1_000, explainedBy: "cutOff" }
    ])
  })

  it("are not explained when no cut-off comes to the transfer, and the next one may be", () => {
    const { clearings } = reconcileStatement(
      csv(lines.toSpliced(5, 2, ["2026-06-10", payout, "123", -13_100], ["2026-06-10", fee, "123", -200]), 500),
      { orders: [] }
    )
    expect(clearings[0]).toMatchObject({ explainedBy: "no", movements: [], transfer: 13_100, fees: 200 })
  })

  it("without a number are listed each by itself: no payout is left out", () => {
    const lines: ReadonlyArray<Line> = [
      ["2026-06-01", "Platba", "A-1", 50_000, "3001"],
      ["2026-06-05", "Výplata na účet", "", -30_000, "3003"],
      ["2026-06-05", "Výplata na účet", "", -20_000]
    ]
    const { clearings } = reconcileStatement(csv(lines), { orders: [] })
    expect(clearings.map(({ number, transfer }) => [number, transfer])).toEqual([
      ["3003", 30_000],
      ["2026-06-05", 20_000]
    ])
  })

  it("sum the transfers that have one number", () => {
    const { clearings } = reconcileStatement(
      csv([
        ["2026-06-02", payment, "A-1", 900],
        ["2026-06-05", payout, "7", -500],
        ["2026-06-05", payout, "7", -400]
      ]),
      { orders: [] }
    )
    expect(clearings).toMatchObject([{ transfer: 900, payouts: [{}, {}], explainedBy: "cutOff" }])
  })

  const booked: ReadonlyArray<Line> = [
    ["2026-06-01", payment, "2026-0001", 100_000, "9001"],
    ["2026-06-05", refund, "2026-0001", -10_000, "9002"],
    ["2026-06-05", "GOPAY-storno-popl", "2026-0001", -500, "9003"],
    ["2026-06-08", payout, "20260608", -87_600, "9004"],
    ["2026-06-08", fee, "20260608", -1_900, "9005"]
  ]
  const orders = [
    order("2026-0001", 100_000, "2026-06-01", {
      paymentId: 3_000_006_542,
      refunds: [{ amount: 10_000, requestedOn: "2026-06-05" }]
    })
  ]
  const xml = parseStatement(utf8(clearingXml))

  it("are explained by their file, which also tells the payment ids of the statement's movements", () => {
    const result = reconcileStatement([csv(booked), xml], { orders })
    expect(result.matched.map(({ by }) => by)).toEqual(["paymentId", "paymentId"])
    expect(result.clearings).toMatchObject([
      { number: "20260608", explainedBy: "file", transfer: 87_600, gross: 100_000, fees: 2_000, creditNotes: 100 }
    ])
    expect([result.agrees, result.repeated]).toEqual([true, 3])
  })

  const paidOut = (amount: number, ...more: ReadonlyArray<Line>) =>
    csv([...booked.with(3, ["2026-06-08", payout, "20260608", -amount, "9004"]), ...more])
  const sentOnly = parseStatement(utf8(clearingXml.replace(`amountSent="876.00"`, `amountSent="875.50"`)))

  it("whose file has another transfer than the statement do not agree", () => {
    for (const amount of [87_000, 87_601]) {
      const result = reconcileStatement([paidOut(amount, untilJuly), xml], { orders })
      expect(result.clearings).toMatchObject([{ explainedBy: "no", difference: amount - 87_600 }])
      expect(result.agrees).toBe(false)
    }
  })

  it("of which a part was paid out are open, not wrong, until the rest is due", () => {
    const open = reconcileStatement([paidOut(50_000), xml], { orders })
    expect(open.clearings).toMatchObject([{ explainedBy: "file", outstanding: 37_600, transfer: 50_000 }])
    expect([open.agrees, "difference" in (open.clearings[0] ?? {})]).toEqual([true, false])
    const rest: Line = ["2026-06-09", payout, "20260608", -37_600, "9006"]
    const whole = reconcileStatement([paidOut(50_000, rest, untilJuly), xml], { orders })
    expect(whole.clearings).toMatchObject([{ explainedBy: "file", transfer: 87_600, payouts: [{}, {}] }])
    expect([whole.agrees, "outstanding" in (whole.clearings[0] ?? {})]).toEqual([true, false])
    const three: ReadonlyArray<Line> = [
      ["2026-06-09", payout, "20260608", -10_000, "9006"],
      ["2026-06-09", payout, "20260608", -10_000, "9007"]
    ]
    // There are three transfers at most, so no more of it can come.
    expect(reconcileStatement([paidOut(50_000, ...three), xml], { orders }).clearings).toMatchObject([
      { explainedBy: "no", difference: -17_600 }
    ])
  })

  it("are matched by what was transferred or by what was sent, say which, and never explain the difference", () => {
    const bySent = reconcileStatement([paidOut(87_550), sentOnly], { orders })
    expect(bySent.clearings).toMatchObject([{ explainedBy: "file", paidAs: "sent", notSent: 50, transfer: 87_550 }])
    const byTransfer = reconcileStatement([paidOut(87_600), sentOnly], { orders })
    expect(byTransfer.clearings).toMatchObject([{ explainedBy: "file", paidAs: "transfer", notSent: 50 }])
    expect([bySent.agrees, byTransfer.agrees]).toEqual([false, false])
    const usual = reconcileStatement([paidOut(87_600), xml], { orders })
    expect(usual.clearings).toMatchObject([{ paidAs: "transfer", externalFees: 1_000 }])
    expect(usual.clearings[0]).not.toHaveProperty("notSent")
    expect(usual.agrees).toBe(true)
  })

  it("are named when their file has a movement that the statement of its day does not", () => {
    const result = reconcileStatement([csv(booked.toSpliced(1, 1)), xml], { orders })
    expect(result.contradictions).toMatchObject([{ _tag: "OnlyInClearing", movement: { movementId: "9002" } }])
    expect(keys(result.missing)).toEqual([["2026-0001", -10_000]])
  })

  it("may be paid out on the next statement", () => {
    const result = reconcileStatement([csv(booked.slice(0, 3)), xml], { orders })
    expect([result.agrees, result.clearings]).toMatchObject([
      true,
      [{ number: "20260608", payouts: [], transfer: 87_600 }]
    ])
  })
})

describe("ABO, which has no order numbers", () => {
  const statement = parseStatement(abo(), { currency: "CZK" })

  it("matches one alone by amount and day, and calls equal ones ambiguous with their candidates", () => {
    const orders = [
      order("A-1", 139_500, "2026-06-01", { refunds: [{ amount: 20_000, requestedOn: "2026-06-05" }] }),
      order("A-2", 10_000, "2026-06-01")
    ]
    const clear = reconcileStatement(statement, { orders })
    expect([clear.agrees, clear.matched.map(({ by }) => by)]).toEqual([
      true,
      ["amountAndDay", "amountAndDay", "amountAndDay"]
    ])
    const two = reconcileStatement(statement, { orders: [...orders, order("A-3", 10_000, "2026-06-02")] })
    expect(two.ambiguous).toMatchObject([
      { isBalanced: false, movements: [{ line: 3 }], candidates: [{ orderNumber: "A-2" }, { orderNumber: "A-3" }] }
    ])
  })

  it("does not match what is days away", () => {
    const result = reconcileStatement(statement, { orders: [order("A-1", 139_500, "2026-06-10")] })
    expect(result.matched).toEqual([])
    expect(keys(result.missing)).toEqual([["A-1", 139_500]])
  })
})

describe("Books that cannot be", () => {
  it.each([
    [{ orders: [], through: "June" }, "through"],
    [{ orders: [order("A-1", 1.5, "2026-06-01")] }, "amount"],
    [{ orders: [order("A-1", 1, "1. 6. 2026")] }, "paidOn"],
    [{ orders: [order("A-1", 1, "2026-06-01", { refunds: [{ amount: -1 }] })] }, "refund"]
  ])("are refused by a RangeError that names the field", (options, field) => {
    expect(() => reconcileStatement([], options)).toThrow(RangeError)
    expect(() => reconcileStatement([], options)).toThrow(field)
  })
})

describe("A year of a busy shop", () => {
  const daily = isThorough ? 700 : 140

  it(`of ${28 * daily} payments is matched without comparing each with each`, () => {
    const lines = Array.from({ length: 28 * daily }, (_, index): Line => [
      `2026-06-${String(1 + (index % 28)).padStart(2, "0")}`,
      payment,
      `A-${index}`,
      100
    ])
    const orders = lines.map(([day, , name, amount]) => order(name, amount, day))
    const statement = csv(lines.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)))
    const result = reconcileStatement([statement, statement], { orders, through: "2026-06-28" })
    expect([result.agrees, result.matched.length]).toEqual([true, 28 * daily])
  })

  it("that has one order number for all is matched by days, or found ambiguous, as soon", () => {
    const days = Array.from(
      { length: 12 * daily },
      (_, index) => `2026-06-${String(1 + Math.floor((28 * index) / (12 * daily))).padStart(2, "0")}`
    )
    const payments = days.map((day, index) => ({ paymentId: index, amount: 100, paidOn: day }))
    const orders = [{ orderNumber: "ALL", currency: "CZK", payments }]
    const lines = days.map((day): Line => [day, payment, "ALL", 100])
    const through = "2026-06-28"
    expect(reconcileStatement(csv(lines), { orders, through }).agrees).toBe(true)
    const surplus = reconcileStatement(csv([["2026-06-01", payment, "ALL", 100], ...lines]), { orders, through })
    expect([surplus.foreign.length, surplus.matched.length]).toEqual([1, 12 * daily])
    const short = reconcileStatement(csv(lines.slice(1)), { orders, through })
    expect([short.matched.length, short.ambiguous[0]?.candidates.length]).toEqual([
      (27 * 12 * daily) / 28,
      (12 * daily) / 28
    ])
  })
})

describe("Ten thousand movements", () => {
  const many = 10_000
  const days = Array.from({ length: 28 }, (_, index) => `2026-06-${String(index + 1).padStart(2, "0")}`)
  const dayAt = (index: number): string => days[index % days.length] ?? ""
  const statement = (
    format: ParsedStatement["format"],
    count: number,
    movement: (index: number) => Partial<StatementMovement>
  ): ParsedStatement => ({
    format,
    currency: "CZK",
    period: { from: "2026-06-01", to: "2026-06-30" },
    openingBalance: 0,
    closingBalance: 0,
    movements: Array.from({ length: count }, (_, index) => ({
      _tag: "Payment",
      type: payment,
      line: index + 2,
      date: dayAt(index),
      amount: 10_000,
      currency: "CZK",
      ...movement(index)
    })),
    notes: []
  })
  const booked = (orderNumber: (index: number) => string, count: number, day: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => order(orderNumber(index), 10_000, day(index)))

  // Comparing each with each would take ten billion comparisons: these tests would not end.
  it("that are all equal, in two files, are counted once", () => {
    for (const withIds of [false, true]) {
      const csv = statement("CSV_B", many, (index) => (withIds ? { movementId: `a${index}`, time: "12:00" } : {}))
      const xls = statement("XLS", many, (index) => (withIds ? { movementId: `b${index}` } : { time: "12:00" }))
      const { movements, repeated } = reconcileStatement([csv, xls], { orders: [] })
      expect([movements.length, repeated]).toEqual(withIds ? [2 * many, 0] : [many, many])
    }
  })

  it("of one order number are matched by day, also where some are missing or too many", () => {
    const file = statement("CSV_B", many, () => ({ orderNumber: "1", date: "2026-06-10" }))
    const fewer = reconcileStatement(file, {
      orders: booked(
        () => "1",
        many - 1,
        () => "2026-06-11"
      )
    })
    expect([fewer.matched.length, fewer.foreign.length]).toEqual([many - 1, 1])
    const more = reconcileStatement(file, {
      orders: booked(
        () => "1",
        many + 1,
        () => "2026-06-11"
      )
    })
    expect(more.ambiguous).toMatchObject([{ isBalanced: false }])
    expect(more.ambiguous[0]?.movements).toHaveLength(many)
  })

  it.each<[string, (count: number) => () => unknown]>([
    [
      "equal, in two files, with and without ids",
      (count) => {
        const files = [false, true].flatMap((withIds) => [
          statement("CSV_B", count, (index) => (withIds ? { movementId: `a${index}`, time: "12:00" } : {})),
          statement("XLS", count, (index) => (withIds ? { movementId: `b${index}` } : { time: "12:00" }))
        ])
        return () => reconcileStatement(files, { orders: [] })
      }
    ],
    [
      "equal payments of one order, beside as many of its books",
      (count) => {
        const file = statement("CSV_B", count, () => ({ orderNumber: "1", date: "2026-06-10" }))
        const orders = booked(
          () => "1",
          count,
          () => "2026-06-11"
        )
        return () => reconcileStatement(file, { orders })
      }
    ],
    [
      "equal payments of one order, one more than its books have",
      (count) => {
        const file = statement("CSV_B", count + 1, () => ({ orderNumber: "1" }))
        const orders = booked(() => "1", count, dayAt)
        return () => reconcileStatement(file, { orders })
      }
    ],
    [
      "equal movements, each of which a change in doubt may have made",
      (count) => {
        const file = statement("CSV_B", count, () => ({ orderNumber: "1" }))
        const inDoubt = Array.from({ length: count }, (_, index) => ({
          key: `k${index}`,
          operation: "createPayment" as const,
          amount: 10_000
        }))
        const orders = [{ orderNumber: "1", currency: "CZK", payments: [], inDoubt }]
        return () => reconcileStatement(file, { orders })
      }
    ],
    [
      "payouts of no known clearing",
      (count) => {
        const file = statement("CSV_B", count, (index) =>
          index % 2 === 0 ? {} : { _tag: "Payout", type: payout, amount: -3, clearing: String(index) }
        )
        return () => reconcileStatement(file, { orders: [] })
      }
    ]
  ])("take four times the steps for four times as many: %s", async (_, make) => {
    expect(await growthOf("statement", 250, make)).toBeLessThan(6)
  })

  it("that are payouts of no known clearing are listed one by one", () => {
    const file = statement("CSV_B", many, (index) =>
      index % 2 === 0 ? {} : { _tag: "Payout", type: payout, amount: -3, clearing: String(index) }
    )
    const { clearings } = reconcileStatement(file, { orders: [] })
    expect(clearings).toHaveLength(many / 2)
    expect(clearings.every(({ explainedBy }) => explainedBy === "no")).toBe(true)
  })
})
