/**
 * The shop of a tab, in a worker of its own: it runs the reader's code with a client of the gateway, shows the page that
 * the payer returns to, and takes notifications.
 */
import { createGatewayClient, GatewayError, isPaid } from "../../dist/promise/index.js"
import { ask, isResponse, isRequest, membersOf, receivedResponse, sentRequest, sentResponse, tell } from "./Exchange.js"
import { html } from "../../src/html/Html.js"
import type * as ShopLedgerModule from "./shopLedger.js"

type ShopLedger = typeof ShopLedgerModule

/** A function that takes a notification. */
type Notified = (request: Request) => Promise<Response>

const { home, language, merchant, wasKilled } = JSON.parse(self.name)
const isCzech = language === "cs"

/** The way to the gateway, which comes with the first message. */
const { promise: gatewayPort, resolve: connect } = ((): {
  readonly promise: Promise<MessagePort>
  readonly resolve: (port: MessagePort) => void
} => {
  let resolve: (port: MessagePort) => void = () => undefined
  const promise = new Promise<MessagePort>((taken) => (resolve = taken))
  return { promise, resolve }
})()

/** The path of the requests at whose response the shop is killed. */
let killedAt: RegExp | undefined

const connected = {
  ...merchant,
  fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const response = await ask(await gatewayPort, await sentRequest(request))
    if (killedAt?.test(request.url) === true) {
      tell({ type: "kill" })
      return new Promise<Response>(() => undefined)
    }
    if (isResponse(response)) return receivedResponse(response)
    throw new TypeError("The connection was lost.")
  }
}

const gateway = createGatewayClient(connected)

/** What the shop that was stopped has committed. */
let rows: Uint8Array | undefined

let ledger: Promise<unknown> | undefined

/** Opens the shop's ledger, whose script is loaded only now. */
const openLedger = (): Promise<unknown> =>
  (ledger ??= (async () => {
    const { openLedger }: ShopLedger = await import(new URL("shopLedger.js", import.meta.url).href)
    return openLedger({ merchant: connected, rows, keep: (committed) => tell({ type: "rows", rows: committed }) })
  })())

/** Every operation goes to the gateway's worker. */
const local = new Proxy(
  {},
  {
    get:
      (_, name) =>
      async (...args: ReadonlyArray<unknown>) => {
        const { error, value } = membersOf(await ask(await gatewayPort, { type: "control", name: String(name), args }))
        if (error !== undefined) throw new Error(shown(error))
        return value
      }
  }
)

let notified: Notified = async () => new Response()

const returnUrl = `${home}/return`
const notificationUrl = `${home}/notify`

const shop = {
  returnUrl,
  notificationUrl,
  order: {
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: returnUrl, notification_url: notificationUrl }
  },
  redirect: (url: string) => tell({ type: "redirect", url }),
  onNotification: (handler: Notified) => {
    notified = handler
  },
  openLedger,
  /** Kills the shop once, after the gateway has carried a refund out and before the shop learns of it. */
  killAtRefund: () => {
    if (wasKilled !== true) killedAt = /\/refund$/
  }
}

const shown = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof GatewayError) return `GatewayError ${value.reason._tag}: ${value.message}`
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return JSON.stringify(value, null, 1) ?? String(value)
}

const say = (...values: ReadonlyArray<unknown>): void => tell({ type: "said", text: values.map(shown).join(" ") })

/** Runs a program. Posted on the worker's own channel, its end arrives after what it said; replies on ports may not. */
const run = async (code: string): Promise<void> => {
  const module = `export default async ({ gateway, local, shop, console }) => {\n${code}\n}`
  const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }))
  try {
    const { default: program } = await import(address)
    await program({ gateway, local, shop, console: { log: say, error: say } })
    tell({ type: "completed" })
  } catch (error) {
    say(error)
    tell({ type: "failed" })
  } finally {
    URL.revokeObjectURL(address)
  }
}

