/**
 * A month of a shop, from its payments to the bank's transfers: what the guide on statements shows.
 */
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { type BookedOrder, parseStatement } from "effect-gopay/statement"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { closeMonth, statementOf } from "./statements.js"

/** The shop opened on Monday, 15 June: three payments a day for ten days. */
const sales = Array.from({ length: 30 }, (_, index) => {
  const day = [15, 16, 17, 18, 19, 22, 23, 24, 25, 26][Math.floor(index / 3)] ?? 0
  const refunded = index === 1 || index === 10 || index === 20
  return {
    orderNumber: `2026-${String(index + 1).padStart(4, "0")}`,
    amount: 25_000 + 1_000 * index,
    day: `2026-06-${day}`,
    hour: 8 + (index % 3),
    refund: refunded ? { amount: 5_000, day: `2026-06-${day + 1}` } : undefined
  }
})

/** A transfer that came after the payment had timed out: the shop has given the order up. */
const late = { orderNumber: "2026-0031", amount: 99_000, day: "2026-06-24" }

const seed = {
  settings: { clearings: "weekly", paymentFeeBasisPoints: 190, refundFee: 300 },
  payments: [
    ...sales.map(({ amount, day, hour, orderNumber, refund }) => ({
      amount,
      currency: "CZK",
      order_number: orderNumber,
      state: refund === undefined ? "PAID" : "PARTIALLY_REFUNDED",
      created_at: `${day}T${String(hour).padStart(2, "0")}:00:00Z`,
      ...(refund === undefined
        ? {}
        : { refunds: [{ amount: refund.amount, date_requested: `${refund.day}T12:00:00Z` }] })
    })),
    {
      amount: late.amount,
      currency: "CZK",
      order_number: late.orderNumber,
      state: "PAID",
      created_at: "2026-06-17T08:00:00Z",
      received_at: `${late.day}T06:30:00Z`
    }
  ]
}

const books: ReadonlyArray<BookedOrder> = [
  ...sales.map(({ amount, day, orderNumber, refund }) => ({
    orderNumber,
    currency: "CZK",
    payments: [
      { amount, paidOn: day, refunds: refund === undefined ? [] : [{ amount: refund.amount, requestedOn: refund.day }] }
    ]
  })),
  { orderNumber: late.orderNumber, currency: "CZK", payments: [{ amount: late.amount, paid: false }] }
]

describe("A month", () => {
  let local: Awaited<ReturnType<typeof startLocalGateway>>
  let gateway: ReturnType<typeof createGatewayClient>
  beforeAll(async () => {
    local = await startLocalGateway({ seed: JSON.stringify(seed) })
    gateway = createGatewayClient(local.merchant)
  })
  afterAll(async () => {
    await gateway.close()
    await local.close()
  })

  it("agrees but for the transfer that came late, and both of the bank's transfers are explained", async () => {
    const june = await statementOf(gateway, "2026-06-01", "2026-06-30")
    const month = closeMonth([june], books)
    expect(month).toEqual({
      agrees: false,
      lost: [],
      foreign: [`NotCountedAsPaid: ${late.orderNumber}, ${late.amount}`],
      missing: [],
      transfers: [
        expect.objectContaining({ explainedBy: "cutOff" }),
        expect.objectContaining({ explainedBy: "cutOff" })
      ]
    })
    const [last, ...others] = books.toReversed()
    const paid = last === undefined ? [] : [{ ...last, payments: [{ amount: late.amount, paidOn: late.day }] }]
    expect(closeMonth([june], [...others, ...paid]).agrees).toBe(true)
  })

  it("agrees with the files of its clearings, which have the payments' ids", async () => {
    const goid = local.merchant.goid
    const response = await fetch(`${local.url}/local-gateway/clearings?goid=${goid}&currency=CZK`)
    const { clearings }: { readonly clearings: ReadonlyArray<{ readonly xml: string }> } = await response.json()
    const files = clearings.map(({ xml }) => parseStatement(new TextEncoder().encode(xml)))
    expect(files[0]?.movements[0]?.paymentId).toBeGreaterThan(0)
    const month = closeMonth([await statementOf(gateway, "2026-06-01", "2026-06-30"), ...files], books)
    expect(month.transfers.map(({ explainedBy }) => explainedBy)).toEqual(["file", "file"])
  })
})
