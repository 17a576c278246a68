/**
 * No cache answers for the gateway, whatever `fetch` requests go over.
 */
import { afterEach, describe, expect, it, vi } from "vitest"
import { type Style, styles } from "../../support/ClientStyles.js"
import { operations, payment, paymentId } from "../../support/OperationCases.js"
import { startScriptedGateway } from "../../support/ScriptedGateway.js"

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
  vi.unstubAllEnvs()
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

  it.each([
    ["force-cache", "production", { internal: true }],
    ["only-cache", "production", { internal: true }],
    ["default-cache", "production", undefined],
    [undefined, "production", undefined],
    [undefined, "development", { internal: true }]
  ])("a page of Next.js with fetchCache %s in %s", async (fetchCache, mode, next) => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
    const { fetch, inits } = keepingFetch()
    vi.stubEnv("NODE_ENV", mode)
    vi.stubGlobal(
      "fetch",
      Object.assign(fetch, { __nextPatched: true, __nextGetStaticStore: () => ({ getStore: () => ({ fetchCache }) }) })
    )
    await using client = styles[style](gateway.merchant)
    await client.getPayment(paymentId)
    expect(optionsOf(inits, "cache")).toEqual(["no-store", "no-store"])
    expect(optionsOf(inits, "next")).toEqual([next, next])
  })
})
