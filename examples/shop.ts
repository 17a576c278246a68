/**
 * A shop with promises: order buttons, the page that the payer comes back to, and the handler of notifications.
 *
 * `npm run shop` runs it with a local gateway, `npx tsx examples/shop-from-environment.ts` with the one that the
 * environment names.
 */
import { randomUUID } from "node:crypto"
import { amountToDecimal, type GatewayClient, NotificationError, type PaymentResponse } from "effect-gopay/promise"
import { type Order, statusAfter } from "./notifications.js"

/** What the shop sells; `amount` is in minor units. */
export interface Good {
  readonly name: string
  readonly amount: number
}

export interface ShopOrder extends Order {
  readonly name: string
  readonly gw_url: string
  status: Order["status"]
}

/** By payment id. A real shop has a database: see `notifications.ts`. */
export type ShopOrders = Map<number, ShopOrder>

const books: ReadonlyArray<Good> = [
  { name: "The Good Soldier Švejk", amount: 139_950 },
  { name: "A bookmark", amount: 2_900 }
]

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const described = ({ amount, name }: Good) => `${escaped(name)}, ${amountToDecimal(amount)} CZK`

const page = (body: string, status = 200) =>
  new Response(`<!doctype html><html lang="en"><title>Shop</title>${body}`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }
  })

/** What the return page says of an order. */
const outcomes: { readonly [status in Order["status"]]: string } = {
  open: `We are waiting for your payment. <a href="">Look again</a>`,
  paid: "It is paid. Thank you!",
  closed: `It is not paid. <a href="/">Order again</a>`,
  refunded: "Your money was returned."
}

/** What answers the shop's requests. `shopUrl` is where payers and the gateway reach it: anybody can forge a `Host`. */
export const createShop = (
  gateway: GatewayClient,
  shopUrl: string,
  orders: ShopOrders = new Map(),
  goods: ReadonlyArray<Good> = books
) => {
  const record = (order: ShopOrder, payment: PaymentResponse) => {
    order.status = statusAfter(order, payment)
  }

  const notify = gateway.createNotificationHandler({
    expected: (paymentId) => orders.get(paymentId),
    handler: ({ order, payment }) => record(order, payment)
  })

  /** The order that an address names, if the payment is its own: not a cheaper one that the payer has really paid. */
  const orderAt = (address: URL) => (paymentId: number) => {
    const order = orders.get(paymentId)
    return order?.order_number === address.searchParams.get("order") ? order : undefined
  }

  const goodsPage = () => {
    const offer = (good: Good, index: number) => `<form method="post" action="/order?good=${index}">${described(good)}
      <button>Order</button> <button formaction="/order?good=${index}&amp;inline">Order, and pay on this page</button></form>`
    return page(`<h1>Shop</h1>${goods.map(offer).join("")}`)
  }

  /** The payment's id is stored with the order before the payer learns where to pay. */
  const placeOrder = async ({ searchParams }: URL) => {
    const good = goods[Number(searchParams.get("good") ?? -1)]
    if (good === undefined) return page("<h1>We do not sell that.</h1>", 404)
    const order = { order_number: randomUUID(), amount: good.amount, currency: "CZK" }
    const return_url = `${shopUrl}/return?order=${order.order_number}`
    const { gw_url, id } = await gateway.createPayment({
      ...order,
      order_description: good.name,
      callback: { return_url, notification_url: `${shopUrl}/notify` }
    })
    orders.set(id, { ...order, paymentId: id, name: good.name, gw_url, status: "open" })
    const inlineUrl = `${shopUrl}/pay?order=${order.order_number}&id=${id}`
    return Response.redirect(searchParams.has("inline") ? inlineUrl : gw_url, 303)
  }

  /** The pay page opens over this one. Without JavaScript, and at GoPay without https, the form leads there instead. */
  const inlinePage = (address: URL) => {
    const order = orderAt(address)(Number(address.searchParams.get("id")))
    if (order === undefined) return page("<h1>We know of no such order.</h1>", 404)
    return page(`<h1>${described(order)}</h1>
      <form id="gopay-payment-button" method="post" action="${escaped(order.gw_url)}"><button name="pay">Pay</button></form>
      <script src="${escaped(gateway.getEmbedJsUrl())}"></script>`)
  }

  /** What the address says proves nothing: the gateway is asked. */
  const returnPage = async (address: URL) => {
    const { order, payment } = await gateway.verifyPayment(address, orderAt(address))
    record(order, payment)
    return page(`<h1>Your order</h1><p>${described(order)}. ${outcomes[order.status]}</p>
      <p>Payment ${payment.id} is ${escaped(payment.state)}.</p>`)
  }

  const routes: { readonly [route: string]: (address: URL) => Response | Promise<Response> } = {
    "GET /": goodsPage,
    "POST /order": placeOrder,
    "GET /pay": inlinePage,
    "GET /return": returnPage,
    "GET /notify": (url) => notify({ method: "GET", url: url.href })
  }

  return async (method = "", target = ""): Promise<Response> => {
    const address = URL.canParse(target, shopUrl) ? new URL(target, shopUrl) : undefined
    const route = new Map(Object.entries(routes)).get(`${method} ${address?.pathname}`)
    if (address === undefined || route === undefined) return page("<h1>There is no such page.</h1>", 404)
    try {
      return await route(address)
    } catch (error) {
      if (error instanceof NotificationError) return page("<h1>We know of no such payment.</h1>", 404)
      console.error(method, address.pathname, error)
      return page("<h1>We cannot do that now. Please try again in a minute.</h1>", 503)
    }
  }
}

export type Shop = ReturnType<typeof createShop>
