/**
 * Who may use the ledger's tables in a PostgreSQL that grants rights by default, as Supabase does.
 */
import { Pool, type PoolClient } from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { ledgerSchema, pgStore } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { order } from "../ledger/World.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>
let local: RunningLocalGateway
let gateway: GatewayClient

beforeAll(async () => {
  postgres = await startPostgres()
  local = await startLocalGateway({ settings: partsAtOnce })
  gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  await using admin = await opened("shop", "postgres")
  await admin.pool.query(
    "CREATE ROLE anon; CREATE ROLE authenticated; CREATE ROLE service_role; CREATE ROLE owner LOGIN; CREATE ROLE app LOGIN; CREATE ROLE clerk LOGIN"
  )
})

afterAll(async () => {
  await gateway.close()
  await local.close()
  await postgres[Symbol.asyncDispose]()
})

/** A pool of a role's connections to a database, and ledgers over it. */
const opened = async (role: string, database: string) => {
  const url = new URL(postgres.url)
  url.username = role
  url.pathname = `/${database}`
  const pool = new Pool({ connectionString: url.href })
  pool.on("error", () => {})
  const ledgers: Array<AsyncDisposable> = []
  const ledgerOver = (schema?: string) => {
    const ledger = createLedger<PoolClient>({ gateway, store: pgStore(pool), schema, onAttention: () => {} })
    ledgers.push({ [Symbol.asyncDispose]: () => ledger.close() })
    return ledger
  }
  return {
    pool,
    ledgerOver,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(ledgers.map((ledger) => ledger[Symbol.asyncDispose]()))
      await pool.end()
    }
  }
}

const paid = async (): Promise<number> => {
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  return id
}

let database: string
beforeEach(async () => {
  database = `rights_${globalThis.crypto.randomUUID().replaceAll("-", "")}`
  await using admin = await opened("shop", "postgres")
  await admin.pool.query(`CREATE DATABASE ${database} OWNER owner`)
  await using shop = await opened("shop", database)
  await shop.pool.query("ALTER SCHEMA public OWNER TO owner")
})

const everyone = ["anon", "authenticated"]

/** What a host does for each role that makes tables, with `IN SCHEMA public` or without. */
const grantByDefault = (where: string, roles = [...everyone, "service_role"]) =>
  ["TABLES", "SEQUENCES"]
    .map((kind) => `ALTER DEFAULT PRIVILEGES FOR ROLE owner ${where} GRANT ALL ON ${kind} TO ${roles.join(", ")}`)
    .join("; ")

/** Whether a role may read the addresses of pay pages, order a refund, and use up the numbers of rows. */
const rightsOf = async (pool: Pool, schema: string, role: string) => {
  const { rows } = await pool.query(
    `SELECT has_schema_privilege($1, $2, 'USAGE') AS enters,
       has_any_column_privilege($1, $2 || '.gopay_payment', 'SELECT') AS reads,
       has_table_privilege($1, $2 || '.gopay_change', 'INSERT') AS inserts,
       has_sequence_privilege($1, pg_get_serial_sequence($2 || '.gopay_change', 'seq'), 'USAGE, UPDATE') AS counts`,
    [role, schema]
  )
  return rows[0]
}

const noRights = { reads: false, inserts: false, counts: false }
const allRights = { enters: true, reads: true, inserts: true, counts: true }

