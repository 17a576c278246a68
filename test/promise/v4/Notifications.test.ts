/**
 * Payments of API v4 that a notification or a returning payer names: verified by a read, and nothing believed but the id.
 */
import { Agent, createServer, request } from "node:http"
import { describe, expect, it } from "vitest"
import { startLocalGateway, type RunningLocalGateway } from "../../../src/local-gateway/promise/index.js"
import {
  createGatewayClient,
  type ExpectedPaymentV4,
  type GatewayClientV4,
  NotificationErrorV4,
  type NotificationRequestV4,
  type PaymentIdV4,
  paymentIdV4,
  toNodeHandler,
  type VerifiedPaymentV4
} from "../../../src/promise/v4/index.js"
import { orderV4 } from "../../support/GatewayV4.js"

const { amount, currency, order_number } = orderV4
const terms = { amount, currency, order_number }

interface Scene {
  readonly gateway: GatewayClientV4
  readonly local: RunningLocalGateway
  readonly id: PaymentIdV4
  /** The operations that were sent, tokens aside. */
  readonly sent: ReadonlyArray<string>
}

/** A shop with one payment. */
const scene = async (test: (scene: Scene) => Promise<void>): Promise<void> => {
  await using local = await startLocalGateway()
  const { clientId, clientSecret, environment, goid } = local.merchant
  const operations: Array<string> = []
  await using gateway = createGatewayClient({
    goid,
    clientId,
    clientSecret,
    environment,
    observer: ({ operation }) => operations.push(operation)
  })
  const { id } = await gateway.createPayment(orderV4)
  await Promise.resolve()
  operations.length = 0
  await test({ gateway, local, id, sent: operations })
}

const expecting =
  (known: PaymentIdV4, stored: ExpectedPaymentV4 = terms) =>
  (id: PaymentIdV4): ExpectedPaymentV4 | undefined =>
    id === known ? stored : undefined

const reasonOf = async (call: Promise<unknown>): Promise<NotificationErrorV4["reason"]> => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error
  )
  if (error instanceof NotificationErrorV4) return error.reason
  throw new Error(`not rejected with a NotificationErrorV4: ${String(error)}`)
}

/** A body without an end, and what was taken of it in bytes. */
const endlessBody = () => {
  let bytes = 0
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      bytes += 1_000
      controller.enqueue(new Uint8Array(1_000).fill(0x20))
    },
    cancel: () => {
      isCancelled = true
    }
  })
  return { stream, given: () => bytes, isCancelled: () => isCancelled }
}

const strange = paymentIdV4("9999999998")

describe("verifyPayment of API v4", () => {
  it("reads the payment that a return names, or that has the id", () =>
    scene(async ({ gateway, id, local }) => {
      await local.payByCard(id)
      const sources = [`/return?order=1&id=${id}`, new URL(`https://shop.example/return?payment_id=${id}`), id]
      for (const source of sources) {
        expect(await gateway.verifyPayment(source, expecting(id))).toMatchObject({
          order: terms,
          payment: { id, state: "PAID" }
        })
      }
    }))

  it("reads nothing of what names no payment, or one that the shop does not know", () =>
    scene(async ({ gateway, id, sent }) => {
      expect(await reasonOf(gateway.verifyPayment("/return", expecting(id)))).toMatchObject({
        _tag: "InvalidNotification"
      })
      expect(await reasonOf(gateway.verifyPayment(`/return?id=${strange}`, expecting(id)))).toMatchObject({
        _tag: "UnknownPayment",
        paymentId: strange
      })
      expect(sent).toEqual([])
    }))

  it.each([
    ["amount", { ...terms, amount: 1 }],
    ["currency", { ...terms, currency: "EUR" }],
    ["order_number", { ...terms, order_number: "another" }]
  ] as const)("fails when the %s is not as expected", (field, stored) =>
    scene(async ({ gateway, id }) => {
      expect(await reasonOf(gateway.verifyPayment(`?id=${id}`, expecting(id, stored)))).toMatchObject({
        _tag: "PaymentMismatch",
        paymentId: id,
        differences: [{ field }]
      })
    })
  )

  it("says what it could not ask the shop, or not compare", () =>
    scene(async ({ gateway, id }) => {
      const failing = () => Promise.reject(new Error("the database is away"))
      const reason = await reasonOf(gateway.verifyPayment(id, failing))
      expect(reason).toMatchObject({ _tag: "ExpectationFailed", paymentId: id })
      const asText = JSON.parse(JSON.stringify({ ...terms, amount: String(amount) }))
      expect(await reasonOf(gateway.verifyPayment(id, () => asText))).toMatchObject({ errors: [{ field: "amount" }] })
    }))
})

