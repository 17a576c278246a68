import { describe, expect, it } from "vitest"
import { createGatewayClient } from "../../src/promise/index.js"
import { operations, order, payment, paymentId } from "../support/OperationCases.js"
import { startScriptedGateway } from "../support/ScriptedGateway.js"

describe.each(operations)("$name", ({ answer, body, call, contentType, query, result, route }) => {
  it("is one request, and resolves with the response", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, answer)
    await using client = createGatewayClient(gateway.merchant)
    await expect(call(client)).resolves.toEqual(result)
    const [method, path] = route.split(" ")
    expect(gateway.calls).toMatchObject([{ method, url: `/api${path}${query ?? ""}`, body: body ?? "" }])
    const headers = gateway.calls[0]?.headers
    expect(headers).toMatchObject({
      accept: "application/json",
      "accept-language": "en-US",
      authorization: `Bearer ${gateway.tokens[0]}`
    })
    expect(headers?.["content-type"]?.split(";")[0]).toBe(contentType)
    expect(headers).not.toHaveProperty("traceparent")
    expect(headers).not.toHaveProperty("b3")
    expect(gateway.tokenRequests).toHaveLength(1)
  })

  it("takes options as its last argument", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, answer)
    await using client = createGatewayClient(gateway.merchant)
    const { signal } = new AbortController()
    await expect(call(client, { signal, timeout: 30_000 })).resolves.toEqual(result)
    await expect(call(client, {})).resolves.toEqual(result)
    await expect(call(client, { signal: undefined, timeout: undefined })).resolves.toEqual(result)
    await expect(call(client, undefined)).resolves.toEqual(result)
    expect(gateway.calls).toHaveLength(4)
  })
})

it("a payment keeps its own target and language", async () => {
  await using gateway = await startScriptedGateway()
  gateway.on("POST /payments/payment", { body: payment })
  await using client = createGatewayClient({ ...gateway.merchant, language: "CS" })
  const target = { type: "ACCOUNT", goid: 8123456792 }
  await client.createPayment({ ...order, target, lang: "SK" })
  await client.createPayment(order)
  expect(gateway.calls.map(({ body }) => JSON.parse(body))).toMatchObject([
    { target, lang: "SK" },
    { target: { type: "ACCOUNT", goid: 8123456781 }, lang: "CS" }
  ])
})

it("an identifier may be text, as a return address gives it", async () => {
  await using gateway = await startScriptedGateway()
  gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
  await using client = createGatewayClient(gateway.merchant)
  const { searchParams } = new URL(`https://shop.example/return?id=${paymentId}`)
  await expect(client.getPayment(searchParams.get("id") ?? "")).resolves.toEqual(payment)
})

it("the QR codes need no request", async () => {
  await using gateway = await startScriptedGateway()
  gateway.on(`GET /payments/payment/${paymentId}/qr-payment`, { body: { qr_code: {} } })
  await using client = createGatewayClient(gateway.merchant)
  await expect(client.getPaymentQr(paymentId)).resolves.toEqual({ qr_code: {} })
  expect(gateway.calls).toMatchObject([{ url: `/api/payments/payment/${paymentId}/qr-payment` }])
})

it("the address of the browser script needs no request", async () => {
  await using gateway = await startScriptedGateway()
  await using client = createGatewayClient(gateway.merchant)
  expect(client.getEmbedJsUrl()).toBe(`${gateway.url}/gp-gw/js/embed.js`)
  expect(gateway.requests).toEqual([])
})
