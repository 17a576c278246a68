/**
 * Requests over Node's own sockets, to servers whose every byte is set by the test.
 */
import dns from "node:dns"
import { once } from "node:events"
import http from "node:http"
import https from "node:https"
import { connect, createServer, Socket } from "node:net"
import { Duplex } from "node:stream"
import tls from "node:tls"
import zlib, { brotliCompressSync, deflateSync, gzipSync, type Gunzip } from "node:zlib"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { type SocketResponse, socketSender } from "../../../src/client/transport/SocketSender.js"
import type { ConnectionAgent, SenderLimits, SenderRequest } from "../../../src/client/transport/Sender.js"
import type { TransportFailure } from "../../../src/client/transport/TransportFailure.js"
import { http as httpAnswer, refusingAddress, startStallingAddress } from "../../support/RawGateway.js"

/** A server that answers each request as the callback says, and the requests that it has received. */
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
  const send = (request: Partial<SenderRequest> & { readonly url: string }, limits: Partial<SenderLimits> = {}) => {
    let times = 0
    return new Promise<SocketResponse | TransportFailure>((resolve) => {
      sender.send(
        { method: "POST", headers: {}, body: "amount=1", isChange: true, ...request },
        { time: 30_000, bytes: 1_000_000, ...limits },
        (outcome) => {
          if (++times > 1) throw new Error("It was settled twice.")
          resolve(outcome)
        }
      )
    })
  }
  return { ...sender, request: send }
}

/** A read. */
const reading = { method: "GET", body: undefined, isChange: false } as const

/** Counts the requests that are begun, sent or not. */
const watchedRequests = () => {
  const begun = vi.spyOn(http, "request")
  onTestFinished(() => begun.mockRestore())
  return begun
}

/** Timers of the client's that the test lets ring. */
const fakeTimers = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Fake timers do not go on while it waits. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(setImmediate)
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

/** An agent that handles requests with the callback, as interceptors do. */
const intercepting = (does: (request: http.ClientRequest) => void): http.Agent =>
  Object.assign(new http.Agent(), {
    addRequest: (request: http.ClientRequest) => process.nextTick(() => does(request))
  })

/** An agent whose connections are these. */
const connectingBy = (createConnection: () => Duplex): http.Agent =>
  Object.assign(new http.Agent(), { createConnection })

/** The port of a server that breaks off in handshakes. */
const handshakeBreaker = async () => {
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.destroy()))
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const textOf = (outcome: SocketResponse | TransportFailure): string =>
  "data" in outcome && outcome.data !== undefined ? new TextDecoder().decode(outcome.data) : "no data"

