/**
 * The row of the ledger itself: the version of its tables, the installation they belong to, and whether anything may be
 * sent.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Statements from "./Statements.js"
import type { LedgerHealth } from "../model/Lists.js"
import { isError } from "../../basics/AnyRealm.js"
import { type Database, type ReadableDatabase, type StoreError, unavailable } from "./Database.js"
import { hasSqlState } from "./clientResults.js"
import { failingIn, Integer } from "./Rows.js"
import {
  type Migration,
  migrationBlock,
  migrations,
  migrationsFrom,
  revocationBlock,
  schemaVersion
} from "./Migrations.js"
import { defaultSchema, grants, isUndecided } from "./Sql.js"

/** The row, with the database's time when it was read. */
const LedgerRow = Schema.Struct({
  installation: Schema.String,
  paused_at: Schema.NullOr(Integer),
  /** Since when a refund of a payment that is not the ledger's own counts as strange. */
  epoch: Integer,
  /** The time of the backup that was restored, when there was one. */
  distrusted_since: Schema.NullOr(Integer),
  /** The identity of the ledger's database, if it can be determined. */
  identity: Schema.NullOr(Schema.String),
  /** The reported reasons why nothing is sent: for all merchants, and for this one. */
  notified: Schema.NullOr(Schema.String),
  merchant_notified: Schema.NullOr(Schema.String),
  /** What the breaker has stopped: reads, or the changes of an operation, with the payments that have failed. */
  stopped: Schema.NullOr(Schema.String),
  failing: Schema.NullOr(Schema.String),
  now: Integer
})
type LedgerRow = typeof LedgerRow.Type

/** Why nothing is sent. */
export type Blockage =
  | { readonly _tag: "NoTables"; readonly cause: unknown }
  | { readonly _tag: "NoRow"; readonly table: string }
  | { readonly _tag: "UnsafeStore"; readonly problem: string }
  | { readonly _tag: "OldTables" | "NewerRelease" | "Standby" }
  | { readonly _tag: "OtherInstallation"; readonly found: string }
  | { readonly _tag: "AnotherDatabase"; readonly since: number }
  | { readonly _tag: "Paused"; readonly since: number; readonly lasts: number }
  | { readonly _tag: "GatewayAway"; readonly since: number; readonly lasts: number; readonly circuit: string }
  | { readonly _tag: "CredentialsRefused"; readonly since: number; readonly circuit: string }

export interface Inspection {
  readonly blockage: Blockage | undefined
  /** Whether the database has been restored to an earlier time, or a standby was promoted, since the last inspection. */
  readonly isRestored: boolean
  /** Whether the reason why nothing is sent was reported. */
  readonly isNotified: boolean
}

/** Blockages that keep a ledger from sending, but not from working. */
const passing: ReadonlySet<Blockage["_tag"]> = new Set([
  "Paused",
  "AnotherDatabase",
  "GatewayAway",
  "CredentialsRefused"
])

/** Blockages of a single merchant. */
const ofMerchant: ReadonlySet<string> = new Set<Blockage["_tag"]>(["GatewayAway", "CredentialsRefused"])

/** In milliseconds: how long the gateway may take to list a refund. */
export const listTime = 600_000

export type LedgerTable = ReturnType<typeof make>

interface TableOptions {
  readonly installation: string
  readonly schema: string | undefined
  /** The migrations that make its tables. */
  readonly steps?: ReadonlyArray<Migration>
  /** Environment and merchant, by their number in the rows and their name. */
  readonly scope: { readonly id: number; readonly name: string }
}

/**
 * How a ledger distinguishes its database from a copy: by the database's identity and its timeline, which counts
 * restores and promotions. Only PostgreSQL has them, and only some roles may read them.
 */
const identityOf = <Tx>(database: Database<Tx>) =>
  database.dialect === "sqlite"
    ? Effect.undefined
    : Effect.match(
        Statements.make(database).one(
          `SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS own,
           left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline FROM pg_control_system()`
        ),
        {
          onFailure: () => undefined,
          onSuccess: (found) => found && `${String(found["own"])} ${String(found["timeline"])}`
        }
      )

