/**
 * Each of the database clients, at a real PostgreSQL: `DATABASE_URL`.
 */
import { PrismaPg } from "@prisma/adapter-pg"
import { sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import {
  createLedger,
  drizzleStore,
  kyselyStore,
  type Ledger,
  LedgerError,
  type LedgerStore,
  pgStore,
  prismaStore,
  typeormStore
} from "effect-gopay/ledger/promise"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { CamelCasePlugin, Kysely, PostgresDialect, sql as kyselySql } from "kysely"
import assert from "node:assert/strict"
import { Pool, type PoolClient } from "pg"
import { DataSource } from "typeorm"
import { PrismaClient } from "./prisma/generated/index.js"

const url = process.env["DATABASE_URL"]
if (url === undefined) throw new Error("DATABASE_URL names no PostgreSQL.")

const local = await startLocalGateway({ settings: { partialRefundDelaySeconds: 0 } })
const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
const admin = new Pool({ connectionString: url })

const paid = async () => {
  const { id } = await gateway.createPayment({
    amount: 100_000,
    currency: "CZK",
    order_number: "1",
    callback: { return_url: "https://shop.example/return" }
  })
  await local.payByCard(id)
  return id
}

const amounts = async (id: number) =>
  (await gateway.getPaymentRefunds(id)).map(({ amount }) => amount).sort((one, other) => one - other)

const settledComplaints = async () => Number((await admin.query("SELECT count(*) FROM complaint")).rows[0]?.count)

interface Shop<Tx> {
  readonly name: string
  /** A store over connections of its own, `size` of them. */
  readonly connect: (size: number) => Promise<{ readonly store: LedgerStore<Tx>; readonly end: () => Promise<unknown> }>
  /** Writes in the shop's own transaction. */
  readonly settle: (tx: Tx, complaint: string) => Promise<unknown>
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof LedgerError)) throw error
  return `${error.reason._tag}: ${error.message}`
}

