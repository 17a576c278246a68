/**
 * The command `statement`: statements of an account, matched with a shop's orders.
 */
import { readFileSync } from "node:fs"
import { amountToDecimal } from "../contract/Amount.js"
import { isDay } from "../contract/Day.js"
import {
  type BookedOrder,
  type MovementTag,
  parseBankStatement,
  parseOrders,
  parseStatement,
  reconcileStatement,
  type ParsedStatement,
  type SpreadsheetReader,
  StatementError,
  type StatementMovement
} from "../statement/index.js"
import type { BookedOrdersOptions } from "../ledger/model/Lists.js"
import { isEncoding } from "../statement/FileText.js"
import type { ParseStatementOptions } from "../statement/parseStatement.js"
import { commandOf, CommandFailure, flag, installed, option, repeatable, WrongUsage } from "./Command.js"
import { csvText, printable } from "./OutputText.js"
import { withLedger } from "./ShopClient.js"
import { type ReadFile, statementCsv, type StatementLanguage, statementPage } from "./StatementReport.js"

const languageOf = (given: string | undefined): StatementLanguage => {
  if (given === "en" || given === "cs") return given
  if (given !== undefined) throw new WrongUsage(`--lang must be en or cs, not ${given}`)
  return /^cs/i.test(process.env["LC_ALL"] ?? process.env["LANG"] ?? "") ? "cs" : "en"
}

const isSpreadsheetReader = (found: unknown): found is SpreadsheetReader =>
  typeof found === "object" && found !== null && "read" in found && typeof found.read === "function"

const contentOf = (path: string): Uint8Array => {
  try {
    return readFileSync(path)
  } catch {
    throw new CommandFailure(1, `There is no file ${printable(path)} that can be read.`)
  }
}

/** What is read of a file, or the failure with the name of the file before its problem. */
const orFailure = <A>(path: string, read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    throw new CommandFailure(1, `${printable(path)}: ${printable(error.message)}\nSee ${error.help}`)
  }
}

/** What reads spreadsheets is loaded for a spreadsheet only. */
const parsed = (bytes: Uint8Array, options: ParseStatementOptions): ParsedStatement => {
  try {
    return parseStatement(bytes, options)
  } catch (error) {
    if (!(error instanceof StatementError) || error.reason._tag !== "SpreadsheetReaderNeeded") throw error
    const spreadsheets = installed(isSpreadsheetReader, "@e965/xlsx")
    if (spreadsheets === undefined) {
      throw new CommandFailure(1, "The package @e965/xlsx is not installed here: npm install @e965/xlsx")
    }
    return parseStatement(bytes, { ...options, spreadsheets })
  }
}

/** What makes the export of movements, if one is wanted. */
const exportOf = (format: string | undefined, ico: string | undefined, account: string | undefined) => {
  if (format !== "pohoda" && (ico !== undefined || account !== undefined)) {
    throw new WrongUsage("--ico and --account are for --export pohoda")
  }
  if (format === undefined) return undefined
  if (format === "csv") return bookingCsv
  if (format !== "pohoda") throw new WrongUsage(`--export must be csv or pohoda, not ${format}`)
  if (ico === undefined || !/^\d{6,12}$/.test(ico))
    throw new WrongUsage("--export pohoda needs the firm's number: --ico")
  if (account === undefined || account === "" || account.length > 19) {
    throw new WrongUsage(
      "--export pohoda needs the abbreviation of the account in Pohoda, 19 characters at most: --account"
    )
  }
  return (movements: ReadonlyArray<StatementMovement>) => pohodaXml(movements, { ico, account })
}

/** The shop's books: a file, or its ledger. `undefined` without either. */
const readOrders = async (
  path: string | undefined,
  store: string | undefined,
  installation: string | undefined,
  statements: ReadonlyArray<ParsedStatement>
): Promise<ReadonlyArray<BookedOrder> | undefined> => {
  if (store !== undefined) {
    return withLedger(store, { installation }, async (ledger) => {
      const orders: Array<BookedOrder> = []
      for await (const order of ledger.listBookedOrders(timeOf(statements))) orders.push(order)
      return orders
    })
  }
  return path === undefined ? undefined : orFailure(path, () => parseOrders(contentOf(path)))
}

/** In milliseconds: how long before the first movement a payment or a refund may have been made that it books. */
const bookedWithin = 62 * 86_400_000

/** The time of the books that statements are compared with. */
const timeOf = (statements: ReadonlyArray<ParsedStatement>): BookedOrdersOptions => {
  const [first] = statements.flatMap(({ movements }) => movements.map(({ date }) => date)).toSorted()
  return first === undefined ? {} : { from: new Date(Date.parse(first) - bookedWithin) }
}

