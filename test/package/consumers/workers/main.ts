/**
 * Cloudflare's runtime: there a fiber ends with the request that started it, and no request can be woken by another.
 */
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { build } from "esbuild"
import { Miniflare } from "miniflare"
import { startGateway } from "../loopback-gateway.cjs"

const dates = ["2024-09-23", "2025-05-05"]

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
  }
}

/** How often each came. */
const tally = (values: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const scriptOf = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers"],
    format: "esm",
    write: false
  })
  const [script] = outputFiles
  if (script === undefined) throw new Error("nothing was built")
  return script.text
}
const script = await scriptOf("worker.js")
const gatewayScript = await scriptOf("gateway.js")

let tokenRequests = 0
const local = await startLocalGateway({
  onRequest: (request) => {
    if (request.operation === "getAccessToken") tokenRequests++
  }
})
const { clientId, clientSecret, environment, goid } = local.merchant
const merchant = { goid, clientId, clientSecret, environment }
const shop = createGatewayClient(merchant)
const { id } = await shop.createPayment({
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
})
await shop.close()

const loopback = await startGateway()

const countTokens = (): number => {
  const count = tokenRequests
  tokenRequests = 0
  return count
}

const slowTokens = (milliseconds: number) =>
  local.armFault({ type: "latency", milliseconds }, { operation: "getAccessToken" })

/** A Worker in an isolate of its own. */
const start = async (compatibilityDate: string) => {
  const worker = new Miniflare({
    bindings: { merchant, misdirected: loopback.url },
    compatibilityDate,
    kvNamespaces: ["tokens"],
    modules: true,
    script
  })
  await worker.ready
  countTokens()
  const ask = async (path: string): Promise<string> => {
    const response = await worker.dispatchFetch(`http://worker.example${path}`)
    return response.status === 200 ? response.text() : `status ${response.status}: ${await response.text()}`
  }
  const get = (client: string) => ask(`/?client=${client}&id=${id}`)
  return {
    ask,
    get,
    abandon: (client: string) => ask(`/abandon?client=${client}&id=${id}`),
    together: async (count: number, one: () => Promise<string>) =>
      tally(await Promise.all(Array.from({ length: count }, one))),
    forward: (seconds: number) => ask(`/forward?ms=${seconds * 1000}`),
    stop: () => worker.dispose()
  }
}

const nearTheEnd = 1_750
const pastTheEnd = 1_900

try {
  for (const compatibilityDate of dates) {
    const worker = new Miniflare({ compatibilityDate, modules: true, script: gatewayScript })
    const response = await worker.dispatchFetch("http://worker.example/")
    expect(`${compatibilityDate}: the contract of client and local gateway`, await response.text(), "kept")
    await worker.dispose()
  }

  for (const date of dates) {
    for (const client of ["alone", "kept", "effect", "sharing"]) {
      const { ask, forward, get, stop, together } = await start(date)
      const what = (that: string) => `${date}, ${client}: ${that}`
      await slowTokens(200)
      expect(what("cold calls"), await together(20, () => get(client)), { CREATED: 20 })
      expect(what("their token requests"), countTokens(), 1)

      await forward(nearTheEnd)
      expect(what("a call while idle, when the token is due"), await get(client), "CREATED")
      await forward(pastTheEnd)
      expect(what("calls past the token's end"), await together(5, () => get(client)), { CREATED: 5 })

      await forward(nearTheEnd)
      await slowTokens(300)
      expect(what("calls while the token is refreshed"), await together(20, () => get(client)), { CREATED: 20 })
      await forward(pastTheEnd)
      expect(what("calls after that"), await together(20, () => get(client)), { CREATED: 20 })
      expect(what("what is unknown"), await ask("/?client=no one"), "status 404: ")
      await stop()
    }

    {
      const { abandon, ask, get, stop, together } = await start(date)
      await slowTokens(500)
      await abandon("alone")
      expect(`${date}: calls after one that left`, await together(20, () => get("alone")), { CREATED: 20 })
      const requests = countTokens()
      expect(`${date}: their token requests: one, and the one that was left`, requests <= 2, true)
      await slowTokens(60_000)
      await abandon("kept")
      await local.disarmFaults()
      expect(`${date}: closing while requests have died`, await ask("/close"), "closed")
      await stop()
    }

    {
      const { forward, get, stop, together } = await start(date)
      await get("alone")
      for (let refresh = 0; refresh < 200; refresh++) {
        await forward(refresh % 2 === 0 ? nearTheEnd : pastTheEnd)
        expect(`${date}: refresh ${refresh}`, await together(3, () => get("alone")), { CREATED: 3 })
      }
      expect(`${date}: token requests of 200 refreshes`, countTokens(), 201)
      await stop()
    }

    {
      const { ask, stop } = await start(date)
      const outcomes: Array<string> = []
      const before = loopback.changes.length
      for (let refund = 0; refund < 10; refund++) outcomes.push(await ask("/misdirected"))
      expect(`${date}: refunds with status 421`, tally(outcomes), { OutcomeUnknown: 10 })
      expect(`${date}: how often they were sent`, loopback.changes.length - before, 10)
      await stop()
    }

    {
      const { ask, stop, together } = await start(date)
      const notify = () => ask(`/notify?id=${id}`)
      expect(`${date}: notifications at once`, await together(20, notify), { "": 20 })
      const told = Number(await ask("/told"))
      expect(`${date}: the shop is told, not twenty times`, told >= 1 && told <= 3, true)
      await stop()
    }
  }
} finally {
  await loopback.stop()
  await local.close()
}

console.log(
  "workers: the local gateway; cold, due, abandoned and two hundred times refreshed tokens, notifications and status 421, in two runtimes"
)
