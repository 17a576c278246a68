/**
 * A gateway that hands out tokens, counts them, and can take them all back.
 */
import { once } from "node:events"
import { createServer } from "node:http"

export const paymentId = 3090066980

export const startRevocableGateway = async () => {
  const handedOut: Array<string> = []
  const valid = new Set<string>()

  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    }
    request.resume().on("end", () => {
      if (request.url === "/api/oauth2/token") {
        const access_token = Buffer.alloc(80, `token ${handedOut.length + 1} `).toString("base64")
        handedOut.push(access_token)
        valid.add(access_token)
        answer(200, { token_type: "bearer", access_token, expires_in: 1800 })
      } else if (valid.has(request.headers.authorization?.replace("Bearer ", "") ?? "")) {
        answer(200, { id: paymentId, state: "PAID", amount: 10_000, currency: "CZK" })
      } else {
        answer(401, {})
      }
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port.")

  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Every token so far: one for each request for one. */
    handedOut,
    revokeAll: () => valid.clear(),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    }
  }
}
