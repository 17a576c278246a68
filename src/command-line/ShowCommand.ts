/**
 * The command `show`: a payment and its refunds, as the gateway shows them.
 */
import { amountText, factLines, timeText, withCode, wordsFor } from "./OutputText.js"
import { isoTimestamp } from "../basics/Day.js"
import type { PaymentResponse, RefundHistoryItem } from "../contract/Messages.js"
import { holdStateWords, paymentStateWords, recurrenceStateWords } from "../contract/StateWords.js"
import { commandOf, flag, WrongUsage } from "./Command.js"
import type { Language } from "./Language.js"
import { merchantAbout, paymentIdOf, withClient } from "./ShopClient.js"
import { words } from "./Words.js"

interface Priced {
  readonly amount?: number
  readonly currency?: string
}

/** The state of a payment in words, with its codes. */
export const stateText = (
  { state, sub_state }: Pick<PaymentResponse, "state" | "sub_state">,
  language: Language
): string => `${paymentStateWords(state, language)} (${[state, sub_state].filter(Boolean).join(" ")})`

const lines = (
  payment: PaymentResponse,
  refunds: ReadonlyArray<RefundHistoryItem>,
  language: Language
): ReadonlyArray<string> => {
  const { facts, refundStates } = words[language].payment
  const amountOf = ({ amount, currency }: Priced): string =>
    amount === undefined ? "" : amountText(amount, currency, language)
  const inWords = (wordsOf: (code: string, language: Language) => string, code: string | undefined) =>
    code === undefined ? undefined : withCode(wordsOf(code, language), code)
  return factLines([
    [facts.payment, payment.id],
    [facts.state, stateText(payment, language)],
    [facts.amount, amountOf(payment)],
    [facts.order, payment.order_number],
    [facts.paidBy, payment.payment_instrument],
    [facts.parent, payment.parent_id],
    [facts.hold, inWords(holdStateWords, payment.preauthorization?.state)],
    [facts.recurrence, inWords(recurrenceStateWords, payment.recurrence?.recurrence_state)],
    [facts.payPage, payment.gw_url],
    ...refunds.map((refund): readonly [string, string] => [
      facts.refund,
      [
        refund.id,
        refund.state && withCode(wordsFor(refundStates, refund.state), refund.state),
        amountOf(refund),
        timeText(refund.date_requested && isoTimestamp(refund.date_requested), language)
      ]
        .filter(Boolean)
        .join("  ")
    ])
  ])
}

export const showCommand = commandOf({
  name: "show",
  summary: { en: "print a payment and its refunds", cs: "vypsat platbu a její refundace" },
  usage: "show ID [--json]",
  about: {
    en: `Prints a payment and its refunds; with --json all that the gateway says of them. It reads only.

${merchantAbout.en}`,
    cs: `Vypíše platbu a její refundace; s --json vše, co o nich brána uvádí. Jen čte.

${merchantAbout.cs}`
  },
  options: {
    json: flag({ en: "print what the gateway sent, as JSON", cs: "vypsat jako JSON, co brána poslala" })
  },
  takes: Infinity,
  run: async ({ json }, [id, ...others], { language }) => {
    if (id === undefined || others.length > 0) throw new WrongUsage(({ payment }) => payment.oneId)
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
        console.log(lines(payment, await client.getPaymentRefunds(paymentId), language).join("\n"))
      }
    })
  }
})
