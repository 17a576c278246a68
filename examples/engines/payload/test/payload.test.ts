/**
 * A real Payload with PostgreSQL, and the local gateway in place of GoPay.
 */
import { strict as assert } from "node:assert"
import { after, before, describe, it } from "node:test"
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { type RunningLocalGateway, startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient, type GatewayClient } from "effect-gopay/promise"
import { Pool } from "pg"
import { begin, type Cart, confirm, fill, Shop, until, url, type Visitor } from "./Shop.js"

let local: RunningLocalGateway
let gateway: GatewayClient
let pool: Pool
let shop: Shop
let admin: Visitor

const transactionOf = async (id: number) => (await admin.find("transactions", { "gopay.paymentId": id }))[0]
const ordersOf = async (id: number) => admin.find("orders", { transactions: (await transactionOf(id)).id })

/** The order of a payment, when it is made. */
const ordered = (id: number) =>
  until(`payment ${id} has an order`, async () => {
    const [order] = await ordersOf(id)
    return order && (await transactionOf(id)).status === "succeeded" ? order : undefined
  })

/** Pays a cart. */
const paid = async (cart?: Cart) => {
  const id = await begin(cart ?? (await fill()))
  await local.payByCard(id)
  return { id, order: await ordered(id) }
}

/** Adds refunds to a transaction, as the admin panel does. */
const refund = async (id: number, ...amounts: ReadonlyArray<number>) => {
  const { gopay, id: transaction } = await transactionOf(id)
  const refunds = [...gopay.refunds, ...amounts.map((amount) => ({ amount }))]
  return admin.ask("PATCH", `transactions/${transaction}`, { gopay: { refunds } })
}

const outcomesOf = async (id: number): Promise<ReadonlyArray<string>> =>
  (await transactionOf(id)).gopay.refunds.map(({ outcome }: any) => outcome?.split(":")[0] ?? "none")

const refundsDone = (id: number, count: number) =>
  until(`${count} refunds are done`, async () => {
    const outcomes = await outcomesOf(id)
    return outcomes.length === count && outcomes.every((outcome) => outcome === "Done")
  })

const notify = (id: number) => fetch(`${url}/api/payments/gopay/notify?id=${id}`)

/** How often an operation was called for a payment at the gateway, and how much was refunded. */
const requests = async (operation: string, id: number) =>
  (await local.listRequests()).filter((entry) => entry.operation === operation && entry.paymentId === id).length
const returned = async (id: number) =>
  (await gateway.getPaymentRefunds(id)).reduce((sum, { amount, state }) => sum + (state === "FAILED" ? 0 : amount), 0)

const inventory = async () => (await admin.ask("GET", "products/1")).inventory

