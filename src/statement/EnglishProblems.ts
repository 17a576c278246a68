/**
 * Problems and notes in English, for programmers and for the command line, which name options each in their own way.
 */
import { amountToDecimal } from "../contract/Amount.js"
import type { NoteFacts, StatementNote, UnwordedNote } from "./ParsedStatement.js"
import { type ProblemWords, type StatementField, type StatementProblem, wordedBy } from "./StatementProblem.js"

/** How advice names an option of the reader. */
export interface OptionWords {
  /** An option, as a name. */
  readonly option: (name: string) => string
  /** An option with its value. */
  readonly given: (name: string, value: string) => string
  /** What to do with an option. */
  readonly pass: (name: string) => string
  /** How the columns of another CSV are described. */
  readonly anotherCsv: string
  /** What else than a shorter span of days helps against a limit. */
  readonly raiseLimit: string
  /** How an unknown type gets a meaning. */
  readonly describeType: string
}

/** The options of `parseStatement`. */
const programOptions: OptionWords = {
  option: (name) => name,
  given: (name, value) => `${name}: ${value}`,
  pass: (name) => `pass ${name}`,
  anotherCsv: "Another CSV is read with the option columns, which says what they are called.",
  raiseLimit: ", or raise the limit",
  describeType: "; pass types to say what it is"
}

/** A text from the file for a fact: shortened, and without control characters. */
export const shown = (text: string): string => {
  const plain = text.replace(/\p{Cc}/gu, "?")
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain
}

/** A text from the file for a message. */
export const quoted = (text: string): string => JSON.stringify(shown(text))

export const quotedList = (texts: ReadonlyArray<string>): string => texts.map(quoted).join(", ")

/** A limit in bytes, in the form for messages. */
export const bytesText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MiB` : `${bytes} bytes`

const fields = {
  account: "the account",
  amount: "the amount",
  balanceAfter: "the balance after it",
  balanceBefore: "the balance before it",
  credits: "the sum of credits",
  day: "the day",
  debits: "the sum of debits",
  documentNumber: "the document number",
  newBalance: "the new balance",
  oldBalance: "the old balance",
  oldBalanceDay: "the day of the old balance",
  otherAccount: "the other account",
  statementDay: "the day of the statement",
  variableSymbol: "the variable symbol"
} as const satisfies Readonly<Record<StatementField, string>>

/** GoPay's default report, whose layout is not public. */
const unknownReport = `The layout of the report "Clearing IF++" is not public: if this is it, order CSV_B or the clearing's XML, and send the project a sample with its figures and names replaced.`

const unknown = "Not a known kind of statement"

const at = (line: number, text: string): string => `Line ${line}: ${text}.`

const imbalance = (line: number, what: string, expected: number, actual: number): string =>
  at(
    line,
    `${what} is ${amountToDecimal(actual)}, and the movements come to ${amountToDecimal(expected)}. The file is not complete or was edited: download it again`
  )

const tooMuch = (what: string, { raiseLimit }: OptionWords): string =>
  `The file has more than ${what}. Order a shorter span of days${raiseLimit}.`

