/**
 * One contender of the benchmark, in a process of its own. It makes the given number of calls, one after the other, and
 * reports how long they took and how much CPU time.
 */
import http from "node:http"
import { createRequire } from "node:module"
import type { Socket } from "node:net"
import { Duration, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { execute, type HttpClient } from "effect/http/HttpClient"
import { Otlp } from "effect/observability"
import { Gateway, getPayment, refundPayment } from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"
import { createGatewayClient, type GatewayClientOptions } from "effect-gopay/promise"
import { version } from "../../src/package/Version.js"
import { fetchOnce } from "../../src/client/transport/FetchSender.js"
import { socketSender } from "../../src/client/transport/SocketSender.js"
import { overSender } from "../../src/client/transport/Transport.js"
import type { TransportRequest, TransportResponse } from "../../src/client/transport/Sender.js"

// tsx turns them on, and each stack trace that a contender takes for itself then costs it far more than where it is used.
process.setSourceMapsEnabled(false)

const [, , name = "", url = ""] = process.argv

const id = 3090060402
const merchant = { goid: 8123456781, clientId: "1234567890", environment: url }

const headers = {
  accept: "application/json",
  "accept-language": "en-US",
  "user-agent": `effect-gopay/${version}`,
  authorization: "Bearer token"
}
const form = { ...headers, "content-type": "application/x-www-form-urlencoded" }
const limits = { time: 30_000, bytes: 8_388_608 }
const paymentUrl = `${url}/api/payments/payment/${id}`

/** What a contender is to do. */
interface Measured {
  readonly operation: keyof Contender
  readonly times: number
  readonly width: number
}

/** Makes the given number of calls of either kind, at the given concurrency. */
export interface Contender {
  readonly getPayment?: (times: number, width: number) => Promise<unknown>
  readonly refundPayment?: (times: number, width: number) => Promise<unknown>
}

const each = (call: () => Promise<unknown>) => (times: number, width: number) => {
  let left = times
  const caller = async () => {
    while (left-- > 0) await call()
  }
  return Promise.all(Array.from({ length: width }, caller))
}

const manyTimes = <E, R>(program: Effect.Effect<unknown, E, R>, times: number, width: number) => {
  let left = times
  const caller = Effect.gen(function* () {
    while (left-- > 0) yield* program
  })
  return Effect.all(
    Array.from({ length: width }, () => caller),
    { concurrency: width, discard: true }
  )
}

const plainFetch = (signal?: () => RequestInit): Contender => ({
  getPayment: each(async () =>
    JSON.parse(await (await fetch(paymentUrl, { headers, redirect: "manual", ...signal?.() })).text())
  ),
  refundPayment: each(async () => {
    const init = { method: "POST", headers: form, body: "amount=5000", redirect: "manual" } as const
    return JSON.parse(await (await fetch(`${paymentUrl}/refund`, { ...init, ...signal?.() })).text())
  })
})

const bareHttp = (): Contender => {
  const agent = new http.Agent({ keepAlive: true })
  const send = (path: string, options: http.RequestOptions, body?: string) =>
    new Promise((resolve, reject) => {
      const request = http.request(path, { agent, ...options }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk) => (text += chunk))
        response.on("end", () => resolve(JSON.parse(text)))
      })
      request.on("error", reject)
      request.end(body)
    })
  return {
    getPayment: each(() => send(paymentUrl, { headers })),
    refundPayment: each(() => send(`${paymentUrl}/refund`, { method: "POST", headers: form }, "amount=5000"))
  }
}

/**
 * The least that a client by hand can be with the same promises: a time limit, a limit of the body, a change that is handed
 * over only where the connection has not ended, members that a response has itself.
 */