export const make = <Tx>(database: Database<Tx>, options: TableOptions) => {
  const { installation, scope, steps = migrations } = options
  const { isAlone, isBrief, now, one, run } = Statements.make(database)
  const noRow = noRowIn(database, options)
  const claimOn = Statements.notificationClaims(database, "gopay_ledger")
  const claimOfMerchant = Statements.notificationClaims(database, "gopay_scope")
  const { dialect } = database
  const identity = identityOf(database)

  /** Checks whether anything may be sent, and stops all processes if the database is a copy. */
  const inspect: Effect.Effect<Inspection, StoreError> = Effect.gen(function* () {
    const found = yield* Effect.result(
      one(
        `SELECT gopay_ledger.*, gopay_scope.notified AS merchant_notified, ${now} AS now, circuit AS stopped, failing
           FROM gopay_ledger LEFT JOIN gopay_scope ON gopay_scope.id = ?
             LEFT JOIN gopay_breaker ON gopay_breaker.scope = ? AND probe_at IS NOT NULL
           WHERE gopay_ledger.id = 1 ORDER BY CASE WHEN circuit = 'reads' THEN 0 ELSE 1 END, circuit LIMIT 1`,
        [scope.id, scope.id]
      )
    )
    const problem = database.problem?.()
    if (problem !== undefined) return blockedBy({ _tag: "UnsafeStore", problem })
    if (found._tag === "Failure") {
      const { cause } = found.failure
      return isTableMissing(cause) ? blockedBy({ _tag: "NoTables", cause }) : yield* Effect.fail(found.failure)
    }
    if (found.success === undefined) return blockedBy(noRow)
    if (Number(found.success["min_reader"]) > steps.length) return blockedBy({ _tag: "NewerRelease" })
    if (Number(found.success["version"]) < steps.length) return blockedBy({ _tag: "OldTables" })
    const row = yield* Effect.mapError(decodeRow(found.success), (error) =>
      unavailable("The row of gopay_ledger cannot be read. Was it edited by hand?", error)
    )
    if (dialect === "postgres") {
      const recovery = yield* one("SELECT pg_is_in_recovery() AS standby")
      if (recovery?.["standby"] === true) return blockedBy({ _tag: "Standby" })
    }
    const present = yield* identity
    const blockage = blockageOf(row, installation, present)
    if (blockage?._tag === "AnotherDatabase") {
      yield* run(`UPDATE gopay_ledger SET paused_at = ${now} WHERE id = 1 AND paused_at IS NULL AND ${isBrief()}`)
    } else if (present !== undefined && row.identity === null) {
      yield* identify(present)
    }
    const isRestored =
      present !== undefined && row.identity !== null && blockage?._tag !== "AnotherDatabase" && row.identity !== present
    return { blockage, isRestored, isNotified: (row.notified ?? row.merchant_notified) !== null }
  })

  const identify = (present: string) =>
    run(`UPDATE gopay_ledger SET identity = ? WHERE id = 1 AND ${isBrief()}`, [present])

  const enterScope: Effect.Effect<void, StoreError> = Effect.gen(function* () {
    const named = Effect.map(one("SELECT name FROM gopay_scope WHERE id = ?", [scope.id]), (found) => found?.["name"])
    if ((yield* named) === scope.name) return
    yield* run(`INSERT INTO gopay_scope (id, name) SELECT ?, ? WHERE ${isBrief()} ON CONFLICT DO NOTHING`, [
      scope.id,
      scope.name
    ])
    const name = yield* named
    if (name !== scope.name) {
      return yield* Effect.fail(
        unavailable(
          `The rows of ${scope.name} would be mixed up with those of ${String(name)} in this database. Use another database for one of them.`
        )
      )
    }
  })

  /** Fails if the ledger cannot work at all. A pause only keeps it from sending. */
  const check: Effect.Effect<void, StoreError> = Effect.gen(function* () {
    const { blockage } = yield* inspect
    if (blockage !== undefined && !passing.has(blockage._tag)) {
      return yield* Effect.fail(unavailable(sentenceOf(blockage), "cause" in blockage ? blockage.cause : undefined))
    }
    yield* enterScope
    if (dialect === "sqlite") return
    // A caller that is still in the transaction of its first write would never commit a mark before it sends.
    yield* run(`UPDATE gopay_ledger SET version = version WHERE id = 1 AND ${isBrief()}`)
    const state = yield* one(`SELECT ${isAlone} AS alone, current_setting('synchronous_commit') AS commits`)
    if (state?.["alone"] !== true) {
      return yield* Effect.fail(
        unavailable("The ledger's query does not commit: it runs in a transaction that its caller may roll back.")
      )
    }
    if (state["commits"] === "off") {
      return yield* Effect.fail(unavailable("synchronous_commit is off: a crash would lose what was committed."))
    }
  })

  /** Whether anything is sent, and who else has access to the tables. */
  const health: Effect.Effect<LedgerHealth, StoreError> = Effect.gen(function* () {
    const inspection = yield* inspect
    if (dialect === "sqlite" || inspection.blockage?._tag === "NoTables") return healthOf(inspection, [])
    const found = yield* run(`SELECT DISTINCT grantee, is_public FROM (${grants}) AS grants ORDER BY grantee`)
    return healthOf(
      inspection,
      found.map((row) => ({ name: String(row["grantee"]), isPublic: row["is_public"] === true }))
    )
  })

  return {
    migrate: migrating(database, options),
    inspect,
    health,
    noRow,
    check,
    enterScope,
    identity,

    /** An operator knows that the database was restored: the ledger accepts it as it is. */
    acceptRestored: Effect.flatMap(identity, (present) =>
      present === undefined ? Effect.void : Effect.asVoid(identify(present))
    ),

    /** The claim to notify an operator of something about all rows of the database, or of this merchant. */
    notification: (what: Blockage["_tag"] | "DatabaseRestored") =>
      ofMerchant.has(what) ? claimOfMerchant(ofId(scope.id), what) : claimOn(ofId(1), what),

    /** No blockage is left: if one comes back, it is reported again. */
    forgetNotified: Effect.gen(function* () {
      const forget = (table: string, id: number) =>
        run(
          `UPDATE ${table} SET notified = NULL, notifying_until = NULL WHERE id = ? AND notified IS NOT NULL AND ${isBrief()}`,
          [id]
        )
      yield* forget("gopay_ledger", 1)
      yield* forget("gopay_scope", scope.id)
    })
  }
}