describe("a request that may not be handed over any more", () => {
  it("sends no byte over a connection that was made for it, nor over a kept one", async () => {
    const server = await startServer(ok)
    const { request } = sending()
    const checked: Array<number> = []
    const refuse = () => {
      // The connection is there: nothing is left but to write.
      checked.push(server.sockets.length)
      return false
    }
    const heldBack = { _tag: "TransportFailure", wasSent: "certainly not", name: "HeldBack" }
    expect(await request({ url: server.url, mayHandOver: refuse })).toMatchObject(heldBack)
    expect(await request({ url: server.url })).toMatchObject({ status: 200 })
    expect(await request({ url: server.url, mayHandOver: refuse })).toMatchObject(heldBack)
    expect(await request({ url: server.url, mayHandOver: () => true })).toMatchObject({ status: 200 })
    expect(checked).toHaveLength(2)
    expect(server.requests).toHaveLength(2)
  })
})

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

  it("does not take for its response what comes while it looks for the connection's end", async () => {
    const { requests, sockets, url } = await startServer(ok)
    const { request } = sending()
    await request({ url })
    const begun = watchedRequests()
    const second = request({ url })
    const [first] = sockets
    first?.write(httpAnswer(408))
    expect(await second).toMatchObject({ status: 200 })
    expect(requests).toHaveLength(2)
    // No one uses it any more.
    if (first?.closed === false) await once(first, "close")
    // The one that found the connection ended, and the one that was sent.
    expect(begun).toHaveBeenCalledTimes(2)
  })

  it.each([1, 12, 40])(
    "does not take for its response one of which %i bytes have come before it was handed over",
    async (bytes) => {
      const stray = httpAnswer(409, `{"stray":true}`)
      const { requests, sockets, url } = await startServer((socket, _, index) => {
        if (socket === sockets[0] && index > 0) socket.write(stray.subarray(bytes))
        else ok(socket)
      })
      const { request } = sending()
      for (const isIdle of [false, true]) {
        await request({ url })
        const socket = sockets.at(-1)
        if (socket === undefined) throw new Error("no connection")
        socket.setNoDelay().write(stray.subarray(0, bytes))
        // Once this is there, so is the other.
        if (isIdle) await sending().request({ url })
        const before = sockets.length
        expect(textOf(await request({ url }))).toBe("{}")
        expect(sockets).toHaveLength(before + 1)
      }
      expect(requests).toHaveLength(5)
    }
  )

  it("is sent where there is no setImmediate, as in Jest's jsdom, or where a test's clock has it", async () => {
    const { requests, url } = await startServer(ok)
    const { request } = sending()
    await request({ url })
    vi.stubGlobal("setImmediate", undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(await request({ url })).toMatchObject({ status: 200 })
    vi.stubGlobal("setImmediate", () => {})
    expect(await request({ url })).toMatchObject({ status: 200 })
    expect(requests).toHaveLength(3)
  })

  it("uses the connection again whoever used it meanwhile, as an agent may be shared", async () => {
    const { requests, sockets, url } = await startServer(ok)
    const agent = new http.Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const [first, second] = [sending(agent), sending(agent)]
    for (const { request } of [first, second, first, second, first])
      expect(await request({ url })).toHaveProperty("data")
    expect(requests).toHaveLength(5)
    expect(sockets).toHaveLength(1)
  })

  it("is not sent when it is given up while it looks for the connection's end", async () => {
    const { requests, url } = await startServer(ok)
    const { request, send } = sending()
    await request({ url })
    const begun = watchedRequests()
    const end = send({ method: "POST", url, headers: {}, body: "", isChange: true }, { time: 30_000, bytes: 1 }, () =>
      expect.unreachable()
    )
    await Promise.resolve()
    end()
    await turns()
    expect(begun).toHaveBeenCalledTimes(1)
    await request({ url: `${url}/next` })
    expect(requests).toHaveLength(2)
    expect(requests[1]).toMatch(/^POST \/api\/next /)
  })

  it("does not take for its response one that no one asked for", async () => {
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
    const agent = connectingBy(() => new Socket().destroy())
    const begun = watchedRequests()
    const outcome = await sending(agent).request({ url: "http://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ECONNRESET" })
    expect(begun).toHaveBeenCalledTimes(11)
  })

  it.each([
    ["whose server has ended it", (socket: Socket) => socket.end(), "end"],
    ["on which the server has said something", (socket: Socket) => socket.write("!"), "readable"]
  ] as const)("was certainly not sent over a connection %s", async (_, does, event) => {
    const { requests, sockets, url } = await startServer(ok)
    const kept: Array<Socket> = []
    const agent = connectingBy(() => kept.at(-1) ?? new Socket())
    for (let index = 0; index < 11; index++) {
      const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true })
      onTestFinished(() => void socket.destroy())
      await once(socket, "connect")
      kept.push(socket)
    }
    for (const [index, socket] of kept.entries()) {
      const happened = once(socket, event)
      if (event === "end") socket.resume()
      await expect.poll(() => sockets).toHaveLength(kept.length)
      const server = sockets[index]
      if (server !== undefined) does(server)
      await happened
      socket.pause()
    }
    Object.assign(agent, { createConnection: () => kept.shift() })
    const outcome = await sending(agent).request({ url })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ECONNRESET" })
    expect(requests).toEqual([])
  })

  it("perhaps was sent when the connection breaks after the request was handed over", async () => {
    const { requests, url } = await startServer((socket, _, index) => (index === 0 ? ok(socket) : socket.destroy()))
    const { request } = sending()
    await request({ url })
    expect(await request({ url })).toMatchObject({ wasSent: "perhaps", code: "ECONNRESET" })
    expect(requests).toHaveLength(2)
  })
})

