/**
 * What a client of API v4 is made of: variables, a store of tokens; and requests of one's own.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startLocalGateway } from "../../../src/local-gateway/promise/index.js"
import {
  type CallEventV4,
  type ChangeRecordV4,
  createGatewayClient,
  GatewayErrorV4,
  optionsFromEnv,
  paymentIdV4
} from "../../../src/promise/v4/index.js"
import { orderV4 } from "../../support/GatewayV4.js"

const variables = {
  GOPAY_GOID: "8123456781",
  GOPAY_CLIENT_ID: "1234567890",
  GOPAY_CLIENT_SECRET: "s3cr3tXY",
  GOPAY_ENVIRONMENT: "sandbox"
}

const unknownId = paymentIdV4("9999999999")

const reasonOf = async (call: Promise<unknown>): Promise<GatewayErrorV4["reason"]> => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error
  )
  return error instanceof GatewayErrorV4 ? error.reason : expect.fail(String(error))
}

describe("optionsFromEnv of API v4", () => {
  it("takes what a client needs, and of v3's variables neither language nor scope", () => {
    const all = { ...variables, GOPAY_LANGUAGE: "CS", GOPAY_SCOPE: "payment-all", GOPAY_V4_SCOPE: "payment:read" }
    const options = optionsFromEnv(all)
    expect(options).toStrictEqual({
      goid: "8123456781",
      clientId: "1234567890",
      clientSecret: "s3cr3tXY",
      environment: "sandbox",
      scope: "payment:read"
    })
    expect(createGatewayClient(options).baseUrl).toBe("https://gw.sandbox.gopay.com/gp-gw/api/4.0")
  })

  it("names every variable that is not set", () => {
    expect(() => optionsFromEnv({ GOPAY_GOID: "1", GOPAY_CLIENT_ID: "" })).toThrow(
      "GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT"
    )
  })
})

// Keys cost as much as a claim lasts where many tests run on few processors; here no one guesses secrets.
beforeAll(() => {
  const { subtle } = crypto
  const deriveBits = subtle.deriveBits.bind(subtle)
  vi.spyOn(subtle, "deriveBits").mockImplementation((algorithm, ...others) =>
    deriveBits({ ...Object(algorithm), iterations: 1 }, ...others)
  )
})
afterAll(() => {
  vi.restoreAllMocks()
})

describe("a store of tokens of API v4", () => {
  it("serves every client with the same scope, and none with another", async () => {
    await using local = await startLocalGateway()
    const { clientId, clientSecret, environment, goid } = local.merchant
    const texts = new Map<string, string>()
    const events: Array<CallEventV4> = []
    const client = (scope?: string) =>
      createGatewayClient({
        goid,
        clientId,
        clientSecret,
        environment,
        scope,
        observer: (event) => events.push(event),
        tokenStore: { get: async (key) => texts.get(key) ?? null, set: async (key, text) => void texts.set(key, text) }
      })
    const tokens = () => events.filter(({ operation }) => operation === "getAccessToken").length
    await using first = client()
    await using second = client()
    await using reader = client("payment:read")
    expect(await reasonOf(first.getPayment(unknownId))).toMatchObject({ _tag: "PaymentNotFound" })
    expect(await reasonOf(second.getPayment(unknownId))).toMatchObject({ _tag: "PaymentNotFound" })
    expect(tokens()).toBe(1)
    expect(await reasonOf(reader.getPayment(unknownId))).toMatchObject({ _tag: "PaymentNotFound" })
    expect(tokens()).toBe(2)
    expect(await reasonOf(reader.cancelPayment(unknownId))).toMatchObject({ _tag: "PermissionDenied" })
    expect([...texts.values()].join()).not.toContain(clientSecret)
  })
})

describe("sendRequest of API v4", () => {
  it("sends a request of one's own, asks before it and keeps its record", async () => {
    await using local = await startLocalGateway()
    const { clientId, clientSecret, environment, goid } = local.merchant
    await using gateway = createGatewayClient({ goid, clientId, clientSecret, environment, retry: { attempts: 1 } })
    const { id } = await gateway.createPayment(orderV4)
    const path = `/payments/${id}` as const
    expect(await gateway.sendRequest({ method: "GET", path, kind: "read" })).toMatchObject({ id, state: "CREATED" })

    const asked: Array<ChangeRecordV4> = []
    await local.armFault({ type: "connectionReset", effect: "committed" })
    const reason = await reasonOf(
      gateway.sendRequest(
        { method: "DELETE", path, kind: "change" },
        { beforeSend: (change) => asked.push(change) > 0 }
      )
    )
    if (reason._tag !== "OutcomeUnknown") throw new Error(reason.message)
    expect(asked).toMatchObject([{ operation: "v4.sendRequest", path, goid }])
    expect(await gateway.reconcile(reason.change)).toMatchObject({ _tag: "CannotTell", why: "CustomRequest" })
    expect((await gateway.getPayment(id)).state).toBe("CANCELED")

    // What this gateway does not have, in the words of v4.
    const link = { method: "POST", path: `/eshops/${goid}/links`, kind: "change", body: {} } as const
    expect(await reasonOf(gateway.sendRequest(link))).toMatchObject({ _tag: "OutcomeUnknown", status: 501 })
  })
})
