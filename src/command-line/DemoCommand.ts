/// <reference types="node" />
/** The command `demo`: a local gateway, and a shop to try it with articles, orders, notifications and refunds. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { messageOf } from "../basics/AnyRealm.js"
import { ownMember } from "../basics/OwnMember.js"
import { GatewayError } from "../client/error/GatewayError.js"
import type { GatewayClient } from "../promise/GatewayClient.js"
import type { LoggedEvent } from "../local-gateway/server/Journal.js"
import { commandOf, CommandFailure, flag, openBrowser, option, portOf } from "./Command.js"
import { words } from "./Words.js"
import {
  type Article,
  articlesPage,
  type DemoOrder,
  type DemoStep,
  failurePage,
  missingPage,
  type Language,
  orderPage,
  type Page,
  type PaymentLog,
  shopName
} from "./DemoPages.js"

const articles: ReadonlyArray<Article> = [
  { cs: "Osudy dobrého vojáka Švejka", en: "The Good Soldier Švejk", amount: 39_900, currency: "CZK" },
  { cs: "Plátěná taška", en: "A canvas bag", amount: 24_900, currency: "CZK" },
  { cs: "Záložka do knihy", en: "A bookmark", amount: 2_900, currency: "CZK" },
  { cs: "Průvodce Prahou, zaslaný do ciziny", en: "A guide to Prague, sent abroad", amount: 1_500, currency: "EUR" },
  { cs: "Starý tisk na objednávku", en: "An old print, to order", amount: 249_000, currency: "CZK", sale: "hold" },
  { cs: "Literární časopis", en: "A literary magazine", amount: 8_900, currency: "CZK", sale: "subscription" }
]

/** A requested page, with its address and what every page gets. */
interface Shown extends Page {
  readonly address: URL
}

interface Reply {
  readonly status: number
  readonly page?: string
  readonly location?: string
}

/** The gateway of the shop. */
interface DemoGateway {
  readonly client: GatewayClient
  readonly url: string
  /** Moves the gateway's time forward by a day. */
  readonly passDay: () => Promise<unknown>
  /** The gateway's log. A notification is logged only after the shop has responded. */
  readonly feed: LogFeed
}

/** Passes on new entries of the gateway's log. */
export class LogFeed {
  private readonly listeners = new Set<(event: LoggedEvent) => void>()
  readonly onEvent = (event: LoggedEvent): void => {
    for (const listener of this.listeners) listener(event)
  }
  follow(listener: (event: LoggedEvent) => void): void {
    this.listeners.add(listener)
  }
}

