/**
 * A process of a shop with a ledger, that can be killed at any moment. It asks for all its refunds and orders, again
 * after each start, and writes a line for each definite outcome, for each payment that a payer can make, and where each
 * phase begins and ends in which it can be killed. It ends when all are settled, or at SIGTERM as a deployment ends it.
 */
import { subscribe } from "node:diagnostics_channel"
import { ClientRequest, createServer, type IncomingMessage } from "node:http"
import { createRequire } from "node:module"
import { writeSync } from "node:fs"
import { fileStore, type LedgerStore, type PaymentEvent, pgStore } from "../../src/ledger/promise/index.js"
import { createLedger, type Ledger } from "../../src/ledger/promise/index.js"
import { createGatewayClient, toNodeHandler } from "../../src/promise/index.js"
import { type Phase, phaseLine } from "./Phase.js"
import { entering } from "./ShopEntries.js"

/** The process's argument, as JSON. */
export interface ShopPlan {
  readonly environment: string
  readonly merchant: { readonly goid: number | string; readonly clientId: string; readonly clientSecret: string }
  /** A file for `node:sqlite`, a file for libsql, or the address of a PostgreSQL. */
  readonly store: { readonly kind: "node" | "libsql" | "postgres"; readonly at: string }
  /** In milliseconds. Those that are not given are the ledger's defaults. */
  readonly times: { readonly timeout: number; readonly lease: number; readonly escalateAfter?: number }
  readonly refunds: ReadonlyArray<{ readonly key: string; readonly paymentId: number; readonly amount: number }>
  readonly orders: ReadonlyArray<{ readonly orderNumber: string; readonly amount: number }>
  /** The port at which it receives notifications. `0`: any. */
  readonly port: number
  /** Where the gateway sends notifications to: another process of the shop, or this one. */
  readonly notified: ReadonlyArray<number>
}

type Used = "checkout" | "getOrder" | "refund" | "verifyReturn"

const say = (line: string) => writeSync(1, `${line}\n`)

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

let begun = 0

/** Writes that a phase begins; what it returns writes that it has ended, once. */
const begin = (phase: Phase) => {
  const number = ++begun
  let isOpen = true
  say(phaseLine("Begin", phase, number))
  return (moment: "End" | "Lost" = "End") => {
    if (isOpen) say(phaseLine(moment, phase, number))
    isOpen = false
  }
}

const phaseOf = ({ method, path }: ClientRequest): Phase | undefined => {
  if (method !== "POST") return undefined
  if (path.endsWith("/payments/payment")) return "order"
  return path.endsWith("/refund") ? "refund" : undefined
}

/** Follows each change from where Node.js has handed it over until its answer has come. */
subscribe("http.client.request.start", (message) => {
  const request = Object(message).request
  const phase = request instanceof ClientRequest ? phaseOf(request) : undefined
  if (phase === undefined) return
  const end = begin(phase)
  request.once("close", () => end("Lost"))
  request.once("response", (response: IncomingMessage) => {
    end()
    const ended = begin("answer")
    response.once("close", () => ended())
  })
})

const settleRefund = async (
  ledger: Pick<Ledger<never>, Used>,
  { amount, key, paymentId }: ShopPlan["refunds"][number]
): Promise<boolean> => {
  const outcome = await ledger.refund(key, paymentId, { amount }, { waitAtMost: "2 seconds" })
  if (outcome._tag === "Done" || outcome._tag === "Refused") say(`${outcome._tag} ${key}`)
  else return outcome._tag === "InDoubt" && outcome.needsOperator
  return true
}

const settleOrder = async (
  ledger: Pick<Ledger<never>, Used>,
  { amount, orderNumber }: ShopPlan["orders"][number],
  port: number
): Promise<boolean> => {
  const callback = { return_url: "https://shop.example/return", notification_url: `http://127.0.0.1:${port}/notify` }
  const order = await ledger.checkout(orderNumber, { amount, currency: "CZK", callback }, { waitAtMost: "2 seconds" })
  if (order.status === "paid") return true
  if (order.status !== "open") return false
  say(`Open ${orderNumber} ${order.paymentId}`)
  for (let look = 0; look < 10; look++) {
    await pause(100)
    if ((await ledger.getOrder(orderNumber))?.status === "paid") return true
  }
  // No notification has come; the payer has.
  return (await ledger.verifyReturn(`/return?id=${order.paymentId}`)).status === "paid"
}

const main = async (plan: ShopPlan): Promise<void> => {
  // Native modules are not bundled.
  const require = createRequire(`${process.cwd()}/`)
  const { timeout, ...times } = plan.times
  const gateway = createGatewayClient({ ...plan.merchant, environment: plan.environment, timeout })
  const settings = { gateway, pollEvery: 50, onAttention: () => {}, ...times } as const
  const withStore = <Tx>(store: LedgerStore<Tx>) => {
    const enter = entering(store)
    const onPayment = async (event: PaymentEvent<Tx>) => {
      const end = begin("handler")
      await enter(event)
      // Long enough to be killed in.
      await pause(40)
      end()
    }
    return createLedger({ ...settings, store, onPayment })
  }

  const open = () => {
    const { at, kind } = plan.store
    if (kind === "postgres") {
      const { Pool } = require("pg")
      const pool = new Pool({ connectionString: at, max: 4 })
      pool.on("error", () => {})
      return withStore<never>(pgStore<never>(pool))
    }
    return withStore(fileStore(at, kind === "libsql" ? { driver: require("libsql") } : {}))
  }

  const ledger = open()
  ledger.startWorker()
  const server = createServer(toNodeHandler(ledger.notificationHandler({ onError: () => {} })))
  await new Promise<void>((resolve) => server.listen(plan.port, "127.0.0.1", resolve))

  const end = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await ledger.close()
    await gateway.close()
    say("ended")
    process.exit(0)
  }
  process.once("SIGTERM", end)
  say("started")
  const tasks = [
    ...plan.refunds.map((refund) => () => settleRefund(ledger, refund)),
    ...plan.orders.map(
      (order, index) => () => settleOrder(ledger, order, plan.notified[index % plan.notified.length] ?? plan.port)
    )
  ].toSorted(() => Math.random() - 0.5)
  const worker = async () => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      // While the store or the gateway does not respond, the same is requested again.
      while (!(await task().catch(() => false))) await pause(50)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  await end()
}

await main(JSON.parse(process.argv[2] ?? ""))
