/**
 * A clearing as XML: which payments and refunds make up a transfer to the shop's bank account.
 *
 * Source: a public parser of such files and its tests. The root has the sums; `paymentChannel/movements/movement` are
 * payments, `storno/stornoMovement` are refunds and their fees.
 */
import { SaxesParser } from "saxes"
import { amountToDecimal } from "../contract/Amount.js"
import { withoutUndefined } from "../basics/Nulls.js"
import { ownMember } from "../basics/OwnMember.js"
import { readAmount, readMoment } from "./CellValue.js"
import { distinctIds } from "./CsvStatement.js"
import { shown } from "./EnglishProblems.js"
import { sumOf } from "../basics/Lists.js"
import type {
  ClearingChannel,
  ClearingTotals,
  MovementTag,
  ParsedStatement,
  StatementMovement
} from "./ParsedStatement.js"
import { imbalance, invalidLine, Notes, type StatementError, tooLarge, unknownStatement } from "./StatementError.js"

const namespace = "https://www.gopay.cz/clearing"

/** Deeper than any element of a clearing. */
const maxDepth = 16

/** More than any element of a clearing has. */
const maxAttributes = 100

interface Element {
  readonly name: string
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
  /** The channel that it is within. */
  readonly channel: string | undefined
}

const movementAttributes = [
  "accountMovementId",
  "amount",
  "counterpartyName",
  "datePerformed",
  "orderId",
  "paymentSessionId",
  "type"
]

/** The known attributes of each element. */
const known: Readonly<Record<string, ReadonlyArray<string>>> = {
  clearing: [
    "accountName",
    "amount",
    "amountCreditNote",
    "amountFee",
    "amountFeeExternal",
    "amountSent",
    "amountStorno",
    "amountStornoFee",
    "amountTransfer",
    "clearingId",
    "dateClearedFrom",
    "dateClearedTo",
    "datePerformed",
    "variableSymbol"
  ],
  paymentChannel: ["fee", "transactionFee", "type", "volumeFee"],
  movements: [],
  movement: movementAttributes,
  storno: [],
  stornoMovement: movementAttributes
}

const tags: Readonly<Record<string, MovementTag>> = { credit: "Payment", storno: "Refund", stornoFee: "RefundFee" }

const notClearing = (found: string): StatementError =>
  unknownStatement({ _tag: "UnknownXml", root: shown(found), namespace })

