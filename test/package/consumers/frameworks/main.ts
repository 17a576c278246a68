/**
 * Notifications on Node's own server, Express, Fastify and NestJS: with a prefix before the path, and a body parser in
 * the way. And a local gateway that is mounted in Express, Fastify, Hono and Vite.
 */
import "reflect-metadata"
import { serve } from "@hono/node-server"
import { All, Controller, type INestApplication, Module, Req, Res } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { createGatewayClient, type ExpectedPayment, toNodeHandler } from "effect-gopay/promise"
import { mountLocalGateway, startLocalGateway } from "effect-gopay/local-gateway/promise"
import express, { Router, type Request as ExpressRequest, type Response as ExpressResponse } from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { createServer, Server } from "node:http"
import { createServer as createViteServer } from "vite"

const expect = (what: string, actual: unknown, expected: unknown): void => {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== e) throw new Error(`${what}: expected ${e}, got ${a}`)
}

const local = await startLocalGateway()
const gateway = createGatewayClient(local.merchant)
const orders = new Map<number, ExpectedPayment>()
const handled: Array<string> = []

const notify = toNodeHandler(
  gateway.createNotificationHandler({
    expected: (paymentId) => orders.get(paymentId),
    handler: ({ payment }) => handled.push(`${payment.id} ${payment.state}`),
    onError: () => {}
  })
)

const listen = (server: Server): Promise<Server> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)))

const addressOf = (server: Server): string => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return `http://127.0.0.1:${address.port}`
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** Pays a payment, notifies the shop of it at an address, and looks what came of it. */
const check = async (name: string, address: string): Promise<void> => {
  const order = { amount: 139_950, currency: "CZK", order_number: name }
  const callback = { return_url: "https://shop.example/return" }
  const { id } = await gateway.createPayment({ ...order, callback })
  orders.set(id, order)
  await local.payByCard(id)

  const ask = async (query: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(`${address}${query}`, init)
    const allow = response.headers.get("allow")
    return [response.status, await response.text(), response.headers.get("cache-control"), allow]
  }
  const json = { method: "POST", headers: { "content-type": "application/json" }, body: `{ "id": ${id} }` }
  expect(`${name}: a notification`, await ask(`?id=${id}`), [200, "", "no-store", null])
  expect(`${name}: what the shop was told`, handled.splice(0), [`${id} PAID`])
  expect(`${name}: no id`, await ask("?order=1"), [400, "", "no-store", null])
  expect(`${name}: another's payment`, await ask("?id=3000000017"), [503, "", "no-store", null])
  expect(`${name}: a body, parsed by others`, await ask(`?id=${id}`, json), [405, "", "no-store", "GET"])
  expect(`${name}: what the shop was told of these`, handled.splice(0), [])
  console.log(`${name}: notified`)
}

/** Everything under a prefix; the body is read and parsed before. */
const expressApp = () => {
  const shop = Router()
  shop.use("/gopay/notify", notify)
  shop.all("/gopay/route", notify)
  const app = express()
  app.use(express.json(), express.urlencoded({ extended: true }))
  app.use("/api/v1", shop)
  return app
}

@Controller("gopay")
class NotificationController {
  @All("notify")
  notify(@Req() request: ExpressRequest, @Res() response: ExpressResponse): void {
    notify(request, response)
  }
}

@Module({ controllers: [NotificationController] })
class ShopModule {}

const plain = await listen(createServer(notify))
await check("node:http", `${addressOf(plain)}/notify`)
await closed(plain)

const onExpress = await listen(createServer(expressApp()))
await check("Express, middleware", `${addressOf(onExpress)}/api/v1/gopay/notify`)
await check("Express, route", `${addressOf(onExpress)}/api/v1/gopay/route`)
await closed(onExpress)