/** Holds the transactions of Payload in a transaction. */
const lockTransactions = async () => {
  const client = await pool.connect()
  await client.query("BEGIN")
  await client.query("LOCK TABLE transactions IN SHARE MODE")
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

/** Makes each insert into a table fail. */
const failing = async (table: string, when: string, run: () => Promise<void>) => {
  await pool.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no row'; END $$;
    CREATE CONSTRAINT TRIGGER no_row AFTER INSERT ON ${table} ${when} FOR EACH ROW EXECUTE FUNCTION fail()`)
  await run()
  await pool.query(`DROP FUNCTION fail CASCADE`)
}

/** The items that need an operator, read by another process. */
const attention = async () => {
  const ledger = createLedger({ gateway, store: pgStore(pool) })
  const items = await ledger.operator.listAttention()
  await ledger.close()
  return items
}

const isAsked = (id: number) =>
  until("an operator is asked", async () => (await attention()).some(({ paymentId }) => paymentId === id))

describe("a Payload server", () => {
  before(async () => {
    local = await startLocalGateway({ settings: { partialRefundDelaySeconds: 0 } })
    gateway = createGatewayClient(local.merchant)
    pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
    pool.on("error", () => {})
    shop = new Shop(local)
    shop.populate()
    await shop.start()
    admin = await shop.logIn("admin")
  })
  after(async () => {
    await shop?.end("SIGTERM")
    await pool?.end()
    await gateway?.close()
    await local?.close()
  })

  it("makes an order of a guest's cart when its notification says that it is paid", async () => {
    const left = await inventory()
    const { id, order } = await paid()
    assert.deepEqual([order.amount, order.currency, order.status], [1000_00, "CZK", "processing"])
    assert.equal(order.customerEmail, "eva@example.com")
    assert.deepEqual(
      order.items.map(({ product, quantity }: any) => [product, quantity]),
      [[1, 1]]
    )
    const { cart, order: orderOf } = await transactionOf(id)
    assert.equal(orderOf, order.id)
    assert.ok((await admin.ask("GET", `carts/${cart}`)).purchasedAt)
    assert.equal(await inventory(), left - 1)
  })

  it("makes an order of a customer's cart, with the address", async () => {
    const buyer = await shop.logIn("customer")
    const [customer] = await admin.find("users", { email: "customer@example.com" })
    const cart = await fill(buyer, customer.id)
    const shippingAddress = { firstName: "Eva", addressLine1: "Dlouhá 1", city: "Praha", country: "CZ" }
    const { order } = await paid({ ...cart, shippingAddress } as Cart)
    assert.equal(order.customer, customer.id)
    assert.equal(order.shippingAddress.addressLine1, "Dlouhá 1")
    assert.equal((await confirm(cart)).orderID, order.id)
  })

  it("confirms what is paid, to its buyer, and nothing else", async () => {
    const cart = await fill()
    await assert.rejects(confirm(cart), /Error confirming order/)
    const id = await begin(cart)
    await assert.rejects(confirm(cart), /Error confirming order/)
    await local.payByCard(id)
    const order = await ordered(id)
    assert.equal((await confirm(cart)).orderID, order.id)
    await assert.rejects(confirm({ ...cart, customerEmail: "else@example.com" }), /Error confirming order/)
    await assert.rejects(confirm({ ...cart, secret: "guessed" }))
  })

  it("makes one order for ten notifications, a payer who comes back and a storefront that confirms it", async () => {
    const left = await inventory()
    const cart = await fill()
    const id = await begin(cart)
    await local.payByCard(id)
    await Promise.all([
      ...Array.from({ length: 10 }, () => notify(id)),
      ...Array.from({ length: 3 }, () => confirm(cart).catch(() => undefined)),
      fetch(`${url}/api/payments/gopay/return?id=${id}`, { redirect: "manual" })
    ])
    await ordered(id)
    assert.equal((await ordersOf(id)).length, 1)
    assert.equal(await inventory(), left - 1)
  })

  it("has the order made when the payer comes back before any notification", async () => {
    const id = await begin(await fill())
    await local.changeSettings({ notificationCopies: 0 })
    await local.payByCard(id)
    await local.changeSettings({ notificationCopies: 1 })
    const { headers, status } = await fetch(`${url}/api/payments/gopay/return?id=${id}`, { redirect: "manual" })
    assert.deepEqual([status, headers.get("location")], [303, `${url}/thanks?id=${id}&status=paid`])
    assert.equal((await transactionOf(id)).status, "succeeded")
  })

  it("sends a payer on whose payment it cannot read, with a message", async () => {
    const { headers } = await fetch(`${url}/api/payments/gopay/return?id=1`, { redirect: "manual" })
    assert.match(headers.get("location") ?? "", /\/thanks\?message=\S+/)
  })

  it("refunds in two parts, and the rest", async () => {
    const { id, order } = await paid()
    await refund(id, 300_00, 200_50)
    await refundsDone(id, 2)
    assert.equal(await returned(id), 500_50)
    assert.equal(await requests("refundPayment", id), 2)
    assert.equal((await transactionOf(id)).status, "succeeded")
    await refund(id, 499_50)
    await until("all is refunded", async () => (await transactionOf(id)).status === "refunded")
    assert.equal((await admin.ask("GET", `orders/${order.id}`)).status, "refunded")
    assert.equal(await requests("refundPayment", id), 3)
  })

  it("refunds what an administrator asks for, and no one else", async () => {
    const { id } = await paid()
    const { id: transaction } = await transactionOf(id)
    const customer = await shop.logIn("customer")
    const gopay = { refunds: [{ amount: 100_00 }] }
    await assert.rejects(customer.ask("PATCH", `transactions/${transaction}`, { gopay }), /403/)
    assert.equal(await requests("refundPayment", id), 0)
  })

  it("makes no refund of a transaction that rolls back", async () => {
    const { id } = await paid()
    // Payload's transaction fails when it commits: the refund has been submitted by then.
    await failing("transactions_gopay_refunds", "DEFERRABLE INITIALLY DEFERRED", async () => {
      await refund(id, 100_00).catch(() => undefined)
    })
    assert.deepEqual(await outcomesOf(id), [])
    // Changes of a payment are made in their order: the lost one would be there before this one.
    await refund(id, 200_00)
    await refundsDone(id, 1)
    assert.equal(await returned(id), 200_00)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("says that a refund was refused, and makes the next one", async () => {
    const { id } = await paid()
    await local.armFault({ type: "refusal", code: 330 }, { operation: "refundPayment" })
    await refund(id, 100_00)
    await until("the refund is refused", async () => (await outcomesOf(id))[0] === "Refused")
    await refund(id, 100_00)
    await until("the second one is done", async () => (await outcomesOf(id))[1] === "Done")
    assert.equal(await returned(id), 100_00)
  })

  it("changes no refund that was submitted", async () => {
    const { id } = await paid()
    await refund(id, 100_00)
    await refundsDone(id, 1)
    const { gopay, id: transaction } = await transactionOf(id)
    const refunds = [{ ...gopay.refunds[0], amount: 900_00 }]
    await assert.rejects(admin.ask("PATCH", `transactions/${transaction}`, { gopay: { refunds } }), /409/)
    await admin.ask("PATCH", `transactions/${transaction}`, { gopay })
    assert.equal((await transactionOf(id)).gopay.refunds[0].amount, 100_00)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("has an order paid after its card was declined", async () => {
    const cart = await fill()
    const declined = await begin(cart)
    await local.declinePayment(declined)
    const again = await until("there is another payment", () => begin(cart).catch(() => undefined))
    await local.payByCard(again)
    await ordered(again)
    assert.deepEqual(await ordersOf(declined), [])
  })

  it("killed between a refund and its answer, refunds once", async () => {
    const { id } = await paid()
    await local.armFault({ type: "noResponse" }, { operation: "refundPayment" })
    await refund(id, 400_00)
    await until("the gateway has refunded", async () => (await returned(id)) === 400_00)
    await shop.end("SIGKILL")
    await shop.start()
    await refundsDone(id, 1)
    assert.equal(await requests("refundPayment", id), 1)
  })

  it("loses its connections to the database while it refunds, and refunds each once", async () => {
    const { id } = await paid()
    const cuts = (async () => {
      for (let cut = 0; cut < 8; cut++) {
        await pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_start < now() - interval '100 ms'`
        )
        await new Promise((resolve) => setTimeout(resolve, 400))
      }
    })()
    for (let asked = 0; asked < 8; asked++) await refund(id, 10_00 + asked).catch(() => undefined)
    await cuts
    if (shop.hasEnded) await shop.start()
    await until("another one is taken", () => refund(id, 20_00))
    const amounts = await until("all that Payload has are done", async () => {
      const { gopay } = await transactionOf(id)
      return (
        gopay.refunds.every(({ outcome }: any) => outcome?.startsWith("Done")) &&
        gopay.refunds.map(({ amount }: any): number => amount)
      )
    })
    assert.equal(
      await returned(id),
      amounts.reduce((sum: number, amount: number) => sum + amount, 0)
    )
    assert.equal(await requests("refundPayment", id), amounts.length)
  })

  it("makes the order again that could not be made", async () => {
    const id = await begin(await fill())
    await failing("orders", "", async () => {
      await local.payByCard(id)
      assert.notEqual((await notify(id)).status, 200)
    })
    assert.equal((await transactionOf(id)).status, "pending")
    await notify(id)
    await ordered(id)
    assert.equal((await ordersOf(id)).length, 1)
  })

  it("killed while it makes the order, makes it once", async () => {
    const left = await inventory()
    const id = await begin(await fill())
    const lock = await lockTransactions()
    await local.payByCard(id)
    await lock.isAwaited()
    await shop.end("SIGKILL")
    await lock.release()
    await shop.start()
    assert.equal((await transactionOf(id)).status, "pending")
    // GoPay repeats a notification that was not answered.
    await notify(id)
    await ordered(id)
    assert.equal((await ordersOf(id)).length, 1)
    assert.equal(await inventory(), left - 1)
  })

  it("gives two pages of one cart the same payment, and a larger cart another one", async () => {
    const cart = await fill()
    const [first, second] = await Promise.all([begin(cart), begin(cart)])
    assert.equal(first, second)
    assert.equal((await admin.find("transactions", { cart: cart.cartID })).length, 1)
    await cart.buyer.ask("PATCH", `carts/${cart.cartID}?secret=${cart.secret}`, {
      currency: "CZK",
      items: [{ product: 1, quantity: 2 }]
    })
    const third = await begin(cart)
    assert.notEqual(third, first)
    await local.payByCard(third)
    assert.equal((await ordered(third)).amount, 2000_00)
    // The old page is still open somewhere.
    await local.payByCard(first)
    await isAsked(first)
    assert.deepEqual(await ordersOf(first), [])
  })

  it("asks an operator about a payment whose cart is gone", async () => {
    const cart = await fill()
    const id = await begin(cart)
    await admin.ask("DELETE", `carts/${cart.cartID}`)
    await local.payByCard(id)
    await isAsked(id)
    assert.deepEqual(await ordersOf(id), [])
  })

  it("makes the order of a transfer that comes days later, after the payment was closed", async () => {
    const id = await begin(await fill())
    await local.choosePaymentMethod(id, "BANK_ACCOUNT")
    await local.advanceTime("3 days")
    await local.payByBankTransfer(id)
    await ordered(id)
  })

  it("compares Payload's rows with the ledger's", async () => {
    // An old page was paid as well, and a cart is gone: an operator decides about them. A refund was refused.
    const lines = await shop.compare()
    assert.equal(lines.length, 3, lines.join("\n"))
    assert.match(lines.join("\n"), /^Payment \d+ of cart-\d+ is PAID, in Payload pending\.$/m)
    assert.match(lines.join("\n"), /^Refund payload-refund-\w+ of 10000 is in Payload, in the ledger Refused\.$/m)
    await pool.query(`DELETE FROM transactions_gopay_refunds WHERE amount = 40000`)
    assert.match(
      (await shop.compare()).join("\n"),
      /^Refund \S+ of payment \d+ is in the ledger, and Payload has none\.$/m
    )
  })
})
