/**
 * The command `statement`: compares statements of an account with a shop's orders.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { messageOf } from "../basics/AnyRealm.js"
import { isDay } from "../basics/Day.js"
import {
  type BookedOrder,
  parseBankStatement,
  parseStatement,
  reconcileStatement,
  type ParsedStatement,
  type SpreadsheetReader,
  type StatementColumns,
  StatementError
} from "../statement/index.js"
import type { AttentionItem } from "../ledger/model/Attention.js"
import type { BookedOrdersOptions } from "../ledger/model/Lists.js"
import { type OrdersLayout, readOrders } from "../statement/BookedOrder.js"
import { isEncoding } from "../statement/FileText.js"
import type { ParseStatementOptions } from "../statement/parseStatement.js"
import { commandOf, CommandFailure, flag, installed, option, repeatable, WrongUsage } from "./Command.js"
import { printable } from "./OutputText.js"
import { allAttention, installationOption, withLedger } from "./ShopClient.js"
import { detailText } from "./StatementWords.js"
import { exportOf } from "./StatementExport.js"
import { failure, failureTexts } from "./StatementFailure.js"
import { contradictionLines, contradictory, noteLines, type ReadFile, statementPage } from "./StatementReport.js"
import { statementCsv } from "./StatementCsv.js"
import { checkThrough, decisionLines, warningsOf } from "./StatementWarnings.js"
import type { Language } from "./Language.js"
import { inLanguage } from "./StatementTexts.js"

/** Writes a file that does not exist yet. */
const writeNew = (file: string, text: string): void => {
  try {
    writeFileSync(file, text, { flag: "wx" })
  } catch (error) {
    if (existsSync(file)) throw new CommandFailure(2, (said) => said.exists(file))
    throw new CommandFailure(1, ({ statement }) => statement.notWritten(file, messageOf(error)))
  }
}

const columnNames = {
  date: true,
  type: true,
  amount: true,
  currency: true,
  orderNumber: true,
  paymentId: true,
  movementId: true,
  relatedMovementId: true,
  counterparty: true,
  balanceBefore: true,
  balanceAfter: true
} as const satisfies Readonly<Record<keyof StatementColumns, true>>

/** The columns from `--columns`, each with its header. */
const columnsOf = (given: string | undefined): StatementColumns | undefined => {
  if (given === undefined) return undefined
  const heads = new Map(
    given.split(",").map((pair) => {
      const [name = "", ...head] = pair.split("=")
      if (!Object.hasOwn(columnNames, name.trim()) || head.join("=").trim() === "") {
        throw new WrongUsage(({ statement }) => statement.columnForm(Object.keys(columnNames).join(", "), pair))
      }
      return [name.trim(), head.join("=").trim()] as const
    })
  )
  const [date, type, amount] = ["date", "type", "amount"].map((name) => heads.get(name))
  if (date === undefined || type === undefined || amount === undefined) {
    throw new WrongUsage(({ statement }) => statement.columnsNeeded)
  }
  return { ...Object.fromEntries(heads), date, type, amount }
}

const isSpreadsheetReader = (found: unknown): found is SpreadsheetReader =>
  typeof found === "object" && found !== null && "read" in found && typeof found.read === "function"

const contentOf = (path: string): Uint8Array => {
  try {
    return readFileSync(path)
  } catch {
    throw failure("noFile", printable(path))
  }
}

const seeText = { en: "See", cs: "Více:" } as const

/** The content of a file, or a failure that names the file and its problem. */
const orFailure = <A>(path: string, read: () => A, kind: "statement" | "orders" = "statement"): A => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    const { _tag } = error.reason
    const isOrders = kind === "orders"
    const inOrders = { UnknownStatement: "noOrdersFile", InvalidStatement: "invalidOrders" } as const
    const name = isOrders && (_tag === "UnknownStatement" || _tag === "InvalidStatement") ? inOrders[_tag] : _tag
    throw new CommandFailure(1, ({ language }) => {
      const lines = [
        `${printable(path)}: ${failureTexts[name][language]}`,
        printable(detailText(error.reason, language)),
        ...(isOrders ? [] : [`${seeText[language]} ${error.help}`])
      ]
      return lines.filter((line) => line !== "").join("\n")
    })
  }
}

/** The spreadsheet library is loaded only for a spreadsheet. */
const parsed = (bytes: Uint8Array, options: ParseStatementOptions): ParsedStatement => {
  try {
    return parseStatement(bytes, options)
  } catch (error) {
    if (!(error instanceof StatementError) || error.reason._tag !== "SpreadsheetReaderNeeded") throw error
    const spreadsheets = installed(isSpreadsheetReader, "@e965/xlsx")
    if (spreadsheets === undefined) throw error
    return parseStatement(bytes, { ...options, spreadsheets })
  }
}

interface OrdersFlags {
  readonly installation?: string | undefined
  readonly ledger?: string | undefined
  readonly orders?: string | undefined
}

interface Books {
  readonly orders: ReadonlyArray<BookedOrder>
  /** How the lines of a list are written. */
  readonly layout?: OrdersLayout
  /** What a ledger wants decided. */
  readonly decisions?: ReadonlyArray<AttentionItem>
}

