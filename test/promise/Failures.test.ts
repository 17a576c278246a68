import { afterEach, describe, expect, it, vi } from "vitest"
import { createGatewayClient, GatewayError, payerMessage } from "../../src/promise/index.js"
import { changes, order, payment, paymentId, reads } from "../support/OperationCases.js"
import { gatewayErrorOf } from "../support/Rejection.js"
import { fetchTokensOnly, refusal, startScriptedGateway } from "../support/ScriptedGateway.js"

afterEach(() => {
  vi.resetModules()
})

const getRoute = `GET /payments/payment/${paymentId}` as const
const refundRoute = `POST /payments/payment/${paymentId}/refund` as const

const notFound = refusal(404, 304, "PAYMENT_NOT_FOUND")
const unavailable = { status: 503, body: "<html>Service Unavailable</html>" }

describe.each(reads)("the read $name", ({ answer, call, result, route }) => {
  it("is tried again when the gateway is not available, and succeeds", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, unavailable, answer)
    await using client = createGatewayClient(gateway.merchant)
    await expect(call(client)).resolves.toEqual(result)
    expect(gateway.calls).toHaveLength(2)
    expect(gateway.tokenRequests).toHaveLength(1)
  })
})

describe.each(changes)("the change $name", ({ answer, call, name, route }) => {
  it("is not sent again when the gateway is not available: its outcome is unknown", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, unavailable, answer)
    await using client = createGatewayClient(gateway.merchant)
    const { operation, reason } = await gatewayErrorOf(call(client))
    expect(operation).toBe(name)
    expect(reason).toMatchObject({
      _tag: "OutcomeUnknown",
      isRetryable: false,
      status: 503,
      change: { operation: name }
    })
    expect(gateway.calls).toHaveLength(1)
  })

  it("is not sent again when its connection breaks: its outcome is unknown", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, "cut the connection", answer)
    await using client = createGatewayClient(gateway.merchant)
    const { cause, reason } = await gatewayErrorOf(call(client))
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", isRetryable: false, change: { operation: name } })
    expect(cause).toBeUndefined()
    expect(gateway.calls).toHaveLength(1)
  })
})

describe("a GatewayError", () => {
  it("tells the operation and the reason, to programs and to people", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, notFound)
    await using client = createGatewayClient(gateway.merchant)
    const error = await gatewayErrorOf(client.getPayment(paymentId))
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ _tag: "GatewayError", name: "GatewayError", operation: "getPayment" })
    expect(error.reason).toMatchObject({
      _tag: "PaymentNotFound",
      isRetryable: false,
      status: 404,
      paymentId,
      errors: [{ error_code: 304 }]
    })
    expect(String(error)).toBe(`GatewayError: getPayment: The gateway knows no payment ${paymentId} of this merchant.`)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      _tag: "GatewayError",
      operation: "getPayment",
      message: error.message,
      help: error.help,
      reason: error.reason
    })
  })

  it("of a change whose outcome is unknown tells what to look for", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on("POST /payments/payment", unavailable)
    gateway.on(refundRoute, unavailable)
    await using client = createGatewayClient(gateway.merchant)
    const created = await gatewayErrorOf(client.createPayment(order))
    expect(created.reason).toMatchObject({
      change: { operation: "createPayment", amount: 139_950, currency: "CZK", orderNumber: "2026-0042" }
    })
    expect(payerMessage(created, "en").nextStep).toBe("tryAgain")
    const byCard = await gatewayErrorOf(client.createPayment({ ...order, payer: { allowed_card_token: "a-token" } }))
    expect(byCard.reason).toMatchObject({ change: { operation: "createPayment", usesStoredCard: true } })
    expect(JSON.stringify(byCard)).not.toContain("a-token")
    expect(payerMessage(byCard, "en").nextStep).toBe("wait")
    const refunded = await gatewayErrorOf(client.refundPayment(String(paymentId), { amount: 5_000 }))
    expect(refunded.reason).toMatchObject({
      change: { operation: "refundPayment", paymentId, amount: 5_000 }
    })
  })

  it("has a stack that shows the caller, at whatever stage the call failed", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, notFound)
    gateway.on(refundRoute, unavailable)
    const held = gateway.hold("POST /payments/payment")
    const client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const { signal } = controller

    const theShopReadsAPayment = async () => {
      await client.getPayment(paymentId)
    }
    const theShopRefunds = async () => {
      await client.refundPayment(paymentId, { amount: 1 })
    }
    const theShopMistypes = async () => {
      await client.getPayment("x")
    }
    const theShopMistypesAnOption = async () => {
      await client.getPayment(paymentId, { timeout: -1 })
    }
    const theShopAborts = async () => {
      await client.createPayment(order, { signal })
    }
    const callers = [theShopReadsAPayment, theShopRefunds, theShopMistypes, theShopMistypesAnOption]
    for (const caller of callers) {
      expect((await gatewayErrorOf(caller())).stack).toContain(caller.name)
    }
    const aborted = gatewayErrorOf(theShopAborts())
    await held.arrived
    controller.abort()
    expect((await aborted).stack).toContain("theShopAborts")
    await client.close()
    expect((await gatewayErrorOf(theShopReadsAPayment())).stack).toContain("theShopReadsAPayment")
    expect((await gatewayErrorOf(theShopReadsAPayment())).stack).toMatch(
      /^GatewayError: getPayment: This client is closed/
    )
  })

  it("of another entry of this package is recognised", async () => {
    vi.resetModules()
    const other = await import("../../src/promise/index.js")
    expect(other.GatewayError).not.toBe(GatewayError)
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, notFound)
    await using client = createGatewayClient(gateway.merchant)
    await using otherClient = other.createGatewayClient(gateway.merchant)
    const errors: ReadonlyArray<unknown> = await Promise.all(
      [client, otherClient].map((each) => each.getPayment(paymentId).catch((error: unknown) => error))
    )
    expect(errors.map((error) => Object(error).constructor)).toEqual([GatewayError, other.GatewayError])
    for (const error of errors) {
      expect(error instanceof GatewayError).toBe(true)
      expect(error instanceof other.GatewayError).toBe(true)
    }
  })

  it("is nothing else", () => {
    const lookalike = Object.assign(new Error("getPayment"), {
      _tag: "GatewayError",
      operation: "getPayment",
      reason: {}
    })
    for (const value of [undefined, null, "GatewayError", 5, {}, new Error("x"), new TypeError("x"), lookalike]) {
      expect(value instanceof GatewayError).toBe(false)
    }
  })
})

