/**
 * Notifications on Node's own server, Express, Fastify and NestJS: with a prefix before the path, and a body parser in
 * the way.
 */
import "reflect-metadata"
import { All, Controller, type INestApplication, Module, Req, Res } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { createGatewayClient, type ExpectedPayment, toNodeHandler } from "effect-gopay/promise"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import express, { Router, type Request as ExpressRequest, type Response as ExpressResponse } from "express"
import fastify from "fastify"
import { createServer, type Server } from "node:http"

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
await local.stop()