/**
 * The orders without payments that the ledger does not know: it has no amount for them, so they are in no books until
 * they are decided.
 */
const withoutUnknown = (
  orders: ReadonlyArray<BookedOrder>,
  decisions: ReadonlyArray<AttentionItem>
): ReadonlyArray<BookedOrder> => {
  const unknown = new Set(decisions.flatMap(({ kind, paymentId }) => (kind === "UnknownPayment" ? paymentId : [])))
  return orders.map((order) => ({
    ...order,
    payments: order.payments.filter(({ paymentId }) => !unknown.has(paymentId))
  }))
}

/** The shop's books: a file and how its lines are written, or its ledger. `undefined` without either. */
const booksOf = async (
  { installation, ledger: store, orders: path }: OrdersFlags,
  statements: ReadonlyArray<ParsedStatement>,
  language: Language
): Promise<Books | undefined> => {
  if (store !== undefined) {
    return withLedger(store, { installation }, async (ledger) => {
      const orders: Array<BookedOrder> = []
      for await (const order of ledger.listBookedOrders(timeOf(statements))) orders.push(order)
      if (orders.length === 0) console.error(failureTexts.noOrders[language])
      const decisions = await allAttention(ledger)
      return { orders: withoutUnknown(orders, decisions), decisions }
    })
  }
  if (path === undefined) return undefined
  const { orders, ...layout } = orFailure(path, () => readOrders(contentOf(path)), "orders")
  return { orders, layout }
}

/** In milliseconds: how long before the first movement the payments and refunds that it books may have been made. */
const bookedWithin = 62 * 86_400_000

/** The period of the books that statements are compared with. */
const timeOf = (statements: ReadonlyArray<ParsedStatement>): BookedOrdersOptions => {
  const [first] = statements.flatMap(({ movements }) => movements.map(({ date }) => date)).toSorted()
  return first === undefined ? {} : { from: new Date(Date.parse(first) - bookedWithin) }
}

