/// <reference types="node" />
/**
 * A shop to try: articles, orders, the return from the pay page, notifications, refunds.
 */
import { createServer, type IncomingMessage } from "node:http"
import type { GatewayClient } from "../../promise/GatewayClient.plain.js"
import { type Article, articlesPage, type DemoOrder, failurePage, type Language, orderPage } from "./DemoPages.js"

const articles: ReadonlyArray<Article> = [
  { cs: "Osudy dobrého vojáka Švejka", en: "The Good Soldier Švejk", amount: 39_900 },
  { cs: "Plátěná taška", en: "A canvas bag", amount: 24_900 },
  { cs: "Záložka do knihy", en: "A bookmark", amount: 2_900 }
]

/** What the shop is given when its address is known. */
export interface DemoGateway {
  readonly client: GatewayClient
  readonly url: string
}

/** An address that was asked for, and what its page is told. */
interface Shown {
  readonly address: URL
  readonly language: Language
  readonly otherLanguage: string
  readonly gatewayUrl: string
}

interface Reply {
  readonly status: number
  readonly page?: string
  readonly location?: string
}

/** Serves the shop on this machine. A port of 0 is any free one. */
export const serveDemoShop = async (
  port: number,
  { client, url: gatewayUrl }: DemoGateway
): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve)
  })
  const listening = server.address()
  const shopUrl = `http://localhost:${typeof listening === "object" ? listening?.port : port}`
  const orders = new Map<string, DemoOrder>()

  const look = async (order: DemoOrder): Promise<void> => {
    const [{ state, sub_state }, refunds] = await Promise.all([
      client.getPayment(order.paymentId),
      client.getPaymentRefunds(order.paymentId)
    ])
    order.state = state
    order.subState = sub_state
    order.refunded = refunds.reduce((sum, refund) => sum + (refund.state === "FAILED" ? 0 : (refund.amount ?? 0)), 0)
  }

  const notify = client.createNotificationHandler({
    expected: (paymentId) => {
      const order = [...orders.values()].find((order) => order.paymentId === paymentId)
      return order && { order_number: order.orderNumber, amount: order.article.amount, currency: "CZK", order }
    },
    handler: async ({ order: { order } }) => {
      await look(order)
      order.notifications.push({ at: new Date().toLocaleTimeString("cs-CZ"), state: order.state })
    }
  })

  const placeOrder = async (article: Article, language: Language): Promise<Reply> => {
    const orderNumber = `${new Date().getFullYear()}-${String(orders.size + 1).padStart(4, "0")}`
    const { gw_url, id, state } = await client.createPayment({
      amount: article.amount,
      currency: "CZK",
      order_number: orderNumber,
      order_description: article[language],
      lang: language === "cs" ? "CS" : "EN",
      callback: {
        return_url: `${shopUrl}/order?number=${orderNumber}&lang=${language}`,
        notification_url: `${shopUrl}/notify`
      }
    })
    orders.set(orderNumber, {
      orderNumber,
      article,
      paymentId: id,
      gwUrl: gw_url ?? "",
      state,
      subState: undefined,
      refunded: 0,
      notifications: []
    })
    return { status: 303, location: gw_url ?? "/" }
  }

  const answer = async (request: IncomingMessage, shown: Shown): Promise<Reply> => {
    const { address, language } = shown
    const { pathname, searchParams } = address
    const route = `${request.method} ${pathname}`
    if (request.method === "POST" && isForeign(request)) return { status: 403, page: failurePage(shown, "403") }
    if (route === "GET /notify") return { status: (await notify({ method: "GET", url: address })).status }
    if (route === "GET /") return { status: 200, page: articlesPage(shown, articles, [...orders.values()]) }
    const article = articles[Number(searchParams.get("article") ?? -1)]
    if (route === "POST /order" && article !== undefined) return placeOrder(article, language)
    const order = orders.get(searchParams.get("number") ?? "")
    if (order === undefined) return { status: 404, page: failurePage(shown, undefined) }
    if (route === "POST /again") return placeOrder(order.article, language)
    if (route === "POST /refund") {
      await client.refundPayment(order.paymentId, { amount: Number(searchParams.get("amount")) })
      return { status: 303, location: `/order?number=${order.orderNumber}&lang=${language}` }
    }
    await look(order)
    return { status: 200, page: orderPage(shown, order) }
  }

  server.on("request", async (request, response) => {
    const address = addressOf(request, shopUrl)
    const language = languageOf(address.searchParams.get("lang"), request.headers["accept-language"])
    const other = new URLSearchParams(address.searchParams)
    other.set("lang", language === "cs" ? "en" : "cs")
    // A page that answers a form is left for the start.
    const otherPath = request.method === "GET" ? address.pathname : "/"
    const shown = { address, language, otherLanguage: `${otherPath}?${other}`, gatewayUrl }
    const { location, page, status } = await answer(request, shown).catch((error: unknown): Reply => ({
      status: 502,
      page: failurePage(shown, error instanceof Error ? error.message : String(error))
    }))
    response
      .writeHead(status, {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        ...(location === undefined ? {} : { location })
      })
      .end(page)
  })
  return {
    url: shopUrl,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The address of a request. Where it is none, it is that of no page. */
const addressOf = ({ url = "/" }: IncomingMessage, shopUrl: string): URL =>
  new URL(URL.canParse(url, shopUrl) ? url : "/none", shopUrl)

const languageOf = (wanted: string | null, accepted: string | undefined): Language => {
  if (wanted === "cs" || wanted === "en") return wanted
  return /^(cs|sk)\b/.test(accepted ?? "") ? "cs" : "en"
}

/** Whether another site's page sent the request. */
const isForeign = ({ headers }: IncomingMessage): boolean =>
  !["same-origin", "none", undefined].some((site) => site === headers["sec-fetch-site"])
