import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import { startLocalGateway } from "../../../src/local-gateway/promise/index.js"
import { caller, mixedCalls, rateOf } from "../../bench/callers.js"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const heapAfterCollection = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

// `npm run bench -- load` does it for longer, with the gateway in a process of its own.
it("fifty connections at once get their answers, and memory does not grow", async () => {
  await using local = await startLocalGateway()
  const { clientId, clientSecret, goid } = local.merchant
  const { call, close } = caller(local.url)
  const mixed = await mixedCalls(call, btoa(`${clientId}:${clientSecret}`), goid, 100)
  // A thousand requests are remembered, and two thousand at times: after a thousand more, it is as many again.
  const thousand = async (): Promise<number> => {
    await rateOf(1_000, mixed)
    return heapAfterCollection()
  }
  const heaps = [await thousand(), await thousand(), await thousand()] as const
  close()
  expect(Math.min(heaps[1] - heaps[0], heaps[2] - heaps[1])).toBeLessThan(600_000)
})
