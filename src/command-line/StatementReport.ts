/**
 * A reconciliation as a page for an accountant, in English or Czech, and as CSV.
 */
import { csvCell, csvText } from "../basics/Csv.js"
import { amountText, printable } from "./OutputText.js"
import { amountToDecimal } from "../contract/Amount.js"
import { ownMember } from "../basics/OwnMember.js"
import type {
  BankTransfer,
  ClearingExplanation,
  ExpectedMovement,
  ForeignMovement,
  ParsedStatement,
  StatementMovement,
  StatementReconciliation
} from "../statement/index.js"
import { numberOf } from "../statement/MovementType.js"

export type StatementLanguage = "en" | "cs"

export type Text = { readonly [Language in StatementLanguage]: string }

const texts = {
  agrees: { en: "All that is due agrees.", cs: "Vše, co má být na výpisu, souhlasí." },
  differs: { en: "It does not agree. See below.", cs: "Nesouhlasí, viz níže." },
  unchecked: {
    en: "No orders were given (--orders), so the movements were not matched.",
    cs: "Objednávky nebyly zadány (--orders), takže se pohyby nepárovaly."
  },
  file: { en: "File", cs: "Soubor" },
  account: { en: "account", cs: "účet" },
  opening: { en: "Opening balance", cs: "Počáteční zůstatek" },
  closing: { en: "Closing balance", cs: "Konečný zůstatek" },
  movements: { en: "Movements", cs: "Pohyby" },
  matched: { en: "Matched", cs: "Spárováno" },
  notYetDue: { en: "Not yet due: perhaps on the next statement", cs: "Ještě nemusí být: možná na příštím výpisu" },
  notCovered: { en: "Of other days or currencies", cs: "Z jiných dnů nebo měn" },
  repeated: { en: "In several files, counted once", cs: "Ve více souborech, započteno jednou" },
  evidence: {
    en: "Changes of unknown outcome that were carried out",
    cs: "Změny s neznámým výsledkem, které proběhly"
  },
  foreign: { en: "On the account and not in the books", cs: "Na účtu, ale ne v účetnictví" },
  missing: { en: "In the books and not on the account", cs: "V účetnictví, ale ne na účtu" },
  differentAmounts: { en: "Amounts that differ from the books", cs: "Částky, které se liší od účetnictví" },
  ambiguous: { en: "Movements that fit several orders", cs: "Pohyby, které odpovídají více objednávkám" },
  gatewayDifferences: {
    en: "Payments that GoPay has otherwise than the books",
    cs: "Platby, které má GoPay jinak než účetnictví"
  },
  contradictions: { en: "Files that contradict each other", cs: "Soubory, které si odporují" },
  toCheck: {
    en: "Unmatched transfers, holds and movements of an unknown type",
    cs: "Nespárované převody, blokace a pohyby neznámého typu"
  },
  unexplainedTransfers: {
    en: "Transfers from GoPay to the bank that belong to no clearing",
    cs: "Převody od GoPay na bankovní účet, které nepatří k žádnému vyúčtování"
  },
  clearings: { en: "Clearings", cs: "Vyúčtování" },
  notPaidOut: {
    en: "Not paid out yet: in none of these clearings",
    cs: "Zatím nevyplaceno: v žádném z těchto vyúčtování"
  },
  ordersPaidOut: { en: "orders that it paid out", cs: "vyplacené objednávky" },
  topUps: { en: "Top-ups", cs: "Dobití účtu" },
  fees: { en: "Fees without a clearing", cs: "Poplatky bez vyúčtování" },
  expected: { en: "expected", cs: "očekáváno" },
  booked: { en: "booked", cs: "na výpisu" },
  transfer: { en: "transfer", cs: "převod" },
  gross: { en: "payments", cs: "platby" },
  refunds: { en: "refunds", cs: "vratky" },
  refundFees: { en: "fees of refunds", cs: "poplatky za vratky" },
  feesOf: { en: "fees", cs: "poplatky" },
  carried: { en: "carried over", cs: "převedeno z dřívějška" },
  credits: { en: "credit notes and others", cs: "dobropisy a ostatní" },
  externalFees: { en: "external among them", cs: "z toho externí" },
  "explained.file": { en: "explained by its file", cs: "vysvětluje jeho soubor" },
  "explained.cutOff": { en: "explained by all booked through", cs: "vysvětluje vše zaúčtované do" },
  "explained.no": { en: "NOT EXPLAINED", cs: "NEVYSVĚTLENO" },
  NotCountedAsPaid: {
    en: "the books have the order as unpaid. Book the payment and deliver, or refund it",
    cs: "objednávka není v účetnictví uhrazená. Zaúčtujte úhradu a objednávku vyřiďte, nebo platbu vraťte"
  },
  FailedRefund: {
    en: "the books have the refund as failed. Book it, and do not refund again",
    cs: "vratka je v účetnictví neúspěšná. Zaúčtujte ji a nevracejte podruhé"
  },
  Surplus: {
    en: "one more than the books have for this order. Check whether it was paid or refunded twice",
    cs: "o jeden pohyb více, než má objednávka v účetnictví. Ověřte, zda nebyla uhrazena nebo vrácena dvakrát"
  },
  UnknownOrder: {
    en: "the books have no such payment. Find out what it belongs to before you book it",
    cs: "taková platba v účetnictví není. Než ji zaúčtujete, zjistěte, kam patří"
  },
  UnknownRefund: {
    en: "the books have no such refund. If it is of an order of an earlier month, add these lines to the file of orders, and the order's payment",
    cs: "taková vratka v účetnictví není. Je-li k objednávce z dřívějšího měsíce, doplňte do souboru objednávek tyto řádky a platbu objednávky"
  },
  Gap: { en: "a file is missing between", cs: "chybí soubor mezi" },
  OtherAmount: { en: "one movement with two amounts on", cs: "jeden pohyb se dvěma částkami dne" },
  OnlyInClearing: {
    en: "in a clearing's file and not on the statement of",
    cs: "v souboru vyúčtování, ale ne na výpisu dne"
  },
  candidates: { en: "may be any of", cs: "může to být" },
  Payment: { en: "payment", cs: "platba" },
  Refund: { en: "refund", cs: "vratka" },
  notSent: { en: "transferred and not sent", cs: "převedeno, ale neodesláno" },
  notSentAdvice: {
    en: "no file explains it. Ask GoPay, and do not book it as a fee",
    cs: "žádný soubor to nevysvětluje. Zeptejte se GoPay a neúčtujte to jako poplatek"
  },
  difference: {
    en: "the payouts on the statement differ from the clearing's file by",
    cs: "výplaty na výpisu se od souboru vyúčtování liší o"
  },
  differenceAdvice: {
    en: "download both again, then ask GoPay",
    cs: "stáhněte oba soubory znovu, pak se zeptejte GoPay"
  },
  outstanding: { en: "still to be paid out", cs: "zbývá vyplatit" },
  "received.complete": { en: "received by the bank", cs: "banka přijala" },
  "received.open": {
    en: "a part was received by the bank, and the rest is not due yet",
    cs: "část už banka přijala a zbytek ještě přijít nemusel"
  },
  "received.late": {
    en: "received by the bank, and the rest is late: ask GoPay",
    cs: "banka přijala a zbytek se opozdil: zeptejte se GoPay"
  },
  "received.differs": {
    en: "received by the bank, which is not the clearing: compare the transfers, then ask GoPay",
    cs: "banka přijala, a to vyúčtování neodpovídá: porovnejte převody, pak se zeptejte GoPay"
  },
  ambiguousEvidence: {
    en: "not certain: the order has other movements or changes of this amount",
    cs: "není jisté: objednávka má další pohyby nebo změny o této částce"
  },
  rest: { en: "rest", cs: "zbývá" }
} as const satisfies Readonly<Record<string, Text>>

