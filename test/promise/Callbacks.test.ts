/**
 * Whatever a callback of the caller's does, a change that may have been sent ends with its result or as
 * `OutcomeUnknown`, one that was not sent ends as neither, and it is sent once at most.
 */
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  createGatewayClient,
  GatewayError,
  type GatewayClient,
  type GatewayClientOptions
} from "../../src/promise/index.js"
import type { DurationInput } from "../../src/basics/DurationInput.js"
import { captureLog } from "../support/LogGuard.js"
import { payment, paymentId } from "../support/OperationCases.js"
import { type Answer, deferred, refusal, startScriptedGateway, urlOf } from "../support/ScriptedGateway.js"

const getRoute = `GET /payments/payment/${paymentId}` as const
const refundPath = `/payments/payment/${paymentId}/refund` as const
const refundRoute = `POST ${refundPath}` as const

/** What a callback can reach. */
interface Reach {
  readonly client: GatewayClient
  readonly abort: () => void
  /** Keeps what the callback has begun: all of it has to end. */
  readonly begin: (work: Promise<unknown>) => void
}

/** What a callback may do before it returns. What it gives is returned in place of the callback's own value. */
const misdeeds: { readonly [name: string]: (reach: Reach) => unknown } = {
  "aborts the call": ({ abort }) => abort(),
  "aborts the call a moment later": ({ abort }) => queueMicrotask(abort),
  "aborts the call and throws": ({ abort }) => {
    abort()
    throw new Error("from a callback")
  },
  "closes the client": ({ begin, client }) => begin(client.close()),
  "closes the client and waits for that": ({ client }) => client.close(),
  "closes the client and aborts the call": ({ abort, begin, client }) => {
    begin(client.close())
    abort()
  },
  throws: () => {
    throw new Error("from a callback")
  },
  rejects: () => Promise.reject(new Error("from a callback")),
  "never answers": () => new Promise(() => {}),
  "calls the client": ({ begin, client }) => begin(client.getPayment(paymentId, { timeout: "1 second" })),
  "sends another change": ({ begin, client }) => begin(client.refundPayment(7, { amount: 2 }, { timeout: "1 second" }))
}

/** Those after which a change may be sent all the same. */
const harmless = ["calls the client", "sends another change"]

/** The callbacks that may end only by the call's time limit, if the call needs the callback's answer. */
const endless = ["never answers", "closes the client and waits for that"]

type Callback =
  | "observer"
  | "observer of the token"
  | "onResponse"
  | "beforeSend"
  | "fetch"
  | "tokenStore.get"
  | "tokenStore.set"
  | "waitUntil"

const callbacks: ReadonlyArray<Callback> = [
  "observer",
  "observer of the token",
  "onResponse",
  "beforeSend",
  "fetch",
  "tokenStore.get",
  "tokenStore.set",
  "waitUntil"
]

/** The callbacks of a request that needs no token. */
const callbacksOfOneRequest = ["observer", "onResponse", "beforeSend", "fetch"] as const

/** Those whose answer a call needs. */
const awaited: ReadonlySet<Callback> = new Set(["beforeSend", "fetch", "tokenStore.get", "tokenStore.set"])

/**
 * Runs one refund, in which a callback misbehaves at its first call that concerns the refund. What waits for a callback that never
 * answers has to end by the limit.
 */
