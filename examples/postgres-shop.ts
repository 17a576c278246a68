import { createServer } from "node:http"
import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import {
  createGatewayClient,
  NotificationError,
  optionsFromEnv,
  payerMessage,
  type ReceivedRequest,
  toNodeHandler
} from "effect-gopay/promise"
import { Pool } from "pg"

const { DATABASE_URL, GOPAY_INSTALLATION, PORT = "3000", SHOP_URL = `http://localhost:${PORT}` } = process.env

const pool = new Pool({ connectionString: DATABASE_URL })
pool.on("error", console.error) // or a broken idle connection ends the process
await pool.query(
  "CREATE TABLE IF NOT EXISTS shop_order (number text PRIMARY KEY, amount integer NOT NULL, status text NOT NULL)"
)

const gateway = createGatewayClient(optionsFromEnv(process.env)) // once in a process: it holds the token
const ledger = createLedger({
  gateway,
  store: pgStore(pool),
  installation: GOPAY_INSTALLATION, // required in production: a copy of its database sends nothing elsewhere
  migrate: true,
  // In the transaction that records the payment: what is written through tx is written once.
  // The status is the order's, whichever of its payments has moved: an order that is paid twice comes as paid twice, the second
  // time with `attention`. Deliver once, and nothing with `attention`.
  onPayment: ({ order, status, tx }) =>
    tx.query("UPDATE shop_order SET status = $1 WHERE number = $2", [status, order.orderNumber]),
  onAttention: (item) => console.warn(item.message) // page an operator
})
ledger.startWorker() // reads open payments, and finishes what a killed process could not

/** The amount comes from the shop's own row, never from the request. */
const amountOf = async (number: string): Promise<number | undefined> => {
  const { rows } = await pool.query("SELECT amount FROM shop_order WHERE number = $1", [number])
  return rows[0]?.amount
}

/** Sends the payer to the pay page. Two clicks get one payment. */
const pay = async (number: string): Promise<Response> => {
  const amount = await amountOf(number)
  if (amount === undefined) return new Response("There is no such order.", { status: 404 })
  const callback = { return_url: `${SHOP_URL}/return`, notification_url: `${SHOP_URL}/notify` }
  const order = await ledger.checkout(number, { amount, currency: "CZK", callback })
  if (order.status === "open") return new Response(null, { status: 303, headers: { location: order.gwUrl } })
  return new Response(payerMessage(order, "en").text, { status: 409 })
}

/** The reasons that are not about the address, which anyone can make up. */
const shopFailed = new Set(["ExpectationFailed", "HandlerFailed"])

/** The payer is back: what counts is the gateway's current answer, not the address. */
const returned = async (url: string): Promise<Response> => {
  try {
    return new Response(payerMessage(await ledger.verifyReturn(url), "en").text)
  } catch (error) {
    const isAddress = error instanceof NotificationError && !shopFailed.has(error.reason._tag)
    if (!isAddress) console.error(error) // the database or the gateway is away, which is not the payer's fault
    return new Response(payerMessage(error, "en").text, { status: isAddress ? 400 : 503 })
  }
}

const wasPaid = new Set(["paid", "partiallyRefunded", "refunded"])

/**
 * A refund that was refused, or that later failed at the gateway, uses up its key: the next click takes the next one.
 */
const nextKey = async (key: string): Promise<string> => {
  for (let attempt = 1; ; attempt++) {
    const next = attempt === 1 ? key : `${key}-${attempt}`
    const outcome = await ledger.getOutcome(next)
    if (outcome?._tag !== "Refused" && outcome?._tag !== "Failed") return next
  }
}

/** Refunds an order. The key names the reason for it: the same key never refunds twice. Only staff may call this. */
const refund = async (number: string): Promise<Response> => {
  const [order, amount] = await Promise.all([ledger.getOrder(number), amountOf(number)])
  if (order?.paymentId === undefined || amount === undefined || !wasPaid.has(order.status))
    return new Response("Not paid.", { status: 409 })
  const key = await nextKey(`cancelled-${number}`)
  const outcome = await ledger.refund(key, order.paymentId, { amount })
  // InDoubt is not a failure: the ledger keeps checking, and no one must send it again.
  const status = { Done: 200, Refused: 409, Failed: 409, Pending: 202, InDoubt: 202 }[outcome._tag]
  return new Response(outcome.message, { status })
}

const notify = ledger.notificationHandler()

const handle = async (request: ReceivedRequest): Promise<Response> => {
  const path = request.url.split("?")[0] ?? ""
  if (path === "/notify") return notify(request)
  if (path === "/return") return returned(request.url)
  const [, number = "", action] = /^\/orders\/([^/]+)\/(pay|refund)$/.exec(path) ?? []
  if (request.method !== "POST" || action === undefined) return new Response("Not found.", { status: 404 })
  return action === "pay" ? pay(number) : refund(number)
}

const server = createServer(toNodeHandler(handle)).listen(Number(PORT))

process.once("SIGTERM", () => {
  server.close()
  void ledger.close().then(async () => {
    await gateway.close() // waits for the changes under way
    await pool.end()
  })
})
