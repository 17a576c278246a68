/**
 * A gateway whose every byte is set by the test: requests are read from sockets, answers are bytes.
 */
import { connect, createServer, type Server, type Socket } from "node:net"
import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** What comes after the bytes of a response. */
export type Ending = "stay" | "close" | "reset"

/** What is sent back for one request. */
export interface RawAnswer {
  readonly bytes: Uint8Array
  /** What follows, where copying it would take long. */
  readonly more?: ReadonlyArray<Uint8Array>
  readonly ending: Ending
}

export interface RawRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly body: string
}

export interface RawGateway extends AsyncDisposable {
  readonly url: string
}

/** Answers every request that was read to its end. */
export const startRawGateway = async (answer: (request: RawRequest) => RawAnswer): Promise<RawGateway> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk])
      for (let request = firstRequest(received); request !== undefined; request = firstRequest(received)) {
        received = received.subarray(request.length)
        give(socket, answer(request))
      }
    })
  })
  const url = await listening(server.listen(0, "127.0.0.1"))
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}

export const listening = async (server: Server): Promise<string> => {
  await once(server, "listening")
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

const firstRequest = (received: Buffer): (RawRequest & { readonly length: number }) | undefined => {
  const end = received.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const head = received.toString("latin1", 0, end)
  const [method = "", path = ""] = head.split(" ")
  const length = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return received.length < length
    ? undefined
    : { method, path, body: received.toString("utf8", end + 4, length), length }
}

const give = (socket: Socket, { bytes, ending, more = [] }: RawAnswer): void => {
  const end = (): void => {
    if (ending === "reset") socket.resetAndDestroy()
    if (ending === "close") socket.end()
  }
  if (bytes.length === 0) end()
  else socket.write(bytes, more.length === 0 ? end : undefined)
  for (const part of more) socket.write(part)
}

/** The bytes of an HTTP answer. Its length is declared unless headers say otherwise. */
export const http = (status: number, body: string | Uint8Array = "", headers: ReadonlyArray<string> = []): Buffer => {
  const isDeclared = status !== 204 && !headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
  const length = isDeclared ? [`content-length: ${Buffer.byteLength(body)}`] : []
  const head = [`HTTP/1.1 ${status} Some Reason`, ...headers, ...length].join("\r\n")
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), Buffer.from(body)])
}

/** An address where no one listens: a port that is given to no one, unlike one that was free a moment ago. */
export const refusingAddress = "http://127.0.0.1:2"

interface StallingOptions {
  readonly host?: string
  readonly port?: number
  /** After a second connections are made after all, and this is what they get. */
  readonly thenAnswers?: Buffer
}

/** An address where connections are begun and not made: its queue of them is full, and no one takes any out. */
export const startStallingAddress = async ({
  host = "127.0.0.1",
  port: wanted = 0,
  thenAnswers
}: StallingOptions = {}): Promise<AsyncDisposable & { readonly url: string }> => {
  const worker = new Worker(
    `const { createServer } = require("node:net")
     const { parentPort, workerData } = require("node:worker_threads")
     const { answer, host, port, time } = workerData
     const server = createServer((socket) => {
       socket.on("error", () => {}).once("data", () => socket.end(answer))
     }).listen({ port, host, backlog: 1 }, () => {
       parentPort.postMessage(server.address().port)
       setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time))
     })`,
    { eval: true, workerData: { answer: thenAnswers, host, port: wanted, time: thenAnswers && 1_000 } }
  )
  const [port]: ReadonlyArray<number> = await once(worker, "message")
  const fillers = Array.from({ length: 16 }, () => connect(port ?? 0, host).on("error", () => {}))
  // They are more than the queue holds: once one of them is made, it is full.
  await Promise.race(fillers.map((filler) => once(filler, "connect")))
  return {
    url: `http://${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const filler of fillers) filler.destroy()
      await worker.terminate()
    }
  }
}