describe("a read over a kept connection that has ended", () => {
  /** Reads once, and again when the connection has been idle for so long and its end has not been checked. */
  const readAfter = async (idle: number) => {
    const { sockets, url } = await startServer(ok)
    const { request } = sending()
    const now = vi.spyOn(performance, "now").mockReturnValue(50_000)
    onTestFinished(() => now.mockRestore())
    await request({ url, ...reading })
    now.mockReturnValue(50_000 + idle)
    sockets[0]?.end()
    return request({ url, ...reading })
  }

  it("looks for that when the connection was idle for more than a second, and else not: reads are repeated", async () => {
    expect(await readAfter(1_001)).toMatchObject({ status: 200 })
    expect(await readAfter(1_000)).toMatchObject({ wasSent: "perhaps", code: "ECONNRESET" })
  })

  it("looks for that when someone else has used it last", async () => {
    const { sockets, url } = await startServer(ok)
    const agent = new http.Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const [response]: ReadonlyArray<http.IncomingMessage> = await once(http.get(url, { agent }), "response")
    if (response !== undefined) await once(response.resume(), "close")
    await turns()
    sockets[0]?.end()
    expect(await sending(agent).request({ url, ...reading })).toMatchObject({ status: 200 })
    expect(sockets).toHaveLength(2)
  })
})

