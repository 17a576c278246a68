import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { createGatewayClient, type TokenStore } from "../../src/promise/index.js"
import { captureLog } from "../support/LogGuard.js"
import { payment, paymentId } from "../support/OperationCases.js"
import { startScriptedGateway } from "../support/ScriptedGateway.js"

const getRoute = `GET /payments/payment/${paymentId}` as const

const prepare = async () => {
  const gateway = await startScriptedGateway()
  gateway.on(getRoute, { body: payment })
  return gateway
}

/** A store in memory, and what was put into it. */
const memory = () => {
  const texts = new Map<string, string>()
  const puts: Array<{ readonly key: string; readonly text: string; readonly seconds: number }> = []
  const store: TokenStore = {
    get: async (key) => texts.get(key) ?? null,
    set: async (key, text, seconds) => {
      texts.set(key, text)
      puts.push({ key, text, seconds })
    }
  }
  return { puts, store, texts }
}

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

describe("a store of tokens", () => {
  it("serves a second client, which asks for no token of its own", async () => {
    await using gateway = await prepare()
    const { store } = memory()
    await using first = createGatewayClient({ ...gateway.merchant, tokenStore: store })
    await using second = createGatewayClient({ ...gateway.merchant, tokenStore: store })
    await first.getPayment(paymentId)
    await second.getPayment(paymentId)
    expect(gateway.tokenRequests).toHaveLength(1)
    expect(new Set(gateway.calls.map(({ headers }) => headers.authorization)).size).toBe(1)
  })

  it("holds the token encrypted, with the time it lives, under keys that any store can take", async () => {
    await using gateway = await prepare()
    const { puts, store } = memory()
    const { clientSecret } = gateway.merchant
    await using client = createGatewayClient({ ...gateway.merchant, tokenStore: store })
    await client.getPayment(paymentId)
    const all = JSON.stringify(puts)
    for (const secret of [...gateway.tokens, clientSecret].flatMap((text) => [text, btoa(text)])) {
      expect(all).not.toContain(secret)
    }
    for (const { key, seconds } of puts) {
      expect(key).toMatch(/^[A-Za-z0-9_.!~*'(),%-]{1,299}$/)
      expect(Number.isInteger(seconds)).toBe(true)
      expect(seconds).toBeGreaterThanOrEqual(1)
    }
    expect(puts.find(({ key }) => key.startsWith("gopay-access-token,"))?.seconds).toBe(1800)
  })

  it("that forgets nothing, and is long in showing what was written, delays no call by more than its steps", async () => {
    await using gateway = await prepare()
    const { texts } = memory()
    // As an eventually consistent store whose reads are cached: nothing is seen of what was just written.
    const store: TokenStore = {
      get: async () => undefined,
      set: async (key, text) => texts.set(key, text)
    }
    await using client = createGatewayClient({ ...gateway.merchant, tokenStore: store })
    await client.getPayment(paymentId)
    expect(gateway.tokenRequests).toHaveLength(1)
    expect(texts.size).toBe(2)
  })

  const broken: ReadonlyArray<readonly [string, object]> = [
    ["rejects", { get: () => Promise.reject(new Error("passw0rd")), set: () => Promise.reject(new Error("passw0rd")) }],
    [
      "throws",
      {
        get: () => {
          throw new TypeError("passw0rd")
        },
        set: () => {
          throw new TypeError("passw0rd")
        }
      }
    ],
    ["gives a number", { get: async () => 7, set: async () => undefined }],
    ["gives no promise", { get: () => ({ some: "thing" }), set: () => 7 }],
    ["gives a web page", { get: () => "<html>", set: () => undefined }]
  ]

  it.each(broken)("that %s costs the sharing only, and is warned of once", async (_, store) => {
    await using gateway = await prepare()
    const told = captureLog(/^The store of access tokens fails/)
    // @ts-expect-error -- as in plain JavaScript
    await using client = createGatewayClient({ ...gateway.merchant, tokenStore: store })
    await expect(client.getPayment(paymentId)).resolves.toEqual(payment)
    await client.getPayment(paymentId)
    expect(gateway.tokenRequests).toHaveLength(1)
    expect(told).toHaveLength(1)
    expect(told.join("\n")).not.toContain("passw0rd")
  })
})

describe("how often a read is tried", () => {
  const failing = { status: 503 }

  it.each([
    [false, 1],
    [{ attempts: 1 }, 1],
    [{ attempts: 2 }, 2]
  ] as const)("is what `retry` says: %j", async (retry, attempts) => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, failing)
    await using client = createGatewayClient({ ...gateway.merchant, retry })
    await expect(client.getPayment(paymentId)).rejects.toMatchObject({ reason: { isRetryable: true } })
    expect(gateway.calls).toHaveLength(attempts)
  })

  it("is so for `verifyPayment` and the request for a token, too", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, failing)
    await using client = createGatewayClient({ ...gateway.merchant, retry: false })
    const expected = { order_number: "1", amount: 1, currency: "CZK" } as const
    await expect(client.verifyPayment(`https://shop.example/?id=${paymentId}`, () => expected)).rejects.toMatchObject({
      reason: { _tag: "GatewayUnavailable" }
    })
    expect(gateway.calls).toHaveLength(1)
    gateway.on("POST /oauth2/token", failing)
    await using another = createGatewayClient({ ...gateway.merchant, retry: { attempts: 2 } })
    await expect(another.getPayment(paymentId)).rejects.toMatchObject({ reason: { _tag: "GatewayUnavailable" } })
    expect(gateway.tokenRequests).toHaveLength(3)
  })
})

