/**
 * The recorder and the comparison, tried on two local gateways: the differences that were configured are found.
 */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import { openApiDocument } from "../../scripts/openapi/OpenApi.js"
import { startLocalGateway, type RunningLocalGateway } from "../../src/local-gateway/promise/index.js"
import { compareRecordings } from "./Differences.js"
import {
  formOf,
  type Json,
  record,
  type RecordedResponse,
  type Recording
} from "../../src/command-line/record/Recorder.js"
import { scenario } from "../../src/command-line/record/Scenario.js"
import { leaksIn } from "../support/PersonalOrder.js"
import { listening } from "../support/RawGateway.js"
import { guesses, unknowns } from "./Guesses.js"
import { obedientPayer, recordLocally } from "./LocalParity.js"
import { parseRecording } from "./RecordingFile.js"
import { isPassed, reportOf } from "./Report.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const differencesOf = (recorded: Recording, other: Recording): ReadonlyArray<string> =>
  compareRecordings(recorded, other).differences

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
    const comparison = compareRecordings(recorded, await recordLocally(recorded.steps))
    expect(comparison.differences).toEqual([])
    expect(comparison.leftOut).toEqual([])
    expect(comparison.compared.steps).toBe(scenario.filter((step) => !("pays" in step)).length)
    expect(comparison.compared.fields).toBeGreaterThan(500)
    expect(isPassed(comparison)).toBe(true)
  })

  it("differs from one of a gateway with other settings just where they say", async () => {
    const recorded = await recordLocally(scenario, partsAtOnce)
    const defaultLanguage = differencesOf(
      recorded,
      await recordLocally(recorded.steps, { ...partsAtOnce, defaultLanguage: "CS" })
    )
    expect(defaultLanguage).toEqual([`create without lang: body.lang is "en" in the recording, "cs" here`])
    const refund = differencesOf(
      recorded,
      await recordLocally(recorded.steps, { ...partsAtOnce, refund: "acceptedThenFailed" })
    )
    expect(refund).toContain(`refund a part: body.result is "FINISHED" in the recording, "ACCEPTED" here`)
  })

  it("has no credential, token, identifier, contact or card number", async () => {
    await using local = await startLocalGateway()
    const { clientId, clientSecret, goid } = local.merchant
    const recording = await record({
      gateway: local.url,
      merchant: { goid, clientId, clientSecret },
      steps: scenario,
      act: obedientPayer(local)
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
      act: () => Promise.resolve(false)
    })
    const skipped = steps.filter((step) => !("pays" in step) && !("response" in step)).map(({ name }) => name)
    expect(skipped).toContain("refund a part")
    expect(skipped).toContain("read what is timed out")
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
    const recorded = () => record({ gateway, merchant, steps: scenario, act: () => Promise.resolve(false) })
    await expect(recorded()).rejects.toThrow("issues no token")
    answer = (authorization) => ({ access_token: "a-token-of-some-length", scope: authorization })
    await expect(recorded()).rejects.toThrow("repeats a credential")
    server.close()
    server.closeAllConnections()
  })
})

