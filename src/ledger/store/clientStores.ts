/**
 * PostgreSQL through the clients that shops have: Prisma, Drizzle, Kysely, TypeORM, or any that runs SQL.
 */
import type { LedgerStore, SqlQuery, SharedStoreOptions } from "../model/LedgerStore.js"
import { confirming, rowsOf } from "./clientResults.js"

/** The functions of a database client that a ledger needs. */
export interface PgQueryStoreOptions<in out Tx> {
  /** Runs one PostgreSQL statement with `$1` placeholders, outside every transaction of the shop, and commits it. */
  readonly query: SqlQuery
  /** Runs one statement in the shop's transaction. */
  readonly queryIn: (tx: Tx) => SqlQuery
  /**
   * Begins a transaction, runs, and commits; rolls back when it rejects. It gives no connection back before `run` has
   * ended.
   */
  readonly transaction: <A>(run: (tx: Tx) => Promise<A>) => Promise<A>
  /**
   * `false` for a database that one can talk to only by single statements, such as over HTTP, with `queryIn: () =>
   * query` and `transaction: (run) => run(undefined)`. Then `submit` commits by itself, and `onPayment` is called at
   * least once for each event, not exactly once. Default: `true`.
   */
  readonly hasTransactions?: boolean
  /** See `LedgerStore`. Default: `false`. */
  readonly survivesTermination?: boolean
}

/**
 * A store in PostgreSQL (12 or newer) over any client that has no store of its own here. For SQLite there is `fileStore`.
 */
export const pgQueryStore = <Tx>(options: PgQueryStoreOptions<Tx>): LedgerStore<Tx> => ({
  dialect: "postgres",
  ...options,
  transaction: (run) => options.transaction(options.hasTransactions === false ? run : confirming(options.queryIn, run)),
  close: async () => {}
})

/** In milliseconds: more than a ledger gives a transaction. Prisma's own default is 5 seconds. */
const transactionTime = 120_000

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
    // Its type is that of a transaction too.
    if (Object.is(tx, prisma)) throw new TypeError("This is the client, not a transaction of prisma.$transaction.")
    return queryOf(tx)
  }
  return pgQueryStore({
    query: query ?? queryOf(prisma),
    queryIn,
    transaction: (run) => prisma.$transaction(run, { timeout: transactionTime }),
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
      // Every second piece is the number of a value.
      const pieces = text
        .split(/\$(\d+)/)
        .map((piece, index) => (index % 2 === 0 ? sql.raw(piece) : sql`${values[Number(piece) - 1] ?? null}`))
      const result = await client.execute(sql.join(pieces))
      // Those of `pg` have members, those of postgres.js are the rows.
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
 * hands over.
 *
 * @throws TypeError when it is given a transaction in place of the database
 */
export const kyselyStore = <
  Plain extends {
    /** Takes what `CompiledQuery.raw` makes. */
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
    /** Plugins may change the names of columns. */
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
    query: query ?? queryOf(db),
    queryIn: queryOf,
    transaction: (run) => db.transaction().execute(run)
  })
}

/**
 * A store in PostgreSQL (12 or newer) through a `DataSource` of TypeORM. `submit` takes the manager that
 * `dataSource.transaction(async (manager) => …)` hands over; given another one it throws a `TypeError`.
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
      // Those of UPDATE and DELETE come with their number.
      return rowsOf(Array.isArray(result) && Array.isArray(result[0]) ? result[0] : result)
    }
  const queryIn = (manager: Tx): SqlQuery => {
    // Its type is that of a transaction too.
    if (manager.queryRunner?.isTransactionActive !== true) {
      throw new TypeError("This manager has no transaction: take the one of dataSource.transaction.")
    }
    return queryOf(manager)
  }
  return pgQueryStore({
    query: query ?? queryOf(dataSource),
    queryIn,
    transaction: (run) => dataSource.transaction(run),
    survivesTermination: true
  })
}
