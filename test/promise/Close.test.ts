import { describe, expect, it } from "vitest"
import { createGatewayClient } from "../../src/promise/index.js"
import { changes, operations, payment, paymentId, reads } from "../support/OperationCases.js"
import { gatewayErrorOf } from "../support/Rejection.js"
import {
  type ScriptedGateway,
  startScriptedGateway,
  tokenResponse,
  tokenRoute,
  watchedFetch
} from "../support/ScriptedGateway.js"

const getRoute = `GET /payments/payment/${paymentId}` as const
const refundRoute = `POST /payments/payment/${paymentId}/refund` as const
const finished = { body: { id: paymentId, result: "FINISHED" } }

const otherRoute = "GET /payments/payment/7"

/** Whole calls of another client go back and forth: whatever was about to happen has happened. */
const meanwhile = async (gateway: ScriptedGateway): Promise<void> => {
  gateway.on(otherRoute, { body: { ...payment, id: 7 } })
  await using other = createGatewayClient(gateway.merchant)
  await other.getPayment(7)
  await other.getPayment(7)
}

/** Whether the promise is settled by now. */
const watched = (promise: Promise<unknown>) => {
  const seen = { isSettled: false }
  const settle = (): void => {
    seen.isSettled = true
  }
  void promise.then(settle, settle)
  return seen
}

describe.each(operations)("$name", ({ answer, call, name, route }) => {
  it("of a closed client is refused, and nothing is sent", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, answer)
    const { called, fetch } = watchedFetch()
    const client = createGatewayClient({ ...gateway.merchant, fetch })
    await call(client)
    expect(await called()).toHaveLength(2)
    await client.close()
    const { operation, reason } = await gatewayErrorOf(call(client))
    expect(operation).toBe(name)
    expect(reason).toEqual({
      _tag: "GatewayUnavailable",
      isRetryable: false,
      message: "This client is closed. Nothing was sent."
    })
    expect(await called()).toHaveLength(2)
  })
})

describe.each(reads)("the read $name", ({ call, name, route }) => {
  it("under way is interrupted when the client closes", async () => {
    await using gateway = await startScriptedGateway()
    const request = gateway.hold(route)
    const client = createGatewayClient(gateway.merchant)
    const called = gatewayErrorOf(call(client))
    await request.arrived
    await client.close()
    const { operation, reason } = await called
    expect(operation).toBe(name)
    expect(reason).toMatchObject({
      _tag: "GatewayUnavailable",
      isRetryable: false,
      message: expect.stringContaining("closed")
    })
    expect(reason.message).not.toContain("Nothing was sent")
    await request.abandoned
  })
})

describe.each(changes)("the change $name", ({ answer, call, result, route }) => {
  it("under way is waited for when the client closes", async () => {
    await using gateway = await startScriptedGateway()
    const request = gateway.hold(route)
    const client = createGatewayClient(gateway.merchant)
    const called = call(client)
    await request.arrived
    const closing = client.close()
    const closed = watched(closing)
    await meanwhile(gateway)
    expect(closed.isSettled).toBe(false)
    request.answer(answer)
    await closing
    await expect(called).resolves.toEqual(result)
  })
})

describe("closing", () => {
  it("waits for a change no longer than its time-out", async () => {
    await using gateway = await startScriptedGateway()
    gateway.hold(refundRoute)
    gateway.on(getRoute, { body: payment })
    const client = createGatewayClient(gateway.merchant)
    await client.getPayment(paymentId)
    const refunded = gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 }, { timeout: 1_000 }))
    await client.close()
    expect((await refunded).reason._tag).toBe("OutcomeUnknown")
  })

  it("waits for a change that still waits for its token: it is sent", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(refundRoute, finished)
    const token = gateway.hold(tokenRoute)
    const client = createGatewayClient(gateway.merchant)
    const read = gatewayErrorOf(client.getPayment(paymentId))
    const refunded = client.refundPayment(paymentId, { amount: 1 })
    await token.arrived
    const closing = client.close()
    expect((await read).reason._tag).toBe("GatewayUnavailable")
    token.answer(tokenResponse("a-token"))
    await closing
    await expect(refunded).resolves.toEqual(finished.body)
    expect(gateway.calls).toMatchObject([{ body: "amount=1" }])
  })

  it("leaves a change under way to its signal", async () => {
    await using gateway = await startScriptedGateway()
    const refund = gateway.hold(refundRoute)
    const client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const refunded = gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 }, { signal: controller.signal }))
    await refund.arrived
    const closing = client.close()
    controller.abort("enough")
    await closing
    expect(await refunded).toMatchObject({ reason: { _tag: "OutcomeUnknown" }, cause: "enough" })
  })

  it("again waits as well", async () => {
    await using gateway = await startScriptedGateway()
    const refund = gateway.hold(refundRoute)
    const client = createGatewayClient(gateway.merchant)
    const refunded = client.refundPayment(paymentId, { amount: 1 })
    await refund.arrived
    const closings = [client.close(), client.close(), client[Symbol.asyncDispose]()]
    const closed = closings.map(watched)
    await meanwhile(gateway)
    expect(closed).toEqual([{ isSettled: false }, { isSettled: false }, { isSettled: false }])
    refund.answer(finished)
    await Promise.all(closings)
    await expect(refunded).resolves.toEqual(finished.body)
    await client.close()
  })

  it("happens at the end of `await using`, which waits for a change that no one awaited", async () => {
    await using gateway = await startScriptedGateway()
    const refund = gateway.hold(refundRoute)
    let refunded: Promise<unknown> | undefined
    const block = async (): Promise<void> => {
      await using client = createGatewayClient(gateway.merchant)
      refunded = client.refundPayment(paymentId, { amount: 1 })
      await refund.arrived
    }
    const ended = block()
    const seen = watched(ended)
    await meanwhile(gateway)
    expect(seen.isSettled).toBe(false)
    refund.answer(finished)
    await ended
    await expect(refunded).resolves.toEqual(finished.body)
  })

  it("a client that was never used is nothing", async () => {
    const client = createGatewayClient({
      goid: 8123456781,
      clientId: "1234567890",
      clientSecret: "s3cr3tXY",
      environment: "sandbox"
    })
    await client.close()
    await client.close()
    expect(client.getEmbedJsUrl()).toBe("https://gw.sandbox.gopay.com/gp-gw/js/embed.js")
  })

  it("leaves other clients alone", async () => {
    await using gateway = await startScriptedGateway()
    const read = gateway.hold(getRoute)
    const client = createGatewayClient(gateway.merchant)
    await using other = createGatewayClient(gateway.merchant)
    const kept = other.getPayment(paymentId)
    await read.arrived
    await client.close()
    read.answer({ body: payment })
    await expect(kept).resolves.toEqual(payment)
  })

  it("refuses a call whose signal is aborted with the signal's reason", async () => {
    await using gateway = await startScriptedGateway()
    const client = createGatewayClient(gateway.merchant)
    await client.close()
    await expect(client.getPayment(paymentId, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough")
  })
})
