/**
 * No cache answers for the gateway, whatever `fetch` requests go over.
 */
import { afterEach, describe, expect, it, vi } from "vitest"
import { createGatewayClient } from "../../../src/promise/index.js"
import { type Style, styles } from "../../support/ClientStyles.js"
import { operations, payment, paymentId } from "../../support/OperationCases.js"
import { rejectionOf } from "../../support/Rejection.js"
import { startScriptedGateway, urlOf } from "../../support/ScriptedGateway.js"

const usualFetch = globalThis.fetch

/** Keeps what `fetch` was given. */
const keepingFetch = () => {
  const inits: Array<RequestInit | undefined> = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    inits.push(init)
    return usualFetch(input, init)
  }
  return { fetch, inits }
}

const optionsOf = (inits: ReadonlyArray<RequestInit | undefined>, name: string): ReadonlyArray<unknown> =>
  inits.map((init): unknown => (init === undefined ? undefined : Reflect.get(init, name)))

afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each<Style>(["promise", "Effect"])("in the style %s", (style) => {
  it.each(operations)("$name and its token are not answered by a cache", async ({ answer, call, route }) => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, answer)
    const { fetch, inits } = keepingFetch()
    await using client = styles[style]({ ...gateway.merchant, fetch })
    await call(client)
    expect(optionsOf(inits, "cache")).toEqual(["no-store", "no-store"])
    expect(optionsOf(inits, "next")).toEqual([undefined, undefined])
  })

  it.each(operations)("$name is sent where an old Worker throws on cache", async ({ answer, call, route }) => {
    await using gateway = await startScriptedGateway()
    gateway.on(route, answer)
    const throwsOnCache = (init: RequestInit | undefined): void => {
      if (init !== undefined && "cache" in init) throw new Error("The 'cache' field is not implemented.")
    }
    class OldRequest extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        throwsOnCache(init)
        super(input, init)
      }
    }
    vi.stubGlobal("Request", OldRequest)
    const { fetch, inits } = keepingFetch()
    await using client = styles[style]({
      ...gateway.merchant,
      fetch: (input, init) => {
        throwsOnCache(init)
        return fetch(input, init)
      }
    })
    await call(client)
    expect(inits).toHaveLength(2)
  })

  it("a page of Next.js is told that the requests are not its own, and none is kept", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
    const { fetch, inits } = keepingFetch()
    vi.stubGlobal("fetch", Object.assign(fetch, { __nextPatched: true }))
    await using client = styles[style](gateway.merchant)
    await client.getPayment(paymentId)
    expect(optionsOf(inits, "cache")).toEqual(["no-store", "no-store"])
    expect(optionsOf(inits, "next")).toEqual([{ internal: true }, { internal: true }])
  })
})

describe("a page of Next.js that is rendered ahead", () => {
  const isDynamic = Object.assign(new Error("Dynamic server usage"), { digest: "DYNAMIC_SERVER_USAGE" })
  /** Of a page with `dynamic = "error"`. */
  const isRefused = Object.assign(new Error('Route /order with `dynamic = "error"`'), {
    code: "NEXT_STATIC_GEN_BAILOUT"
  })
  /** As Next.js patches `fetch`: without `internal` it fails where the page is rendered ahead. */
  const patched = (page: object, failure?: Error) => {
    const asked: Array<string> = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (init !== undefined && "next" in init) return usualFetch(input, init)
      asked.push(urlOf(input))
      if (failure !== undefined) throw failure
      return new Response()
    }
    vi.stubGlobal(
      "fetch",
      Object.assign(fetch, { __nextPatched: true, __nextGetStaticStore: () => ({ getStore: () => page }) })
    )
    return asked
  }

  it.each([
    ["is rendered for each request instead", isDynamic],
    ["and must not be rendered for each request is not built", isRefused]
  ])("%s: the error is the one of Next.js, and nothing is sent", async (_, failure) => {
    await using gateway = await startScriptedGateway()
    patched({}, failure)
    await using client = createGatewayClient(gateway.merchant)
    expect(await rejectionOf(client.getPayment(paymentId))).toBe(failure)
    expect(await rejectionOf(client.refundPayment(paymentId, { amount: 1 }))).toBe(failure)
    expect(gateway.requests).toHaveLength(0)
  })

  it.each(["force-cache", "only-cache"])("stays so with fetchCache %s", async (fetchCache) => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
    const asked = patched({ fetchCache }, isDynamic)
    await using client = createGatewayClient(gateway.merchant)
    await expect(client.getPayment(paymentId)).resolves.toEqual(payment)
    expect(asked).toEqual([])
  })

  it("is asked about for each call: in development Next.js renders a page ahead after it was rendered for a request", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
    const asked = patched({})
    await using client = createGatewayClient(gateway.merchant)
    await client.getPayment(paymentId)
    await client.getPayment(paymentId)
    expect(asked).toHaveLength(2)
  })
})
