/**
 * The recorder and the comparison, tried on two local gateways: what one was told to do otherwise is found.
 */
import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { differencesBetween } from "../../src/parity/Differences.js"
import { record } from "../../src/parity/Recorder.js"
import { scenario } from "../../src/parity/Scenario.js"
import { leaksIn } from "../support/PersonalOrder.js"
import { listening } from "../support/RawGateway.js"
import { recordLocally } from "./LocalParity.js"
import { parseRecording } from "./RecordingFile.js"

const stepNames = (steps: typeof scenario): ReadonlyArray<string> => steps.map(({ name }) => name)

describe("a recording of a local gateway", () => {
  it("has a response to every request of the scenario, and each name once", async () => {
    const { steps } = await recordLocally(scenario)
    const skipped = steps.filter((step) => !("pays" in step) && !("response" in step))
    expect(stepNames(skipped)).toEqual([])
    expect(new Set(stepNames(scenario)).size).toBe(scenario.length)
  })

  it("does not differ from one of another local gateway, also when it was a file", async () => {
    const recorded = parseRecording(JSON.stringify(await recordLocally(scenario)))
    expect(differencesBetween(recorded, await recordLocally(recorded.steps))).toEqual([])
  })

  it("differs from one of a gateway with other settings just where they say", async () => {
    const recorded = await recordLocally(scenario)
    const defaultLanguage = differencesBetween(recorded, await recordLocally(recorded.steps, { defaultLanguage: "CS" }))
    expect(defaultLanguage).toEqual([`create without lang: body.lang is "en" in the recording, "cs" here`])
    const refund = differencesBetween(recorded, await recordLocally(recorded.steps, { refund: "acceptedThenFailed" }))
    expect(refund).toContain(`refund a part: body.result is "FINISHED" in the recording, "ACCEPTED" here`)
  })

  it("has no credential, token, identifier, contact or card number", async () => {
    await using local = await startLocalGateway()
    const { clientId, clientSecret, goid } = local.merchant
    const recording = await record({
      gateway: local.url,
      merchant: { goid, clientId, clientSecret },
      steps: scenario,
      pay: async ({ id }) => {
        await local.payByCard(id)
        return true
      }
    })
    const text = JSON.stringify(recording)
    const ids = (await local.listPayments()).map(({ id }) => String(id))
    expect(ids.length).toBeGreaterThan(10)
    for (const secret of [clientId, clientSecret, String(goid), "@", ...ids]) expect(text).not.toContain(secret)
    expect(/\d{14}|\d\*/.exec(text)).toBeNull()
    expect(leaksIn(text)).toEqual([])
  })

  it("skips what needs a paid payment when no one pays", async () => {
    await using local = await startLocalGateway()
    const { clientId, clientSecret, goid } = local.merchant
    const { steps } = await record({
      gateway: local.url,
      merchant: { goid, clientId, clientSecret },
      steps: scenario,
      pay: () => Promise.resolve(false)
    })
    const skipped = steps.filter((step) => !("pays" in step) && !("response" in step)).map(({ name }) => name)
    expect(skipped).toContain("refund a part")
    expect(skipped).not.toContain("refund an unpaid payment")
  })

  it("is refused when a gateway repeats a secret in its own words, and when it gives no token", async () => {
    let answer: (authorization: string) => object = () => ({})
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(answer(request.headers.authorization ?? "")))
    })
    const gateway = await listening(server.listen(0, "127.0.0.1"))
    const merchant = { goid: 8_123_456_789, clientId: "1061399163", clientSecret: "local-secret" }
    const recorded = () => record({ gateway, merchant, steps: scenario, pay: () => Promise.resolve(false) })
    await expect(recorded()).rejects.toThrow("gives no token")
    answer = (authorization) => ({ access_token: "a-token-of-some-length", scope: authorization })
    await expect(recorded()).rejects.toThrow("repeats a credential")
    server.close()
    server.closeAllConnections()
  })
})
