/**
 * A clearing as the XML that the gateway sends by e-mail: the payments and refunds that a transfer pays out.
 *
 * Elements and attributes are those of a public parser and its tests.
 */
import { amountToDecimal } from "../../contract/Amount.js"
import type { Booking, Clearing } from "./Booking.js"
import { counterpartyOf, czechDay } from "./StatementFile.js"

const escaped = (text: string): string =>
  text
    // Characters that XML does not allow.
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "?")
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)

const element = (name: string, attributes: Readonly<Record<string, string>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join("")}`

const movement = (name: string, type: string, booking: Booking): string => {
  const { amount, day, id, payment } = booking
  return `${element(name, {
    accountMovementId: String(id),
    amount: amountToDecimal(amount),
    counterpartyName: counterpartyOf(booking),
    datePerformed: czechDay(day),
    orderId: payment?.order.order_number ?? "",
    paymentSessionId: String(payment?.id ?? ""),
    type
  })}/>`
}

const sum = (bookings: ReadonlyArray<Booking>): string =>
  amountToDecimal(Math.abs(bookings.reduce((total, { amount }) => total + amount, 0)))

export const clearingXml = ({ bookings, currency, day, fee, from, number, to, transfer }: Clearing): string => {
  const of = (type: Booking["type"]) => bookings.filter((booking) => booking.type === type)
  const [payments, refunds, refundFees] = [of("PAYMENT"), of("REFUND"), of("REFUND_FEE")]
  const [amountFee, amountTransfer] = [amountToDecimal(fee), amountToDecimal(transfer)]
  const root = element("clearing", {
    xmlns: "https://www.gopay.cz/clearing",
    accountName: `TEST LOCAL GATEWAY ${currency}`,
    amount: sum(payments),
    amountCreditNote: "0.00",
    amountFee,
    amountFeeExternal: "0.00",
    amountSent: amountTransfer,
    amountStorno: sum(refunds),
    amountStornoFee: sum(refundFees),
    amountTransfer,
    clearingId: number,
    dateClearedFrom: czechDay(from),
    dateClearedTo: czechDay(to),
    datePerformed: czechDay(day),
    variableSymbol: number
  })
  const channel = element("paymentChannel", {
    fee: amountFee,
    transactionFee: "0.00",
    type: "all",
    volumeFee: amountFee
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `${root}>`,
    `${channel}><movements>`,
    ...payments.map((booking) => movement("movement", "credit", booking)),
    "</movements></paymentChannel>",
    "<storno>",
    ...refunds.map((booking) => movement("stornoMovement", "storno", booking)),
    ...refundFees.map((booking) => movement("stornoMovement", "stornoFee", booking)),
    "</storno>",
    "</clearing>\n"
  ].join("\n")
}