/** Serves the shop on this machine. A port of 0 is any free one. */
export const serveDemoShop = async (
  port: number,
  { client, feed, passDay, url: gatewayUrl }: DemoGateway
): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve)
  })
  const listening = server.address()
  const shopUrl = `http://localhost:${typeof listening === "object" ? listening?.port : port}`
  const now = () => timeAt(gatewayUrl)
  const { actions, checkOrder, notify, orders, placeOrder, streamChanges, refreshPages } = makeShop(
    { client, passDay, now },
    shopUrl
  )
  feed.follow((event) => {
    if (event.type === "notification") refreshPages(event.paymentId)
  })

  const answer = async (request: IncomingMessage, shown: Shown): Promise<Reply> => {
    const { address, language } = shown
    const { pathname, searchParams } = address
    const route = `${request.method} ${pathname}`
    if (request.method === "POST" && isForeign(request)) return { status: 403, page: failurePage(shown, "403") }
    if (route === "GET /notify") return { status: (await notify({ method: "GET", url: address })).status }
    if (route === "GET /") return { status: 200, page: articlesPage(shown, articles, [...orders.values()]) }
    const article = articles[Number(searchParams.get("article") ?? -1)]
    if (route === "POST /order" && article !== undefined) {
      const isPaidHere = (await formOf(request)).get("way") === "here"
      return placeOrder(article, language, isPaidHere)
    }
    const number = searchParams.get("number") ?? ""
    const order = orders.get(number)
    if (order === undefined) return { status: 404, page: missingPage(shown, number) }
    if (route === "POST /again") return placeOrder(order.article, language, false)
    const action = ownMember(actions, route)
    if (action !== undefined) {
      const { orderNumber } = await action(order, searchParams)
      return { status: 303, location: pageOf(orderNumber, language) }
    }
    await checkOrder(order)
    const log = await logOf(gatewayUrl, order)
    const parent = [...orders.values()].find(({ paymentId }) => paymentId === order.parentId)
    return {
      status: 200,
      page: orderPage(shown, {
        order,
        parent,
        log,
        embedScript: client.getEmbedJsUrl(),
        isPaidHere: searchParams.has("pay")
      })
    }
  }

  server.on("request", async (request, response) => {
    const address = addressOf(request, shopUrl)
    const followed = address.pathname === "/changes" ? orders.get(address.searchParams.get("number") ?? "") : undefined
    if (followed !== undefined) {
      streamChanges(response, followed, Number(address.searchParams.get("seen")))
      return
    }
    const language = languageOf(address.searchParams.get("lang"), request.headers["accept-language"])
    const other = new URLSearchParams(address.searchParams)
    other.set("lang", language === "cs" ? "en" : "cs")
    // For a page that answers a form, the start page.
    const otherPath = request.method === "GET" ? address.pathname : "/"
    const shown = { address, language, otherLanguage: `${otherPath}?${other}`, gatewayUrl }
    const { location, page, status } = await answer(request, shown).catch((error: unknown): Reply => ({
      status: 502,
      page: failurePage(shown, messageOf(error))
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

/** The parts of the gateway that the shop needs. */
interface ShopContext extends Pick<DemoGateway, "client" | "passDay"> {
  /** The gateway's time, which can be moved. */
  readonly now: () => Promise<Date>
}

/** The shop: its actions, and what it remembers while it runs. */
const makeShop = (context: ShopContext, shopUrl: string) => {
  const { client, now } = context
  const record = recorderOf(now)
  const orders = new Map<string, DemoOrder>()

  /** The open pages of each order. They are notified once the gateway has notified the shop of its payment. */
  const followers = new Map<DemoOrder, Set<() => void>>()

  const checkOrder = async (order: DemoOrder): Promise<void> => {
    const found = await Promise.all([
      client.getPayment(order.paymentId),
      client.getPaymentRefunds(order.paymentId)
    ]).catch((error: unknown) => {
      if (error instanceof GatewayError && error.reason._tag === "PaymentNotFound") return undefined
      throw error
    })
    // After a reset, the gateway uses its ids again.
    order.isForgotten = found?.[0].order_number !== order.orderNumber
    if (found === undefined || order.isForgotten) return
    const [{ amount, recurrence, state, sub_state }, refunds] = found
    order.state = state
    order.subState = sub_state
    order.recurrenceState = recurrence?.recurrence_state
    order.amount = amount ?? order.amount
    order.refunded = refunds.reduce((sum, refund) => sum + (refund.state === "FAILED" ? 0 : (refund.amount ?? 0)), 0)
  }

  const notify = client.createNotificationHandler({
    expected: (paymentId) => {
      const order = [...orders.values()].find((order) => order.paymentId === paymentId)
      return (
        order && {
          order_number: order.orderNumber,
          amount: order.article.amount,
          currency: order.article.currency,
          order
        }
      )
    },
    handler: async ({ order: { order } }) => {
      await record(order, "notified", "gateway.createNotificationHandler({ expected, handler })")
      await checkOrder(order)
      await record(order, "read", `await gateway.getPayment(${order.paymentId}) // ${order.state}`)
      await record(order, "refundsRead", `await gateway.getPaymentRefunds(${order.paymentId})`)
      order.notifications.push({ at: await now(), state: order.state })
      refreshPages(order.paymentId)
    }
  })

  /** Makes the open pages of a payment's order show what is new. */
  const refreshPages = (paymentId: number): void => {
    for (const [order, pages] of followers) if (order.paymentId === paymentId) for (const show of pages) show()
  }

  let lastNumber = 0
  const nextNumber = (): string => `${new Date().getFullYear()}-${String(++lastNumber).padStart(4, "0")}`

  const keep: Keep = (orderNumber, article, { gw_url = "", id, parent_id, state }) => {
    // After a reset, the gateway uses its ids again, and does not know the earlier orders.
    for (const { orderNumber, paymentId } of orders.values()) if (paymentId === id) orders.delete(orderNumber)
    const order: DemoOrder = {
      orderNumber,
      article,
      paymentId: id,
      parentId: parent_id,
      gwUrl: gw_url,
      state,
      subState: undefined,
      recurrenceState: undefined,
      amount: article.amount,
      refunded: 0,
      isReleased: false,
      isForgotten: false,
      notifications: [],
      steps: []
    }
    orders.set(orderNumber, order)
    return order
  }

  const placeOrder = async (article: Article, language: Language, isPaidHere: boolean): Promise<Reply> => {
    const orderNumber = nextNumber()
    const payment = await client.createPayment({
      amount: article.amount,
      currency: article.currency,
      order_number: orderNumber,
      order_description: article[language],
      lang: language === "cs" ? "CS" : "EN",
      callback: {
        return_url: `${shopUrl}${pageOf(orderNumber, language)}`,
        notification_url: `${shopUrl}/notify`
      },
      ...(article.sale === "hold" ? { preauthorization: true } : {}),
      ...(article.sale === "subscription"
        ? { recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" } }
        : {})
    })
    const order = keep(orderNumber, article, payment)
    const { amount, currency } = article
    await record(order, "created", `await gateway.createPayment({ amount: ${amount}, currency: "${currency}", … })`)
    const here = `${pageOf(orderNumber, language)}&pay=here`
    return { status: 303, location: isPaidHere ? here : (payment.gw_url ?? here) }
  }

  /** Notifies a page of notifications about its order; at once if there have been more than the page has seen. */
  const streamChanges = (response: ServerResponse, order: DemoOrder, seen: number): void => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    response.flushHeaders()
    const show = (): void => void response.write("data:\n\n")
    const pages = followers.get(order) ?? new Set()
    followers.set(order, pages.add(show))
    response.on("close", () => pages.delete(show))
    if (order.notifications.length > seen) show()
  }

  return {
    actions: actionsOf(context, nextNumber, keep),
    checkOrder,
    notify,
    orders,
    placeOrder,
    streamChanges,
    refreshPages
  }
}

/** Stores an order and its payment. */
type Keep = (
  orderNumber: string,
  article: Article,
  payment: {
    readonly gw_url?: string
    readonly id: number
    readonly parent_id?: number
    readonly state: string
  }
) => DemoOrder

/** The buttons of an order's page: what each does, and the order to show afterwards. */
const actionsOf = (
  { client, now, passDay }: ShopContext,
  nextNumber: () => string,
  keep: Keep
): { readonly [route: string]: (order: DemoOrder, search: URLSearchParams) => Promise<DemoOrder> } => {
  const record = recorderOf(now)
  return {
    "POST /refund": async (order, search) => {
      const amount = Number(search.get("amount"))
      const code = `await gateway.refundPayment(${order.paymentId}, { amount: ${amount} })`
      const refund = () => client.refundPayment(order.paymentId, { amount })
      await refund().catch(async (error: unknown) => {
        const reason = error instanceof GatewayError ? error.reason : undefined
        if (reason?._tag !== "OperationRefused" || reason.code !== 330) throw error
        await record(order, "refused", `${code} // 330`)
        await passDay()
        await record(order, "dayPassed", 'await localGateway.advanceTime("1 day")')
        await refund()
      })
      return record(order, "refunded", code)
    },
    "POST /capture": async (order) => {
      await client.captureAuthorization(order.paymentId)
      return record(order, "captured", `await gateway.captureAuthorization(${order.paymentId})`)
    },
    "POST /release": async (order) => {
      await client.voidAuthorization(order.paymentId)
      order.isReleased = true
      return record(order, "released", `await gateway.voidAuthorization(${order.paymentId})`)
    },
    "POST /charge": async ({ article, paymentId }) => {
      const orderNumber = nextNumber()
      const { amount, currency } = article
      const charge = { amount, currency, order_number: orderNumber, order_description: article.en }
      const { gw_url: _, ...payment } = await client.createRecurrence(paymentId, charge)
      const order = keep(orderNumber, article, payment)
      return record(order, "charged", `await gateway.createRecurrence(${paymentId}, { amount: ${amount}, … })`)
    },
    "POST /end-subscription": async (order) => {
      await client.voidRecurrence(order.paymentId)
      return record(order, "ended", `await gateway.voidRecurrence(${order.paymentId})`)
    }
  }
}

const pageOf = (orderNumber: string, language: Language): string => `/order?number=${orderNumber}&lang=${language}`

/** The entries of the gateway's log about an order's payment. Without them the page has no picture. */
const logOf = async (gatewayUrl: string, { isForgotten, paymentId }: DemoOrder): Promise<PaymentLog | undefined> => {
  if (isForgotten) return undefined
  try {
    const response = await fetch(`${gatewayUrl}/local-gateway/payments/${paymentId}`)
    const log: PaymentLog = JSON.parse(await response.text())
    return log
  } catch {
    return undefined
  }
}

/** The gateway's time, or this machine's if the gateway does not respond. */
const timeAt = async (gatewayUrl: string): Promise<Date> => {
  try {
    const response = await fetch(`${gatewayUrl}/local-gateway/state`)
    const { now }: { readonly now: string } = JSON.parse(await response.text())
    return new Date(now)
  } catch {
    return new Date()
  }
}

/** Records what happens to an order, and when. */
const recorderOf =
  (now: ShopContext["now"]) =>
  async (order: DemoOrder, what: DemoStep["what"], code: string): Promise<DemoOrder> => {
    order.steps.push({ at: await now(), what, code })
    return order
  }

/** The address of a request; one without a page if the request's address is invalid. */
const addressOf = ({ url = "/" }: IncomingMessage, shopUrl: string): URL =>
  new URL(URL.canParse(url, shopUrl) ? url : "/none", shopUrl)

const languageOf = (wanted: string | null, accepted: string | undefined): Language => {
  if (wanted === "cs" || wanted === "en") return wanted
  return /^(cs|sk)\b/.test(accepted ?? "") ? "cs" : "en"
}

/** The fields of a submitted form. */
const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) {
    text += String(chunk)
    if (text.length > maxForm) break
  }
  return new URLSearchParams(text)
}

/** The longest form that is read, in characters. */
const maxForm = 1000

/** Whether the request was sent by a page of another site. */
const isForeign = ({ headers }: IncomingMessage): boolean =>
  !["same-origin", "none", undefined].some((site) => site === headers["sec-fetch-site"])

/**
 * The merchant of a gateway without a seed, with the shop's name, which is the same in every language. The other
 * commands also work at this gateway.
 */
const demoMerchant = {
  goid: 8_123_456_781,
  client_id: "1234567884",
  client_secret: "L0calGtw",
  name: shopName
}

export const demoCommand = commandOf({
  name: "demo",
  summary: {
    en: "a shop and a gateway to try, in the browser",
    cs: "obchod a brána na vyzkoušení v prohlížeči"
  },
  usage: "demo [--port NUMBER] [--no-open]",
  about: {
    en: `Starts a local gateway and a small shop, and opens the shop in the browser: buy, pay with a
test card, see the notifications, refund, hold, charge again. No money moves. Ctrl-C stops it.`,
    cs: `Spustí lokální bránu a malý obchod a otevře ho v prohlížeči: nakupte, zaplaťte testovací kartou,
sledujte notifikace, vracejte, blokujte, strhávejte znovu. Skutečné peníze tu nejsou. Zastaví se
pomocí Ctrl-C.`
  },
  options: {
    port: {
      ...option("NUMBER", {
        en: "the shop's port; the gateway takes the one before it (default: 4647)",
        cs: "port obchodu; brána použije ten před ním (jinak 4647)"
      }),
      default: "4647"
    },
    "no-open": flag({ en: "open no browser", cs: "neotevírat prohlížeč" })
  },
  run: async (values, _, { language }) => {
    const port = portOf(values.port)
    // Loaded only here, since it takes time that --help does not need.
    const { startLocalGateway } = await import("../local-gateway/promise/index.js")
    const { createGatewayClient } = await import("../promise/index.js")
    const taken = (error: unknown): never => {
      throw new CommandFailure(1, ({ inEnglish }) => inEnglish(messageOf(error)))
    }
    const feed = new LogFeed()
    const gateway = await startLocalGateway({
      onEvent: feed.onEvent,
      port: port === 0 ? 0 : port - 1,
      seed: { merchants: [demoMerchant] },
      // Visitors would take it for a fault if they were not sent back.
      settings: { notificationTiming: "notificationFirst" }
    }).catch(taken)
    const client = createGatewayClient(gateway.merchant)
    const shop = await serveDemoShop(port, {
      client,
      feed,
      url: gateway.url,
      passDay: () => gateway.advanceTime("1 day")
    }).catch(async (error: unknown) => {
      await gateway.close()
      return taken(error)
    })
    const stop = async (): Promise<void> => {
      shop.close()
      await client.close()
      await gateway.close()
    }
    process.once("SIGINT", () => void stop()).once("SIGTERM", () => void stop())
    const { demo } = words[language]
    console.log(
      [`${demo.shop.padEnd(14)}${shop.url}`, `${demo.gateway.padEnd(14)}${gateway.url}`, "", demo.pay].join("\n")
    )
    if (!values["no-open"]) openBrowser(shop.url)
  }
})
