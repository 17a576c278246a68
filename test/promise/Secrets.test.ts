import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { createGatewayClient, type GatewayClient, type GatewayError } from "../../src/promise/index.js"
import { cardId, paymentId } from "../support/OperationCases.js"
import { accessToken, echo, echoOfCredentials, echoOfOrder, leaksIn, personalOrder } from "../support/PersonalOrder.js"
import { runClient } from "../support/Program.js"
import { gatewayErrorOf } from "../support/Rejection.js"
import { firstOf } from "../support/Runs.js"
import {
  type Answer,
  fetchTokensOnly,
  refusal,
  type Route,
  startScriptedGateway,
  tokenResponse,
  tokenRoute
} from "../support/ScriptedGateway.js"

const createRoute = "POST /payments/payment"
const getRoute = `GET /payments/payment/${paymentId}` as const
const refundRoute = `POST /payments/payment/${paymentId}/refund` as const

const saying = (text: string) => ({ field: text, error_name: text, message: text, description: text })

const echoing = saying(echo)

/** All that can be seen of an error. */
const printed = (error: GatewayError): string =>
  [
    String(error),
    error.message,
    error.stack,
    JSON.stringify(error),
    inspect(error),
    inspect(error, { depth: null, showHidden: true, getters: true, customInspect: false })
  ].join("\n")

const expectNoSecret = (text: string): void => {
  expect(leaksIn(text)).toEqual([])
}

describe("an error", () => {
  it.each<[string, Answer, string]>([
    ["of the fields", refusal(409, 110, "INVALID", echoing), "InvalidRequest"],
    ["of the business", refusal(409, 303, "PAYMENT_WRONG_STATE", echoing), "OperationRefused"],
    ["of the scope", refusal(403, 200, "UNAUTHORIZED_ACCESS", echoing), "PermissionDenied"],
    ["of the token", refusal(401, 200, "UNAUTHORIZED_ACCESS", echoing), "AuthenticationFailed"],
    ["of the gateway itself", refusal(500, 100, "SYSTEM_ERROR", echoing), "OutcomeUnknown"],
    ["of too many requests", refusal(429, 0, "TOO_MANY", echoing), "RateLimited"],
    ["under a status of success", refusal(200, 303, "PAYMENT_WRONG_STATE", echoing), "OutcomeUnknown"],
    ["about the payer", refusal(409, 111, "INVALID", saying(echoOfOrder)), "InvalidRequest"]
  ])("repeats nothing of a gateway's careless error %s", async (_, answer, tag) => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, tokenResponse(accessToken))
    gateway.on(createRoute, answer)
    await using client = createGatewayClient(gateway.merchant)
    const error = await gatewayErrorOf(client.createPayment(personalOrder))
    expect(gateway.calls).toMatchObject([{ body: expect.stringContaining(personalOrder.payer.contact.email) }])
    expect(error.reason).toMatchObject({ _tag: tag, errors: [{ message: expect.stringMatching(/^Wrong values: </) }] })
    expectNoSecret(printed(error))
  })

  it.each<[string, Answer]>([
    ["of another shape", { body: { id: echo, state: echo, amount: echo, gw_url: echo } }],
    ["that is no JSON", { body: echo }],
    ["that is a page", { status: 502, headers: { "content-type": "text/html" }, body: `<html>${echo}</html>` }],
    ["that leads elsewhere", { status: 302, headers: { location: `/?${encodeURIComponent(echo)}` }, body: echo }],
    ["that breaks off", "cut the connection"]
  ])("repeats nothing of a response %s", async (_, answer) => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, tokenResponse(accessToken))
    gateway.on(createRoute, answer)
    await using client = createGatewayClient(gateway.merchant)
    const error = await gatewayErrorOf(client.createPayment(personalOrder))
    expect(error.reason._tag).toBe("OutcomeUnknown")
    expectNoSecret(printed(error))
  })

  it.each<[string, Route, Answer, (client: GatewayClient) => Promise<unknown>]>([
    [
      "a read that was refused",
      getRoute,
      refusal(404, 304, "PAYMENT_NOT_FOUND", echoing),
      (client) => client.getPayment(paymentId)
    ],
    [
      "a card that cannot be read",
      `GET /payments/cards/${cardId}`,
      { body: { card_id: cardId, card_token: [echo], card_number: { number: echo } } },
      (client) => client.getCardDetails(cardId)
    ],
    [
      "a refund that failed",
      refundRoute,
      { body: { id: paymentId, result: "FAILED", description: echo } },
      (client) => client.refundPayment(paymentId, { amount: 1 })
    ],
    [
      "a statement that is none",
      "POST /accounts/account-statement",
      { body: { statement: echo } },
      (client) =>
        client.getAccountStatement({
          date_from: "2026-01-01",
          date_to: "2026-01-31",
          goid: 8123456781,
          currency: "CZK",
          format: "CSV_A"
        })
    ]
  ])("repeats nothing of the response to %s", async (_, route, answer, call) => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, tokenResponse(accessToken))
    gateway.on(route, answer)
    await using client = createGatewayClient(gateway.merchant)
    expectNoSecret(printed(await gatewayErrorOf(call(client))))
    expect(gateway.calls).toHaveLength(1)
  })

  it("repeats nothing of the credentials that were refused", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, refusal(403, 202, "AUTH_WRONG_CREDENTIALS", saying(echoOfCredentials)))
    await using client = createGatewayClient(gateway.merchant)
    const error = await gatewayErrorOf(client.createPayment(personalOrder))
    expect(error.reason).toMatchObject({
      _tag: "AuthenticationFailed",
      errors: [{ error_code: 202, message: expect.stringMatching(/^Wrong values: </) }]
    })
    expectNoSecret(printed(error))
  })

  it("repeats nothing of a token that cannot be used", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, { body: { access_token: `${accessToken}\n`, expires_in: { token: accessToken } } })
    await using client = createGatewayClient(gateway.merchant)
    const error = await gatewayErrorOf(client.createPayment(personalOrder))
    expect(error.reason).toMatchObject({ _tag: "UnexpectedResponse", message: expect.stringContaining("access_token") })
    expectNoSecret(printed(error))
  })

  it("repeats nothing of what a fetch of the caller's own says", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, tokenResponse(accessToken))
    const fetch = fetchTokensOnly((_, init) =>
      Promise.reject(Object.assign(new Error(`cannot send ${echo} ${JSON.stringify(init)}`), { init, code: echo }))
    )
    await using client = createGatewayClient({ ...gateway.merchant, fetch })
    const error = await gatewayErrorOf(client.createPayment(personalOrder))
    expect(error.reason._tag).toBe("OutcomeUnknown")
    expectNoSecret(printed(error))
  })

  it("repeats nothing of a request that cannot be right", async () => {
    await using gateway = await startScriptedGateway()
    await using client = createGatewayClient(gateway.merchant)
    const { email } = personalOrder.payer.contact
    const error = await gatewayErrorOf(
      client.createPayment({
        ...personalOrder,
        // @ts-expect-error a card number and an address where they do not belong
        payer: { ...personalOrder.payer, verify_pin: "4111111111111111", request_card_token: email, e_mail: email }
      })
    )
    expect(error.reason).toMatchObject({ _tag: "InvalidRequest" })
    expect(error.message).toContain("payer.verify_pin")
    expect(error.message).toContain("payer.request_card_token")
    expectNoSecret(printed(error))
  })
})

