import { afterEach, describe, expect, it, vi } from "vitest"
import { createGatewayClient } from "../../src/promise/index.js"
import { operations, payment, paymentId } from "../support/OperationCases.js"
import { gatewayErrorOf } from "../support/Rejection.js"
import {
  type ReceivedRequest,
  refusal,
  startScriptedGateway,
  tokenResponse,
  tokenRoute,
  wrongCredentials
} from "../support/ScriptedGateway.js"

afterEach(() => {
  vi.useRealTimers()
})

const getRoute = `GET /payments/payment/${paymentId}` as const
const refundRoute = `POST /payments/payment/${paymentId}/refund` as const
const finished = { body: { id: paymentId, result: "FINISHED" } }

const authorization = ({ headers }: ReceivedRequest): string | undefined => headers.authorization

const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`

describe("the access token", () => {
  it("is asked for once by many calls that start together, and serves them all", async () => {
    await using gateway = await startScriptedGateway()
    for (const { answer, route } of operations) gateway.on(route, answer)
    const token = gateway.hold(tokenRoute)
    await using client = createGatewayClient(gateway.merchant)
    const calls = Array.from({ length: 10 }, () => operations.map(({ call }) => call(client))).flat()
    await token.arrived
    token.answer(tokenResponse("the-token"))
    await expect(Promise.all(calls)).resolves.toHaveLength(10 * operations.length)
    expect(gateway.tokenRequests).toMatchObject([
      {
        method: "POST",
        url: "/api/oauth2/token",
        headers: { authorization: basic("1234567890", "s3cr3tXY") },
        body: "grant_type=client_credentials&scope=payment-all"
      }
    ])
    expect(gateway.calls).toHaveLength(10 * operations.length)
    expect(new Set(gateway.calls.map(authorization))).toEqual(new Set(["Bearer the-token"]))
  })

  it("that no call can get fails them all, and is asked for again by the next", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    const token = gateway.hold(tokenRoute)
    gateway.on(tokenRoute, tokenResponse("the-token"))
    await using client = createGatewayClient(gateway.merchant)
    const errors = Promise.all([
      gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 })),
      gatewayErrorOf(client.voidRecurrence(paymentId))
    ])
    await token.arrived
    token.answer({ status: 401 })
    expect(await errors).toMatchObject([
      { operation: "refundPayment", reason: { _tag: "AuthenticationFailed", status: 401 } },
      { operation: "voidRecurrence", reason: { _tag: "AuthenticationFailed", status: 401 } }
    ])
    await expect(client.getPayment(paymentId)).resolves.toEqual(payment)
    expect(gateway.tokenRequests).toHaveLength(2)
    expect(gateway.calls).toHaveLength(1)
  })

  it("is renewed when the gateway refuses it, and a change that it did not take is sent again", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(refundRoute, finished, refusal(401, 200, "UNAUTHORIZED_ACCESS"), finished)
    await using client = createGatewayClient(gateway.merchant)
    await client.refundPayment(paymentId, { amount: 1 })
    await expect(client.refundPayment(paymentId, { amount: 2 })).resolves.toEqual(finished.body)
    expect(gateway.tokens).toHaveLength(2)
    expect(gateway.calls.map((call) => [call.body, authorization(call)])).toEqual([
      ["amount=1", `Bearer ${gateway.tokens[0]}`],
      ["amount=2", `Bearer ${gateway.tokens[0]}`],
      ["amount=2", `Bearer ${gateway.tokens[1]}`]
    ])
  })
})

describe("two clients in one process", () => {
  it("do not share tokens, not even of the same merchant", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    await using first = createGatewayClient(gateway.merchant)
    await using second = createGatewayClient({
      ...gateway.merchant,
      goid: 8123456792,
      clientId: "1234567801",
      clientSecret: "0th3rSec"
    })
    await using third = createGatewayClient(gateway.merchant)
    for (const client of [first, second, third, first, second, third]) await client.getPayment(paymentId)
    expect(gateway.tokenRequests.map(authorization)).toEqual([
      basic("1234567890", "s3cr3tXY"),
      basic("1234567801", "0th3rSec"),
      basic("1234567890", "s3cr3tXY")
    ])
    expect(new Set(gateway.tokens).size).toBe(3)
    const bearers = gateway.tokens.map((token) => `Bearer ${token}`)
    expect(gateway.calls.map(authorization)).toEqual([...bearers, ...bearers])
  })

  it("speak to their own gateways", async () => {
    await using sandbox = await startScriptedGateway()
    await using production = await startScriptedGateway()
    for (const gateway of [sandbox, production]) gateway.on(getRoute, { body: payment })
    await using first = createGatewayClient(sandbox.merchant)
    await using second = createGatewayClient(production.merchant)
    await Promise.all([first.getPayment(paymentId), second.getPayment(paymentId), second.getPayment(paymentId)])
    expect([sandbox.calls.length, production.calls.length]).toEqual([1, 2])
    expect([sandbox.tokenRequests.length, production.tokenRequests.length]).toEqual([1, 1])
  })

  it("are not hurt by each other's wrong credentials", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    gateway.on(tokenRoute, wrongCredentials, tokenResponse("the-token"))
    await using wrong = createGatewayClient({ ...gateway.merchant, clientSecret: "wr0ngSec" })
    await using right = createGatewayClient(gateway.merchant)
    await gatewayErrorOf(wrong.getPayment(paymentId))
    await expect(right.getPayment(paymentId)).resolves.toEqual(payment)
  })
})

describe("wrong credentials", () => {
  it("fail every call without sending it, and are not tried again and again", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, wrongCredentials)
    await using client = createGatewayClient(gateway.merchant)
    for (const { call, name } of operations) {
      const { message, operation, reason } = await gatewayErrorOf(call(client))
      expect(operation).toBe(name)
      expect(reason).toMatchObject({
        _tag: "AuthenticationFailed",
        isRetryable: false,
        status: 403,
        errors: [{ error_code: 202, error_name: "AUTH_WRONG_CREDENTIALS" }]
      })
      expect(message).toContain("credentials")
    }
    expect(gateway.calls).toEqual([])
    expect(gateway.tokenRequests).toHaveLength(1)
  })

  it("that GoPay has put right work some seconds later, in the same client", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    gateway.on(tokenRoute, wrongCredentials, tokenResponse("the-token"))
    await using client = createGatewayClient(gateway.merchant)
    const now = Date.now()
    vi.useFakeTimers({ now, toFake: ["Date"] })
    await gatewayErrorOf(client.getPayment(paymentId))
    vi.setSystemTime(now + 1_000)
    await gatewayErrorOf(client.getPayment(paymentId))
    expect(gateway.tokenRequests).toHaveLength(1)
    vi.setSystemTime(now + 60_000)
    await expect(client.getPayment(paymentId)).resolves.toEqual(payment)
    expect(gateway.tokenRequests).toHaveLength(2)
    expect(gateway.calls.map(authorization)).toEqual(["Bearer the-token"])
  })
})
