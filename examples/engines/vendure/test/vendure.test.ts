/**
 * A real Vendure server with PostgreSQL, and the local gateway in place of GoPay.
 */
import { strict as assert } from "node:assert"
import { after, before, describe, it } from "node:test"
import { type RunningLocalGateway, startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, type GatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { administrator, begun, cart, orderOf, populate, Shop, until, url, type Visitor } from "./Shop"

let local: RunningLocalGateway
let gateway: GatewayClient
let pool: Pool
let shop: Shop
let admin: Visitor

const inState = (code: string, state: string) =>
  until(`order ${code} is ${state}`, async () => {
    const order = await orderOf(admin, code)
    return order.state === state ? order : undefined
  })

/** Pays an order. */
const paid = async () => {
  const { code, shopper } = await cart()
  const id = await begun(local, shopper)
  await local.payByCard(id)
  return { id, order: await inState(code, "PaymentSettled") }
}

const refund = (order: any, amount: number) =>
  admin.ask(
    `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { id state transactionId } ... on ErrorResult { errorCode message } } }`,
    {
      input: {
        lines: [],
        shipping: 0,
        adjustment: amount,
        amount,
        paymentId: order.payments[0].id,
        reason: "complaint"
      }
    }
  )

const refundsSettled = (code: string, count: number) =>
  until(`${count} refunds are settled`, async () => {
    const { payments } = await orderOf(admin, code)
    const { refunds } = payments[0]
    return refunds.length === count && refunds.every(({ state }: any) => state === "Settled") ? refunds : undefined
  })

/** How often an operation was called for a payment at the gateway, and how much was refunded. */
const requests = async (operation: string, id: number) =>
  (await local.listRequests()).filter((entry) => entry.operation === operation && entry.paymentId === id).length
const returned = async (id: number) =>
  (await gateway.getPaymentRefunds(id)).reduce((sum, { amount, state }) => sum + (state === "FAILED" ? 0 : amount), 0)

/** Holds the row of an order in a transaction. */
const lockOrder = async (code: string) => {
  const client = await pool.connect()
  await client.query("BEGIN")
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid FROM "order" WHERE code = $1 FOR NO KEY UPDATE`,
    [code]
  )
  return {
    isAwaited: () =>
      until("the server waits for the order", async () => {
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

/** The items that need an operator, read by another process. */
const attention = async () => {
  const ledger = createLedger({ gateway, store: pgStore(pool) })
  const { operator } = ledger
  const items = await operator.listAttention()
  await ledger.close()
  return items
}

const preauthorize = async (isOn: boolean) => {
  const { items } = await admin.ask(`{ paymentMethods { items { id } } }`)
  await admin.ask(`mutation ($input: UpdatePaymentMethodInput!) { updatePaymentMethod(input: $input) { id } }`, {
    input: {
      id: items[0].id,
      handler: { code: "gopay", arguments: [{ name: "preauthorization", value: String(isOn) }] }
    }
  })
}

const settle = (payment: any) =>
  admin.ask(
    `mutation ($id: ID!) { settlePayment(id: $id) { ... on Payment { id state } ... on ErrorResult { errorCode message } } }`,
    { id: payment.id }
  )

describe("a Vendure server", () => {
  before(async () => {
    local = await startLocalGateway({ settings: { partialRefundDelaySeconds: 0 } })
    gateway = createGatewayClient(local.merchant)
    pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
    pool.on("error", () => {})
    populate(local)
    shop = new Shop(local)
    await shop.start()
    admin = await administrator()
  })
  after(async () => {
    await shop?.end("SIGTERM")
    await pool?.end()
    await gateway?.close()
    await local?.close()
  })

  it("has an order paid by its notification", async () => {
    const { id, order } = await paid()
    assert.equal(order.payments.length, 1)
    assert.equal(order.payments[0].transactionId, String(id))
    assert.equal(order.payments[0].amount, order.totalWithTax)
  })

  it("takes no payment that a shopper makes up", async () => {
    const { code, shopper } = await cart()
    await assert.rejects(
      shopper.ask(
        `mutation { addPaymentToOrder(input: { method: "gopay", metadata: { paymentId: 1, amount: 1, status: "paid" } }) { ... on ErrorResult { errorCode message } } }`
      ),
      /PAYMENT_DECLINED/
    )
    assert.equal((await orderOf(admin, code)).state, "ArrangingPayment")
  })

  it("refunds in two parts", async () => {
    const { id, order } = await paid()
    assert.equal((await refund(order, 300_00)).state, "Pending")
    await refund(order, 200_00)
    await refundsSettled(order.code, 2)
    assert.equal(await returned(id), 500_00)
    assert.equal(await requests("refundPayment", id), 2)
    await assert.rejects(refund(order, order.totalWithTax), /REFUND_AMOUNT_ERROR/)
  })

  it("makes no refund of a transaction that rolls back", async () => {
    const { id, order } = await paid()
    // The transaction of the mutation fails when it commits: createRefund has ended by then.
    await pool.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no commit'; END $$;
      CREATE CONSTRAINT TRIGGER no_commit AFTER INSERT ON refund DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail()`)
    await assert.rejects(refund(order, 100_00), /no commit/)
    await pool.query(`DROP FUNCTION fail CASCADE`)
    // Changes of a payment are made in their order: the lost one would be there before this one.
    await refund(order, 200_00)
    await refundsSettled(order.code, 1)
    assert.equal(await returned(id), 200_00)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("says that a refund has failed which the gateway refuses", async () => {
    const { id, order } = await paid()
    await local.armFault({ type: "refusal", code: 330 }, { operation: "refundPayment" })
    await refund(order, 100_00)
    await until("the refund has failed", async () => {
      const { payments } = await orderOf(admin, order.code)
      return payments[0].refunds[0].state === "Failed"
    })
    assert.equal(await returned(id), 0)
    // A failed refund may be requested again.
    await refund(order, 100_00)
    await until("the second one is settled", async () => (await returned(id)) === 100_00)
  })

  it("has an order paid after its card was declined", async () => {
    const { code, shopper } = await cart()
    const id = await begun(local, shopper)
    await local.declinePayment(id)
    const again = await until("there is another payment", async () => {
      const next = await begun(local, shopper).catch(() => undefined)
      return next
    })
    await local.payByCard(again)
    const order = await inState(code, "PaymentSettled")
    assert.equal(order.payments.length, 1)
  })

  it("killed between a refund and its answer, refunds once", async () => {
    const { id, order } = await paid()
    await local.armFault({ type: "noResponse" }, { operation: "refundPayment" })
    await refund(order, 400_00)
    await until("the gateway has refunded", async () => (await returned(id)) === 400_00)
    await shop.end("SIGKILL")
    await shop.start()
    admin = await administrator()
    await refundsSettled(order.code, 1)
    assert.equal(await returned(id), 400_00)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("loses its connections to the database while it refunds, and refunds each once", async () => {
    const { id, order } = await paid()
    const cuts = cutConnections()
    for (let asked = 0; asked < 8; asked++) await refund(order, 10_00 + asked).catch(() => undefined)
    await cuts
    await until("another one is taken", () => refund(order, 20_00))
    const refunds = await until("all that Vendure has are settled", async () => {
      const { payments } = await orderOf(admin, order.code)
      return payments[0].refunds.every(({ state }: any) => state === "Settled") ? payments[0].refunds : undefined
    })
    assert.equal(
      await returned(id),
      refunds.reduce((sum: number, { total }: any) => sum + total, 0)
    )
    assert.equal(await requests("refundPayment", id), refunds.length)
  })

  it("adds a payment once that ten notifications name, while its order is locked", async () => {
    const { code, shopper } = await cart()
    const id = await begun(local, shopper)
    const lock = await lockOrder(code)
    await local.payByCard(id)
    const notified = Array.from({ length: 10 }, () => fetch(`${url}/gopay/notify?id=${id}`))
    await lock.isAwaited()
    await lock.release()
    for (const response of await Promise.all(notified)) assert.equal(response.status, 200)
    const { payments } = await inState(code, "PaymentSettled")
    assert.deepEqual(
      payments.map(({ transactionId }: any) => transactionId),
      [String(id)]
    )
  })

  it("killed while it adds a payment, adds it once", async () => {
    const { code, shopper } = await cart()
    const id = await begun(local, shopper)
    const lock = await lockOrder(code)
    await local.payByCard(id)
    await lock.isAwaited()
    await shop.end("SIGKILL")
    await lock.release()
    await shop.start()
    admin = await administrator()
    assert.equal((await orderOf(admin, code)).state, "ArrangingPayment")
    // GoPay repeats a notification that was not answered.
    await fetch(`${url}/gopay/notify?id=${id}`)
    assert.equal((await inState(code, "PaymentSettled")).payments.length, 1)
  })

  it("asks an operator about a payment of a cart that has grown", async () => {
    const { code, shopper } = await cart()
    const id = await begun(local, shopper)
    await shopper.ask(`mutation { transitionOrderToState(state: "AddingItems") { ... on Order { code } } }`)
    await shopper.ask(`mutation { addItemToOrder(productVariantId: "1", quantity: 1) { __typename } }`)
    await local.payByCard(id)
    await until("an operator is asked", async () => (await attention()).some(({ paymentId }) => paymentId === id))
    const order = await orderOf(admin, code)
    assert.equal(order.state, "ArrangingPayment")
    assert.equal(order.payments[0].transactionId, String(id))
  })

  it("leaves the payment of an old page to an operator when there is a newer one", async () => {
    const { code, shopper } = await cart()
    const old = await begun(local, shopper)
    await shopper.ask(`mutation { transitionOrderToState(state: "AddingItems") { ... on Order { code } } }`)
    await shopper.ask(`mutation { addItemToOrder(productVariantId: "1", quantity: 1) { __typename } }`)
    await shopper.ask(`mutation { transitionOrderToState(state: "ArrangingPayment") { ... on Order { code } } }`)
    assert.notEqual(await begun(local, shopper), old)
    await local.payByCard(old)
    await until("an operator is asked", async () => (await attention()).some(({ paymentId }) => paymentId === old))
    assert.deepEqual((await orderOf(admin, code)).payments, [])
  })

  it("gives two pages of one cart the same payment, and a larger cart another one", async () => {
    const { code, shopper } = await cart()
    const [first, second] = await Promise.all([begun(local, shopper), begun(local, shopper)])
    assert.equal(first, second)
    await shopper.ask(`mutation { transitionOrderToState(state: "AddingItems") { ... on Order { code } } }`)
    await shopper.ask(`mutation { addItemToOrder(productVariantId: "1", quantity: 1) { __typename } }`)
    await shopper.ask(`mutation { transitionOrderToState(state: "ArrangingPayment") { ... on Order { code } } }`)
    const third = await begun(local, shopper)
    assert.notEqual(third, first)
    await local.payByCard(third)
    const order = await inState(code, "PaymentSettled")
    // The old page is still open somewhere.
    await local.payByCard(first)
    await until("an operator is asked", async () => (await attention()).some(({ paymentId }) => paymentId === first))
    const { payments } = await orderOf(admin, code)
    assert.deepEqual(
      payments.map(({ transactionId }: any) => transactionId),
      [String(third)]
    )
    assert.equal(payments[0].amount, order.totalWithTax)
  })

  it("captures what is held within its own transactions, several at once", async () => {
    await preauthorize(true)
    const held = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { code, shopper } = await cart()
        const id = await begun(local, shopper)
        await local.payByCard(id)
        return { id, order: await inState(code, "PaymentAuthorized") }
      })
    )
    await Promise.all(held.map(({ order }) => settle(order.payments[0])))
    for (const { id, order } of held) {
      const { payments } = await inState(order.code, "PaymentSettled")
      assert.deepEqual(
        payments.map(({ state }: any) => state),
        ["Settled"]
      )
      assert.equal(await requests("captureAuthorization", id), 1)
    }
    await preauthorize(false)
  })

  it("settles a capture whose answer was lost, when it is known", async () => {
    await preauthorize(true)
    const { code, shopper } = await cart()
    const id = await begun(local, shopper)
    await local.payByCard(id)
    const order = await inState(code, "PaymentAuthorized")
    await preauthorize(false)
    await local.armFault({ type: "connectionReset" }, { operation: "captureAuthorization" })
    await settle(order.payments[0]).catch(() => undefined)
    await inState(code, "PaymentSettled")
    assert.equal(await requests("captureAuthorization", id), 1)
  })

  it("cancels a payment whose hold has expired", async () => {
    await preauthorize(true)
    const { code, shopper } = await cart()
    const id = await begun(local, shopper)
    await local.payByCard(id)
    await inState(code, "PaymentAuthorized")
    await preauthorize(false)
    await local.advanceTime("5 days")
    await fetch(`${url}/gopay/notify?id=${id}`)
    await until("the payment is cancelled", async () => (await orderOf(admin, code)).payments[0].state === "Cancelled")
  })

  it("settles an order by a transfer that comes days later", async () => {
    const { code, shopper } = await cart()
    const id = await begun(local, shopper)
    await local.choosePaymentMethod(id, "BANK_ACCOUNT")
    await local.advanceTime(3 * 86_400_000)
    await local.payByBankTransfer(id)
    await inState(code, "PaymentSettled")
  })

  it("compares Vendure's rows with the ledger's", async () => {
    // Two old pages were paid as well: an operator decides about them.
    const lines = await shop.compare()
    assert.equal(lines.length, 2)
    for (const line of lines) assert.match(line, /^Order \S+: payment \d+ is PAID, in Vendure missing\.$/)
    await pool.query(`UPDATE refund SET state = 'Settled' WHERE state = 'Failed'`)
    assert.match((await shop.compare())[2] ?? "", /^Refund \S+ of 10000 is Settled in Vendure, in the ledger Failed\.$/)
  })
})
