/**
 * A gateway that can be made to fail, in a process of its own, so that it does so while its client is busy.
 *
 * One port is all that the client sees of it. Behind it is a gateway over TLS, until it is told to become something
 * else.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { createServer as createGateway } from "node:https"
import { connect, createServer, type Socket } from "node:net"
import type { SecureContextOptions } from "node:tls"
import { fileURLToPath } from "node:url"
import { startStallingAddress } from "../../support/RawGateway.js"

/** What the gateway becomes. What waits does so for milliseconds, in which the client looks at nothing. */
export type Behaviour =
  | { readonly is: "well" }
  | { readonly is: "gone" }
  | { readonly is: "never accepting" }
  | { readonly is: "another, which nobody vouches for" }
  | { readonly is: "resetting handshakes" }
  | { readonly is: "speaking plain HTTP" }
  | { readonly is: "silent in handshakes" }
  | { readonly is: "ending idle connections"; readonly wait: number }
  | { readonly is: "resetting idle connections"; readonly wait: number }
  | { readonly is: "giving up idle connections"; readonly wait: number }
  | { readonly is: "silent on known connections" }
  | { readonly is: "resetting after requests" }
  | { readonly is: "resetting within requests" }
  | { readonly is: "cutting responses" }

interface Start {
  readonly good: SecureContextOptions
  readonly bad: SecureContextOptions
}

export interface FailingGateway {
  readonly port: number
  readonly become: (behaviour: Behaviour) => Promise<void>
  /** How many changes it has read so far. */
  readonly changes: () => Promise<number>
  /** How many connections it has accepted so far. */
  readonly connections: () => Promise<number>
  readonly stop: () => void
}

export const startFailingGateway = async (certificates: Start): Promise<FailingGateway> => {
  const child = fork(fileURLToPath(import.meta.url), ["serve"], { execArgv: ["--import", "tsx"] })
  const ask = async (message: object) => {
    child.send(message)
    const [told]: ReadonlyArray<{ readonly [name: string]: number }> = await once(child, "message")
    return told ?? {}
  }
  const { port = 0 } = await ask(certificates)
  return {
    port,
    become: async (behaviour) => void (await ask(behaviour)),
    changes: async () => (await ask({ is: "counting" }))["changes"] ?? Number.NaN,
    connections: async () => (await ask({ is: "counting" }))["connections"] ?? Number.NaN,
    stop: () => child.disconnect()
  }
}

const payment = {
  id: 3000006542,
  order_number: "2026-0042",
  state: "PAID",
  amount: 139_950,
  currency: "CZK",
  target: { type: "ACCOUNT", goid: 8123456781 }
}

/** As servers send it that wait for a request no longer. */
const timeoutResponse = "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

const serve = async (parent: ChildProcess["send"], { bad, good }: Start) => {
  let changes = 0
  let connections = 0
  let behaviour: Behaviour["is"] = "well"
  const sockets = new Set<Socket>()
  const secure = new Set<Socket>()

  const gateway = (certificate: SecureContextOptions) => {
    const server = createGateway({ ...certificate, keepAliveTimeout: 60_000 }, (request, response) => {
      const isChange = request.url?.endsWith("/refund") === true
      if (isChange && behaviour === "resetting within requests") {
        request.once("data", () => sockets.forEach((socket) => socket.resetAndDestroy()))
        return
      }
      request.resume().once("end", () => {
        if (isChange) changes++
        if (isChange && behaviour === "resetting after requests") {
          sockets.forEach((socket) => socket.resetAndDestroy())
          return
        }
        const answer = request.url?.endsWith("/token")
          ? { token_type: "bearer", access_token: "a-token", expires_in: 1800 }
          : isChange
            ? { id: payment.id, result: "FINISHED" }
            : payment
        const body = JSON.stringify(answer)
        response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
        if (isChange && behaviour === "cutting responses") {
          response.write(body.slice(0, 5), () => setTimeout(() => sockets.forEach((socket) => socket.destroy()), 20))
        } else response.end(body)
      })
    })
    server.on("tlsClientError", () => {})
    server.on("secureConnection", (socket) => {
      secure.add(socket)
      socket.once("close", () => secure.delete(socket))
    })
    return listening(server)
  }
  const [goodPort, badPort] = [await gateway(good), await gateway(bad)]

  const front = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => sockets.delete(socket))
    switch (behaviour) {
      case "resetting handshakes":
        socket.once("data", () => socket.resetAndDestroy())
        return
      case "speaking plain HTTP":
        socket.once("data", () =>
          socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        )
        return
      case "silent in handshakes":
        socket.resume()
        return
    }
    const behind = connect(behaviour === "another, which nobody vouches for" ? badPort : goodPort, "127.0.0.1")
    behind.on("error", () => {})
    behind.once("close", () => socket.end())
    socket.once("close", () => behind.destroy())
    socket.pipe(behind).pipe(socket)
  })
  const port = await listening(front)
  const closed = async () => {
    front.close()
    sockets.forEach((socket) => socket.destroy())
    await once(front, "close")
  }

  let stalling: AsyncDisposable | undefined
  const become = async (wanted: Behaviour) => {
    const known = [...sockets]
    behaviour = wanted.is
    switch (wanted.is) {
      case "well":
        await stalling?.[Symbol.asyncDispose]()
        stalling = undefined
        if (!front.listening) await once(front.listen(port, "127.0.0.1"), "listening")
        sockets.forEach((socket) => socket.destroy())
        return
      case "gone":
        return closed()
      case "never accepting":
        await closed()
        stalling = await startStallingAddress(port)
        return
      case "ending idle connections":
        setTimeout(() => known.forEach((socket) => socket.end()), wanted.wait)
        return
      case "resetting idle connections":
        setTimeout(() => known.forEach((socket) => socket.resetAndDestroy()), wanted.wait)
        return
      case "giving up idle connections":
        setTimeout(() => secure.forEach((socket) => socket.end(timeoutResponse)), wanted.wait)
        return
      case "silent on known connections":
        known.forEach((socket) => socket.unpipe().resume())
        return
      case "another, which nobody vouches for":
      case "resetting handshakes":
      case "speaking plain HTTP":
      case "silent in handshakes":
        // What comes now comes over a new connection.
        sockets.forEach((socket) => socket.end())
        return
      default:
        return
    }
  }
  process.on("message", (message: Behaviour | { readonly is: "counting" }) => {
    if (message.is === "counting") parent({ changes, connections })
    else void become(message).then(() => parent({}))
  })
  parent({ port })
}

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

if (process.argv[2] === "serve" && process.argv[1] === fileURLToPath(import.meta.url)) {
  const [certificates] = await once(process, "message")
  process.on("disconnect", () => process.exit())
  await serve((message: unknown) => process.send?.(message) ?? false, certificates)
}
