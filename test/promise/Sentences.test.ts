/**
 * What is wrong with an argument or an option is said in plain words: neither `Expected number | undefined` nor
 * `got "x"`.
 */
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { createLedger, fileStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { ChangeRecord, createGatewayClient, optionsFromEnv } from "../../src/promise/index.js"
import * as Request from "../support/RequestExamples.js"

const jargon = /Expected|\bgot\b|\||<filter>|\bundefined\b|RegExp|\barray\b|\bstring\b/

/** Values of every type. Each field takes a few of them at most. */
const wrongValues = [null, 0.5, -1, "", " x", true, [], {}, [null], { x: 1 }, Number.NaN]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value with each part of it, at any depth, in turn replaced by each wrong value. */
const spoilt = (value: unknown, wrongs: ReadonlyArray<unknown>): ReadonlyArray<unknown> => [
  ...wrongs,
  ...(Array.isArray(value)
    ? value.flatMap((part: unknown, index) => spoilt(part, wrongs).map((wrong) => value.toSpliced(index, 1, wrong)))
    : []),
  ...(isRecord(value)
    ? Object.entries(value).flatMap(([name, part]) =>
        spoilt(part, wrongs).map((wrong) => ({ ...value, [name]: wrong }))
      )
    : [])
]

/** The arguments with each of them in turn spoilt. */
const spoiltArguments = (
  args: ReadonlyArray<unknown>,
  wrongs: ReadonlyArray<unknown>
): ReadonlyArray<ReadonlyArray<unknown>> =>
  args.flatMap((arg, index) => spoilt(arg, wrongs).map((wrong) => args.toSpliced(index, 1, wrong)))

/** All sentences in an error: its own, and those about fields. */
const sentencesOf = (error: unknown): ReadonlyArray<string> => {
  if (!(error instanceof Error)) return [String(error)]
  const reason: unknown = Reflect.get(error, "reason")
  const fields: unknown = isRecord(reason) && reason["_tag"] === "InvalidRequest" ? reason["errors"] : undefined
  return [
    error.message,
    ...(Array.isArray(fields) ? fields.flatMap((field) => (isRecord(field) ? String(field["message"]) : [])) : [])
  ]
}

/** The sentences with jargon that calls with wrong arguments are refused with. */
const jargonOf = async (
  call: (...args: ReadonlyArray<unknown>) => unknown,
  args: ReadonlyArray<unknown>,
  wrongs: ReadonlyArray<unknown> = wrongValues
): Promise<ReadonlyArray<string>> => {
  const sentences = new Set<string>()
  for (const wrong of spoiltArguments(args, wrongs)) {
    try {
      await call(...wrong)
    } catch (error) {
      for (const sentence of sentencesOf(error)) sentences.add(sentence)
    }
  }
  return sentences.size === 0 ? ["Nothing was refused."] : [...sentences].filter((sentence) => jargon.test(sentence))
}

/** A method, which must exist: a call of none would count as refused. */
const method = (object: object, name: string): ((...args: ReadonlyArray<unknown>) => unknown) => {
  const implementation: unknown = Reflect.get(object, name)
  if (typeof implementation !== "function") return expect.fail(`no method ${name}`)
  return (...args) => Reflect.apply(implementation, object, args)
}

const merchant = { goid: 8123456789, clientId: "1061399163", clientSecret: "secret", environment: "sandbox" }

/** A gateway that refuses the credentials. */
const refuse = async (): Promise<Response> =>
  Response.json({ errors: [{ scope: "G", error_code: 202 }] }, { status: 403 })

const id = 3000006542

const refund = {
  operation: "refundPayment",
  paymentId: id,
  amount: 500,
  sentAt: "2026-01-31T12:00:00.000Z",
  refundsBefore: [{ id: 1, amount: 100, state: "FINISHED" }],
  isOnlyWriter: true
}

describe("of the client", () => {
  it.each([
    ["createPayment", [Request.payment]],
    ["getPayment", [id, { timeout: 1000, retry: { attempts: 2 } }]],
    ["refundPayment", [id, { amount: 100 }]],
    ["getPaymentRefunds", [id]],
    ["createRecurrence", [id, Request.recurrence]],
    ["voidRecurrence", [id]],
    ["captureAuthorization", [id]],
    ["captureAuthorizationPartial", [id, Request.capture]],
    ["voidAuthorization", [id]],
    ["getCardDetails", [id]],
    ["deleteCard", [id]],
    ["getPaymentInstruments", [merchant.goid, "CZK"]],
    ["getPaymentInstrumentsAll", [merchant.goid]],
    ["getAccountStatement", [Request.statement]],
    ["getPaymentQr", [id, { format: "PNG" }]],
    ["sendRequest", [{ method: "POST", path: "/a", kind: "change", body: { a: 1 }, extraFields: { a: 1 } }]],
    ["reconcile", [refund]],
    ["verifyPayment", ["?id=1", () => undefined]],
    ["awaitPayment", [id, { waitAtMost: 1, until: ["PAID"] }]],
    ["createNotificationHandler", [{ expected: () => undefined, handler: () => {}, limits: { perPayment: 1 } }]]
  ])("%s", async (name, args) => {
    await using client = createGatewayClient({ ...merchant, fetch: refuse })
    expect(await jargonOf(method(client, name), args)).toEqual([])
  })

  it.each([
    [
      "createGatewayClient",
      createGatewayClient,
      [{ ...merchant, language: "CS", scope: "payment-all", timeout: 1000 }]
    ],
    ["ChangeRecord.parse", ChangeRecord.parse, [refund]],
    ["optionsFromEnv", optionsFromEnv, [{ GOPAY_GOID: "1", GOPAY_CLIENT_ID: "1", GOPAY_CLIENT_SECRET: "1" }]]
  ])("%s", async (name, call: object, args) => {
    expect(await jargonOf(method({ [name]: call }, name), args)).toEqual([])
  })
})

describe("of the local gateway", () => {
  it.each([
    ["loadSeed", [{ payments: [{ id, amount: 5, currency: "CZK", state: "PAID" }], merchants: [], settings: {} }]],
    ["changeSettings", [{ refund: "finished", timeToPaySeconds: 10, notificationHosts: ["shop"] }]],
    ["armFault", [{ type: "latency", millis: 10 }, { calls: 1 }]],
    ["armRandomFaults", [{ seed: 1, probability: 0.5, faults: [{ type: "latency" }] }]],
    ["payByCard", [id, { card: "4444444444444448" }]],
    ["advanceTime", ["1 second"]]
  ])("%s", async (name, args) => {
    const local = await startLocalGateway()
    try {
      expect(await jargonOf(method(local, name), args)).toEqual([])
    } finally {
      await local.close()
    }
  })

  it("startLocalGateway", async () => {
    const start = async (options: unknown): Promise<void> => {
      const local: unknown = await method({ startLocalGateway }, "startLocalGateway")(options)
      await method(Object(local), "close")()
    }
    const options = { port: 0, allowHosts: ["gopay"], settings: { refund: "finished" }, onEvent: () => {} }
    expect(await jargonOf(start, [{ ...options, seed: { payments: [] } }])).toEqual([])
  }, 180_000)
})

describe("of the ledger", () => {
  const request = { amount: 1, currency: "CZK", preauthorization: true }
  const options = { hold: { atMost: "1 hour", end: "release" }, payWithin: "2 hours" }
  // None is right anywhere: a change that is right would wait for the worker.
  const nowhereRight = [null, -1, "", true, [], {}]

  it.each([
    ["refund", ["key", id, { amount: 1 }]],
    ["capture", ["key", id]],
    ["capturePartial", ["key", id, { amount: 1 }]],
    ["release", ["key", id]],
    ["checkout", ["2026-0042", request, options]]
  ])("%s", async (name, args) => {
    const folder = mkdtempSync(join(tmpdir(), "sentences-"))
    try {
      await using client = createGatewayClient({ ...merchant, fetch: refuse })
      const store = fileStore(join(folder, "gopay.db"), { driver: Database })
      await using ledger = createLedger({ gateway: client, store, installation: "test" })
      await ledger.migrate()
      expect(await jargonOf(method(ledger, name), args, nowhereRight)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
