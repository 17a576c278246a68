/**
 * A change reaches the gateway once, whatever the runtime's `fetch` does by itself.
 */
import { assert, describe, it } from "@effect/vitest"
import { fetchOnce } from "../../../src/client/transport/FetchOnce.plain.js"
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
  it("gives what knows no streams a body that reads as its text", async () => {
    const bodies: Array<unknown> = []
    const fetch = fetchOnce((_, init) => {
      bodies.push(init?.body)
      return Promise.resolve(new Response())
    })
    await fetch("https://gateway.example", { method: "POST", body: "amount=1" })
    await fetch("https://gateway.example", { method: "POST", body: new TextEncoder().encode("order=č") })
    await fetch("https://gateway.example", { method: "DELETE" })
    assert.deepStrictEqual(bodies.map(String), ["amount=1", "order=č", ""])
  })
})
