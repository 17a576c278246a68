import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { describe, expect, it, vi } from "vitest"
import { createGatewayClient, type CallEvent, type GatewayClientOptions } from "../../src/promise/index.js"
import { operations, order, payment, paymentId } from "../support/OperationCases.js"
import { accessToken, echo, echoOfCredentials, leaksIn, personalOrder } from "../support/PersonalOrder.js"
import { type Answer, refusal, startScriptedGateway, tokenResponse, tokenRoute } from "../support/ScriptedGateway.js"

const getRoute = `GET /payments/payment/${paymentId}` as const
const refundRoute = `POST /payments/payment/${paymentId}/refund` as const
const createRoute = "POST /payments/payment"

/** Keeps every event. */
const recorder = () => {
  const calls: Array<CallEvent> = []
  return {
    calls,
    /** Without the time that they took. */
    untimed: () =>
      calls.map((call) => {
        const { durationMillis: _, ...untimed } = call
        return untimed
      }),
    observer: (call: CallEvent) => {
      calls.push(call)
    }
  }
}

describe("observer", () => {
  it("is told of every call that has ended, and of the request for a token", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(createRoute, { body: payment })
    gateway.on(refundRoute, refusal(409, 303, "PAYMENT_WRONG_STATE"))
    const { calls, observer, untimed } = recorder()
    await using client = createGatewayClient({ ...gateway.merchant, observer })
    await client.createPayment(order)
    await expect(client.refundPayment(paymentId, { amount: 1 })).rejects.toThrow("A message.")
    await expect(client.refundPayment(paymentId, { amount: -1 })).rejects.toThrow("Nothing was sent.")
    expect(untimed()).toStrictEqual([
      { operation: "getAccessToken", outcome: "success", attempts: 1, status: 200 },
      { operation: "createPayment", paymentId, outcome: "success", attempts: 1, status: 200 },
      {
        operation: "refundPayment",
        paymentId,
        outcome: "OperationRefused",
        attempts: 1,
        status: 409,
        errorType: "409"
      },
      { operation: "refundPayment", outcome: "InvalidRequest", attempts: 0, errorType: "InvalidRequest" }
    ])
    expect(calls.every(({ durationMillis }) => durationMillis >= 0 && durationMillis < 60_000)).toBe(true)
  })

  it("is told how many requests were sent", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on(getRoute, { body: payment }, { status: 401 }, { body: payment })
    const { observer, untimed } = recorder()
    await using client = createGatewayClient({ ...gateway.merchant, observer })
    await client.getPayment(paymentId)
    await client.getPayment(paymentId)
    const read = { operation: "getPayment", paymentId, outcome: "success", status: 200 }
    const token = { operation: "getAccessToken", outcome: "success", attempts: 1, status: 200 }
    expect(untimed()).toEqual([token, { ...read, attempts: 1 }, token, { ...read, attempts: 2 }])
  })

  it("is told that the outcome of an aborted change is unknown, and that an aborted read was interrupted", async () => {
    await using gateway = await startScriptedGateway()
    const change = gateway.hold(refundRoute)
    const read = gateway.hold(getRoute)
    const { calls, observer } = recorder()
    await using client = createGatewayClient({ ...gateway.merchant, observer })
    const controller = new AbortController()
    const { signal } = controller
    const ended = Promise.allSettled([
      client.refundPayment(paymentId, { amount: 1 }, { signal }),
      client.getPayment(paymentId, { signal })
    ])
    await Promise.all([change.arrived, read.arrived])
    controller.abort()
    await ended
    expect(calls.map(({ operation, outcome }) => `${operation} ${outcome}`).sort()).toEqual([
      "getAccessToken success",
      "getPayment interrupted",
      "refundPayment OutcomeUnknown"
    ])
  })

  it.each<[string, () => void]>([
    [
      "throws",
      () => {
        throw new Error("no room for logs")
      }
    ],
    ["rejects", () => Promise.reject(new Error("no room for logs"))],
    ["never ends", () => new Promise(() => {})]
  ])("changes no call when it %s", async (_, observer) => {
    await using gateway = await startScriptedGateway()
    gateway.on(refundRoute, { body: { id: paymentId, result: "FINISHED" } })
    await using client = createGatewayClient({ ...gateway.merchant, observer })
    await expect(client.refundPayment(paymentId, { amount: 1 })).resolves.toMatchObject({ result: "FINISHED" })
  })

  it("must be a function", () => {
    const options = { goid: 1, clientId: "a", clientSecret: "b", environment: "sandbox", observer: "console.log" }
    // @ts-expect-error not a function
    expect(() => createGatewayClient(options)).toThrow("observer: must be a function")
  })

  it("is documented by an example that is type-checked", () => {
    const merchant = { goid: 8123456781, clientId: "1234567890", clientSecret: "secret", environment: "sandbox" }
    const gateway = createGatewayClient({
      ...merchant,
      observer: ({ attempts, durationMillis, operation, outcome, paymentId }) =>
        console.log(`${operation} ${paymentId ?? ""}: ${outcome}, ${attempts} tries, ${Math.round(durationMillis)} ms`)
    })
    const unindented = (code: string) => code.replace(/\s+/g, " ")
    const [, without = ""] = readFileSync("docs/observability.md", "utf8").split("## Without Effect")
    const [, shown = ""] = /```ts\n([^]*?)```/.exec(without) ?? []
    expect(unindented(readFileSync("test/promise/Observer.test.ts", "utf8"))).toContain(unindented(shown).trim())
    return gateway.close()
  })
})

