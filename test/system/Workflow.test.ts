/**
 * Refunds as steps of Effect workflows, on a cluster of two runners in PostgreSQL, one of which is killed in the middle
 * of its refunds. The other one takes over.
 */
import { once } from "node:events"
import { createInterface } from "node:readline"
import { describe, expect, it } from "vitest"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { order } from "../ledger/World.js"
import { startProgram } from "../support/Program.js"
import { isThorough } from "../support/Runs.js"
import { freePort } from "./FreePort.js"
import { startPostgres } from "./PostgresServer.js"
import type { RunnerPlan } from "./WorkflowRunner.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const count = 6

const long = { timeout: 180_000, interval: 100 }

interface Middle {
  /** How many refunds the gateway has for each complaint. */
  readonly refunds: () => Promise<ReadonlyArray<number>>
  /** The same for the refunds that the killed runner was working on. */
  readonly refundsOfKilled: () => Promise<ReadonlyArray<number>>
  readonly survivor: { readonly settled: () => number }
}

/** Has complaints settled by two runners, and kills the busier one when the gateway has taken all refunds. */
const inMiddle = async (withLedger: boolean, test: (middle: Middle) => Promise<void>) => {
  await using postgres = await startPostgres()
  await using local = await startLocalGateway({ settings: partsAtOnce })
  await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const ids = await Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await gateway.createPayment(order)
      await local.payByCard(id)
      return id
    })
  )
  // The gateway takes each refund, and the runner does not learn it.
  for (const _ of ids) {
    await local.armFault({ type: "noResponse", effect: "committed" }, { operation: "refundPayment" })
  }
  const { clientId, clientSecret, goid } = local.merchant
  const start = async (port: number) => {
    const plan: RunnerPlan = {
      environment: local.url,
      merchant: { clientId, clientSecret, goid },
      database: postgres.url,
      port,
      complaints: ids.map((paymentId) => ({
        complaint: `${withLedger ? "ledger" : "obvious"}-${paymentId}`,
        paymentId,
        amount: 500
      })),
      withLedger,
      timeout: 30_000
    }
    const child = await startProgram(new URL("WorkflowRunner.ts", import.meta.url), [JSON.stringify(plan)])
    const lines = new Set<string>()
    createInterface(child.stdout).on("line", (line) => lines.add(line))
    const ended = once(child, "exit")
    return {
      name: `runner-${port}`,
      lines,
      settled: () => plan.complaints.filter(({ complaint }) => lines.has(`settled ${complaint}`)).length,
      begin: () => child.kill("SIGUSR2"),
      [Symbol.asyncDispose]: async () => {
        child.kill("SIGKILL")
        await ended
      }
    }
  }
  await using one = await start(await freePort())
  // It has made the cluster's tables by then. Of two that make them at once, one may stay out of the cluster.
  await expect.poll(() => one.lines.has("ready"), long).toBe(true)
  await using two = await start(await freePort())
  await expect.poll(() => two.lines.has("ready"), long).toBe(true)
  for (const { begin } of [one, two]) begin()
  const sent = async () => (await local.listRequests()).filter(({ operation }) => operation === "refundPayment")
  const paymentsOf = async (name: string) =>
    new Set(
      (await sent())
        .filter(({ headers }) => headers["user-agent"]?.endsWith(name) ?? false)
        .map(({ paymentId = 0 }) => paymentId)
    )
  await expect.poll(async () => new Set((await sent()).map(({ paymentId }) => paymentId)).size, long).toBe(count)
  const [isOne, isTwo] = [await paymentsOf(one.name), await paymentsOf(two.name)]
  const [killed, survivor] = isOne.size > isTwo.size ? [one, two] : [two, one]
  await killed[Symbol.asyncDispose]()
  const refunds = (of: Iterable<number>) =>
    Promise.all(Array.from(of, async (id) => (await gateway.getPaymentRefunds(id)).length))
  await test({ refunds: () => refunds(ids), refundsOfKilled: () => refunds(killed === one ? isOne : isTwo), survivor })
}

const where = isThorough ? "" : ": takes a minute and a half, in the long check only"

describe.skipIf(!isThorough)(`a workflow, one of whose two runners is killed in the middle of refunds${where}`, () => {
  it("is taken over by the other one, and refunds once with the ledger in its step", { timeout: 400_000 }, () =>
    inMiddle(true, async ({ refunds, survivor }) => {
      await expect.poll(survivor.settled, long).toBe(count)
      expect(await refunds()).toEqual(Array.from({ length: count }, () => 1))
    })
  )

  it("refunds again without it, whatever the killed one was at", { timeout: 400_000 }, () =>
    inMiddle(false, async ({ refundsOfKilled }) => {
      await expect.poll(async () => Math.min(...(await refundsOfKilled())), long).toBeGreaterThanOrEqual(2)
    })
  )
})
