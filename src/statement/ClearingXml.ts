/**
 * A clearing as XML: which payments and refunds make up a transfer to the shop's bank account.
 *
 * Source: a public parser of such files and its tests. The root has the sums; `paymentChannel/movements/movement` are
 * payments, `storno/stornoMovement` are refunds and their fees.
 */
import { SaxesParser } from "saxes"
import { imbalance, readAmount, readMoment } from "./CellValue.plain.js"
import { distinctIds } from "./CsvStatement.plain.js"
import { maxMovements, tooLarge } from "./FileText.plain.js"
import type {
  ClearingTotals,
  MovementTag,
  ParsedStatement,
  StatementMovement,
  StatementNote
} from "./ParsedStatement.plain.js"
import { invalidLine, quoted, StatementError } from "./StatementError.plain.js"

const namespace = "https://www.gopay.cz/clearing"

/** Deeper than any element of a clearing. */
const maxDepth = 16

/** More than any element of a clearing has. */
const maxAttributes = 100

interface Element {
  readonly name: string
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
}

const tags: Readonly<Record<string, MovementTag>> = { credit: "Payment", storno: "Refund", stornoFee: "RefundFee" }

const notClearing = (found: string): StatementError =>
  new StatementError({
    reason: {
      _tag: "UnknownStatement",
      columns: [],
      message: `Not a statement that is known: the XML has the root ${quoted(found)}, and a clearing's is clearing in ${namespace}.`
    }
  })

