import { inspect } from "node:util"
import { afterEach, describe, expect, it, vi } from "vitest"
import { createGatewayClient } from "../../src/promise/index.js"
import { order, payment, paymentId } from "../support/OperationCases.js"
import { credentials } from "../support/Credentials.js"
import { startScriptedGateway } from "../support/ScriptedGateway.js"

afterEach(() => {
  vi.unstubAllGlobals()
})

const merchant = { ...credentials, environment: "sandbox" }

/** Creates a client as plain JavaScript may: the type checker sees nothing. */
const created = (...options: ReadonlyArray<unknown>): unknown => Reflect.apply(createGatewayClient, undefined, options)

const thrownBy = (create: () => unknown): unknown => {
  try {
    create()
  } catch (error) {
    return error
  }
  return expect.fail("did not throw")
}

const problem = (...options: ReadonlyArray<unknown>): string => {
  const error = thrownBy(() => created(...options))
  expect(error).toBeInstanceOf(TypeError)
  return String(error).replace(/^TypeError: createGatewayClient: /, "")
}

/** A `fetch` of the caller's own that answers everything, and the addresses that it was called with. */
const recordingFetch = () => {
  const urls: Array<string> = []
  const bodies: Array<string> = []
  const inits: Array<RequestInit | undefined> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    urls.push(url)
    inits.push(init)
    bodies.push(await new Request(url, init).text())
    return Response.json(url.endsWith("/oauth2/token") ? { access_token: "a-token", expires_in: 1800 } : payment)
  }
  return { bodies, fetch, inits, urls }
}

describe("a wrong option", () => {
  const wrong: { readonly [option: string]: ReadonlyArray<unknown> } = {
    goid: [undefined, null, 0, -1, 1.5, Number.NaN, "", "81x", {}],
    clientId: [undefined, null, "", "with blank", "with:colon", 5],
    clientSecret: [undefined, null, "", "  ", 5, ["s3cr3tXY"]],
    environment: [
      undefined,
      null,
      "",
      "staging",
      "gateway.example",
      "ftp://gateway.example",
      "https://gateway.example/?a=1",
      "https://gateway.example/#a",
      "https://name:pass@gateway.example",
      "http://gateway.example",
      5
    ],
    language: ["", "c s", "cs_CZ", 5, null],
    scope: ["", "  ", 5, null],
    timeout: [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "soon", null],
    userAgent: ["", "two\nlines", "žluťoučký", 5, null],
    agent: [null, 5, "https://proxy.example", () => {}],
    fetch: ["fetch", {}, null],
    allowInsecure: ["yes", 1, null]
  }

  for (const [option, values] of Object.entries(wrong)) {
    it.each(values)(`throws at once and is named: ${option} %j`, (value) => {
      expect(problem({ ...merchant, [option]: value })).toMatch(new RegExp(`^${option}: .`))
    })
  }

  it("that is unknown, such as a misspelt one, throws and is named", () => {
    expect(problem({ ...merchant, timeOut: 5_000 })).toMatch(/^timeOut: /)
  })

  it("throws together with every other one", () => {
    const everyWrong = Object.fromEntries(Object.keys(wrong).map((option) => [option, 5]))
    const message = problem({ ...everyWrong, goid: "x", timeout: 0, unknown: 5 })
    for (const option of [...Object.keys(wrong), "unknown"]) expect(message).toMatch(new RegExp(`(^|; )${option}: `))
  })

  it.each([[[]], [[undefined]], [[null]], [[{}]]])("throws when nothing is given: %j", (options) => {
    const message = problem(...options)
    for (const option of ["goid", "clientId", "clientSecret", "environment"]) {
      expect(message).toMatch(new RegExp(`(^|; )${option}: is required`))
    }
    expect(message).not.toContain("language")
  })

  it("is not repeated in the message, since it may be a secret", () => {
    const errors = [
      { ...merchant, clientSecret: ["s3cr3tXY"] },
      { ...merchant, clientId: "1234567890:s3cr3tXY" },
      { ...merchant, environment: "https://1234567890:s3cr3tXY@gateway.example" },
      { ...merchant, client_secret: "s3cr3tXY" },
      { ...merchant, goid: "s3cr3tXY", scope: "", language: "s3cr3tXY", userAgent: "s3cr3tXY\n", fetch: "s3cr3tXY" }
    ].map((options) => thrownBy(() => created(options)))
    expect(errors).toHaveLength(5)
    expect(inspect(errors, { depth: null, showHidden: true })).not.toContain("s3cr3t")
  })
})

describe("plain http", () => {
  it.each([
    "http://localhost:8080",
    "http://shop.localhost",
    "http://127.0.0.1",
    "http://127.8.9.10:1/api",
    "http://[::1]:1"
  ])("is for this machine: %s", (environment) => {
    expect(() => createGatewayClient({ ...merchant, environment })).not.toThrow()
  })

  it.each(["http://gateway.example", "http://127.0.0.1.example", "http://localhost.example", "http://10.0.0.1"])(
    "to another machine must be allowed: %s",
    (environment) => {
      for (const allowInsecure of [undefined, false]) {
        expect(problem({ ...merchant, environment, allowInsecure })).toMatch(/^environment: .*https/)
      }
      expect(() => createGatewayClient({ ...merchant, environment, allowInsecure: true })).not.toThrow()
    }
  )
})

