/**
 * What the promise client sends its requests over, on Node.js.
 */
import http from "node:http"
import { afterEach, describe, expect, it, vi } from "vitest"
import { makeSender } from "../../src/client/transport/fetch.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { credentials } from "../support/Credentials.js"
import { payment, paymentId } from "../support/OperationCases.js"
import { gatewayErrorOf } from "../support/Rejection.js"
import { startScriptedGateway, tokenResponse, tokenRoute, wrongCredentials } from "../support/ScriptedGateway.js"

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A gateway with its client, and what has been sent over sockets of `node:http`. */
const start = async (options: { readonly agent?: http.Agent } = {}) => {
  const gateway = await startScriptedGateway()
  gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
  const client = createGatewayClient({ ...gateway.merchant, retry: false, ...options })
  const requested = vi.spyOn(http, "request")
  return {
    client,
    gateway,
    requested,
    [Symbol.asyncDispose]: async () => {
      requested.mockRestore()
      await client.close()
      await gateway.close()
    }
  }
}

/** Where the undici of this Node.js keeps its global dispatcher, from the first `fetch` on. */
const dispatcherName = (): symbol =>
  [2, 1].map((version) => Symbol.for(`undici.globalDispatcher.${version}`)).find((name) => name in globalThis) ??
  expect.unreachable()

describe("without options", () => {
  it("requests go over node:http, with one connection for the first call", async () => {
    await using shop = await start()
    await shop.client.getPayment(paymentId)
    expect(shop.requested).toHaveBeenCalledTimes(2)
    expect(new Set(shop.gateway.ports)).toHaveProperty("size", 1)
  })

  it("requests go over a global fetch that was replaced, for as long as it is", async () => {
    await using shop = await start()
    const { fetch } = globalThis
    const replaced = vi.fn<typeof fetch>((...args) => fetch(...args))
    await shop.client.getPayment(paymentId)
    vi.stubGlobal("fetch", replaced)
    await shop.client.getPayment(paymentId)
    expect(replaced).toHaveBeenCalledTimes(1)
    vi.unstubAllGlobals()
    await shop.client.getPayment(paymentId)
    expect(replaced).toHaveBeenCalledTimes(1)
    expect(shop.requested).toHaveBeenCalledTimes(3)
  })

  it("requests go over node:http where there is no fetch at all", async () => {
    await using shop = await start()
    vi.stubGlobal("fetch", undefined)
    await shop.client.getPayment(paymentId)
    expect(shop.requested).toHaveBeenCalledTimes(2)
  })

  it("requests go over Node's fetch when undici's dispatcher was replaced, and it was not by calling fetch", async () => {
    await using shop = await start()
    await (await fetch(shop.gateway.url)).text()
    await shop.client.getPayment(paymentId)
    expect(shop.requested).toHaveBeenCalledTimes(2)
    const dispatcher = dispatcherName()
    const usual: unknown = Reflect.get(globalThis, dispatcher)
    const withOptions = Object.create(Object(usual), { [Symbol("options")]: { value: { connect: {} } } })
    for (const other of [new Map(), withOptions]) {
      Reflect.set(globalThis, dispatcher, other)
      await shop.client.getPayment(paymentId).catch(() => undefined)
      expect(shop.requested).toHaveBeenCalledTimes(2)
      Reflect.set(globalThis, dispatcher, usual)
    }
  })
})

describe("over fetch", () => {
  it("the call waits for the connection that the token came over", async () => {
    await using shop = await start()
    const { fetch } = globalThis
    await using client = createGatewayClient({ ...shop.gateway.merchant, fetch: (...args) => fetch(...args) })
    const token = shop.gateway.hold(tokenRoute)
    const first = client.getPayment(paymentId)
    await token.arrived
    const arrived = Date.now()
    await vi.waitUntil(() => Date.now() > arrived)
    token.answer(tokenResponse("token"))
    await first
    expect(shop.gateway.ports).toHaveLength(2)
    expect(new Set(shop.gateway.ports)).toHaveProperty("size", 1)
  })
})

describe("warm", () => {
  it("gets a token and a connection, once, and the first call needs no other", async () => {
    await using shop = await start()
    await Promise.all([shop.client.warm(), shop.client.warm()])
    await shop.client.warm()
    expect(shop.gateway.requests).toHaveLength(1)
    await shop.client.getPayment(paymentId)
    expect(shop.gateway.requests).toHaveLength(2)
    expect(new Set(shop.gateway.ports)).toHaveProperty("size", 1)
  })

  it("fails as the request for a token does", async () => {
    await using shop = await start()
    shop.gateway.on("POST /oauth2/token", wrongCredentials)
    const { operation, reason } = await gatewayErrorOf(shop.client.warm())
    expect(operation).toBe("getAccessToken")
    expect(reason).toMatchObject({ _tag: "AuthenticationFailed" })
    await shop.client.close()
    expect((await gatewayErrorOf(shop.client.warm())).reason).toHaveProperty(
      "message",
      expect.stringContaining("closed")
    )
  })
})

describe("an agent", () => {
  it("makes the connections, whatever fetch is", async () => {
    const agent = new http.Agent({ keepAlive: true })
    await using shop = await start({ agent })
    vi.stubGlobal("fetch", () => expect.unreachable())
    await shop.client.getPayment(paymentId)
    expect(Object.values(agent.freeSockets)).toHaveLength(1)
    await shop.client.close()
    expect(Object.values(agent.freeSockets)).toHaveLength(1)
    agent.destroy()
  })

  it("is not allowed beside fetch: one of them would be passed over", () => {
    const options = { ...credentials, environment: "sandbox", agent: new http.Agent(), fetch: globalThis.fetch }
    expect(() => createGatewayClient(options)).toThrow("agent: is not allowed beside fetch")
  })

  it("is for Node.js: on other platforms it would be passed over in silence", () => {
    expect(() => makeSender({ agent: new http.Agent() })).toThrow(
      "agent is for Node.js: give a fetch on other platforms."
    )
    expect(makeSender({})).toHaveProperty("send")
  })
})