describe("time", () => {
  it("leaves no timer behind", async () => {
    const { url } = await startServer(ok)
    const { request } = sending()
    fakeTimers()
    await request({ url })
    await request({ url })
    expect(vi.getTimerCount()).toBe(0)
    await request({ url: refusingAddress })
    expect(vi.getTimerCount()).toBe(0)
  })

  it("for connecting is ten seconds: then nothing was sent", async () => {
    await using stalling = await startStallingAddress()
    fakeTimers()
    let outcome: SocketResponse | TransportFailure | undefined
    void sending()
      .request({ url: stalling.url })
      .then((given) => (outcome = given))
    await until(() => vi.getTimerCount() === 2)
    vi.advanceTimersByTime(9_999)
    await turns()
    expect(outcome).toBeUndefined()
    vi.advanceTimersByTime(1)
    await turns()
    expect(outcome).toMatchObject({ wasSent: "certainly not", isTimeout: false, code: "ETIMEDOUT" })
  })

  it("for connecting does not count once the connection is made", async () => {
    const { requests, sockets, url } = await startServer(() => {})
    fakeTimers()
    const outcome = sending().request({ url })
    await until(() => requests.length === 1)
    vi.advanceTimersByTime(20_000)
    for (const socket of sockets) ok(socket)
    expect(await outcome).toMatchObject({ status: 200 })
  })

  it("that is over ends the connection", async () => {
    const { requests, sockets, url } = await startServer(() => {})
    fakeTimers()
    const outcome = sending().request({ url }, { time: 5_000 })
    await until(() => requests.length === 1)
    vi.advanceTimersByTime(5_000)
    expect(await outcome).toMatchObject({ wasSent: "perhaps", isTimeout: true })
    await Promise.all(sockets.map((socket) => once(socket, "close")))
  })

  it("of an idle connection is 55 seconds, or what the server says, and never over ten minutes", async () => {
    const timeoutsWith = async (headers: ReadonlyArray<string>) => {
      const { url } = await startServer((socket) => void socket.write(httpAnswer(200, "{}", headers)))
      const set = vi.spyOn(Socket.prototype, "setTimeout")
      await sending().request({ url })
      await turns()
      const timeouts = set.mock.calls.map(([time]) => time).filter((time) => time > 0)
      set.mockRestore()
      return [timeouts[0], timeouts.at(-1)]
    }
    expect(await timeoutsWith([])).toEqual([600_000, 55_000])
    for (const hint of ["max=5", "timeout=abc", "timeout=-1"]) {
      expect(await timeoutsWith([`keep-alive: ${hint}`])).toEqual([600_000, 55_000])
    }
    const [, hinted] = await timeoutsWith(["keep-alive: timeout=9, max=5"])
    expect([8_000, 9_000]).toContain(hinted)
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
    // It becomes a connection when something is requested from it, as those of nock and msw do.
    Object.assign(mocked, { connecting: true })
    const outcome = await sending(connectingBy(() => mocked)).request({ url: "http://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "perhaps" })
    expect(written.join("")).toMatch(/^POST \/api HTTP\/1\.1\r\n[^]*amount=1$/)
  })

  it("that are not Node's may have their response already", async () => {
    const mocked = new Duplex({ read: () => {}, write: (_, __, done) => done() })
    mocked.push(httpAnswer(200, "{}"))
    const outcome = await sending(connectingBy(() => mocked)).request({ url: "http://gateway.example/api" })
    expect(outcome).toMatchObject({ status: 200 })
  })

  it("over another one are secure before anything is sent", async () => {
    const port = await handshakeBreaker()
    const tunnel = connect(port, "127.0.0.1")
    await once(tunnel, "connect")
    const agent = Object.assign(new https.Agent(), { createConnection: () => tls.connect({ socket: tunnel }) })
    const outcome = await sending(agent).request({ url: "https://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ECONNRESET" })
  })

  it("are made to the host without the brackets of its address", async () => {
    const begun = watchedRequests()
    const agent = intercepting((request) => request.emit("close"))
    for (const host of ["[::1]", "127.0.0.1", "gateway.example"])
      await sending(agent).request({ url: `http://${host}/` })
    expect(begun.mock.calls.map(([options]) => Reflect.get(Object(options), "hostname"))).toEqual([
      "::1",
      "127.0.0.1",
      "gateway.example"
    ])
  })

  it("that are closed without a word: nothing was sent", async () => {
    const agent = intercepting((request) => request.emit("close"))
    const outcome = await sending(agent).request({ url: "http://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ECONNRESET" })
  })

  it("that are not made: nothing was sent", async () => {
    const begun = watchedRequests()
    const outcome = await sending().request({ url: refusingAddress })
    expect(outcome).toMatchObject({ wasSent: "certainly not", code: "ECONNREFUSED" })
    expect(begun).toHaveBeenCalledTimes(1)
    await using stalling = await startStallingAddress()
    const stalled = await sending().request({ url: stalling.url }, { time: 100 })
    expect(stalled).toMatchObject({ wasSent: "certainly not", isTimeout: true })
  })

  it.each([
    ["first", "127.0.0.1"],
    ["last", "127.0.0.2"]
  ])("of an address that leads nowhere leaves the other one the second that it needs: it comes %s", async (_, dead) => {
    const slow = dead === "127.0.0.1" ? "127.0.0.2" : "127.0.0.1"
    await using stalling = await startStallingAddress({ host: dead })
    const { port } = new URL(stalling.url)
    await using slowly = await startStallingAddress({
      host: slow,
      port: Number(port),
      thenAnswers: httpAnswer(200, "{}")
    })
    const resolved = vi.spyOn(dns, "lookup").mockImplementation((...given: ReadonlyArray<unknown>) => {
      const done = given.at(-1)
      const all = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }))
      if (typeof done === "function") done(null, all)
    })
    onTestFinished(() => resolved.mockRestore())
    const { request } = sending()
    expect(await request({ url: `http://gateway.example:${port}/api` })).toMatchObject({ status: 200 })
    expect(slowly.url).toContain(slow)
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
    ["DELETE", undefined, undefined],
    ["GET", undefined, undefined]
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

describe("what a request tells when it is handed over", () => {
  it("comes once there is a connection, before the server sees anything", async () => {
    const seen: Array<string> = []
    const { url } = await startServer((socket) => {
      seen.push("arrived")
      ok(socket)
    })
    const { request } = sending()
    for (const isChange of [true, false, true]) await request({ url, isChange, onSend: () => seen.push("sent") })
    expect(seen).toEqual(["sent", "arrived", "sent", "arrived", "sent", "arrived"])
  })

  it("does not come where there is no connection", async () => {
    const port = await handshakeBreaker()
    for (const url of ["http://127.0.0.1:9", `https://127.0.0.1:${port}`]) {
      const failure = await sending().request({ url, onSend: expect.unreachable })
      expect(failure).toMatchObject({ wasSent: "certainly not" })
    }
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

  it("before it was connected is never sent, and says so", async () => {
    const { requests, url } = await startServer(ok)
    const { request, send } = sending()
    const change = { method: "POST", url, headers: {}, body: "", isChange: true, onSend: expect.unreachable } as const
    const end = send(change, { time: 30_000, bytes: 1 }, () => expect.unreachable())
    end()
    await request({ url: `${url}/next` })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatch(/^POST \/api\/next /)
  })
})

describe("a response", () => {
  const body = JSON.stringify({ id: 1, description: "přijato" })
  const gzippedTimes = (times: number): Buffer => gzipSync(times === 1 ? body : gzippedTimes(times - 1))
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
    ["gzip, gzip, gzip, gzip, gzip", gzippedTimes(5)],
    ["gzip, gzip, gzip, gzip, gzip, gzip", Buffer.from(body)],
    ["identity", Buffer.from(body)],
    ["snappy", Buffer.from(body)],
    ["snappy, gzip", Buffer.from(body)],
    ["constructor", Buffer.from(body)],
    ["toString, gzip", Buffer.from(body)],
    ["__proto__", Buffer.from(body)]
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

  it.each([
    ["gzip", gzipSync(body)],
    ["deflate", deflateSync(body)],
    ["br", brotliCompressSync(body)]
  ])("in the coding %s is complete when all of it has come, not when its coding ends", async (coding, bytes) => {
    const headers = [`content-encoding: ${coding}`]
    const whole = httpAnswer(200, Buffer.concat([bytes, Buffer.alloc(500_000)]), headers)
    const { sockets, url } = await startServer((socket, request) => {
      socket.write(request.startsWith("GET") ? whole : whole.subarray(0, -1))
    })
    let settled: SocketResponse | TransportFailure | undefined
    const change = sending()
      .request({ url })
      .then((outcome) => (settled = outcome))
    // Once these are there, so is the other, but for its last byte.
    for (let count = 0; count < 3; count++) expect(textOf(await sending().request({ ...reading, url }))).toBe(body)
    expect(settled).toBeUndefined()
    sockets[0]?.write("\0")
    expect(textOf(await change)).toBe(body)
  })

  it("that comes before the request was read closes its connection a second later", async () => {
    const { sockets, url } = await startServer((socket, _, index) => {
      if (index === 0) ok(socket.pause())
    })
    const { request } = sending()
    const body = "a".repeat(20_000_000)
    fakeTimers()
    expect(await request({ url, body })).toMatchObject({ status: 200 })
    const [socket] = sockets
    if (socket === undefined) throw new Error("no connection")
    vi.advanceTimersByTime(1_000)
    socket.resume()
    await until(() => socket.closed)
    expect(socket.bytesRead).toBeLessThan(body.length)
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

  it.each([
    ["is longer than the limit, as it says", ["content-length: 100001"], "", { data: undefined }],
    [
      "is longer than the limit",
      ["transfer-encoding: chunked"],
      `186a1\r\n${" ".repeat(100_001)}`,
      { data: undefined }
    ],
    ["is not in its coding", ["content-encoding: gzip", "content-length: 9"], "{}{}", { wasSent: "perhaps" }]
  ])("that %s is not waited for: its connection is closed", async (_, headers, part, expected) => {
    const { sockets, url } = await startServer((socket) => void socket.write(httpAnswer(200, part, headers)))
    expect(await sending().request({ url }, { bytes: 100_000 })).toMatchObject(expected)
    const [socket] = sockets
    if (socket?.closed === false) await once(socket, "close")
  })

  it.each([
    ["error", Object.assign(new Error("broken"), { code: "EPIPE" }), "EPIPE"],
    ["close", undefined, "ECONNRESET"]
  ] as const)("of an interceptor may break off with the event %s alone", async (event, error, code) => {
    const agent = intercepting((request) => {
      const socket = new Duplex({ read: () => {}, write: (_, __, done) => done() })
      const response = Object.assign(new http.IncomingMessage(new Socket()), { statusCode: 200 })
      request.emit("socket", socket)
      request.emit("response", response)
      response.emit(event, error)
    })
    const outcome = await sending(agent).request({ url: "http://gateway.example/api" })
    expect(outcome).toMatchObject({ wasSent: "perhaps", code })
  })

  describe("in a coding", () => {
    /** More than any limit here, and not yet at its end. */
    const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000))).subarray(0, -8)
    const coding = ["content-encoding: gzip, gzip", "content-length: 100000"]

    /** The decoders that are made. */
    const watchedDecoders = (): ReadonlyArray<Gunzip> => {
      const made: Array<Gunzip> = []
      const { createGunzip } = zlib
      vi.spyOn(zlib, "createGunzip").mockImplementation((options) => {
        const decoder = createGunzip(options)
        made.push(decoder)
        return decoder
      })
      onTestFinished(() => void vi.restoreAllMocks())
      return made
    }

    it("is decoded no further than the limit", async () => {
      const decoders = watchedDecoders()
      const { url } = await startServer((socket) => void socket.write(httpAnswer(200, bomb, coding)))
      expect(await sending().request({ url }, { bytes: 100_000 })).toMatchObject({ status: 200, data: undefined })
      expect(decoders.map(({ destroyed }) => destroyed)).toEqual([true, true])
    })

    it("is decoded no further than one that is broken", async () => {
      const decoders = watchedDecoders()
      const broken = gzipSync(Buffer.alloc(1_000_000, "no gzip"))
      const { url } = await startServer((socket) => void socket.write(httpAnswer(200, broken, coding)))
      expect(await sending().request({ url })).toMatchObject({ wasSent: "perhaps", code: "Z_DATA_ERROR" })
      expect(decoders.map(({ destroyed }) => destroyed)).toEqual([true, true])
    })

    it.each(["is ended by its caller", "is not complete in time"])("is decoded no further when it %s", async (how) => {
      const decoders = watchedDecoders()
      const { url } = await startServer((socket) => void socket.write(httpAnswer(200, bomb.subarray(0, 40), coding)))
      const sender = socketSender(undefined)
      onTestFinished(sender.close)
      const isInTime = how === "is ended by its caller"
      const request = { method: "GET", url, headers: {}, body: undefined, isChange: false } as const
      const timedOut = new Promise((resolve) => {
        const end = sender.send(request, { time: isInTime ? 30_000 : 300, bytes: 100_000 }, resolve)
        const decoding = setInterval(() => {
          if (decoders.length < 2) return
          clearInterval(decoding)
          if (!isInTime) return
          end()
          resolve(undefined)
        }, 1)
      })
      await timedOut
      expect(decoders.map(({ destroyed }) => destroyed)).toEqual([true, true])
    })

    it("that cannot be decoded, for want of memory, is none", async () => {
      vi.spyOn(zlib, "createGunzip").mockImplementation(() => {
        throw Object.assign(new Error("Initialization failed"), { code: "ERR_ZLIB_INITIALIZATION_FAILED" })
      })
      onTestFinished(() => void vi.restoreAllMocks())
      const { outcome } = await answering(httpAnswer(200, gzipSync(body), ["content-encoding: gzip"]))
      expect(outcome).toMatchObject({ wasSent: "perhaps", code: "ERR_ZLIB_INITIALIZATION_FAILED" })
    })
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
