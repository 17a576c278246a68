/**
 * Serves the shop of `shop.ts` with `node:http`.
 */
import { createServer } from "node:http"
import type { Shop } from "./shop.js"

/** Listens on this machine; port 0 is a free one. The shop is opened when its address is known. */
export const serveShop = async (port: number, openShop: (url: string) => Promise<Shop>) => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve)
  })
  const listening = server.address()
  const url = `http://127.0.0.1:${typeof listening === "object" ? listening?.port : port}`
  const shop = await openShop(url)
  server.on("request", async (request, response) => {
    const reply = await shop.respond(request.method, request.url)
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
  })
  const close = async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    await shop.close()
  }
  return { url, close }
}
