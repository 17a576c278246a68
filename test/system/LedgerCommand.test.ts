/**
 * The command `ledger` over a PostgreSQL: what it lists, shows and decides, as text and as JSON.
 */
import { Pool } from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { pgStore } from "../../src/ledger/promise/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { stopRefunds } from "../ledger/StoppedRefunds.js"
import { order } from "../ledger/World.js"
import { startWith } from "../support/CommandLine.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

it("effect-gopay ledger reaches a PostgreSQL by its address, and leaves the sending to the shop", async () => {
  await using local = await startLocalGateway({ settings: partsAtOnce })
  await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const pool = new Pool({ connectionString: postgres.url })
  const ledger = createLedger({ gateway, store: pgStore(pool), onAttention: () => {} })
  const { clientId, clientSecret, goid } = local.merchant
  const merchant = {
    GOPAY_GOID: String(goid),
    GOPAY_CLIENT_ID: clientId,
    GOPAY_CLIENT_SECRET: clientSecret,
    GOPAY_ENVIRONMENT: local.url
  }
  const run = (...args: ReadonlyArray<string>) => startWith(merchant, "ledger", ...args, "--store", postgres.url).ended

  expect(await run("list")).toMatchObject({ code: 1, complained: expect.stringContaining("tables do not exist") })

  await ledger.migrate()
  expect((await run("list")).said).toMatch(/Nothing needs an operator\.\n\nNothing is open\./)
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  await stopRefunds(ledger, gateway, id)

  const [byHand] = await gateway.getPaymentRefunds(id)
  const changes = async () =>
    (await local.listRequests()).filter(({ operation }) => operation === "refundPayment").length
  const before = await changes()
  const listed = await run("list")
  expect(listed).toMatchObject({ code: 0, complained: "" })
  expect(listed.said).toMatch(
    /^complaint-77 +\d+ +Refund +5\.00 +\S+ \S+Z +\d+ +Refund of unknown origin \(StrangeRefund\)$/m
  )
  expect(listed.said).toMatch(/^complaint-78 +\d+ +Refund +7\.00 +\S+ \S+Z +Queued$/m)
  const { attention, open } = JSON.parse((await run("list", "--json")).said)
  expect(attention).toMatchObject([{ key: "complaint-77", paymentId: id, kind: "StrangeRefund", amount: 500 }])
  expect(open).toMatchObject([{ key: "complaint-77" }, { key: "complaint-78", status: "queued" }])
  const shown = JSON.parse((await run("show", "complaint-77", "--json")).said)
  expect(shown).toMatchObject({ key: "complaint-77", status: "needsOperator", version: attention[0].version })
  const decision = ["--as", "byHand", "--refund", String(byHand?.id), "--by", "Jana", "--note", "by hand", "--json"]
  const decided = await run("resolve", "complaint-77", "--version", String(shown.version), ...decision)
  expect(JSON.parse(decided.said)).toMatchObject({ _tag: "Done", key: "complaint-77", how: "operator" })
  expect(await changes()).toBe(before)

  await ledger.runOnce()
  expect(await ledger.getOutcome("complaint-78")).toMatchObject({ _tag: "Done" })

  // What is decided is found too; several are decided at once, each by the version that was seen.
  const found = JSON.parse((await run("search", "--payment", String(id), "--status", "done", "--json")).said)
  expect(found.changes).toMatchObject([{ key: "complaint-77" }, { key: "complaint-78" }])
  expect((await run("search", "--from", "2100-01-01T00:00:00Z")).said).toContain("Nothing is found.")
  expect(await run("search", "--status", "lots")).toMatchObject({
    code: 2,
    complained: expect.stringContaining("Give --status, one of queued, sending")
  })
  await ledger.checkout("order-1", { amount: 1_000, currency: "CZK", callback: order.callback })
  expect((await run("search", "--order", "order-1")).said).toMatch(/^order:order-1:\d+ +\d+ +10\.00 CZK +/m)
  const queued = ["c", "d"]
  for (const key of queued) await ledger.refund(key, id, { amount: 100 }, { waitAtMost: 0 })
  const named = await Promise.all(
    queued.map(async (key) => `${key}@${(await ledger.operator.getChange(key))?.version}`)
  )
  const cancelled = await run("resolve", ...named, "--as", "cancelled", "--by", "Jana", "--note", "twice")
  expect(cancelled).toMatchObject({ code: 0, complained: "" })
  expect(cancelled.said).toMatch(/^c: Refused\. Cancelled by Jana: twice\nd: Refused\. /m)
  expect((await run("metrics")).said).toMatch(/^gopay_ledger_changes\{status="done"\} 2$/m)
  await ledger.close()
  await pool.end()
  await postgres.stop()
  expect(await run("list")).toMatchObject({ code: 1, complained: expect.stringContaining("ECONNREFUSED") })
  await postgres.start()
})

it("effect-gopay check complains of public rights on the tables, and the doctor lists whoever else has some", async () => {
  await using local = await startLocalGateway({ settings: partsAtOnce })
  await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const pool = new Pool({ connectionString: postgres.url })
  const ledger = createLedger({ gateway, store: pgStore(pool), schema: "rights", onAttention: () => {} })
  const { clientId, clientSecret, goid } = local.merchant
  const merchant = {
    GOPAY_GOID: String(goid),
    GOPAY_CLIENT_ID: clientId,
    GOPAY_CLIENT_SECRET: clientSecret,
    GOPAY_ENVIRONMENT: local.url
  }
  const run = (...args: ReadonlyArray<string>) =>
    startWith(merchant, ...args, "--store", postgres.url, "--schema", "rights").ended
  await ledger.migrate()
  await ledger.runOnce()
  await pool.query(
    "CREATE ROLE anon; CREATE ROLE reporting; GRANT SELECT ON rights.gopay_payment TO anon; GRANT SELECT ON rights.gopay_change TO reporting"
  )

  const complaint = "anon has rights on the ledger's tables"
  const others = "These roles have rights on the ledger's tables, beside their owner: reporting."
  expect((await run("check")).said).toContain(`✗ ledger: ${complaint}`)
  const doctor = await run("ledger", "doctor")
  expect(doctor).toMatchObject({ code: 1, complained: "1 found.\n" })
  expect(doctor.said).toContain(complaint)
  expect(doctor.said).toContain(others)

  await ledger.migrate()
  expect(await run("ledger", "doctor")).toMatchObject({
    code: 0,
    said: expect.stringContaining(`\nNothing is wrong.\n${others}\n`)
  })
  await ledger.close()
  await pool.end()
})
