/**
 * Several merchants over one database.
 */
import { assert, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileStore } from "../../src/ledger/promise/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { createPayment } from "../../src/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import { notify, request } from "./OrderBooks.js"
import { inWorld, order, workOnce } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

it("have each their own orders, keys and decisions, whatever the others call theirs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "merchants-"))
  const merchants = [
    { goid: 8_123_456_781, client_id: "1", client_secret: "first-secret" },
    { goid: 8_765_432_109, client_id: "2", client_secret: "second-secret" }
  ]
  await using local = await startLocalGateway({ seed: { merchants }, settings: partsAtOnce })
  const path = join(folder, "shop.db")
  const reported: Array<string> = []
  const shops = merchants.map(({ client_id: clientId, client_secret: clientSecret, goid }) => {
    const gateway = createGatewayClient({ clientId, clientSecret, goid, environment: local.url })
    const ledger = createLedger({
      gateway,
      store: fileStore(path, { driver: Database }),
      onPayment: ({ order, status }) => void reported.push(`${goid} ${order.orderNumber} ${status}`)
    })
    return { gateway, goid, ledger }
  })
  for (const { ledger } of shops) await ledger.migrate()
  const callback = { return_url: "https://shop.example/return" }
  const ids: Array<number> = []
  for (const { ledger } of shops) {
    const order = await ledger.checkout("1", { amount: 1_000, currency: "CZK", callback })
    assert(order.status === "open")
    ids.push(order.paymentId)
    await local.payByCard(order.paymentId)
    await ledger.verifyReturn(`/return?id=${order.paymentId}`)
    expect(await ledger.refund("complaint", order.paymentId, { amount: 100 })).toMatchObject({ _tag: "Done" })
  }
  expect(new Set(ids).size).toBe(2)
  expect(reported).toEqual(shops.map(({ goid }) => `${goid} 1 paid`))
  for (const [index, { goid, ledger }] of shops.entries()) {
    expect(await ledger.operator.listChanges()).toMatchObject([
      { key: "complaint", paymentId: ids[index], status: "done" }
    ])
    expect(await ledger.operator.listPayments()).toMatchObject([{ orderNumber: "1", paymentId: ids[index] }])
    expect((await ledger.operator.listMerchants()).map((one) => [one.goid, one.isOwn])).toEqual(
      shops.map((shop) => [String(shop.goid), shop.goid === goid])
    )
  }
  // The notification of another merchant's payment is none of this one's.
  const [first] = shops
  const notified = await first?.ledger.notificationHandler({ onError: () => {} })(
    new Request(`https://shop.example/notify?id=${ids[1]}`)
  )
  expect(notified?.status).toBe(503)
  for (const { gateway, ledger } of shops) {
    await ledger.close()
    await gateway.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

it.effect("are each notified once of what stops themselves alone, whichever worker is next", () =>
  inWorld((world) =>
    Effect.gen(function* () {
      const { ledger, listed, makeProcess, pass, reported } = world
      captureLog(/^A payment could not be checked/)
      const other = yield* makeProcess({ merchant: { goid: 8_999_999_999 } })
      for (const number of ["1", "2", "3"]) yield* ledger.checkout(number, request)
      const working = Effect.fnUntraced(function* (minutes: number) {
        for (let minute = 0; minute < minutes; minute++) {
          yield* pass("1 minute")
          yield* workOnce(world, ledger)
          yield* workOnce(world, other)
        }
      })
      const kinds = () => reported.map(({ kind }) => kind)
      listed.fails = () => 401
      yield* working(20)
      assert.deepInclude(yield* ledger.getHealth, { isSending: false, reason: "CredentialsRefused" })
      assert.deepInclude(yield* other.getHealth, { isSending: true })
      assert.deepStrictEqual(kinds(), ["SendingStopped"])
      listed.fails = () => undefined
      yield* working(10)
      assert.deepInclude(yield* ledger.getHealth, { isSending: true })
      listed.fails = () => 401
      yield* working(20)
      assert.deepStrictEqual(kinds(), ["SendingStopped", "SendingStopped"])
    })
  )
)

it.effect("of one set of credentials take no payment of each other's", () =>
  inWorld(({ ledger, listed, reported }) =>
    Effect.gen(function* () {
      captureLog(/^A notification/)
      const additional_params = [{ name: "effect-gopay", value: "an attempt of the other's ledger" }]
      const { id } = yield* createPayment({ ...order, additional_params })
      yield* LocalGateway.payByCard(id)
      const { status } = yield* ledger.checkout(order.order_number, request)
      listed.seePayment = { target: { type: "ACCOUNT", goid: 8_999_999_999 } }
      yield* notify(ledger, id)
      listed.seePayment = {}
      assert.deepInclude(yield* ledger.checkout(order.order_number, request), { status })
      assert.deepStrictEqual(reported, [])
      listed.seePayment = { target: { type: "ACCOUNT", goid: 8_999_999_999 } }
      const failure = yield* Effect.flip(ledger.operator.adoptPayment(order.order_number, id))
      assert.include(failure.message, "another merchant")
    }).pipe(Effect.orDie)
  )
)
