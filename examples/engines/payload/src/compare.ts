import type { Ledger } from "effect-gopay/ledger/promise"
import type { Payload } from "payload"
import type { Tx } from "./ledger.js"
import { collectionsOf, gopay, isTransaction, keyOf } from "./transactions.js"

/** All pages of a list. */
async function* all<A extends { readonly key: string }>(
  list: (page: { readonly after?: string }) => Promise<ReadonlyArray<A>>
): AsyncGenerator<A> {
  let page = await list({})
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page
    page = await list({ after: last.key })
  }
}

/** The status that a transaction should have. */
const expected = new Map(Object.entries({ PAID: "succeeded", PARTIALLY_REFUNDED: "succeeded", REFUNDED: "refunded" }))

/** Compares Payload's transactions and refunds with the ledger's: the differences, a line each. */
export const compareWithLedger = async (payload: Payload, ledger: Ledger<Tx>): Promise<ReadonlyArray<string>> => {
  const { operator } = ledger
  const { transactions: collection } = collectionsOf(payload)
  const where = { paymentMethod: { equals: gopay } }
  const { docs } = await payload.find({ collection, depth: 0, pagination: false, where })
  const transactions = docs.filter(isTransaction)
  const inPayload = new Map(transactions.map((one) => [one.gopay.paymentId, one.status]))
  const differences: Array<string> = []
  for await (const { orderNumber, paymentId, state = "" } of all((page) => operator.listPayments(page))) {
    const should = expected.get(state)
    const is = inPayload.get(String(paymentId)) ?? "missing"
    if (should === undefined ? is === "succeeded" || is === "refunded" : is !== should) {
      differences.push(`Payment ${paymentId} of ${orderNumber} is ${state}, in Payload ${is}.`)
    }
  }
  const keys = new Set<string>()
  for (const { amount, id } of transactions.flatMap(({ gopay: { refunds } }) => refunds)) {
    const key = keyOf(id)
    keys.add(key)
    const { _tag } = (await ledger.getOutcome(key)) ?? { _tag: "missing" }
    if (_tag !== "Done") differences.push(`Refund ${key} of ${amount} is in Payload, in the ledger ${_tag}.`)
  }
  for await (const { key, operation, paymentId } of all((page) => operator.listChanges(page))) {
    if (operation === "refundPayment" && !keys.has(key)) {
      differences.push(`Refund ${key} of payment ${paymentId} is in the ledger, and Payload has none.`)
    }
  }
  return differences
}