describe("the scenario", () => {
  /** The steps that are named, and are none of the scenario's. */
  const missingSteps = (named: typeof guesses): ReadonlyArray<string> => {
    const names = new Set(stepNames(scenario))
    return Object.values(named).flatMap((steps) => ("why" in steps ? [] : steps.filter((name) => !names.has(name))))
  }

  const responsesOf = ({ steps }: Recording): ReadonlyMap<string, RecordedResponse | undefined> =>
    new Map(steps.map((step) => [step.name, "response" in step ? step.response : undefined]))

  it("sends content types and escapes as its steps say", async () => {
    const responses = responsesOf(await recordLocally(scenario, { unicodeEscapes: "refused" }))
    const statusOf = (name: string): number | undefined => responses.get(name)?.status
    for (const name of [
      "token, sent as JSON",
      "create, sent as a form",
      "create, sent as plain text",
      "capture a part, sent as a form",
      "void an authorization, sent as JSON",
      "void a recurrence, sent as JSON"
    ])
      expect([name, statusOf(name)]).toEqual([name, 500])
    expect(["create with a charset", "create with letters", "create with escaped letters"].map(statusOf)).toEqual([
      200, 200, 403
    ])
    expect(responses.get("refund, JSON sent as a form")?.body).toMatchObject({ errors: [{ error_code: 110 }] })
    expect(["refund, sent as JSON", "capture all, sent as JSON"].map(statusOf)).toEqual([409, 409])
  })

  it("settles each guess of the documentation, or it is said why not", () => {
    const page = readFileSync(new URL("../../docs/local-gateway-guesses.md", import.meta.url), "utf8")
    const [, section = ""] = /^## What is a guess\n([^]*?)^## /m.exec(page) ?? []
    const [, , ...topics] = [...section.matchAll(/^\| (.*?) +\|/gm)].map(([, topic = ""]) => topic)
    expect(topics.length).toBeGreaterThan(30)
    expect(topics).toEqual(Object.keys(guesses))
    expect(missingSteps(guesses)).toEqual([])
  })

  it("settles each unknown of the reference, or it is said why not", async () => {
    const told = JSON.stringify(openApiDocument()).matchAll(/Unknown: (.*?)(?= Invented: |\\n|")/g)
    const sentences = new Set([...told].map(([, sentence = ""]) => sentence))
    expect(sentences.size).toBeGreaterThan(20)
    expect([...sentences].toSorted()).toEqual(Object.keys(unknowns).toSorted())
    expect(missingSteps(unknowns)).toEqual([])
  })

  it("has the states and sub-states of what is not paid", async () => {
    const responses = responsesOf(await recordLocally(scenario))
    const stateOf = (what: string) => responses.get(`read what is ${what}`)?.body
    expect(stateOf("declined")).toMatchObject({ state: "PAYMENT_METHOD_CHOSEN", sub_state: "_5006" })
    expect(stateOf("cancelled")).toMatchObject({ state: "CANCELED", sub_state: "_5043" })
    expect(stateOf("to be transferred")).toMatchObject({ state: "PAYMENT_METHOD_CHOSEN", sub_state: "_102" })
    expect(stateOf("timed out")).toMatchObject({ state: "TIMEOUTED" })
  })
})

describe("the recorder", () => {
  const merchantOf = ({ clientId, clientSecret, goid }: RunningLocalGateway["merchant"]) => ({
    goid,
    clientId,
    clientSecret
  })

  it("gives out what it has after each step", async () => {
    await using local = await startLocalGateway()
    let given: Recording | undefined
    let count = 0
    const cut = record({
      gateway: local.url,
      merchant: merchantOf(local.merchant),
      steps: scenario,
      act: obedientPayer(local),
      onRecorded: (recording) => {
        given = recording
      },
      onStep: (name) => {
        count++
        if (name === "refund a part") throw new Error("cut")
      }
    })
    await expect(cut).rejects.toThrow("cut")
    const done = given?.steps.filter((step) => "response" in step) ?? []
    expect(done.map(({ name }) => name)).toContain("refund a part")
    expect(done.length).toBeLessThan(count + 1)
  })

  it("asks the gateway whether the payer has acted, and the payer again until they have", async () => {
    await using local = await startLocalGateway({ settings: partsAtOnce })
    const tasks: Array<string> = []
    const pay = obedientPayer(local)
    const { steps } = await record({
      gateway: local.url,
      merchant: merchantOf(local.merchant),
      steps: scenario,
      act: async (task) => {
        tasks.push(`${task.act} ${task.state ?? ""}`)
        return task.state === undefined || (await pay(task))
      }
    })
    expect(tasks.slice(0, 2)).toEqual(["pays ", "pays CREATED"])
    const response = steps.flatMap((step) =>
      step.name === "refund a part" && "response" in step ? [step.response] : []
    )
    expect(response[0]?.status).toBe(200)
  })

  it("repeats what a limit of requests or a firewall has turned away, and gives up before it records that", async () => {
    await using local = await startLocalGateway()
    const pauses: Array<number> = []
    const recorder = {
      gateway: local.url,
      merchant: merchantOf(local.merchant),
      steps: scenario,
      act: obedientPayer(local),
      wait: async (millis: number) => {
        pauses.push(millis)
      }
    }
    await local.armFault({ type: "rateLimited", seconds: 5 }, { operation: "createPayment" })
    await local.armFault({ type: "htmlForbidden" }, { operation: "refundPayment", calls: 2 })
    expect(compareRecordings(await recordLocally(scenario), await record(recorder)).differences).toEqual([])
    expect(pauses).toEqual([5_000, 2_000, 4_000])
    await local.armFault({ type: "rateLimited" }, { operation: "getPayment", calls: 100 })
    await expect(record(recorder)).rejects.toThrow(/keeps responding to ".*" with 429/)
  })
})

describe("a comparison", () => {
  const step = { name: "refunds", method: "GET", path: "/x" } as const
  const members = {
    id: "<number>",
    state: "PAID",
    codes: [303, 304],
    refunds: [{ state: "SUCCESS" }, { state: "FAILED" }]
  }
  const response: RecordedResponse = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: members
  }
  const recordingOf = (...responses: ReadonlyArray<RecordedResponse | undefined>): Recording => ({
    format: 1,
    gateway: "http://localhost",
    recordedOn: "2026-01-01",
    steps: responses.map((each, index) => ({
      ...step,
      name: `step ${index + 1}`,
      ...(each === undefined ? {} : { response: each })
    }))
  })
  const body = (change: Readonly<Record<string, Json>>): RecordedResponse => ({
    ...response,
    body: { ...members, ...change }
  })

  it.each<[string, RecordedResponse, string]>([
    ["status", { ...response, status: 404 }, "status is 200 in the recording, 404 here"],
    ["header", { ...response, headers: {} }, `content-type is "application/json" in the recording, absent here`],
    [
      "further header",
      { ...response, headers: { ...response.headers, vary: "a" } },
      `vary is absent in the recording, "a" here`
    ],
    ["further member", body({ lang: "cs" }), `body.lang is absent in the recording, "cs" here`],
    ["missing member", { ...response, body: {} }, `body.state is "PAID" in the recording, absent here`],
    ["type", body({ id: "<digits>" }), `body.id is "<number>" in the recording, "<digits>" here`],
    ["null", body({ id: null }), `body.id is "<number>" in the recording, null here`],
    ["kind of value", body({ codes: {} }), "body.codes is [303,304] in the recording, {} here"],
    [
      "order",
      { ...response, body: Object.fromEntries(Object.entries(members).toReversed()) },
      `order of body is "id, state, codes, refunds" in the recording, "refunds, codes, state, id" here`
    ],
    ["shorter list", body({ codes: [303] }), "body.codes[1] is 304 in the recording, absent here"],
    ["longer list", body({ codes: [303, 304, 305] }), "body.codes[2] is absent in the recording, 305 here"],
    ["empty list", body({ refunds: [] }), `body.refunds[0] is {"state":"SUCCESS"} in the recording, absent here`],
    ["code", body({ codes: [303, 333] }), "body.codes[1] is 304 in the recording, 333 here"],
    [
      "member in a list",
      body({ refunds: [{ state: "SUCCESS" }, { state: "REQUESTED" }] }),
      `body.refunds[1].state is "FAILED" in the recording, "REQUESTED" here`
    ]
  ])("finds a planted difference: %s", (_, planted, difference) => {
    const comparison = compareRecordings(recordingOf(response, response), recordingOf(response, planted))
    expect(comparison.differences).toContain(`step 2: ${difference}`)
    expect(comparison.differences.filter((line) => line.startsWith("step 1"))).toEqual([])
    expect(isPassed(comparison)).toBe(false)
    expect(reportOf(comparison)[0]).toMatch(/^NOT PASSED/)
    expect(reportOf(comparison)).toContain(`  step 2: ${difference}`)
  })

  it("finds a planted difference: a response", () => {
    const comparison = compareRecordings(recordingOf(response, response), recordingOf(response))
    expect(comparison.differences).toEqual(["step 2: it has a response in the recording, none here"])
  })

  it("says how much was compared, and what was left out", () => {
    const comparison = compareRecordings(recordingOf(response, undefined), recordingOf(response, response))
    expect(isPassed(comparison)).toBe(true)
    expect(reportOf(comparison)).toEqual([
      "passed: 0 differences",
      "compared: 1 steps with their statuses, 1 headers, 8 fields of bodies",
      "left out: 1",
      "  step 2: it was skipped in the recording"
    ])
  })

  it("is not passed without a response, or without one in common", () => {
    const none = compareRecordings(recordingOf(undefined), recordingOf(response))
    expect([none.differences, isPassed(none), reportOf(none)[0]]).toEqual([
      [],
      false,
      "NOT PASSED: there is no response to compare"
    ])
    expect(isPassed(compareRecordings(recordingOf(response), recordingOf()))).toBe(false)
    expect(isPassed(compareRecordings(recordingOf(), recordingOf()))).toBe(false)
  })

  it("leaves to the contract how long a list is, and says so, but not whether there is any", () => {
    const contractual = (value: RecordedResponse["body"]): Recording => ({
      ...recordingOf(),
      steps: [{ ...step, isContractual: true, response: { ...response, body: value } }]
    })
    const [short, long] = [contractual([{ a: "x" }]), contractual([{ a: "y" }, { a: "x", b: 1 }])]
    expect(compareRecordings(short, long)).toMatchObject({
      differences: [],
      leftOut: ["refunds: body from its 2. element on, which is a matter of the contract"]
    })
    expect(compareRecordings(short, contractual([])).differences).toHaveLength(1)
  })

  it("has every form of a list, however many there are", () => {
    const forms = formOf(Array.from({ length: 30 }, (_, index) => ({ error_code: index })))
    expect(forms).toHaveLength(30)
  })
})
