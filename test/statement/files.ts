/**
 * Files of statements, written by hand from what is known of them.
 */
import { encode } from "windows-1250"

/** A text as windows-1250. */
export const windows1250 = (text: string): Uint8Array =>
  Uint8Array.from(encode(text, { mode: "replacement" }), (code) => {
    if (code > 0xff) throw new Error("windows-1250 has no such character")
    return code
  })

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export const csvBHead =
  "ID pohybu;Datum;Typ;Protistrana;Subjekt/E-mail;Bank.účet - prefix;Bank.účet - číslo;Bank.účet - kód banky;ID objednávky/VS;Částka;Počáteční stav;Koncový stav;Měna;ID referenčního pohybu"

/** A month of CSV_B, newest last: two payments with the fee of one, a refund and its fee, a payout. */
export const csvBLines = [
  csvBHead,
  "9001;01.06.2026 08:05;GOPAY-platba;Jana Nováková;jana@example.com;;;;2026-0001;1 399,50;0,00;1 399,50;CZK;",
  "9002;01.06.2026 08:05;Poplatek za platbu;GOPAY;;;;;2026-0001;-13,99;1 399,50;1 385,51;CZK;9001",
  "9003;02.06.2026 23:59;Platba;Petr Dvořák;petr@example.com;;;;2026-0002;100,00;1 385,51;1 485,51;CZK;",
  "9004;05.06.2026 10:00;GOPAY-storno-platby;GOPAY;;;;;2026-0001;-200,50;1 485,51;1 285,01;CZK;",
  "9005;05.06.2026 10:00;GOPAY-storno-popl;GOPAY;;;;;2026-0001;-5,00;1 285,01;1 280,01;CZK;",
  "9006;08.06.2026 01:00;GOPAY-vyuctovani;Example s.r.o.;;;123456789;0800;20260608;-1 280,01;1 280,01;0,00;CZK;"
]

export const csvB = (lines: ReadonlyArray<string> = csvBLines): Uint8Array =>
  windows1250(lines.map((line) => `${line}\r\n`).join(""))

/** A month of ABO, as the sample has it: nine digits of an account, types in upper case, no variable symbol at payments. */
export const aboLines = [
  [
    "074",
    "0000000100200300",
    "EXAMPLE S.R.O.      ",
    "310526",
    "00000000000000+",
    "00000000005000+",
    "000000001445000",
    "000000001495000",
    "000",
    "300626",
    " ".repeat(14)
  ].join(""),
  aboLine({ id: "9001", amount: 139_500, code: "2", symbol: "0", day: "010626", type: "GOPAY-PLATBA" }),
  aboLine({ id: "9003", amount: 10_000, code: "2", symbol: "0", day: "020626", type: "GOPAY-PLATBA" }),
  aboLine({ id: "9004", amount: 20_000, code: "1", symbol: "0", day: "050626", type: "GOPAY-STORNO-PLATBY" }),
  aboLine({ id: "9006", amount: 120_000, code: "1", symbol: "20260608", day: "080626", type: "GOPAY-VYUCTOVANI" }),
  aboLine({ id: "9007", amount: 4_500, code: "1", symbol: "20260608", day: "080626", type: "GOPAY-POPL" })
]

interface AboLine {
  readonly id: string
  readonly amount: number
  readonly code: string
  readonly symbol: string
  readonly day: string
  readonly type: string
}

export function aboLine({ amount, code, day, id, symbol, type }: AboLine): string {
  return [
    "075",
    "0000000100200300",
    "0000000000000000",
    id.padStart(13, "0"),
    String(amount).padStart(12, "0"),
    code,
    symbol.padStart(10, "0"),
    "0000000000",
    "0000000000",
    day,
    type.padEnd(20),
    code === "2" ? "01102" : "01101",
    day
  ].join("")
}

export const abo = (lines: ReadonlyArray<string> = aboLines): Uint8Array =>
  windows1250(lines.map((line) => `${line}\r\n`).join(""))