const byHand = (): Contender => {
  const agent = new http.Agent({ keepAlive: true })
  const decoder = new TextDecoder()
  const bytesRead = new WeakMap<Socket, number>()
  const { hostname, port } = new URL(url)
  const send = (path: string, given: http.RequestOptions, body?: string) =>
    new Promise((resolve, reject) => {
      let isOver = false
      const fail = (error: unknown): void => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        request.destroy()
        reject(error)
      }
      const timer = setTimeout(() => fail(new Error("timeout")), 30_000)
      const request = http.request({ hostname, port, path, agent, ...given })
      request.on("error", fail)
      request.on("socket", (socket) => {
        const handOver = (): void => {
          const before = bytesRead.get(socket) ?? socket.bytesRead
          if (!socket.writable || socket.readableLength > 0 || socket.bytesRead !== before) fail(new Error("ended"))
          else request.end(body)
        }
        if (socket.connecting) socket.once("connect", handOver)
        else if (body === undefined) handOver()
        else setImmediate(() => setImmediate(handOver))
      })
      request.on("response", (response) => {
        const chunks: Array<Uint8Array> = []
        let length = 0
        response.on("error", fail)
        response.on("data", (chunk: Uint8Array) => {
          length += chunk.length
          if (length > limits.bytes) fail(new Error("too long"))
          else chunks.push(chunk)
        })
        response.on("end", () => {
          isOver = true
          clearTimeout(timer)
          if (request.socket !== null) bytesRead.set(request.socket, request.socket.bytesRead)
          const value: object = JSON.parse(decoder.decode(Buffer.concat(chunks)))
          const isUsable = Object.hasOwn(value, "id") && Reflect.get(value, "id") === id && response.statusCode === 200
          process.nextTick(isUsable ? resolve : reject, value)
        })
      })
    })
  const path = new URL(paymentUrl).pathname
  return {
    getPayment: each(() => send(path, { headers })),
    refundPayment: each(() => send(`${path}/refund`, { method: "POST", headers: form }, "amount=5000"))
  }
}

/**
 * The floors of the Promise client: its sockets with nothing around them, and the least that a program of Effect's around
 * them can be.
 */
const sockets = (transport: (request: TransportRequest) => Promise<TransportResponse>): Contender => {
  const text = new TextDecoder()
  const json = async (request: TransportRequest): Promise<unknown> =>
    JSON.parse(text.decode((await transport(request)).data))
  const read = { url: paymentUrl, method: "GET", headers, body: undefined, isChange: false } as const
  const change = {
    url: `${paymentUrl}/refund`,
    method: "POST",
    headers: form,
    body: "amount=5000",
    isChange: true
  } as const
  return { getPayment: each(() => json(read)), refundPayment: each(() => json(change)) }
}
const sender = socketSender(undefined)
const bareSockets = (request: TransportRequest): Promise<TransportResponse> =>
  new Promise((resolve, reject) => {
    sender.send(request, limits, (outcome) => ("_tag" in outcome ? reject(outcome) : resolve(outcome)))
  })
const program = overSender(sender)
const socketsByEffect = (request: TransportRequest): Promise<TransportResponse> =>
  Effect.runPromise(program(request, { time: Duration.millis(limits.time), bytes: limits.bytes }))

const promises = (options: Partial<GatewayClientOptions> = {}): Contender => {
  const gateway = createGatewayClient({ ...merchant, clientSecret: "secret", ...options })
  return {
    getPayment: each(() => gateway.getPayment(id)),
    refundPayment: each(() => gateway.refundPayment(id, { amount: 5_000 }))
  }
}

const programs = (transport: Layer.Layer<HttpClient, unknown>, others: Layer.Layer<never> = Layer.empty): Contender => {
  const layer = Layer.provide(Gateway.layer({ ...merchant, clientSecret: Redacted.make("secret") }), transport)
  const { runPromise } = ManagedRuntime.make(Layer.merge(layer, others))
  const repeated =
    <A, E>(program: Effect.Effect<A, E, Gateway>) =>
    (times: number, width: number) =>
      runPromise(manyTimes(program, times, width))
  return { getPayment: repeated(getPayment(id)), refundPayment: repeated(refundPayment(id, { amount: 5_000 })) }
}

