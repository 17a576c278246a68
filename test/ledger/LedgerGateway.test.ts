/**
 * A ledger and its client meet at the client's port, and nowhere else.
 */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import Database from "libsql"
import { vi } from "vitest"
import { Gateway, type GatewayService } from "../../src/index.js"
import { makeLedger } from "../../src/ledger/index.js"
import { createLedger, fileStore, type SqlQuery } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { createGatewayClientV4 } from "../../src/promise/v4/createGatewayClientV4.js"
import { FakeTransport } from "../../src/testing/index.js"
import { statements } from "./FailingStore.js"
import { order } from "./World.js"

const merchant = { goid: 8_123_456_781, clientId: "1", clientSecret: "2", environment: "http://127.0.0.1:1" }
const inMemory = () => fileStore(":memory:", { driver: Database })
const said =
  /gateway:? must be a client itself, as .* makes it, with its own methods.* In a test, .* local gateway, or, .* FakeTransport/

const fakeRefund: GatewayClient["refundPayment"] = async (id) => ({ id: Number(id), result: "FINISHED" })

const spied = (): GatewayClient => {
  const client = createGatewayClient(merchant)
  vi.spyOn(client, "refundPayment").mockImplementation(fakeRefund)
  return client
}

const strangers: ReadonlyArray<readonly [what: string, make: () => GatewayClient]> = [
  ["a spread with a fake", () => ({ ...createGatewayClient(merchant), refundPayment: fakeRefund })],
  ["a spread", () => ({ ...createGatewayClient(merchant) })],
  ["a spy", spied],
  ["a Proxy", () => new Proxy(createGatewayClient(merchant), {})],
  ["what inherits from a client", () => Object.create(createGatewayClient(merchant))],
  ["what has all the descriptors of a client", () => Object.create({}, descriptorsOf(createGatewayClient(merchant)))],
  ["an object made by hand", () => Object.assign(Object.create(null), { goid: 1, baseUrl: "http://127.0.0.1:1/api" })],
  ["a client of API v4", () => createGatewayClientV4(merchant)]
]

const descriptorsOf = (client: GatewayClient) => Object.getOwnPropertyDescriptors(client)

describe("createLedger", () => {
  it.each(strangers)("refuses %s, and says what a test does instead", async (_, make) => {
    const store = inMemory()
    expect(() => createLedger({ gateway: make(), store })).toThrow(said)
    await store.close()
  })

  it("makes its calls as the client's own: its observer sees them, and once it is closed it sends nothing", async () => {
    await using local = await startLocalGateway()
    const calls: Array<string> = []
    const gateway = createGatewayClient({
      ...local.merchant,
      environment: local.url,
      observer: ({ operation, outcome }) => void calls.push(`${operation}: ${outcome}`)
    })
    await using ledger = createLedger({ gateway, store: inMemory(), onAttention: () => {} })
    await ledger.migrate()
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    expect(await ledger.refund("a", id, { amount: order.amount })).toMatchObject({ _tag: "Done" })
    expect(calls).toContain("refundPayment: success")
    const { id: other } = await gateway.createPayment({ ...order, order_number: "2" })
    await local.payByCard(other)
    await gateway.close()
    const { length } = await local.listRequests()
    await ledger.refund("b", other, { amount: 500 }, { waitAtMost: 0 })
    await ledger.runOnce({ budget: "1 second" })
    expect(await ledger.operator.getChange("b")).toMatchObject({ message: expect.stringContaining("client is closed") })
    expect(await local.listRequests()).toHaveLength(length)
  })

  it("has the client ask the pre-send check: where that fails, nothing is sent", async () => {
    await using local = await startLocalGateway()
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const store = inMemory()
    let checks = 0
    const query: SqlQuery = async (sql, values) => {
      if (!statements.preSendCheck.test(sql)) return store.query(sql, values)
      checks++
      throw new Error("The database is away.")
    }
    await using ledger = createLedger({ gateway, store: { ...store, query }, onAttention: () => {} })
    await ledger.migrate()
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    await ledger.refund("a", id, { amount: order.amount }, { waitAtMost: 0 })
    await ledger.runOnce({ budget: "1 second" })
    expect(checks).toBeGreaterThan(0)
    expect(await gateway.getPaymentRefunds(id)).toEqual([])
    expect(await ledger.getOutcome("a")).toMatchObject({ _tag: "Pending", status: "queued" })
  })

  it("takes the client that it was given, whatever becomes of its methods later", async () => {
    await using local = await startLocalGateway()
    const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    await using ledger = createLedger({ gateway, store: inMemory(), onAttention: () => {} })
    await ledger.migrate()
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    const spy = vi.spyOn(gateway, "refundPayment").mockImplementation(fakeRefund)
    expect(await ledger.refund("a", id, { amount: order.amount })).toMatchObject({ _tag: "Done" })
    expect(spy).not.toHaveBeenCalled()
    expect(await gateway.getPaymentRefunds(id)).toHaveLength(1)
  })
})

const fakes: ReadonlyArray<readonly [what: string, fake: (gateway: GatewayService) => Layer.Layer<Gateway>]> = [
  ["a spread", (gateway) => Layer.succeed(Gateway, { ...gateway })],
  ["a Proxy", (gateway) => Layer.succeed(Gateway, new Proxy(gateway, {}))],
  ["a mock", () => Layer.mock(Gateway, { goid: Effect.succeed(1), baseUrl: Effect.succeed("http://127.0.0.1:1/api") })]
]

describe("makeLedger", () => {
  it.effect.each(fakes)("refuses %s of the gateway, and says what a test does instead", ([, fake]) =>
    Effect.gen(function* () {
      const gateway = fake(yield* Gateway)
      const store = inMemory()
      const error = yield* Effect.flip(Effect.provide(makeLedger({ store }), gateway))
      assert.match(error.message, said)
      yield* Effect.promise(() => store.close())
    }).pipe(
      Effect.scoped,
      Effect.provide(Gateway.layer(LocalGateway.merchant)),
      Effect.provide(FakeTransport.layer({ json: {} }))
    )
  )

  it.effect("takes one over FakeTransport", () =>
    makeLedger({ store: inMemory() }).pipe(
      Effect.scoped,
      Effect.provide(Gateway.layer(LocalGateway.merchant)),
      Effect.provide(FakeTransport.layer({ json: {} }))
    )
  )
})
