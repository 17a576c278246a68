/**
 * Sustained load on the local gateway: `npm run bench -- load`. Fifty connections call it without a pause, then a bare
 * server of Node's in the same way; the figure is the ratio between the two. It fails when a call fails, or when memory
 * grows.
 *
 * The first argument is the number of requests (default: 60 000).
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { caller, connections, expectStatus, mixedCalls, rateOf } from "./callers.js"

const requests = Number(process.argv[2] ?? 60_000)

const starting = (...options: ReadonlyArray<string>) => {
  const server = fork(new URL("./gateway.ts", import.meta.url), options, {
    execArgv: ["--import", "tsx", "--expose-gc"]
  })
  const told = async () => (await once(server, "message"))[0]
  return { server, told }
}

const loadGateway = async () => {
  const { server, told } = starting()
  const { credentials, goid, url } = await told()
  const { call, close } = caller(url)
  const heap = async (): Promise<number> => {
    server.send("heap")
    return (await told()).heap
  }
  const mixed = await mixedCalls(call, credentials, goid)
  // The log of requests is full after two thousand, so that what is kept does not grow any more.
  await rateOf(Math.max(5_000, requests / 10), mixed)
  const before = await heap()
  const rate = await rateOf(requests, mixed)
  const after = await heap()
  close()
  server.disconnect()
  return { rate, grown: after - before, heap: after }
}

const loadBareServer = async () => {
  const { server, told } = starting("bare")
  const { url } = await told()
  const { call, close } = caller(url)
  const once = async (): Promise<void> => {
    expectStatus(await call("GET", "/", { authorization: "Bearer token" }), 200)
  }
  await rateOf(requests / 10, once)
  const rate = await rateOf(requests, once)
  close()
  server.disconnect()
  return rate
}

const gateway = await loadGateway()
const bare = await loadBareServer()
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

console.log(`${requests} requests over ${connections} connections, no error`)
console.log(`local gateway / bare server, requests per second: ${(gateway.rate / bare).toFixed(2)}`)
console.log(`memory: ${megabytes(gateway.heap)}, grown by ${megabytes(gateway.grown)} under load`)
if (gateway.grown > 4 * 2 ** 20) throw new Error("Memory grows under load.")
