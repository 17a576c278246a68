import type { MedusaContainer, PaymentDTO } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gopayLedger } from "./ledger"

/** All pages of a list. */
const all = async <A extends { readonly key: string }>(
  list: (page: { readonly after?: string }) => Promise<ReadonlyArray<A>>
): Promise<ReadonlyArray<A>> => {
  const items: Array<A> = []
  let page = await list({})
  while (page.length > 0) {
    items.push(...page)
    const after = page.at(-1)?.key
    page = after === undefined ? [] : await list({ after })
  }
  return items
}

const expected = new Map([
  ["AUTHORIZED", "authorized"],
  ["PAID", "captured"],
  ["PARTIALLY_REFUNDED", "captured"],
  ["REFUNDED", "captured"]
])

const stateOf = ({ canceled_at, captured_at }: Pick<PaymentDTO, "canceled_at" | "captured_at">) =>
  captured_at ? "captured" : canceled_at ? "canceled" : "authorized"

/** Compares Medusa's payments, captures and refunds with the ledger's: the differences, a line each. */
export const compareWithLedger = async (container: MedusaContainer): Promise<ReadonlyArray<string>> => {
  const ledger = gopayLedger()
  const { operator } = ledger
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "payment",
    fields: ["id", "data", "captured_at", "canceled_at", "refunds.id", "refunds.amount", "payment_collection.order.id"],
    filters: { provider_id: { $like: "pp_gopay_%" } }
  })
  const inMedusa = new Map(data.map((payment) => [String(payment.data?.["paymentId"]), payment]))
  const differences: Array<string> = []
  for (const { orderNumber, paymentId, state = "" } of await all((page) => operator.listPayments(page))) {
    const payment = inMedusa.get(String(paymentId))
    const should = expected.get(state)
    const is = payment === undefined ? "missing" : stateOf(payment)
    if (should === undefined ? is === "authorized" || is === "captured" : is !== should) {
      differences.push(`Payment ${paymentId} of ${orderNumber} is ${state}, in Medusa ${is}.`)
    } else if (payment !== undefined && should !== undefined && !payment.payment_collection?.order) {
      differences.push(`Payment ${paymentId} of ${orderNumber} is ${state}, and has no order in Medusa.`)
    }
  }
  const keys = new Set<string>()
  for (const refund of data.flatMap(({ refunds }) => refunds ?? [])) {
    if (!refund) continue
    keys.add(refund.id)
    const outcome = await ledger.getOutcome(refund.id)
    if (outcome?._tag !== "Done") {
      differences.push(`Refund ${refund.id} is made in Medusa, in the ledger ${outcome?._tag ?? "missing"}.`)
    }
  }
  for (const { key, operation, paymentId, status } of await all((page) => operator.listChanges(page))) {
    // Medusa has deleted those that were refused.
    if (operation !== "refundPayment" || status === "refused" || keys.has(key)) continue
    differences.push(`Refund ${key} of payment ${paymentId} is in the ledger, and Medusa has none.`)
  }
  return differences
}
