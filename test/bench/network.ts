/**
 * What a payer waits for: `npm run bench -- network`. A gateway over TLS, behind a proxy that delays every byte so that a
 * round trip takes 40 ms; figures are round trips.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type http from "node:http"
import https from "node:https"
import { createRequire } from "node:module"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { Gateway, getPayment } from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"
import { createGatewayClient } from "effect-gopay/promise"
import { selfSignedCertificate } from "../support/SelfSignedCertificate.js"

const roundTrip = 40
const rounds = Number(process.argv[2] ?? 3)
const idleSeconds = 6
const id = 3090060402

if (process.env["TRUSTED"] === undefined) {
  // Node.js reads the certificates to trust when it starts.
  const certificate = selfSignedCertificate()
  const folder = mkdtempSync(join(tmpdir(), "effect-gopay-"))
  const file = join(folder, "certificate.pem")
  writeFileSync(file, certificate.cert)
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: file, TRUSTED: JSON.stringify(certificate) }
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const { status } = spawnSync(process.execPath, args, { env, stdio: "inherit" })
  rmSync(folder, { recursive: true })
  process.exit(status ?? 1)
}

let connections = 0
let lifetime = 1_800

const listening = (server: {
  listen: (port: number, host: string, done: () => void) => unknown
  address: () => unknown
}) =>
  new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(Number(Reflect.get(Object(server.address()), "port"))))
  )

const startGateway = (hints: boolean) => {
  const server = https.createServer(JSON.parse(process.env["TRUSTED"] ?? "{}"), (request, response) => {
    request.resume().once("end", () => {
      const isToken = request.url?.endsWith("/token") === true
      const answer = isToken
        ? { token_type: "bearer", access_token: "a-token", expires_in: lifetime }
        : { id, order_number: "1", state: "PAID", amount: 1, currency: "CZK", target: { type: "ACCOUNT", goid: 1 } }
      const body = JSON.stringify(answer)
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
    })
  })
  server.keepAliveTimeout = 60_000
  // A `connection` header of the server's own replaces that of Node's, which has the keep-alive hint.
  if (!hints) server.on("request", (_, response: http.ServerResponse) => response.setHeader("connection", "keep-alive"))
  return server
}

/** Hands bytes on half a round trip later, in order. */
const delayed = (from: Socket, to: Socket): void => {
  from.on("data", (data) => setTimeout(() => to.write(data), roundTrip / 2))
  from.on("end", () => setTimeout(() => to.end(), roundTrip / 2))
  from.on("error", () => to.destroy())
}

const startProxy = async (target: number) => {
  const proxy = createServer((socket) => {
    connections++
    socket.pause()
    const server = connect(target, "127.0.0.1")
    // The round trip of TCP's own handshake, which is over by now on this machine.
    setTimeout(() => {
      delayed(socket, server)
      delayed(server, socket)
      socket.resume()
    }, roundTrip)
  })
  return listening(proxy)
}

interface Caller {
  readonly call: () => Promise<unknown>
  readonly warm?: () => Promise<unknown>
  readonly close: () => Promise<unknown>
}

const other = createRequire(new URL("contenders/package.json", import.meta.url))

const programs =
  (transport: typeof NodeHttpClient.layer) =>
  (environment: string): Caller => {
    const merchant = { goid: 1, clientId: "1", clientSecret: Redacted.make("secret"), environment }
    const runtime = ManagedRuntime.make(Layer.provide(Gateway.layer(merchant), transport))
    return {
      call: () => runtime.runPromise(getPayment(id)),
      warm: () => runtime.runPromise(Effect.asVoid(Gateway.use((gateway) => gateway.warm))),
      close: () => runtime.dispose()
    }
  }

