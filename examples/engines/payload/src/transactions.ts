/**
 * Payload's transactions whose payments are the ledger's.
 */
import type { CollectionSlug, Payload, PayloadRequest } from "payload"

/** The name of the payment method, and of its fields in a transaction. */
export const gopay = "gopay"

/** The id of a document. */
export type Id = number | string

/** A transaction, as far as it is read here. */
export interface Transaction {
  readonly id: Id
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly items: ReadonlyArray<{ readonly id: string }>
  readonly cart: Id | null
  readonly customer: Id | null
  readonly customerEmail: string | null
  readonly order: Id | null
  readonly gopay: {
    readonly paymentId: string
    readonly shippingAddress: object | null
    readonly refunds: ReadonlyArray<{ readonly id: string; readonly amount: number }>
  }
}

/** Whether a document is a transaction of this payment method. */
export const isTransaction = (document: object): document is Transaction =>
  "paymentMethod" in document && document.paymentMethod === gopay

/** The key of a refund in the ledger. */
export const keyOf = (refundId: string): string => `payload-refund-${refundId}`

/** The collection of transactions, and those of the documents that they name: a shop may have named them otherwise. */
export const collectionsOf = ({ config }: Payload) => {
  const { flattenedFields, slug } =
    config.collections.find(({ flattenedFields }) => flattenedFields.some(({ name }) => name === gopay)) ??
    missing("gopay.adapter in payments.paymentMethods of ecommercePlugin")
  const named = (name: string): CollectionSlug => {
    const field = flattenedFields.find((one) => one.name === name)
    return field?.type === "relationship" && typeof field.relationTo === "string" ? field.relationTo : missing(name)
  }
  return { transactions: slug, carts: named("cart"), customers: named("customer"), orders: named("order") }
}

const missing = (what: string): never => {
  throw new Error(`effect-gopay-payload: Payload's transactions lack ${what}.`)
}

/** The transaction of a payment. */
export const transactionOf = async (req: PayloadRequest, paymentId: Id): Promise<Transaction | undefined> => {
  const where = { "gopay.paymentId": { equals: String(paymentId) } }
  const { docs } = await req.payload.find({ collection: collectionsOf(req.payload).transactions, depth: 0, where, req })
  return docs.find(isTransaction)
}
