/**
 * The command `statement`.
 */
import * as spreadsheets from "@e965/xlsx"
import Database from "libsql"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLedger, fileStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { order } from "../ledger/World.js"
import { abo, aboLine, aboLines, bankFile, clearingXml, csvB, csvBLines, sheetRows } from "../statement/files.js"
import { startWith } from "../support/CommandLine.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const folder = mkdtempSync(join(tmpdir(), "statement-command-"))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (file: string): string => join(folder, file)

const orders = (...lines: ReadonlyArray<string>): string =>
  ["order_number,type,amount,currency,date,payment_id,state", ...lines, ""].join("\n")

const agreeing = [
  "2026-0001,payment,1399.50,CZK,2026-06-01,,",
  "2026-0001,refund,200.50,CZK,2026-06-05,,",
  "2026-0002,payment,100.00,CZK,2026-06-02,,"
]

beforeAll(() => {
  writeFileSync(at("june.csv"), csvB())
  writeFileSync(at("broken.csv"), csvB(csvBLines.toSpliced(3, 1)))
  writeFileSync(at("june.gpc"), abo())
  const workbook = spreadsheets.utils.book_new()
  spreadsheets.utils.book_append_sheet(workbook, spreadsheets.utils.aoa_to_sheet(sheetRows.map((row) => [...row])))
  const bytes: ArrayBuffer = spreadsheets.write(workbook, { type: "array", bookType: "biff8" })
  writeFileSync(at("june.xls"), new Uint8Array(bytes))
  writeFileSync(at("orders.csv"), orders(...agreeing))
  writeFileSync(
    at("others.csv"),
    orders(
      ...agreeing.slice(0, 2),
      "2026-0003,payment,7,CZK,2026-06-02,,",
      "2026-0002,payment,100.00,CZK,2026-06-02,,unknown"
    )
  )
})

const run = (...args: ReadonlyArray<string>) => startWith({}, "statement", ...args).ended

describe("effect-gopay statement --ledger", () => {
  it("matches a month with the shop's ledger, and is not given two books", async () => {
    await using local = await startLocalGateway({ settings: partsAtOnce })
    const { clientId, clientSecret, goid } = local.merchant
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const store = fileStore(at("gopay.db"), { driver: Database })
    await using ledger = createLedger({ gateway, store, onAttention: () => {} })
    await ledger.migrate()
    const { order_number: orderNumber, ...request } = order
    const placed = await ledger.checkout(orderNumber, request)
    const id = placed.paymentId ?? 0
    await local.payByCard(id)
    await ledger.verifyReturn(`https://shop.example/return?id=${id}`)
    await ledger.refund("complaint-1", id, { amount: 500 })
    await local.advanceTime("40 days")
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const period = { date_from: day(-1), date_to: day(39) }
    const { data } = await gateway.getAccountStatement({ ...period, currency: "CZK", format: "CSV_B" })
    writeFileSync(at("ledger.csv"), new Uint8Array(data))
    const variables = {
      GOPAY_GOID: String(goid),
      GOPAY_CLIENT_ID: clientId,
      GOPAY_CLIENT_SECRET: clientSecret,
      GOPAY_ENVIRONMENT: local.url
    }
    const args = ["statement", at("ledger.csv"), "--ledger", at("gopay.db")]
    const { code, said } = await startWith(variables, ...args).ended
    expect(said).toMatch(
      /All that is due agrees through [-\d]+\.\nStatements .*\nMatched: 2, payments less refunds 995\.00 CZK/
    )
    expect(code).toBe(0)
    const other = await startWith({ ...variables, GOPAY_GOID: "8999999999" }, ...args, "--lang", "cs").ended
    expect([other.code, other.complained]).toEqual([1, expect.stringContaining("žádné objednávky tohoto obchodníka")])
    const both = await startWith(variables, ...args, "--orders", at("orders.csv")).ended
    expect([both.code, both.complained]).toEqual([2, expect.stringContaining("Give --orders or --ledger, not both")])
  })
})