const texts = isCzech
  ? {
      shop: "Knihkupectví U Oříšku",
      cart: "Košík",
      paid: "Děkujeme, zaplaceno.",
      open: "Zatím nezaplaceno.",
      packing: "Knihu zabalíme a odešleme ještě dnes.",
      waiting: "Objednávka na vás počká. Můžete zaplatit znovu.",
      order: "Objednávka",
      book: "Kniha o platbách",
      total: "Celkem",
      state: "Stav u brány"
    }
  : {
      shop: "The Nutshell Bookshop",
      cart: "Cart",
      paid: "Thank you, it is paid.",
      open: "It is not paid yet.",
      packing: "We pack your book and send it today.",
      waiting: "Your order waits for you. You can pay again.",
      order: "Order",
      book: "A book about payments",
      total: "Total",
      state: "State at the gateway"
    }

const returnStyle = html`<style>
  :root {
    color-scheme: light dark;
    font:
      1rem/1.5 system-ui,
      sans-serif;
  }
  body {
    margin: 0;
    background: light-dark(#faf6ee, #1b1a17);
    color: light-dark(#2a2118, #efe9dd);
  }
  header {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    padding: 0.75rem 1rem;
    background: light-dark(#5b3a1e, #3a2a1a);
    color: #fff;
  }
  main {
    max-width: 30rem;
    margin: 0 auto;
    padding: 1rem;
  }
  h1 {
    margin: 0.5rem 0;
    font-size: 1.5rem;
    line-height: 1.25;
  }
  dl {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.5rem 1rem;
    margin: 1rem 0;
    padding: 1rem;
    border-radius: 0.5rem;
    background: light-dark(#fff, #26241f);
  }
  dd {
    margin: 0;
    text-align: right;
  }
  .total {
    font-weight: 700;
    border-top: 1px solid light-dark(#cdbfa8, #5a5345);
    padding-top: 0.5rem;
  }
</style>`

/** The page that a payer returns to. */
const returned = async (url: string): Promise<Response> => {
  const payment = await gateway.getPayment(Number(new URL(url).searchParams.get("id")))
  const [outcome, promise] = isPaid(payment) ? [texts.paid, texts.packing] : [texts.open, texts.waiting]
  const amount = new Intl.NumberFormat(language, { style: "currency", currency: payment.currency ?? "CZK" }).format(
    (payment.amount ?? 0) / 100
  )
  const page = html`<!doctype html>
    <html lang="${isCzech ? "cs" : "en"}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${texts.shop}</title>
        <link rel="icon" href="data:," />
        ${returnStyle}
      </head>
      <body>
        <header><b>${texts.shop}</b><span>${texts.cart} (0)</span></header>
        <main>
          <h1>${outcome}</h1>
          <p>${promise}</p>
          <dl>
            <dt>${texts.order}</dt>
            <dd>${payment.order_number}</dd>
            <dt>${texts.book}</dt>
            <dd>${amount}</dd>
            <dt class="total">${texts.total}</dt>
            <dd class="total">${amount}</dd>
            <dt>${texts.state}</dt>
            <dd><code data-testid="returned">${payment.state}</code></dd>
          </dl>
        </main>
      </body>
    </html> `
  return new Response(page.text, { headers: { "content-type": "text/html; charset=utf-8" } })
}

const answer = async (message: unknown): Promise<unknown> => {
  if (isRequest(message)) {
    return sentResponse(returned(message.url).catch((error: unknown) => new Response(shown(error), { status: 500 })))
  }
  const { type, url } = membersOf(message)
  if (type !== "notification") return undefined
  try {
    return (await notified(new Request(String(url)))).status
  } catch (error) {
    say(error)
    return 500
  }
}

const serve = ({ data, ports: [port] }: MessageEvent): void => {
  const { code, rows: kept, type } = membersOf(data)
  if (type === "run") return void run(String(code))
  if (port === undefined) return
  if (type === "gateway") {
    if (kept instanceof Uint8Array) rows = kept
    port.addEventListener("message", serve)
    port.start()
    return connect(port)
  }
  void answer(data).then((answered) => port.postMessage(answered))
}
self.addEventListener("message", serve)