const ofId = (id: number): Statements.Condition => ({ sql: "id = ?", values: [id] })

/** Brings the tables of a database to the version of the migrations, in one transaction. */
const migrating = <Tx>(
  database: Database<Tx>,
  options: Pick<TableOptions, "installation" | "schema" | "steps">
): Effect.Effect<void, StoreError> => {
  const { installation, schema, steps = migrations } = options
  const { run } = Statements.make(database)

  /** The version of the tables; 0 if there are none. */
  const versionIn = (query: Database<Tx>["query"]): Effect.Effect<number, StoreError> =>
    run("SELECT version FROM gopay_ledger WHERE id = 1", [], query).pipe(
      Effect.flatMap(([row]) =>
        row === undefined
          ? Effect.fail(unavailable(sentenceOf(noRowIn(database, options))))
          : Effect.succeed(Number(row["version"]))
      ),
      Effect.catchIf(
        // If a role may not use the schema, the migration says which right it lacks.
        ({ cause }) => isTableMissing(cause) || (database.dialect === "postgres" && hasSqlState(cause, "42501")),
        () => Effect.succeed(0)
      )
    )

  return Effect.gen(function* () {
    if ((yield* versionIn(database.query)) >= steps.length) {
      if (database.dialect === "sqlite") return
      const granted = yield* run(
        `SELECT 1 FROM (${grants}) AS grants WHERE is_public AND pg_has_role(owner, 'USAGE') LIMIT 1`
      )
      if (granted.length > 0) yield* database.query(revocationBlock, [])
      return
    }
    // With a large table a step takes longer than a statement may.
    if (database.dialect === "postgres") {
      yield* database.query(migrationBlock(installation, schema, steps), [])
    } else {
      const missing = Effect.fnUntraced(function* (tx: Tx) {
        const query = database.queryIn(tx)
        // Another process may have migrated first.
        const version = yield* versionIn(query)
        for (const statement of migrationsFrom(database, version, installation, steps)) yield* query(statement, [])
      })
      const late = Effect.fail(
        unavailable("The migration did not end in time. It was rolled back: call migrate() again.")
      )
      yield* database.transaction(missing, late)
    }
  })
}