/** The elements in the order of the file. Refuses a DOCTYPE, so that XML's own entities are the only ones. */
const elementsOf = (text: string, maxMovements: number, notes: Notes): ReadonlyArray<Element> => {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const elements: Array<Element> = []
  /** The open elements. Nothing within an unknown element is read. */
  const open: Array<{ readonly isRead: boolean; readonly channel: string | undefined }> = []
  let attributeCount = 0
  let failure: unknown
  parser.on("error", (error) => {
    throw error
  })
  parser.on("doctype", () => {
    throw (failure = invalidLine(parser.line, { _tag: "Doctype" }))
  })
  parser.on("attribute", () => {
    attributeCount += 1
    if (attributeCount <= maxAttributes) return
    throw (failure = invalidLine(parser.line, { _tag: "TooManyAttributes", limit: maxAttributes }))
  })
  parser.on("opentag", ({ attributes, local, uri }) => {
    const parent = open.at(-1)
    attributeCount = 0
    if (open.length >= maxDepth) throw (failure = invalidLine(parser.line, { _tag: "TooDeep", limit: maxDepth }))
    if (elements.length === 0 && (local !== "clearing" || uri !== namespace)) throw (failure = notClearing(local))
    if (elements.length > 2 * maxMovements)
      throw (failure = tooLarge({ _tag: "TooManyMovements", limit: maxMovements }))
    // GoPay's own attributes have no namespace. An attribute of the same name in another namespace is ignored.
    const own = Object.values(attributes).filter((attribute) => attribute.uri === "")
    const values = Object.fromEntries(own.map(({ local: name, value }) => [name, value] as const))
    const isOwn = uri === namespace
    const channel = local === "paymentChannel" && isOwn ? values["type"] : parent?.channel
    const isWithinRead = parent?.isRead !== false
    const isRead = isWithinRead && isOwn && Object.hasOwn(known, local)
    open.push({ isRead, channel })
    if (!isWithinRead) return
    if (!isRead) return noteUnknownElement(notes, local, parser.line)
    const element = { name: local, line: parser.line, attributes: values, channel }
    noteUnknownAttributes(notes, element)
    elements.push(element)
  })
  parser.on("closetag", () => {
    open.pop()
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (failure !== undefined) throw failure
    throw invalidLine(parser.line, { _tag: "NotWellFormed" }, error)
  }
  return elements
}

const noteUnknownElement = (notes: Notes, name: string, line: number): void => {
  notes.add({ _tag: "UnknownElement", line, text: name }, `element ${name}`)
}

/** Notes the unknown attributes of an element, each once. */
const noteUnknownAttributes = (notes: Notes, element: Element): void => {
  const { line, name } = element
  const isKept = isMovement(element)
  for (const text of unknownAttributes(element)) {
    notes.add({ _tag: "UnknownAttribute", line, text, element: name, isKept }, `attribute ${name} ${text}`)
  }
}

const isMovement = ({ name }: Element): boolean => name === "movement" || name === "stornoMovement"

const unknownAttributes = ({ attributes, name }: Element): ReadonlyArray<string> =>
  Object.keys(attributes).filter((key) => !(ownMember(known, name) ?? []).includes(key))

const optionalAttribute = ({ attributes }: Element, key: string): string | undefined =>
  ownMember(attributes, key)?.trim() || undefined

const attribute = (element: Element, key: string): string => {
  const value = optionalAttribute(element, key)
  if (value === undefined)
    throw invalidLine(element.line, { _tag: "NoAttribute", element: element.name, attribute: key })
  return value
}

const amountOf = (element: Element, key: string): number => readAmount(attribute(element, key), element.line, key)

const dayOf = (element: Element, key: string): string => readMoment(attribute(element, key), element.line, key).date

const optionalAmount = (element: Element, key: string): number | undefined => {
  const text = optionalAttribute(element, key)
  return text === undefined ? undefined : readAmount(text, element.line, key)
}

const movementOf = (element: Element, currency: string, notes: Notes): StatementMovement => {
  const { line } = element
  const type = attribute(element, "type")
  const amount = amountOf(element, "amount")
  const tag = ownMember(tags, type) ?? "Unknown"
  const fits = tag === "Unknown" || (tag === "Payment" ? amount >= 0 : amount <= 0)
  const note = { line, text: type, isOfClearing: true }
  if (tag === "Unknown") notes.add({ _tag: "UnknownType", ...note })
  if (!fits) notes.add({ _tag: "UnexpectedSign", ...note, amount })
  const session = optionalAttribute(element, "paymentSessionId")
  if (session !== undefined && !/^\d{1,15}$/.test(session))
    throw invalidLine(line, { _tag: "NotSession", text: shown(session) })
  const extra = unknownAttributes(element).map((key) => [key, optionalAttribute(element, key) ?? ""] as const)
  return {
    _tag: fits ? tag : "Unknown",
    type,
    line,
    date: dayOf(element, "datePerformed"),
    amount,
    currency,
    movementId: attribute(element, "accountMovementId"),
    ...withoutUndefined({
      orderNumber: optionalAttribute(element, "orderId"),
      paymentId: session === undefined ? undefined : Number(session),
      paymentChannel: element.channel,
      counterparty: optionalAttribute(element, "counterpartyName"),
      extra: extra.length === 0 ? undefined : Object.fromEntries(extra)
    })
  }
}

const channelOf = (element: Element): ClearingChannel =>
  withoutUndefined({
    type: optionalAttribute(element, "type"),
    fee: optionalAmount(element, "fee"),
    transactionFee: optionalAmount(element, "transactionFee"),
    volumeFee: optionalAmount(element, "volumeFee")
  })

const totalsOf = (root: Element, channels: ReadonlyArray<ClearingChannel>): ClearingTotals =>
  withoutUndefined({
    number: attribute(root, "clearingId"),
    variableSymbol: optionalAttribute(root, "variableSymbol"),
    performedOn: dayOf(root, "datePerformed"),
    gross: amountOf(root, "amount"),
    refunds: amountOf(root, "amountStorno"),
    refundFees: amountOf(root, "amountStornoFee"),
    fees: amountOf(root, "amountFee"),
    externalFees: optionalAmount(root, "amountFeeExternal") ?? 0,
    creditNote: amountOf(root, "amountCreditNote"),
    transfer: amountOf(root, "amountTransfer"),
    sent: optionalAmount(root, "amountSent"),
    channels
  })

const checkTotals = (line: number, totals: ClearingTotals, movements: ReadonlyArray<StatementMovement>): void => {
  const sum = (tag: MovementTag): number => Math.abs(sumOf(movements.filter(({ _tag }) => _tag === tag)))
  const checks = [
    ["amount", sum("Payment"), totals.gross],
    ["amountStorno", sum("Refund"), totals.refunds],
    ["amountStornoFee", sum("RefundFee"), totals.refundFees]
  ] as const
  for (const [label, expected, actual] of checks) {
    if (expected !== actual) throw imbalance(line, { _tag: "LabelImbalance", label, expected, actual })
  }
  const { creditNote, externalFees, fees, gross, refundFees, refunds, transfer } = totals
  if (externalFees > fees) {
    throw invalidLine(line, { _tag: "ExternalFees", external: externalFees, fees })
  }
  const expected = gross - refunds - refundFees - fees + creditNote
  if (expected !== transfer) {
    throw imbalance(line, { _tag: "LabelImbalance", label: "amountTransfer", expected, actual: transfer })
  }
}

/** Notes if the fees of channels, as far as the file has them, do not add up to those of the clearing. */
const checkChannels = (line: number, { channels, externalFees, fees }: ClearingTotals, notes: Notes): void => {
  const sum = externalFees + sumOf(channels.map(({ fee: amount }) => ({ amount })))
  if (channels.some(({ fee }) => fee === undefined) || sum === fees) return
  notes.add({ _tag: "ChannelFees", line, text: amountToDecimal(fees), fees, channels: sum })
}

export const isXml = (text: string): boolean => /^\s*</.test(text)

export const clearingStatement = (text: string, maxMovements: number): ParsedStatement => {
  const notes = new Notes()
  const [root, ...elements] = elementsOf(text, maxMovements, notes)
  if (root === undefined) throw notClearing("")
  const accountName = attribute(root, "accountName")
  const currency = /(?:^|\s)([A-Z]{3})$/.exec(accountName)?.[1]
  if (currency === undefined) {
    throw invalidLine(root.line, { _tag: "NoAccountCurrency", text: shown(accountName) })
  }
  const movements = elements.filter(isMovement).map((element) => movementOf(element, currency, notes))
  distinctIds(movements)
  const clearing = totalsOf(root, elements.filter(({ name }) => name === "paymentChannel").map(channelOf))
  checkTotals(root.line, clearing, movements)
  checkChannels(root.line, clearing, notes)
  const period = { from: dayOf(root, "dateClearedFrom"), to: dayOf(root, "dateClearedTo") }
  for (const { date, line } of movements) {
    if (period.from <= date && date <= period.to) continue
    notes.add({ _tag: "OutsideOfPeriod", line, text: date, ...period }, "outside")
  }
  return {
    format: "CLEARING_XML",
    accountName,
    currency,
    period,
    movements,
    clearing,
    notes: notes.list
  }
}
