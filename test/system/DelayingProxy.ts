/**
 * A proxy before the servers of the tests, for a browser. Each request and each response is late by a chance that a seed gives.
 */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { pipeline, type Duplex } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"

/** How late a request or a response is at most, in milliseconds. */
export const latest = 700

/** How late the messages of a name are, one after the other. Numbers in names count for nothing: ports and ids differ each time. */
export const latenessOf = (seed: string): ((name: string) => number) => {
  const counts = new Map<string, number>()
  return (name) => {
    const kind = name.replaceAll(/\d+/g, "0")
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    const hash = createHash("sha256").update(`${seed} ${kind} ${count}`).digest()
    return (latest * hash.readUInt32BE()) / 2 ** 32
  }
}

/** Headers that are about one connection. */
const withoutHops = ({ headers }: IncomingMessage) => {
  const { connection: _, "keep-alive": _1, "proxy-connection": _2, "transfer-encoding": _3, ...others } = headers
  return others
}

/** Every server of the tests is on this machine, whatever its name. */
const host = "127.0.0.1"

export const startDelayingProxy = async (seed: string) => {
  const lateness = latenessOf(seed)

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, port, search } = new URL(request.url ?? "", "http://none")
    const name = `${request.method} ${pathname}`
    await pause(lateness(`${name} >`))
    if (response.destroyed) return
    const options = { host, port, method: request.method, path: pathname + search, headers: withoutHops(request) }
    const upstream = send(options, async (answer) => {
      await pause(lateness(`${name} <`))
      response.writeHead(answer.statusCode ?? 502, withoutHops(answer)).flushHeaders()
      // Ends the response where the answer ends: it may have been cut off meanwhile.
      pipeline(answer, response, () => response.destroy())
    })
    upstream.on("error", () => response.destroy())
    response.on("close", () => upstream.destroy())
    request.pipe(upstream)
  }

  /** What comes over a connection of TLS is all late by the same time, each way. */
  const tunnel = (request: IncomingMessage, client: Duplex): void => {
    const port = Number(/\d+$/.exec(request.url ?? "")?.[0])
    const server: Socket = connect(port, host, () => client.write("HTTP/1.1 200 Connection Established\r\n\r\n"))
    for (const [from, to] of [
      [client, server],
      [server, client]
    ] as const) {
      const late = lateness(from === client ? "tunnel >" : "tunnel <")
      from.on("data", (chunk) => setTimeout(() => to.writable && to.write(chunk), late))
      from.on("error", () => to.destroy())
      from.on("close", () => setTimeout(() => to.destroy(), late))
    }
  }

  const proxy = createServer((request, response) => void forward(request, response)).on("connect", tunnel)
  await once(proxy.listen(0, host), "listening")
  const address = proxy.address()
  return {
    url: `http://${host}:${typeof address === "object" ? address?.port : ""}`,
    close: (): void => {
      proxy.close()
      proxy.closeAllConnections()
    }
  }
}