const blockageOf = (row: LedgerRow, installation: string, present: string | undefined): Blockage | undefined => {
  if (row.installation !== installation) return { _tag: "OtherInstallation", found: row.installation }
  // If the identity cannot be determined, the database counts as the same.
  if (row.identity !== null && present !== undefined && row.identity.split(" ")[0] !== present.split(" ")[0]) {
    return { _tag: "AnotherDatabase", since: row.paused_at ?? row.now }
  }
  if (row.paused_at !== null) return { _tag: "Paused", since: row.paused_at, lasts: row.now - row.paused_at }
  if (row.stopped === null) return undefined
  const { isRefused = false, since = row.now } = failingIn(row.failing) ?? {}
  if (isRefused) return { _tag: "CredentialsRefused", since, circuit: row.stopped }
  return { _tag: "GatewayAway", since, lasts: row.now - since, circuit: row.stopped }
}

/** What an operator can do to the ledger's row, and the merchants that have rows. */
export const operating = (
  database: ReadableDatabase,
  installation: string,
  { enterScope, identity, inspect, noRow }: LedgerTable
) => {
  const { isBrief, now, run } = Statements.make(database)
  return {
    /** Stops all sending, in all processes, until `resume`. */
    pause: run(`UPDATE gopay_ledger SET paused_at = ${now} WHERE id = 1 AND paused_at IS NULL AND ${isBrief()}`),

    /** Ends a pause. A copy of the database is left alone: only `distrust` ends that. */
    resume: Effect.gen(function* () {
      const { blockage } = yield* inspect
      if (blockage?._tag === "AnotherDatabase") return yield* Effect.fail(unavailable(sentenceOf(blockage)))
      yield* run(`UPDATE gopay_ledger SET paused_at = NULL, notified = NULL WHERE id = 1 AND ${isBrief()}`)
    }),

    /**
     * Distrusts what the database knows of refunds after a time, in milliseconds: an entry listed since then that is in
     * no row stops a refund. Refunds continue after ten minutes, when the list shows the last forgotten ones. Accepts
     * the database as the ledger's own, and ends its pause.
     */
    distrust: Effect.fnUntraced(function* (since: number) {
      const present = yield* identity
      const [found] = yield* run(
        `UPDATE gopay_ledger SET epoch = CASE WHEN epoch < ? THEN epoch ELSE ? END,
             distrusted_since = CASE WHEN distrusted_since < ? THEN distrusted_since ELSE ? END,
             refunds_from = ${now} + ${listTime},
             identity = ?, paused_at = NULL, notified = NULL
           WHERE id = 1 AND installation = ? AND ${isBrief()} RETURNING id`,
        [since, since, since, since, present ?? null, installation]
      )
      if (found === undefined) {
        const { blockage = noRow } = yield* inspect
        return yield* Effect.fail(unavailable(sentenceOf(blockage)))
      }
      // The backup may be older than the merchant's row.
      yield* enterScope
    }),

    /** The merchants that have rows, with the number of their open changes and of rows that need an operator. */
    scopes: Effect.map(
      run(`SELECT name,
           (SELECT COUNT(*) FROM gopay_change WHERE scope = gopay_scope.id AND ${isUndecided}) AS open,
           (SELECT COUNT(*) FROM gopay_item WHERE scope = gopay_scope.id) AS attention
         FROM gopay_scope WHERE ${hasRows("gopay_change")} OR ${hasRows("gopay_payment")} ORDER BY name`),
      (found) =>
        found.map((row) => ({
          scope: String(row["name"]),
          openChanges: Number(row["open"]),
          attention: Number(row["attention"])
        }))
    )
  }
}

/**
 * Whether a merchant has rows in a table. Ordered, so that the first row is found by an index, whatever the planner
 * estimates; for EXISTS, PostgreSQL reads the whole table if it expects many rows of the merchants.
 */
const hasRows = (table: string): string =>
  `(SELECT 1 FROM ${table} WHERE scope = gopay_scope.id ORDER BY created_at, seq LIMIT 1) IS NOT NULL`

const noRowIn = ({ dialect }: ReadableDatabase, { schema = defaultSchema }: Pick<TableOptions, "schema">) =>
  ({ _tag: "NoRow", table: dialect === "sqlite" ? "gopay_ledger" : `"${schema}".gopay_ledger` }) as const