const prove = async <Tx>({ connect, name, settle }: Shop<Tx>): Promise<void> => {
  await admin.query("DROP SCHEMA IF EXISTS gopay CASCADE")
  await admin.query("DROP TABLE IF EXISTS complaint")
  await admin.query("CREATE TABLE complaint (id TEXT PRIMARY KEY, settled INTEGER NOT NULL)")
  const id = await paid()
  const opened = await Promise.all([connect(3), connect(3), connect(3)])
  const ledgers = opened.map(({ store }) => createLedger({ gateway, store, pollEvery: 50, lease: "5 seconds" }))
  const [first] = ledgers
  const [{ store } = { store: undefined }] = opened
  assert.ok(first !== undefined && store !== undefined)
  await Promise.all(ledgers.map((ledger) => ledger.migrate()))

  // Several ask for the same keys at once.
  const outcomes = await Promise.all(
    ledgers.flatMap((ledger) => [100, 200].map((amount) => ledger.refund(`key-${amount}`, id, { amount })))
  )
  const undone = outcomes.filter(({ _tag }) => _tag !== "Done")
  if (undone.length > 0) console.log((await admin.query("SELECT * FROM gopay.gopay_change")).rows)
  assert.deepEqual(undone, [], name)
  assert.deepEqual(await amounts(id), [100, 200])
  assert.match(reasonOf(await first.refund("key-100", id, { amount: 1 }).catch((error) => error)), /^KeyReused/)

  // The shop's transaction: rolled back, then committed.
  const submit = (key: string, fails: boolean) =>
    store.transaction(async (tx) => {
      await settle(tx, key)
      await first.submit(tx, key, { refund: id, amount: 300 })
      if (fails) throw new Error("the shop rolls back")
    })
  await assert.rejects(submit("submitted", true), /rolls back/)
  assert.deepEqual([await settledComplaints(), await first.getOutcome("submitted")], [0, undefined])
  await submit("submitted", false)
  assert.deepEqual([await settledComplaints(), (await first.getOutcome("submitted"))?._tag], [1, "Pending"])
  for (const ledger of ledgers) ledger.startWorker()
  while ((await first.getOutcome("submitted"))?._tag !== "Done") await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(await amounts(id), [100, 200, 300])

  // PostgreSQL answers the COMMIT of a transaction whose failed statement was caught with ROLLBACK.
  const careless = store.transaction(async (tx) => {
    await settle(tx, "careless")
    await first.submit(tx, "careless", { refund: id, amount: 300 })
    await settle(tx, "careless").catch(() => undefined)
  })
  await assert.rejects(careless, /Nothing of this transaction is written/)
  assert.deepEqual([await settledComplaints(), await first.getOutcome("careless")], [1, undefined])

  // The shop is notified of another key's change before it commits.
  const reused = await store
    .transaction((tx) => first.submit(tx, "submitted", { refund: id, amount: 1 }))
    .catch((error) => error)
  assert.match(reasonOf(reused), /^KeyReused/)

  // A refund in a transaction is refused at once.
  const inside = store.transaction(async (tx) => {
    await settle(tx, "inside")
    await first.refund("inside", id, { amount: 400 })
  })
  assert.match(reasonOf(await inside.catch((error) => error)), /^InvalidArgument.*submit/)
  assert.equal((await first.refund("inside", id, { amount: 400 }))._tag, "Done")
  assert.deepEqual(await amounts(id), [100, 200, 300, 400])
  assert.equal(await settledComplaints(), 1)
  await Promise.all(ledgers.map((ledger) => ledger.close()))

  // One connection does; a transaction of the shop that holds it holds everything up, and nothing is sent.
  const single = await connect(1)
  const ledger = createLedger({ gateway, store: single.store, pollEvery: 50 })
  assert.equal((await ledger.refund("single", id, { amount: 500 }))._tag, "Done")
  await ledger.close()
  await Promise.all([...opened, single].map(({ end }) => end()))

  const { rows } = await admin.query("SELECT count(*) AS keys FROM gopay.gopay_change WHERE status = 'done'")
  assert.equal(Number(rows[0]?.keys), 5)
  console.log(`${name}: 5 keys, 5 refunds`)
}

/** An `onPayment` that takes longer than its minute writes nothing, and no one else gets its connection before it ends. */
const proveLate = async <Tx>({ connect, name, settle }: Shop<Tx>): Promise<void> => {
  // The payment is put off through another connection.
  const { end, store } = await connect(2)
  let late: unknown = "not ended"
  let tell = (): void => {}
  const ended = new Promise<void>((resolve) => {
    tell = resolve
  })
  const ledger = createLedger({
    gateway,
    store,
    onPayment: async ({ tx }) => {
      if (late !== "not ended") return
      await settle(tx, `${name} first`)
      await new Promise((resolve) => setTimeout(resolve, 65_000))
      late = await settle(tx, `${name} late`).then(
        () => "written",
        () => "refused"
      )
      tell()
    }
  })
  const callback = { return_url: "https://shop.example/return" }
  const order = await ledger.checkout(`late ${name}`, { amount: 100_000, currency: "CZK", callback })
  assert.ok(order.status === "open")
  await local.payByCard(order.paymentId)
  const notify = ledger.notificationHandler({ onError: () => {} })
  const notified = async () => (await notify(new Request(`https://shop.example/notify?id=${order.paymentId}`))).status
  assert.equal(await notified(), 503)
  assert.equal(late, "not ended")
  await ended
  assert.equal(late, "refused")
  assert.equal(await notified(), 200)
  const { rows } = await admin.query("SELECT id FROM complaint WHERE id LIKE $1", [`${name} %`])
  assert.deepEqual(rows, [])
  await ledger.close()
  await end()
  console.log(`${name}: nothing is written too late`)
}

