/**
 * Sees what clients can say of a refund that fails, in each way of the table, at a gateway over TLS. `tsx` runs it with
 * any Node.js; it fails when something is not as the table has it.
 */
import { spawnSync } from "node:child_process"
import dns from "node:dns"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { AttemptTimeout, Gateway, getPayment, refundPayment, RetryPolicy } from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"
import { createGatewayClient, GatewayError } from "effect-gopay/promise"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { credentials } from "../../support/Credentials.js"
import { selfSignedCertificate } from "../../support/SelfSignedCertificate.js"
import { type FailingGateway, startFailingGateway } from "./FailingGateway.js"
import { type Certainty, type Failure, failures } from "./FailureTable.js"

interface Seen {
  readonly certainty: Certainty | "sent twice" | "something else"
  readonly details: string
}

interface Client {
  readonly getPayment: () => Promise<unknown>
  readonly refundPayment: (timeout: number) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

const paymentId = 3000006542

const promises = (options: { readonly environment: string; readonly fetch?: typeof globalThis.fetch }): Client => {
  const client = createGatewayClient({ ...credentials, ...options, retry: false })
  return {
    getPayment: () => client.getPayment(paymentId),
    refundPayment: (timeout) => client.refundPayment(paymentId, { amount: 100 }, { timeout }),
    close: client.close
  }
}

const programs = (environment: string, layer: Layer.Layer<HttpClient.HttpClient>): Client => {
  const merchant = { ...credentials, clientSecret: Redacted.make(credentials.clientSecret), environment }
  const runtime = ManagedRuntime.make(
    Layer.provide(Gateway.layer(merchant), [layer, Layer.succeed(RetryPolicy, RetryPolicy.none), Logger.layer([])])
  )
  const run = async <A>(program: Effect.Effect<A, GatewayError, Gateway>): Promise<A> => {
    const exit = await runtime.runPromiseExit(program)
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }
  return {
    getPayment: () => run(getPayment(paymentId)),
    refundPayment: (timeout) =>
      run(Effect.provideService(refundPayment(paymentId, { amount: 100 }), AttemptTimeout, timeout)),
    close: () => runtime.dispose()
  }
}

/** What an application may add: then it is another client. */
const wrapped = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", "a")))
).pipe(Layer.provide(NodeHttpClient.layer))

const styles: { readonly [style: string]: (environment: string) => Client } = {
  fetch: (environment) => promises({ environment, fetch: globalThis.fetch }),
  "promise client": (environment) => promises({ environment }),
  program: (environment) => programs(environment, NodeHttpClient.layer),
  "program, wrapped": (environment) => programs(environment, wrapped)
}

/** Names are resolved here: no other machine is asked. */
let resolve: Failure["resolve"]
const lookup = (name: string, options: dns.LookupOptions, done: (...result: ReadonlyArray<unknown>) => void): void => {
  if (resolve === "nothing") {
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
      code: "ENOTFOUND",
      syscall: "getaddrinfo"
    })
    process.nextTick(done, error)
    return
  }
  // No connection is ever made to a multicast address.
  const address = resolve === "no route" ? "224.0.0.1" : "127.0.0.1"
  if (options.all === true) process.nextTick(done, null, [{ address, family: 4 }])
  else process.nextTick(done, null, address, 4)
}

const certaintyOf = (error: unknown): Seen => {
  if (!(error instanceof GatewayError)) return { certainty: "something else", details: String(error) }
  const { reason } = error
  const details = `${reason._tag}: ${reason.message}`
  if (reason._tag === "OutcomeUnknown") return { certainty: "perhaps sent", details }
  const isCertain = reason._tag === "GatewayUnavailable" && reason.message.includes("nothing was sent")
  return { certainty: isCertain ? "certainly not sent" : "something else", details }
}

/** What is said of the refund, if the gateway bears it out. */
const observe = async (
  gateway: FailingGateway,
  { become, busy, isEndless, resolve: wanted }: Failure,
  make: (environment: string) => Client
): Promise<Seen> => {
  resolve = undefined
  await gateway.become({ is: "well" })
  const client = make(`https://localhost:${gateway.port}`)
  await client.getPayment()
  const before = await gateway.changes()
  await gateway.become(become)
  // Lets the client notice that idle connections have ended, unless it is too busy.
  if (busy === undefined) await new Promise((done) => setTimeout(done, 30))
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busy)
  resolve = wanted
  const outcome = await client
    .refundPayment(isEndless ? 150 : 30_000)
    .then((): Seen => ({ certainty: "done", details: "" }), certaintyOf)
  await client.close()
  const read = (await gateway.changes()) - before
  if (read > 1) return { ...outcome, certainty: "sent twice" }
  const isTrue = outcome.certainty === "certainly not sent" ? read === 0 : outcome.certainty !== "done" || read === 1
  return isTrue ? outcome : { certainty: "something else", details: `${outcome.certainty}; it was read ${read} times` }
}

/** Node.js reads the certificates to trust when it starts. */
const restartTrusting = (certificate: ReturnType<typeof selfSignedCertificate>): never => {
  const folder = mkdtempSync(join(tmpdir(), "effect-gopay-"))
  const file = join(folder, "certificate.pem")
  writeFileSync(file, certificate.cert)
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: file, TRUSTED: JSON.stringify(certificate) }
  const args = [...process.execArgv, fileURLToPath(import.meta.url)]
  const { status } = spawnSync(process.execPath, args, { env, stdio: "inherit" })
  rmSync(folder, { recursive: true })
  process.exit(status ?? 1)
}

const good = process.env["TRUSTED"] ?? restartTrusting(selfSignedCertificate())
const gateway = await startFailingGateway({ good: JSON.parse(good), bad: selfSignedCertificate() })
Object.assign(dns, { lookup })
for (const [name, failure] of Object.entries(failures)) {
  for (const [style, make] of Object.entries(styles)) {
    const expected = style === "fetch" ? failure.overFetch : failure.overSockets
    const { certainty, details } = await observe(gateway, failure, make)
    if (certainty === expected) continue
    console.error(`${name}, ${style}: expected "${expected}", saw "${certainty}" (${details})`)
    process.exitCode = 1
  }
}
gateway.stop()
console.log(`${Object.keys(failures).length} ways to fail, seen in ${Object.keys(styles).length} styles`)