describe("a connection", () => {
  it("that cannot be made: nothing was sent, and the call may be repeated", async () => {
    const gateway = await startScriptedGateway()
    await gateway.close()
    await using client = createGatewayClient(gateway.merchant)
    const { cause, reason } = await gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 }))
    expect(reason).toMatchObject({
      _tag: "GatewayUnavailable",
      isRetryable: true,
      code: "ECONNREFUSED",
      message: expect.stringContaining("nothing was sent")
    })
    expect(cause).toBeUndefined()
  })

  it("that breaks does not fail a read", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, "cut the connection", { body: payment })
    await using client = createGatewayClient(gateway.merchant)
    await expect(client.getPayment(paymentId)).resolves.toEqual(payment)
    expect(gateway.calls).toHaveLength(2)
  })
})

describe("a fetch of the caller's own", () => {
  // What is parsed has no type: so plain JavaScript may answer anything.
  const failing: { readonly [how: string]: typeof globalThis.fetch } = {
    "throws at once": () => {
      throw new Error("no fetch today")
    },
    "rejects with an error": () => Promise.reject(new TypeError("fetch failed")),
    "rejects with text": () => Promise.reject("no fetch today"),
    "rejects with nothing": () => Promise.reject(),
    "returns nothing": () => JSON.parse("null"),
    "resolves with nothing": () => Promise.resolve(JSON.parse("null")),
    "resolves with something else than a response": () => Promise.resolve(JSON.parse(`{"ok":true}`)),
    "resolves with a response that has no headers": () =>
      Promise.resolve(Object.assign(new Response(), { arrayBuffer: async () => new ArrayBuffer(2) }, { headers: 1 })),
    "fails in the body as if it had not connected": () =>
      Promise.resolve(
        Object.assign(new Response("{}"), {
          arrayBuffer: () => Promise.reject(Object.assign(new Error("odd"), { code: "ECONNREFUSED" }))
        })
      ),
    "rejects with what throws when it is checked": () =>
      Promise.reject(
        new Proxy(new Error("hostile"), {
          get: () => {
            throw new Error("checked")
          }
        })
      ),
    "rejects with an error that is its own cause": () => {
      const error = new Error("circular")
      error.cause = error
      return Promise.reject(Object.assign(error, { errors: [error, error] }))
    }
  }

  it.each(Object.entries(failing))("that %s gives a GatewayError like any other", async (_, fail) => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient({ ...gateway.merchant, fetch: fetchTokensOnly(fail) })
    const { cause, reason } = await gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 }))
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", change: { operation: "refundPayment" } })
    expect(cause).toBeUndefined()
    expect(gateway.tokenRequests).toHaveLength(1)
  })
})
