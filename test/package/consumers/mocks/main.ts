/**
 * What tests and proxies do to redirect traffic, on Node.js: no request passes them by. Each time a real gateway
 * listens at the client's configured address, and counts the requests.
 */
import { spawn } from "node:child_process"
import { Agent } from "node:http"
import { connect, createServer, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { Gateway, GatewayError, refundPayment, RetryPolicy } from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"
import { createGatewayClient, type GatewayClientOptions } from "effect-gopay/promise"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { HttpsProxyAgent } from "https-proxy-agent"
import { http, HttpResponse } from "msw"
import { setupServer } from "msw/node"
import nock from "nock"
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici"
import { startGateway } from "../loopback-gateway.cjs"

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
  }
}

const merchant = { goid: 8_123_456_781, clientId: "1234567884", clientSecret: "a-secret" }
const id = 3_000_006_529
const token = { token_type: "bearer", access_token: "a-token", expires_in: 1800 }
const finished = { id, result: "FINISHED" }

const resultOf = (refund: Promise<{ readonly result: string }>): Promise<string> =>
  refund.then(
    ({ result }) => result,
    (error: unknown) => (error instanceof GatewayError ? error.reason._tag : String(error))
  )

type Refund = (environment: string) => Promise<string>

const overPromises =
  (options: Partial<GatewayClientOptions> = {}): Refund =>
  async (environment) => {
    const gateway = createGatewayClient({ ...merchant, environment, allowInsecure: true, retry: false, ...options })
    const result = await resultOf(gateway.refundPayment(id, { amount: 5_000 }, { timeout: 2_000 }))
    await gateway.close()
    return result
  }

const overSockets: Refund = (environment) =>
  resultOf(
    refundPayment(id, { amount: 5_000 }).pipe(
      Effect.provide(
        Gateway.layer({
          ...merchant,
          clientSecret: Redacted.make(merchant.clientSecret),
          environment,
          allowInsecure: true
        })
      ),
      Effect.provide(NodeHttpClient.layer),
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provide(Logger.layer([])),
      Effect.runPromise
    )
  )

const styles: Readonly<Record<string, Refund>> = {
  "promise client": overPromises(),
  "promise client with agent": overPromises({ agent: new Agent({ keepAlive: true }) }),
  program: overSockets
}

/** Refunds in all styles, beside a gateway that is not to hear of it. */
const passingBy = async (
  what: string,
  prepare: (environment: string) => void,
  expected: (result: string) => boolean,
  wanted: ReadonlyArray<string> = Object.keys(styles)
): Promise<void> => {
  for (const style of wanted) {
    const { sentOver, stop, url } = await startGateway()
    prepare(url)
    const result = (await styles[style]?.(url)) ?? "no such style"
    if (!expected(result)) throw new Error(`${what}, ${style}: ${result}`)
    expect(`${what}, ${style}: what reached the gateway`, [...sentOver], [])
    await stop()
  }
}

const isFinished = (result: string): boolean => result === "FINISHED"
const isFailure = (result: string): boolean => /^(GatewayUnavailable|OutcomeUnknown)$/.test(result)

const proxied = async (): Promise<void> => {
  const sockets = new Set<Socket>()
  let isOpen = true
  let asked = 0
  const proxy = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("data", (data) => {
      asked++
      const [, host = "", port = ""] = /^CONNECT ([^:]+):(\d+)/.exec(data.toString()) ?? []
      if (!isOpen || host === "") return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")
      const target = connect(Number(port), host, () => socket.write("HTTP/1.1 200 OK\r\n\r\n"))
      target.on("error", () => {})
      sockets.add(target)
      socket.pipe(target).pipe(socket)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const address = proxy.address()
  const proxyUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const { changes, sentOver, stop, url } = await startGateway()
  const refund = overPromises({ agent: new HttpsProxyAgent(proxyUrl) })
  expect("a refund through a proxy", await refund(url), "OperationRefused")
  expect("what went through the proxy", asked, 2)
  isOpen = false
  expect("a refund through a proxy that refuses", await refund(url), "GatewayUnavailable")
  expect("what sends through a proxy", [...sentOver], ["sockets"])
  await stop()

  // Node.js knows it from 24.5 (and 22.21) on; before, it does without a proxy, as its fetch does. It reaches no gateway on
  // this machine.
  const direct = await startGateway()
  const isFrom = (version: string): boolean =>
    process.versions.node.localeCompare(version, "en", { numeric: true }) >= 0
  const knows = isFrom("24.5.0") || (isFrom("22.21.0") && !isFrom("23.0.0"))
  isOpen = true
  for (const [environment, isProxied] of [
    [direct.url, false],
    ["http://gateway.invalid", knows]
  ] as const) {
    const before = asked
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), environment], {
      env: { ...process.env, NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxyUrl, NO_PROXY: "" },
      stdio: "inherit"
    })
    const code = await new Promise((resolve) => child.once("close", resolve))
    expect(`the process with a proxy in its environment, at ${environment}`, code, 0)
    expect(`whether the proxy of the environment was asked for ${environment}`, asked > before, isProxied)
  }
  expect("what was lost on the way", changes, [])
  await direct.stop()
  for (const socket of sockets) socket.destroy()
  proxy.close()
}

const [, , environment] = process.argv
if (environment !== undefined) {
  // What it lets through would go over agents of its own.
  nock.restore()
  for (const [style, refund] of Object.entries(styles)) {
    if (style.includes("agent")) continue
    const result = await refund(environment)
    if (!/^(OperationRefused|GatewayUnavailable|OutcomeUnknown)$/.test(result)) throw new Error(`${style}: ${result}`)
  }
  process.exit(0)
}

nock.disableNetConnect()
await passingBy("nock without an answer", () => {}, isFailure)
await passingBy(
  "nock",
  (url) =>
    void nock(url)
      .post("/api/oauth2/token")
      .reply(200, token)
      .post(`/api/payments/payment/${id}/refund`, "amount=5000")
      .reply(200, finished),
  isFinished
)
nock.restore()
nock.enableNetConnect()

const msw = setupServer(
  http.post("*/api/oauth2/token", () => HttpResponse.json(token)),
  http.post(`*/api/payments/payment/${id}/refund`, async ({ request }) =>
    HttpResponse.json((await request.text()) === "amount=5000" ? finished : {})
  )
)
msw.listen({ onUnhandledRequest: "error" })
await passingBy("msw", () => {}, isFinished)
msw.close()

const dispatcher = getGlobalDispatcher()
const mock = new MockAgent()
mock.disableNetConnect()
setGlobalDispatcher(mock)
await passingBy("undici's MockAgent without an answer", () => {}, isFailure, ["promise client"])
await passingBy(
  "undici's MockAgent",
  (url) => {
    const pool = mock.get(url)
    const headers = { "content-type": "application/json" }
    pool.intercept({ path: "/api/oauth2/token", method: "POST" }).reply(200, token, { headers })
    pool
      .intercept({ path: `/api/payments/payment/${id}/refund`, method: "POST", body: () => true })
      .reply(200, finished, { headers })
  },
  isFinished,
  ["promise client"]
)
setGlobalDispatcher(dispatcher)

const { fetch } = globalThis
globalThis.fetch = async (input) => Response.json(String(input).endsWith("/oauth2/token") ? token : finished)
await passingBy("a replaced fetch", () => {}, isFinished, ["promise client"])
globalThis.fetch = fetch

await proxied()

console.log("mocks: nothing passes nock, msw, undici's MockAgent, a replaced fetch or a proxy by")