it("the token goes to no other address than the gateway's", async () => {
  await using gateway = await startScriptedGateway()
  await using elsewhere = await startScriptedGateway()
  for (const status of [301, 302, 303, 307, 308]) {
    gateway.on(refundRoute, { status, headers: { location: `${elsewhere.url}/api/payments/payment` } })
    await using client = createGatewayClient(gateway.merchant)
    const { reason } = await gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 }))
    expect(reason).toMatchObject({ _tag: "OutcomeUnknown", status })
  }
  expect(gateway.calls).toHaveLength(5)
  expect(elsewhere.requests).toEqual([])
})

// ---------------------------------------------------------------------------------------------------------------------
// Processes
// ---------------------------------------------------------------------------------------------------------------------

describe("a process", () => {
  const ends: ReadonlyArray<[string, Answer]> = [
    ["a refusal", refusal(409, 110, "INVALID", echoing)],
    ["an unknown outcome", refusal(500, 100, "SYSTEM_ERROR", echoing)],
    ["a broken connection", "cut the connection"]
  ]

  it.each(firstOf(1, ends))("that ends with %s that no one catches prints no secret", async (_, answer) => {
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, tokenResponse(accessToken))
    gateway.on(createRoute, answer)
    const { code, errors, output } = await runClient("uncaught", [gateway.url])
    expect(gateway.calls).toHaveLength(1)
    expect(code).toBe(1)
    expect(errors).toContain("GatewayError: createPayment: ")
    expect(errors).toContain("ClientProcess.ts")
    expectNoSecret(errors + output)
  })

  it("has no unhandled rejection of the client's own, and ends by itself", async () => {
    await using gateway = await startScriptedGateway()
    gateway.hold("POST /silent/api/oauth2/token")
    gateway.on(`GET /payments/payment/${paymentId}/refunds`, { body: [] })
    gateway.hold(getRoute)
    gateway.hold(refundRoute)
    expect(await runClient("caught", [gateway.url])).toEqual({
      code: 0,
      output: `${JSON.stringify(["enough", "enough", "too late", "InvalidRequest", "GatewayUnavailable", "OutcomeUnknown"])}\n`,
      errors: ""
    })
  })
})