describe("effect-gopay statement --ledger of money about which the ledger has an open decision", () => {
  it("names the decision and the order, and expects no payment that the ledger does not know", async () => {
    await using local = await startLocalGateway({ settings: partsAtOnce })
    const { clientId, clientSecret, goid } = local.merchant
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const store = fileStore(at("undecided.db"), { driver: Database })
    await using ledger = createLedger({ gateway, store, onAttention: () => {} })
    await ledger.migrate()
    const forgotten = await gateway.createPayment({
      ...order,
      order_number: "2026-7777",
      additional_params: [{ name: "effect-gopay", value: "forgotten" }]
    })
    await local.payByCard(forgotten.id)
    await ledger.notificationHandler()(new Request(`https://shop.example/notify?id=${forgotten.id}`))
    expect((await ledger.operator.listAttention()).map(({ kind }) => kind)).toEqual(["UnknownPayment"])
    await local.advanceTime("40 days")
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const period = { date_from: day(-1), date_to: day(39) }
    const { data } = await gateway.getAccountStatement({ ...period, currency: "CZK", format: "CSV_B" })
    writeFileSync(at("undecided.csv"), new Uint8Array(data))
    const variables = {
      GOPAY_GOID: String(goid),
      GOPAY_CLIENT_ID: clientId,
      GOPAY_CLIENT_SECRET: clientSecret,
      GOPAY_ENVIRONMENT: local.url
    }
    const args = ["statement", at("undecided.csv"), "--ledger", at("undecided.db")]
    const page = await startWith(variables, ...args).ended
    expect([page.code, page.said.includes("expected 0.00")]).toEqual([1, false])
    expect(page.said).toMatch(
      /The ledger has open decisions, .*ledger list.*: 1 \(about orders of these statements: 1\)\n {2}2026-7777 {2}\d+ {2}[\d.,]+ CZK {2}Unknown payment\n/
    )
    const csv = await startWith(variables, ...args, "--csv", "--lang", "cs").ended
    expect(csv.complained).toContain("Neznámá platba")
  })
})