const onFastify = fastify()
await onFastify.register(async (shop) => void shop.all("/gopay/notify", notify), { prefix: "/api/v1" })
await check("Fastify", `${await onFastify.listen({ port: 0, host: "127.0.0.1" })}/api/v1/gopay/notify`)
await onFastify.close()

const nest: INestApplication = await NestFactory.create(ShopModule, { logger: false })
nest.setGlobalPrefix("api/v1")
nest.use("/gopay/notify", notify)
await nest.listen(0, "127.0.0.1")
const address = (await nest.getUrl()).replace("[::1]", "127.0.0.1")
await check("NestJS, controller", `${address}/api/v1/gopay/notify`)
await check("NestJS, main.ts", `${address}/gopay/notify`)
await nest.close()

await gateway.close()

/** Pays a payment at a gateway that is mounted below `/gopay` of an address. */
const checkMounted = async (name: string, address: string): Promise<void> => {
  await using mounted = createGatewayClient({ ...local.merchant, environment: `${address}/gopay` })
  const callback = { return_url: `${address}/return` }
  const { gw_url, id } = await mounted.createPayment({ amount: 1000, currency: "CZK", order_number: name, callback })
  expect(`${name}: its pay page`, gw_url.startsWith(`${address}/gopay/gw/`), true)
  expect(`${name}: the pay page opens`, (await fetch(gw_url)).status, 200)
  const script = await fetch(`${address}/gopay/local-gateway/dashboard/main.js`)
  expect(`${name}: the dashboard's script`, [script.status, (await script.text()).includes("import")], [200, true])
  const headers = { "content-type": "application/json" }
  const act = `${address}/gopay/local-gateway/payments/${id}/pay-by-card`
  expect(`${name}: paid`, (await fetch(act, { method: "POST", headers, body: "{}" })).status, 200)
  expect(`${name}: its state`, (await mounted.getPayment(id)).state, "PAID")
  const shop = await fetch(`${address}/shop`)
  expect(`${name}: the shop beside it`, await shop.text(), "the shop")
  console.log(`${name}: a gateway mounted`)
}

const withGateway = express()
const ofExpress = mountLocalGateway()
withGateway.use(ofExpress.node)
withGateway.use(express.json())
withGateway.get("/shop", (_, response) => void response.send("the shop"))
const expressServer = await listen(createServer(withGateway))
await checkMounted("Express", addressOf(expressServer))
await closed(expressServer)

const fastifyShop = fastify()
const ofFastify = mountLocalGateway()
fastifyShop.addHook("onRequest", (request, reply, done) => ofFastify.node(request.raw, reply.raw, () => done()))
fastifyShop.get("/shop", () => "the shop")
await checkMounted("Fastify", await fastifyShop.listen({ port: 0, host: "127.0.0.1" }))
await fastifyShop.close()

const ofHono = mountLocalGateway()
const honoShop = new Hono()
honoShop.all("/gopay/*", (context) => ofHono.fetch(context.req.raw))
honoShop.get("/shop", (context) => context.text("the shop"))
const honoServer = await new Promise<Server>((resolve) => {
  const server: unknown = serve({ fetch: honoShop.fetch, port: 0, hostname: "127.0.0.1" }, () => {
    if (server instanceof Server) resolve(server)
  })
})
await checkMounted("Hono", addressOf(honoServer))
await closed(honoServer)

const ofVite = mountLocalGateway()
const vite = await createViteServer({
  configFile: false,
  logLevel: "silent",
  server: { host: "127.0.0.1", port: 0 },
  plugins: [
    {
      name: "local-gateway",
      configureServer: ({ middlewares }) => {
        middlewares.use(ofVite.node)
        middlewares.use("/shop", (_, response) => void response.end("the shop"))
      }
    }
  ]
})
await vite.listen()
await checkMounted("Vite", (vite.resolvedUrls?.local[0] ?? "").replace(/\/$/, ""))
await vite.close()

for (const mounted of [ofExpress, ofFastify, ofHono, ofVite]) await mounted.close()

await local.close()
