/**
 * Requests over Node's own sockets, at servers of which every byte is the test's.
 */
import { once } from "node:events"
import http from "node:http"
import { createServer, Socket } from "node:net"
import { Duplex } from "node:stream"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished } from "vitest"
import { type SocketResponse, socketSender } from "../../../src/client/transport/platform/SocketSender.js"
import type { ConnectionAgent, SenderLimits, SenderRequest } from "../../../src/client/transport/Sender.plain.js"
import type { TransportFailure } from "../../../src/client/transport/Transport.plain.js"
import { http as httpAnswer, refusingAddress, startStallingAddress } from "../../support/RawGateway.js"

/** A server that answers each request by what it is told, and what it has seen. */
const startServer = async (answer: (socket: Socket, request: string, index: number) => void) => {
  const sockets: Array<Socket> = []
  const requests: Array<string> = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
    socket.on("data", (data) => {
      requests.push(data.toString("latin1"))
      answer(socket, data.toString("latin1"), requests.length - 1)
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/api`, sockets, requests }
}

const ok = (socket: Socket): void => void socket.write(httpAnswer(200, "{}"))

const sending = (agent?: ConnectionAgent) => {
  const sender = socketSender(agent)
  onTestFinished(sender.close)
  const send = (request: Partial<SenderRequest> & { readonly url: string }, limits: Partial<SenderLimits> = {}) =>
    new Promise<SocketResponse | TransportFailure>((resolve) => {
      sender.send(
        { method: "POST", headers: {}, body: "amount=1", isChange: true, ...request },
        { time: 30_000, bytes: 1_000_000, ...limits },
        resolve
      )
    })
  return { ...sender, request: send }
}

const textOf = (outcome: SocketResponse | TransportFailure): string =>
  "data" in outcome && outcome.data !== undefined ? new TextDecoder().decode(outcome.data) : "no data"

describe("a change over a kept connection", () => {
  it("does not take for its response what the server sent before it: the connection's end", async () => {
    const { requests, sockets, url } = await startServer((socket, _, index) => {
      ok(socket)
      // As some servers do with a connection that has been idle for long.
      if (index === 0) socket.end(httpAnswer(408, "", ["connection: close"]))
    })
    const { request } = sending()
    await request({ url })
    expect(await request({ url })).toMatchObject({ status: 200 })
    expect(requests).toHaveLength(2)
    expect(sockets).toHaveLength(2)
  })

  it("does not take for its response one that nobody asked for", async () => {
    const { requests, sockets, url } = await startServer(ok)
    const { request } = sending()
    await request({ url })
    await new Promise((done) => sockets[0]?.write(httpAnswer(201, `{"stray":true}`), done))
    // Once this is there, so is the other.
    await sending().request({ url })
    expect(await request({ url })).toMatchObject({ status: 200 })
    expect(requests).toHaveLength(3)
  })

  it("is sent once over a new one when all that were kept have ended", async () => {
    const { requests, sockets, url } = await startServer(ok)
    const { request } = sending()
    await Promise.all(Array.from({ length: 20 }, () => request({ url })))
    expect(sockets).toHaveLength(20)
    for (const socket of sockets) socket.end()
    expect(await request({ url })).toMatchObject({ status: 200 })
    expect(requests).toHaveLength(21)
  })

  it("was certainly not sent when an agent has nothing but connections that have ended", async () => {
    const agent = new http.Agent()
    Object.assign(agent, { createConnection: () => new Socket().destroy() })
    const outcome = await sending(agent).request({ url: "http://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ECONNRESET" })
  })

  it("perhaps was sent when the connection breaks after the request was handed over", async () => {
    const { requests, url } = await startServer((socket, _, index) => (index === 0 ? ok(socket) : socket.destroy()))
    const { request } = sending()
    await request({ url })
    expect(await request({ url })).toMatchObject({ wasSent: "perhaps", code: "ECONNRESET" })
    expect(requests).toHaveLength(2)
  })
})

describe("connections", () => {
  it("carry one request after the other", async () => {
    const { requests, sockets, url } = await startServer(ok)
    const { request } = sending()
    for (let index = 0; index < 5; index++) await request({ url, isChange: index % 2 === 0 })
    expect(requests).toHaveLength(5)
    expect(sockets).toHaveLength(1)
  })

  it("are closed with the sender, and not those of an agent that is the caller's", async () => {
    const { sockets, url } = await startServer(ok)
    const own = sending()
    await own.request({ url })
    const agent = new http.Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const borrowed = sending(agent)
    await borrowed.request({ url })
    const [first, second] = sockets
    own.close()
    borrowed.close()
    if (first === undefined) throw new Error("no connection")
    if (!first.readableEnded) await once(first, "end")
    expect(second?.readableEnded).toBe(false)
  })

  it("of an agent that are all in use: the request that waits in vain was certainly not sent", async () => {
    const { requests, url } = await startServer(() => {})
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const { request } = sending(agent)
    const first = request({ url }, { time: 200 })
    expect(await request({ url }, { time: 100 })).toMatchObject({ wasSent: "certainly not", isTimeout: true })
    expect(await first).toMatchObject({ wasSent: "perhaps", isTimeout: true })
    expect(requests).toHaveLength(1)
  })

  it("that are not Node's get the request at once: of those nothing is known", async () => {
    const written: Array<string> = []
    const mocked = new Duplex({
      read: () => {},
      write: (chunk, _, done) => {
        written.push(String(chunk))
        done()
        mocked.destroy(new Error("broken"))
      }
    })
    // It becomes a connection when it is asked for something, as those of nock and msw do.
    Object.assign(mocked, { connecting: true })
    const agent = new http.Agent()
    Object.assign(agent, { createConnection: () => mocked })
    const outcome = await sending(agent).request({ url: "http://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "perhaps" })
    expect(written.join("")).toMatch(/^POST \/api HTTP\/1\.1\r\n[^]*amount=1$/)
  })

  it("that are not made: nothing was sent", async () => {
    const outcome = await sending().request({ url: refusingAddress })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ECONNREFUSED" })
    await using stalling = await startStallingAddress()
    const stalled = await sending().request({ url: stalling.url }, { time: 100 })
    expect(stalled).toMatchObject({ wasSent: "certainly not", isTimeout: true })
  })

  it("that cannot even be asked for: nothing was sent", async () => {
    const { request } = sending(new http.Agent())
    const outcome = await request({ url: "https://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ERR_INVALID_PROTOCOL" })
    const headers = { "user-agent": "two\nlines" }
    expect(await sending().request({ url: "https://gateway.example/api", headers })).toMatchObject({
      wasSent: "certainly not",
      code: "ERR_INVALID_CHAR"
    })
  })
})

describe("the head of a request", () => {
  it.each([
    ["POST", "order=č", "8"],
    ["POST", undefined, "0"],
    ["DELETE", undefined, undefined]
  ] as const)("says how long the body is, also where an agent fixes it early: %s %s", async (method, body, length) => {
    const { requests, url } = await startServer(ok)
    const early = new http.Agent()
    const addRequest: unknown = Reflect.get(early, "addRequest")
    Object.assign(early, {
      // As agents do for proxies of plain http.
      addRequest: (request: http.ClientRequest, ...others: ReadonlyArray<unknown>) => {
        Reflect.apply(Reflect.get(request, "_implicitHeader"), request, [])
        if (typeof addRequest === "function") addRequest.call(early, request, ...others)
      }
    })
    for (const agent of [undefined, early]) await sending(agent).request({ url, method, body })
    for (const request of requests) {
      expect(/content-length: (\d+)/i.exec(request)?.[1]).toBe(length)
      expect(request).not.toMatch(/transfer-encoding/i)
    }
    expect(requests).toHaveLength(2)
  })
})

describe("a request that is given up", () => {
  it("settles nothing, and its connection is closed", async () => {
    const { requests, sockets, url } = await startServer(() => {})
    const { send } = sending()
    const end = send({ method: "POST", url, headers: {}, body: "", isChange: true }, { time: 30_000, bytes: 1 }, () =>
      expect.unreachable()
    )
    await expect.poll(() => requests).toHaveLength(1)
    end()
    const [socket] = sockets
    if (socket === undefined) throw new Error("no connection")
    await once(socket, "close")
  })

  it("before it was connected is never sent", async () => {
    const { requests, url } = await startServer(ok)
    const { request, send } = sending()
    const end = send({ method: "POST", url, headers: {}, body: "", isChange: true }, { time: 30_000, bytes: 1 }, () =>
      expect.unreachable()
    )
    end()
    await request({ url: `${url}/next` })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatch(/^POST \/api\/next /)
  })
})

describe("a response", () => {
  const body = JSON.stringify({ id: 1, description: "přijato" })
  const answering = async (answer: Buffer, limits: Partial<SenderLimits> = {}) => {
    const { requests, url } = await startServer((socket) => void socket.end(answer))
    const outcome = await sending().request({ url, method: "GET", body: undefined, isChange: false }, limits)
    return { outcome, requests }
  }

  it.each([
    ["gzip", gzipSync(body)],
    ["x-gzip", gzipSync(body)],
    ["deflate", deflateSync(body)],
    ["br", brotliCompressSync(body)],
    ["gzip, br", brotliCompressSync(gzipSync(body))],
    ["identity", Buffer.from(body)],
    ["snappy", Buffer.from(body)]
  ])("is read in the coding %s", async (coding, bytes) => {
    const { outcome, requests } = await answering(httpAnswer(200, bytes, [`content-encoding: ${coding}`]))
    expect(textOf(outcome)).toBe(body)
    expect(requests[0]).toContain("accept-encoding: gzip, deflate, br\r\n")
  })

  it("that is not in the coding that it names, or ends early, is none", async () => {
    const gzip = ["content-encoding: gzip"]
    for (const bytes of [Buffer.from(body), gzipSync(body).subarray(0, 20), Buffer.alloc(0)]) {
      const { outcome } = await answering(httpAnswer(200, bytes, gzip))
      expect(outcome).toMatchObject({ wasSent: "perhaps" })
    }
    const { outcome } = await answering(httpAnswer(200, "{}", ["content-length: 3"]))
    expect(outcome).toMatchObject({ wasSent: "perhaps", code: "ECONNRESET" })
  })

  it("has no data when it is longer than the limit, whatever length it declares", async () => {
    const long = Buffer.alloc(100_000, " ")
    const answers = [
      httpAnswer(429, long),
      httpAnswer(429, gzipSync(long), ["content-encoding: gzip"]),
      httpAnswer(429, `186a0\r\n${long.toString()}\r\n0\r\n\r\n`, ["transfer-encoding: chunked"])
    ]
    for (const answer of answers) {
      const { outcome } = await answering(answer, { bytes: 99_999 })
      expect(outcome).toMatchObject({ status: 429, data: undefined })
      const { outcome: whole } = await answering(answer, { bytes: 100_000 })
      expect(textOf(whole)).toHaveLength(100_000)
    }
  })

  it.each([204, 304])("with status %i has no body, whatever coding it names", async (status) => {
    const { outcome } = await answering(httpAnswer(status, "", ["content-encoding: gzip"]))
    expect(outcome).toMatchObject({ status, data: new ArrayBuffer(0) })
  })

  it("has its headers", async () => {
    const { outcome } = await answering(httpAnswer(200, "", ["set-cookie: a=1", "set-cookie: b=2", "retry-after: 5"]))
    if (!("header" in outcome)) throw new Error(outcome.code)
    expect(outcome.header("set-cookie")).toBe("a=1, b=2")
    expect(outcome.header("retry-after")).toBe("5")
    expect(outcome.header("x-none")).toBeUndefined()
  })
})
