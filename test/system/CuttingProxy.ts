/**
 * A proxy before a PostgreSQL that cuts the connection when the response to a chosen statement comes back: it was
 * carried out, and whoever asked does not learn it.
 */
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

export const startCuttingProxy = async (url: string) => {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let cutAt: RegExp | undefined
  let cuts = 0
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    let isCut = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        client.destroy()
        database.destroy()
      })
    }
    client.on("data", (data) => {
      if (cutAt?.test(data.toString("latin1")) === true) {
        cutAt = undefined
        isCut = true
      }
      database.write(data)
    })
    database.on("data", (data) => {
      if (!isCut) return client.write(data)
      cuts++
      client.destroy()
      return undefined
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const proxied = new URL(url)
  proxied.port = String(typeof address === "object" ? address?.port : "")
  return {
    url: String(proxied),
    /** Cuts once, after the next statement that matches. */
    cutAfter: (statement: RegExp) => {
      cutAt = statement
    },
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}