/** What to do about the items of a section. */
const advice: { readonly [heading: string]: Text } = {
  evidence: {
    en: "Record them as done unless one is not certain, and repeat none of them.",
    cs: "Zaúčtujte je jako provedené, pokud u nich nestojí, že to není jisté, a žádnou neopakujte."
  },
  missing: {
    en: "Check each payment at GoPay. If it was not paid, correct the books.",
    cs: "Ověřte každou platbu u GoPay. Pokud uhrazena nebyla, opravte účetnictví."
  },
  differentAmounts: {
    en: "Find the reason, such as a partial capture, and correct the books.",
    cs: "Zjistěte důvod, například částečné stržení, a opravte účetnictví."
  },
  ambiguous: {
    en: "Assign them by hand, by the payments in GoPay's administration.",
    cs: "Přiřaďte je ručně podle plateb v administraci GoPay."
  },
  gatewayDifferences: {
    en: "Correct the books: what GoPay has is what was paid.",
    cs: "Opravte účetnictví: zaplaceno bylo to, co má GoPay."
  },
  contradictions: {
    en: "Download the files again, and add the one that is missing.",
    cs: "Stáhněte soubory znovu a doplňte ten, který chybí."
  },
  toCheck: {
    en: "Ask GoPay what they are before you book them.",
    cs: "Než je zaúčtujete, zeptejte se GoPay, co jsou zač."
  },
  unexplainedTransfers: {
    en: "Add the clearing whose number is the variable symbol, or ask GoPay for it.",
    cs: "Doplňte vyúčtování, jehož číslo je variabilním symbolem, nebo si o ně GoPay napište."
  }
}

