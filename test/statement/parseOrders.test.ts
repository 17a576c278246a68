import { describe, expect, it } from "vitest"
import { parseOrders, StatementError } from "../../src/statement/index.js"
import { utf8, windows1250 } from "./files.js"

const reasonOf = (text: string) => {
  try {
    parseOrders(utf8(text))
  } catch (error) {
    if (error instanceof StatementError) return error.reason
    throw error
  }
  throw new Error("The file was read.")
}

const head = "order_number,type,amount,currency,date,payment_id,state\n"

describe("A file of orders", () => {
  it("has payments and refunds by order, and changes in doubt", () => {
    const text = `${head}A-1,payment,1399.50,CZK,2026-06-01,3000006542,\nA-1,refund,"200,50",CZK,5.6.2026,,requested\nA-1,refund,1,CZK,,3000006542,failed\nA-1,refund,2,CZK,2026-06-06,,unknown\nA-2,payment,5,EUR,,,unpaid\nA-3,payment,7,CZK,2026-06-01,,unknown\n`
    expect(parseOrders(utf8(text))).toEqual([
      {
        orderNumber: "A-1",
        currency: "CZK",
        payments: [
          {
            paymentId: 3_000_006_542,
            amount: 139_950,
            paid: true,
            paidOn: "2026-06-01",
            refunds: [
              { amount: 20_050, requestedOn: "2026-06-05", state: "REQUESTED" },
              { amount: 100, state: "FAILED" }
            ]
          }
        ],
        inDoubt: [{ key: "A-1, line 5", operation: "refundPayment", amount: 200, sentOn: "2026-06-06" }]
      },
      { orderNumber: "A-2", currency: "EUR", payments: [{ amount: 500, paid: false, refunds: [] }], inDoubt: [] },
      {
        orderNumber: "A-3",
        currency: "CZK",
        payments: [],
        inDoubt: [{ key: "A-3, line 7", operation: "createPayment", amount: 700, sentOn: "2026-06-01" }]
      }
    ])
  })

  it("may have semicolons, other columns, and windows-1250", () => {
    const text = "zákazník;order_number;type;amount;currency\r\nPetr Dvořák;Ž-1;payment;1 000,00;CZK\r\n"
    expect(parseOrders(windows1250(text))).toMatchObject([
      { orderNumber: "Ž-1", payments: [{ amount: 100_000, paid: true }] }
    ])
  })

  it.each([
    ["a column that is missing", "order,amount\n", "UnknownStatement"],
    ["an order without a number", `${head},payment,1,CZK,,,\n`, "InvalidStatement"],
    ["a type that is none", `${head}A,fee,1,CZK,,,\n`, "InvalidStatement"],
    ["a negative amount", `${head}A,refund,-1,CZK,,,\n`, "InvalidStatement"],
    ["a state that is none", `${head}A,payment,1,CZK,,,PAID\n`, "InvalidStatement"],
    ["an id that is none", `${head}A,payment,1,CZK,,x,\n`, "InvalidStatement"],
    ["a currency that is none", `${head}A,payment,1,Kč,,,\n`, "InvalidStatement"],
    ["a refund of another payment", `${head}A,payment,1,CZK,,1,\nA,refund,1,CZK,,2,\n`, "InvalidStatement"],
    ["a payment twice", `${head}A,payment,1,CZK,,1,\nA,payment,1,CZK,,1,\n`, "InvalidStatement"],
    ["a cell too many", `${head}A,payment,1,CZK,,1,,\n`, "InvalidStatement"]
  ])("is refused with %s", (_, text, tag) => {
    expect(reasonOf(text)._tag).toBe(tag)
  })

  it("is refused with the line and what is wrong in it", () => {
    const second = (line: string) => reasonOf(`${head}A-1,payment,1,CZK,,,\n${line}\n`)
    expect(second("A,refund,-1,CZK,,,")).toMatchObject({ line: 3, message: expect.stringContaining("not be negative") })
    expect(second("A,payment,1.005,CZK,,,")).toMatchObject({ line: 3, message: expect.stringContaining("amount") })
    expect(second("A,payment,1,CZK,31.6.2026,,")).toMatchObject({ line: 3, message: expect.stringContaining("date") })
    for (const currency of ["CZKX", "XCZK"]) {
      expect(second(`A,payment,1,${currency},,,`).message).toContain(
        `currency is not a code such as CZK: "${currency}"`
      )
    }
    expect(second("A,payment,1,CZK,,,done").message).toContain(
      'state of a payment must be paid, unpaid, unknown, not "done"'
    )
  })

  it("may have refunds of an earlier month's order without its payment", () => {
    const lines = "A,refund,4,CZK,2026-06-02,2,\nA,refund,3,CZK,,,failed\nB,payment,9,CZK,2026-06-02,3,\n"
    expect(parseOrders(utf8(head + lines))).toMatchObject([
      {
        orderNumber: "A",
        payments: [],
        refunds: [
          { amount: 400, paymentId: 2, requestedOn: "2026-06-02", state: "SUCCESS" },
          { amount: 300, state: "FAILED" }
        ]
      },
      { orderNumber: "B", payments: [{ paymentId: 3, refunds: [] }] }
    ])
    expect(reasonOf(`${head}A,payment,1,CZK,,1,\nA,refund,1,CZK,,2,\n`).message).toContain(
      'Line 3: the refund is of payment 2, and the list has only other payments of order "A". Add that payment'
    )
    expect(reasonOf(`${head}A,payment,1,CZK,,1,\nA,payment,1,CZK,,1,\n`).message).toContain("on line 2 already")
  })

  it("may have a payment of nothing, as a card is checked, and refunds go to the payments that they name", () => {
    const lines = "A,payment,0,CZK,,1,\nA,payment,9,CZK,,2,\nA,refund,4,CZK,2026-06-02,2,\nA,refund,3,CZK,,2,done\n"
    expect(parseOrders(utf8(head + lines))).toMatchObject([
      {
        payments: [
          { paymentId: 1, amount: 0, refunds: [] },
          {
            paymentId: 2,
            refunds: [
              { amount: 400, state: "SUCCESS" },
              { amount: 300, state: "SUCCESS" }
            ]
          }
        ]
      }
    ])
  })

  it("is refused beyond 16 MiB, unread", () => {
    expect(() => parseOrders(new Uint8Array(16 * 2 ** 20 + 1))).toThrow("16 MiB")
  })

  it("refuses a number whose digits a spreadsheet has lost, and reads below a line sep=;", () => {
    const heads = "order_number;type;amount;currency;payment_id"
    const read = (...lines: ReadonlyArray<string>) => parseOrders(new TextEncoder().encode(lines.join("\n")))
    expect(read("sep=;", heads, "A-1;payment;1;CZK;7")).toMatchObject([{ orderNumber: "A-1" }])
    expect(() => read(heads, "2.02601E+11;payment;1;CZK;7")).toThrow('Line 2: order_number is "2.02601E+11"')
    expect(() => read("sep=;", heads, "A-1;payment;1;CZK;3E+09")).toThrow("Line 3: payment_id is")
  })
})
