/**
 * Operators who take one refund of the gateway's list, or the payment of one charge, for theirs at the same time, over a
 * PostgreSQL.
 */
import { Pool, type PoolClient } from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { pgStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { createLedger, type Ledger as LedgerOf } from "../../src/ledger/promise/index.js"
import { recurrence } from "../ledger/RecurrenceScene.js"
import { order } from "../ledger/World.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

type Ledger = LedgerOf<PoolClient>

/** Three processes of a shop, each with its connections, and what is to be done with them twenty times. */
const twentyRounds = async (
  round: (
    local: Awaited<ReturnType<typeof startLocalGateway>>,
    gateway: GatewayClient,
    ledgers: readonly [Ledger, Ledger, Ledger],
    round: number
  ) => Promise<number>
): Promise<ReadonlyArray<number>> => {
  await using local = await startLocalGateway({ settings: partsAtOnce })
  await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const pools = [new Pool(settings()), new Pool(settings()), new Pool(settings())] as const
  const ledgerOver = (pool: Pool) =>
    createLedger({ gateway, store: pgStore(pool), migrate: true, onAttention: () => {} })
  const ledgers = [ledgerOver(pools[0]), ledgerOver(pools[1]), ledgerOver(pools[2])] as const
  await Promise.all(ledgers.map((ledger) => ledger.operator.getChange("none")))
  const owners: Array<number> = []
  for (let count = 0; count < 20; count++) owners.push(await round(local, gateway, ledgers, count))
  await Promise.all(ledgers.map((ledger) => ledger.close()))
  await Promise.all(pools.map((pool) => pool.end()))
  return owners
}

const settings = () => ({ connectionString: postgres.url })
const said = { by: "Jana", note: "It is this one." }
const later = { waitAtMost: 0 }

it("a refund of the list belongs to one change, or to none that is the ledger's", async () => {
  const owners = await twentyRounds(async (local, gateway, [one, other, third], round) => {
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    const keys = [`a-${round}`, `b-${round}`]
    for (const key of keys) await one.refund(key, id, { amount: 500 }, later)
    await gateway.refundPayment(id, { amount: 500 })
    const [entry] = await gateway.getPaymentRefunds(id)
    const refundId = entry?.id ?? 0
    await Promise.allSettled([
      ...keys.map((key, index) =>
        (index === 0 ? one : other).operator.resolveChange(key, { ...said, version: 1, as: "byHand", refundId })
      ),
      ...(round % 2 === 0 ? [] : [third.operator.acknowledgeRefund(id, refundId, said)])
    ])
    const outcomes = await Promise.all(keys.map((key) => one.getOutcome(key)))
    const changes = outcomes.filter((outcome) => outcome?._tag === "Done" && outcome.refundId === refundId)
    return changes.length + (await one.operator.listAcknowledgedRefunds(id)).length
  })
  expect(owners).toEqual(owners.map(() => 1))
})

it("the payment of a charge belongs to one change", async () => {
  const owners = await twentyRounds(async (local, gateway, [one, other, third], round) => {
    const { id } = await gateway.createPayment({ ...order, recurrence })
    await local.payByCard(id)
    const terms = { amount: 500, currency: "CZK", order_number: `sub-${round}` }
    const keys = [`charge-a-${round}`, `charge-b-${round}`]
    for (const key of keys) {
      await local.armFault({ type: "connectionReset", effect: "none" }, { operation: "createRecurrence" })
      await one.charge(key, id, terms, later)
      await one.runOnce()
    }
    // Or the breaker would take the gateway to be away.
    await one.charge(`charge-c-${round}`, id, { ...terms, order_number: `other-${round}` })
    const { id: chargeId } = await gateway.createRecurrence(id, terms)
    await Promise.allSettled([
      ...keys.map(async (key, index) => {
        const by = index === 0 ? one : other
        const { version = 0 } = (await by.operator.getChange(key)) ?? {}
        return by.operator.resolveChange(key, { ...said, version, as: "done", chargeId })
      }),
      ...(round % 2 === 0 ? [] : [third.operator.adoptPayment(terms.order_number, chargeId)])
    ])
    const outcomes = await Promise.all(keys.map((key) => one.getOutcome(key)))
    return outcomes.filter((outcome) => outcome?._tag === "Done" && outcome.chargeId === chargeId).length
  })
  expect(owners).toEqual(owners.map(() => 1))
})