/** What a movement is to be booked as, in words that do not change: programs go by them; and its text in Pohoda. */
const bookings: Readonly<Record<MovementTag, readonly [booking: string, text: string]>> = {
  Payment: ["payment", "Platba"],
  Refund: ["refund", "Vratka"],
  RefundFee: ["refund_fee", "Poplatek za vratku"],
  Fee: ["fee", "Poplatek"],
  CreditNote: ["credit_note", "Dobropis poplatků"],
  Payout: ["payout", "Výplata na bankovní účet"],
  TopUp: ["top_up", "Dobití účtu"],
  UnmatchedTransfer: ["unmatched_transfer", "Nespárovaný převod"],
  Hold: ["hold", "Blokace"],
  Unknown: ["unknown", "Neznámý pohyb"]
}

const heads = [
  "date",
  "booking",
  "amount",
  "currency",
  "clearing",
  "order_number",
  "variable_symbol",
  "payment_id",
  "movement_id",
  "counterparty",
  "type"
]

/** The number of a clearing or an order, where a variable symbol may be it: ten digits at most. */
const variableSymbolOf = ({ clearing, orderNumber, reference }: StatementMovement): string => {
  const number = clearing ?? orderNumber ?? reference ?? ""
  return /^\d{1,10}$/.test(number) ? number : ""
}

/** A line for each movement, the oldest first. Amounts are signed: negative is out of the account at GoPay. */
const bookingCsv = (movements: ReadonlyArray<StatementMovement>): string =>
  csvText(
    heads,
    movements.map((movement) => [
      movement.date,
      bookings[movement._tag][0],
      amountToDecimal(movement.amount),
      movement.currency,
      movement.clearing,
      movement.orderNumber,
      variableSymbolOf(movement),
      movement.paymentId,
      movement.movementId,
      movement.counterparty,
      movement.type
    ])
  )

interface PohodaFirm {
  /** The firm's number (IČO). Pohoda refuses a package for another one. */
  readonly ico: string
  /** The abbreviation of the account in Pohoda's list of bank accounts. */
  readonly account: string
}

const escaped = (text: string): string =>
  text
    // XML has no such characters.
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "?")
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const element = (name: string, text: string): string => (text === "" ? "" : `<${name}>${escaped(text)}</${name}>`)

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join("")

const pohodaItem = (movement: StatementMovement, index: number, { account }: PohodaFirm): string => {
  const { _tag, amount, clearing, date, movementId, orderNumber, paymentId, reference, type } = movement
  const number = orderNumber ?? clearing ?? reference ?? ""
  const known = [
    type,
    paymentId === undefined ? undefined : `platba ${paymentId}`,
    movementId === undefined ? undefined : `pohyb ${movementId}`
  ]
  return [
    `<dat:dataPackItem version="2.0" id="${escaped(cut(movementId ?? `no-${index + 1}`, 64))}">`,
    `<bnk:bank version="2.0"><bnk:bankHeader>`,
    element("bnk:bankType", amount < 0 ? "expense" : "receipt"),
    `<bnk:account>${element("typ:ids", account)}</bnk:account>`,
    element("bnk:symVar", variableSymbolOf(movement)),
    element("bnk:dateStatement", date),
    element("bnk:datePayment", date),
    element("bnk:text", cut(`GoPay ${bookings[_tag][1]} ${number}`.trim(), 240)),
    element("bnk:intNote", known.filter((part) => part !== undefined).join(", ")),
    `</bnk:bankHeader><bnk:bankSummary><bnk:homeCurrency>`,
    element("typ:priceNone", amountToDecimal(Math.abs(amount))),
    `</bnk:homeCurrency></bnk:bankSummary></bnk:bank></dat:dataPackItem>`
  ].join("")
}

/**
 * Bank documents of Pohoda, one for each movement, as its public schema has them. Accounting codes are left to Pohoda's own
 * settings. Crowns only: a document in another currency needs a rate, which no statement has.
 */
