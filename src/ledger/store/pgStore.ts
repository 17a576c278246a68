/**
 * Stores in PostgreSQL over `pg`, or over a client that the shop already has: Prisma, Drizzle, Kysely, TypeORM, or any
 * other that runs SQL.
 */
import { withoutUndefined } from "../../basics/Nulls.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery, SqlRow } from "../model/LedgerStore.js"
import { inTransaction } from "./asyncContext.js"
import { hasSqlState, rowsOf, TransactionLost } from "./clientResults.js"

/** A connection of `pg`: a `Client`, or one that a `Pool` has lent. */
export interface PgConnection {
  /** Runs one statement. Only `prepare` uses a named one. */
  query(
    sql: string | { readonly name: string; readonly text: string; readonly values: Array<unknown> },
    values?: Array<unknown>
  ): Promise<{
    readonly rows: ReadonlyArray<SqlRow>
    /** The command that was carried out, such as `COMMIT`. */
    readonly command?: string
  }>
}

/** Options of `pgStore`. */
export interface PgStoreOptions {
  /**
   * Whether the ledger's statements are prepared once in each connection, which saves PostgreSQL about a third of its
   * work. The pool has to be one of `pg`. Some poolers, such as PgBouncer before 1.21, use another connection for each
   * statement: the ledger detects that at the first statement, and prepares none from then on. Default: `false`.
   */
  readonly prepare?: boolean | undefined
}

/**
 * A store in PostgreSQL (12 or newer), over a `Pool` of `pg`. Listen to the pool's `error` events: without a listener,
 * `pg` ends the process when an idle connection breaks. `Tx` is a connection within a transaction: the one that
 * `submit` takes.
 */
export const pgStore = <Client extends PgConnection>(
  pool: PgConnection & {
    /** Lends a connection. */
    connect(): Promise<
      Client & {
        /** Returns it to the pool; with `true` it is not lent again. */
        release(error?: boolean): void
        on?(event: "error", listener: () => void): unknown
        removeListener?(event: "error", listener: () => void): unknown
      }
    >
    /** Options of the pool: `max` is the most connections that it lends. */
    readonly options?: { readonly max?: number | undefined }
    /** The callback form of `pg`. It is not used, except to infer the type of the connection. */
    connect(callback: (...args: ReadonlyArray<never>) => void): void
  },
  { prepare = false }: PgStoreOptions = {}
): LedgerStore<Client> => ({
  ...pgQueryStore<Client>({
    query: prepare ? preparing(pool) : queryOf(pool),
    queryIn: queryOf,
    transaction: async (run) => {
      const client = await pool.connect()
      // The statement under way fails as well, with the reason. Without a listener the error would end the process.
      const ignore = (): void => {}
      client.on?.("error", ignore)
      let isBroken = false
      try {
        await client.query("BEGIN")
        const result = await run(client)
        const { command } = await client.query("COMMIT")
        if (command === "ROLLBACK") throw new TransactionLost()
        return result
      } catch (error) {
        // If `ROLLBACK` fails too, the first failure is reported.
        isBroken = await client.query("ROLLBACK").then(
          () => false,
          () => true
        )
        throw error
      } finally {
        client.removeListener?.("error", ignore)
        // A connection whose transaction has not ended must not be lent again.
        client.release(isBroken)
      }
    },
    survivesTermination: true
  }),
  ...withoutUndefined({ connections: pool.options?.max })
})

const queryOf =
  (client: PgConnection): SqlQuery =>
  async (sql, values) =>
    (await client.query(sql, [...values])).rows

/**
 * A statement is prepared once it has run this often: preparing does not pay for a statement that runs once, and
 * connections keep what they have prepared.
 */
const minimumGain = 3
const mostNames = 200

/**
 * Prepares statements by name when they are repeated. Each of these failures occurs before the statement is carried
 * out, so it is run unprepared then, outside every transaction:
 *
 * - 26000 and 42P05: a pooler has used another connection than the one that prepared the statement.
 * - 0A000: the tables have changed since.
 */
const preparing = (pool: PgConnection): SqlQuery => {
  const plain = queryOf(pool)
  const times = new Map<string, number>()
  // Unique to this process, since a pooler may share connections between processes.
  const prefix = `gopay_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`
  const names = new Map<string, string>()
  let count = 0
  let isPossible = true
  const rename = (text: string): unknown => names.set(text, `${prefix}_${++count}`)

  return async (text, values) => {
    if (isPossible && count < mostNames && !names.has(text)) {
      const used = (times.get(text) ?? 0) + 1
      if (used >= minimumGain) rename(text)
      else if (times.size < 10 * mostNames) times.set(text, used)
    }
    const name = names.get(text)
    if (name === undefined) return plain(text, values)
    try {
      return (await pool.query({ name, text, values: [...values] })).rows
    } catch (error) {
      const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
      if (code === "26000" || code === "42P05") isPossible = false
      else if (code !== "0A000") throw error
      if (isPossible) rename(text)
      else names.clear()
      return plain(text, values)
    }
  }
}

