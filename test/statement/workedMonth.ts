/**
 * The worked month of the guide to statements, made of a history of the local gateway and of what the reader says of its
 * files: `npm run worked-month` writes it, a test compares it.
 */
import { readFileSync, writeFileSync } from "node:fs"
import * as Result from "effect/Result"
import { amountToDecimal } from "../../src/contract/Amount.js"
import type { Movement } from "../../src/local-gateway/books/Books.js"
import { newPayment } from "../../src/local-gateway/books/Payment.js"
import { accountOf } from "../../src/local-gateway/documents/Booking.js"
import { clearingXml } from "../../src/local-gateway/documents/ClearingXml.js"
import { accountStatement } from "../../src/local-gateway/documents/StatementFile.js"
import { defaultSettings } from "../../src/local-gateway/books/DefaultSettings.js"
import { day } from "../../src/local-gateway/books/Times.js"
import {
  type BookedOrder,
  type ClearingExplanation,
  parseBankStatement,
  parseStatement,
  reconcileStatement,
  type StatementMovement
} from "../../src/statement/index.js"
import { type BankLine, bankFile } from "./files.js"

const guide = new URL("../../docs/guides/statements.md", import.meta.url)
const begin = "## A month, line by line\n"
const end = "## Matching\n"

const goid = 8_123_456_781
const period = { from: "2026-06-01", to: "2026-06-30" }
const now = Date.parse("2026-07-02T12:00:00Z")
const settings = { ...defaultSettings, clearings: "weekly", paymentFeeBasisPoints: 190, refundFee: 300 } as const

const late = "2026-0031"

const paymentOf = (index: number, amount: number, at: string): Movement => {
  const order = {
    amount,
    currency: "CZK" as const,
    order_number: `2026-${String(index).padStart(4, "0")}`,
    target: { goid },
    callback: { return_url: "https://shop.example/" }
  }
  const payment = newPayment(3_000_000_003 + 13 * index, order, String(index), 0)
  return { at: Date.parse(at), type: "PAYMENT", amount, payment }
}

/** Thirty payments, two a day from 15 June, three refunds, and a transfer that came after its payment had timed out. */
const history = (): ReadonlyArray<Movement> => {
  const payments = Array.from({ length: 30 }, (_, index): Movement => {
    const date = `2026-06-${String(15 + Math.floor(index / 2)).padStart(2, "0")}`
    return paymentOf(index + 1, 25_000 + 1_000 * ((index * 7) % 30), `${date}T${10 + (index % 2) * 5}:00:00+02:00`)
  })
  const refundOf = (index: number, amount: number, at: string): ReadonlyArray<Movement> => {
    const payment = payments[index - 1]?.payment
    return payment === undefined ? [] : [{ at: Date.parse(at), type: "REFUND", amount: -amount, payment }]
  }
  return [
    ...payments,
    ...refundOf(2, 5_000, "2026-06-16T14:00:00+02:00"),
    ...refundOf(7, 5_000, "2026-06-20T14:00:00+02:00"),
    ...refundOf(16, 5_000, "2026-06-24T14:00:00+02:00"),
    paymentOf(31, 99_000, "2026-06-24T08:30:00+02:00")
  ].toSorted((one, other) => one.at - other.at)
}

/** What the shop has: it does not count the late one as paid. */
const booksOf = (movements: ReadonlyArray<Movement>): ReadonlyArray<BookedOrder> =>
  movements.flatMap(({ amount, at, payment, type }): ReadonlyArray<BookedOrder> => {
    if (type !== "PAYMENT") return []
    const orderNumber = payment.order.order_number
    const refunds = movements
      .filter((other) => other.type === "REFUND" && other.payment.id === payment.id)
      .map((refund) => ({ amount: -refund.amount, requestedOn: day(refund.at) }))
    const paid = orderNumber !== late
    return [{ orderNumber, currency: "CZK", payments: [{ amount, paid, paidOn: day(at), refunds }] }]
  })

const files = (movements: ReadonlyArray<Movement>) => {
  const order = { goid, currency: "CZK", format: "CSV_B", date_from: period.from, date_to: period.to } as const
  const statement = Result.getOrThrow(accountStatement(movements, order, settings, now)).bytes
  const { clearings } = accountOf(movements, "CZK", settings, Date.parse("2026-06-30T12:00:00Z"))
  // A quarter of the fees is external. The second clearing is sent in two transfers.
  const xmls = clearings.map((clearing) =>
    clearingXml(clearing).replace(
      `amountFeeExternal="0.00"`,
      `amountFeeExternal="${amountToDecimal(Math.floor(clearing.fee / 4))}"`
    )
  )
  const transfers = clearings.flatMap(({ number, transfer }, index): ReadonlyArray<BankLine> => {
    const amounts = index === 0 ? [transfer] : [500_000, transfer - 500_000]
    return amounts.map((amount, part) => ({
      id: `${10 * (index + 1) + part}`,
      amount,
      code: "2",
      symbol: number,
      day: index === 0 ? "2026-06-24" : `2026-07-0${1 + part}`,
      name: "GOPAY S.R.O.",
      account: "2801234567"
    }))
  })
  return { statement, xmls, bank: bankFile("2026-06-01", "2026-07-05", transfers) }
}

