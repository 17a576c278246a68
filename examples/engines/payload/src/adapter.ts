import { amountField } from "@payloadcms/plugin-ecommerce"
import type { PaymentAdapter } from "@payloadcms/plugin-ecommerce/types"
import { type Ledger, LedgerError } from "effect-gopay/ledger/promise"
import { payerMessage } from "effect-gopay/promise"
import { APIError, type Endpoint, type FieldHook, type GroupField, type Payload, type PayloadRequest } from "payload"
import { orderNumberOf, reportedPayment, transactionIn, type Tx } from "./ledger.js"
import type { Settings } from "./options.js"
import { gopay, type Id, keyOf, type Transaction, transactionOf } from "./transactions.js"

type LedgerOf = (payload: Payload) => Ledger<Tx>

/** The adapter for the ecommerce plugin. */
export const makeAdapter = (ledgerOf: LedgerOf, settings: Settings): PaymentAdapter => ({
  name: gopay,
  label: "GoPay",
  group: fields(ledgerOf, settings),
  endpoints: endpoints(ledgerOf, settings),
  initiatePayment: initiatePayment(ledgerOf, settings),
  confirmOrder: confirmOrder(ledgerOf)
})

/** Creates the payment of a cart, or returns the one that it has. */
const initiatePayment =
  (ledgerOf: LedgerOf, { shopUrl }: Settings): PaymentAdapter["initiatePayment"] =>
  async ({ data: { billingAddress, cart, currency, customerEmail, shippingAddress }, req, transactionsSlug }) => {
    const { payload, user } = req
    const api = `${shopUrl}${payload.config.routes.api}/payments/${gopay}`
    const amount = cart.subtotal ?? 0
    const request = {
      amount,
      currency,
      payer: { contact: { email: customerEmail } },
      callback: { return_url: `${api}/return`, notification_url: `${api}/notify` }
    }
    // The cart may have changed since the payer first went to the pay page.
    const order = await ledgerOf(payload).checkout(orderNumberOf(cart.id), request, { replace: true })
    if (!("gwUrl" in order)) return { message: payerMessage(order, "en").text, status: order.status }
    const paymentId = String(order.paymentId)
    const data = {
      ...(user ? { customer: user.id } : { customerEmail }),
      amount,
      billingAddress,
      cart: cart.id,
      currency,
      // Those of two transactions may not share an id.
      items: cart.items.map(({ id: _, product, variant, ...item }) => ({
        ...item,
        product: idOf(product),
        ...(variant ? { variant: idOf(variant) } : {})
      })),
      paymentMethod: gopay,
      [gopay]: { paymentId, shippingAddress }
    }
    const id = (await transactionOf(req, paymentId))?.id
    if (id === undefined) {
      await payload.create({ collection: transactionsSlug, data, req }).catch(async (error: unknown) => {
        // Another page of the same cart may have been first.
        if ((await transactionOf(req, paymentId)) === undefined) throw error
      })
    } else await payload.update({ collection: transactionsSlug, id, data, req })
    return { message: "Send the payer to gwUrl.", gwUrl: order.gwUrl, paymentId: order.paymentId }
  }

/** The id of a document, given as the document or as its id. */
const idOf = (document: Id | { readonly id: Id }): Id => (typeof document === "object" ? document.id : document)

/** Makes the order of a cart that is paid, or returns the one that a notification has made. */
const confirmOrder =
  (ledgerOf: LedgerOf): PaymentAdapter["confirmOrder"] =>
  async ({ data: { cartID, customerEmail }, finalizeOrder, req }) => {
    const paymentId = reportedPayment(req) ?? (await paidPayment(ledgerOf(req.payload), cartID))
    const transaction = await transactionOf(req, paymentId)
    if (String(transaction?.cart) !== String(cartID) || !transaction || !isBuyer(req, transaction, customerEmail)) {
      throw new Error(`Payment ${paymentId} is someone else's.`)
    }
    const { amount, currency, customer, id, items } = transaction
    const { shippingAddress } = transaction.gopay
    const order = await finalizeOrder({
      orderData: {
        amount,
        currency,
        ...(customer === null ? { customerEmail: transaction.customerEmail } : { customer }),
        items: items.map(({ id: _, ...item }) => item),
        ...(shippingAddress ? { shippingAddress } : {}),
        status: "processing"
      },
      transactionID: id
    })
    const { accessToken, id: orderID } = order as { accessToken?: string; id: Id }
    return { message: "The order is paid.", orderID, transactionID: id, ...(accessToken ? { accessToken } : {}) }
  }