/** A store whose statements run in a transaction that is open: a ledger sends nothing. */
const proveRefusal = async <Tx>(name: string, store: LedgerStore<Tx>) => {
  const id = await paid()
  const ledger = createLedger({ gateway, store })
  const outcome = await ledger.refund("refused", id, { amount: 100 }).catch((error) => error)
  assert.match(reasonOf(outcome), /LedgerUnavailable: .*transaction/, name)
  assert.deepEqual(await amounts(id), [])
}

// ---------------------------------------------------------------------------------------------------------------------

const pgShop: Shop<PoolClient> = {
  name: "pg",
  connect: async (max) => {
    const pool = new Pool({ connectionString: url, max })
    return { store: pgStore(pool), end: () => pool.end() }
  },
  settle: (tx, complaint) => tx.query("INSERT INTO complaint VALUES ($1, 1)", [complaint])
}

const prismaOf = (max: number) => new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max }) })
type PrismaTx = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0]
const prismaShop: Shop<PrismaTx> = {
  name: "Prisma",
  connect: async (max) => {
    const prisma = prismaOf(max)
    return { store: prismaStore(prisma), end: () => prisma.$disconnect() }
  },
  settle: (tx, id) => tx.complaint.create({ data: { id, settled: 1 } })
}

const drizzleOf = (max: number) => {
  const pool = new Pool({ connectionString: url, max })
  return { db: drizzle(pool), end: () => pool.end() }
}
type DrizzleTx = Parameters<Parameters<ReturnType<typeof drizzleOf>["db"]["transaction"]>[0]>[0]
const drizzleShop: Shop<DrizzleTx> = {
  name: "Drizzle",
  connect: async (max) => {
    const { db, end } = drizzleOf(max)
    return { store: drizzleStore(db, sql), end }
  },
  settle: (tx, id) => tx.execute(sql`INSERT INTO complaint VALUES (${id}, 1)`)
}

interface Tables {
  complaint: { id: string; settled: number }
}
const kyselyOf = (max: number) =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max }) }),
    // Changes the names of columns: the ledger's statements go without.
    plugins: [new CamelCasePlugin()]
  })
type KyselyTx = Parameters<Parameters<ReturnType<Kysely<Tables>["transaction"]>["execute"]>[0]>[0]
const kyselyShop: Shop<KyselyTx> = {
  name: "Kysely",
  connect: async (max) => {
    const db = kyselyOf(max)
    return { store: kyselyStore(db), end: () => db.destroy() }
  },
  settle: (tx, id) => tx.insertInto("complaint").values({ id, settled: 1 }).execute()
}

const typeormOf = (max: number) => new DataSource({ type: "postgres", url, poolSize: max }).initialize()
type TypeormTx = DataSource["manager"]
const typeormShop: Shop<TypeormTx> = {
  name: "TypeORM",
  connect: async (max) => {
    const dataSource = await typeormOf(max)
    return { store: typeormStore(dataSource), end: () => dataSource.destroy() }
  },
  settle: (tx, id) => tx.query("INSERT INTO complaint VALUES ($1, 1)", [id])
}

/** With its own connections, a ledger keeps working while the shop's transactions hold all connections of the shop. */
const proveOwnPool = async <Tx>(
  name: string,
  store: LedgerStore<Tx>,
  begin: (work: (tx: Tx) => Promise<void>) => Promise<void>
): Promise<void> => {
  const id = await paid()
  const ledger = createLedger({ gateway, store, pollEvery: 50 })
  await begin(async (tx) => {
    assert.equal((await ledger.refund(`own ${name}`, id, { amount: 100 }))._tag, "Done")
    await ledger.submit(tx, `own ${name} submitted`, { refund: id, amount: 200 })
  })
  while ((await ledger.getOutcome(`own ${name} submitted`))?._tag !== "Done") await ledger.runOnce()
  assert.deepEqual(await amounts(id), [100, 200])
  await ledger.close()
  console.log(`${name}: the ledger does not wait for the shop's connections`)
}

