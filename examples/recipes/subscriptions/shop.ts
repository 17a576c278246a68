import { randomUUID } from "node:crypto"
import { createLedger, fileStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv, toNodeHandler } from "effect-gopay/promise"
import express from "express"
import { createTables, membersOf, onSubscription } from "./members.ts"

const { DATABASE = "shop.db", GOPAY_INSTALLATION, PORT = 3000 } = process.env
const gateway = createGatewayClient(optionsFromEnv(process.env))
const store = fileStore(DATABASE)
await createTables(store)

/** Start it once in each process: it charges what is due and finishes what another process left open. */
const ledger = createLedger({ gateway, store, installation: GOPAY_INSTALLATION, onSubscription })
await ledger.migrate()
ledger.startWorker()

const members = membersOf(ledger, store)

/** A content security policy that lets the shop's form go to the pay page. GoPay's samples show two addresses of it for production. */
const policyFor = (script: string) => {
  const { origin } = new URL(script)
  const payPages = origin === "https://gate.gopay.cz" ? `${origin} https://gate.gopay.com` : origin
  return `default-src 'self'; form-action 'self' ${payPages}; frame-ancestors 'none'; base-uri 'none'`
}

const policy = policyFor(gateway.getEmbedJsUrl())

/** Every hour, or in a cron job: a month is still charged only once. */
const charging = setInterval(() => members.chargeMonth(new Date()).catch(console.error), 3_600_000)

// A stopping process waits for changes in flight.
process.once("SIGTERM", () => {
  clearInterval(charging)
  void ledger.close().then(() => process.exit())
})

/** What the page puts into its form: two clicks on one page are one member, and a page loaded anew is another. */
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const front = () => `<form method="post" action="/checkout">
  <input type="hidden" name="name" value="${randomUUID()}">
  <button>Join for 299 CZK a month</button>
</form>`

const shop = express()
shop.use(express.urlencoded())

shop.get("/", (_, response) => {
  response.set({ "content-security-policy": policy, "cache-control": "no-store" }).send(front())
})

shop.post("/checkout", async (request, response) => {
  // The page's name, so that two clicks are one member. A real shop takes that of the customer who is logged in.
  const { name } = request.body ?? {}
  if (typeof name !== "string" || !uuid.test(name)) {
    response.status(400).send("Please reload the shop's page, and join again.")
    return
  }
  const { gwUrl, message, status } = await members.join(name, new Date())
  if (gwUrl === undefined) response.status(status).send(message)
  else response.redirect(303, gwUrl)
})

shop.get("/return", async (request, response) => {
  response.type("text").send(await members.returned(request.url))
})

shop.get("/notify", toNodeHandler(ledger.notificationHandler()))

// Put everything below behind your own login.
shop.get("/members/:name", async (request, response) => {
  const member = await members.find(request.params.name)
  if (member === undefined) response.status(404).send("There is no such member.")
  else response.json(member)
})

shop.post("/members/:name/card", async (request, response) => {
  const { gwUrl, message, status } = await members.replaceCard(request.params.name)
  if (gwUrl === undefined) response.status(status).send(message)
  else response.redirect(303, gwUrl)
})

shop.post("/members/:name/cancel", async (request, response) => {
  response.type("text").send(await members.cancel(request.params.name))
})

shop.post("/orders/:number/refund", async (request, response) => {
  const { amount, key } = request.body ?? {}
  const { message, status } = await members.refund(request.params.number, key, Number(amount))
  response.status(status).send(message)
})

shop.listen(PORT)
