/**
 * The SQL that migrations and statements share: the differences between SQLite and PostgreSQL, the names of tables in a
 * schema, and the conditions of partial indexes.
 */
import type { LedgerStore } from "../model/LedgerStore.js"

export const dialectOf = ({ dialect, now: given }: Pick<LedgerStore<never>, "dialect" | "now">) => {
  const now =
    given ??
    (dialect === "sqlite"
      ? "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
      : "FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint")
  return {
    /** The database's time, in milliseconds since 1970. In PostgreSQL it advances within a transaction as well. */
    now,
    /** The same time as a subquery, which is computed once and can use an index. */
    nowOnce: `(SELECT ${now})`,
    /** Turns `?` into the placeholders of the database. */
    placeholders: dialect === "sqlite" ? (sql: string) => sql : numbered,
    /** True unless the statement is part of a transaction that has written before, and may be rolled back. */
    isAlone: dialect === "sqlite" ? "1 = 1" : "txid_current_if_assigned() IS NULL",
    /**
     * True while the lease of a row has not expired. The `COALESCE` keeps PostgreSQL from using the index of due rows:
     * with old statistics it expects that index to be empty, and would read all of it to find one row.
     */
    isLeased: `COALESCE(next_at, 0) > ${now}`,
    /** The items of a row after a patch, which is JSON: see `ItemPatch`. They stay in the order in which they began. */
    patchedItems: dialect === "sqlite" ? "NULLIF(json_patch(COALESCE(attention, '{}'), ?), '{}')" : patchedInPostgres
  }
}

/** JSON rather than JSONB, which would sort the kinds. */
const patchedInPostgres = `(SELECT '{' || string_agg(
    to_json(COALESCE(open.kind, patch.kind)) || ':' || to_json(CASE WHEN patch.kind IS NULL THEN open.words ELSE patch.words END),
    ',' ORDER BY open.place, patch.place) || '}'
  FROM json_each_text(CAST(COALESCE(attention, '{}') AS json)) WITH ORDINALITY AS open (kind, words, place)
    FULL JOIN json_each_text(CAST(CAST(? AS text) AS json)) WITH ORDINALITY AS patch (kind, words, place)
      ON patch.kind = open.kind
  WHERE patch.kind IS NULL OR patch.words IS NOT NULL)`

const numbered = (sql: string): string => {
  let count = 0
  return sql.replace(/\?/g, () => `$${++count}`)
}

export const tableNames = [
  "gopay_ledger",
  "gopay_scope",
  "gopay_change",
  "gopay_payment",
  "gopay_order",
  "gopay_refund",
  "gopay_charge",
  "gopay_release",
  "gopay_handler",
  "gopay_item",
  "gopay_history",
  "gopay_event",
  "gopay_wake",
  "gopay_tally",
  "gopay_subscription",
  "gopay_period",
  "gopay_breaker"
] as const

/** A name that already has its schema stays as it is. */
const tables = new RegExp(String.raw`(?<!\.)\b(?:${tableNames.join("|")})\b`, "g")
const functions = /\bFUNCTION (?=gopay_)/g

/**
 * The schema of the tables in PostgreSQL. Some hosts grant everyone rights on whatever is in `public`; none does that
 * for this schema.
 */
export const defaultSchema = "gopay"

/** A statement on the tables of a schema. */
export const inSchema = (sql: string, schema: string): string =>
  sql.replace(tables, `"${schema}".$&`).replace(functions, `$&"${schema}".`)

/** What is wrong with the name of a schema, which becomes part of statements. */
export const schemaProblem = (schema: string): string | undefined =>
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema)
    ? undefined
    : "schema must have 1 to 63 letters, digits and underscores, and begin with none of the digits"

const ownTables = tableNames.map((name) => `to_regclass('${name}')`).join(", ")

/**
 * Who was granted rights on the ledger's tables and sequences in PostgreSQL, besides their owner. `is_public` marks the
 * roles that everyone has, or everyone who has the public key of a Supabase site.
 */
export const grants = `SELECT c.oid::regclass AS relation, c.relowner AS owner,
  CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
  CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS grantee,
  acl.grantee = 0 OR pg_get_userbyid(acl.grantee) IN ('anon', 'authenticated') AS is_public
FROM (
  SELECT unnest(ARRAY[${ownTables}]::oid[]) AS oid
  UNION SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass
    AND refobjid = ANY (ARRAY[${ownTables}]::oid[])) own
JOIN pg_class c ON c.oid = own.oid AND c.relkind IN ('r', 'S') CROSS JOIN LATERAL (
  SELECT grantee FROM aclexplode(c.relacl)
  UNION SELECT (aclexplode(a.attacl)).grantee FROM pg_attribute a WHERE a.attrelid = c.oid) acl
WHERE acl.grantee <> c.relowner`

// A statement that should use a partial index has to contain its condition word for word, since SQLite compares the
// text.

export const isUndecided = "status NOT IN ('done', 'refused', 'failed')"

/** A change that was not done, or not yet. */
export const isNotDone = "status <> 'done'"

export const hasDetails = "request IS NOT NULL"

/** When a payment ended, if it has. */
export const endedAt = "COALESCE(moved_at, created_at)"

/** A payment that ended without money. */
export const isUnpaid = "next_at IS NULL AND (status = 'lost' OR state IN ('CANCELED', 'TIMEOUTED'))"

/** A payment that still has texts to erase. */
export const hasWords = `next_at IS NULL AND (message IS NOT NULL OR REPLACE(decisions, '"by":""', '') LIKE '%"by":%')`

/** An acknowledgement that still has an operator's name or note. */
export const isSigned = "(acknowledged_by <> '' OR note <> '')"

/** A release of charges that still has an operator's name or note. */
export const isSignedRelease = "(released_by <> '' OR note <> '')"

/** Whether a row of changes has a decided status; decided rows are counted by tallies. */
export const isDecidedStatus = (row: string): string => `${row}.status IN ('done', 'refused', 'failed')`

/** Whether a row of payments has a status that is counted by tallies. */
export const isSettledStatus = (row: string): string => `${row}.status IN ('created', 'lost')`

export const isNotCreated = "status <> 'created'"

/** A payment with a status that no tally counts. */
export const isUnsettled = `status IN ('creating', 'inDoubt', 'unknown') AND ${isNotCreated}`

/**
 * The key of the charges of a period, without the number of the attempt. `of` is a prefix for its columns, such as
 * `gopay_period.`.
 */
export const periodKey = (of = ""): string => `('subscription:' || ${of}subscription || ':' || ${of}period || ':')`
