import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import {
  createGatewayClient,
  type ExpectedPayment,
  GatewayError,
  isPaid,
  NotificationError,
  type NotificationHandlerOptions,
  type NotificationRequestHandler,
  type VerifiedPayment
} from "../../src/promise/index.js"
import { order, payment, paymentId } from "../support/OperationCases.js"
import { captureLog } from "../support/LogGuard.js"
import { gatewayErrorOf, rejectionOf } from "../support/Rejection.js"
import { deferred, refusal, type ScriptedGateway, startScriptedGateway } from "../support/ScriptedGateway.js"

const paymentRoute = `GET /payments/payment/${paymentId}` as const

const expected: ExpectedPayment = { amount: 139_950, currency: "CZK", order_number: order.order_number }

const paid = { ...payment, state: "PAID" }

/** A shop on this machine that answers notifications. */
const startShop = async (answer: NotificationRequestHandler) => {
  const server = createServer((request, response) => {
    void answer(request).then(({ headers, status }) => response.writeHead(status, Object.fromEntries(headers)).end())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port.")
  return {
    notify: async (query: string, init?: RequestInit) => {
      const response = await fetch(`http://127.0.0.1:${address.port}/notify${query}`, init)
      return { status: response.status, body: await response.text(), allow: response.headers.get("allow") }
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const handlerOf = (gateway: ScriptedGateway, options: Partial<NotificationHandlerOptions> = {}) => {
  const client = createGatewayClient(gateway.merchant)
  const handled: Array<VerifiedPayment> = []
  const answer = client.createNotificationHandler({
    expected: (id) => (id === paymentId ? expected : undefined),
    handler: (verified) => handled.push(verified),
    onError: () => {},
    ...options
  })
  return { client, handled, answer }
}

describe("a notification handler", () => {
  it("answers the gateway over HTTP after the shop has had the payment as read", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, { body: paid })
    const { answer, client, handled } = handlerOf(gateway)
    await using shop = await startShop(answer)
    expect(await shop.notify(`?id=${paymentId}`)).toEqual({ status: 200, body: "", allow: null })
    expect(handled).toEqual([{ payment: paid, order: expected, orderOf: "payment" }])
    expect(handled.every(({ payment }) => isPaid(payment))).toBe(true)
    expect(await shop.notify("?id=1")).toEqual({ status: 503, body: "", allow: null })
    expect(await shop.notify("?id=x")).toEqual({ status: 400, body: "", allow: null })
    expect(await shop.notify(`?id=${paymentId}`, { method: "POST", body: "id=1" })).toEqual({
      status: 405,
      body: "",
      allow: "GET"
    })
    expect(handled).toHaveLength(1)
    await client.close()
  })

  it("reads once more for all notifications that arrive during a read", async () => {
    await using gateway = await startScriptedGateway()
    const first = gateway.hold(paymentRoute)
    gateway.on(paymentRoute, { body: paid })
    const { answer, client, handled } = handlerOf(gateway)
    await using shop = await startShop(answer)
    const early = shop.notify(`?id=${paymentId}`)
    await first.arrived
    const late = Promise.all(
      Array.from({ length: 20 }, () => answer(new Request(`https://shop.example/?id=${paymentId}`)))
    )
    first.answer({ body: payment })
    expect((await early).status).toBe(200)
    expect(new Set((await late).map(({ status }) => status))).toEqual(new Set([200]))
    expect(handled.map(({ payment }) => payment.state)).toEqual(["CREATED", "PAID"])
    expect(gateway.calls).toHaveLength(2)
    await client.close()
  })

  it("awaits the shop's promises, and says nothing of their failures to whoever asks", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, { body: paid })
    const errors: Array<unknown> = []
    const failure = new Error("row 17 of jana@example.com is locked")
    const { answer, client } = handlerOf(gateway, {
      expected: async () => expected,
      handler: () => Promise.reject(failure),
      onError: (error) => errors.push(error)
    })
    await using shop = await startShop(answer)
    expect(await shop.notify(`?id=${paymentId}`)).toEqual({ status: 503, body: "", allow: null })
    const [error] = errors
    expect(error).toBeInstanceOf(NotificationError)
    expect(error).toMatchObject({ reason: { _tag: "HandlerFailed", paymentId }, cause: failure })
    await client.close()
  })

  it("tells of the gateway's failures as the operation does", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, refusal(404, 304, "PAYMENT_NOT_FOUND"))
    const errors: Array<unknown> = []
    const { answer, client } = handlerOf(gateway, { onError: (...told) => errors.push(told) })
    expect((await answer({ method: "GET", url: `/?id=${paymentId}` })).status).toBe(503)
    expect(errors).toEqual([[expect.any(GatewayError), { id: paymentId }]])
    await client.close()
  })

  it("writes to the log what no one else is told, but not what strangers can cause", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, { body: { ...paid, amount: 100 } })
    gateway.on("GET /payments/payment/1", refusal(404, 304, "PAYMENT_NOT_FOUND"))
    const lines = captureLog(/^A notification was not processed/)
    const { answer, client } = handlerOf(gateway, { onError: undefined })
    await answer({ method: "GET", url: "/?id=1" })
    expect(lines).toEqual([])
    await answer({ method: "GET", url: `/?id=${paymentId}` })
    expect(lines).toEqual([expect.stringContaining("it differs in amount")])
    await client.close()
  })

  it("writes to the log what the shop's own code failed with", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, { body: paid })
    const lines = captureLog(/^A notification was not processed/)
    const { answer, client } = handlerOf(gateway, {
      handler: () => Promise.reject(new Error("row 17 is locked")),
      onError: undefined
    })
    expect((await answer({ method: "GET", url: `/?id=${paymentId}` })).status).toBe(503)
    expect(lines).toEqual([expect.stringContaining("row 17 is locked")])
    await client.close()
  })

  it("answers with 503 once the client is closed, and whoever waits for it then", async () => {
    await using gateway = await startScriptedGateway()
    const read = gateway.hold(paymentRoute)
    const { answer, client, handled } = handlerOf(gateway)
    const request = { method: "GET", url: `/?id=${paymentId}` }
    const underWay = answer(request)
    await read.arrived
    await client.close()
    await read.abandoned
    expect((await underWay).status).toBe(503)
    expect((await answer(request)).status).toBe(503)
    expect(handled).toEqual([])
  })

  it("refuses options that cannot be right, naming every one", () => {
    const client = createGatewayClient({ goid: 1, clientId: "1", clientSecret: "s", environment: "sandbox" })
    const make = (options: string): unknown => client.createNotificationHandler(JSON.parse(options))
    expect(() => make(`{ "handler": 1, "onerror": 1, "limits": 1 }`)).toThrow(
      new TypeError(
        "createNotificationHandler: onerror: is not known here; check its spelling; expected: is required; handler: must be a function; limits: must be an object"
      )
    )
    expect(() => make("null")).toThrow("expected: is required")
    const handler = () => {}
    expect(() =>
      client.createNotificationHandler({ expected: () => null, handler, limits: { knownReadsPerMinute: -1 } })
    ).toThrow("limits.knownReadsPerMinute: must be an integer, 0 or more")
  })
})