/** The functions of a database client that a ledger needs. */
export interface PgQueryStoreOptions<in out Tx> extends Pick<LedgerStore<Tx>, "survivesTermination"> {
  /** Runs one PostgreSQL statement with `$1` placeholders, outside every transaction of the shop, and commits it. */
  readonly query: SqlQuery
  /** Runs one statement in the shop's transaction. */
  readonly queryIn: (tx: Tx) => SqlQuery
  /**
   * Begins a transaction, runs, and commits; rolls back if `run` rejects. Keeps its connection until `run` has ended.
   */
  readonly transaction: <A>(run: (tx: Tx) => Promise<A>) => Promise<A>
  /**
   * `false` for a database that can only be reached by single statements, such as over HTTP, with `queryIn: () =>
   * query` and `transaction: (run) => run(undefined)`. Then `submit` commits by itself, and `onPayment` is called at
   * least once for each event, not exactly once. Default: `true`.
   */
  readonly hasTransactions?: boolean
}

/** A store in PostgreSQL (12 or newer) over any client without a store of its own here. For SQLite use `fileStore`. */
export const pgQueryStore = <Tx>(options: PgQueryStoreOptions<Tx>): LedgerStore<Tx> => ({
  dialect: "postgres",
  ...options,
  query: withOwnNames(options.query),
  queryIn: (tx) => withOwnNames(options.queryIn(tx)),
  transaction: (run) => options.transaction(options.hasTransactions === false ? run : confirming(options.queryIn, run)),
  close: async () => {}
})

/**
 * Closes connections that a failover has made read-only: Kysely and TypeORM return them to their pools whatever has
 * failed on them. It checks the next connection from the pool, which is the one that was returned last.
 */
const endingReadOnly =
  (query: SqlQuery): SqlQuery =>
  async (sql, values) => {
    try {
      return await query(sql, values)
    } catch (error) {
      if (hasSqlState(error, readOnly)) await query(endIfReadOnly, []).catch(() => undefined)
      throw error
    }
  }

const readOnly = "25006"
const endIfReadOnly =
  "SELECT pg_terminate_backend(pg_backend_pid()) WHERE pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'"

/**
 * Renames the columns to the ledger's own names: a client may change them, such as postgres.js with `postgres.camel`.
 */
const withOwnNames =
  (query: SqlQuery): SqlQuery =>
  async (sql, values) => {
    const rows = await query(sql, values)
    const isOther = Object.keys(rows[0] ?? {}).some((name) => /[A-Z-]/.test(name))
    if (!isOther) return rows
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [ownName(name), value])))
  }

const ownName = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll("-", "_")
    .replace(/^_/, "")

/**
 * Runs, and then runs one more statement, which fails if the transaction has failed. PostgreSQL answers the `COMMIT` of
 * a failed transaction with `ROLLBACK`, and most clients take that for a commit.
 */
const confirming =
  <Tx, A>(queryIn: LedgerStore<Tx>["queryIn"], run: (tx: Tx) => Promise<A>) =>
  async (tx: Tx): Promise<A> => {
    const result = await inTransaction(() => run(tx))
    try {
      await queryIn(tx)("SELECT 1", [])
    } catch (error) {
      throw hasSqlState(error, "25P02") ? new TransactionLost(error) : error
    }
    return result
  }

/** In milliseconds: longer than the ledger's own limit on transactions. Prisma's default is 5 seconds. */
const prismaTime = 120_000

/**
 * A store in PostgreSQL (12 or newer) through Prisma. `submit` takes what `prisma.$transaction(async (tx) => …)` hands
 * over; given the client itself it throws a `TypeError`.
 */
export const prismaStore = <
  Tx extends { $queryRawUnsafe(sql: string, ...values: Array<unknown>): PromiseLike<unknown> }
>(
  prisma: {
    $queryRawUnsafe(sql: string, ...values: Array<unknown>): PromiseLike<unknown>
    $transaction<A>(run: (tx: Tx) => Promise<A>, options?: { readonly timeout?: number }): Promise<A>
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: Pick<typeof prisma, "$queryRawUnsafe">): SqlQuery =>
    async (sql, values) =>
      rowsOf(await client.$queryRawUnsafe(sql, ...values))
  const queryIn = (tx: Tx): SqlQuery => {
    // The client's type also fits a transaction.
    if (Object.is(tx, prisma)) throw new TypeError("This is the client, not a transaction of prisma.$transaction.")
    return queryOf(tx)
  }
  return pgQueryStore({
    query: query ?? queryOf(prisma),
    queryIn,
    transaction: (run) => prisma.$transaction(run, { timeout: prismaTime }),
    survivesTermination: true
  })
}