describe("a platform's waitUntil", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it("is given the refresh of a token that is due, and nothing else", async () => {
    await using gateway = await prepare()
    const kept: Array<Promise<unknown>> = []
    await using client = createGatewayClient({ ...gateway.merchant, waitUntil: (work) => void kept.push(work) })
    const now = Date.now()
    vi.useFakeTimers({ now, toFake: ["Date"] })
    await client.getPayment(paymentId)
    expect(kept).toHaveLength(0)
    vi.setSystemTime(now + 1_750_000)
    await client.getPayment(paymentId)
    expect(kept).toHaveLength(1)
    await Promise.all(kept)
    expect(gateway.tokenRequests).toHaveLength(2)
    await client.getPayment(paymentId)
    expect(kept).toHaveLength(1)
    expect(gateway.calls[2]?.headers.authorization).toBe(`Bearer ${gateway.tokens[1]}`)
  })
})

describe("options that say how a client lives", () => {
  it.each([
    [{ tokenStore: {} }, "tokenStore"],
    [{ tokenStore: { get: () => null } }, "tokenStore"],
    [{ tokenStore: "redis://" }, "tokenStore"],
    [{ waitUntil: 1 }, "waitUntil"],
    [{ retry: true }, "retry"],
    [{ retry: { attempts: 0 } }, "retry.attempts"],
    [{ retry: { attempts: 1.5 } }, "retry.attempts"],
    [{ retry: { totalTimeout: -1 } }, "retry.totalTimeout"],
    [{ retry: { totalTimeout: Infinity } }, "retry.totalTimeout"],
    [{ retry: { totalTimeout: "soon" } }, "retry.totalTimeout"],
    [{ retry: { times: 3 } }, "retry"]
  ])("are refused when they cannot be right: %j", (options, field) => {
    const credentials = { goid: 8123456781, clientId: "1", clientSecret: "s", environment: "sandbox" }
    // @ts-expect-error -- as in plain JavaScript
    expect(() => createGatewayClient({ ...credentials, ...options })).toThrow(
      new RegExp(`^createGatewayClient: .*${field.replace(".", "\\.")}`)
    )
  })
})