describe("a client that is watched tells no secret of", () => {
  const saying = (text: string) => ({ field: text, error_name: text, message: text, description: text })
  const echoed = `${echo} ${echoOfCredentials}`
  const faults: { readonly [fault: string]: Answer | undefined } = {
    "what succeeds": undefined,
    "a refusal": refusal(409, 303, "PAYMENT_WRONG_STATE", saying(echoed)),
    "a refused token": refusal(401, 200, "UNAUTHORIZED_ACCESS", saying(echoed)),
    "a refused permission": refusal(403, 200, "UNAUTHORIZED_ACCESS", saying(echoed)),
    "a redirect": { status: 307, headers: { location: `/?${encodeURIComponent(echoed)}` }, body: echoed },
    "a page": { headers: { "content-type": "text/html" }, body: echoed },
    "another shape": { body: { id: echoed, state: [echoed], [echo]: echoed } }
  }

  it.each(Object.entries(faults))("%s", async (_, fault) => {
    const printedLines: Array<unknown> = []
    const spies = (["log", "info", "warn", "error", "debug"] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation((...line) => void printedLines.push(line))
    )
    await using gateway = await startScriptedGateway()
    gateway.on(tokenRoute, tokenResponse(accessToken))
    for (const { answer, route } of operations) gateway.on(route, fault ?? answer)
    const { calls, observer } = recorder()
    const options: GatewayClientOptions = { ...gateway.merchant, observer }
    await using client = createGatewayClient(options)
    const ended = await Promise.allSettled([
      client.createPayment(personalOrder),
      ...operations.map(({ call }) => call(client))
    ])
    for (const spy of spies) spy.mockRestore()
    const failures = ended.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
    expect(failures).toHaveLength(fault === undefined ? 0 : ended.length)
    expect(new Set(calls.map(({ operation }) => operation)).size).toBe(operations.length + 1)
    expect(printedLines).toEqual([])
    const told = inspect([calls, failures], { depth: null, showHidden: true }) + JSON.stringify([calls, failures])
    const sent = gateway.requests.flatMap(({ body, headers }) => [body, headers.authorization ?? ""])
    expect(
      leaksIn(
        told,
        sent.filter((text) => text !== "")
      )
    ).toEqual([])
  })
})