/**
 * A store in PostgreSQL (12 or newer) through Drizzle: `drizzleStore(db, sql)` with `sql` of drizzle-orm. `submit`
 * takes what `db.transaction(async (tx) => …)` hands over.
 */
export const drizzleStore = <Sql, Tx extends { execute(query: Sql): PromiseLike<unknown> }>(
  db: {
    execute(query: Sql): PromiseLike<unknown>
    transaction<A>(run: (tx: Tx) => Promise<A>): Promise<A>
  },
  sql: {
    (strings: TemplateStringsArray, ...values: Array<unknown>): Sql
    raw(sql: string): Sql
    join(pieces: Array<Sql>): Sql
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: { execute(query: Sql): PromiseLike<unknown> }): SqlQuery =>
    async (text, values) => {
      // Every second piece is the number of a placeholder.
      const pieces = text
        .split(/\$(\d+)/)
        .map((piece, index) => (index % 2 === 0 ? sql.raw(piece) : sql`${values[Number(piece) - 1] ?? null}`))
      const result = await client.execute(sql.join(pieces))
      // Results of `pg` have a member `rows`; those of postgres.js are the rows.
      return rowsOf(typeof result === "object" && result !== null && "rows" in result ? result.rows : result)
    }
  return pgQueryStore<Tx>({
    query: query ?? queryOf(db),
    queryIn: queryOf,
    transaction: (run) => db.transaction(run)
  })
}

/**
 * A store in PostgreSQL (12 or newer) through Kysely. `submit` takes what `db.transaction().execute(async (tx) => …)`
 * hands over. Listen to the `error` events of its pool: without a listener, `pg` ends the process when an idle
 * connection breaks. The ledger closes connections that a failover has made read-only.
 *
 * @throws TypeError if it is given a transaction instead of the database
 */
export const kyselyStore = <
  Plain extends {
    /** Takes the result of `CompiledQuery.raw`. */
    executeQuery(query: {
      readonly query: {
        readonly kind: "RawNode"
        readonly sqlFragments: ReadonlyArray<string>
        readonly parameters: ReadonlyArray<never>
      }
      readonly queryId: { readonly queryId: string }
      readonly sql: string
      readonly parameters: ReadonlyArray<unknown>
    }): Promise<{ readonly rows: ReadonlyArray<unknown> }>
  },
  Tx extends { withoutPlugins(): Plain }
>(
  db: {
    readonly isTransaction: boolean
    /** Plugins may rename columns. */
    withoutPlugins(): Plain
    transaction(): { execute<A>(run: (tx: Tx) => Promise<A>): Promise<A> }
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  if (db.isTransaction) throw new TypeError("kyselyStore: this is a transaction. A ledger needs the database.")
  const queryOf = (client: { withoutPlugins(): Plain }): SqlQuery => {
    const plain = client.withoutPlugins()
    return async (sql, parameters) => {
      const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] } as const
      return rowsOf((await plain.executeQuery({ query, queryId: { queryId: "ledger" }, sql, parameters })).rows)
    }
  }
  return pgQueryStore<Tx>({
    query: query ?? endingReadOnly(queryOf(db)),
    queryIn: queryOf,
    transaction: (run) => db.transaction().execute(run)
  })
}

/**
 * A store in PostgreSQL (12 or newer) through a `DataSource` of TypeORM. `submit` takes the manager that
 * `dataSource.transaction(async (manager) => …)` hands over; it throws a `TypeError` for any other manager.
 */
export const typeormStore = <
  Tx extends {
    readonly queryRunner?: { readonly isTransactionActive: boolean } | undefined
    query(sql: string, values?: Array<unknown>): Promise<unknown>
  }
>(
  dataSource: {
    readonly manager: Tx
    query(sql: string, values?: Array<unknown>): Promise<unknown>
    transaction<A>(run: (manager: Tx) => Promise<A>): Promise<A>
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: Pick<typeof dataSource, "query">): SqlQuery =>
    async (sql, values) => {
      const result = await client.query(sql, [...values])
      // Results of UPDATE and DELETE also contain the number of rows.
      return rowsOf(Array.isArray(result) && Array.isArray(result[0]) ? result[0] : result)
    }
  const queryIn = (manager: Tx): SqlQuery => {
    // The type also fits a manager without a transaction.
    if (manager.queryRunner?.isTransactionActive !== true) {
      throw new TypeError("This manager has no transaction: take the one of dataSource.transaction.")
    }
    return queryOf(manager)
  }
  return pgQueryStore({
    query: query ?? endingReadOnly(queryOf(dataSource)),
    queryIn,
    transaction: (run) => dataSource.transaction(run),
    survivesTermination: true
  })
}
