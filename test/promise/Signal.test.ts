import { getEventListeners, once } from "node:events"
import { describe, expect, it } from "vitest"
import { createGatewayClient } from "../../src/promise/index.js"
import { changes, operations, payment, paymentId, reads } from "../support/OperationCases.js"
import { gatewayErrorOf, rejectionOf } from "../support/Rejection.js"
import { deferred, startScriptedGateway, tokenResponse, tokenRoute, watchedFetch } from "../support/ScriptedGateway.js"

const getRoute = `GET /payments/payment/${paymentId}` as const
const refundRoute = `POST /payments/payment/${paymentId}/refund` as const
const finished = { body: { id: paymentId, result: "FINISHED" } }

describe.each(operations)("$name", ({ call }) => {
  it("with a signal that is aborted already sends nothing and rejects with the signal's reason", async () => {
    await using gateway = await startScriptedGateway()
    const { called, fetch } = watchedFetch()
    await using client = createGatewayClient({ ...gateway.merchant, fetch })
    const reason = { why: "the shop is closing" }
    expect(await rejectionOf(call(client, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(await called()).toEqual([])
  })

  it("aborted while it waits for a token rejects with the signal's reason and is never sent", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    const token = gateway.hold(tokenRoute)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const called = rejectionOf(call(client, { signal: controller.signal }))
    await token.arrived
    const reason = new Error("the payer went away")
    controller.abort(reason)
    expect(await called).toBe(reason)
    token.answer(tokenResponse("a-token"))
    await client.getPayment(paymentId)
    expect(gateway.calls.map(({ url }) => url)).toEqual([`/api/payments/payment/${paymentId}`])
  })
})

describe.each(reads)("the read $name", ({ call, route }) => {
  it("aborted under way rejects with the signal's reason, and its request is given up", async () => {
    await using gateway = await startScriptedGateway()
    const request = gateway.hold(route)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const called = rejectionOf(call(client, { signal: controller.signal }))
    await request.arrived
    const reason = new Error("the payer went away")
    controller.abort(reason)
    expect(await called).toBe(reason)
    await request.abandoned
    expect(gateway.calls).toHaveLength(1)
  })
})

describe.each(changes)("the change $name", ({ call, name, route }) => {
  it("aborted after it was handed over has an unknown outcome, whose cause is the signal's reason", async () => {
    await using gateway = await startScriptedGateway()
    const request = gateway.hold(route)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const called = gatewayErrorOf(call(client, { signal: controller.signal }))
    await request.arrived
    const reason = new Error("the payer went away")
    controller.abort(reason)
    const error = await called
    expect(error.reason).toMatchObject({
      _tag: "OutcomeUnknown",
      isRetryable: false,
      message: expect.stringContaining(
        `the call was aborted after it had been sent. ${name === "createPayment" ? "Create it again" : "Do not repeat it"}`
      ),
      change: { operation: name, sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }
    })
    expect(error.operation).toBe(name)
    expect(error.cause).toBe(reason)
    expect(gateway.calls).toHaveLength(1)
  })
})

describe("a change that is aborted before it was handed over", () => {
  const reason = new Error("the payer went away")

  it("as other requests are under way rejects with the signal's reason, and is never sent", async () => {
    await using gateway = await startScriptedGateway()
    const read = gateway.hold(getRoute)
    await using client = createGatewayClient({ ...gateway.merchant, maxConcurrentRequests: 1 })
    const first = client.getPayment(paymentId)
    await read.arrived
    const controller = new AbortController()
    const called = rejectionOf(client.refundPayment(paymentId, { amount: 1 }, { signal: controller.signal }))
    await new Promise(setImmediate)
    controller.abort(reason)
    expect(await called).toBe(reason)
    read.answer({ body: payment })
    await first
    expect(gateway.calls).toHaveLength(1)
  })

  it("while beforeSend looks rejects with the signal's reason, and is never sent", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const { signal } = controller
    const looking = deferred<undefined>()
    const beforeSend = async () => {
      looking.resolve(undefined)
      await once(signal, "abort")
      return true
    }
    const called = rejectionOf(client.refundPayment(paymentId, { amount: 1 }, { beforeSend, signal }))
    await looking.promise
    controller.abort(reason)
    expect(await called).toBe(reason)
    expect(gateway.calls).toHaveLength(0)
  })
})

describe("a signal", () => {
  it("that is aborted without a reason gives an AbortError", async () => {
    await using gateway = await startScriptedGateway()
    const request = gateway.hold(getRoute)
    const refund = gateway.hold(refundRoute)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const { signal } = controller
    const read = rejectionOf(client.getPayment(paymentId, { signal }))
    const change = gatewayErrorOf(client.refundPayment(paymentId, { amount: 5_000 }, { signal }))
    await Promise.all([request.arrived, refund.arrived])
    controller.abort()
    expect(await read).toBe(signal.reason)
    expect(await read).toMatchObject({ name: "AbortError" })
    const { cause, reason } = await change
    expect(cause).toBe(signal.reason)
    expect(reason).toMatchObject({ change: { operation: "refundPayment", paymentId, amount: 5_000 } })
  })

  it("may be a time limit", async () => {
    await using gateway = await startScriptedGateway()
    gateway.hold(getRoute)
    await using client = createGatewayClient(gateway.merchant)
    const error = await rejectionOf(client.getPayment(paymentId, { signal: AbortSignal.timeout(50) }))
    expect(error).toMatchObject({ name: "TimeoutError" })
  })

  it("that is never aborted does nothing, and keeps no listener", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    const refund = gateway.hold(refundRoute)
    await using client = createGatewayClient(gateway.merchant)
    const { signal } = new AbortController()
    await expect(client.getPayment(paymentId, { signal })).resolves.toEqual(payment)
    await gatewayErrorOf(client.getPayment(7, { signal }))
    expect(getEventListeners(signal, "abort")).toHaveLength(0)
    const refunded = client.refundPayment(paymentId, { amount: 1 }, { signal })
    await refund.arrived
    expect(getEventListeners(signal, "abort").length).toBeGreaterThan(0)
    refund.answer(finished)
    await refunded
    expect(getEventListeners(signal, "abort")).toHaveLength(0)
  })

  it("that is aborted after the response changes nothing", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(refundRoute, finished)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const refunded = client.refundPayment(paymentId, { amount: 1 }, { signal: controller.signal })
    await refunded
    controller.abort()
    await expect(refunded).resolves.toEqual(finished.body)
  })

  it("ends its own calls only", async () => {
    await using gateway = await startScriptedGateway()
    const first = gateway.hold(getRoute)
    const second = gateway.hold(getRoute)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const aborted = rejectionOf(client.getPayment(paymentId, { signal: controller.signal }))
    await first.arrived
    const kept = client.getPayment(paymentId)
    await second.arrived
    controller.abort("enough")
    expect(await aborted).toBe("enough")
    second.answer({ body: payment })
    await expect(kept).resolves.toEqual(payment)
  })

  it("of one waiter for the token fails no other, whoever asked first", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    gateway.on(refundRoute, finished)
    const token = gateway.hold(tokenRoute)
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const { signal } = controller
    const first = rejectionOf(client.getPayment(paymentId, { signal }))
    await token.arrived
    const read = client.getPayment(paymentId)
    const later = rejectionOf(client.refundPayment(paymentId, { amount: 1 }, { signal }))
    const change = client.refundPayment(paymentId, { amount: 2 })
    controller.abort("enough")
    expect(await Promise.all([first, later])).toEqual(["enough", "enough"])
    token.answer(tokenResponse("a-token"))
    await expect(Promise.all([read, change])).resolves.toEqual([payment, finished.body])
    expect(gateway.tokenRequests).toHaveLength(1)
    expect(gateway.calls).toHaveLength(2)
    expect(new Set(gateway.calls.map(({ body }) => body))).toEqual(new Set(["", "amount=2"]))
  })
})