describe("the environment", () => {
  const own = "https://gateway.example/api"

  it.each([
    ["sandbox", "https://gw.sandbox.gopay.com/api", "https://gw.sandbox.gopay.com/gp-gw/js/embed.js"],
    ["production", "https://gate.gopay.cz/api", "https://gate.gopay.cz/gp-gw/js/embed.js"],
    ["https://gateway.example", own, "https://gateway.example/gp-gw/js/embed.js"],
    ["https://gateway.example/", own, "https://gateway.example/gp-gw/js/embed.js"],
    ["https://gateway.example/api", own, "https://gateway.example/gp-gw/js/embed.js"],
    ["https://gateway.example/api/", own, "https://gateway.example/gp-gw/js/embed.js"],
    [
      "https://gateway.example:8443/mirror",
      "https://gateway.example:8443/mirror/api",
      "https://gateway.example:8443/mirror/gp-gw/js/embed.js"
    ]
  ])("%s is the API at %s and the script at %s", async (environment, api, script) => {
    const { fetch, urls } = recordingFetch()
    await using client = createGatewayClient({ ...merchant, environment, fetch })
    expect(client.getEmbedJsUrl()).toBe(script)
    await client.getPayment(paymentId)
    expect(urls).toEqual([`${api}/oauth2/token`, `${api}/payments/payment/${paymentId}`])
  })
})

describe("the client", () => {
  it("sends nothing before its first call", async () => {
    const { fetch, urls } = recordingFetch()
    await using client = createGatewayClient({ ...merchant, fetch })
    client.getEmbedJsUrl()
    await new Promise(setImmediate)
    expect(urls).toEqual([])
    await client.getPayment(paymentId)
    expect(urls).toHaveLength(2)
  })

  it("speaks English and asks for the whole scope, unless told otherwise", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on("POST /payments/payment", { body: payment })
    await using plain = createGatewayClient(gateway.merchant)
    await using czech = createGatewayClient({ ...gateway.merchant, language: "CS", scope: "payment-create" })
    await plain.createPayment(order)
    await czech.createPayment(order)
    expect(gateway.tokenRequests.map(({ body }) => body)).toEqual([
      "grant_type=client_credentials&scope=payment-all",
      "grant_type=client_credentials&scope=payment-create"
    ])
    expect(gateway.calls).toMatchObject([
      { headers: { "accept-language": "en-US" }, body: expect.stringContaining(`"lang":"EN"`) },
      { headers: { "accept-language": "cs-CZ" }, body: expect.stringContaining(`"lang":"CS"`) }
    ])
  })

  it("takes a language in any case, and sends it in upper case", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on("POST /payments/payment", { body: payment })
    await using client = createGatewayClient({ ...gateway.merchant, language: "sk" })
    await client.createPayment(order)
    expect(gateway.calls).toMatchObject([
      { headers: { "accept-language": "cs-CZ" }, body: expect.stringContaining(`"lang":"SK"`) }
    ])
  })

  it("takes the shop's identifier as text too", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on("POST /payments/payment", { body: payment })
    await using client = createGatewayClient({ ...gateway.merchant, goid: "8123456781" })
    await client.createPayment(order)
    expect(gateway.calls).toMatchObject([{ body: expect.stringContaining(`"goid":8123456781}`) }])
  })

  it("adds the shop's name to its own in the user agent", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
    await using client = createGatewayClient({ ...gateway.merchant, userAgent: "my-shop/2.1" })
    await client.getPayment(paymentId)
    expect(gateway.requests).toHaveLength(2)
    for (const { headers } of gateway.requests) {
      expect(headers["user-agent"]).toMatch(/^effect-gopay\/\d+\.\d+\.\d+ my-shop\/2\.1$/)
    }
  })

  it("ignores options that are present and undefined", async () => {
    const { fetch, urls } = recordingFetch()
    await using client = createGatewayClient({
      ...merchant,
      fetch,
      language: undefined,
      scope: undefined,
      timeout: undefined,
      userAgent: undefined,
      allowInsecure: undefined
    })
    await client.getPayment(paymentId)
    expect(urls).toHaveLength(2)
  })

  it("uses the fetch that it is given, for the token too, and no other", async () => {
    const global = recordingFetch()
    vi.stubGlobal("fetch", global.fetch)
    const { bodies, fetch, inits, urls } = recordingFetch()
    await using client = createGatewayClient({ ...merchant, fetch })
    await client.createPayment(order)
    expect(urls.map((url) => new URL(url).pathname)).toEqual(["/api/oauth2/token", "/api/payments/payment"])
    expect(inits).toMatchObject([
      { method: "POST", redirect: "manual" },
      { method: "POST", redirect: "manual" }
    ])
    expect(bodies[1]).toContain(`"order_number":"2026-0042"`)
    expect(global.urls).toEqual([])
  })

  it("looks the global fetch up at every call", async () => {
    await using client = createGatewayClient(merchant)
    const first = recordingFetch()
    const second = recordingFetch()
    vi.stubGlobal("fetch", first.fetch)
    await client.getPayment(paymentId)
    vi.stubGlobal("fetch", second.fetch)
    await client.getPayment(paymentId)
    expect([first.urls.length, second.urls.length]).toEqual([2, 1])
  })

  it("shows no secret, however it is printed", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
    await using client = createGatewayClient(gateway.merchant)
    await client.getPayment(paymentId)
    const printed = inspect(client, { depth: null, showHidden: true, getters: true }) + JSON.stringify(client)
    expect(printed).toContain("getPayment")
    expect(printed).not.toContain(gateway.merchant.clientSecret)
    expect(printed).not.toContain(gateway.tokens[0])
  })
})
