import { Config, Effect, Layer } from "effect"
import { HttpApiBuilder, HttpApiMiddleware, HttpApiSchema } from "effect/http-api"
import { payerMessage } from "effect-gopay"
import { Ledger, type LedgerError } from "effect-gopay/ledger"
import { Invalid, Refused, Shop, Unavailable, UnknownOrder } from "./api.ts"

const callbackOf = (shopUrl: string) => ({ return_url: `${shopUrl}/return`, notification_url: `${shopUrl}/notify` })

/** Creates or finds the payment of an order. Returns where the payer pays, or fails with a text for the payer. */
export const checkout = Effect.fn(
  function* (ledger: Ledger["Service"], orderNumber: string, amount: number, shopUrl: string) {
    const order = yield* ledger.checkout(orderNumber, { amount, currency: "CZK", callback: callbackOf(shopUrl) })
    if (order.status === "open") return order.gwUrl
    const { text: message } = payerMessage(order, "en")
    // Already paid, or cannot be paid now. A payment that is being prepared will be available in a moment.
    return yield* Effect.fail(order.status === "pending" ? new Unavailable({ message }) : new Refused({ message }))
  },
  Effect.tapErrorTag(["GatewayError", "LedgerError"], (error) => Effect.logError(error)),
  Effect.catchTag(["GatewayError", "LedgerError"], (error) =>
    Effect.fail(new Unavailable({ message: payerMessage(error, "en").text }))
  )
)

/**
 * The text for staff about a refund that was not recorded: what is wrong, or that it can be repeated with the same key.
 */
const problemOf = ({ message, reason }: LedgerError) => {
  switch (reason._tag) {
    case "InvalidArgument":
      return new Invalid({ message })
    case "KeyReused":
    case "NotResolved":
      return new Refused({ message })
    case "LedgerUnavailable":
      return new Unavailable({ message })
  }
}

/**
 * A refund that was refused, or that later failed at the gateway, uses up its key: the next click takes the next one.
 */
const nextKey = Effect.fn(function* (ledger: Ledger["Service"], key: string) {
  for (let attempt = 1; ; attempt++) {
    const next = attempt === 1 ? key : `${key}-${attempt}`
    const outcome = yield* ledger.getOutcome(next)
    if (outcome?._tag !== "Refused" && outcome?._tag !== "Failed") return next
  }
})

const wasPaid = new Set(["paid", "partiallyRefunded", "refunded"])

/** The shop's use of GoPay, over its own ledger or a test's. */
export const Orders = HttpApiBuilder.group(
  Shop,
  "orders",
  Effect.fn(function* (handlers) {
    const ledger = yield* Ledger
    const shopUrl = yield* Config.String("SHOP_URL").pipe(Config.withDefault("http://localhost:3000"))

    return handlers.handleAll({
      checkout: ({ payload }) =>
        // A real shop takes number and amount from its own order's row, and never the amount from the browser.
        Effect.map(checkout(ledger, payload.number, 139_950, shopUrl), (location) =>
          HttpApiSchema.withHeaders({ body: undefined, headers: { location } })
        ),

      payerReturned: Effect.fn(
        function* ({ request }) {
          const order = yield* ledger.verifyReturn(request)
          return payerMessage(order, "en").text
        },
        // The error is for you. Anyone can make up the address of a return page.
        Effect.tapErrorTag(["GatewayError", "LedgerError"], (error) => Effect.logError(error)),
        Effect.catch((error) => Effect.succeed(payerMessage(error, "en").text))
      ),

      refund: Effect.fn(
        function* ({ params, payload }) {
          const order = yield* ledger.getOrder(params.number)
          if (order?.paymentId === undefined) return yield* Effect.fail(new UnknownOrder())
          if (!wasPaid.has(order.status)) return yield* Effect.fail(new Refused({ message: "The order is not paid." }))
          const key = yield* nextKey(ledger, payload.key)
          const outcome = yield* ledger.refund(key, order.paymentId, { amount: payload.amount })
          const isOver = outcome._tag === "Refused" || outcome._tag === "Failed"
          return isOver ? yield* Effect.fail(new Refused({ message: outcome.message })) : outcome
        },
        Effect.catchTag("LedgerError", (error) => Effect.fail(problemOf(error)))
      )
    })
  })
).pipe(Layer.provideMerge(HttpApiMiddleware.layerProblemDetails({ includeDetails: true })))