const inLanguage = (language: StatementLanguage) => ({
  language,
  text: (name: keyof typeof texts): string => texts[name][language],
  money: (amount: number, currency?: string): string => amountText(amount, currency, language)
})

type Said = ReturnType<typeof inLanguage>

export interface ReadFile {
  readonly path: string
  readonly statement: ParsedStatement
}

/** A day, an amount and further values, in columns. */
const lineOf = (
  { money }: Said,
  date: string,
  { amount, currency }: { readonly amount: number; readonly currency: string },
  ...parts: ReadonlyArray<string | number | undefined>
): string => [date, money(amount, currency).padStart(14), ...parts].filter((part) => part !== undefined).join("  ")

const movementText = (said: Said, movement: StatementMovement): string => {
  const { counterparty, date, type } = movement
  return lineOf(said, date, movement, type, numberOf(movement), counterparty)
}

const expectedText = (said: Said, expected: ExpectedMovement): string => {
  const { _tag, day = "", orderNumber, paymentId } = expected
  return lineOf(said, day, expected, said.text(_tag), orderNumber, paymentId)
}

const transferText = (said: Said, transfer: BankTransfer): string =>
  lineOf(said, transfer.date, transfer, transfer.variableSymbol, transfer.name)

const fileLines = ({ money, text }: Said, { path, statement }: ReadFile): ReadonlyArray<string> => {
  const { account, closingBalance, currency, format, movements, notes, openingBalance, period } = statement
  const about = [
    format,
    account && `${text("account")} ${account}`,
    currency,
    period && `${period.from} – ${period.to}`,
    `${text("movements")}: ${movements.length}`,
    openingBalance !== undefined && `${text("opening")}: ${money(openingBalance, currency)}`,
    closingBalance !== undefined && `${text("closing")}: ${money(closingBalance, currency)}`
  ]
  return [
    printable(`${text("file")} ${path}: ${about.filter(Boolean).join(", ")}`),
    ...notes.map(({ message }) => printable(`  ${message}`))
  ]
}

const clearingText = ({ money, text }: Said, clearing: ClearingExplanation): string => {
  const { carried, creditNotes, currency, explainedBy, externalFees, fees, gross } = clearing
  const { number, others, refundFees, refunds, through = "", transfer } = clearing
  const parts = [
    ["carried", carried],
    ["gross", gross],
    ["refunds", -refunds],
    ["refundFees", -refundFees],
    ["feesOf", -fees],
    ["credits", creditNotes + others]
  ] as const
  const sums = parts
    .filter(([, amount]) => amount !== 0)
    .map(([name, amount]) => {
      const external = name === "feesOf" && externalFees !== 0
      return `${text(name)} ${money(amount)}${external ? ` (${text("externalFees")} ${money(-externalFees)})` : ""}`
    })
  const how = `${text(`explained.${explainedBy}`)}${explainedBy === "cutOff" ? ` ${through}` : ""}`
  return `${number}: ${text("transfer")} ${money(transfer, currency)} = ${sums.join(", ")} (${how})`
}

/** The payments and refunds that a clearing paid out, by their day. */
const ordersPaidOut = (said: Said, { movements }: ClearingExplanation): ReadonlyArray<string> => {
  const orders = movements.filter(({ _tag }) => _tag === "Payment" || _tag === "Refund")
  if (orders.length === 0) return []
  return [
    `  ${said.text("ordersPaidOut")} (${orders.length}):`,
    ...orders.map((movement) => {
      const { date, orderNumber, paymentId } = movement
      return `    ${lineOf(said, date, movement, said.text(movement._tag === "Refund" ? "Refund" : "Payment"), orderNumber, paymentId)}`
    })
  ]
}

