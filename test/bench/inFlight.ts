/**
 * Many calls at once: `npm run bench -- flight`. What each takes of memory while it waits, and whether any fails.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { createGatewayClient } from "effect-gopay/promise"

const server = fork(new URL("./server.ts", import.meta.url), { execArgv: ["--import", "tsx"] })
const [{ port }] = await once(server, "message")
const merchant = { goid: 8123456781, clientId: "1", clientSecret: "secret", environment: `http://127.0.0.1:${port}` }

const heap = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

for (const count of [1_000, 10_000]) {
  const gateway = createGatewayClient(merchant)
  await gateway.warm()
  const before = heap()
  const calls = Array.from({ length: count }, () => gateway.getPayment(3090060402))
  await new Promise(setImmediate)
  const each = (heap() - before) / count / 1024
  const started = performance.now()
  const outcomes = await Promise.allSettled(calls)
  const failed = outcomes.filter(({ status }) => status === "rejected").length
  const left = (heap() - before) / 2 ** 20
  console.log(
    `${count} calls: ${each.toFixed(1)} KiB each while they wait, ${failed} failed, ` +
      `${((performance.now() - started) / 1000).toFixed(1)} s; ${left.toFixed(1)} MiB held with their results`
  )
  await gateway.close()
}
server.disconnect()
