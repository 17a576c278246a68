/**
 * A server under load, in a process of its own: the local gateway, or with `bare` a server of Node's that answers
 * nothing but a fixed payment. It says its address, and, when asked, how much memory it keeps.
 */
import { Effect } from "effect"
import { LocalGateway } from "effect-gopay/local-gateway"
import { createServer } from "node:http"

const heapAfterCollection = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

process.on("message", () => process.send?.({ heap: heapAfterCollection() }))
process.on("disconnect", () => process.exit())

if (process.argv.includes("bare")) {
  const answer = JSON.stringify({ id: 3_000_000_003, state: "PAID", amount: 10_000, currency: "CZK" })
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("Content-Type", "application/json")
      response.end(answer)
    })
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    process.send?.({ url: `http://127.0.0.1:${port}`, credentials: "" })
  })
} else {
  const announced = Effect.gen(function* () {
    const { merchant, url } = yield* LocalGateway
    const credentials = btoa(`${merchant.clientId}:${merchant.clientSecret}`)
    process.send?.({ url, credentials, goid: merchant.goid })
    return yield* Effect.never
  })
  Effect.runFork(Effect.provide(announced, LocalGateway.layerServer()))
}