/** Facts about a clearing besides its contents, one line each. */
const clearingLines = (said: Said, clearing: ClearingExplanation): ReadonlyArray<string> => {
  const { currency, difference, notSent, outstanding, received } = clearing
  const { text } = said
  const money = (amount: number): string => said.money(amount, currency)
  const rest = received?.outstanding ? ` (${text("rest")} ${money(received.outstanding)})` : ""
  return [
    clearingText(said, clearing),
    ...(notSent === undefined ? [] : [`  ${text("notSent")} ${money(notSent)}: ${text("notSentAdvice")}`]),
    ...(difference === undefined ? [] : [`  ${text("difference")} ${money(difference)}: ${text("differenceAdvice")}`]),
    ...(outstanding === undefined ? [] : [`  ${text("outstanding")} ${money(outstanding)}`]),
    ...(received === undefined ? [] : [`  ${money(received.amount)} ${text(`received.${received.state}`)}${rest}`]),
    ...(received?.transfers ?? []).map((transfer) => `    ${transferText(said, transfer)}`),
    ...ordersPaidOut(said, clearing)
  ]
}

/** The money that is still at GoPay. A clearing that is not explained may have paid it out. */
const notPaidOut = ({ clearings, movements }: StatementReconciliation): ReadonlyArray<StatementMovement> =>
  clearings.length === 0 || clearings.some(({ explainedBy }) => explainedBy === "no")
    ? []
    : movements.filter(({ _tag, clearing }) => (_tag === "Payment" || _tag === "Refund") && clearing === undefined)

/** The line for a refund in a file of orders. */
const orderLine = ({ amount, currency, date, orderNumber, paymentId }: StatementMovement): string =>
  [orderNumber, "refund", amountToDecimal(Math.abs(amount)), currency, date, paymentId]
    .map((cell) => csvCell(String(cell ?? "")))
    .join(",")

/** Movements that are not in the books, grouped by what to do about them, which is said once. */
const foreignLines = (
  said: Said,
  { foreign }: StatementReconciliation
): ReadonlyArray<string | ReadonlyArray<string>> => {
  const kindOf = ({ _tag, movement }: ForeignMovement): keyof typeof texts =>
    _tag === "UnknownOrder" && movement._tag === "Refund" ? "UnknownRefund" : _tag
  const kinds = [...new Set(foreign.map(kindOf))]
  return kinds.flatMap((kind) => {
    const movements = foreign.filter((one) => kindOf(one) === kind).map(({ movement }) => movement)
    const lines = movements.map((movement) => movementText(said, movement))
    const advice = [
      `=> ${said.text(kind)}`,
      ...(kind === "UnknownRefund" ? movements.map((movement) => `   ${orderLine(movement)}`) : [])
    ]
    return lines.map((line, index) => (index === lines.length - 1 ? [line, ...advice] : line))
  })
}

