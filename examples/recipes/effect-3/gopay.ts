/**
 * The shop's GoPay as a service of Effect 3: a client, and a ledger of orders and refunds in a file, made of promises.
 */
import { Config, Console, Effect, Option } from "effect"
import { createLedger, fileStore, type Ledger, LedgerError, type SqliteTransaction } from "effect-gopay/ledger/promise"
import {
  createGatewayClient,
  GatewayError,
  NotificationError,
  optionsFromEnv,
  payerMessage
} from "effect-gopay/promise"

type Failure = GatewayError | LedgerError | NotificationError

const isFailure = (error: unknown): error is Failure =>
  error instanceof GatewayError || error instanceof LedgerError || error instanceof NotificationError

/** A call of the ledger as a program. Interrupting it only stops the wait: what the ledger has recorded continues. */
function asked<A>(call: () => Promise<A>): Effect.Effect<A, Failure> {
  return Effect.tryPromise({
    try: call,
    catch: (error) => {
      if (isFailure(error)) return error
      throw error // a bug, not a failure
    }
  })
}

/**
 * The text that a payer reads. The error itself is logged for you, unless it is about the address of the return page,
 * which anyone can make up.
 */
const said = (error: Failure) =>
  Effect.as(
    error instanceof NotificationError && !["ExpectationFailed", "HandlerFailed"].includes(error.reason._tag)
      ? Effect.void
      : Console.error(error),
    payerMessage(error, "en").text
  )

/** A content security policy that lets the shop's form go to the pay page. GoPay's samples show two addresses of it for production. */
const policyFor = (script: string) => {
  const { origin } = new URL(script)
  const payPages = origin === "https://gate.gopay.cz" ? `${origin} https://gate.gopay.com` : origin
  return `default-src 'self'; form-action 'self' ${payPages}; frame-ancestors 'none'; base-uri 'none'`
}

/** Where the payer pays, or else a text for the payer. */
type Checkout =
  | { readonly gwUrl: string; readonly status?: undefined; readonly message?: undefined }
  | { readonly gwUrl?: undefined; readonly status: number; readonly message: string }

/**
 * The text for staff about a refund that was not recorded: what is wrong, or that it can be repeated with the same key.
 */
const problemOf = (error: LedgerError) =>
  Effect.as(error.isRetryable ? Console.error(error) : Effect.void, {
    status: { InvalidArgument: 400, KeyReused: 409, NotResolved: 409, LedgerUnavailable: 503 }[error.reason._tag],
    message: error.message
  })

/** What the shop's page puts into its form: two clicks on one page are one order, and a page loaded anew is another. */
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const wasPaid = new Set(["paid", "partiallyRefunded", "refunded"])

/** The shop's use of GoPay, over its own ledger or a test's. */
export const gopayOver = (ledger: Ledger<SqliteTransaction>, shopUrl = "http://localhost:3000") => {
  /**
   * A refund that was refused, or that later failed at the gateway, uses up its key: the next click takes the next one.
   */
  const nextKey = Effect.fn(function* (key: string) {
    for (let attempt = 1; ; attempt++) {
      const next = attempt === 1 ? key : `${key}-${attempt}`
      const outcome = yield* asked(() => ledger.getOutcome(next))
      if (outcome?._tag !== "Refused" && outcome?._tag !== "Failed") return next
    }
  })

  return {
    /** Creates or finds the payment of an order. */
    checkout: (orderNumber: unknown, amount: number): Effect.Effect<Checkout> => {
      // Look up your own order's row here instead.
      if (typeof orderNumber !== "string" || !uuid.test(orderNumber)) {
        return Effect.succeed({ status: 400, message: "Please reload the shop's page, and order again." })
      }
      const callback = { return_url: `${shopUrl}/return`, notification_url: `${shopUrl}/notify` }
      return asked(() => ledger.checkout(orderNumber, { amount, currency: "CZK", callback })).pipe(
        Effect.map((order): Checkout => {
          if ("gwUrl" in order) return { gwUrl: order.gwUrl }
          // Already paid, or cannot be paid now. A payment that is being prepared will be available in a moment.
          return { status: order.status === "pending" ? 503 : 409, message: payerMessage(order, "en").text }
        }),
        Effect.catchAll((error) => Effect.map(said(error), (message) => ({ status: 503, message })))
      )
    },

    /** The text for a payer who has come back to this address. */
    returned: (url: string) =>
      asked(() => ledger.verifyReturn(url)).pipe(
        Effect.map((order) => payerMessage(order, "en").text),
        Effect.catchAll(said)
      ),

    /**
     * Refunds part of an order, once for each key. If the outcome is in doubt, the message says so, and the ledger
     * keeps checking.
     */
    refund: Effect.fn(
      function* (orderNumber: string, key: string, amount: number) {
        const order = yield* asked(() => ledger.getOrder(orderNumber))
        const { paymentId } = order ?? {}
        if (order === undefined || paymentId === undefined) return { status: 404, message: "There is no such order." }
        if (!wasPaid.has(order.status)) return { status: 409, message: "The order is not paid." }
        const next = yield* nextKey(key)
        const outcome = yield* asked(() => ledger.refund(next, paymentId, { amount }))
        return {
          status: { Done: 200, Refused: 409, Failed: 409, Pending: 202, InDoubt: 202 }[outcome._tag],
          message: outcome.message
        }
      },
      Effect.catchTag("LedgerError", problemOf)
    )
  }
}

/** Open it once in each process: it is notified of payments, and finishes what other processes left unfinished. */
export class GoPay extends Effect.Service<GoPay>()("GoPay", {
  scoped: Effect.gen(function* () {
    const options = yield* Effect.try({ try: () => optionsFromEnv(process.env), catch: (error) => error })
    const file = yield* Config.withDefault(Config.string("DATABASE"), "shop.db")
    const installation = Option.getOrUndefined(yield* Config.option(Config.string("GOPAY_INSTALLATION")))
    const shopUrl = yield* Config.withDefault(Config.string("SHOP_URL"), "http://localhost:3000")
    const gateway = yield* Effect.acquireRelease(
      Effect.sync(() => createGatewayClient(options)),
      (client) => Effect.promise(() => client.close())
    )
    const ledger = yield* Effect.acquireRelease(
      Effect.sync(() => createLedger({ gateway, store: fileStore(file), installation })),
      (opened) => Effect.promise(() => opened.close())
    )
    yield* Effect.orDie(asked(() => ledger.migrate()))
    ledger.startWorker()
    const policy = policyFor(gateway.getEmbedJsUrl())
    return { ...gopayOver(ledger, shopUrl), notify: ledger.notificationHandler(), policy }
  })
}) {}
