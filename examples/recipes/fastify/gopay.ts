/**
 * The shop's GoPay: a client, and a ledger of orders and refunds in a file.
 */
import { createLedger, fileStore, type Ledger, LedgerError, type SqliteTransaction } from "effect-gopay/ledger/promise"
import { createGatewayClient, NotificationError, optionsFromEnv, payerMessage } from "effect-gopay/promise"

const { DATABASE = "shop.db", GOPAY_INSTALLATION, SHOP_URL = "http://localhost:3000" } = process.env

/** Open it once in each process: it is notified of payments, and finishes what other processes left unfinished. */
export const openLedger = async () => {
  const gateway = createGatewayClient(optionsFromEnv(process.env))
  const ledger = createLedger({ gateway, store: fileStore(DATABASE), installation: GOPAY_INSTALLATION })
  await ledger.migrate()
  ledger.startWorker()
  // A stopping process waits for changes in flight.
  process.once("SIGTERM", () => void ledger.close().then(() => process.exit()))
  return { ledger, policy: policyFor(gateway.getEmbedJsUrl()) }
}

/** A content security policy that lets the shop's form go to the pay page. GoPay's samples show two addresses of it for production. */
const policyFor = (script: string) => {
  const { origin } = new URL(script)
  const payPages = origin === "https://gate.gopay.cz" ? `${origin} https://gate.gopay.com` : origin
  return `default-src 'self'; form-action 'self' ${payPages}; frame-ancestors 'none'; base-uri 'none'`
}

/**
 * The text that a payer reads. The error itself is logged for you, unless it is about the address of the return page,
 * which anyone can make up.
 */
const said = (error: unknown) => {
  if (!(error instanceof NotificationError) || ["ExpectationFailed", "HandlerFailed"].includes(error.reason._tag))
    console.error(error)
  return payerMessage(error, "en").text
}

/**
 * A refund that was refused, or that later failed at the gateway, uses up its key: the next click takes the next one.
 */
const nextKey = async (ledger: Ledger<SqliteTransaction>, key: string) => {
  for (let attempt = 1; ; attempt++) {
    const next = attempt === 1 ? key : `${key}-${attempt}`
    const outcome = await ledger.getOutcome(next)
    if (outcome?._tag !== "Refused" && outcome?._tag !== "Failed") return next
  }
}

/**
 * The text for staff about a refund that was not recorded: what is wrong, or that it can be repeated with the same key.
 */
const problemOf = (error: unknown) => {
  if (!(error instanceof LedgerError)) throw error
  if (error.isRetryable) console.error(error)
  return {
    status: { InvalidArgument: 400, KeyReused: 409, NotResolved: 409, LedgerUnavailable: 503 }[error.reason._tag],
    message: error.message
  }
}

const wasPaid = new Set(["paid", "partiallyRefunded", "refunded"])

/** What the shop's page puts into its form: two clicks on one page are one order, and a page loaded anew is another. */
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The shop's use of GoPay, over its own ledger or a test's. */
export const gopayOver = (ledger: Ledger<SqliteTransaction>) => ({
  /** Creates or finds the payment of an order: `gwUrl` is where the payer pays; without it, `message` says why not. */
  checkout: async (orderNumber: unknown, amount: number) => {
    // Look up your own order's row here instead.
    if (typeof orderNumber !== "string" || !uuid.test(orderNumber)) {
      return { status: 400, message: "Please reload the shop's page, and order again." }
    }
    try {
      const order = await ledger.checkout(orderNumber, {
        amount,
        currency: "CZK",
        callback: { return_url: `${SHOP_URL}/return`, notification_url: `${SHOP_URL}/notify` }
      })
      if ("gwUrl" in order) return { gwUrl: order.gwUrl }
      // Already paid, or cannot be paid now. A payment that is being prepared will be available in a moment.
      return { status: order.status === "pending" ? 503 : 409, message: payerMessage(order, "en").text }
    } catch (error) {
      return { status: 503, message: said(error) }
    }
  },

  /** The text for a payer who has come back to this address. */
  returned: async (url: string) => {
    try {
      const order = await ledger.verifyReturn(url)
      return payerMessage(order, "en").text
    } catch (error) {
      return said(error)
    }
  },

  /**
   * Refunds part of an order, once for each key. If the outcome is in doubt, the message says so, and the ledger keeps
   * checking.
   */
  refund: async (orderNumber: string, key: string, amount: number) => {
    try {
      const order = await ledger.getOrder(orderNumber)
      if (order?.paymentId === undefined) return { status: 404, message: "There is no such order." }
      if (!wasPaid.has(order.status)) return { status: 409, message: "The order is not paid." }
      const outcome = await ledger.refund(await nextKey(ledger, key), order.paymentId, { amount })
      return {
        status: { Done: 200, Refused: 409, Failed: 409, Pending: 202, InDoubt: 202 }[outcome._tag],
        message: outcome.message
      }
    } catch (error) {
      return problemOf(error)
    }
  }
})