/** The page: totals first, then what needs an operator. Without orders, the movements are not matched. */
export const statementPage = (
  language: StatementLanguage,
  files: ReadonlyArray<ReadFile>,
  result: StatementReconciliation,
  isMatched: boolean
): string => {
  const said = inLanguage(language)
  const { money, text } = said
  const sum = result.matched.reduce((total, { movement }) => total + movement.amount, 0)
  const moved = (movement: StatementMovement): string => movementText(said, movement)
  const wanted = (expected: ExpectedMovement): string => expectedText(said, expected)
  /** The items of each section, in order. An item with several lines is a list. */
  const sections: { readonly [Heading in keyof typeof texts]?: ReadonlyArray<string | ReadonlyArray<string>> } = {
    evidence: result.evidence.map(
      ({ change, isAmbiguous, movement }) =>
        `${change.operation} ${change.key}: ${moved(movement)}${isAmbiguous ? `; ${text("ambiguousEvidence")}` : ""}`
    ),
    foreign: foreignLines(said, result),
    missing: result.missing.map(wanted),
    differentAmounts: result.differentAmounts.map(({ difference, expected, movement }) => {
      const [books, account] = [expected, movement].map(({ amount, currency }) => money(amount, currency))
      const more = `${difference > 0 ? "+" : ""}${money(difference)}`
      return `${expected.orderNumber}: ${text("expected")} ${books}, ${text("booked")} ${account} (${more})`
    }),
    ambiguous: result.ambiguous.flatMap(({ candidates, movements }) => [
      ...movements.map(moved),
      ...candidates.map((one) => `  ${text("candidates")}: ${wanted(one)}`)
    ]),
    gatewayDifferences: result.gatewayDifferences.map(
      ({ _tag, gateway, orderNumber, paymentId, shop }) => `${orderNumber} ${paymentId}: ${_tag}: ${shop} / ${gateway}`
    ),
    contradictions: result.contradictions.map(
      ({ _tag, difference, from, to }) =>
        `${text(_tag)} ${from === to ? from : `${from} – ${to}`}: ${money(difference)}`
    ),
    unexplainedTransfers: result.unexplainedTransfers.map((one) => transferText(said, one)),
    toCheck: result.toCheck.map(moved),
    clearings: result.clearings.map((clearing) => clearingLines(said, clearing)),
    notPaidOut: notPaidOut(result).map(moved),
    topUps: result.topUps.map(moved),
    fees: result.fees.map(moved),
    notYetDue: result.notYetDue.map(wanted),
    notCovered: result.notCovered.map(wanted)
  }
  return [
    ...files.flatMap((file) => fileLines(said, file)),
    "",
    text(isMatched ? (result.agrees ? "agrees" : "differs") : "unchecked"),
    ...(isMatched ? [`${text("matched")}: ${result.matched.length}, ${money(sum)}`] : []),
    ...(result.repeated === 0 ? [] : [`${text("repeated")}: ${result.repeated}`]),
    ...Object.entries(sections).flatMap(([heading, items]) => {
      if (items.length === 0) return []
      const whatToDo = ownMember<Text>(advice, heading)
      return [
        "",
        `${ownMember<Text>(texts, heading)?.[language]} (${items.length}):`,
        ...items.flat().map((line) => `  ${printable(line)}`),
        ...(whatToDo === undefined ? [] : [`  => ${whatToDo[language]}`])
      ]
    })
  ].join("\n")
}

const heads = [
  "result",
  "type",
  "order_number",
  "payment_id",
  "expected",
  "booked",
  "date",
  "currency",
  "movement_id",
  "clearing"
]

interface CsvLine {
  readonly result: string
  readonly expected?: ExpectedMovement | undefined
  readonly movement?: StatementMovement | undefined
}

const cellsOf = ({ expected, movement, result }: CsvLine) => [
  result,
  expected?._tag ?? movement?._tag,
  expected?.orderNumber ?? movement?.orderNumber,
  expected?.paymentId ?? movement?.paymentId,
  expected && amountToDecimal(expected.amount),
  movement && amountToDecimal(movement.amount),
  movement?.date ?? expected?.day,
  expected?.currency ?? movement?.currency,
  movement?.movementId,
  movement?.clearing
]

const isFee = ({ _tag }: StatementMovement): boolean => ["Fee", "RefundFee", "CreditNote"].includes(_tag)

/** Every entry of the books and the statements, with its finding. */
export const statementCsv = (result: StatementReconciliation): string => {
  const of =
    (name: string) =>
    (expected: ExpectedMovement): CsvLine => ({ result: name, expected })
  const lines: ReadonlyArray<CsvLine> = [
    ...result.evidence.map(({ isAmbiguous, movement }) => ({
      result: isAmbiguous ? "ambiguousEvidence" : "evidence",
      movement
    })),
    ...result.foreign.map(({ movement }) => ({ result: "foreign", movement })),
    ...result.missing.map(of("missing")),
    ...result.differentAmounts.map(({ expected, movement }) => ({ result: "differentAmount", expected, movement })),
    ...result.ambiguous.flatMap(({ candidates, movements }) => [
      ...movements.map((movement) => ({ result: "ambiguous", movement })),
      ...candidates.map(of("ambiguous"))
    ]),
    ...result.toCheck.map((movement) => ({ result: "toCheck", movement })),
    ...result.matched.map(({ expected, movement }) => ({ result: "matched", expected, movement })),
    ...result.clearings.flatMap(({ payouts }) => payouts.map((movement) => ({ result: "payout", movement }))),
    ...result.movements.filter(isFee).map((movement) => ({ result: "fee", movement })),
    ...result.topUps.map((movement) => ({ result: "topUp", movement })),
    ...result.notYetDue.map(of("notYetDue")),
    ...result.notCovered.map(of("notCovered"))
  ]
  return csvText(heads, lines.map(cellsOf))
}
