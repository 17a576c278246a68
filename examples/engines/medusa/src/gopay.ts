/**
 * The shop's GoPay: a client, and a ledger of payments and refunds in Medusa's own database, with connections of its own.
 * A payment session is an order of the ledger's, by its id.
 */
import { container } from "@medusajs/framework"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { processPaymentWorkflow } from "@medusajs/medusa/core-flows"
import {
  createLedger,
  type Ledger,
  type PaidOrder,
  type PaymentAnswer,
  type PaymentEvent,
  pgStore
} from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"
import { Pool, type PoolClient } from "pg"

let made: Ledger<PoolClient> | undefined

/** The ledger of this process. */
export const gopayLedger = (): Ledger<PoolClient> => (made ??= make())

const make = (): Ledger<PoolClient> => {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 8 })
  pool.on("error", (error) => logger.error(`GoPay: ${error.message}`))
  return createLedger({
    gateway: createGatewayClient(optionsFromEnv(process.env)),
    store: pgStore(pool),
    onPayment,
    onAttention: ({ key, kind, message }) => logger.warn(`GoPay: ${kind}: ${key}: ${message}`)
  })
}

/** What the ledger is just telling, by payment session: its providers must not ask it meanwhile. */
const told = new Map<string, PaidOrder["status"]>()

/** What the payment of a session has come to. */
export const statusOf = async (sessionId: string) =>
  told.get(sessionId) ?? (await gopayLedger().getOrder(sessionId))?.status

/** Brings what a payment has come to into Medusa, which makes the order of the cart. What fails is told again. */
const onPayment = async ({
  attention,
  order: { amount, orderNumber, paymentId },
  status
}: PaymentEvent<PoolClient>): Promise<PaymentAnswer | undefined> => {
  // Twice or late: it is with an operator, who refunds it.
  if (attention !== undefined || (status !== "paid" && status !== "authorized")) return undefined
  const sessions = await container.resolve(Modules.PAYMENT).listPaymentSessions({ id: [orderNumber] })
  if (sessions.length === 0)
    return { attention: `Medusa has no payment session ${orderNumber} of payment ${paymentId}.` }
  told.set(orderNumber, status)
  try {
    await processPaymentWorkflow(container).run({
      input: {
        action: status === "paid" ? "captured" : "authorized",
        data: { session_id: orderNumber, amount: amount / 100 }
      }
    })
  } finally {
    told.delete(orderNumber)
  }
  return undefined
}