const pohodaXml = (movements: ReadonlyArray<StatementMovement>, firm: PohodaFirm): string => {
  const other = movements.find(({ currency }) => currency !== "CZK")
  if (other !== undefined) {
    throw new CommandFailure(
      1,
      `The statement of line ${other.line} is in ${other.currency}: a document of Pohoda needs a rate for it. Export it with --export csv.`
    )
  }
  if (movements.length === 0) throw new CommandFailure(1, "There are no movements, and Pohoda takes no empty package.")
  const namespace = "http://www.stormware.cz/schema/version_2"
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<dat:dataPack version="2.0" id="gopay" ico="${escaped(firm.ico)}" application="effect-gopay" note="GoPay" xmlns:dat="${namespace}/data.xsd" xmlns:bnk="${namespace}/bank.xsd" xmlns:typ="${namespace}/type.xsd">`,
    ...movements.map((movement, index) => pohodaItem(movement, index, firm)),
    "</dat:dataPack>"
  ].join("\n")
}

export const statementCommand = commandOf({
  name: "statement",
  summary: "read statements of an account and match them with orders",
  about: `Usage: effect-gopay statement FILE… [--orders FILE | --ledger STORE] [--bank FILE] [--through DATE]
       [--json | --csv | --export FORMAT]

Reads statements of an account (CSV_B, XLS, ABO, a clearing's XML), checks that they add up,
and matches them with the shop's orders. It sends nothing.

The file of orders is a CSV with the columns order_number, type (payment or refund), amount
and currency, and if you have them: date, payment_id, state (of a payment: paid, unpaid or
unknown; of a refund: done, requested, failed or unknown).

STORE is the database of a shop's ledger, as of the command ledger: a file with SQLite, or the
address of a PostgreSQL (postgres://…). The merchant is that of the GOPAY_ variables.

XLS and XLSX are read by the package @e965/xlsx of the project in this directory.`,
  options: {
    orders: option("FILE", "the shop's payments and refunds"),
    ledger: option("STORE", "the same from the shop's ledger"),
    installation: option("NAME", "the name of the ledger's installation (default: main)"),
    bank: repeatable(
      "FILE",
      "a statement of your own bank as ABO (GPC): which transfers are those of which clearing; may be given several times"
    ),
    through: option(
      "DATE",
      "the last day that must be on the statements, such as 2026-06-30 (default: three days before they end)"
    ),
    currency: option("CODE", "the currency of files that do not say it, such as ABO"),
    encoding: option("NAME", "the encoding of files that do not say it, such as windows-1250 or cp852"),
    lang: option("LANGUAGE", "en or cs (default: by the environment variables LC_ALL and LANG)"),
    json: flag("print JSON"),
    csv: flag("print each payment, refund and movement with what was found, as CSV"),
    export: option("FORMAT", "print each movement with its booking: csv, or pohoda for bank documents of Pohoda"),
    ico: option("NUMBER", "the number of the firm in Pohoda"),
    account: option("CODE", "the abbreviation of the account in Pohoda")
  },
  end: `Exit status: 0 when all that is due agrees, 1 when not or a file cannot be read, 2 for wrong usage.`,
  takes: Infinity,
  run: async (values, paths) => {
    const { bank: bankPaths, csv, currency, encoding, installation, json, ledger, orders: ordersPath, through } = values
    const exported = exportOf(values.export, values.ico, values.account)
    const language = languageOf(values.lang)
    if (paths.length === 0) throw new WrongUsage("Give one statement or more")
    if ([json, csv, exported !== undefined].filter(Boolean).length > 1) {
      throw new WrongUsage("Give one of --json, --csv and --export")
    }
    if (ledger !== undefined && ordersPath !== undefined) throw new WrongUsage("Give --orders or --ledger, not both")
    if (through !== undefined && !isDay(through)) {
      throw new WrongUsage(`--through must be a day such as 2026-06-30, not ${through}`)
    }
    if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
      throw new WrongUsage(`--currency must be a code such as CZK, not ${currency}`)
    }
    if (encoding !== undefined && !isEncoding(encoding)) {
      throw new WrongUsage(`--encoding must be a name such as windows-1250 or cp852, not ${encoding}`)
    }
    const files = paths.map((path): ReadFile => {
      const bytes = contentOf(path)
      return { path, statement: orFailure(path, () => parsed(bytes, { currency, encoding })) }
    })
    const statements = files.map(({ statement }) => statement)
    const orders = await readOrders(ordersPath, ledger, installation, statements)
    const isMatched = orders !== undefined
    const bank = bankPaths.map((path) => orFailure(path, () => parseBankStatement(contentOf(path), { currency })))
    const found = reconcileStatement(statements, { orders: orders ?? [], bank, through })
    const result = isMatched ? found : { ...found, foreign: [] }
    if (exported !== undefined) console.log(exported(found.movements))
    else if (json) console.log(JSON.stringify(isMatched ? result : statements, null, 2))
    else console.log(csv ? statementCsv(result) : statementPage(language, files, result, isMatched))
    if (isMatched && !result.agrees) process.exitCode = 1
  }
})