/** The elements in the order of the file. Refuses a DOCTYPE, so that there are no entities but XML's own. */
const elementsOf = (text: string): ReadonlyArray<Element> => {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const elements: Array<Element> = []
  let depth = 0
  let attributeCount = 0
  let failure: unknown
  parser.on("error", (error) => {
    throw error
  })
  parser.on("doctype", () => {
    throw (failure = invalidLine(parser.line, "a clearing has no DOCTYPE, so the file is refused"))
  })
  parser.on("attribute", () => {
    attributeCount += 1
    if (attributeCount <= maxAttributes) return
    throw (failure = invalidLine(parser.line, `an element has more than ${maxAttributes} attributes`))
  })
  parser.on("opentag", ({ attributes, local, uri }) => {
    depth += 1
    attributeCount = 0
    if (depth > maxDepth) throw (failure = invalidLine(parser.line, `elements are nested deeper than ${maxDepth}`))
    if (elements.length === 0 && (local !== "clearing" || uri !== namespace)) throw (failure = notClearing(local))
    if (elements.length > 2 * maxMovements) throw (failure = tooLarge(`${maxMovements} movements`))
    if (uri !== namespace) return
    // GoPay's own attributes are in no namespace. One of another with the same name says nothing.
    const own = Object.values(attributes).filter((attribute) => attribute.uri === "")
    const values = own.map(({ local: name, value }) => [name, value] as const)
    elements.push({ name: local, line: parser.line, attributes: Object.fromEntries(values) })
  })
  parser.on("closetag", () => {
    depth -= 1
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (failure !== undefined) throw failure
    throw invalidLine(parser.line, `the XML is not well-formed, or the file is cut off`, error)
  }
  return elements
}

const attribute = ({ attributes, line, name }: Element, key: string): string => {
  const value = (Object.hasOwn(attributes, key) ? (attributes[key] ?? "") : "").trim()
  if (value === "") throw invalidLine(line, `${name} has no ${key}`)
  return value
}

const optionalAttribute = ({ attributes }: Element, key: string): string =>
  (Object.hasOwn(attributes, key) ? (attributes[key] ?? "") : "").trim()

const amountOf = (element: Element, key: string): number => readAmount(attribute(element, key), element.line, key)

const dayOf = (element: Element, key: string): string => readMoment(attribute(element, key), element.line, key).date

const movementOf = (element: Element, currency: string, notes: Array<StatementNote>): StatementMovement => {
  const { line } = element
  const type = attribute(element, "type")
  const amount = amountOf(element, "amount")
  const tag: MovementTag = Object.hasOwn(tags, type) ? (tags[type] ?? "Unknown") : "Unknown"
  const fits = tag === "Unknown" || (tag === "Payment" ? amount >= 0 : amount <= 0)
  if (tag === "Unknown") {
    notes.push({
      _tag: "UnknownType",
      line,
      text: type,
      message: `Line ${line}: the type ${quoted(type)} is not known. The movement is kept as Unknown.`
    })
  }
  if (!fits) {
    notes.push({
      _tag: "UnexpectedSign",
      line,
      text: type,
      message: `Line ${line}: the amount of ${quoted(type)} has the other sign. The movement is kept as Unknown.`
    })
  }
  const orderNumber = optionalAttribute(element, "orderId")
  const session = optionalAttribute(element, "paymentSessionId")
  if (!/^\d{0,15}$/.test(session))
    throw invalidLine(line, `paymentSessionId is not the id of a payment: ${quoted(session)}`)
  const counterparty = optionalAttribute(element, "counterpartyName")
  return {
    _tag: fits ? tag : "Unknown",
    type,
    line,
    date: dayOf(element, "datePerformed"),
    amount,
    currency,
    ...(orderNumber === "" ? {} : { orderNumber }),
    ...(session === "" ? {} : { paymentId: Number(session) }),
    movementId: attribute(element, "accountMovementId"),
    ...(counterparty === "" ? {} : { counterparty })
  }
}

const totalsOf = (root: Element): ClearingTotals => {
  const variableSymbol = optionalAttribute(root, "variableSymbol")
  return {
    number: attribute(root, "clearingId"),
    ...(variableSymbol === "" ? {} : { variableSymbol }),
    performedOn: dayOf(root, "datePerformed"),
    gross: amountOf(root, "amount"),
    refunds: amountOf(root, "amountStorno"),
    refundFees: amountOf(root, "amountStornoFee"),
    fees: amountOf(root, "amountFee"),
    creditNote: amountOf(root, "amountCreditNote"),
    transfer: amountOf(root, "amountTransfer")
  }
}

const checkTotals = (line: number, totals: ClearingTotals, movements: ReadonlyArray<StatementMovement>): void => {
  const sum = (tag: MovementTag): number =>
    movements.reduce((total, movement) => (movement._tag === tag ? total + Math.abs(movement.amount) : total), 0)
  const checks = [
    ["amount", sum("Payment"), totals.gross],
    ["amountStorno", sum("Refund"), totals.refunds],
    ["amountStornoFee", sum("RefundFee"), totals.refundFees]
  ] as const
  for (const [name, expected, actual] of checks) if (expected !== actual) throw imbalance(line, name, expected, actual)
  const { creditNote, fees, gross, refundFees, refunds, transfer } = totals
  const expected = gross - refunds - refundFees - fees + creditNote
  if (expected !== transfer) throw imbalance(line, "amountTransfer", expected, transfer)
}

/** Whether a text begins as XML. */
export const isXml = (text: string): boolean => /^\s*</.test(text)

/** A clearing file as a statement. */
export const clearingStatement = (text: string): ParsedStatement => {
  const [root, ...elements] = elementsOf(text)
  if (root === undefined) throw notClearing("")
  const accountName = attribute(root, "accountName")
  const currency = /(?:^|\s)([A-Z]{3})$/.exec(accountName)?.[1]
  if (currency === undefined) {
    throw invalidLine(root.line, `accountName does not end with a currency: ${quoted(accountName)}`)
  }
  const notes: Array<StatementNote> = []
  const movements = elements
    .filter(({ name }) => name === "movement" || name === "stornoMovement")
    .map((element) => movementOf(element, currency, notes))
  distinctIds(movements)
  const clearing = totalsOf(root)
  checkTotals(root.line, clearing, movements)
  return {
    format: "CLEARING_XML",
    accountName,
    currency,
    period: { from: dayOf(root, "dateClearedFrom"), to: dayOf(root, "dateClearedTo") },
    movements,
    clearing,
    notes
  }
}
