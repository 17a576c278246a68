/**
 * A change reaches the gateway once, whatever the runtime's `fetch` does by itself.
 */
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { fetchOnce } from "../../../src/client/transport/FetchSender.js"
import { styles } from "../../support/ClientStyles.js"
import { changes, payment, paymentId } from "../../support/OperationCases.js"
import { gatewayErrorOf } from "../../support/Rejection.js"
import { type Answer, refusal, startScriptedGateway } from "../../support/ScriptedGateway.js"

describe.each(Object.entries(styles))("a change in the %s style", (_, make) => {
  /** Sends every change once over a kept connection. */
  const send = async (answer: Answer) => {
    await using gateway = await startScriptedGateway()
    gateway.on(`GET /payments/payment/${paymentId}`, { body: payment })
    for (const { route } of changes) gateway.on(route, answer)
    await using client = make(gateway.merchant)
    const reasons = []
    for (const { call } of changes) {
      await client.getPayment(paymentId)
      reasons.push((await gatewayErrorOf(call(client))).reason)
    }
    return { reasons, received: gateway.calls.filter(({ method }) => method !== "GET") }
  }

  it("is sent once when its response has status 421, which makes Node's fetch repeat requests", async () => {
    const { reasons, received } = await send({ status: 421, body: "Misdirected" })
    for (const reason of reasons) assert.deepInclude(reason, { _tag: "OutcomeUnknown", status: 421 })
    assert.lengthOf(received, changes.length)
  })

  it("tells the gateway how long its body is, also when it is empty", async () => {
    const { received } = await send({ status: 421 })
    for (const { body, headers, method, url } of received) {
      assert.isUndefined(headers["transfer-encoding"], url)
      const length = headers["content-length"] ?? (method === "DELETE" ? "0" : undefined)
      assert.strictEqual(length, String(Buffer.byteLength(body)), url)
    }
  })

  it("is told that its token is refused, which some versions of Node take for a broken connection", async () => {
    const { reasons, received } = await send(refusal(401, 200, "UNAUTHORIZED_ACCESS"))
    for (const reason of reasons) assert.deepInclude(reason, { _tag: "AuthenticationFailed", status: 401 })
    // Each is sent once more, with a new token.
    assert.lengthOf(received, changes.length * 2)
  })
})

describe("a fetch that sends once", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** What it makes of these requests. */
  const sent = async (...requests: ReadonlyArray<RequestInit | undefined>) => {
    const inits: Array<RequestInit | undefined> = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      inits.push(init)
      return new Response()
    }
    const once = fetchOnce(fetch)
    for (const init of requests) await once("https://gateway.example", init)
    return { inits, isChanged: once !== fetch }
  }

  const requests: ReadonlyArray<RequestInit> = [
    { method: "POST", body: "amount=1" },
    { method: "POST", body: new TextEncoder().encode("order=č") },
    { method: "POST", body: "1" },
    { method: "DELETE", body: null },
    { method: "DELETE" }
  ]
  const texts = ["amount=1", "order=č", "1", "", ""]
  const lengths = ["8", "8", "1", "0", "0"]

  it("gives Node's a stream with its length, which reads as text for what knows no streams", async () => {
    const { inits } = await sent(...requests)
    assert.deepStrictEqual(inits.map((init): unknown => init?.body).map(String), texts)
    assert.deepStrictEqual(
      inits.map((init) => new Headers(init?.headers).get("content-length")),
      lengths
    )
    for (const [index, init] of inits.entries()) {
      assert.strictEqual(init?.method, requests[index]?.method)
      assert.strictEqual(init?.credentials, "omit")
      assert.strictEqual(Reflect.get(Object(init), "duplex"), "half")
      const chunks = []
      const body = init?.body instanceof ReadableStream ? init.body : assert.fail("no stream")
      for await (const chunk of body) chunks.push(new TextDecoder().decode(chunk))
      assert.deepStrictEqual(chunks, texts[index] === "" ? [] : [texts[index]])
    }
  })

  it("gives Deno's a Blob", async () => {
    vi.stubGlobal("Deno", {})
    const { inits } = await sent(...requests)
    const bodies = inits.map((init) => (init?.body instanceof Blob ? init.body.text() : assert.fail("no Blob")))
    assert.deepStrictEqual(await Promise.all(bodies), texts)
    assert.deepInclude(inits[0], { method: "POST" })
  })

  it("keeps Bun's from using a kept connection for a DELETE", async () => {
    vi.stubGlobal("Bun", {})
    const { inits } = await sent(...requests, undefined)
    const [post, , , deletion] = requests
    assert.deepStrictEqual(inits[0], post)
    assert.deepStrictEqual(inits[3], { ...deletion, keepalive: false })
    assert.strictEqual(inits[5], undefined)
  })

  it("is any other as it is", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" })
    assert.isFalse((await sent()).isChanged)
  })
})