describe("a signal for many calls", () => {
  it("gets one listener, which aborts all of them, and loses it with the last call", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const { signal } = controller
    const calls = Array.from({ length: 40 }, () => rejectionOf(client.getPayment(paymentId, { signal })))
    expect(getEventListeners(signal, "abort")).toHaveLength(1)
    controller.abort("enough")
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["enough"]))
    expect(getEventListeners(signal, "abort")).toHaveLength(0)
    const next = new AbortController()
    await client.getPayment(paymentId, { signal: next.signal })
    expect(getEventListeners(next.signal, "abort")).toHaveLength(0)
  })
})

describe("a signal of another library", () => {
  it("without a counterpart of addEventListener is refused by its name, and nothing is sent", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    const signal = { aborted: false, addEventListener: () => {} }
    const rejection = await rejectionOf(
      Reflect.apply(client.refundPayment, client, [paymentId, { amount: 1 }, { signal }])
    )
    expect(String(rejection)).toContain("signal")
    expect(gateway.calls).toEqual([])
  })

  it("whose removeEventListener throws keeps no response from the caller", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(refundRoute, finished)
    await using client = createGatewayClient(gateway.merchant)
    const signal = Object.assign(new AbortController().signal, {
      removeEventListener: () => {
        throw new Error("a polyfill's own")
      }
    })
    expect(await client.refundPayment(paymentId, { amount: 1 }, { signal })).toMatchObject({ result: "FINISHED" })
  })
})
