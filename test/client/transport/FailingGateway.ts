/**
 * A gateway that can be made to fail: in a process of its own, so that it does so while its client is busy, or in this
 * one.
 *
 * One port is all that the client sees of it. Behind it is a gateway over TLS, until it is switched to something else.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { createServer as createGateway } from "node:https"
import { connect, createServer, type Server, type Socket } from "node:net"
import type { SecureContextOptions } from "node:tls"
import { fileURLToPath } from "node:url"
import { startStallingAddress } from "../../support/RawGateway.js"
import { selfSignedCertificate } from "../../support/SelfSignedCertificate.js"

/** What the gateway becomes. */
export type Behaviour =
  | "well"
  | "gone"
  | "never accepting"
  | "another, which no one vouches for"
  | "resetting handshakes"
  | "speaking plain HTTP"
  | "silent in handshakes"
  | "ending idle connections"
  | "resetting idle connections"
  | "giving up idle connections"
  | "silent on known connections"
  | "resetting after requests"
  | "resetting within requests"
  | "cutting responses"

/** Files: a client makes one when it is about to check nothing, and the gateway the other when it has done its part. */
export interface Meanwhile {
  readonly busy: string
  readonly done: string
}

export interface FailingGateway {
  readonly port: number
  /** To be trusted, in PEM. */
  readonly certificate: string
  /** To break idle connections it waits for `meanwhile`. */
  readonly become: (behaviour: Behaviour, meanwhile?: Meanwhile) => Promise<void>
  /** How many changes it has read so far. */
  readonly changes: () => Promise<number>
  readonly stop: () => void
}

/** Starts one in a process of its own. */
export const forkFailingGateway = async (): Promise<FailingGateway> => {
  const child = fork(fileURLToPath(import.meta.url), ["serve"], { execArgv: ["--import", "tsx"] })
  const told = async () => {
    const [message] = await once(child, "message")
    return message
  }
  const ask = (message: object) => {
    child.send(message)
    return told()
  }
  const { certificate, port } = await told()
  return {
    port,
    certificate,
    become: (is, meanwhile) => ask({ is, meanwhile }),
    changes: () => ask({ is: "counting" }),
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

/** Starts one in this process, which can do nothing while its client is busy. */
export const startFailingGateway = async (): Promise<FailingGateway> => {
  const good = selfSignedCertificate()
  let changes = 0
  let behaviour: Behaviour = "well"
  const sockets = new Set<Socket>()
  const secure = new Set<Socket>()

  const servers: Array<Server> = []
  const gateway = (certificate: SecureContextOptions) => {
    const server = createGateway({ ...certificate, keepAliveTimeout: 60_000 }, (request, response) => {
      const isChange = request.url?.endsWith("/refund") === true
      // Fetch may open one more connection, and does not say so: that is as silent.
      if (isChange && behaviour === "silent on known connections") return
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
    servers.push(server)
    return listening(server)
  }
  const [goodPort, badPort] = [await gateway(good), await gateway(selfSignedCertificate())]

  const front = createServer((socket) => {
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
    const behind = connect(behaviour === "another, which no one vouches for" ? badPort : goodPort, "127.0.0.1")
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
  /** Ends connections, and waits until they have. */
  const ended = async (how: () => void, meanwhile: Meanwhile | undefined) => {
    if (meanwhile === undefined) throw new Error("It is not said when.")
    const { busy, done } = meanwhile
    while (!existsSync(busy)) await new Promise((resolve) => setTimeout(resolve, 5))
    const all = [...sockets].map(
      (socket) => new Promise((resolve) => socket.once("finish", resolve).once("close", resolve))
    )
    how()
    await Promise.all(all)
    writeFileSync(done, "")
  }

  let stalling: AsyncDisposable | undefined
  const become = async (wanted: Behaviour, meanwhile?: Meanwhile) => {
    const known = [...sockets]
    behaviour = wanted
    switch (wanted) {
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
        stalling = await startStallingAddress({ port })
        return
      case "ending idle connections":
        void ended(() => known.forEach((socket) => socket.end()), meanwhile)
        return
      case "resetting idle connections":
        void ended(() => known.forEach((socket) => socket.resetAndDestroy()), meanwhile)
        return
      case "giving up idle connections":
        void ended(() => secure.forEach((socket) => socket.end(timeoutResponse)), meanwhile)
        return
      case "silent on known connections":
        known.forEach((socket) => socket.unpipe().resume())
        return
      case "another, which no one vouches for":
      case "resetting handshakes":
      case "speaking plain HTTP":
      case "silent in handshakes":
        // What comes now comes over a new connection.
        await Promise.all(known.map((socket) => new Promise<void>((resolve) => socket.end(resolve))))
        return
      default:
        return
    }
  }
  const stop = (): void => {
    for (const server of [...servers, front]) server.close()
    sockets.forEach((socket) => socket.destroy())
    void stalling?.[Symbol.asyncDispose]()
  }
  return { port, certificate: good.cert, become, changes: async () => changes, stop }
}

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

if (process.argv[2] === "serve" && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on("disconnect", () => process.exit())
  const { become, certificate, changes, port } = await startFailingGateway()
  process.on(
    "message",
    ({ is, meanwhile }: { readonly is: Behaviour | "counting"; readonly meanwhile?: Meanwhile }) => {
      void (is === "counting" ? changes() : become(is, meanwhile)).then((result) => process.send?.(result ?? "done"))
    }
  )
  process.send?.({ port, certificate })
}
