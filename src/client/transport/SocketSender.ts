/**
 * A sender over `node:http` and `node:https`.
 *
 * It hands a request over, head and body together, only once it has a connection, which is secure if it has to be. So
 * after an earlier failure it is certain that the gateway has seen nothing of the request.
 */
/// <reference types="node" />
import http from "node:http"
import https from "node:https"
import net from "node:net"
import type { Duplex, Readable, Transform } from "node:stream"
import timers from "node:timers"
import tls from "node:tls"
import zlib from "node:zlib"
import {
  type ConnectionAgent,
  type Sender,
  type SenderLimits,
  type SenderRequest,
  type Settle,
  maxTimer,
  type TransportResponse
} from "./Sender.js"
import { brokenOff, heldBack, isTransportFailure, timedOut, type TransportFailure } from "./TransportFailure.js"
import { collector } from "./ResponseBody.js"
import { environmentProxies } from "./Redirection.js"
import { isLoopback } from "../../basics/Loopback.js"
import { ownMember } from "../../basics/OwnMember.js"

/** Milliseconds in which a connection has to be made and secured. */
const connectTime = 10_000

/**
 * Milliseconds for each address of a name, until the next one is tried; the last gets the rest. Node's default is 250,
 * in which a lost first packet is not sent again, so an address would be given up in favour of one that leads nowhere.
 */
const attemptTime = 2_500

/**
 * Milliseconds after which an idle connection is closed, if the server has not said how long it keeps it, and at most.
 */
const idleTime = 55_000
const maxIdleTime = 600_000

/** Milliseconds of idleness after which even a read checks that its connection still exists. */
const restingTime = 1_000

/**
 * Milliseconds in which the rest of a request has to be sent once its response has arrived: the server may not be
 * reading it.
 */
const finishTime = 1_000

/** How many kept connections in a row may turn out to have ended. */
const maxEnded = 10

export interface SocketResponse extends TransportResponse {
  readonly headers: http.IncomingHttpHeaders
}

export const socketSender = (given: ConnectionAgent | undefined): Sender<SocketResponse, SenderRequest> => {
  const connections: Connections = new WeakMap()
  const agents = ownAgents(connections)
  const addressOf = addresses()
  return {
    send: (request, limits, settle) => {
      const { hostname, isOfThisMachine, path, port, protocol } = addressOf(request.url)
      const options: http.RequestOptions = {
        hostname,
        port,
        path,
        method: request.method,
        headers: { ...request.headers, "accept-encoding": "gzip, deflate, br", ...lengthOf(request) },
        ...notInherited
      }
      // The caller's agent is one of Node's, or made to replace one.
      Object.assign(options, { agent: given ?? agents.of(protocol, isOfThisMachine) })
      // Looked up at each call, since tests replace it.
      const exchange = new Exchange(request, limits, settle, connections, () => protocol.request(options))
      exchange.open()
      return () => exchange.abandon()
    },
    close: agents.destroy
  }
}

interface Address {
  readonly protocol: typeof http | typeof https
  readonly hostname: string
  /** It leads nowhere else, so no proxy reaches it. */
  readonly isOfThisMachine: boolean
  readonly port: string
  readonly path: string
}

