import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { gopay, stateOf } from "./gopay.service"
import { checkOptions, type GopayPluginOptions } from "./options"

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

/** Compares Vendure's payments and refunds with the ledger's: the differences, a line each. Needs no running server. */
export const compareWithLedger = async (options: GopayPluginOptions): Promise<ReadonlyArray<string>> => {
  const { connectionString, gateway: gatewayOptions, installation } = checkOptions(options)
  const pool = new Pool({ connectionString })
  const gateway = createGatewayClient(gatewayOptions)
  const ledger = createLedger({ gateway, store: pgStore(pool), installation })
  const { operator } = ledger
  const differences: Array<string> = []
  try {
    const payments = new Map(
      (await all((page) => operator.listPayments(page))).map((payment) => [String(payment.paymentId), payment])
    )
    const shown = await pool.query<{ transactionId: string; state: string }>(
      `SELECT "transactionId", state FROM payment WHERE method = $1 AND "transactionId" IS NOT NULL`,
      [gopay]
    )
    const inVendure = new Map(shown.rows.map(({ state, transactionId }) => [transactionId, state]))
    const expected = new Map([
      ["AUTHORIZED", "Authorized"],
      ["PAID", "Settled"],
      ["PARTIALLY_REFUNDED", "Settled"],
      ["REFUNDED", "Settled"]
    ])
    for (const [id, { orderNumber, state = "" }] of payments) {
      const should = expected.get(state)
      const is = inVendure.get(id)
      if (should === undefined ? is === "Authorized" || is === "Settled" : is !== should) {
        differences.push(`Order ${orderNumber}: payment ${id} is ${state}, in Vendure ${is ?? "missing"}.`)
      }
    }
    for (const [id, state] of inVendure) {
      if (!payments.has(id)) differences.push(`Payment ${id} is ${state} in Vendure, and the ledger has none.`)
    }
    const refunds = await pool.query<{ transactionId: string; state: string; total: number }>(
      `SELECT refund."transactionId", refund.state, refund.total FROM refund JOIN payment ON payment.id = refund."paymentId" WHERE payment.method = $1`,
      [gopay]
    )
    const keys = new Set<string>()
    for (const { state, total, transactionId: key } of refunds.rows) {
      keys.add(key)
      const outcome = await ledger.getOutcome(key)
      const is = outcome === undefined ? "missing" : stateOf(outcome)
      if (is !== state) differences.push(`Refund ${key} of ${total} is ${state} in Vendure, in the ledger ${is}.`)
    }
    for (const { key, operation, paymentId } of await all((page) => operator.listChanges(page))) {
      if (operation === "refundPayment" && !keys.has(key)) {
        differences.push(`Refund ${key} of payment ${paymentId} is in the ledger, and Vendure has none.`)
      }
    }
  } finally {
    await ledger.close()
    await gateway.close()
    await pool.end()
  }
  return differences
}
