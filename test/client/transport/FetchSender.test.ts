/**
 * The sender over a `fetch` that the test writes.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { fetchSender } from "../../../src/client/transport/FetchSender.js"
import type { TransportRequest } from "../../../src/client/transport/Sender.js"
import { deferred } from "../../support/ScriptedGateway.js"

const url = "https://gateway.example/api"
const read: TransportRequest = { method: "GET", url, headers: { accept: "a" }, body: undefined, isChange: false }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Sends one request; keeps what was asked of `fetch` and what was settled. */
const sending = (fetch: () => Promise<Response>, request: Partial<TransportRequest> = {}, time = 1_000) => {
  const inits: Array<RequestInit> = []
  const settled: Array<unknown> = []
  const { send } = fetchSender((_, init = {}) => {
    inits.push(init)
    return fetch()
  })
  const end = send({ ...read, ...request }, { time, bytes: 100 }, (outcome) => settled.push(outcome))
  return { end, inits, settled }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

describe("a sender over fetch", () => {
  it("settles with the response, and leaves no timer behind", async () => {
    const { inits, settled } = sending(async () => new Response("{}", { status: 201, headers: { "x-a": "1" } }))
    await turns()
    expect(settled).toMatchObject([{ status: 201, data: new TextEncoder().encode("{}").buffer }])
    const [response] = settled
    const header: unknown = Reflect.get(Object(response), "header")
    if (typeof header !== "function") throw new Error("no header")
    expect([header("x-a"), header("x-b")]).toEqual(["1", undefined])
    expect(vi.getTimerCount()).toBe(0)
    expect(inits).toEqual([
      {
        method: "GET",
        headers: { accept: "a" },
        cache: "no-store",
        redirect: "manual",
        signal: expect.any(AbortSignal)
      }
    ])
    expect(inits[0]?.signal?.aborted).toBe(false)
  })

  it("asks right before whether the request may still be handed over", async () => {
    const { inits, settled } = sending(async () => new Response(), { mayHandOver: () => false })
    await turns()
    expect(settled).toMatchObject([{ _tag: "TransportFailure", wasSent: "certainly not", name: "HeldBack" }])
    expect([inits.length, vi.getTimerCount()]).toEqual([0, 0])
  })

  it.each([
    [{ method: "POST", body: "a=1" }, "a=1"],
    [{ method: "POST", body: "a=1", isChange: true }, expect.any(ReadableStream)]
  ] as const)("gives fetch the body of %j, a change's in the way that is sent once", async (request, body) => {
    const { inits } = sending(async () => new Response(), request)
    await turns()
    expect(inits).toMatchObject([{ method: "POST", body, redirect: "manual" }])
  })

  it("tells that it sends before fetch is called", () => {
    const seen: Array<string> = []
    const fetch = async () => {
      seen.push("fetch")
      return new Response()
    }
    sending(fetch, { onSend: () => seen.push("sent") })
    expect(seen).toEqual(["sent", "fetch"])
  })

  it("settles once when it has timed out, and aborts fetch", async () => {
    const answer = deferred<Response>()
    const { inits, settled } = sending(() => answer.promise)
    vi.advanceTimersByTime(999)
    expect(settled).toEqual([])
    expect(inits[0]?.signal?.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(settled).toMatchObject([{ _tag: "TransportFailure", wasSent: "perhaps", isTimeout: true }])
    expect(inits[0]?.signal?.aborted).toBe(true)
    answer.resolve(new Response("{}"))
    await turns()
    expect(settled).toHaveLength(1)
  })

  it("waits as long as a timer can at most", () => {
    const { settled } = sending(() => deferred<Response>().promise, {}, 1e12)
    vi.advanceTimersByTime(1_000_000)
    expect(settled).toEqual([])
  })

  it("settles nothing once it is ended, aborts fetch, and leaves no timer behind", async () => {
    const answer = deferred<Response>()
    const { end, inits, settled } = sending(() => answer.promise)
    end()
    expect(inits[0]?.signal?.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    answer.resolve(new Response("{}"))
    await turns()
    expect(settled).toEqual([])
  })

  it("knows that nothing was sent only before the response", async () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
    const before = sending(() => Promise.reject(refused))
    const body = new ReadableStream({ start: (controller) => controller.error(refused) })
    const after = sending(async () => new Response(body))
    await turns()
    expect(before.settled).toMatchObject([{ wasSent: "certainly not", code: "ECONNREFUSED" }])
    expect(after.settled).toMatchObject([{ wasSent: "perhaps", code: "ECONNREFUSED" }])
  })

  it.each([
    ["a status", { status: "200", headers: new Headers(), body: new Response("{}").body }],
    ["headers", { status: 200, headers: {}, body: new Response("{}").body }]
  ])("takes what has no %s for no response", async (_, answer) => {
    const { settled } = sending(async () => Object.assign(Object.create(null), answer))
    await turns()
    expect(settled).toMatchObject([{ wasSent: "perhaps", name: "TypeError" }])
  })
})
