/**
 * A real Medusa server with PostgreSQL, and the local gateway in place of GoPay.
 */
import { strict as assert } from "node:assert"
import { after, before, describe, it } from "node:test"
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { type RunningLocalGateway, startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient, type GatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { Shop, until, url } from "./Shop"

let local: RunningLocalGateway
let gateway: GatewayClient
let pool: Pool
let shop: Shop
/** The lines of the comparison that a scene leaves behind. */
const differing: Array<string> = []

/** Waits until the payment of an order is captured, and the order is made. */
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

/** The differences that concern refunds. */
const refundLines = async () => (await shop.compare()).filter((line) => line.startsWith("Refund"))

const ordersOf = async (cart: string) =>
  (await pool.query("SELECT 1 FROM order_cart WHERE cart_id = $1 AND deleted_at IS NULL", [cart])).rows.length

/** How often an operation was called for a payment at the gateway, and how much was refunded. */
const requests = async (operation: string, id: number) =>
  (await local.listRequests()).filter((entry) => entry.operation === operation && entry.paymentId === id).length
const returned = async (id: number) =>
  (await gateway.getPaymentRefunds(id)).reduce((sum, { amount, state }) => sum + (state === "FAILED" ? 0 : amount), 0)

/** Holds a table in a transaction. */
const lockTable = async (table: string) => {
  const client = await pool.connect()
  await client.query("BEGIN")
  await client.query(`LOCK TABLE ${table} IN SHARE MODE`)
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  return {
    isAwaited: () =>
      until("the server waits for the table", async () => {
        const waiting = await pool.query(`SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`, [
          rows[0]?.pid
        ])
        return waiting.rows.length > 0
      }),
    release: async () => {
      await client.query("ROLLBACK")
      client.release()
    }
  }
}

/** Cuts the server's connections for three seconds, except those that it is just opening. */
const cutConnections = async () => {
  for (let cut = 0; cut < 8; cut++) {
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_start < now() - interval '100 ms'`
    )
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
}

/** Waits for at most 20 seconds: a call that has lost its connection may hang forever. */
const inTime = <A>(asked: Promise<A>): Promise<A> => {
  const tooLong = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("Medusa has not answered for 20 s.")), 20_000).unref()
  })
  return Promise.race([asked, tooLong])
}

/** The state of a payment in the ledger, which is committed when Medusa is up to date. */
const stateOf = async (paymentId: number) => {
  const ledger = createLedger({ gateway, store: pgStore(pool) })
  const { operator } = ledger
  const [payment] = await operator.listPayments({ paymentId })
  await ledger.close()
  return payment?.state
}

/** The items that need an operator, read by another process. */
const attention = async () => {
  const ledger = createLedger({ gateway, store: pgStore(pool) })
  const { operator } = ledger
  const items = await operator.listAttention()
  await ledger.close()
  return items
}

describe("a Medusa server", () => {
  before(async () => {
    local = await startLocalGateway({ settings: { partialRefundDelaySeconds: 0 } })
    gateway = createGatewayClient(local.merchant)
    pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
    pool.on("error", () => {})
    shop = new Shop(local)
    shop.populate()
    await shop.start()
  })
  after(async () => {
    await shop?.kill()
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

  it("keeps a refund that the gateway has not finished, and compares it", async () => {
    const { id, payment } = await paid()
    await local.changeSettings({ refund: "acceptedThenFailed" })
    await refund(payment, 300)
    await local.changeSettings({ refund: "finished" })
    assert.equal((await shop.paymentOf(id)).refunds.length, 1)
    assert.match((await refundLines())[0] ?? "", /^Refund ref_\S+ is made in Medusa, in the ledger Pending\.$/)
    await local.advanceTime("2 minutes")
    await until("it has failed", async () => (await refundLines())[0]?.endsWith("in the ledger Refused."))
    assert.equal(await requests("refundPayment", id), 1)
    await pool.query(`DELETE FROM refund WHERE payment_id = $1`, [payment.id])
  })

  it("keeps a refund in doubt, until an operator decides", async () => {
    const { id, payment } = await paid()
    await local.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
    await refund(payment, 300)
    const [{ id: key }] = (await shop.paymentOf(id)).refunds
    assert.deepEqual(await refundLines(), [`Refund ${key} is made in Medusa, in the ledger InDoubt.`])
    assert.equal(await requests("refundPayment", id), 1)
    const ledger = createLedger({ gateway, store: pgStore(pool) })
    const { operator } = ledger
    const change = await operator.getChange(key)
    await operator.resolveChange(key, {
      version: change?.version ?? 0,
      as: "notDone",
      early: true,
      by: "Jana",
      note: "not at GoPay"
    })
    await ledger.close()
    await pool.query(`DELETE FROM refund WHERE payment_id = $1`, [payment.id])
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
    await shop.kill()
    await asked
    await shop.start()
    await until("the ledger has found it", async () => (await refundLines()).length === 0)
    assert.equal((await shop.paymentOf(id)).refunds.length, 1)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("makes one order for ten notifications and a storefront that completes the cart", async () => {
    const cart = await shop.cart()
    const id = await shop.begun(cart)
    await local.payByCard(id)
    await Promise.all([
      ...Array.from({ length: 10 }, () => fetch(`${url}/gopay/notify?id=${id}`)),
      ...Array.from({ length: 3 }, () => shop.ask("POST", `/store/carts/${cart}/complete`).catch(() => undefined))
    ])
    const { captures, refunds } = await captured(id)
    assert.deepEqual([captures.length, refunds.length], [1, 0])
    assert.equal(await ordersOf(cart), 1)
    assert.equal(await returned(id), 0)
  })

  it("killed while it makes the order, makes it once", async () => {
    const cart = await shop.cart()
    const id = await shop.begun(cart)
    const lock = await lockTable(`"order"`)
    await local.payByCard(id)
    await lock.isAwaited()
    await shop.kill()
    await lock.release()
    await shop.start()
    // GoPay repeats a notification that was not answered.
    await fetch(`${url}/gopay/notify?id=${id}`)
    assert.equal((await captured(id)).captures.length, 1)
    assert.equal(await ordersOf(cart), 1)
    assert.equal(await returned(id), 0)
  })

  it("makes the order again that could not be made, and refunds nothing", async () => {
    const cart = await shop.cart()
    const id = await shop.begun(cart)
    // The last step of Medusa's workflow fails, so that it takes back the order and cancels the payment.
    await pool.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no order'; END $$;
      CREATE TRIGGER no_order BEFORE INSERT ON order_transaction FOR EACH ROW EXECUTE FUNCTION fail()`)
    await local.payByCard(id)
    const { status } = await fetch(`${url}/gopay/notify?id=${id}`)
    await pool.query(`DROP FUNCTION fail CASCADE`)
    assert.notEqual(status, 200)
    await fetch(`${url}/gopay/notify?id=${id}`)
    const { canceled_at, captures, refunds } = await captured(id)
    assert.deepEqual([canceled_at, captures.length, refunds.length], [null, 1, 0])
    assert.equal(await ordersOf(cart), 1)
    assert.equal(await returned(id), 0)
  })

  it("loses its connections to the database while it makes an order, and makes one", async () => {
    const cart = await shop.cart()
    const id = await shop.begun(cart)
    await local.payByCard(id)
    // Medusa removes the order if a later step fails.
    await until("the order is there", async () => (await ordersOf(cart)) === 1)
    await cutConnections()
    await until("a notification is answered", async () => (await fetch(`${url}/gopay/notify?id=${id}`)).ok)
    const payment = await captured(id)
    assert.equal(payment.captures.length, 1)
    assert.equal(await ordersOf(cart), 1)
    await refund(payment, 20)
    assert.equal(await returned(id), 20_00)
  })

  it("loses its connections to the database while it refunds, and refunds each once", async () => {
    const { id, payment } = await paid()
    // Medusa has finished the steps after the order.
    await until("the ledger has moved the payment", async () => (await stateOf(id)) === "PAID")
    const other = await paid()
    const cuts = cutConnections()
    for (let asked = 0; asked < 8; asked++) await inTime(refund(payment, 10 + asked)).catch(() => undefined)
    await cuts
    // Medusa makes no more refunds for an order with a change that it could neither finish nor revert.
    await until("one of another order is made", () => inTime(refund(other.payment, 20)))
    const lines = await until("all are decided", async () => {
      const found = await refundLines()
      return found.some((line) => /Pending|InDoubt/.test(line)) ? undefined : found
    })
    // If its next statement fails, Medusa deletes a refund that was made; it keeps one that the ledger could not
    // record.
    const { refunds } = await shop.paymentOf(id)
    const unknown = lines.filter((line) => line.endsWith("and Medusa has none.")).length
    const missing = lines.filter((line) => line.endsWith("in the ledger missing.")).length
    assert.equal(lines.length, unknown + missing)
    assert.equal(await requests("refundPayment", id), refunds.length + unknown - missing)
    differing.push(...lines)
  })

  it("asks an operator when both pages of a cart are paid", async () => {
    const cart = await shop.cart()
    const first = await shop.begun(cart)
    await shop.addToCart(cart)
    const second = await shop.begun(cart)
    assert.notEqual(second, first)
    await local.payByCard(second)
    await captured(second)
    // The old page is still open somewhere.
    await local.payByCard(first)
    await until("an operator is asked", async () => (await attention()).some(({ paymentId }) => paymentId === first))
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

  it("captures by itself what was captured in GoPay's administration, or with a lost answer", async () => {
    const elsewhere = await held()
    await gateway.captureAuthorization(elsewhere.id)
    const lost = await held()
    await local.armFault({ type: "connectionReset" }, { operation: "captureAuthorization" })
    await capture(lost.payment).catch(() => undefined)
    for (const { id } of [elsewhere, lost]) {
      await fetch(`${url}/gopay/notify?id=${id}`)
      assert.equal((await captured(id)).captures.length, 1)
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
    // A cart was paid twice: an operator decides about its first payment.
    const [twice = "", ...others] = (await shop.compare()).filter((line) => !differing.includes(line))
    assert.match(twice, /^Payment \d+ of payses_\S+ is PAID, in Medusa missing\.$/)
    assert.deepEqual(others, [])
    await pool.query(`DELETE FROM refund WHERE raw_amount->>'value' = '400'`)
    const [gone = ""] = (await refundLines()).filter((line) => !differing.includes(line))
    assert.match(gone, /^Refund ref_\S+ of payment \d+ is in the ledger, and Medusa has none\.$/)
  })
})
