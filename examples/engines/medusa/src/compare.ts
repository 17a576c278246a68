/**
 * What differs between Medusa's payments, captures and refunds and the ledger's.
 */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gopayLedger } from "./gopay"

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

export const compare = async (container: MedusaContainer): Promise<ReadonlyArray<string>> => {
  const ledger = gopayLedger()
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "payment",
    fields: ["id", "data", "captured_at", "refunds.id", "refunds.amount"],
    filters: { provider_id: ["pp_gopay_gopay", "pp_gopay_hold"] }
  })
  const inMedusa = new Map(data.map((payment) => [String(payment.data?.["paymentId"]), payment]))
  const differences: Array<string> = []
  for (const { orderNumber, paymentId, state = "" } of await all((page) => ledger.listPayments(page))) {
    const payment = inMedusa.get(String(paymentId))
    const isPaid = ["PAID", "PARTIALLY_REFUNDED", "REFUNDED"].includes(state)
    if (!isPaid && state !== "AUTHORIZED") continue
    if (payment === undefined)
      differences.push(`Payment ${paymentId} of ${orderNumber} is ${state}, and Medusa has none.`)
    else if (isPaid && !payment.captured_at)
      differences.push(`Payment ${paymentId} is ${state}, and not captured in Medusa.`)
    else if (!isPaid && payment.captured_at)
      differences.push(`Payment ${paymentId} is ${state}, and captured in Medusa.`)
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
  for (const { key, operation, paymentId, status } of await all((page) => ledger.listChanges(page))) {
    // What was refused, Medusa has deleted.
    if (operation !== "refundPayment" || status === "refused" || keys.has(key)) continue
    differences.push(`Refund ${key} of payment ${paymentId} is in the ledger, and Medusa has none.`)
  }
  return differences
}