describe("a ledger in a database that grants rights by default", () => {
  it("has a schema that its public roles may not enter", async () => {
    await using owner = await opened("owner", database)
    await owner.pool.query(grantByDefault("IN SCHEMA public"))
    const ledger = owner.ledgerOver()
    await ledger.migrate()
    for (const role of everyone) {
      expect(await rightsOf(owner.pool, "gopay", role)).toEqual({ enters: false, ...noRights })
    }
    expect(await ledger.refund("a", await paid(), { amount: 500 })).toMatchObject({ _tag: "Done" })
    expect(await ledger.getHealth()).toEqual({ isSending: true, message: "Changes are sent." })
  })

  it.each(["public", undefined])(
    "takes them from its public roles, and from no other one, in the schema %s",
    async (schema) => {
      await using owner = await opened("owner", database)
      await owner.pool.query(grantByDefault("", [...everyone, "PUBLIC", "service_role"]))
      const ledger = owner.ledgerOver(schema)
      await ledger.migrate()
      for (const role of everyone) {
        expect(await rightsOf(owner.pool, schema ?? "gopay", role)).toMatchObject(noRights)
      }
      expect(await rightsOf(owner.pool, schema ?? "gopay", "service_role")).toMatchObject({
        reads: true,
        inserts: true,
        counts: true
      })
      expect(await ledger.getHealth()).toEqual({
        isSending: true,
        message: "Changes are sent.",
        grantees: ["service_role"]
      })
    }
  )

  it("takes them from tables that exist, too", async () => {
    await using owner = await opened("owner", database)
    const ledger = owner.ledgerOver("public")
    await ledger.migrate()
    const grant = () =>
      owner.pool.query(
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO anon; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO PUBLIC; GRANT SELECT (gw_url) ON gopay_payment TO authenticated"
      )
    await grant()
    expect(await ledger.getHealth()).toMatchObject({
      isSending: true,
      exposure: {
        roles: ["PUBLIC", "anon", "authenticated"],
        message: expect.stringContaining("Call migrate() as the owner")
      }
    })
    await ledger.migrate()
    for (const role of everyone) {
      expect(await rightsOf(owner.pool, "public", role)).toMatchObject(noRights)
    }
    expect(await ledger.getHealth()).toEqual({ isSending: true, message: "Changes are sent." })

    await grant()
    for (const statement of ledgerSchema("postgres", { schema: "public" })) await owner.pool.query(statement)
    expect(await ledger.getHealth()).toEqual({ isSending: true, message: "Changes are sent." })
  })

  it("works for a role that has its rights by default, which can take none away", async () => {
    await using owner = await opened("owner", database)
    await owner.pool.query(`CREATE SCHEMA gopay; GRANT USAGE ON SCHEMA gopay TO app; ${grantByDefault("", ["app"])}`)
    const ledger = owner.ledgerOver()
    await ledger.migrate()
    expect(await rightsOf(owner.pool, "gopay", "app")).toEqual(allRights)
    await owner.pool.query("GRANT SELECT ON gopay.gopay_payment TO anon")

    await using app = await opened("app", database)
    const running = app.ledgerOver()
    await running.migrate()
    expect(await running.refund("a", await paid(), { amount: 500 })).toMatchObject({ _tag: "Done" })
    expect(await running.getHealth()).toMatchObject({
      isSending: true,
      exposure: { roles: ["anon"] },
      grantees: ["app"]
    })

    await ledger.migrate()
    expect(await running.getHealth()).toEqual({ isSending: true, message: "Changes are sent.", grantees: ["app"] })
  })

  it("takes no change from a transaction that acts as a visitor of the site", async () => {
    await using owner = await opened("owner", database)
    await using shop = await opened("shop", database)
    await shop.pool.query("GRANT authenticated TO owner")
    await owner.pool.query(grantByDefault("IN SCHEMA public"))
    await owner.pool.query("CREATE TABLE complaint (id TEXT PRIMARY KEY)")
    const ledger = owner.ledgerOver()
    await ledger.migrate()
    const id = await paid()
    const complain = async (key: string, role: string) => {
      await using client = Object.assign(await owner.pool.connect(), {
        async [Symbol.asyncDispose](this: PoolClient) {
          await this.query("ROLLBACK")
          this.release()
        }
      })
      await client.query("BEGIN")
      await client.query("SET LOCAL ROLE authenticated")
      await client.query("INSERT INTO complaint VALUES ($1)", [key])
      await client.query(`SET LOCAL ROLE ${role}`)
      await ledger.submit(client, key, { refund: id, amount: 500 })
      await client.query("COMMIT")
    }
    await expect(complain("visitor", "authenticated")).rejects.toThrow("permission denied for schema gopay")
    await complain("server", "owner")
    expect((await owner.pool.query("SELECT id FROM complaint")).rows).toEqual([{ id: "server" }])
    expect(await ledger.getOutcome("visitor")).toBeUndefined()
    expect(await ledger.getOutcome("server")).toMatchObject({ _tag: "Pending" })
  })
})

describe("migrate()", () => {
  it("makes one schema when eight processes call it at once", async () => {
    const pools = await Promise.all(Array.from({ length: 8 }, () => opened("owner", database)))
    const ledgers = pools.map(({ ledgerOver }) => ledgerOver())
    expect(await Promise.allSettled(ledgers.map((ledger) => ledger.migrate()))).toEqual(
      ledgers.map(() => ({ status: "fulfilled", value: undefined }))
    )
    await Promise.all(pools.map((pool) => pool[Symbol.asyncDispose]()))
  })

  it("names the statement that lets a role make the schema", async () => {
    await using clerk = await opened("clerk", database)
    await using shop = await opened("shop", database)
    const ledger = clerk.ledgerOver()
    const statement = 'CREATE SCHEMA "gopay" AUTHORIZATION clerk'
    await expect(ledger.migrate()).rejects.toThrow(statement)
    await shop.pool.query(statement)
    await ledger.migrate()
    expect(await ledger.getHealth()).toMatchObject({ isSending: true })
  })

  it("names the statement that lets a role make tables in a schema that exists", async () => {
    await using clerk = await opened("clerk", database)
    await using owner = await opened("owner", database)
    await owner.pool.query("CREATE SCHEMA gopay")
    const ledger = clerk.ledgerOver()
    const statement = 'GRANT USAGE, CREATE ON SCHEMA "gopay" TO clerk'
    await expect(ledger.migrate()).rejects.toThrow(statement)
    await owner.pool.query(statement)
    await ledger.migrate()
    expect(await ledger.getHealth()).toMatchObject({ isSending: true })
  })
})
