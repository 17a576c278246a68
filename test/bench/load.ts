/**
 * Sustained load on the local gateway: `npm run bench:load`. Fifty connections call it without a pause, then a bare server
 * of Node's in the same way; the figure is the ratio between the two. It fails when a call fails, or when memory grows.
 *
 * The first argument is the number of requests (default: 60 000).
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"

const connections = 50
const requests = Number(process.argv[2] ?? 60_000)

interface Answer {
  readonly status: number
  readonly body: string
}

const starting = (...options: ReadonlyArray<string>) => {
  const server = fork(new URL("./gateway.ts", import.meta.url), options, {
    execArgv: ["--import", "tsx", "--expose-gc"]
  })
  const told = async () => (await once(server, "message"))[0]
  return { server, told }
}

const caller = (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call = (method: string, path: string, headers: Record<string, string> = {}, body = "") =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk) => (text += chunk))
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }))
        response.on("error", reject)
      })
      sent.on("error", reject)
      sent.end(body)
    })
  return { call, close: () => agent.destroy() }
}

/** Fifty callers share the requests; each waits for its answer. Gives the requests per second. */
const rateOf = async (count: number, once: (index: number) => Promise<void>): Promise<number> => {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) await once(next++)
    })
  )
  return (count * 1000) / (performance.now() - started)
}

const expectStatus = ({ body, status }: Answer, expected: number): string => {
  if (status !== expected) throw new Error(`Status ${status} in place of ${expected}: ${body}`)
  return body
}

const loadGateway = async () => {
  const { server, told } = starting()
  const { credentials, goid, url } = await told()
  const { call, close } = caller(url)
  const heap = async (): Promise<number> => {
    server.send("heap")
    return (await told()).heap
  }
  const token: { readonly access_token: string } = JSON.parse(
    expectStatus(
      await call(
        "POST",
        "/api/oauth2/token",
        { authorization: `Basic ${credentials}` },
        "grant_type=client_credentials"
      ),
      200
    )
  )
  const authorization = `Bearer ${token.access_token}`
  const order = JSON.stringify({
    amount: 10_000,
    currency: "CZK",
    order_number: "load",
    target: { type: "ACCOUNT", goid },
    callback: { return_url: "http://localhost/return" }
  })
  const ids: Array<number> = []
  for (let index = 0; index < 500; index++) {
    const created = expectStatus(await call("POST", "/api/payments/payment", { authorization }, order), 200)
    ids.push(JSON.parse(created).id)
  }
  const mixed = async (index: number): Promise<void> => {
    const id = ids[index % ids.length]
    switch (index % 5) {
      case 0:
        expectStatus(await call("POST", `/api/payments/payment/${id}/refund`, { authorization }, "amount=1"), 409)
        return
      case 1:
        expectStatus(await call("GET", "/api/payments/payment/1", { authorization }), 404)
        return
      default:
        expectStatus(await call("GET", `/api/payments/payment/${id}`, { authorization }), 200)
    }
  }
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
