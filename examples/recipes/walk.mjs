/**
 * Walks through the shop of the current folder as a payer and a shopkeeper would: `node ../walk.mjs`. A local gateway
 * stands in for GoPay. The shop's page lets its form go to the pay page, and two clicks on it at once are one payment.
 * The order is paid, the shop hears of it, and a part is refunded, once, a day later. Then payers come back with
 * addresses that name no payment of the shop, and while the gateway is away: each reads a sentence that is meant for
 * them. Then its gateway is another container, over plain http. At last the shop is started without its variables, and says what to run; a framework's server shows its front
 * page. A shop without a ledger is asked for the refund only once, and clicks on its page come one after the other:
 * `--no-ledger`. The last argument is the npm script that starts the shop, `start` unless told otherwise.
 */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { pathToFileURL } from "node:url"

const [, , ...args] = process.argv
const hasLedger = !args.includes("--no-ledger")
const script = args.find((arg) => !arg.startsWith("--")) ?? "start"
const { resolve } = createRequire(join(process.cwd(), "package.json"))
const load = (entry) => import(pathToFileURL(resolve(entry)).href)
const { startLocalGateway } = await load("effect-gopay/local-gateway/promise")
const { createGatewayClient, payerMessage } = await load("effect-gopay/promise")

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address()
      server.close(() => found(port))
    })
  })

/** Retries until something is there, for at most a minute. */
const eventually = async (what, look) => {
  for (const end = Date.now() + 60_000; Date.now() < end; await setTimeout(5)) {
    const found = await look().catch(() => undefined)
    if (found !== undefined && found !== false) return found
  }
  throw new Error(`No ${what} within a minute.`)
}

const folder = mkdtempSync(join(tmpdir(), "recipe-"))
const local = await startLocalGateway()
const port = await freePort()
const url = `http://localhost:${port}`
const { clientId, clientSecret, environment, goid } = local.merchant