const contenders: { readonly [name: string]: (environment: string) => Caller } = {
  "promise client": (environment) => {
    const client = createGatewayClient({ goid: 1, clientId: "1", clientSecret: "secret", environment })
    return { call: () => client.getPayment(id), warm: () => client.warm(), close: client.close }
  },
  "program over NodeHttpClient": programs(NodeHttpClient.layer),
  "program over FetchHttpClient": programs(FetchHttpClient.layer),
  "hand-written fetch, a token kept": (environment) => {
    let token: { readonly access_token: string } | undefined
    return {
      call: async () => {
        const post = { method: "POST", body: new URLSearchParams({ grant_type: "client_credentials" }) }
        token ??= JSON.parse(await (await fetch(`${environment}/api/oauth2/token`, post)).text())
        const headers = { authorization: `Bearer ${token?.access_token}` }
        return (await fetch(`${environment}/api/payments/payment/${id}`, { headers })).text()
      },
      close: async () => {}
    }
  },
  "gopay-nodejs": (environment) => {
    const { GoPay } = other("gopay-nodejs")
    const gopay = Object.assign(new GoPay("1", "secret"), { apiUrl: `${environment}/api` })
    return { call: () => gopay.getStatus(id), close: async () => {} }
  }
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

const trips = async (call: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await call()
  return (performance.now() - started) / roundTrip
}

const median = (values: ReadonlyArray<number>): number =>
  Array.from(values).sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const gateways = { hinting: await listening(startGateway(true)), silent: await listening(startGateway(false)) }

/** Makes a caller of a gateway at an address of its own, to which no one has a connection yet. */
const meet = async (make: (environment: string) => Caller, gateway: keyof typeof gateways = "hinting") =>
  make(`https://localhost:${await startProxy(gateways[gateway])}`)

/** How many round trips a call takes after `prepare` has run. */
const after = async (caller: Caller, prepare: () => Promise<unknown> = async () => {}): Promise<number> => {
  await prepare()
  const taken = await trips(caller.call)
  await caller.close()
  return taken
}

const measures: { readonly [name: string]: (make: (environment: string) => Caller) => Promise<number> } = {
  "first call": async (make) => after(await meet(make)),
  "connections for it": async (make) => {
    const before = connections
    await after(await meet(make))
    return connections - before
  },
  "first call, warmed": async (make) => {
    const caller = await meet(make)
    const { warm } = caller
    return warm === undefined ? Number.NaN : after(caller, warm)
  },
  "next call, at once": async (make) => {
    const caller = await meet(make)
    return after(caller, caller.call)
  },
  [`after ${idleSeconds} s`]: async (make) => {
    const caller = await meet(make)
    return after(caller, async () => {
      await caller.call()
      await pause(idleSeconds * 1_000)
    })
  },
  [`after ${idleSeconds} s, no Keep-Alive header`]: async (make) => {
    const caller = await meet(make, "silent")
    return after(caller, async () => {
      await caller.call()
      await pause(idleSeconds * 1_000)
    })
  },
  "past the token's end": async (make) => {
    const caller = await meet(make)
    lifetime = 1
    return after(caller, async () => {
      await caller.call()
      await pause(1_500)
    })
  },
  "past it, kept warm": async (make) => {
    const caller = await meet(make)
    const { warm } = caller
    if (warm === undefined) return Number.NaN
    lifetime = 1
    return after(caller, async () => {
      await caller.call()
      await pause(1_500)
      lifetime = 1_800
      await warm()
    })
  }
}

console.log(`round trips of ${roundTrip} ms over TLS, median of ${rounds}\n`)
console.log(`| | ${Object.keys(measures).join(" | ")} |`)
console.log(`| --- ${"| --- ".repeat(Object.keys(measures).length)}|`)
for (const [name, make] of Object.entries(contenders)) {
  const medians: Array<string> = []
  for (const measure of Object.values(measures)) {
    lifetime = 1_800
    const values: Array<number> = []
    for (let round = 0; round < rounds; round++) values.push(await measure(make))
    medians.push(Number.isNaN(median(values)) ? "" : median(values).toFixed(1))
  }
  console.log(`| ${[name, ...medians].join(" | ")} |`)
}
process.exit(0)
