/**
 * What the command `statement` says to an accountant.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { csvB } from "../statement/files.js"
import { ordersFile, statementFolder } from "../support/StatementFiles.js"

const { remove, run, write } = statementFolder()
afterAll(remove)

beforeAll(() => write({ "june.csv": csvB() }))

describe("A list of orders", () => {
  const payments = ["2026-0001,payment,1399.50,CZK,2026-06-01,,", "2026-0002,payment,100.00,CZK,2026-06-02,,"]

  it.each([
    ["all columns", ordersFile(...payments), "2026-0001,refund,200.50,CZK,2026-06-05,,"],
    [
      "columns of its own and semicolons",
      "state;customer;order_number;amount;currency;type\r\n;Jana;2026-0001;1399,50;CZK;payment\r\n;Petr;2026-0002;100;CZK;payment\r\n",
      ";;2026-0001;200,50;CZK;refund"
    ]
  ])("takes the lines that the page says to add, as they are printed: %s", async (_, list, line) => {
    write({ "orders.csv": list })
    const first = await run("june.csv", "--orders", "orders.csv")
    expect(first.said).toContain(`add these lines to the file of orders\n     ${line}\n`)
    write({ "orders.csv": `${list}${line}\n` })
    expect(await run("june.csv", "--orders", "orders.csv")).toMatchObject({ code: 0, complained: "" })
  })

  it("may have a refund of an earlier month's order without its payment", async () => {
    write({ "orders.csv": ordersFile("2026-0001,refund,200.50,CZK,2026-06-05,3000000003,", payments[1] ?? "") })
    const { code, complained, said } = await run("june.csv", "--orders", "orders.csv")
    expect([code, complained]).toEqual([1, ""])
    expect(said).toContain("Matched: 2, payments less refunds -100.50 CZK")
  })
})