/** The floor of a program over Effect's client: nothing but that client, and a change that `fetch` cannot send twice. */
const fetchClient = (): Contender => {
  const { runPromise } = ManagedRuntime.make(FetchHttpClient.layer)
  const json = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.flatMap(execute(request), (response) => response.json)
  const read = json(HttpClientRequest.get(paymentUrl, { headers }))
  const change = HttpClientRequest.post(`${paymentUrl}/refund`, { headers: form }).pipe(
    HttpClientRequest.bodyText("amount=5000", form["content-type"]),
    json,
    Effect.updateService(FetchHttpClient.Fetch, fetchOnce)
  )
  const repeated =
    <E>(program: Effect.Effect<unknown, E, HttpClient>) =>
    (times: number, width: number) =>
      runPromise(manyTimes(program, times, width))
  return { getPayment: repeated(read), refundPayment: repeated(change) }
}

const telemetry = Otlp.layerJson({
  baseUrl: url,
  resource: { serviceName: "bench" },
  metricsExportInterval: "1 second"
})

/** Packages that the benchmark alone needs. */
const other = createRequire(new URL("contenders/package.json", import.meta.url))

const contenders: { readonly [name: string]: () => Contender | Promise<Contender> } = {
  "plain fetch": () => plainFetch(),
  "plain fetch with a time limit": () => plainFetch(() => ({ signal: AbortSignal.timeout(30_000) })),
  "bare node:http": bareHttp,
  "a minimal client by hand": byHand,
  "the promise client's sockets alone": () => sockets(bareSockets),
  "the same, run by Effect": () => sockets(socketsByEffect),
  "promise client": () => promises(),
  "promise client with observer": () => promises({ observer: () => {} }),
  "promise client over fetch": () => promises({ fetch: (input, init) => fetch(input, init) }),
  "program over NodeHttpClient": () => programs(NodeHttpClient.layer),
  "FetchHttpClient alone": fetchClient,
  "program over FetchHttpClient": () => programs(FetchHttpClient.layer),
  "program over Effect's layerUndici": async () => {
    const { layerUndici } = await import(other.resolve("@effect/platform-node/NodeHttpClient"))
    return programs(layerUndici)
  },
  "program over NodeHttpClient, exporting spans and metrics": () =>
    programs(NodeHttpClient.layer, Layer.provide(telemetry, FetchHttpClient.layer)),
  "stripe-node": () => {
    const Stripe = other("stripe")
    const { hostname, port } = new URL(url)
    const options = { host: hostname, port, protocol: "http", telemetry: false, maxNetworkRetries: 0 }
    const stripe = new Stripe("sk_test_1", options)
    return {
      getPayment: each(() => stripe.paymentIntents.retrieve(String(id))),
      refundPayment: each(() => stripe.refunds.create({ payment_intent: String(id), amount: 5_000 }))
    }
  },
  "gopay-nodejs": () => {
    const { GoPay } = other("gopay-nodejs")
    const gopay = Object.assign(new GoPay("1234567890", "secret"), { apiUrl: `${url}/api` })
    return {
      getPayment: each(() => gopay.getStatus(id)),
      refundPayment: each(() => gopay.refundPayment(id, 5_000))
    }
  }
}

export const names = Object.keys(contenders)

if (process.send !== undefined) {
  const make = contenders[name]
  if (make === undefined) throw new Error(`There is no contender ${name}.`)
  const contender = await make()
  process.on("message", ({ operation, times, width }: Measured) => {
    const started = performance.now()
    const used = process.cpuUsage()
    void contender[operation]?.(times, width).then(() => {
      const { system, user } = process.cpuUsage(used)
      process.send?.({ wall: ((performance.now() - started) * 1000) / times, cpu: (system + user) / times })
    })
  })
  process.on("disconnect", () => process.exit())
  process.send({ isReady: true })
}
