/**
 * What the command `statement` says to an accountant.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aboLines, bankFile, clearingXml, csvB, csvBLines } from "../statement/files.js"
import { monthLike, ordersFile, statementFolder } from "../support/StatementFiles.js"

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

describe("The days", () => {
  const list = ordersFile(
    "2026-0001,payment,1399.50,CZK,2026-06-01,,",
    "2026-0001,refund,200.50,CZK,2026-06-05,,",
    "2026-0002,payment,100.00,CZK,2026-06-02,,",
    "2026-0009,payment,1.00,CZK,2026-06-20,,"
  )
  const inEuros = list
    .trimEnd()
    .split("\n")
    .slice(1, 4)
    .map((line) => line.replace("CZK,2026-06", "EUR,2026-07"))
  beforeAll(() => write({ "days.csv": list, "euro-orders.csv": `${list}${inEuros.join("\n")}\n` }))

  it("of a CSV_B are in its heading, and what agrees names its last day: a file cut at a line's end is seen", async () => {
    const { code, said } = await run("june.csv", "--orders", "days.csv")
    expect(code).toBe(0)
    expect(said).toContain("CSV_B, CZK, 2026-06-01 – 2026-06-08 (the days of its movements), movements: 6")
    expect(said).toContain("All that is due agrees through 2026-06-05.\nStatements from 2026-06-01 – 2026-06-08, CZK\n")
    write({
      "euros.csv": monthLike((line) => line.replace(/^\d/, "8").replace(";CZK;", ";EUR;").replaceAll(".06.", ".07."))
    })
    const both = await run("june.csv", "euros.csv", "--orders", "euro-orders.csv")
    expect(both.said).toContain("All that is due agrees: CZK through 2026-06-05, EUR through 2026-07-05.")
  })

  it("of --through must be days of the statements: one before them is refused, one far behind them is named", async () => {
    const early = await run("june.csv", "--orders", "days.csv", "--through", "2025-06-30")
    expect([early.code, early.said]).toEqual([2, ""])
    expect(early.complained.replaceAll("\n", " ")).toContain(
      "--through 2025-06-30 is before the first day of the statements, 2026-06-01"
    )
    const late = "--through 2062-06-30 is after the last day of the statements"
    expect((await run("june.csv", "--orders", "days.csv", "--through", "2062-06-30")).said).toContain(late)
    const csv = await run("june.csv", "--orders", "days.csv", "--through", "2062-06-30", "--csv")
    expect(csv.complained).toContain(late)
    const meant = await run("june.csv", "--orders", "orders.csv", "--through", "2026-06-30")
    expect(meant.said).not.toContain("--through")
  })

  it("of a line that breaks the order of the others are named", async () => {
    write({
      "mistyped.csv": monthLike((line, index) => (index === 2 ? line.replace("01.06.2026", "01.06.2062") : line))
    })
    expect((await run("mistyped.csv")).said).toContain(
      "Line 3: the day is 2062-06-01, and the movement behind it is of 2026-06-02."
    )
  })
})

describe("A clearing", () => {
  it("has the day of its payout, and that of the bank", async () => {
    const transfer = { id: "1", amount: 128_001, code: "2", symbol: "20260608", day: "2026-06-10" } as const
    write({
      "bank.gpc": bankFile("2026-06-01", "2026-06-30", [{ ...transfer, name: "GOPAY S.R.O.", account: "2801234567" }])
    })
    const { said } = await run("june.csv", "--bank", "bank.gpc")
    expect(said).toContain("20260608: transfer 1,280.01 CZK on 2026-06-08 = ")
    expect(said).toContain("    the bank received 1,280.01 CZK on 2026-06-10\n")
    write({ "bank.gpc": bankFile("2026-06-01", "2026-06-30", []) })
    const none = await run("june.csv", "--bank", "bank.gpc", "--currency", "CZK", "--lang", "cs")
    expect(none.said).toContain(
      "na účet v bance nepřišlo nic; zbytek už přijít měl: zeptejte se GoPay (zbývá 1 280,01 Kč)"
    )
  })

  it("that pays out what was carried over says which statement has its orders", async () => {
    const [head = "", ...lines] = csvBLines
    write({ "first.csv": csvB([head, ...lines.slice(0, -1)]), "second.csv": csvB([head, ...lines.slice(-1)]) })
    const advice = "add the statement before them to see its orders"
    expect((await run("second.csv")).said).toContain(advice)
    const both = await run("first.csv", "second.csv")
    expect(both.said).not.toContain(advice)
    expect(both.said).toContain("orders that it paid out (3)")
  })

  it("lists the fees of all, by their kind, and how many payments are still to be charged", async () => {
    const later = "9007;09.06.2026 10:00;Platba;Eva Malá;eva@example.com;;;;2026-0003;50,00;0,00;50,00;CZK;"
    write({ "later.csv": csvB([...csvBLines, later]) })
    expect((await run("later.csv")).said).toContain(`Fees on these statements (1):
  18.99 CZK = fees of payments and clearings 13.99 CZK + fees of refunds 5.00 CZK; payments whose fee comes with a later clearing: 1
`)
  })

  it("of another shop lends its orders to none, and is named", async () => {
    write({ "other.xml": clearingXml.replaceAll("2026-0001", "X-1").replaceAll('Id="900', 'Id="700') })
    const { code, said } = await run("june.csv", "other.xml")
    expect(code).toBe(1)
    expect(said).toContain("other.xml: no movement of this clearing is on the statement")
    expect(said).not.toContain("X-1")
  })
})

describe("Another shop's statement", () => {
  it("is suspected where hardly any order fits", async () => {
    const strange = (line: string): string => line.replaceAll("2026-0001", "X-1").replaceAll("2026-0002", "X-2")
    const third = "9007;09.06.2026 10:00;Platba;Eva Malá;;;;;X-3;50,00;0,00;50,00;CZK;"
    write({ "strange.csv": csvB([...csvBLines.map(strange), third]), "own.csv": csvB([...csvBLines, third]) })
    const question = "are both of the same shop? (0/3)"
    expect((await run("strange.csv", "--orders", "days.csv")).said).toContain(question)
    expect((await run("own.csv", "--orders", "days.csv")).said).not.toContain("are both of the same shop")
    // Its order numbers are the same, and its amounts are not.
    const alike = ["1,1", "2,2", "3,3"].map((one) => `2026-000${one.replace(",", ",payment,")},CZK,2026-06-02,,`)
    write({
      "alike.csv": csvB([...csvBLines, third.replace("X-3", "2026-0003")]),
      "alike-orders.csv": ordersFile(...alike)
    })
    const page = (await run("alike.csv", "--orders", "alike-orders.csv")).said
    expect(page).toContain("Amounts that differ from the books (3)")
    expect(page).toContain(question)
  })
})

describe("A payment that was made twice", () => {
  it("is named by its id", async () => {
    const again = `<movement accountMovementId="9009" amount="100.00" counterpartyName="Jana" datePerformed="05.06.2026" orderId="2026-0001" paymentSessionId="3000006555" type="credit"/>`
    const twice = clearingXml
      .replace("</movements>", `${again}</movements>`)
      .replace('amount="1000.00" amountCredit', 'amount="1100.00" amountCredit')
      .replaceAll('="876.00"', '="976.00"')
    write({ "twice.xml": twice, "once.csv": ordersFile("2026-0001,payment,1000.00,CZK,2026-06-01,3000006542,") })
    expect((await run("twice.xml", "--orders", "once.csv")).said).toContain("2026-0001  payment 3000006555  Jana\n")
  })
})

describe("A list with a line twice", () => {
  it("is told so, and counts the movement once", async () => {
    const line = "2026-0002,payment,100.00,CZK,2026-06-02,,"
    write({ "twice.csv": ordersFile(line, line) })
    const { said } = await run("june.csv", "--orders", "twice.csv")
    expect(said).toContain("Movements that fit several orders (1):\n")
    expect(said).toContain("=> the list has this line more often than the statement")
  })
})

describe("What is wrong with a file", () => {
  const head = "order_number,type,amount,currency,date\n"
  const files = {
    "empty.csv": ["", "Soubor je prázdný."],
    "unknown.csv": ["Den;Suma\n1;2\n", 'Sloupce souboru: "Den", "Suma". Čte se CSV_B'],
    "noise.csv": ["{}", "V prvním řádku nejsou sloupce."],
    "cut.csv": [csvB().slice(0, -40), "Řádek 7: má"],
    "edited.csv": [
      monthLike((line) => line.replace("-13,99", "-13,90")),
      "Řádek 3: zůstatek po něm je 1385.51 a pohyby dávají 1385.60."
    ],
    "day.csv": [
      monthLike((line) => line.replace("01.06.2026", "33.06.2026")),
      'Řádek 2: Datum není den jako 31.12.2026: "33.06.2026 08:05".'
    ],
    "half.xml": [clearingXml.slice(0, 700), "XML není správně utvořené"],
    "short.gpc": ["0740000000100200300EXAMPLE\r\n", "Řádek 1: má 26 znaků místo 128"],
    "account.gpc": [
      [aboLines[0], aboLines[1]?.replace(/^075\d/, "075x")].join("\r\n"),
      'Řádek 2: účet smí mít jen číslice: "x000000100200300"'
    ],
    "root.xml": ["<statement/>", 'Kořenem XML je "statement", a v XML vyúčtování je to clearing'],
    "session.xml": [
      clearingXml.replace('paymentSessionId="3000006542"', 'paymentSessionId="x"'),
      'paymentSessionId není číslo platby: "x"'
    ],
    "fees.xml": [
      clearingXml.replace('amountFeeExternal="10.00"', 'amountFeeExternal="99.00"'),
      "amountFeeExternal je 99.00, a jako část amountFee nemůže být nad 20.00"
    ]
  } as const
  const lists = {
    "cells.csv": [`${head}A,payment,1\n`, "Řádek 2: má 3 buněk místo 5"],
    "type.csv": [`${head}A,platba,1,CZK,\n`, 'type musí být payment nebo refund, ne "platba"'],
    "amount.csv": [`${head}A,payment,zaplaceno,CZK,\n`, 'amount není částka jako 1 234,50: "zaplaceno"'],
    "refund.csv": [`${head}A,refund,-1,CZK,\n`, "amount nesmí být záporná"],
    "currency.csv": [`${head}A,payment,1,Kč,\n`, 'currency není kód jako CZK: "Kč"'],
    "own.csv": ["Objednávka,Cena\n", "Toto není soubor objednávek."]
  } as const
  beforeAll(() => {
    for (const all of [files, lists])
      write(Object.fromEntries(Object.entries(all).map(([name, [content]]) => [name, content])))
  })

  it("is said in Czech with --lang cs, and of a list that it is the list", async () => {
    const english = /\b(the|is|and|of|this|file|line)\b/i
    for (const [name, [, problem]] of Object.entries(files)) {
      const { code, complained } = await run(name, "--lang", "cs")
      const said = complained.replaceAll("\n", " ")
      expect([name, code, said]).toEqual([name, 1, expect.stringContaining(problem)])
      expect(said.replace(/Více: .*$/, "")).not.toMatch(english)
    }
    for (const [name, [, problem]] of Object.entries(lists)) {
      const { code, complained } = await run("june.csv", "--orders", name, "--lang", "cs")
      const said = complained.replaceAll("\n", " ")
      expect([name, code, said]).toEqual([name, 1, expect.stringContaining(problem)])
      expect(said).not.toMatch(english)
    }
  })

  it("names options of the command line in English", async () => {
    const unknown = await run("unknown.csv")
    expect(unknown.complained.replaceAll("\n", " ")).toContain(
      "Describe the columns of another CSV: --columns date=Datum"
    )
    write({ "utf8.csv": csvBLines.map((line) => `${line}\r\n`).join("") })
    const encoding = await run("utf8.csv", "--encoding", "windows-1250")
    expect(encoding.complained.replaceAll("\n", " ")).toContain("the file is utf-8. Leave --encoding out.")
    expect((await run("june.csv", "--orders", "type.csv")).complained).toContain(
      "There is a mistake in the list of orders"
    )
  })

  it("is a note in Czech where the file can be read", async () => {
    write({
      "notes.csv":
        `A report\n${csvBLines.map((line, index) => `${line};${index === 0 ? "Extra" : ""}\r\n`).join("")}`.trimEnd()
    })
    const { said } = await run("notes.csv", "--currency", "EUR", "--lang", "cs")
    expect(said).toContain("Řádek 1: „A report“ není pohyb a nečte se.")
    expect(said).toContain("sloupec „Extra“ není známý a nečte se.")
    expect(said).toContain("poslední řádek není ukončený.")
    expect(said).toContain("volba EUR souboru odporuje, takže se nepoužila.")
  })
})