const problems = {
  EmptyFile: () => "The file is empty. Download it again.",
  PdfFile: () => `${unknown}: the file is a PDF. Order the format CSV_B.`,
  OtherEncoding: ({ encoding }, _, { option }) =>
    `${unknown} in the encoding that was named: the file is ${encoding}. Leave ${option("encoding")} out.`,
  UnknownColumns: ({ columns, isSpoilt, missing }, _, { anotherCsv, option }) => {
    const found =
      columns.length === 0 ? "no columns were found in its first line" : `its columns are ${quotedList(columns)}`
    const cause = `Their letters are spoilt: the file was saved in a wrong encoding, or ${option("encoding")} names a wrong one. Download it again.`
    const advice =
      missing === undefined
        ? `Known are CSV_B, XLS, ABO and a clearing's XML. ${unknownReport} ${anotherCsv}`
        : `The columns described and not found: ${quotedList(missing)}.`
    return `${unknown}: ${found}.${isSpoilt ? ` ${cause}` : ""} ${advice}`
  },
  UnknownSheet: ({ columns, title, wanted }) => {
    const found = columns.length === 0 ? "" : ` Found: ${quotedList(columns)}.`
    return `${unknown}: a spreadsheet has the title ${title} and a table with the columns ${wanted.join(", ")}. ${unknownReport}${found}`
  },
  UnknownXml: ({ namespace, root }) =>
    `${unknown}: the XML has the root ${quoted(root)}, and a clearing's is clearing in ${namespace}.`,
  NotBankStatement: () => "Not a known kind of bank statement: export it as ABO, which banks also call GPC.",
  NotOrders: ({ optional, required }) =>
    `Not a file of orders: the first line must have the columns ${required.join(", ")}, and may have ${optional.join(", ")}.`,
  UnreadableSheet: () => "The spreadsheet cannot be read: it is damaged, cut off or protected by a password.",
  TooManyBytes: ({ bytes }, _, options) => tooMuch(bytesText(bytes), options),
  TooManyUnpackedBytes: ({ bytes }, _, options) => tooMuch(`${bytesText(bytes)} once it is unpacked`, options),
  TooManyIndexBytes: ({ bytes }, _, options) => tooMuch(`${bytesText(bytes)} in a part that lists others`, options),
  TooManyMovements: ({ limit }, _, options) => tooMuch(`${limit} movements`, options),
  TooManyLines: ({ limit }, _, options) => tooMuch(`${limit} lines`, options),
  TooManyParts: ({ limit }, _, options) => tooMuch(`${limit} parts`, options),

  CellCount: ({ expected, file, found }, line) => {
    const cause = file === "statement" ? ". The file is cut off or not a statement" : ""
    return at(line, `${expected} cells were expected and ${found} found${cause}`)
  },
  TooManyColumns: ({ limit }, line) => at(line, `it has more than ${limit} columns`),
  RepeatedColumn: ({ column }, line) => at(line, `the column ${quoted(column)} is there twice`),
  OpenQuotation: (_, line) => at(line, "a quotation mark is not closed, so the file is cut off"),
  QuotationWithin: (_, line) => at(line, "a quotation mark stands within a cell"),
  TextAfterQuotation: (_, line) => at(line, "text follows a closing quotation mark"),
  NotAmount: ({ column, text }, line) => at(line, `${column} is not an amount such as 1 234,50: ${quoted(text)}`),
  NotDay: ({ column, text }, line) => at(line, `${column} is not a day such as 31.12.2026: ${quoted(text)}`),
  NotPaymentId: ({ text }, line) => at(line, `not the id of a payment: ${quoted(text)}`),
  NotCurrency: ({ text }, line) => at(line, `not a currency's code: ${quoted(text)}`),
  SecondCurrency: ({ above, currency, format }, line) =>
    at(
      line,
      format === "ABO"
        ? `the currency is ${currency}, and that of the lines above ${above}. Export a file for each currency`
        : `the currency is ${currency}, and that of the lines above is ${above}. Order a statement for each currency`
    ),
  RepeatedMovement: ({ before, movementId }, line) =>
    at(line, `the movement ${quoted(movementId)} is on line ${before} already`),
  OutsideOfOrder: ({ day }, line) => at(line, `the day ${day} is outside of the period that was ordered`),
  OutsideOfStatement: ({ day, from, to }, line) =>
    at(line, `the day ${day} is outside of the statement's ${from} to ${to}`),
  FieldImbalance: ({ actual, expected, field }, line) => imbalance(line, fields[field], expected, actual),
  LabelImbalance: ({ actual, expected, label }, line) => imbalance(line, label, expected, actual),
  RecordLength: ({ expected, found }, line) =>
    at(line, `${expected} characters were expected and ${found} found. The file is cut off or not ABO`),
  UnexpectedRecord: ({ record }, line) => at(line, `the record ${quoted(record)} was not expected`),
  NoHeadRecord: (_, line) => at(line, "a record 074 was expected"),
  BookingCode: ({ code }, line) => at(line, `the booking code ${quoted(code)} is not 1, 2, 4 or 5`),
  CurrencyNumber: ({ known, number }, line) =>
    at(line, `the currency number ${quoted(number)} is none of ${known.join(", ")}`),
  OtherAccount: (_, line) => at(line, "the account is not that of the first line. One file has one account"),
  EarlierRecord: ({ above, day }, line) => at(line, `the day ${day} is before ${above}, that of the record 074 above`),
  NotDigits: ({ field, text }, line) => at(line, `${fields[field]} must have digits only: ${quoted(text)}`),
  NotSign: ({ field, text }, line) => at(line, `${fields[field]} has the sign ${quoted(text)}`),
  FieldNotDay: ({ field, text }, line) => at(line, `${fields[field]} is not a day: ${quoted(text)}`),
  NoOrderNumber: (_, line) => at(line, "order_number is missing"),
  LostDigits: ({ column, text }, line) =>
    at(line, `${column} is ${quoted(text)}: a spreadsheet has lost its digits. Export it as text`),
  OrderCurrency: ({ text }, line) => at(line, `currency is not a code such as CZK: ${quoted(text)}`),
  OrderType: ({ text }, line) => at(line, `type must be payment or refund, not ${quoted(text)}`),
  NegativeAmount: (_, line) => at(line, "amount must not be negative: write that of a refund without a sign"),
  OrderState: ({ known, text, type }, line) =>
    at(line, `state of a ${type} must be ${known.join(", ")}, not ${quoted(text)}`),
  OrderPaymentId: ({ text }, line) => at(line, `payment_id is not an id: ${quoted(text)}`),
  RepeatedPayment: ({ before, paymentId }, line) => at(line, `the payment ${paymentId} is on line ${before} already`),
  RefundOfOther: ({ orderNumber, paymentId }, line) =>
    at(
      line,
      `the refund is of payment ${paymentId}, and the list has only other payments of order ${quoted(orderNumber)}. Add that payment, of whatever day, or leave payment_id empty`
    ),
  NoValue: ({ label }, line) => at(line, `${label} is missing or has no value`),
  SerialNotDay: ({ column, serial }, line) => at(line, `${column} is not a day: ${serial}`),
  TooManyDecimals: ({ column, value }, line) => at(line, `${column} has more than two decimals: ${value}`),
  NoDayOrAmount: (_, line) => at(line, "the day or the amount is missing"),
  NoType: (_, line) => at(line, "the type is missing"),
  NotAccountCurrency: ({ currency, text }, line) =>
    at(line, `the currency is ${quoted(text)}, and the account's is ${currency}`),
  NotSpan: ({ label, text }, line) => at(line, `${label} is not a span of days: ${quoted(text)}`),
  ReversedSpan: ({ label }, line) => at(line, `${label} ends before it begins`),
  NotAccount: ({ text }, line) => at(line, `ID účtu is not a number, a name and a currency: ${quoted(text)}`),
  Formula: (_, line) => at(line, "a cell has a formula. A statement has none"),
  LongCell: ({ limit }, line) => at(line, `a cell has more than ${limit} characters`),
  Doctype: (_, line) => at(line, "a clearing has no DOCTYPE, so the file is refused"),
  TooManyAttributes: ({ limit }, line) => at(line, `an element has more than ${limit} attributes`),
  TooDeep: ({ limit }, line) => at(line, `elements are nested deeper than ${limit}`),
  NotWellFormed: (_, line) => at(line, "the XML is not well-formed, or the file is cut off"),
  NoAttribute: ({ attribute, element }, line) => at(line, `${element} has no ${attribute}`),
  NotSession: ({ text }, line) => at(line, `paymentSessionId is not the id of a payment: ${quoted(text)}`),
  ExternalFees: ({ external, fees: all }, line) =>
    at(
      line,
      `amountFeeExternal is ${amountToDecimal(external)}, and as a part of amountFee it cannot be above ${amountToDecimal(all)}`
    ),
  NoAccountCurrency: ({ text }, line) => at(line, `accountName does not end with a currency: ${quoted(text)}`)
} satisfies ProblemWords<[OptionWords]>