describe("effect-gopay statement", () => {
  it.each([[], ["--json"], ["--csv", "--lang", "cs"], ["--export", "csv"]])(
    "writes what it would print to a file, with %j, and overwrites nothing",
    async (...form) => {
      const args = [at("june.csv"), "--orders", at("orders.csv"), ...form]
      const printed = await run(...args)
      const output = at(`output${form.join("")}.txt`)
      const written = await run(...args, "--output", output)
      expect([written.code, written.said, written.complained]).toEqual([printed.code, "", printed.complained])
      expect(readFileSync(output, "utf8")).toBe(printed.said)
      const again = await run(...args, "--output", output)
      expect([again.code, again.complained]).toEqual([2, expect.stringMatching(/exists|už existuje/)])
      expect(readFileSync(output, "utf8")).toBe(printed.said)
      expect(await run(...args, "--output", at("no/such/folder.txt"))).toMatchObject({
        code: 1,
        complained: expect.stringMatching(/could not be written|nepodařilo zapsat/)
      })
    }
  )

  it("says that all agrees, totals first, and ends with 0", async () => {
    const { code, complained, said } = await run(at("june.csv"), "--orders", at("orders.csv"))
    expect({ code, complained }).toEqual({ code: 0, complained: "" })
    const lines = said.split("\n")
    expect(lines[0]).toContain(
      "CSV_B, CZK, 2026-06-01 – 2026-06-08 (the days of its movements), movements: 6, opening balance: 0.00 CZK, closing balance: 0.00 CZK"
    )
    expect(lines[2]).toBe("All that is due agrees through 2026-06-05.")
    expect(lines[3]).toBe("Statements from 2026-06-01 – 2026-06-08, CZK")
    expect(lines[4]).toBe("Matched: 3, payments less refunds 1,299.00 CZK")
    expect(said).toContain(
      "20260608: transfer 1,280.01 CZK on 2026-06-08 = payments 1,499.50, refunds -200.50, fees of refunds -5.00, fees -13.99 (it comes to all movements through 2026-06-05)"
    )
  })

  it("names what does not agree, evidence first, and ends with 1", async () => {
    const { code, said } = await run(at("june.csv"), "--orders", at("others.csv"))
    expect(code).toBe(1)
    expect(said).toMatch(
      /It does not agree.*Changes of unknown outcome that were carried out \(1\):\n {2}createPayment 2026-0002, line 5: 2026-06-02 +100\.00 CZK.*In the books and not on the account \(1\):\n {2}2026-06-02 +7\.00 CZK {2}payment {2}2026-0003\n {2}=> Check each payment and refund at GoPay\./s
    )
  })

  it("may be Czech, by its option or by the environment", async () => {
    expect((await run(at("june.csv"), "--orders", at("orders.csv"), "--lang", "cs")).said).toContain(
      "Vše, co má být na výpisu, souhlasí do 5. 6. 2026."
    )
    const { said } = await startWith({ LANG: "cs_CZ.UTF-8" }, "statement", at("june.csv"), "--orders", at("others.csv"))
      .ended
    expect(said).toContain("V účetnictví, ale ne na účtu (1):")
    expect(said).toContain("=> Ověřte každou platbu a vratku u GoPay. Pokud neproběhla, opravte účetnictví.")
    expect(said).toContain("počáteční zůstatek: 0,00 Kč")
  })

  it("reads a spreadsheet by the package that is installed, and ABO with a currency", async () => {
    const { code, said } = await run(at("june.xls"))
    expect(code).toBe(0)
    expect(said).toContain("account 1002003001")
    expect(await run(at("june.gpc"))).toMatchObject({ code: 1, complained: expect.stringContaining("#currencyneeded") })
    expect((await run(at("june.gpc"), "--currency", "CZK")).said).toContain("No orders were given")
  })

  it("prints JSON and CSV for programs", async () => {
    const json = await run(at("june.csv"), "--orders", at("orders.csv"), "--json")
    expect(JSON.parse(json.said)).toMatchObject({ agrees: true, missing: [], matched: { length: 3 } })
    const csv = await run(at("june.csv"), "--orders", at("others.csv"), "--csv")
    expect(csv.code).toBe(1)
    expect(csv.said.split("\r\n").slice(0, 3)).toEqual([
      "result,type,order_number,payment_id,expected,booked,date,currency,movement_id,clearing",
      "evidence,Payment,2026-0002,,,100.00,2026-06-02,CZK,9003,20260608",
      "missing,Payment,2026-0003,,7.00,,2026-06-02,CZK,,"
    ])
    expect(csv.said).toContain("fee,Fee,2026-0001,,,-13.99,2026-06-01,CZK,9002,20260608")
  })

  it("says of each clearing what the bank received of it, in one sentence, and what to do", async () => {
    writeFileSync(at("clearing.xml"), clearingXml.replace(`amountSent="876.00"`, `amountSent="875.50"`))
    const line = {
      code: "2",
      symbol: "20260608",
      day: "2026-06-10",
      name: "GOPAY S.R.O.",
      account: "2801234567"
    } as const
    writeFileSync(
      at("bank.gpc"),
      bankFile("2026-06-01", "2026-06-30", [
        { ...line, id: "1", amount: 50_000 },
        { ...line, id: "2", amount: 700, symbol: "20260615" }
      ])
    )
    writeFileSync(
      at("clearing-orders.csv"),
      orders("2026-0001,payment,1000.00,CZK,2026-06-01,,", "2026-0001,refund,100.00,CZK,2026-06-05,,")
    )
    const args = [at("clearing.xml"), "--bank", at("bank.gpc"), "--orders", at("clearing-orders.csv")]
    const english = await run(...args)
    expect(english.code).toBe(1)
    expect(english.said).toContain(`Clearings, each by the variable symbol of its transfer (1):
  20260608: transfer 876.00 CZK (its payout is on a later statement) = payments 1,000.00, refunds -100.00, fees of refunds -5.00, fees -20.00 (external among them -10.00), credit notes and others 1.00 (explained by its file)
    transferred and not sent 0.50 CZK: no file explains it. Ask GoPay, and do not book it as a fee
    the bank received 500.00 CZK on 2026-06-10; the rest is late: ask GoPay (rest 376.00 CZK)
      2026-06-10      500.00 CZK  20260608  GOPAY S.R.O.
    fees by payment channel: card 10.00 CZK
`)
    expect(english.said).toContain(`Transfers from GoPay to the bank that belong to no clearing (1):
  2026-06-10        7.00 CZK  20260615  GOPAY S.R.O.
  => Add the clearing whose number is the variable symbol, or ask GoPay for it.
`)
    const czech = await run(...args, "--lang", "cs")
    expect(czech.said).toContain(
      "převedeno, ale neodesláno 0,50 Kč: žádný soubor to nevysvětluje. Zeptejte se GoPay a neúčtujte to jako poplatek"
    )
    expect(czech.said).toContain(
      "na účet v bance přišlo 500,00 Kč dne 10. 6. 2026; zbytek už přijít měl: zeptejte se GoPay (zbývá 376,00 Kč)"
    )
  })

  const pohodaOf = (file: string): ReadonlyArray<string> => {
    return [at(file), "--export", "pohoda", "--ico", "12345679", "--account", "GP"]
  }

  it("lists below each clearing the orders that it paid out, and says each advice once", async () => {
    const { said } = await run(at("june.csv"), "--orders", at("orders.csv"))
    expect(said).toContain(`    orders that it paid out (3):
      2026-06-01    1,399.50 CZK  payment  2026-0001
      2026-06-02      100.00 CZK  payment  2026-0002
      2026-06-05     -200.50 CZK  refund  2026-0001
`)
    expect(said).not.toContain("Fees without a clearing")
    writeFileSync(at("none.csv"), orders("2026-0009,payment,1,CZK,2026-06-08,,"))
    const foreign = await run(at("june.csv"), "--orders", at("none.csv"))
    expect(foreign.said.match(/the books have no such payment/g)).toHaveLength(1)
    expect(foreign.said)
      .toContain(`  => the books have no such refund. If it is of an order of an earlier month, add these lines to the file of orders
     2026-0001,refund,200.50,CZK,2026-06-05,,
`)
  })

  it("lists after the clearings what none of them paid out, where each is explained", async () => {
    const later = "9007;09.06.2026 10:00;Platba;Eva Malá;eva@example.com;;;;2026-0003;50,00;0,00;50,00;CZK;"
    writeFileSync(at("later.csv"), csvB([...csvBLines, later]))
    expect((await run(at("later.csv"))).said).toContain(`
Not paid out yet: in none of these clearings (1):
  2026-06-09       50.00 CZK  Platba  2026-0003  Eva Malá`)
    expect((await run(at("june.csv"))).said).not.toContain("Not paid out yet")
    const [head = "", , ...rest] = csvBLines
    const between = "9008;07.06.2026 10:00;Platba;Eva Malá;eva@example.com;;;;2026-0004;1,00;1 280,01;1 281,01;CZK;"
    const [payout = ""] = rest.slice(-1)
    const less = payout.replace("-1 280,01;1 280,01;0,00", "-1 280,51;1 281,01;0,50")
    writeFileSync(at("unexplained.csv"), csvB([head, between, less, later.replace("0,00;50,00", "0,50;50,50")]))
    const unexplained = await run(at("unexplained.csv"))
    expect(unexplained.said).toContain("NOT EXPLAINED")
    expect(unexplained.said).not.toContain("Not paid out yet")
  })

  it("says of a file in the shop's own columns that it is not a list of orders", async () => {
    writeFileSync(at("own.csv"), csvB(["Objednávka;Částka", "2026-0001;1399,50"]))
    const { code, complained } = await run(at("june.csv"), "--orders", at("own.csv"), "--lang", "cs")
    expect([code, complained]).toEqual([
      1,
      expect.stringContaining("own.csv: Toto není soubor objednávek. První řádek")
    ])
  })

  it("says which order numbers have no variable symbol, and writes their digits where it is told to", async () => {
    const plain = await run(...pohodaOf("june.csv"))
    expect(plain.complained).toMatch(/--variable-symbol digits writes their digits\..* \(2\): 2026-0001, 2026-0002\n/)
    expect(plain.said.match(/<bnk:symVar>/g)).toHaveLength(1)
    const digits = await run(...pohodaOf("june.csv"), "--variable-symbol", "digits")
    expect(digits.complained).not.toContain("variable symbol")
    expect(digits.said.match(/<bnk:symVar>20260001</g)).toHaveLength(4)
    writeFileSync(at("alike.csv"), csvB(csvBLines.map((line) => line.replace("2026-0002", "20-260001"))))
    const alike = await run(...pohodaOf("alike.csv"), "--variable-symbol", "digits")
    expect([alike.code, alike.said.match(/symVar>20260001</g)]).toEqual([0, null])
    expect(alike.complained.replaceAll("\n", " ")).toContain("Pair them by hand (2): 2026-0001, 20-260001")
  })

  it("gives a payment without an order number no variable symbol of the clearing that paid it out", async () => {
    const fee = aboLine({ id: "9007", amount: 9_500, code: "1", symbol: "20260608", day: "080626", type: "GOPAY-POPL" })
    const [head = "", ...lines] = aboLines
    const cleared = head.replace("00000000005000+", "00000000000000+").replace("000000001445000", "000000001495000")
    writeFileSync(at("cleared.gpc"), abo([cleared, ...lines.slice(0, -1), fee]))
    const { said } = await run(at("cleared.gpc"), "--currency", "CZK", "--export", "csv")
    const rows = said.split("\r\n").map((line) => line.split(","))
    expect(rows.map(([, booking, , , clearing, , symbol]) => [booking, clearing, symbol])).toEqual([
      ["booking", "clearing", "variable_symbol"],
      ["payment", "20260608", ""],
      ["payment", "20260608", ""],
      ["refund", "20260608", ""],
      ["payout", "20260608", "20260608"],
      ["fee", "20260608", "20260608"]
    ])
  })

  it("reads another CSV by --columns, and says what is wrong in the language of the page", async () => {
    writeFileSync(at("other.csv"), "Den;Druh;Suma;Obj\n1.6.2026;Platba;10,00;2026-0001\n")
    const args = [at("other.csv"), "--currency", "CZK", "--lang", "cs"]
    const columns = ["--columns", "date=Den,type=Druh,amount=Suma,orderNumber=Obj"]
    expect((await run(...args, ...columns, "--export", "csv")).said).toContain("1.6.2026;platba;10,00;CZK;;2026-0001")
    expect((await run(...args)).complained).toContain("other.csv: Neznámý druh výpisu\n")
    expect((await run(at("nothing.csv"), "--lang", "cs")).complained).toContain("Soubor neexistuje")
    expect((await run(...args, "--columns", "date=Den")).complained).toContain(
      "--columns potřebuje date, type a amount"
    )
    expect((await run(...args, "--columns", "day=Den")).complained).toContain("kde NÁZEV je jeden z date, type")
  })

  it("exports each movement with its booking, as CSV and as bank documents of Pohoda", async () => {
    const csv = await run(at("june.csv"), "--export", "csv")
    expect([csv.code, csv.said.split("\r\n")]).toEqual([
      0,
      [
        "date,booking,amount,currency,clearing,order_number,variable_symbol,payment_id,movement_id,counterparty,type",
        "2026-06-01,payment,1399.50,CZK,20260608,2026-0001,,,9001,Jana Nováková,GOPAY-platba",
        "2026-06-01,fee,-13.99,CZK,20260608,2026-0001,,,9002,GOPAY,Poplatek za platbu",
        "2026-06-02,payment,100.00,CZK,20260608,2026-0002,,,9003,Petr Dvořák,Platba",
        "2026-06-05,refund,-200.50,CZK,20260608,2026-0001,,,9004,GOPAY,GOPAY-storno-platby",
        "2026-06-05,refund_fee,-5.00,CZK,20260608,2026-0001,,,9005,GOPAY,GOPAY-storno-popl",
        "2026-06-08,payout,-1280.01,CZK,20260608,,20260608,,9006,Example s.r.o.,GOPAY-vyuctovani\n"
      ]
    ])
    const pohoda = await run(at("june.csv"), "--export", "pohoda", "--ico", "12345679", "--account", "GP")
    expect(pohoda.code).toBe(0)
    // This text was held against Stormware's schema.
    const packs = /(?<=id="gopay-[\d-]{21}-)[0-9a-f]{16}/
    expect(pohoda.said.replace(packs, "PACK").split("\n").slice(0, 3)).toEqual([
      `<?xml version="1.0" encoding="UTF-8"?>`,
      `<dat:dataPack version="2.0" id="gopay-2026-06-01-2026-06-08-PACK" ico="12345679" application="effect-gopay" note="GoPay" xmlns:dat="http://www.stormware.cz/schema/version_2/data.xsd" xmlns:bnk="http://www.stormware.cz/schema/version_2/bank.xsd" xmlns:typ="http://www.stormware.cz/schema/version_2/type.xsd">`,
      `<dat:dataPackItem version="2.0" id="9001"><bnk:bank version="2.0"><bnk:bankHeader><bnk:bankType>receipt</bnk:bankType><bnk:account><typ:ids>GP</typ:ids></bnk:account><bnk:dateStatement>2026-06-01</bnk:dateStatement><bnk:datePayment>2026-06-01</bnk:datePayment><bnk:text>GoPay platba 2026-0001</bnk:text><bnk:intNote>GOPAY-platba, pohyb 9001, vyúčtování 20260608</bnk:intNote></bnk:bankHeader><bnk:bankSummary><bnk:homeCurrency><typ:priceNone>1399.50</typ:priceNone></bnk:homeCurrency></bnk:bankSummary></bnk:bank></dat:dataPackItem>`
    ])
    expect(pohoda.said).toContain(
      `<bnk:bankType>expense</bnk:bankType><bnk:account><typ:ids>GP</typ:ids></bnk:account><bnk:symVar>20260608</bnk:symVar>`
    )
    // Pohoda leaves out what it has taken: the same movements have the same ids, others have others, also without ids of their own.
    const idsIn = ({ said }: { readonly said: string }) => [...said.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const july = csvBLines.map((line) => line.replace(/^\d+;/, ";").replaceAll(".06.2026", ".07.2026"))
    writeFileSync(at("july.csv"), csvB(july))
    const [first, again] = [await run(...pohodaOf("july.csv")), await run(...pohodaOf("july.csv"))]
    expect(idsIn(again)).toEqual(idsIn(first))
    expect(new Set([...idsIn(first), ...idsIn(pohoda)]).size).toBe(14)
    writeFileSync(at("euro.csv"), csvB(csvBLines.map((line) => line.replace(";CZK;", ";EUR;"))))
    const euro = await run(at("euro.csv"), "--export", "pohoda", "--ico", "12345679", "--account", "GP")
    expect([euro.code, euro.said, euro.complained]).toEqual([1, "", expect.stringContaining("needs a rate")])
  })

  it("calls the last days not yet due, unless --through says so", async () => {
    const late = at("late.csv")
    writeFileSync(late, orders(...agreeing, "2026-0009,payment,1,CZK,2026-06-08,,"))
    const usual = await run(at("june.csv"), "--orders", late)
    expect([usual.code, usual.said]).toEqual([0, expect.stringContaining("Not yet due")])
    expect((await run(at("june.csv"), "--orders", late, "--through", "2026-06-08")).code).toBe(1)
  })

  it("refuses a file that does not add up, with its line, and shows no control characters of it", async () => {
    const { code, complained, said } = await run(at("broken.csv"))
    expect({ code, said }).toEqual({ code: 1, said: "" })
    expect(complained.replaceAll("\n", " ")).toContain(
      "broken.csv: The sums of this file do not agree Line 4: the balance before it is 1485.51"
    )
    expect((await run(at("nothing.csv"))).complained).toContain("There is no such file")
  })

  it.each([
    [[]],
    [["june.csv", "--json", "--csv"]],
    [["june.csv", "--through", "June"]],
    [["june.csv", "--through", "2026-13-01"]],
    [["june.csv", "--through", "2026-02-30"]],
    [["june.csv", "--lang", "de"]],
    [["june.csv", "--orders", "orders.csv", "--orders", "orders.csv"]],
    [["june.csv", "--currency", "Kč"]],
    [["june.csv", "--encoding", "Klingon"]],
    [["june.csv", "--export", "flexi"]],
    [["june.csv", "--export", "csv", "--json"]],
    [["june.csv", "--export", "pohoda", "--account", "GP"]],
    [["june.csv", "--export", "pohoda", "--ico", "12345679"]],
    [["june.csv", "--export", "pohoda", "--account", "GP", "--ico", "123"]],
    [["june.csv", "--ico", "12345679"]],
    [["june.csv", "--columns", "date=Datum"]],
    [["june.csv", "--variable-symbol", "digits"]],
    [["june.csv", "--export", "csv", "--variable-symbol", "letters"]]
  ])("is wrong usage with %j", async (args) => {
    expect((await run(...args)).code).toBe(2)
  })
})
