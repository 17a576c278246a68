/**
 * Operators who take one refund of the gateway's list for theirs at the same time, over a PostgreSQL.
 */
import { Pool } from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { pgStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { createLedger } from "../ledger/OperatedLedger.js"
import { order } from "../ledger/World.js"
import { startPostgres } from "./PostgresServer.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

it("a refund of the list belongs to one change, or to none that is the ledger's", async () => {
  await using local = await startLocalGateway()
  await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const pools = [1, 2, 3].map(() => new Pool({ connectionString: postgres.url }))
  const ledgers = pools.map((pool) =>
    createLedger({ gateway, store: pgStore(pool), migrate: true, onAttention: () => {} })
  )
  const [one, other, third] = ledgers
  if (one === undefined || other === undefined || third === undefined) throw new Error("There are three ledgers.")
  // Each has its connections.
  await Promise.all(ledgers.map((ledger) => ledger.getChange("none")))
  const said = { by: "Jana", note: "It is this one." }
  const owners: Array<number> = []
  for (let round = 0; round < 20; round++) {
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    const keys = [`a-${round}`, `b-${round}`]
    for (const key of keys) await one.refund(key, id, { amount: 500 }, { waitAtMost: 0 })
    await gateway.refundPayment(id, { amount: 500 })
    const [entry] = await gateway.getPaymentRefunds(id)
    const refundId = entry?.id ?? 0
    await Promise.allSettled([
      ...keys.map((key, index) =>
        (index === 0 ? one : other).resolveChange(key, { ...said, version: 1, as: "byHand", refundId })
      ),
      ...(round % 2 === 0 ? [] : [third.acknowledgeRefund(id, refundId, said)])
    ])
    const outcomes = await Promise.all(keys.map((key) => one.getOutcome(key)))
    const changes = outcomes.filter((outcome) => outcome?._tag === "Done" && outcome.refundId === refundId)
    owners.push(changes.length + (await one.listAcknowledgedRefunds(id)).length)
  }
  expect(owners).toEqual(owners.map(() => 1))
  await Promise.all(ledgers.map((ledger) => ledger.close()))
  await Promise.all(pools.map((pool) => pool.end()))
})
