import { describe, expect, it, vi } from "vitest"
import { createGatewayClient, type GatewayClientOptions } from "../../src/promise/index.js"
import { credentials } from "../support/Credentials.js"
import { changes, payment, paymentId } from "../support/OperationCases.js"
import { gatewayErrorOf } from "../support/Rejection.js"
import {
  fetchTokensOnly,
  type ScriptedGateway,
  startScriptedGateway,
  tokenResponse,
  tokenRoute,
  watchedFetch
} from "../support/ScriptedGateway.js"

const getRoute = `GET /payments/payment/${paymentId}` as const
const refundRoute = `POST /payments/payment/${paymentId}/refund` as const
const finished = { body: { id: paymentId, result: "FINISHED" } }

const unanswered = expect.stringContaining("no complete response within 0.05 s")

/**
 * Runs a call over a `fetch` that gives a token and answers nothing else. Time passes once the call itself is under way, so that
 * what ends is never the request for the token, however slow the machine is.
 */
const timedOut = async (
  call: (fetch: typeof globalThis.fetch) => Promise<unknown>
): Promise<Awaited<ReturnType<typeof gatewayErrorOf>>> => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    const unanswered = vi.fn<() => Promise<Response>>(() => new Promise(() => {}))
    const ended = gatewayErrorOf(
      call((_, init) =>
        new Headers(init?.headers).get("authorization")?.startsWith("Basic ") === true
          ? Promise.resolve(Response.json({ access_token: "a-token" }))
          : unanswered()
      )
    )
    while (unanswered.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(50)
    return await ended
  } finally {
    vi.useRealTimers()
  }
}

/** A client that has its token already, so that a time-out is that of the call alone; and what it sent since. */
const warmClient = async (gateway: ScriptedGateway, options: Partial<GatewayClientOptions> = {}) => {
  gateway.on("GET /payments/payment/7", { body: { ...payment, id: 7 } })
  const { called, fetch } = watchedFetch()
  const client = createGatewayClient({ ...gateway.merchant, fetch, ...options })
  await client.getPayment(7)
  const warming = await called()
  const count = warming.length
  return { client, sent: async () => (await called()).slice(count), [Symbol.asyncDispose]: () => client.close() }
}

describe.each(changes)("the change $name", ({ call, name, route }) => {
  it("that is not answered in time has an unknown outcome and is sent once", async () => {
    await using gateway = await startScriptedGateway()
    gateway.hold(route)
    await using warm = await warmClient(gateway)
    const { cause, operation, reason } = await gatewayErrorOf(call(warm.client, { timeout: 50 }))
    expect(operation).toBe(name)
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", message: unanswered, change: { operation: name } })
    expect(cause).toBeUndefined()
    expect(await warm.sent()).toEqual([`${gateway.url}/api${route.replace(/^\w+ /, "")}`])
  })
})

describe("a time-out", () => {
  it("of a read is a gateway that is not available, after it was tried again", async () => {
    await using gateway = await startScriptedGateway()
    gateway.hold(getRoute)
    await using warm = await warmClient(gateway)
    const { operation, reason } = await gatewayErrorOf(warm.client.getPayment(paymentId, { timeout: 50 }))
    expect(operation).toBe("getPayment")
    expect(reason).toMatchObject({ _tag: "GatewayUnavailable", isRetryable: true, message: unanswered })
    expect(await warm.sent()).toHaveLength(4)
  })

  it.each([
    ["the client", { timeout: "50 millis" }, {}],
    ["a call", {}, { timeout: "50 millis" }]
  ] as const)("of %s may be text", async (_, options, callOptions) => {
    const once = { environment: "sandbox", retry: { attempts: 1, totalTimeout: "2 minutes" } } as const
    const { reason } = await timedOut((fetch) =>
      createGatewayClient({ ...credentials, ...once, fetch, ...options }).getPayment(paymentId, callOptions)
    )
    expect(reason).toMatchObject({ _tag: "GatewayUnavailable", message: unanswered })
  })

  it("is each attempt's own: a read whose first attempt was lost can succeed", async () => {
    await using gateway = await startScriptedGateway()
    const lost = gateway.hold(getRoute)
    gateway.on(getRoute, { body: payment })
    await using warm = await warmClient(gateway)
    await expect(warm.client.getPayment(paymentId, { timeout: 50 })).resolves.toEqual(payment)
    await lost.abandoned
  })

  it("covers the body too", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(refundRoute, { body: `{"id":${paymentId},`, isUnfinished: true })
    await using warm = await warmClient(gateway)
    const { reason } = await gatewayErrorOf(warm.client.refundPayment(paymentId, { amount: 1 }, { timeout: 50 }))
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", message: unanswered })
    expect(await warm.sent()).toHaveLength(1)
  })

  it("may be the client's, for all its calls", async () => {
    const options = { environment: "sandbox", timeout: 50 } as const
    const { reason } = await timedOut((fetch) =>
      createGatewayClient({ ...credentials, ...options, fetch }).refundPayment(paymentId, { amount: 1 })
    )
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", message: unanswered })
  })

  it("of a call is used in place of the client's", async () => {
    await using gateway = await startScriptedGateway()
    gateway.hold(refundRoute)
    await using warm = await warmClient(gateway, { timeout: 3_600_000 })
    const { reason } = await gatewayErrorOf(warm.client.refundPayment(paymentId, { amount: 1 }, { timeout: 50 }))
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", message: unanswered })
  })

  it("longer than a timer can wait does not end a call at once", async () => {
    await using gateway = await startScriptedGateway()
    const refund = gateway.hold(refundRoute)
    gateway.hold(`POST /payments/payment/${paymentId}/void-recurrence`)
    await using warm = await warmClient(gateway, { timeout: 2 ** 40 })
    const refunded = warm.client.refundPayment(paymentId, { amount: 1 }, { timeout: 2 ** 40 })
    await refund.arrived
    await gatewayErrorOf(warm.client.voidRecurrence(paymentId, { timeout: 50 }))
    refund.answer(finished)
    await expect(refunded).resolves.toEqual(finished.body)
  })

  it("of a change that waits for its token: nothing was sent, and the other waiters go on", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(refundRoute, finished)
    const token = gateway.hold(tokenRoute)
    await using client = createGatewayClient(gateway.merchant)
    const hasty = gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 }, { timeout: 50 }))
    const patient = client.refundPayment(paymentId, { amount: 2 })
    const { operation, reason } = await hasty
    expect(operation).toBe("refundPayment")
    expect(reason).toMatchObject({
      _tag: "GatewayUnavailable",
      isRetryable: true,
      message: expect.stringContaining("nothing was sent")
    })
    token.answer(tokenResponse("a-token"))
    await expect(patient).resolves.toEqual(finished.body)
    expect(gateway.tokenRequests).toHaveLength(1)
    expect(gateway.calls.map(({ body }) => body)).toEqual(["amount=2"])
  })

  it("holds for a fetch that ignores its signal", async () => {
    await using gateway = await startScriptedGateway()
    const fetch = fetchTokensOnly((_, init) =>
      init?.method === "GET" ? Promise.resolve(Response.json({ ...payment, id: 7 })) : new Promise(() => {})
    )
    await using warm = await warmClient(gateway, { fetch })
    const { reason } = await gatewayErrorOf(warm.client.refundPayment(paymentId, { amount: 1 }, { timeout: 50 }))
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", message: unanswered })
  })
})