export const clearingXml = `<?xml version="1.0" encoding="UTF-8"?>
<clearing xmlns="https://www.gopay.cz/clearing" accountName="Example CZK" amount="1000.00" amountCreditNote="1.00"
 amountFee="20.00" amountFeeExternal="10.00" amountSent="876.00" amountStorno="100.00" amountStornoFee="5.00"
 amountTransfer="876.00" clearingId="20260608" dateClearedFrom="01.06.2026" dateClearedTo="07.06.2026"
 datePerformed="08.06.2026" variableSymbol="20260608">
  <paymentChannel fee="10.00" transactionFee="10.00" type="card" volumeFee="0.00">
    <movements>
      <movement accountMovementId="9001" amount="1000.00" counterpartyName="Jana Nov&#225;kov&#225;"
       datePerformed="01.06.2026" orderId="2026-0001" paymentSessionId="3000006542" type="credit"/>
    </movements>
  </paymentChannel>
  <storno>
    <stornoMovement accountMovementId="9002" amount="-100.00" counterpartyName="GOPAY" datePerformed="05.06.2026"
     orderId="2026-0001" paymentSessionId="3000006542" type="storno"/>
    <stornoMovement accountMovementId="9003" amount="-5.00" counterpartyName="GOPAY" datePerformed="05.06.2026"
     orderId="2026-0001" paymentSessionId="3000006542" type="stornoFee"/>
  </storno>
</clearing>
`

/** The rows of a spreadsheet, as an account's own statement has them: from column B on. */
export const sheetRows: ReadonlyArray<ReadonlyArray<string | number | null>> = [
  [],
  [null, "VÝPIS Z OBCHODNÍHO ÚČTU"],
  [],
  [null, "EVČ: 1002003001"],
  [null, "ID účtu: 1002003001/Example CZK"],
  [null, "Datum vytvoření výpisu", null, null, "1. 7. 2026"],
  [null, "Definované období", null, null, "1. 6. 2026 - 30. 6. 2026"],
  [null, "Počáteční zůstatek na účtě", null, null, "10,00 CZK"],
  [null, "Připsáno na účet", null, null, "1\u00a0499,50 CZK"],
  [null, "Odepsáno z účtu", null, null, "\u22121\u202f205,50 CZK"],
  [null, "Konečný zůstatek na účtě", null, null, "304,00 CZK"],
  [],
  [null, "Pohyby na účtě"],
  [null, "Datum", "Typ", "Protistrana", "Částka", "Měna", "ID objednávky/VS"],
  [null, "1. 6. 2026", "GOPAY-platba", "400000******0001", 1399.5, "CZK", "2026-0001"],
  [null, 46_175, "GOPAY-platba", "400000******0002", "100,00", "CZK", "2026-0002"],
  [null, "5. 6. 2026", "GOPAY-storno-platby", "GOPAY", -200.5, "CZK", "2026-0001"],
  [null, "5. 6. 2026", "GOPAY-storno-popl", "GOPAY", "-5,00", "CZK", "2026-0001"],
  [null, "8. 6. 2026", "GOPAY-vyuctovani", "Example s.r.o.", "-1 000,00", "CZK", "20260608"]
]

/** A transfer of the shop's own bank. */
export interface BankLine {
  readonly id: string
  /** In minor units, above 0. */
  readonly amount: number
  /** 1 out of the account, 2 into it. */
  readonly code: "1" | "2"
  readonly symbol: string
  readonly day: string
  readonly name: string
  readonly account: string
}

const ddmmyy = (day: string): string => `${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)}`

/** The shop's own bank account as ABO, from nothing. The first day is the one after that of the old balance. */
export const bankFile = (from: string, to: string, lines: ReadonlyArray<BankLine>, opening = 0): Uint8Array => {
  const sum = (code: string): number =>
    lines.reduce((total, line) => (line.code === code ? total + line.amount : total), 0)
  const [debit, credit] = [sum("1"), sum("2")]
  const digits = (amount: number): string => String(Math.abs(amount)).padStart(14, "0")
  const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10)
  const balance = opening + credit - debit
  const head = `0740000001234567890${"EXAMPLE SHOP".padEnd(20)}${ddmmyy(before)}${digits(opening)}+${digits(balance)}${balance < 0 ? "-" : "+"}${digits(debit)}0${digits(credit)}0006${ddmmyy(to)}${" ".repeat(14)}`
  const records = lines.map(
    ({ account, amount, code, day, id, name, symbol }) =>
      `0750000001234567890${account.padStart(16, "0")}${id.padStart(13, "0")}${String(amount).padStart(12, "0")}${code}${symbol.padStart(10, "0")}${"0".repeat(20)}${ddmmyy(day)}${name.padEnd(20)}00203${ddmmyy(day)}`
  )
  return windows1250([head, ...records].map((line) => `${line}\r\n`).join(""))
}
