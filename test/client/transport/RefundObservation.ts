/**
 * What clients can say of a refund that fails, in a way of the table, at a gateway over TLS: with the client as it is
 * built, or from its sources.
 */
import dns from "node:dns"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import tls from "node:tls"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import type * as Entry from "../../../src/index.js"
import type { NodeHttpClient } from "../../../src/node/index.js"
import type { createGatewayClient } from "../../../src/promise/index.js"
import { credentials } from "../../support/Credentials.js"
import type { FailingGateway } from "./FailingGateway.js"
import type { Certainty, Failure } from "./FailureTable.js"

export interface Seen {
  readonly certainty: Certainty | "sent twice" | "something else"
  readonly details: string
}

interface Client {
  readonly getPayment: () => Promise<unknown>
  readonly refundPayment: (timeout: number) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

interface Entries {
  readonly createGatewayClient: typeof createGatewayClient
  readonly NodeHttpClient: typeof NodeHttpClient
  readonly programs: Pick<
    typeof Entry,
    "AttemptTimeout" | "Gateway" | "GatewayError" | "getPayment" | "refundPayment" | "RetryPolicy"
  >
}

const paymentId = 3000006542

/** The styles of a client, and how a program's `HttpClient` may be wrapped. */
export const observer = ({ createGatewayClient, NodeHttpClient, programs }: Entries) => {
  const { AttemptTimeout, Gateway, GatewayError, getPayment, refundPayment, RetryPolicy } = programs

  const overPromises = (options: { readonly environment: string; readonly fetch?: typeof fetch }): Client => {
    const client = createGatewayClient({ ...credentials, ...options, retry: false })
    return {
      getPayment: () => client.getPayment(paymentId),
      refundPayment: (timeout) => client.refundPayment(paymentId, { amount: 100 }, { timeout }),
      close: client.close
    }
  }

  const overPrograms = (environment: string, layer: Layer.Layer<HttpClient.HttpClient, unknown>): Client => {
    const merchant = { ...credentials, clientSecret: Redacted.make(credentials.clientSecret), environment }
    const runtime = ManagedRuntime.make(
      Layer.provide(Gateway.layer(merchant), [layer, Layer.succeed(RetryPolicy, RetryPolicy.none), Logger.layer([])])
    )
    const run = async <A>(program: Effect.Effect<A, Entry.GatewayError, Entry.Gateway>): Promise<A> => {
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
    fetch: (environment) => overPromises({ environment, fetch: globalThis.fetch }),
    "promise client": (environment) => overPromises({ environment }),
    program: (environment) => overPrograms(environment, NodeHttpClient.layer),
    "program, wrapped": (environment) => overPrograms(environment, wrapped)
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
  const observe = async (gateway: FailingGateway, failure: Failure, make: (url: string) => Client): Promise<Seen> => {
    const network = mockNetwork(gateway.certificate)
    try {
      await gateway.become("well")
      const client = make(`https://localhost:${gateway.port}`)
      await client.getPayment()
      const before = await gateway.changes()
      if (failure.isBusy === true) await busyUntilDone(gateway, failure)
      else await gateway.become(failure.become)
      // Lets the client notice that idle connections have ended, unless it was too busy.
      for (let turn = 0; failure.isBusy !== true && turn < 20; turn++) await new Promise(setImmediate)
      network.resolve(failure.resolve)
      const outcome = await client
        .refundPayment(failure.isEndless ? 150 : 30_000)
        .then((): Seen => ({ certainty: "done", details: "" }), certaintyOf)
      await client.close()
      const read = (await gateway.changes()) - before
      if (read > 1) return { ...outcome, certainty: "sent twice" }
      const { certainty } = outcome
      const isTrue = certainty === "certainly not sent" ? read === 0 : certainty !== "done" || read === 1
      return isTrue ? outcome : { certainty: "something else", details: `${certainty}; it was read ${read} times` }
    } finally {
      network.restore()
    }
  }

  return { styles, observe }
}

/** Lets the gateway do it while this process checks nothing. */
const busyUntilDone = async (gateway: FailingGateway, { become }: Failure): Promise<void> => {
  const folder = join(tmpdir(), `effect-gopay-${process.pid}`)
  const meanwhile = { busy: `${folder}-busy`, done: `${folder}-done` }
  await gateway.become(become, meanwhile)
  writeFileSync(meanwhile.busy, "")
  while (!existsSync(meanwhile.done)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  for (const file of Object.values(meanwhile)) rmSync(file)
}

/** Trusts a certificate, and resolves the name of the gateway here. */
const mockNetwork = (trusted: string) => {
  const { lookup } = dns
  const { createSecureContext } = tls
  let resolve: Failure["resolve"]
  const lookupHere = (name: string, options: dns.LookupOptions, done: (...result: Array<unknown>) => void): void => {
    if (name !== "localhost") return void Reflect.apply(lookup, dns, [name, options, done])
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
  Object.assign(dns, { lookup: lookupHere })
  Object.assign(tls, {
    createSecureContext: (options: tls.SecureContextOptions) => createSecureContext({ ...options, ca: trusted })
  })
  return {
    resolve: (wanted: Failure["resolve"]): void => {
      resolve = wanted
    },
    restore: () => {
      Object.assign(dns, { lookup })
      Object.assign(tls, { createSecureContext })
    }
  }
}