describe("verifyPayment", () => {
  it("gives the payment of a return address with what the shop expected", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, { body: paid })
    await using client = createGatewayClient(gateway.merchant)
    const source = `https://shop.example/return?id=${paymentId}`
    expect(await client.verifyPayment(source, async () => expected)).toEqual({
      payment: paid,
      order: expected,
      orderOf: "payment"
    })
    const error = await rejectionOf(client.verifyPayment(source, () => ({ ...expected, amount: 1 })))
    expect(error).toBeInstanceOf(NotificationError)
    expect(error).toMatchObject({
      reason: { _tag: "PaymentMismatch", differences: [{ field: "amount", expected: 1, actual: 139_950 }] }
    })
    expect(error instanceof Error ? error.stack : "").toContain("NotificationHandler.test")
  })

  it("rejects with the signal's reason when aborted, and refuses what is no option", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    const asked = deferred<void>()
    const controller = new AbortController()
    const verified = client.verifyPayment(
      `?id=${paymentId}`,
      () => {
        asked.resolve()
        return new Promise(() => {})
      },
      { signal: controller.signal }
    )
    await asked.promise
    controller.abort("the payer went away")
    expect(await rejectionOf(verified)).toBe("the payer went away")
    const wrong: object = { waitAtMost: 1 }
    const error = await gatewayErrorOf(client.verifyPayment(`?id=${paymentId}`, () => expected, wrong))
    expect(error.message).toContain("options.waitAtMost: is not known here; check its spelling")
    expect(gateway.calls).toEqual([])
  })
})

describe("awaitPayment", () => {
  it("resolves when the payment is in a state that is waited for", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, { body: payment }, { body: paid })
    await using client = createGatewayClient(gateway.merchant)
    expect(await client.awaitPayment(paymentId, { until: ["CREATED"] })).toEqual({ _tag: "Reached", payment })
    expect(await client.awaitPayment(String(paymentId))).toEqual({ _tag: "Reached", payment: paid })
  })

  it("resolves with what was last seen when it has timed out", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(paymentRoute, { body: payment })
    await using client = createGatewayClient(gateway.merchant)
    expect(await client.awaitPayment(paymentId, { waitAtMost: 500 })).toEqual({ _tag: "StillPending", payment })
  })

  it("aborted between two reads rejects with the signal's reason and reads no more", async () => {
    await using gateway = await startScriptedGateway()
    const read = gateway.hold(paymentRoute)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const waiting = rejectionOf(client.awaitPayment(paymentId, { signal: controller.signal }))
    await read.arrived
    read.answer({ body: payment })
    controller.abort("the payer went away")
    expect(await waiting).toBe("the payer went away")
    expect(gateway.calls).toHaveLength(1)
  })

  it("ends when the client is closed", async () => {
    await using gateway = await startScriptedGateway()
    const read = gateway.hold(paymentRoute)
    const client = createGatewayClient(gateway.merchant)
    const waiting = gatewayErrorOf(client.awaitPayment(paymentId))
    await read.arrived
    await client.close()
    expect((await waiting).message).toContain("The client was closed")
    expect((await gatewayErrorOf(client.awaitPayment(paymentId))).message).toContain("This client is closed")
  })

  it.each([
    [`{ "until": [] }`, "options.until: must be a list of states, at least one"],
    [`{ "until": "PAID" }`, "options.until: must be a list of states, at least one"],
    [
      `{ "waitAtMost": -1 }`,
      'options.waitAtMost: must be a finite time longer than zero: milliseconds, such as 30_000, or text, such as "30 seconds"'
    ],
    [`{ "deadline": 1 }`, "options.deadline: is not known here"],
    ["[]", "options: must be an object with signal and timeout and until and waitAtMost"],
    ["null", "options: must be an object"]
  ])("sends nothing with the options %s and says what is wrong with them: %s", async (text, problem) => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    const error = await gatewayErrorOf(client.awaitPayment(paymentId, JSON.parse(text)))
    expect(error.message).toContain(problem)
    expect(gateway.requests).toEqual([])
  })
})
