/**
 * The shop's GoPay: a client, and a ledger of orders and refunds in a file. A build also loads this module, so
 * everything starts with the first request.
 */
import { createLedger, fileStore, LedgerError } from "effect-gopay/ledger/promise"
import { createGatewayClient, NotificationError, optionsFromEnv, payerMessage } from "effect-gopay/promise"

const open = async () => {
  const { DATABASE = "shop.db", GOPAY_INSTALLATION } = process.env
  const gateway = createGatewayClient(optionsFromEnv(process.env))
  const ledger = createLedger({ gateway, store: fileStore(DATABASE), installation: GOPAY_INSTALLATION })
  try {
    await ledger.migrate()
  } catch (error) {
    await ledger.close()
    throw error
  }
  ledger.startWorker()
  // A stopping process waits for changes in flight.
  process.once("sveltekit:shutdown", () => void ledger.close())
  return ledger
}

declare global {
  var openedLedger: ReturnType<typeof open> | undefined
}

/** Opened once, since a development server reloads this module after changes. A failure is not cached. */
export const theLedger = () =>
  (globalThis.openedLedger ??= open().catch((error: unknown) => {
    globalThis.openedLedger = undefined
    throw error
  }))

/**
 * Opens it when the server starts: its worker finishes what an earlier process left unfinished. If that fails, for
 * example while the database is down, the server still starts, and this retries every 5 seconds.
 */
export const openInBackground = () => {
  theLedger().catch((error: unknown) => {
    console.error(error)
    setTimeout(openInBackground, 5_000).unref()
  })
}

/** Where the pay pages are. GoPay's samples show two addresses of it for production. */
const payPages = new Map([
  ["sandbox", "https://gw.sandbox.gopay.com"],
  ["production", "https://gate.gopay.cz https://gate.gopay.com"]
])

/**
 * A content security policy that lets the shop's form go to the pay page. The scripts are the framework's and need a
 * nonce.
 */
export const policy = () => {
  const { GOPAY_ENVIRONMENT: environment = "" } = process.env
  const origins = payPages.get(environment) ?? (URL.canParse(environment) ? new URL(environment).origin : "")
  return `form-action 'self' ${origins}; frame-ancestors 'none'; base-uri 'none'; object-src 'none'`
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

/** What the shop's page puts into its form: two clicks on one page are one order, and a page loaded anew is another. */
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Creates or finds the payment of an order: `gwUrl` is where the payer pays; without it, `message` says why not. */
export const checkout = async (orderNumber: unknown, amount: number) => {
  // Look up your own order's row here instead.
  if (typeof orderNumber !== "string" || !uuid.test(orderNumber)) {
    return { status: 400, message: "Please reload the shop's page, and order again." }
  }
  const { SHOP_URL = "http://localhost:3000" } = process.env
  try {
    const ledger = await theLedger()
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
}

/** The text for a payer who has come back to this address. */
export const returned = async (url: string) => {
  try {
    const ledger = await theLedger()
    const order = await ledger.verifyReturn(url)
    return payerMessage(order, "en").text
  } catch (error) {
    return said(error)
  }
}

/**
 * A refund that was refused, or that later failed at the gateway, uses up its key: the next click takes the next one.
 */
const nextKey = async (ledger: Awaited<ReturnType<typeof theLedger>>, key: string) => {
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

/**
 * Refunds part of an order, once for each key. If the outcome is in doubt, the message says so, and the ledger keeps
 * checking.
 */
export const refund = async (orderNumber: string, key: string, amount: number) => {
  try {
    const ledger = await theLedger()
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
