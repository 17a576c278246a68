/**
 * What the command `statement` exports for a shop's books.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { abo, aboLines, clearingXml, csvB, csvBHead } from "../statement/files.js"
import { euros, monthLike, statementFolder } from "../support/StatementFiles.js"

const { remove, run, runCzech, write } = statementFolder()
afterAll(remove)

const pohoda = ["--export", "pohoda", "--ico", "12345679", "--account", "GP"]

describe("An export", () => {
  beforeAll(() => {
    const moved = monthLike((line) =>
      line.replaceAll(".06.2026", ".08.2026").replace(/^\d/, "7").replace("20260608", "20260808")
    )
    write({
      "june.csv": csvB(),
      "august.csv": moved,
      // The same ids, as two shops of the local gateway have them.
      "other.csv": monthLike((line) =>
        line.includes(";2026-0001;1 399,50;")
          ? line.replace("2026-0001;1 399,50;0,00;1 399,50", "1;1 399,40;0,10;1 399,50")
          : line
      ),
      "gap.csv": csvB([
        "ID pohybu;Datum;Typ;Protistrana;Subjekt/E-mail;Bank.účet - prefix;Bank.účet - číslo;Bank.účet - kód banky;ID objednávky/VS;Částka;Počáteční stav;Koncový stav;Měna;ID referenčního pohybu",
        "9900;01.08.2026 08:00;Platba;Eva Malá;;;;;2026-0009;5,00;3,00;8,00;CZK;"
      ]),
      "spoilt.csv": monthLike((line) => line.replace(/^\d+;/, "2,81E+11;")),
      "euros.csv": euros
    })
  })

  it.each([
    ["another shop's file", "other.csv", "one movement with two amounts on 2026-06-01: -0.10 CZK", "two shops'"],
    ["a file is missing", "gap.csv", "a file is missing between 2026-06-08 – 2026-08-01: 3.00 CZK", "Add the statement"]
  ])("is refused whole where files contradict each other: %s", async (_, file, problem, advice) => {
    for (const format of [["--export", "csv"], pohoda]) {
      const { code, complained, said } = await run("june.csv", file, ...format)
      expect([code, said]).toEqual([1, ""])
      expect(complained).toContain("The files contradict each other, so nothing was exported")
      expect(complained).toContain(problem)
      expect(complained).toContain(advice)
    }
    expect((await run("june.csv", file)).code).toBe(1)
  })

  it("of two accounts is refused by the names of the files, and so is every comparison", async () => {
    write({
      "foreign.csv": monthLike((line) =>
        line
          .replace(/^9/, "5")
          .replace(/;9001$/, ";5001")
          .replaceAll(/;([\d ]+,\d\d);([\d ]+,\d\d);CZK/g, (_, before: string, after: string) => {
            const more = (amount: string): string => (Number(amount.replace(" ", "").replace(",", ".")) + 50).toFixed(2)
            return `;${more(before)};${more(after)};CZK`.replaceAll(".", ",")
          })
          .replaceAll("2026-000", "B-")
      )
    })
    for (const format of [["--export", "csv"], pohoda, ["--csv"], ["--json"], []]) {
      const { code, complained, said } = await run("june.csv", "foreign.csv", ...format)
      expect([code, said]).toEqual([1, ""])
      expect(complained).toContain("The files are of several accounts, so nothing was compared and nothing exported")
      expect(complained.replaceAll(/\s+/g, " ")).toContain(
        "june.csv, foreign.csv: on 2026-06-01 they have no movement in common, and their balances differ by 50.00 CZK"
      )
    }
    const czech = await run("june.csv", "foreign.csv", ...pohoda, "--lang", "cs")
    expect(czech.complained.replaceAll(/\s+/g, " ")).toContain(
      "soubory ze dvou účtů: june.csv, foreign.csv: dne 1. 6. 2026 nemají společný žádný pohyb a jejich zůstatky se liší o 50,00 Kč"
    )
    // Overlapping files, a file twice, and another currency are of one shop.
    for (const files of [
      ["june.csv", "june.csv"],
      ["june.csv", "euros.csv"]
    ])
      expect((await run(...files, "--export", "csv")).code).toBe(0)
  })

  it("is written where the balances meet", async () => {
    const { code, complained, said } = await run("june.csv", "august.csv", "--export", "csv")
    expect([code, said.split("\r\n").length]).toEqual([0, 13])
    expect(complained).not.toContain("contradict")
  })

  it("has the notes of its files beside it, and is no package of Pohoda with ids that a spreadsheet has spoilt", async () => {
    const csv = await run("spoilt.csv", "--export", "csv")
    expect([csv.code, csv.complained]).toEqual([0, expect.stringContaining('spoilt.csv: Line 2: "ID pohybu" is')])
    const { code, complained, said } = await run("spoilt.csv", ...pohoda)
    expect([code, said]).toEqual([1, ""])
    expect(complained).toContain("A spreadsheet has spoilt the ids of movements")
  })
})

describe("Sums", () => {
  it("are of one currency each", async () => {
    write({
      "orders.csv":
        "order_number,type,amount,currency\n2026-0001,payment,1399.50,CZK\n2026-0001,refund,200.50,CZK\n2026-0002,payment,100,CZK\n2026-0001,payment,1399.50,EUR\n2026-0001,refund,200.50,EUR\n2026-0002,payment,101,EUR\n"
    })
    const { said } = await run("june.csv", "euros.csv", "--orders", "orders.csv")
    expect(said).toContain("\nMatched: 5, payments less refunds 1,299.00 CZK, 1,199.00 EUR\n")
    expect(said).toContain("2026-0002: expected 101.00 EUR, booked 100.00 EUR (-1.00 EUR)")
  })
})

describe("A table", () => {
  it("has every movement, also without orders", async () => {
    const { said } = await run("june.csv", "--csv")
    const rows = said.split("\r\n").map((line) => line.split(",").slice(0, 3).join(" "))
    expect(rows).toEqual([
      "result type order_number",
      "notMatched Payment 2026-0001",
      "notMatched Payment 2026-0002",
      "notMatched Refund 2026-0001",
      "payout Payout ",
      "fee Fee 2026-0001",
      "fee RefundFee 2026-0001"
    ])
  })

  it("is for a Czech spreadsheet with --lang cs: semicolons, decimal commas, Czech heads, and the mark of UTF-8", async () => {
    const csv = await run("june.csv", "--csv", "--lang", "cs")
    expect(csv.said.split("\r\n").slice(0, 2)).toEqual([
      "\ufeffvýsledek;druh;číslo objednávky;ID platby;v účetnictví;na výpisu;datum;měna;ID pohybu;vyúčtování",
      "nepárováno;platba;2026-0001;;;1399,50;1.6.2026;CZK;9001;20260608"
    ])
    const bookings = await run("june.csv", "--export", "csv", "--lang", "cs")
    expect(bookings.said.split("\r\n").slice(0, 3)).toEqual([
      "\ufeffdatum;zaúčtování;částka;měna;vyúčtování;číslo objednávky;variabilní symbol;ID platby;ID pohybu;protistrana;typ u GoPay",
      "1.6.2026;platba;1399,50;CZK;20260608;2026-0001;;;9001;Jana Nováková;GOPAY-platba",
      "1.6.2026;poplatek;-13,99;CZK;20260608;2026-0001;;;9002;GOPAY;Poplatek za platbu"
    ])
  })

  it("stays the same for programs where people speak Czech", async () => {
    const english = await run("june.csv", "--csv")
    expect((await runCzech("june.csv", "--csv")).said).toBe(english.said)
  })

  it("has what contradicts it beside it, and ends with 1", async () => {
    const { code, complained } = await run("june.csv", "gap.csv", "--csv")
    expect([code, complained]).toEqual([1, expect.stringContaining("a file is missing between")])
  })
})

describe("A package of Pohoda", () => {
  const named = (...numbers: ReadonlyArray<string>): Uint8Array =>
    csvB([
      csvBHead,
      ...numbers.map(
        (number, index) => `${index};01.06.2026 08:00;Platba;Jana;;;;;${number};1,00;${index},00;${index + 1},00;CZK;`
      )
    ])
  const symbolsOf = (said: string) => [...said.matchAll(/<bnk:symVar>(\d+)</g)].map(([, symbol]) => symbol)

  it("has the digits of an order number where they can be no other's, and names each that has none", async () => {
    write({
      "numbers.csv": named(
        "2026-0042/A",
        "2026-0042",
        "2026/0043-123456789",
        "A-1",
        "FV-0007",
        "2026-0044",
        "7",
        "X-1234"
      )
    })
    const { code, complained, said } = await run("numbers.csv", ...pohoda, "--variable-symbol", "digits")
    expect([code, symbolsOf(said)]).toEqual([0, ["20260044", "7", "1234"]])
    expect(complained).toMatch(/another order or clearing .* \(2\): 2026-0042\/A, 2026-0042\n/)
    expect(complained).toMatch(/more than ten digits .* \(1\): 2026\/0043-123456789\n/)
    expect(complained).toMatch(/fewer than four digits .* \(2\): A-1, FV-0007\n/)
  })

  it("compares the digits with those of the list of orders, which has other months' too", async () => {
    write({
      "august.csv": named("2026-0042"),
      "list.csv":
        "order_number,type,amount,currency,date\n2026-0042,payment,1,CZK,2026-06-01\n2026-0042/A,payment,1,CZK,2026-01-01\n"
    })
    const alone = await run("august.csv", ...pohoda, "--variable-symbol", "digits")
    expect(symbolsOf(alone.said)).toEqual(["20260042"])
    const listed = await run("august.csv", ...pohoda, "--variable-symbol", "digits", "--orders", "list.csv")
    expect(symbolsOf(listed.said)).toEqual([])
    expect(listed.complained).toContain("(1): 2026-0042")
  })

  it("is of one account: files of two are refused, and doubted in a table", async () => {
    const other = aboLines.map((line) => line.replace("100200300", "100200301").replace("000000000900", "000000000800"))
    write({ "one.gpc": abo(), "other.gpc": abo(other) })
    const both = ["one.gpc", "other.gpc", "--currency", "CZK"]
    const { code, complained, said } = await run(...both, ...pohoda)
    expect([code, said]).toEqual([1, ""])
    expect(complained.replaceAll("\n", " ")).toContain("Export each alone: 100200300, 100200301")
    expect((await run(...both, "--export", "csv")).complained).toContain("Are all of them this shop's?")
    expect((await run("one.gpc", "one.gpc", "--currency", "CZK", ...pohoda)).code).toBe(0)
  })

  it("is of a firm by its number, also as the number for VAT has it", async () => {
    const firm = (ico: string) => run("june.csv", "--export", "pohoda", "--account", "GP", "--ico", ico)
    expect((await firm("CZ12345679")).said).toContain(' ico="12345679" ')
    // One digit is another, and two have changed places.
    for (const wrong of ["12345678", "12335679", "12345769"]) {
      expect((await firm(wrong)).complained).toContain(`--ico ${wrong} has a wrong digit`)
    }
    // Where the rest of the division is 0 or 1.
    for (const right of ["00000001", "00003000"]) expect((await firm(right)).code).toBe(0)
    expect((await firm("123")).complained).toContain("--ico must be eight digits such as 12345679, not 123")
  })

  it("of less or more than one month says that its days would be taken again", async () => {
    const whole = [csvBHead, "9900;28.06.2026 08:00;Platba;Eva Malá;;;;;2026-0009;5,00;0,00;5,00;CZK;"]
    const next = "9901;01.07.2026 08:00;Platba;Eva Malá;;;;;2026-0010;5,00;5,00;10,00;CZK;"
    write({ "whole.csv": csvB(whole), "more.csv": csvB([...whole, next]) })
    const warning = "are not those of one whole month"
    const warned = async (file: string) =>
      (await run(file, ...pohoda)).complained.replaceAll("\n", " ").includes(warning)
    expect([await warned("whole.csv"), await warned("more.csv"), await warned("june.csv")]).toEqual([false, true, true])
  })

  it("of clearings' files alone says that the statement would be booked again", async () => {
    write({ "clearing.xml": clearingXml })
    const { code, complained, said } = await run("clearing.xml", ...pohoda)
    expect([code, complained]).toEqual([0, expect.stringContaining("Only clearings' files were given")])
    expect(said).toContain("<bnk:intNote>platba 3000006542, pohyb 9001, vyúčtování 20260608</bnk:intNote>")
    expect((await run("june.csv", ...pohoda)).complained).not.toContain("Only clearings")
  })
})