/** Parses addresses. Most differ only in their path, which needs no parsing if nothing in it has to be encoded. */
const addresses = (): ((url: string) => Address) => {
  let known = { origin: "", address: addressIn("http://gateway.example") }
  return (url) => {
    const [, origin = "", path = ""] = /^(https?:\/\/[^/?#]+)(\/[\w/?=&%,~-]*)$/.exec(url) ?? []
    if (origin === "") return addressIn(url)
    if (origin !== known.origin) known = { origin, address: addressIn(origin) }
    return { ...known.address, path }
  }
}

const addressIn = (url: string): Address => {
  const { hostname, pathname, port, protocol, search } = new URL(url)
  return {
    protocol: protocol === "http:" ? http : https,
    hostname: hostname.replace(/[[\]]/g, ""),
    isOfThisMachine: isLoopback(hostname),
    port,
    path: pathname + search
  }
}

/** Options that Node.js would read from Object.prototype if someone had put them there: they lead elsewhere. */
const notInherited = { auth: undefined, host: undefined, socketPath: undefined, timeout: undefined, signal: undefined }

/** Set here, since agents for proxies may fix the head of a request before its body is known. */
const lengthOf = ({ body, method }: SenderRequest): http.OutgoingHttpHeaders => {
  if (body !== undefined) return { "content-length": Buffer.byteLength(body) }
  return method === "GET" || method === "DELETE" ? {} : { "content-length": 0 }
}

interface Connection {
  /** When its last response began, in milliseconds by a clock that does not jump. */
  usedAt: number
  /** The server has said how long it keeps the connection. */
  isHinted: boolean
  /** The bytes received over it when its last response was complete. Later bytes belong to no request. */
  bytesRead: number
}

type Connections = WeakMap<Duplex, Connection>

const connectionOf = (socket: net.Socket, connections: Connections): Connection => {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const connection = { usedAt: -Infinity, isHinted: false, bytesRead: socket.bytesRead }
  connections.set(socket, connection)
  // The agent may be shared: each user returns the connection as it was.
  socket.on("free", () => {
    connection.bytesRead = socket.bytesRead
  })
  return connection
}

/** One request and its response. If a kept connection has ended, another one is tried, until the request is sent. */
class Exchange {
  #state: "unsent" | "sent" | "settled" = "unsent"
  #current: http.ClientRequest | undefined
  /** How many kept connections have turned out to have ended. */
  #endedConnections = 0
  #decoders: ReadonlyArray<Transform> = []
  #connectTimer: NodeJS.Timeout | undefined
  readonly #timer: NodeJS.Timeout
  readonly #request: SenderRequest
  readonly #limits: SenderLimits
  readonly #settle: Settle<SocketResponse>
  readonly #connections: Connections
  readonly #makeRequest: () => http.ClientRequest

  constructor(
    request: SenderRequest,
    limits: SenderLimits,
    settle: Settle<SocketResponse>,
    connections: Connections,
    makeRequest: () => http.ClientRequest
  ) {
    this.#request = request
    this.#limits = limits
    this.#settle = settle
    this.#connections = connections
    this.#makeRequest = makeRequest
    this.#timer = setTimeout(() => this.#fail(timedOut), Math.min(limits.time, maxTimer))
  }

  open(): void {
    try {
      const request = this.#makeRequest()
      this.#current = request
      const connection: TakenConnection = { isKept: false, bytesRead: 0 }
      let hasResponse = false
      request.on("socket", (socket) => {
        const handOver = (): void => this.#handOver(request, socket, connection)
        // Nothing is known about a connection that is not one of Node's; those of mocks wait for the request.
        if (!isReal(socket)) return handOver()
        if (!isReady(socket)) return this.#onceConnected(socket, handOver)
        const isResting = this.#takeKept(socket, connection)
        if (this.#request.isChange || isResting) afterCheck(handOver)
        else handOver()
      })
      request.on("error", (error) => this.#lose(request, connection, error))
      request.on("close", () => hasResponse || this.#lose(request, connection, connectionEnded))
      request.on("response", (response) => {
        if (!this.#isCurrent(request)) return
        // It is not the response to a request, such as a 408 that was sent before the connection was closed.
        if (this.#state === "unsent") return this.#lose(request, connection, connectionEnded)
        hasResponse = true
        this.#receive(request, response)
      })
    } catch (error) {
      this.#fail(brokenOff(error))
    }
  }

  /** Ends it without settling. */
  abandon(): void {
    this.#end()
    this.#current?.destroy()
  }

  #isCurrent(request: http.ClientRequest): boolean {
    return this.#state !== "settled" && request === this.#current
  }

  #onceConnected(socket: net.Socket, then: () => void): void {
    this.#connectTimer = setTimeout(() => this.#fail(connectTimedOut), connectTime)
    socket.once(socket instanceof tls.TLSSocket ? "secureConnect" : "connect", then)
  }

  /** Whether the kept connection has been idle for so long that it may have ended. */
  #takeKept(socket: net.Socket, taken: TakenConnection): boolean {
    const { bytesRead, usedAt } = connectionOf(socket, this.#connections)
    taken.isKept = true
    taken.bytesRead = bytesRead
    return performance.now() - usedAt > restingTime
  }

  #handOver(request: http.ClientRequest, socket: Duplex, taken: TakenConnection): void {
    if (!this.#isCurrent(request)) return
    clearTimeout(this.#connectTimer)
    if (isReal(socket) && (hasEnded(socket) || (taken.isKept && socket.bytesRead !== taken.bytesRead))) {
      return this.#lose(request, taken, connectionEnded)
    }
    const { body, mayHandOver, onSend } = this.#request
    if (mayHandOver?.() === false) return this.#fail(heldBack)
    this.#state = "sent"
    onSend?.()
    request.end(body)
  }

  /** The connection is lost. If nothing was sent over a kept connection, another one is used. */
  #lose(request: http.ClientRequest, { isKept }: TakenConnection, error: unknown): void {
    if (!this.#isCurrent(request)) return
    if (!isKept || this.#state !== "unsent" || this.#endedConnections >= maxEnded) return this.#fail(brokenOff(error))
    this.#endedConnections++
    request.destroy()
    this.open()
  }

  #receive(request: http.ClientRequest, response: http.IncomingMessage): void {
    if (request.socket !== null && isReal(request.socket)) {
      const connection = connectionOf(request.socket, this.#connections)
      connection.usedAt = performance.now()
      connection.isHinted = /^timeout=\d/.test(String(response.headers["keep-alive"]))
    }
    const decoders: Array<Transform> = []
    this.#decoders = decoders
    try {
      receive(response, { limit: this.#limits.bytes, decoders }, (outcome) => {
        this.#finish(outcome)
        if (isTransportFailure(outcome) || outcome.data === undefined) request.destroy()
        else if (!request.writableFinished) destroyUnlessFinished(request)
      })
    } catch (error) {
      // A decoder that runs out of memory throws, and an exception in an event listener would end the process.
      this.#fail(brokenOff(error))
    }
  }

  #fail(outcome: TransportFailure): void {
    this.#finish(this.#state === "unsent" ? { ...outcome, wasSent: "certainly not" } : outcome)
    this.#current?.destroy()
  }

  #finish(outcome: SocketResponse | TransportFailure): void {
    if (this.#state === "settled") return
    this.#end()
    this.#settle(outcome)
  }

  #end(): void {
    this.#state = "settled"
    clearTimeout(this.#timer)
    clearTimeout(this.#connectTimer)
    for (const decoder of this.#decoders) decoder.destroy()
  }
}

interface TakenConnection {
  /** It existed before, so the server may have closed it. */
  isKept: boolean
  /** The bytes received over it before. */
  bytesRead: number
}

const destroyUnlessFinished = (request: http.ClientRequest): void => {
  const timer = setTimeout(() => request.destroy(), finishTime)
  timer.unref()
  request.once("finish", () => clearTimeout(timer))
}

const connectionEnded = Object.assign(new Error("The connection has ended."), { code: "ECONNRESET" })

const connectTimedOut = brokenOff(Object.assign(new Error("No connection was made in time."), { code: "ETIMEDOUT" }))

/**
 * Lets the event loop read what the server has sent, which may be the end of the connection. The first turn may be over
 * before it reads, if this was called from there.
 */
const afterCheck = (then: () => void): void => {
  // Not the global one, which Jest's jsdom lacks and a test's clock stops.
  timers.setImmediate(() => timers.setImmediate(then))
}

/** Node's own connections. For others it is unknown when they are ready. */
const isReal = (socket: Duplex): socket is net.Socket =>
  socket.constructor === net.Socket || socket.constructor === tls.TLSSocket

const isReady = (socket: net.Socket): boolean =>
  !socket.connecting && (!(socket instanceof tls.TLSSocket) || Reflect.get(socket, "secureConnecting") === false)

const hasEnded = (socket: net.Socket): boolean => !socket.writable || socket.readableEnded || socket.readableLength > 0

// ---------------------------------------------------------------------------------------------------------------------
// Responses
// ---------------------------------------------------------------------------------------------------------------------

interface Receiving {
  /** The most bytes of the decoded body that are read. */
  readonly limit: number
  /** The decoders that are made for it are added here. They keep decoding until they are destroyed. */
  readonly decoders: Array<Transform>
}

/** Reads a whole response, up to the limit. It may settle more than once; the first time counts. */
const receive = (
  response: http.IncomingMessage,
  { decoders, limit }: Receiving,
  settle: Settle<SocketResponse>
): void => {
  const { headers, statusCode: status = 0 } = response
  const header = (name: string): string | undefined => {
    const value = ownMember(headers, name)
    return typeof value === "object" ? value.join(", ") : value
  }
  const finish = (data: ArrayBuffer | undefined): void => settle({ status, header, headers, data })
  const fail = (error: unknown): void => settle(brokenOff(error))
  response.on("error", fail)
  response.on("close", () => response.complete || fail(connectionEnded))
  if (Number(headers["content-length"]) > limit) return finish(undefined)
  const collected = collector(limit)
  const hasBody = status !== 204 && status !== 304
  if (hasBody) decoders.push(...decodersOf(header("content-encoding")))
  const body = decoders.reduce<Readable>((coded, decoder) => coded.pipe(decoder).on("error", fail), response)
  body.on("data", (chunk: Uint8Array) => {
    if (!collected.add(chunk)) finish(undefined)
  })
  // The agent gets its connection back in the next tick, so that a caller who calls again at once reuses it.
  const complete = (): void => process.nextTick(() => finish(collected.data()))
  body.on("end", () => {
    if (response.readableEnded) return complete()
    // Anything after the end of an encoding belongs to the response as well.
    response.once("end", complete)
    response.unpipe()
    response.resume()
  })
}

const decoderMakers: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  ["deflate", () => zlib.createInflate()],
  ["br", () => zlib.createBrotliDecompress()]
])

/** Decoders for the encodings of a body, the outermost first. A body in an unknown encoding stays as it is. */
const decodersOf = (codings: string | undefined): ReadonlyArray<Transform> => {
  const names = codings?.toLowerCase().split(/\s*,\s*/) ?? []
  const makers = names.flatMap((name) => decoderMakers.get(name) ?? [])
  return makers.length < names.length || makers.length > 5 ? [] : makers.toReversed().map((make) => make())
}

// ---------------------------------------------------------------------------------------------------------------------
// Agents
// ---------------------------------------------------------------------------------------------------------------------

/**
 * Our own agents, for http and https, with and without the proxies of the environment, made when first needed. They do
 * not keep the process alive.
 */
const ownAgents = (connections: Connections) => {
  const proxied = new Map<typeof http | typeof https, http.Agent>()
  const direct = new Map<typeof http | typeof https, http.Agent>()
  const make = ({ Agent }: typeof http | typeof https, proxyEnv: unknown): http.Agent => {
    const options = {
      keepAlive: true,
      keepAliveMsecs: 10_000,
      timeout: maxIdleTime,
      autoSelectFamilyAttemptTimeout: attemptTime,
      proxyEnv
    }
    const agent = new Agent(options)
    // Node's own agent closes a connection a little before its server does.
    const keep: unknown = Reflect.get(agent, "keepSocketAlive")
    Object.assign(agent, {
      keepSocketAlive: (socket: net.Socket): unknown => {
        const isKept: unknown = typeof keep === "function" ? keep.call(agent, socket) : false
        if (connections.get(socket)?.isHinted !== true) socket.setTimeout(idleTime)
        return isKept
      }
    })
    return agent
  }
  return {
    of: (protocol: typeof http | typeof https, isDirect: boolean): http.Agent => {
      const agents = isDirect ? direct : proxied
      const agent = agents.get(protocol) ?? make(protocol, isDirect ? undefined : environmentProxies())
      agents.set(protocol, agent)
      return agent
    },
    destroy: () => [proxied, direct].forEach((agents) => agents.forEach((agent) => agent.destroy()))
  }
}
