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
  /** Kills the shop when the gateway has carried a refund out, and before the shop hears of it; once. */
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

/** Runs a program; whether it ended well. */
const run = async (code: string): Promise<boolean> => {
  const module = `export default async ({ gateway, local, shop, console }) => {\n${code}\n}`
  const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }))
  try {
    const { default: program } = await import(address)
    await program({ gateway, local, shop, console: { log: say, error: say } })
    return true
  } catch (error) {
    say(error)
    return false
  } finally {
    URL.revokeObjectURL(address)
  }
}

const outcomes = isCzech
  ? { paid: "Děkujeme, zaplaceno.", open: "Zatím nezaplaceno.", shop: "Obchod" }
  : { paid: "Thank you, it is paid.", open: "It is not paid yet.", shop: "The shop" }

/** The page that a payer returns to. */
const returned = async (url: string): Promise<Response> => {
  const payment = await gateway.getPayment(Number(new URL(url).searchParams.get("id")))
  const outcome = isPaid(payment) ? outcomes.paid : outcomes.open
  const page = html`<!doctype html>
    <html lang="${isCzech ? "cs" : "en"}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${outcomes.shop}</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>
          <h1>${outcome}</h1>
          <p>${payment.order_number} · <code data-testid="returned">${payment.state}</code></p>
        </main>
      </body>
    </html> `
  return new Response(page.text, { headers: { "content-type": "text/html; charset=utf-8" } })
}

const answer = async (message: unknown): Promise<unknown> => {
  if (isRequest(message)) {
    return sentResponse(returned(message.url).catch((error: unknown) => new Response(shown(error), { status: 500 })))
  }
  const { code, type, url } = membersOf(message)
  if (type === "run") return run(String(code))
  if (type !== "notification") return undefined
  try {
    return (await notified(new Request(String(url)))).status
  } catch (error) {
    say(error)
    return 500
  }
}

const serve = ({ data, ports: [port] }: MessageEvent): void => {
  if (port === undefined) return
  if (membersOf(data)["type"] === "gateway") {
    const kept = membersOf(data)["rows"]
    if (kept instanceof Uint8Array) rows = kept
    port.addEventListener("message", serve)
    port.start()
    return connect(port)
  }
  void answer(data).then((answered) => port.postMessage(answered))
}
self.addEventListener("message", serve)
