/**
 * A client of GoPay, and a ledger of payments and refunds in Payload's own database, with a pool of its own. A cart is an order
 * of the ledger.
 */
import { randomUUID } from "node:crypto"
import { type SQL, sql } from "@payloadcms/db-postgres/drizzle"
import { drizzle } from "@payloadcms/db-postgres/drizzle/node-postgres"
import {
  createLedger,
  drizzleStore,
  type Ledger,
  type PaymentAnswer,
  type PaymentEvent
} from "effect-gopay/ledger/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { type CollectionSlug, createLocalReq, type Payload, type PayloadRequest } from "payload"
import { Pool } from "pg"
import type { Settings } from "./options.js"
import { collectionsOf, gopay, type Id, type Transaction, transactionOf } from "./transactions.js"

/** A transaction of Payload's PostgreSQL. */
export interface Tx {
  execute(query: SQL): PromiseLike<unknown>
}

/** Payload's PostgreSQL, as far as it is used here. Documents take part in a transaction by its id. */
interface Postgres {
  readonly packageName: "@payloadcms/db-postgres"
  readonly schema: Record<string, unknown>
  readonly sessions: { [transactionId: string]: { db: Tx; resolve(): Promise<void>; reject(): Promise<void> } }
}

const isPostgres = (db: object): db is Postgres => "packageName" in db && db.packageName === "@payloadcms/db-postgres"

const postgresOf = ({ db }: Payload): Postgres => {
  if (!isPostgres(db)) throw new Error("effect-gopay-payload needs postgresAdapter of @payloadcms/db-postgres as db.")
  return db
}

/** The transaction that a request is in. */
export const transactionIn = async ({ payload, transactionID = "" }: PayloadRequest): Promise<Tx | undefined> =>
  postgresOf(payload).sessions[await transactionID]?.db

/** The order number of a cart. */
export const orderNumberOf = (cart: Id): string => `cart-${cart}`

/** Opens a ledger, without its worker. */
export const openLedger = (payload: Payload, { connectionString, gateway, installation }: Settings): Ledger<Tx> => {
  const pool = new Pool({ connectionString, max: 8 })
  pool.on("error", (error) => payload.logger.error(`GoPay: ${error.message}`))
  return createLedger({
    gateway: createGatewayClient(gateway),
    installation,
    migrate: true,
    // Its transactions wait for each other, and must not occupy the connections that Payload waits for.
    store: drizzleStore<SQL, Tx>(drizzle({ client: pool, schema: postgresOf(payload).schema }), sql),
    onPayment: (event) => onPayment(payload, event),
    onAttention: ({ key, kind, message }) => payload.logger.warn(`GoPay: ${kind}: ${key}: ${message}`)
  })
}

/** The payment that the ledger is reporting to Payload: no one may call the ledger meanwhile. */
export const reportedPayment = ({ context }: PayloadRequest): number | undefined =>
  typeof context[gopay] === "number" ? context[gopay] : undefined

/** Updates Payload within the transaction in which the ledger moves a payment. If this fails, it is rolled back. */
const onPayment = async (payload: Payload, event: PaymentEvent<Tx>): Promise<PaymentAnswer | undefined> => {
  const { attention, order, status, tx } = event
  // Paid twice or late: an operator refunds it.
  if (attention !== undefined) return undefined
  const { sessions } = postgresOf(payload)
  const transactionID = randomUUID()
  const end = async (): Promise<void> => {}
  sessions[transactionID] = { db: tx, resolve: end, reject: end }
  try {
    const req = await createLocalReq({ context: { [gopay]: order.paymentId }, req: { transactionID } }, payload)
    const transaction = await transactionOf(req, order.paymentId)
    if (transaction === undefined) return { attention: `Payload has no transaction of ${order.orderNumber}.` }
    if (status === "paid") return await makeOrder(req, transaction)
    // The status only: an administrator may be adding a refund.
    const data = { status: "refunded" }
    const { orders, transactions } = collectionsOf(payload)
    if (status === "refunded") {
      await payload.db.updateOne({ collection: transactions, id: transaction.id, data, req })
      if (transaction.order) await payload.db.updateOne({ collection: orders, id: transaction.order, data, req })
    }
    return undefined
  } finally {
    delete sessions[transactionID]
  }
}

/** Has Payload itself confirm the order, as a storefront would ask it to. */
const makeOrder = async (req: PayloadRequest, transaction: Transaction): Promise<PaymentAnswer | undefined> => {
  const { payload } = req
  const { carts, customers } = collectionsOf(payload)
  const { cart: cartID, customer, customerEmail } = transaction
  const { paymentId } = transaction.gopay
  const find = (collection: CollectionSlug, id: Id | null) =>
    id === null ? null : payload.findByID({ collection, id, depth: 0, disableErrors: true, req })
  const cart = await find(carts, cartID)
  if (cart === null) return { attention: `The cart of payment ${paymentId} is gone.` }
  const user = await find(customers, customer)
  if (user !== null) req.user = { ...user, collection: customers }
  req.data = { cartID, customerEmail: cart.customerEmail ?? customerEmail, secret: cart.secret }
  const endpoint = payload.config.endpoints.find(({ path }) => path === `/payments/${gopay}/confirm-order`)
  const response = await endpoint?.handler(req)
  if (response?.ok === true) return undefined
  throw new Error(`Payload has made no order of payment ${paymentId}: ${await response?.text()}`)
}
