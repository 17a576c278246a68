/**
 * Refunds as steps of Effect workflows, on a cluster of two runners in PostgreSQL, one of which is killed in the middle
 * of each refund.
 */
import { once } from "node:events"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { order } from "../ledger/World.js"
import { startProgram } from "../support/Program.js"
import { freePort } from "./FreePort.js"
import { startPostgres } from "./PostgresServer.js"
import type { RunnerPlan } from "./WorkflowRunner.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

const count = 6

/** How many refunds the gateway has for each complaint, after both runners were killed in the middle of all of them. */
const settle = async (withLedger: boolean): Promise<ReadonlyArray<number>> => {
  await using local = await startLocalGateway()
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
  const settled = new Set<string>()
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
      withLedger
    }
    const child = await startProgram(new URL("WorkflowRunner.ts", import.meta.url), [JSON.stringify(plan)])
    createInterface(child.stdout).on("line", (line) => settled.add(line.split(" ")[0] ?? ""))
    return async () => {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
  const refunds = () => Promise.all(ids.map(async (id) => (await gateway.getPaymentRefunds(id)).length))
  const long = { timeout: 100_000, interval: 100 }
  const ports = [await freePort(), await freePort()]
  const kills = await Promise.all(ports.map(start))
  await expect.poll(async () => Math.min(...(await refunds())), long).toBe(1)
  for (const kill of kills) await kill()
  const again = await Promise.all(ports.map(start))
  await expect.poll(() => settled.size, long).toBe(count)
  for (const kill of again) await kill()
  return await refunds()
}

describe("a workflow whose runners are killed in the middle of each refund", () => {
  it("refunds once with the ledger in its step", { timeout: 240_000 }, async () => {
    expect(await settle(true)).toEqual(Array.from({ length: count }, () => 1))
  })

  it("refunds twice without it, each time", { timeout: 240_000 }, async () => {
    expect(await settle(false)).toEqual(Array.from({ length: count }, () => 2))
  })
})