/** A problem in English. */
export const englishProblem = (
  problem: StatementProblem,
  line: number,
  options: OptionWords = programOptions
): string => wordedBy<StatementProblem["_tag"], [OptionWords]>(problems, problem, line, options)

const lost = "a number whose digits a spreadsheet has lost"

const notes: { readonly [Tag in keyof NoteFacts]: (note: UnwordedNote<Tag>, options: OptionWords) => string } = {
  UnknownType: ({ isOfClearing, line, text }, { describeType }) =>
    at(
      line,
      `the type ${quoted(text)} is not known. ${isOfClearing ? "The movement is kept as Unknown" : `Its movements are kept as Unknown${describeType}`}`
    ),
  UnexpectedSign: ({ amount, isOfClearing, line, text }) => {
    const what = isOfClearing
      ? `the amount of ${quoted(text)} has the other sign`
      : `${quoted(text)} ${amount < 0 ? "debits" : "credits"} the account, against its type`
    return at(line, `${what}. The movement is kept as Unknown`)
  },
  UnknownColumn: ({ text }) => `The column ${quoted(text)} is not known. Its cells are kept in extra.`,
  UnknownAttribute: ({ element, isKept, line, text }) =>
    at(
      line,
      `the attribute ${quoted(text)} of ${element} is not known. ${isKept ? "It is kept in extra" : "It was not read"}`
    ),
  UnknownElement: ({ line, text }) =>
    at(line, `the element ${quoted(text)} is not known and was not read, nor what is in it`),
  ChannelFees: ({ channels, fees: all, line }) =>
    at(
      line,
      `amountFee is ${amountToDecimal(all)}, and the fees of the channels with the external ones come to ${amountToDecimal(channels)}`
    ),
  SpoiltNumber: ({ column, isOfSheet, line, text }) =>
    isOfSheet
      ? `Row ${line}: ${quoted(column)} is ${quoted(text)}, ${lost}. It is kept in extra and matches nothing. Download the file again.`
      : at(
          line,
          `${quoted(column)} is ${quoted(text)}, ${lost}. Such numbers are kept in extra and match nothing. Download the file again and do not save it from a spreadsheet`
        ),
  GuessedEncoding: ({ text }, { pass }) =>
    `The file does not say its encoding and was read as ${text}. If names are wrong, ${pass("encoding")}.`,
  DayOutOfOrder: ({ line, next, text }) =>
    at(line, `the day is ${text}, and the movement behind it is of ${next}. Check that no one has edited the file`),
  OutsideOfPeriod: ({ from, line, text, to }) =>
    at(line, `the day ${text} is outside of the clearing's ${from} to ${to}. The movement is kept`),
  OptionNotUsed: ({ given: value, line, option, own, text }, { given }) =>
    option === "types"
      ? at(line, `the type ${quoted(text)} is known as ${own}, so ${given(option, value)} was not used`)
      : `The file has ${own}, so ${given(option, value)} was not used.`,
  UnknownRow: ({ line, row, text }) =>
    ({
      aboveHeads: at(line, `${quoted(text)} stands above the headers and was skipped`),
      withoutAmount: at(line, `${quoted(text)} has no amount, so it is no movement`),
      ofSheet: `Row ${line} is no movement: ${quoted(text)}.`
    })[row],
  NoFinalLineEnd: ({ line }) => at(line, "the last line has no line end. Check that the file is complete"),
  NoBalances: () => "The file has no balances, so its sums were not checked."
}

/** A note in English. */
export const englishNote = <Tag extends keyof NoteFacts>(
  note: UnwordedNote<Tag>,
  options: OptionWords = programOptions
): string => notes[note._tag](note, options)

/** A note with its sentence. */
export const noteOf = (note: UnwordedNote): StatementNote => ({ ...note, message: englishNote(note) })