/** Starts the shop with these variables instead of the caller's. */
const startShop = (variables) => {
  const own = Object.entries(process.env).filter(([name]) => !/^(GOPAY_|SHOP_URL$)/.test(name))
  const shop = spawn("npm", ["run", "-s", script], {
    env: {
      ...Object.fromEntries(own),
      NODE_ENV: "production",
      DATABASE: join(folder, "shop.db"),
      PORT: String(port),
      // As behind a proxy that ends TLS.
      PROTOCOL_HEADER: "x-forwarded-proto",
      ...variables
    },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const started = { output: "", hasEnded: () => shop.exitCode !== null || shop.signalCode !== null }
  for (const stream of [shop.stdout, shop.stderr]) stream.on("data", (text) => (started.output += text))
  const stop = (signal) => {
    try {
      process.kill(-shop.pid, signal)
    } catch (error) {
      if (error.code !== "ESRCH") throw error
    }
  }
  return Object.assign(started, { stop })
}

const variables = {
  GOPAY_GOID: String(goid),
  GOPAY_CLIENT_ID: clientId,
  GOPAY_CLIENT_SECRET: clientSecret,
  GOPAY_ENVIRONMENT: environment,
  SHOP_URL: url
}
let shop = startShop(variables)

const unknownPayment = payerMessage({ _tag: "NotificationError", reason: { _tag: "UnknownPayment" } }, "en").text
const uncheckedPayment = payerMessage(
  { _tag: "GatewayError", operation: "getPayment", reason: { _tag: "GatewayUnavailable" } },
  "en"
).text

/** The name and the value of the page's hidden field. */
const fieldOf = (page) => {
  const [input] = /<input [^>]*type="hidden"[^>]*>/.exec(page) ?? []
  assert.ok(input, page)
  return ["name", "value"].map((attribute) => new RegExp(` ${attribute}="([^"]+)"`).exec(input)?.[1])
}

/** What a browser sends with the shop's own form. */
const form = (values) => ({
  method: "POST",
  redirect: "manual",
  headers: { origin: url, "x-forwarded-proto": "http" },
  body: new URLSearchParams(values)
})

try {
  // From the moment that it listens, as a load balancer does.
  const front = await eventually("shop", () => fetch(url, { signal: AbortSignal.timeout(60_000) }))
  const policy = front.headers.get("content-security-policy") ?? ""

  // Two clicks on one page are one order and one payment; a page loaded anew is another order, and no cache keeps it.
  assert.match(front.headers.get("cache-control") ?? "", /no-store/)
  const [field, number] = fieldOf(await front.text())
  assert.notEqual(number, fieldOf(await (await fetch(url)).text())[1])
  const buy = (value) => fetch(`${url}/checkout`, form({ [field]: value }))
  const clicks = hasLedger ? await Promise.all([buy(number), buy(number)]) : [await buy(number), await buy(number)]
  for (const click of clicks) assert.equal(click.status, 303, await click.text())
  const payments = await local.listPayments()
  assert.equal(payments.length, 1)
  const [payment] = payments
  for (const click of clicks) assert.equal(click.headers.get("location"), payment.gw_url)
  for (const wrong of ["", "1", `${number}0`, `${number}'`]) {
    const response = await buy(wrong)
    assert.equal(response.status, 400, wrong)
    assert.match(await response.text(), / /)
  }
  const unnumbered = await fetch(`${url}/checkout`, { ...form({}), body: undefined })
  assert.ok([400, 415].includes(unnumbered.status), await unnumbered.text())
  assert.equal((await local.listPayments()).length, 1)
  // A browser also checks where a form is redirected to.
  assert.ok(policy.includes(`form-action 'self' ${new URL(payment.gw_url).origin};`), policy)

  const returned = async (query = `?id=${payment.id}`) => {
    const response = await fetch(`${url}/return${query}`)
    assert.notEqual(response.status, 500)
    return response.text()
  }
  assert.ok((await returned()).includes(payerMessage({ state: "CREATED" }, "en").text), await returned())

  await local.payByCard(payment.id)
  await eventually("notification that the shop has taken", async () =>
    (await local.listEvents()).some(({ status, type }) => type === "notification" && status === 200)
  )
  assert.ok((await returned()).includes(payerMessage({ state: "PAID" }, "en").text), await returned())

  const refund = (key, amount = "9950") => fetch(`${url}/orders/${payment.order_number}/refund`, form({ key, amount }))
  // A partial refund is refused for a day. The refusal uses up the key; later clicks take the next one.
  const early = await refund("complaint-1")
  assert.ok([409, 503].includes(early.status), await early.text())
  await local.advanceTime("1 day")
  // With a ledger, one key is one refund, however often and by whomever it is requested.
  const times = hasLedger ? 3 : 1
  const refunds = await Promise.all(Array.from({ length: times }, () => refund("complaint-1")))
  for (const response of refunds) assert.ok([200, 202].includes(response.status), await response.text())
  await eventually("refund", async () => (await local.listPayments())[0].state === "PARTIALLY_REFUNDED")
  const client = createGatewayClient(local.merchant)
  assert.equal((await client.getPaymentRefunds(payment.id)).length, 1)
  // Typing errors of staff, and a key with another amount, are answered with a sentence.
  const wrong = hasLedger
    ? { "": "100", "complaint-2": "12.5", "complaint-3": "", "complaint-1": "100" }
    : { a: "12.5" }
  for (const [key, amount] of Object.entries(wrong)) {
    const response = await refund(key, amount)
    assert.equal(response.status, key === "complaint-1" ? 409 : 400, `${key}: ${await response.clone().text()}`)
    assert.match(await response.text(), / /)
  }
  const bare = await fetch(`${url}/orders/${payment.order_number}/refund`, { ...form({}), body: undefined })
  assert.ok([400, 415].includes(bare.status), await bare.text())
  await client.close()
  // workerd logs this when a connection is closed while it writes.
  const isDisconnect = (line) => /^workerd\/server\/.* disconnected: /.test(line)
  const troubles = shop.output
    .split("\n")
    .filter((line) => /error|warn|⚠|deprecat|experimental/i.test(line) && !isDisconnect(line))
  assert.deepEqual(troubles, [])

  for (const query of ["", "?id=", "?id=%27%3Cscript%3E", "?id=1&id=2", "?id=3000000001"]) {
    assert.ok((await returned(query)).includes(unknownPayment), `${query}: ${await returned(query)}`)
  }
  await local.close()
  assert.ok((await returned()).includes(uncheckedPayment), await returned())

  // A stopping shop finishes what it has begun, and then exits.
  shop.stop("SIGTERM")
  await eventually("end of the shop", async () => shop.hasEnded())
  shop.stop("SIGKILL")

  // The gateway is another container, which is reached over plain http.
  shop = startShop({ ...variables, GOPAY_ENVIRONMENT: "http://gopay.invalid:4646", GOPAY_ALLOW_INSECURE: "true" })
  const insecure = await eventually("shop whose gateway is another container", () => fetch(url))
  const itsPolicy = insecure.headers.get("content-security-policy") ?? ""
  assert.ok(itsPolicy.includes("form-action 'self' http://gopay.invalid:4646;"), itsPolicy)
  shop.stop("SIGTERM")
  await eventually("end of the shop", async () => shop.hasEnded())
  shop.stop("SIGKILL")

  shop = startShop({})
  await eventually("word of what to run", async () => shop.output.includes("npx effect-gopay local-gateway"))
  // A framework's server continues with the pages that need no payment; a standalone shop exits.
  if (["nextjs", "nitro", "sveltekit"].includes(basename(process.cwd()))) {
    await eventually("front page without variables", () => fetch(url).then(({ ok }) => ok))
    // Nor is it the notification's fault.
    assert.equal((await fetch(`${url}/notify?id=1`)).status, 503)
  }
  console.log(`${basename(process.cwd())}, ${script}: paid, notified, refunded in part; a sentence for every payer`)
} catch (error) {
  console.error(shop.output)
  throw error
} finally {
  shop.stop("SIGKILL")
  await local.close()
  rmSync(folder, { recursive: true, force: true })
}
