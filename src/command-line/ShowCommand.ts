/**
 * The command `show`: a payment and its refunds, as the gateway shows them.
 */
import { amountText, factLines, timeText } from "./OutputText.js"
import { isoTimestamp } from "../basics/Day.js"
import type { PaymentResponse, RefundHistoryItem } from "../contract/Messages.js"
import { commandOf, flag, WrongUsage } from "./Command.js"
import { localUrl, paymentIdOf, withClient } from "./ShopClient.js"

const amountOf = ({ amount, currency }: { readonly amount?: number; readonly currency?: string }): string =>
  amount === undefined ? "" : amountText(amount, currency)

const lines = (payment: PaymentResponse, refunds: ReadonlyArray<RefundHistoryItem>): ReadonlyArray<string> =>
  factLines([
    ["payment", payment.id],
    ["state", [payment.state, payment.sub_state].filter(Boolean).join(" ")],
    ["amount", amountOf(payment)],
    ["order", payment.order_number],
    ["paid by", payment.payment_instrument],
    ["parent", payment.parent_id],
    ["hold", payment.preauthorization?.state],
    ["recurrence", payment.recurrence?.recurrence_state],
    ["pay page", payment.gw_url],
    ...refunds.map((refund): readonly [string, string] => [
      "refund",
      [
        refund.id,
        refund.state,
        amountOf(refund),
        timeText(refund.date_requested && isoTimestamp(refund.date_requested))
      ]
        .filter(Boolean)
        .join("  ")
    ])
  ])

export const showCommand = commandOf({
  name: "show",
  summary: "print a payment and its refunds",
  about: `Usage: effect-gopay show ID [--json]

Prints a payment and its refunds; with --json all that the gateway says of them. It reads only.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT
(sandbox, production or an address); when none of them is set, the one of the local gateway
at ${localUrl}.`,
  options: {
    json: flag("print what the gateway sent, as JSON")
  },
  takes: Infinity,
  run: async ({ json }, [id, ...others]) => {
    if (id === undefined || others.length > 0) throw new WrongUsage("Give the id of one payment")
    const paymentId = paymentIdOf(id)
    await withClient(async (client) => {
      if (json) {
        // Printed as received, including what the client would decode.
        const read = (path: `/${string}`) => client.sendRequest({ method: "GET", path, kind: "read" })
        const payment = await read(`/payments/payment/${paymentId}`)
        const refunds = await read(`/payments/payment/${paymentId}/refunds`)
        console.log(JSON.stringify({ payment, refunds }, null, 2))
      } else {
        const payment = await client.getPayment(paymentId)
        console.log(lines(payment, await client.getPaymentRefunds(paymentId)).join("\n"))
      }
    })
  }
})
