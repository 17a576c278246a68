/**
 * Connections that a failover has made read-only, in pools that take them back after a failure.
 */
import { describe, expect, it } from "vitest"
import { kyselyStore, type LedgerStore, typeormStore } from "../../src/ledger/promise/index.js"

/** A pool of three connections that are read-only: it lends the one that was given back last, and a new one where one ended. */
const failedOver = (failure: Error) => {
  const connections = [true, true, true]
  const query = async (sql: string): Promise<ReadonlyArray<object>> => {
    const isReadOnly = connections.pop() ?? false
    if (isReadOnly && /pg_terminate_backend.*transaction_read_only/s.test(sql)) throw new Error("terminated")
    connections.push(isReadOnly)
    if (isReadOnly) throw failure
    return [{ sql }]
  }
  return { connections, query }
}

type Pool = ReturnType<typeof failedOver>

const kysely = ({ query }: Pool): Pick<LedgerStore<never>, "query"> => {
  const client = {
    isTransaction: false,
    executeQuery: async ({ sql }: { readonly sql: string }) => ({ rows: await query(sql) }),
    withoutPlugins: () => client,
    transaction: () => ({ execute: <A>(run: (tx: typeof client) => Promise<A>): Promise<A> => run(client) })
  }
  return kyselyStore(client)
}

const typeorm = ({ query }: Pool): Pick<LedgerStore<never>, "query"> => {
  const manager = { query, queryRunner: undefined }
  return typeormStore({ manager, query, transaction: (run) => run(manager) })
}

describe.each([
  ["kyselyStore", kysely],
  ["typeormStore", typeorm]
])("%s", (_, storeOver) => {
  it("ends a connection that has become read-only, and fails", async () => {
    const failure = Object.assign(new Error("cannot execute UPDATE in a read-only transaction"), { code: "25006" })
    const pool = failedOver(failure)
    const store = storeOver(pool)
    for (let times = 0; times < 3; times++) await expect(store.query("UPDATE", [])).rejects.toBe(failure)
    expect(pool.connections).toEqual([])
    expect(await store.query("UPDATE", [])).toEqual([{ sql: "UPDATE" }])
  })

  it("ends none for another failure", async () => {
    const failure = Object.assign(new Error("deadlock detected"), { code: "40P01" })
    const pool = failedOver(failure)
    await expect(storeOver(pool).query("UPDATE", [])).rejects.toBe(failure)
    expect(pool.connections).toEqual([true, true, true])
  })
})