/** The payment of a cart, which has to be paid. The ledger has read it at the gateway. */
const paidPayment = async (ledger: Ledger<Tx>, cart: Id): Promise<number> => {
  const order = await ledger.getOrder(orderNumberOf(cart))
  if (order?.status === "paid" || order?.status === "partiallyRefunded") return order.paymentId
  throw new Error(`Cart ${cart} is not paid: ${order?.status ?? "it has no payment"}.`)
}

const isBuyer = ({ user }: PayloadRequest, { customer, customerEmail }: Transaction, email = ""): boolean =>
  user
    ? String(user.id) === String(customer)
    : customer === null && customerEmail?.toLowerCase() === email.trim().toLowerCase()

/** Handles the gateway's notifications and returning payers. */
const endpoints = (ledgerOf: LedgerOf, { returnUrl }: Settings): Array<Endpoint> => [
  {
    path: "/notify",
    method: "get",
    handler: ({ payload, url = "" }) => ledgerOf(payload).notificationHandler()({ method: "GET", url })
  },
  {
    path: "/return",
    method: "get",
    handler: async ({ payload, url = "" }) => {
      const page = new URL(returnUrl)
      try {
        const { paymentId, status } = await ledgerOf(payload).verifyReturn(url)
        page.searchParams.set("id", String(paymentId))
        page.searchParams.set("status", status)
      } catch (error) {
        payload.logger.error(error, "GoPay: a payer came back, and the payment could not be read.")
        page.searchParams.set("message", payerMessage(error, "en").text)
      }
      return Response.redirect(page, 303)
    }
  }
]

/** The fields of a transaction. An administrator adds a refund, and saves the transaction. */
const fields = (ledgerOf: LedgerOf, { currencies }: Settings): GroupField => ({
  name: gopay,
  type: "group",
  label: "GoPay",
  admin: { condition: ({ paymentMethod }) => paymentMethod === gopay },
  fields: [
    { name: "paymentId", type: "text", unique: true, admin: { readOnly: true } },
    { name: "shippingAddress", type: "json", admin: { hidden: true } },
    {
      name: "refunds",
      type: "array",
      fields: [
        amountField({ currenciesConfig: currencies, overrides: { min: 1, required: true } }),
        {
          name: "outcome",
          type: "text",
          virtual: true,
          admin: { readOnly: true },
          hooks: { afterRead: [({ req, siblingData }) => outcomeOf(ledgerOf, req, siblingData["id"])] }
        }
      ],
      hooks: { afterChange: [submitRefunds(ledgerOf)] }
    }
  ]
})

/** The outcome of a refund, in the ledger's words. */
const outcomeOf = async (ledgerOf: LedgerOf, req: PayloadRequest, id: unknown): Promise<string | undefined> => {
  if (typeof id !== "string" || reportedPayment(req) !== undefined) return undefined
  const outcome = await ledgerOf(req.payload).getOutcome(keyOf(id))
  return outcome && `${outcome._tag}: ${outcome.message}`
}

/** Submits the refunds of a transaction, to be made if and when Payload's own transaction commits. Each is made once. */
const submitRefunds =
  (ledgerOf: LedgerOf): FieldHook<Transaction, Transaction["gopay"]["refunds"], Transaction["gopay"]> =>
  async ({ req, siblingData: { paymentId = "" }, value = [] }) => {
    if (value.length === 0 || reportedPayment(req) !== undefined) return value
    const tx = await transactionIn(req)
    if (tx === undefined) throw new APIError("Refunds need transactions: remove transactionOptions: false.", 500)
    const ledger = ledgerOf(req.payload)
    for (const { amount, id } of value) {
      await ledger.submit(tx, keyOf(id), { refund: paymentId, amount }).catch((error: unknown) => {
        throw error instanceof LedgerError ? new APIError(error.message, 409) : error
      })
    }
    return value
  }
