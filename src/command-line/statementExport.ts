/**
 * The movements of statements for a program of bookkeeping: as CSV, a line for each, and as bank documents of Pohoda.
 */
import { amountToDecimal } from "../contract/Amount.js"
import type { MovementTag, StatementMovement } from "../statement/index.js"
import { CommandFailure } from "./Command.js"
import { csvText } from "./OutputText.js"

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
export const bookingCsv = (movements: ReadonlyArray<StatementMovement>): string =>
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

/** What a package for Pohoda says of the firm. */
export interface PohodaFirm {
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
export const pohodaXml = (movements: ReadonlyArray<StatementMovement>, firm: PohodaFirm): string => {
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