const refundWith = async (
  callback: Callback,
  misdeed: (reach: Reach) => unknown,
  answer: Answer,
  hasToken: boolean,
  limit: DurationInput = "1 second"
) => {
  await using gateway = await startScriptedGateway()
  gateway.on(refundRoute, answer)
  gateway.on(getRoute, { body: payment })
  const controller = new AbortController()
  const begun: Array<Promise<unknown>> = []
  let wasCalled = false
  /** Misbehaves once, so that what it calls itself gets through. */
  const misbehave = (now: Callback): unknown => {
    if (now !== callback || wasCalled) return undefined
    wasCalled = true
    return misdeed({
      client,
      abort: () => controller.abort(new Error("aborted by a callback")),
      begin: (work) => void begun.push(work.catch(() => undefined))
    })
  }
  const stored = new Map<string, string>()
  const options: { -readonly [option in keyof GatewayClientOptions]: GatewayClientOptions[option] } = {
    ...gateway.merchant
  }
  if (callback === "observer") {
    options.observer = ({ operation }) => (operation === "refundPayment" ? misbehave("observer") : undefined)
  }
  if (callback === "observer of the token") {
    options.observer = ({ operation }) => (operation === "getAccessToken" ? misbehave(callback) : undefined)
  }
  if (callback === "fetch") {
    options.fetch = async (input, init) => {
      if (urlOf(input).endsWith(refundPath)) await misbehave("fetch")
      return globalThis.fetch(input, init)
    }
  }
  if (callback === "waitUntil") options.waitUntil = () => misbehave("waitUntil")
  if (callback.startsWith("tokenStore")) {
    options.tokenStore = {
      get: async (key) => {
        await misbehave("tokenStore.get")
        return stored.get(key)
      },
      set: async (key, text) => {
        await misbehave("tokenStore.set")
        stored.set(key, text)
      }
    }
  }
  const client = createGatewayClient(options)
  // No other call may end by its time limit.
  const isAwaitedForEver = endless.some((name) => misdeed === misdeeds[name]) && awaited.has(callback)
  if (callback === "waitUntil") {
    // The token is due for a refresh, which continues in the background of the call.
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] })
    await client.getPayment(paymentId)
    vi.setSystemTime(Date.now() + 1_750_000)
  }
  // With a token at hand, the first callback is called before the method has returned its promise.
  if (hasToken) await client.getPayment(paymentId)
  const outcome = await client
    .refundPayment(
      paymentId,
      { amount: 1 },
      {
        signal: controller.signal,
        timeout: isAwaitedForEver ? limit : "1 minute",
        ...(callback === "beforeSend"
          ? {
              beforeSend: async () => {
                await misbehave("beforeSend")
                return true
              }
            }
          : undefined),
        ...(callback === "onResponse" ? { onResponse: () => misbehave("onResponse") } : undefined)
      }
    )
    .then(({ result }) => result)
    .catch((error: unknown) => (error instanceof GatewayError ? error.reason._tag : "not a GatewayError"))
  const sent = gateway.calls.filter(({ url }) => url.endsWith(refundPath)).length
  await Promise.all(begun)
  await client.close()
  return { outcome, sent, wasCalled }
}

afterEach(() => void vi.useRealTimers())

describe.each([
  ["accepted", { body: { id: paymentId, result: "FINISHED" } }, "FINISHED"],
  ["refused", refusal(409, 303, "PAYMENT_WRONG_STATE"), "OperationRefused"]
] as const)("a refund that is %s", (_, answer, result) => {
  /** They wait for time limits and retries, so they run concurrently, except those that set the clock. */
  const suiteOf = (callback: Callback) => (callback === "waitUntil" ? describe : describe.concurrent)

  const cases = [
    ...callbacks.map((callback) => ({ callback, hasToken: false })),
    ...callbacksOfOneRequest.map((callback) => ({ callback, hasToken: true }))
  ]
  for (const { callback, hasToken } of cases) {
    suiteOf(callback)(`whose ${callback}${hasToken ? ", with a token at hand," : ""}`, () => {
      it.for(Object.keys(misdeeds))("%s", async (name, { expect, onTestFinished }) => {
        captureLog(/^The store of access tokens fails/, onTestFinished)
        const misdeed = misdeeds[name] ?? (() => undefined)
        const quick = await refundWith(callback, misdeed, answer, hasToken)
        // A busy machine does not come to the callback within a second.
        const { outcome, sent, wasCalled } = quick.wasCalled
          ? quick
          : await refundWith(callback, misdeed, answer, hasToken, "30 seconds")
        expect(sent).toBeLessThanOrEqual(1)
        // What only observes costs nothing. Of a `fetch` that fails it is not known whether it has sent the request.
        const possible = callback === "observer" ? [result] : [result, "OutcomeUnknown"]
        const impossible = callback === "fetch" ? [result] : [result, "OutcomeUnknown"]
        const isRight = sent > 0 ? possible.includes(outcome) : !impossible.includes(outcome)
        expect(isRight, `${outcome}, sent ${sent} times`).toBe(true)
        expect(wasCalled).toBe(true)
        if (callback === "beforeSend" && !harmless.includes(name)) expect(sent).toBe(0)
      })
    })
  }
})