export const statementCommand = commandOf({
  name: "statement",
  summary: {
    en: "read statements of an account and match them with orders",
    cs: "přečíst výpisy z účtu a spárovat je s objednávkami"
  },
  usage: `statement FILE… [--orders FILE | --ledger STORE] [--bank FILE] [--through DATE]
       [--json | --csv | --export FORMAT] [--output FILE]`,
  about: {
    en: `Reads statements of an account (CSV_B, XLS, ABO, a clearing's XML), checks that they add up,
and matches them with the shop's orders. It sends nothing.

The file of orders is a CSV with the columns order_number, type (payment or refund), amount
and currency, and if you have them: date, payment_id, state (of a payment: paid, unpaid or
unknown; of a refund: done, requested, failed or unknown).

STORE is the database of a shop's ledger, as of the command ledger: a file with SQLite, or the
address of a PostgreSQL (postgres://…). The merchant is that of the GOPAY_ variables.

XLS and XLSX are read by the package @e965/xlsx of the project in this directory.`,
    cs: `Přečte výpisy z účtu (CSV_B, XLS, ABO, XML vyúčtování), ověří jejich součty
a spáruje je s objednávkami obchodu. Nic neodesílá.

Soubor objednávek je CSV se sloupci order_number, type (payment nebo refund), amount
a currency, a pokud je máte: date, payment_id, state (platby: paid, unpaid nebo unknown;
refundace: done, requested, failed nebo unknown).

STORE je databáze ledgeru obchodu jako u příkazu ledger: soubor SQLite, nebo adresa
PostgreSQL (postgres://…). Obchodník je ten z proměnných GOPAY_.

XLS a XLSX čte balíček @e965/xlsx z projektu v tomto adresáři.`
  },
  options: {
    orders: option("FILE", { en: "the shop's payments and refunds", cs: "platby a refundace obchodu" }),
    ledger: option("STORE", { en: "the same from the shop's ledger", cs: "totéž z ledgeru obchodu" }),
    installation: installationOption,
    bank: repeatable("FILE", {
      en: "a statement of your own bank as ABO (GPC): which transfers are those of which clearing; may be given several times",
      cs: "výpis vaší banky jako ABO (GPC): které převody patří ke kterému vyúčtování; lze zadat vícekrát"
    }),
    through: option("DATE", {
      en: "the last day that must be on the statements, such as 2026-06-30 (default: three days before they end)",
      cs: "poslední den, který na výpisech musí být, například 2026-06-30 (jinak tři dny před jejich koncem)"
    }),
    currency: option("CODE", {
      en: "the currency of files that do not say it, such as ABO",
      cs: "měna souborů, které ji neuvádějí, například ABO"
    }),
    encoding: option("NAME", {
      en: "the encoding of files that do not say it, such as windows-1250 or cp852",
      cs: "kódování souborů, které ho neuvádějí, například windows-1250 nebo cp852"
    }),
    columns: option("LIST", {
      en: "the columns of another CSV than CSV_B, such as date=Datum,type=Typ,amount=Částka,orderNumber=Objednávka",
      cs: "sloupce jiného CSV než CSV_B, například date=Datum,type=Typ,amount=Částka,orderNumber=Objednávka"
    }),
    json: flag({ en: "print JSON", cs: "vypsat JSON" }),
    csv: flag({
      en: "print each payment, refund and movement with what was found, as CSV; with --lang cs for a Czech spreadsheet",
      cs: "vypsat každou platbu, refundaci a pohyb s nálezem jako CSV; s --lang cs pro český tabulkový program"
    }),
    export: option("FORMAT", {
      en: "print each movement with its booking: csv (with --lang cs for a Czech spreadsheet), or pohoda for bank documents of Pohoda",
      cs: "vypsat každý pohyb se zaúčtováním: csv (s --lang cs pro český tabulkový program), nebo pohoda pro bankovní doklady do Pohody"
    }),
    output: option("FILE", {
      en: "write to this file, which must not exist, and not to the terminal",
      cs: "zapsat do tohoto souboru, který nesmí existovat, a ne do terminálu"
    }),
    ico: option("NUMBER", {
      en: "the number of the firm in Pohoda (IČO), eight digits",
      cs: "IČO firmy v Pohodě, osm číslic"
    }),
    account: option("CODE", {
      en: "the abbreviation of the account in Pohoda",
      cs: "zkratka účtu v Pohodě"
    }),
    "variable-symbol": option("digits", {
      en: "export the digits of an order number as its variable symbol: 20260042 of 2026-0042 (default: only a number of digits is one)",
      cs: "jako variabilní symbol vyexportovat číslice z čísla objednávky: 20260042 z 2026-0042 (jinak jen číslo ze samých číslic)"
    })
  },
  end: {
    en: `Exit status: 0 when all that is due agrees, 1 when not, when files contradict each other or one cannot be read, 2 for wrong usage.`,
    cs: `Návratový kód: 0, když vše, co má na výpisu být, souhlasí; 1, když ne, když si soubory odporují nebo nějaký nelze přečíst; 2 při chybném použití.`
  },
  takes: Infinity,
  run: async (values, paths, { language }) => {
    const { bank: bankPaths, csv, currency, encoding, json, through } = values
    // Not by the environment: a program that reads the table would find another one where people speak Czech.
    const reader = values.lang === "cs" ? "czechSpreadsheet" : "program"
    const exported = exportOf({
      format: values.export,
      ico: values.ico,
      account: values.account,
      variableSymbol: values["variable-symbol"],
      language,
      reader
    })
    const columns = columnsOf(values.columns)
    if (paths.length === 0) throw new WrongUsage(({ statement }) => statement.noFiles)
    if ([json, csv, exported !== undefined].filter(Boolean).length > 1) {
      throw new WrongUsage(({ statement }) => statement.oneFormat)
    }
    if (values.ledger !== undefined && values.orders !== undefined)
      throw new WrongUsage(({ statement }) => statement.oneSource)
    if (through !== undefined && !isDay(through)) {
      throw new WrongUsage(({ statement }) => statement.through(through))
    }
    if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
      throw new WrongUsage(({ statement }) => statement.currency(currency))
    }
    if (encoding !== undefined && !isEncoding(encoding)) {
      throw new WrongUsage(({ statement }) => statement.encoding(encoding))
    }
    const files = paths.map((path): ReadFile => {
      const bytes = contentOf(path)
      return { path, statement: orFailure(path, () => parsed(bytes, { currency, encoding, columns })) }
    })
    const statements = files.map(({ statement }) => statement)
    const books = await booksOf(values, statements, language)
    const isMatched = books !== undefined
    const bank = bankPaths.map((path) => orFailure(path, () => parseBankStatement(contentOf(path), { currency })))
    const found = reconcileStatement(statements, { orders: books?.orders ?? [], bank, through })
    const mixed = found.contradictions.filter(({ _tag }) => _tag === "TwoAccounts")
    if (mixed.length > 0) throw contradictory("twoAccounts", language, mixed, files)
    checkThrough(found, through)
    const result = isMatched ? found : { ...found, foreign: [] }
    const warnings = [
      ...warningsOf(inLanguage(language), { files, result, isMatched, through }),
      ...decisionLines(inLanguage(language), books?.decisions ?? [], books?.orders ?? [], found)
    ]
    const isPage = exported === undefined && !csv && !json
    const contradictions =
      exported === undefined ? contradictionLines(inLanguage(language), found.contradictions, paths).flat() : []
    const asides = [...(json ? [] : files.flatMap((file) => noteLines(file, language))), ...warnings, ...contradictions]
    if (!isPage) for (const line of asides) console.error(line)
    const text = (): string => {
      if (exported !== undefined) return exported(files, found, books?.orders ?? [])
      if (json) return JSON.stringify(isMatched ? result : statements, null, 2)
      return csv
        ? statementCsv(result, isMatched, reader)
        : statementPage({ language, files, result, isMatched, warnings, layout: books?.layout })
    }
    if (values.output === undefined) console.log(text())
    else writeNew(values.output, `${text()}\n`)
    if (found.contradictions.length > 0 || (isMatched && !found.agrees)) process.exitCode = 1
  }
})
