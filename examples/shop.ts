/**
 * A shop with promises, over a ledger: order buttons, the page that the payer comes back to, and notifications. Its own
 * table and the ledger's are in one database.
 *
 * `npm run shop` runs it with a local gateway, `npx tsx examples/shop-from-environment.ts` with the one that the
 * environment names.
 */
import { randomUUID } from "node:crypto"
import { createLedger, type LedgerStore, type Order, type SqliteTransaction } from "effect-gopay/ledger/promise"
import { amountToDecimal, type GatewayClient, NotificationError } from "effect-gopay/promise"

/** What the shop sells; `amount` is in minor units. */
export interface Good {
  readonly name: string
  readonly amount: number
}

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
const outcomeOf = ({ status }: Order): string => {
  switch (status) {
    case "paid":
      return "It is paid. Thank you!"
    case "closed":
      return `It is not paid. <a href="/">Order again</a>`
    case "refunded":
      return "Your money was returned."
    default:
      return `We are waiting for your payment. <a href="">Look again</a>`
  }
}

/** Opens the shop. `shopUrl` is where payers and the gateway reach it: anyone can forge a `Host`. */
export const openShop = async (
  gateway: GatewayClient,
  shopUrl: string,
  store: LedgerStore<SqliteTransaction>,
  goods: ReadonlyArray<Good> = books
) => {
  const ledger = createLedger({
    gateway,
    store,
    // In one transaction with what the ledger knows of the payment.
    onPayment: async ({ order, status, tx }) => {
      await tx.query("UPDATE shop_order SET status = ? WHERE number = ?", [status, order.orderNumber])
    }
  })
  await ledger.migrate()
  await store.query("CREATE TABLE IF NOT EXISTS shop_order (number TEXT PRIMARY KEY, good TEXT, status TEXT)", [])
  ledger.startWorker()
  const notify = ledger.notificationHandler()

  const goodsPage = () => {
    const offer = (good: Good, index: number) => `<form method="post" action="/order?good=${index}">${described(good)}
      <button>Order</button> <button formaction="/order?good=${index}&amp;inline">Order, and pay on this page</button></form>`
    return page(`<h1>Shop</h1>${goods.map(offer).join("")}`)
  }

  const placeOrder = async ({ searchParams }: URL) => {
    const good = goods[Number(searchParams.get("good") ?? -1)]
    if (good === undefined) return page("<h1>We do not sell that.</h1>", 404)
    const number = randomUUID()
    await store.query("INSERT INTO shop_order VALUES (?, ?, 'open')", [number, described(good)])
    const order = await ledger.checkout(number, {
      amount: good.amount,
      currency: "CZK",
      order_description: good.name,
      callback: { return_url: `${shopUrl}/return?order=${number}`, notification_url: `${shopUrl}/notify` }
    })
    if (order.status !== "open") throw new Error(order.message)
    return Response.redirect(searchParams.has("inline") ? `${shopUrl}/pay?order=${number}` : order.gwUrl, 303)
  }

  const goodOf = async (number: string) => {
    const [row] = await store.query("SELECT good FROM shop_order WHERE number = ?", [number])
    return String(row?.["good"])
  }

  /** The pay page opens over this one. Without JavaScript, and at GoPay without https, the form leads there instead. */
  const inlinePage = async ({ searchParams }: URL) => {
    const order = await ledger.getOrder(searchParams.get("order") ?? "")
    if (order?.status !== "open") return page("<h1>We know of no such order.</h1>", 404)
    return page(`<h1>${await goodOf(order.orderNumber)}</h1>
      <form id="gopay-payment-button" method="post" action="${escaped(order.gwUrl)}"><button name="pay">Pay</button></form>
      <script src="${escaped(gateway.getEmbedJsUrl())}"></script>`)
  }

  /** What the address says proves nothing: the gateway is asked, and the payment has to be this order's. */
  const returnPage = async (address: URL) => {
    const order = await ledger.verifyReturn(address)
    if (order.orderNumber !== address.searchParams.get("order")) {
      return page("<h1>We know of no such payment.</h1>", 404)
    }
    return page(`<h1>Your order</h1><p>${await goodOf(order.orderNumber)}. ${outcomeOf(order)}</p>
      <p>${escaped(order.message)}</p>`)
  }

  const routes: { readonly [route: string]: (address: URL) => Response | Promise<Response> } = {
    "GET /": goodsPage,
    "POST /order": placeOrder,
    "GET /pay": inlinePage,
    "GET /return": returnPage,
    "GET /notify": (url) => notify({ method: "GET", url: url.href })
  }

  const respond = async (method = "", target = ""): Promise<Response> => {
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
  return { respond, close: ledger.close }
}

export type Shop = Awaited<ReturnType<typeof openShop>>