describe("the notification handler of API v4", () => {
  const handlerOf = ({ gateway, id }: Scene, stored?: ExpectedPaymentV4) => {
    const seen: Array<VerifiedPaymentV4> = []
    const errors: Array<readonly [string, PaymentIdV4 | undefined]> = []
    const handle = gateway.createNotificationHandler({
      expected: expecting(id, stored),
      handler: (verified) => void seen.push(verified),
      onError: ({ reason }, paymentId) => void errors.push([reason._tag, paymentId])
    })
    return { seen, errors, handle }
  }

  const address = "https://shop.example/notify"

  const forms: ReadonlyArray<readonly [string, (id: string) => NotificationRequestV4]> = [
    ["GET with id", (id) => new Request(`${address}?id=${id}`)],
    ["GET with payment_id", (id) => new Request(`${address}?payment_id=${id}`)],
    ["POST with id in the address", (id) => new Request(`${address}?id=${id}`, { method: "POST" })],
    ["POST of JSON", (id) => new Request(address, { method: "POST", body: JSON.stringify({ id, state: "PAID" }) })],
    ["POST of a form", (id) => new Request(address, { method: "POST", body: new URLSearchParams({ payment_id: id }) })],
    [
      "GET with a body, which is not looked at",
      (id) => ({ method: "GET", url: `/notify?id=${id}`, body: { id: strange } })
    ],
    ["POST of a body that is parsed", (id) => ({ method: "POST", url: "/notify", body: { payment_id: id } })]
  ]

  it.each(forms)("takes %s, and believes nothing of it but the id", (_, request) =>
    scene(async (all) => {
      const { handle, seen } = handlerOf(all)
      const response = await handle(request(all.id))
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
      expect(seen).toMatchObject([{ order: terms, payment: { id: all.id, state: "CREATED" } }])
      expect(all.sent).toEqual(["v4.getPayment"])
    })
  )

  const refused: ReadonlyArray<readonly [string, number, (id: string) => NotificationRequestV4]> = [
    ["another method", 405, (id) => new Request(`${address}?id=${id}`, { method: "PUT" })],
    ["no id", 400, () => new Request(address, { method: "POST", body: "{}" })],
    ["two ids", 400, (id) => new Request(`${address}?id=${id}`, { method: "POST", body: `{"id":"${strange}"}` })],
    ["a body too long to look at", 400, (id) => ({ method: "POST", url: "/", body: { id, more: "x".repeat(10_000) } })],
    [
      "a body that breaks off",
      400,
      () => ({ method: "POST", url: "/", text: () => Promise.reject(new Error("aborted")) })
    ],
    ["a payment that the shop does not know", 503, () => new Request(`${address}?id=${strange}`)]
  ]

  it.each(refused)("answers %s with %i, and reads nothing", (_, status, request) =>
    scene(async (all) => {
      const { handle, seen } = handlerOf(all)
      const response = await handle(request(all.id))
      expect(response.status).toBe(status)
      expect(response.headers.get("allow")).toBe(status === 405 ? "GET, POST" : null)
      expect(seen).toEqual([])
      expect(all.sent).toEqual([])
    })
  )

  it("reads no more of a body than names a payment", () =>
    scene(async (all) => {
      const { handle } = handlerOf(all)
      const endless = endlessBody()
      const streamed = { method: "POST", body: endless.stream, duplex: "half" }
      const request = new Request(address, streamed)
      expect((await handle(request)).status).toBe(400)
      expect(endless.given()).toBeLessThan(20_000)
      expect(endless.isCancelled()).toBe(true)
    }))

  it("reads no more of it on Node's own server", () =>
    scene(async (all) => {
      const { handle } = handlerOf(all)
      let given = 0
      const request = {
        method: "POST",
        url: "/notify",
        async *[Symbol.asyncIterator]() {
          for (;;) {
            given += 1_000
            yield new Uint8Array(1_000)
            await Promise.resolve()
          }
        }
      }
      const status = await new Promise<number>((resolve) =>
        toNodeHandler(handle)(request, { headersSent: false, writeHead: resolve, end: () => {} })
      )
      expect(status).toBe(400)
      expect(given).toBeLessThan(20_000)
    }))

  it("answers a body that is too long on a connection that stays open", () =>
    scene(async (all) => {
      const { handle, seen } = handlerOf(all)
      const server = createServer(toNodeHandler(handle))
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const connections: Array<unknown> = []
      server.on("connection", (socket) => connections.push(socket))
      const address = server.address()
      const port = typeof address === "object" ? address?.port : undefined
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const post = (body: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const sent = request({ port, agent, method: "POST", path: "/notify" }, (response) => {
            response.resume().on("end", () => resolve(response.statusCode))
          })
          sent.on("error", reject).end(body)
        })
      expect(await post(JSON.stringify({ id: all.id, more: "x".repeat(1_000_000) }))).toBe(400)
      expect(await post(JSON.stringify({ id: all.id }))).toBe(200)
      expect(connections).toHaveLength(1)
      expect(seen).toHaveLength(1)
      agent.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    }))

  it("asks the gateway to repeat what is not as expected, and tells the shop why", () =>
    scene(async (all) => {
      const { errors, handle, seen } = handlerOf(all, { ...terms, amount: 1 })
      expect((await handle(new Request(`${address}?id=${all.id}`))).status).toBe(503)
      expect(seen).toEqual([])
      expect(errors).toEqual([["PaymentMismatch", all.id]])
    }))

  it("answers 503 when the shop's handler fails, and when the client is closed", () =>
    scene(async ({ gateway, id }) => {
      const tags: Array<string> = []
      const handle = gateway.createNotificationHandler({
        expected: expecting(id),
        handler: () => Promise.reject(new Error("no")),
        onError: ({ reason }) => void tags.push(reason._tag)
      })
      expect((await handle({ method: "GET", url: `/?id=${id}` })).status).toBe(503)
      expect(tags).toEqual(["HandlerFailed"])
      await gateway.close()
      expect((await handle({ method: "GET", url: `/?id=${id}` })).status).toBe(503)
    }))

  it("reads a payment once for all notifications that wait for it", () =>
    scene(async (all) => {
      const { handle, seen } = handlerOf(all)
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => handle({ method: "POST", url: `/?id=${all.id}` }))
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
      expect(all.sent.length).toBeLessThanOrEqual(2)
      expect(seen).toHaveLength(all.sent.length)
    }))

  it("tells the shop of a notification that names no payment", () =>
    scene(async (all) => {
      const { errors, handle } = handlerOf(all)
      await handle({ method: "GET", url: "/notify" })
      expect(errors).toEqual([["InvalidNotification", undefined]])
    }))

  it("names every option that is wrong", () =>
    scene(async ({ gateway, id }) => {
      const limits = { knownReadsPerMinute: 1.5 }
      const handler = (): void => {}
      expect(() => gateway.createNotificationHandler({ expected: expecting(id), handler, limits })).toThrow(
        "knownReadsPerMinute"
      )
      // @ts-expect-error -- a caller without types
      expect(() => gateway.createNotificationHandler({ expected: 1 })).toThrow(/expected.*handler/s)
    }))
})