await prove(pgShop)
await prove(prismaShop)
await prove(drizzleShop)
await prove(kyselyShop)
await prove(typeormShop)
await Promise.all([
  proveLate(pgShop),
  proveLate(prismaShop),
  proveLate(drizzleShop),
  proveLate(kyselyShop),
  proveLate(typeormShop)
])

const ownPool = new Pool({ connectionString: url, max: 2 })
const own = { query: pgStore(ownPool).query }
const onePrisma = prismaOf(1)
await proveOwnPool("Prisma", prismaStore(onePrisma, own), (work) => onePrisma.$transaction(work))
const oneDrizzle = drizzleOf(1)
await proveOwnPool("Drizzle", drizzleStore(oneDrizzle.db, sql, own), (work) => oneDrizzle.db.transaction(work))
const oneKysely = kyselyOf(1)
await proveOwnPool("Kysely", kyselyStore(oneKysely, own), (work) => oneKysely.transaction().execute(work))
const oneTypeorm = await typeormOf(1)
await proveOwnPool("TypeORM", typeormStore(oneTypeorm, own), (work) => oneTypeorm.transaction(work))
await Promise.all([onePrisma.$disconnect(), oneDrizzle.end(), oneKysely.destroy(), oneTypeorm.destroy(), ownPool.end()])

// ---------------------------------------------------------------------------------------------------------------------
// What is not a transaction, and what is one.

const change = { refund: 1, amount: 1 }

const prisma = prismaOf(2)
const overPrisma = createLedger({ gateway, store: prismaStore(prisma) })
await assert.rejects(overPrisma.submit(prisma, "key", change), /not a transaction/)
await prisma.$transaction((tx) => proveRefusal("Prisma", prismaStore(tx)))

const { db, end } = drizzleOf(2)
const overDrizzle = createLedger({ gateway, store: drizzleStore(db, sql) })
await db.transaction((tx) => proveRefusal("Drizzle", drizzleStore(tx, sql)))

const kysely = kyselyOf(2)
const overKysely = createLedger({ gateway, store: kyselyStore(kysely) })
await kysely.transaction().execute(async (tx) => assert.throws(() => kyselyStore(tx), TypeError))

const dataSource = await typeormOf(2)
const overTypeorm = createLedger({ gateway, store: typeormStore(dataSource) })
await assert.rejects(overTypeorm.submit(dataSource.manager, "key", change), /no transaction/)

await dataSource.transaction((manager) =>
  proveRefusal(
    "TypeORM",
    typeormStore({ manager, query: manager.query.bind(manager), transaction: (run) => run(manager) })
  )
)

/** Handles of another client, and databases in place of transactions, do not compile. */
export const doNotCompile = async (pool: Pool, drizzleTx: DrizzleTx, kyselyTx: KyselyTx, prismaTx: PrismaTx) => {
  // @ts-expect-error a transaction of Drizzle's
  await overPrisma.submit(drizzleTx, "key", change)
  // @ts-expect-error no transaction
  await overDrizzle.submit(db, "key", change)
  // @ts-expect-error a transaction of Prisma's
  await overDrizzle.submit(prismaTx, "key", change)
  // @ts-expect-error no transaction
  await overKysely.submit(kysely, "key", change)
  // @ts-expect-error a transaction of Kysely's
  await overTypeorm.submit(kyselyTx, "key", change)
  // @ts-expect-error no transaction
  await createLedger({ gateway, store: pgStore(pool) }).submit(pool, "key", change)
  // @ts-expect-error the ledger of another client
  const wrong: Ledger<PrismaTx> = overDrizzle
  return wrong
}

await Promise.all([prisma.$disconnect(), end(), kysely.destroy(), dataSource.destroy(), admin.end(), gateway.close()])
await local.close()
console.log("ledger-stores: pg, Prisma, Drizzle, Kysely and TypeORM keep the books")