describe.each(["expected", "handler", "onError"] as const)("a notification handler whose %s", (callback) => {
  it.each([
    ["closes the client", misdeeds["closes the client"]],
    ["closes the client and waits for that", misdeeds["closes the client and waits for that"]],
    ["aborts the request that it was asked by", misdeeds["aborts the call"]],
    ["throws", misdeeds["throws"]],
    ["rejects", misdeeds["rejects"]],
    ["never answers, until the client is closed", misdeeds["never answers"]],
    ["calls the client", misdeeds["calls the client"]]
  ] satisfies ReadonlyArray<[string, ((reach: Reach) => unknown) | undefined]>)("%s", async (name, misdeed) => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    captureLog(/^onError failed/)
    const client = createGatewayClient(gateway.merchant)
    const begun: Array<Promise<unknown>> = []
    const called: Array<string> = []
    const reached = deferred<void>()
    const request = new AbortController()
    let isHandled = false
    const misbehave = async (now: string): Promise<void> => {
      called.push(now)
      if (now !== callback) return
      reached.resolve()
      await misdeed?.({
        client,
        abort: () => request.abort(),
        begin: (work) => void begun.push(work.catch(() => undefined))
      })
    }
    const handle = client.createNotificationHandler({
      expected: async () => {
        await misbehave("expected")
        return { amount: payment.amount, currency: payment.currency, order_number: payment.order_number }
      },
      handler: async () => {
        await misbehave("handler")
        isHandled = true
        if (callback === "onError") throw new Error("so that there is something to report")
      },
      onError: () => misbehave("onError")
    })
    const { signal } = request
    const answered = handle(new Request(`https://shop.example/notify?id=${paymentId}`, { signal }))
    await reached.promise
    if (name.startsWith("never")) begun.push(client.close())
    const { status } = await answered
    // 200 says that the shop has recorded the payment's state: the gateway does not repeat it then.
    expect(isHandled && callback !== "onError" ? [200, 503] : [503]).toContain(status)
    expect(called).toContain(callback)
    await Promise.all(begun)
    await client.close()
  })
})

describe("a return whose expected", () => {
  const outcomeWith = async (name: string) => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment })
    await using client = createGatewayClient(gateway.merchant)
    const controller = new AbortController()
    const begun: Array<Promise<unknown>> = []
    const expected = { amount: payment.amount, currency: payment.currency, order_number: payment.order_number }
    const outcome = await client
      .verifyPayment(
        `https://shop.example/return?id=${paymentId}`,
        async () => {
          if (name === "never answers") begun.push(client.close())
          await misdeeds[name]?.({
            client,
            abort: () => controller.abort("enough"),
            begin: (work) => void begun.push(work.catch(() => undefined))
          })
          return expected
        },
        { signal: controller.signal }
      )
      .then(({ payment: { state } }) => state)
      .catch((error: unknown) => ("reason" in Object(error) ? Object(error).reason._tag : error))
    await Promise.all(begun)
    return [outcome, gateway.calls.filter(({ method }) => method === "GET").length]
  }

  it.each([
    ["aborts the call", "enough", 0],
    ["aborts the call a moment later", "enough", 0],
    ["aborts the call and throws", "enough", 0],
    ["closes the client", "GatewayUnavailable", 0],
    ["closes the client and waits for that", "GatewayUnavailable", 0],
    ["closes the client and aborts the call", "enough", 0],
    ["throws", "ExpectationFailed", 0],
    ["rejects", "ExpectationFailed", 0],
    ["never answers", "GatewayUnavailable", 0],
    ["calls the client", "CREATED", 2]
  ])("%s ends as %s, and reads the payment %i times", async (name, outcome, reads) => {
    expect(await outcomeWith(name)).toEqual([outcome, reads])
  })
})
