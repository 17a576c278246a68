/**
 * A real Medusa server with PostgreSQL, and the local gateway in place of GoPay.
 */
import { strict as assert } from "node:assert"
import { after, before, describe, it } from "node:test"
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { type RunningLocalGateway, startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient, type GatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { Shop, until } from "./Shop"

let local: RunningLocalGateway
let gateway: GatewayClient
let pool: Pool
let shop: Shop

/** The payment of an order, when it is made and captured. */
const captured = (id: number) =>
  until(`payment ${id} is captured`, async () => {
    const payment = await shop.paymentOf(id)
    return payment?.captured_at && payment.payment_collection?.order ? payment : undefined
  })

const paid = async () => {
  const id = await shop.begun(await shop.cart())
  await local.payByCard(id)
  return { id, payment: await captured(id) }
}

const held = async () => {
  const id = await shop.begun(await shop.cart(), "pp_gopay_hold")
  await local.payByCard(id)
  const payment = await until("the payment is authorized", async () => {
    const found = await shop.paymentOf(id)
    return found?.payment_collection?.order ? found : undefined
  })
  assert.equal(payment.captured_at, null)
  return { id, payment }
}

const refund = (payment: any, amount: number) => shop.ask("POST", `/admin/payments/${payment.id}/refund`, { amount })
const capture = (payment: any, body: object = {}) => shop.ask("POST", `/admin/payments/${payment.id}/capture`, body)

/** How often the gateway was asked for something about a payment, and what it has returned. */
const requests = async (operation: string, id: number) =>
  (await local.listRequests()).filter((entry) => entry.operation === operation && entry.paymentId === id).length
const returned = async (id: number) =>
  (await gateway.getPaymentRefunds(id)).reduce((sum, { amount, state }) => sum + (state === "FAILED" ? 0 : amount), 0)

/** What an operator is told, read by another process. */
const attention = async () => {
  const ledger = createLedger({ gateway, store: pgStore(pool) })
  const items = await ledger.listAttention()
  await ledger.close()
  return items
}

describe("a Medusa server", () => {
  before(async () => {
    local = await startLocalGateway()
    gateway = createGatewayClient(local.merchant)
    pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
    shop = new Shop(local)
    shop.populate()
    await shop.start()
  })
  after(async () => {
    await shop?.end("SIGTERM")
    await pool?.end()
    await gateway?.close()
    await local?.close()
  })

  it("makes an order of a cart when its notification says that it is paid", async () => {
    const { payment } = await paid()
    assert.equal(payment.amount, 1000)
    assert.equal(payment.captures.length, 1)
  })

  it("refunds in two parts", async () => {
    const { id, payment } = await paid()
    await refund(payment, 300)
    await refund(payment, 200.5)
    assert.equal(await returned(id), 500_50)
    assert.equal(await requests("refundPayment", id), 2)
    await assert.rejects(refund(payment, 1000), /not allowed to refund more/)
  })

  it("has no refund that the gateway refuses, and one that it takes afterwards", async () => {
    const { id, payment } = await paid()
    await local.armFault({ type: "refusal", code: 330 }, { operation: "refundPayment" })
    await assert.rejects(refund(payment, 100))
    assert.deepEqual((await shop.paymentOf(id)).refunds, [])
    await refund(payment, 100)
    assert.equal((await shop.paymentOf(id)).refunds.length, 1)
    assert.equal(await returned(id), 100_00)
  })

  it("makes no second refund of one whose answer was lost", async () => {
    const { id, payment } = await paid()
    await local.armFault({ type: "connectionReset" }, { operation: "refundPayment" })
    await refund(payment, 300)
    assert.equal((await shop.paymentOf(id)).refunds.length, 1)
    assert.equal(await returned(id), 300_00)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("has an order paid after its card was declined", async () => {
    const cart = await shop.cart()
    await local.declinePayment(await shop.begun(cart))
    const again = await shop.begun(cart)
    await local.payByCard(again)
    await captured(again)
  })

  it("killed between a refund and its answer, refunds once", async () => {
    const { id, payment } = await paid()
    await local.armFault({ type: "noResponse" }, { operation: "refundPayment" })
    const asked = refund(payment, 400).catch(() => undefined)
    await until("the gateway has refunded", async () => (await returned(id)) === 400_00)
    await shop.end("SIGKILL")
    await asked
    await shop.start()
    await until("the ledger has found it", async () => !shop.compare().some((line) => line.includes("Refund")))
    assert.equal((await shop.paymentOf(id)).refunds.length, 1)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("tells an operator when both pages of a cart are paid", async () => {
    const cart = await shop.cart()
    const first = await shop.begun(cart)
    await shop.addToCart(cart)
    const second = await shop.begun(cart)
    assert.notEqual(second, first)
    await local.payByCard(second)
    await captured(second)
    // The old page is still open somewhere.
    await local.payByCard(first)
    await until("an operator is told", async () => (await attention()).some(({ paymentId }) => paymentId === first))
    assert.equal(await shop.paymentOf(first), undefined)
  })

  it("captures what is held, several at once, and no part of it", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, held))
    const [one] = all
    await assert.rejects(capture(one?.payment, { amount: 500 }), /Capture the whole amount/)
    await Promise.all(all.map(({ payment }) => capture(payment)))
    for (const { id } of all) {
      const { captures } = await captured(id)
      assert.deepEqual(
        captures.map(({ amount }: any) => amount),
        [1000]
      )
      assert.equal(await requests("captureAuthorization", id), 1)
    }
  })

  it("makes the order of a transfer that comes days later", async () => {
    const id = await shop.begun(await shop.cart())
    await local.choosePaymentMethod(id, "BANK_ACCOUNT")
    await local.advanceTime("3 days")
    await local.payByBankTransfer(id)
    await captured(id)
  })

  it("compares Medusa's rows with the ledger's", async () => {
    // A cart was paid twice: its first payment is with an operator.
    const [twice = "", ...others] = shop.compare()
    assert.match(twice, /^Payment \d+ of payses_\S+ is PAID, and Medusa has none\.$/)
    assert.deepEqual(others, [])
    await pool.query(`DELETE FROM refund WHERE raw_amount->>'value' = '400'`)
    assert.match(shop.compare()[1] ?? "", /^Refund ref_\S+ of payment \d+ is in the ledger, and Medusa has none\.$/)
  })
})
