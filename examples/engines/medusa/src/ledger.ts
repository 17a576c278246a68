/**
 * A client of GoPay, and a ledger of payments and refunds in Medusa's own database, with a pool of its own. A payment session
 * is an order of the ledger, by its id.
 */
import { container } from "@medusajs/framework"
import type { PaymentSessionDTO } from "@medusajs/framework/types"
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
import { settingsFrom } from "./options"

let ledger: Ledger<PoolClient> | undefined

/** The ledger of this process. */
export const gopayLedger = (): Ledger<PoolClient> => (ledger ??= open())

const open = (): Ledger<PoolClient> => {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const { connectionString, installation } = settingsFrom(process.env)
  const pool = new Pool({ connectionString, max: 8 })
  pool.on("error", (error) => logger.error(`GoPay: ${error.message}`))
  return createLedger({
    gateway: createGatewayClient(optionsFromEnv(process.env)),
    store: pgStore(pool),
    installation,
    onPayment,
    onAttention: ({ key, kind, message }) => logger.warn(`GoPay: ${kind}: ${key}: ${message}`)
  })
}

/** The statuses that `onPayment` is reporting, by payment session: the ledger cannot be called from within it. */
const reported = new Map<string, PaidOrder["status"]>()

/** The status of a session's payment. */
export const statusOf = async (sessionId: string) =>
  reported.get(sessionId) ?? (await gopayLedger().getOrder(sessionId))?.status

/** Updates Medusa, which turns the cart into an order. When it fails, the ledger calls it again. */
const onPayment = async ({
  attention,
  order: { amount, orderNumber, paymentId },
  status
}: PaymentEvent<PoolClient>): Promise<PaymentAnswer | undefined> => {
  // Paid twice or late: an operator refunds it.
  if (attention !== undefined || (status !== "paid" && status !== "authorized")) return undefined
  const [session] = await container.resolve(Modules.PAYMENT).listPaymentSessions({ id: [orderNumber] })
  if (session === undefined) {
    return { attention: `Medusa has no payment session ${orderNumber} of payment ${paymentId}.` }
  }
  reported.set(orderNumber, status)
  try {
    await processPaymentWorkflow(container).run({
      input: {
        action: status === "paid" ? "captured" : "authorized",
        data: { session_id: orderNumber, amount: amount / 100 }
      }
    })
  } finally {
    reported.delete(orderNumber)
  }
  return requireOrder(session)
}

/** How long Medusa may take to remove an order whose workflow has failed, in milliseconds. */
const removalTime = 30_000

/**
 * Medusa's workflow also succeeds when the cart could not be completed. Fails then, so that the ledger tries again, and asks
 * an operator when that does not help. When Medusa loses its database while it removes an order, it may remove only the link to
 * the payment: restores the link, and asks an operator.
 */
const requireOrder = async ({ payment_collection_id }: PaymentSessionDTO): Promise<PaymentAnswer | undefined> => {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const {
    data: [cart]
  } = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id }
  })
  if (cart === undefined) return undefined
  const {
    data: [made]
  } = await query.graph({
    entity: "order_cart",
    fields: ["order_id", "created_at"],
    filters: { cart_id: cart.cart_id }
  })
  if (made === undefined) throw new Error(`Cart ${cart.cart_id} is paid, and has not become an order.`)
  const { order_id } = made
  const {
    data: [paid]
  } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { order_id, payment_collection_id }
  })
  if (paid !== undefined) return undefined
  if (Date.now() - new Date(made.created_at).getTime() < removalTime) {
    throw new Error(`Order ${order_id} of cart ${cart.cart_id} has no payment: Medusa may be removing it.`)
  }
  await container
    .resolve(ContainerRegistrationKeys.LINK)
    .create({ [Modules.ORDER]: { order_id }, [Modules.PAYMENT]: { payment_collection_id } })
  return { attention: `Medusa has made order ${order_id} in part. It is paid: check what it lacks.` }
}