/** What the reader says of the month. */
export const reconciledMonth = () => {
  const movements = history()
  const { bank, statement, xmls } = files(movements)
  const encoder = new TextEncoder()
  const statements = [parseStatement(statement, { period }), ...xmls.map((xml) => parseStatement(encoder.encode(xml)))]
  const orders = booksOf(movements)
  return reconcileStatement(statements, { orders, bank: parseBankStatement(bank), through: "2026-06-30" })
}

type Month = ReturnType<typeof reconciledMonth>

const explanationOf = (movement: StatementMovement, { clearings, foreign, matched }: Month): string => {
  const { _tag, movementId, paymentId } = movement
  const clearing = clearings.find((one) => one.movements.some((other) => other.movementId === movementId))
  const where = clearing === undefined ? "in a clearing of July" : `in clearing ${clearing.number}`
  const own = clearings.find(({ number }) => number === movement.clearing)
  if (foreign.some((one) => one.movement === movement)) {
    return `the transfer that came late: the books have the order as unpaid (\`NotCountedAsPaid\`); ${where}`
  }
  if (_tag === "RefundFee") return `what GoPay charges for the refund; ${where}`
  if (_tag === "Payout") {
    return `the clearing, ${own?.received?.transfers.length === 1 ? "one transfer" : "two transfers"} at the bank`
  }
  if (_tag === "Fee")
    return `what GoPay keeps of its payments, ${amountToDecimal(own?.externalFees ?? 0)} of it external`
  if (!matched.some((one) => one.movement === movement)) throw new Error(`no explanation of ${movementId}`)
  const id = paymentId === undefined ? "" : `, payment ${paymentId}`
  return _tag === "Refund" ? `a refund, in the books${id}; ${where}` : `a payment, in the books${id}; ${where}`
}

const sentence = (clearing: ClearingExplanation): string => {
  const { externalFees, fees, gross, number, received, refundFees, refunds, transfer } = clearing
  const [payments, back, fee, all, external, whole] = [gross, refunds, refundFees, fees, externalFees, transfer].map(
    amountToDecimal
  )
  const arrived = (received?.transfers ?? []).map(({ amount, date }) => `${amountToDecimal(amount)} on ${date}`)
  return `- **${number}**: payments ${payments} − refunds ${back} − their fees ${fee} − fees ${all} (external ${external} among them) = **${whole}**. The bank has ${arrived.join(" and ")}.`
}

/** The guide's example of a reconciled month, as Markdown. */
export const workedMonth = (): string => {
  const month = reconciledMonth()
  const rows = month.movements.map((movement) => {
    const { amount, clearing, date, orderNumber, type } = movement
    return `| ${date.slice(5)} | \`${type}\` | ${orderNumber ?? clearing ?? ""} | ${amountToDecimal(amount)} | ${explanationOf(movement, month)} |`
  })
  return `${begin}
A shop opened on 15 June. It has 30 payments, three partial refunds, and one bank transfer that came after its payment had timed out. GoPay
clears on Mondays, a quarter of its fees is external, and it sent the second clearing in two transfers. The files are the account's \`CSV_B\` of
June, the XML of both clearings, and the bank's ABO to 5 July. This is every line of the account, and what \`reconcileStatement\` says of it:

| day | type | order or clearing | amount | what it is |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

**A payment's id is not on a statement**: it comes from the clearing's XML, so the payments of a clearing that is still to come have none. The
two clearings, to the haléř:

${month.clearings.map(sentence).join("\n")}

The one thing to do: order ${late} was paid late. Book the payment and deliver, or refund it.

`
}

/** The section as the guide has it. */
export const sectionInGuide = (): string => {
  const text = readFileSync(guide, "utf8")
  return text.slice(text.indexOf(begin), text.indexOf(end))
}

/** Writes the section into the guide. */
export const writeWorkedMonth = (): void => {
  writeFileSync(
    guide,
    readFileSync(guide, "utf8").replace(sectionInGuide(), () => workedMonth())
  )
}