/** Why nothing is sent, and what to do about it. */
export const sentenceOf = (blockage: Blockage): string => {
  switch (blockage._tag) {
    case "NoTables":
      return "The ledger's tables do not exist: call migrate(), or run ledgerSchema()."
    case "NoRow":
      return (
        "The ledger's row is missing in gopay_ledger. Restore it from a backup, or insert it, then run distrust(): " +
        `INSERT INTO ${blockage.table} (id, version, min_reader, installation) VALUES (1, ${schemaVersion}, ${schemaVersion}, '…')`
      )
    case "OldTables":
      return "The ledger's tables are those of an earlier release: call migrate()."
    case "NewerRelease":
      return "The ledger's tables belong to a newer release of effect-gopay. Deploy that release."
    case "OtherInstallation":
      return `The database belongs to another installation than the configured one: ${blockage.found}. Is it a copy of another environment? Nothing is sent.`
    case "AnotherDatabase":
      return "The database is not the one that the ledger has worked in, but a copy or a restored backup. Nothing is sent until distrust() is run."
    case "Paused":
      return "The ledger is paused. Call resume()."
    case "GatewayAway":
      return blockage.circuit === "reads"
        ? "The gateway answers no read, of several that were tried. Nothing is begun until a read works, which is tried every ten seconds."
        : `The gateway did not answer to several changes in a row (${blockage.circuit}). One is tried after growing pauses, and the rest of them waits until one works; other operations go on.`
    case "UnsafeStore":
      return blockage.problem
    case "CredentialsRefused":
      return blockage.circuit === "reads"
        ? "The gateway refuses the credentials, or something before it refuses the requests (401 or 403). Check the credentials, and what stands between. Nothing is begun until a read works, which is tried every ten seconds."
        : `The gateway, or something before it, refuses changes (${blockage.circuit}, 401 or 403), while reads work. One is tried after growing pauses, and the rest of them waits until one works; other operations go on.`
    case "Standby":
      return "The database is a standby, which takes no writes. Connect to the primary."
  }
}

const blockedBy = (blockage: Blockage): Inspection => ({ blockage, isRestored: false, isNotified: false })

const decodeRow = Schema.decodeUnknownEffect(LedgerRow)

/** PostgreSQL has a code for this. SQLite only has a message, which database clients pass on. */
const isTableMissing = (cause: unknown): boolean =>
  hasSqlState(cause, "42P01") ||
  (isError(cause) && (cause.message.includes("no such table") || isTableMissing(cause.cause)))

/** A role that was granted rights on the tables. */
interface Grantee {
  readonly name: string
  /** Whether everyone has it, or everyone who has the public key of a Supabase site. */
  readonly isPublic: boolean
}

export const healthOf = ({ blockage }: Inspection, grantees: ReadonlyArray<Grantee>): LedgerHealth => {
  const namesOf = (isPublic: boolean) => grantees.filter((role) => role.isPublic === isPublic).map(({ name }) => name)
  const [exposedTo, others] = [namesOf(true), namesOf(false)]
  return {
    ...(blockage === undefined
      ? { isSending: true, message: "Changes are sent." }
      : {
          isSending: false,
          reason: blockage._tag,
          ...("since" in blockage ? { since: new Date(blockage.since).toISOString() } : undefined),
          message: sentenceOf(blockage)
        }),
    ...(exposedTo.length === 0
      ? undefined
      : {
          exposure: {
            roles: exposedTo,
            message: `${exposedTo.join(", ")} ${exposedTo.length === 1 ? "has" : "have"} rights on the ledger's tables: whoever has such a role may read the addresses of pay pages or insert refunds. Call migrate() as the owner of the tables, which revokes these rights.`
          }
        }),
    ...(others.length === 0 ? undefined : { grantees: others })
  }
}

/** FNV-1a with 32 bits. */
const hashOf = (characters: Iterable<string>, basis: number): number => {
  let hash = basis
  for (const character of characters) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/**
 * The number of an environment and a merchant in the rows, with 48 bits. It is a hash of their names, so that no
 * process has to look it up, and none uses another merchant's number when the database is restored to a time before its
 * own. If two merchants have the same number, the ledger detects that when it starts; see the table of scopes.
 */
export const scopeIdOf = (scope: string): number => {
  const characters = Array.from(scope)
  const high = hashOf(characters, 0x811c9dc5)
  const low = hashOf(characters.toReversed(), 0x01000193)
  return high * 2 ** 16 + (low % 2 ** 16)
}
