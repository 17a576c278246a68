/**
 * The tables of a ledger, as numbered migrations: each runs once, in order, under a lock.
 */
import { dialectOf } from "./Dialect.js"
import {
  endedAt,
  hasDetails,
  hasWords,
  isNotCreated,
  isNotDone,
  isSigned,
  isUndecided,
  isUnpaid,
  isDecidedStatus,
  isSettledStatus
} from "./RowConditions.js"
import { inSchema, schemaProblem } from "./TableNames.js"

/** What differs between the databases in a migration. */
interface ColumnTypes {
  readonly dialect: "sqlite" | "postgres"
  /** The type of a running number. */
  readonly seq: string
  /** The type of a time or a sum. */
  readonly integer: string
  readonly now: string
  /** Compares what may be null. */
  readonly isOther: string
}

/** The statements that bring the tables of the version before to this one. @internal */
export type Migration = (types: ColumnTypes) => ReadonlyArray<string>

/** A database, and its time where that is not its own clock. */
type Target = Parameters<typeof dialectOf>[0]

const typesOf = (target: Target): ColumnTypes => ({
  dialect: target.dialect,
  seq:
    target.dialect === "sqlite"
      ? "INTEGER PRIMARY KEY AUTOINCREMENT"
      : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  integer: target.dialect === "sqlite" ? "INTEGER" : "BIGINT",
  now: dialectOf(target).now,
  isOther: target.dialect === "sqlite" ? "IS NOT" : "IS DISTINCT FROM"
})

/** The types of columns by their kinds. */
const kindsOf = ({ integer, seq }: ColumnTypes) => ({
  seq,
  text: "TEXT NOT NULL",
  textOrNull: "TEXT",
  integer: `${integer} NOT NULL`,
  integerOrNull: integer,
  sum: `${integer} NOT NULL DEFAULT 0`,
  count: "INTEGER NOT NULL DEFAULT 0",
  one: "INTEGER NOT NULL DEFAULT 1"
})

/** Columns of a kind, with spaces between their names. What they mean, the schemas of the rows say. */
type Columns = readonly [kind: keyof ReturnType<typeof kindsOf>, names: string]

const table = (
  types: ColumnTypes,
  name: string,
  columns: ReadonlyArray<Columns>,
  ...constraints: ReadonlyArray<string>
): string => {
  const kinds = kindsOf(types)
  const lines = columns.flatMap(([kind, names]) => names.split(" ").map((column) => `${column} ${kinds[kind]}`))
  return `CREATE TABLE ${name} (\n  ${[...lines, ...constraints].join(",\n  ")}\n)`
}

/** The columns of a merchant's rows, and those of rows that move. */
const owned: ReadonlyArray<Columns> = [
  ["seq", "seq"],
  ["integer", "scope"]
]
const moving: ReadonlyArray<Columns> = [
  ...owned,
  ["text", "status"],
  ["one", "version"],
  ["textOrNull", "process"],
  ["count", "tries"],
  ["integer", "created_at"],
  ["integerOrNull", "next_at"],
  // The attention that was reported; while a process reports it, until when it is left to that.
  ["textOrNull", "notified"],
  ["integerOrNull", "notifying_until"]
]

/** Whose rows there are: environments and merchants, by their numbers. */
const scopes: Migration = (types) => [
  table(
    types,
    "gopay_scope",
    [
      ["integer", "id"],
      ["text", "name"]
    ],
    "PRIMARY KEY (id)"
  )
]

const changes: Migration = (types) => [
  table(
    types,
    "gopay_change",
    [
      ...moving,
      ["text", "key payment_id operation hash"],
      ["textOrNull", "request attempt holds record entry decision proposal problem attention"],
      ["integerOrNull", "amount sent_at clock_offset decided_at"]
    ],
    "UNIQUE (scope, key)"
  )
]

const payments: Migration = (types) => [
  table(
    types,
    "gopay_payment",
    [
      ...moving,
      ["text", "order_number attempt terms"],
      ["one", "needs_payer"],
      ["count", "is_owned moves"],
      ["sum", "refunded"],
      ["textOrNull", "offered payment_id parent_id gw_url state hold group_name reference"],
      ["textOrNull", "decisions problem attention doubt"],
      ["integerOrNull", "group_total doubt_since paid_at withdrawn_at pay_until hold_until looked_at moved_at"]
    ],
    "UNIQUE (scope, attempt)",
    "UNIQUE (scope, payment_id)"
  )
]

const refunds: Migration = (types) => [
  // The refunds that the ledger did not make. One is proposed until another operator says the same, where two have to agree.
  table(
    types,
    "gopay_refund",
    [
      ["integer", "scope amount acknowledged_at"],
      ["text", "payment_id refund_id acknowledged_by note"],
      ["count", "proposed"]
    ],
    "PRIMARY KEY (scope, payment_id, refund_id)"
  ),
  // The first payments whose charges go on after a restore, since an operator says so.
  table(
    types,
    "gopay_release",
    [
      ["integer", "scope released_at"],
      ["text", "payment_id released_by note"]
    ],
    "PRIMARY KEY (scope, payment_id)"
  )
]

/**
 * The history of the rows, and the outcomes that wait for the shop. Triggers write them, so that no step, no
 * release and no edit by hand moves a row without them, and none costs another statement.
 */
const history: Migration = (types) => {
  const { dialect, isOther, now } = types
  return [
    table(types, "gopay_history", [
      ["seq", "seq"],
      ["integer", "subject_seq at version"],
      ["integerOrNull", "refunded"],
      ["text", "subject status"],
      ["textOrNull", "process attempt state entry decision problem attention listed_before"]
    ]),
    table(types, "gopay_event", [...owned, ["integer", "change_seq version next_at"], ["count", "tries"]]),
    ...historyOf(types, {
      subject: "change",
      watched: ["status", "attempt", "entry", "decision", "attention"],
      // A lock, and its end without a send, say nothing that the step before did not say.
      isSilent: `NEW.status = 'locked' OR (NEW.status = 'queued' AND OLD.status = 'locked' AND NOT (NEW.problem ${isOther} OLD.problem))`,
      appended: appended(now, "change", {
        attempt: "CASE WHEN NEW.status = 'sending' THEN NEW.attempt END",
        entry: "NEW.entry",
        decision: "NEW.decision",
        // Of the record, the row has the rest. One that cannot be read must not keep its row from being set aside.
        listed_before: `CASE WHEN NEW.status = 'sending' AND NEW.attention ${isOther} 'UnreadableRow' THEN ${listedBefore[dialect]} END`
      }),
      onUpdate: [eventOf(now)]
    }),
    ...historyOf(types, {
      subject: "payment",
      watched: ["status", "state", "refunded", "payment_id", "decisions", "attention", "doubt"],
      isSilent: "1 = 0",
      appended: appended(now, "payment", {
        attempt: "CASE WHEN NEW.status = 'creating' OR NEW.version = 1 THEN NEW.attempt END",
        state: "NEW.state",
        refunded: "NEW.refunded",
        entry: "NEW.payment_id",
        decision: "NEW.decisions"
      }),
      onUpdate: []
    })
  ]
}

/**
 * How many settled rows there are of each status: rows that add up, so that no transaction waits for another's. A worker
 * adds them up now and then.
 */
const tallies: Migration = (types) => [
  table(types, "gopay_tally", [...owned, ["text", "subject status"], ["integer", "count"]]),
  ...tallyOf(types, "change", isDecidedStatus),
  ...tallyOf(types, "payment", isSettledStatus)
]

const tallyOf = (
  types: ColumnTypes,
  subject: "change" | "payment",
  isSettled: (row: string) => string
): ReadonlyArray<string> => {
  const table = `gopay_${subject}`
  const tallied = (row: "NEW" | "OLD", count: number): string =>
    `SELECT ${row}.scope, '${subject}', ${row}.status, ${count} WHERE ${isSettled(row)}`
  const into = "INSERT INTO gopay_tally (scope, subject, status, count)"
  const triggers = [
    ["inserted", "INSERT", isSettled("NEW"), tallied("NEW", 1)],
    [
      "moved",
      "UPDATE",
      `NEW.status <> OLD.status AND (${isSettled("NEW")} OR ${isSettled("OLD")})`,
      `${tallied("NEW", 1)} UNION ALL ${tallied("OLD", -1)}`
    ],
    ["removed", "DELETE", isSettled("OLD"), tallied("OLD", -1)]
  ] as const
  return triggers.flatMap(([suffix, event, when, rows]) =>
    triggerOn(types, { name: `${table}_tally_${suffix}`, table, event, when, body: `${into} ${rows};` })
  )
}

/** A trigger that runs after each row that an event concerns. */
const triggerOn = (
  { dialect }: ColumnTypes,
  {
    body,
    event,
    isDeferred = false,
    name,
    table,
    when = "1 = 1"
  }: Readonly<Record<"body" | "event" | "name" | "table", string>> & {
    readonly when?: string
    /** Whether it runs when the transaction ends, in PostgreSQL. */
    readonly isDeferred?: boolean
  }
): ReadonlyArray<string> =>
  dialect === "sqlite"
    ? [`CREATE TRIGGER ${name} AFTER ${event} ON ${table} WHEN ${when} BEGIN\n  ${body}\nEND`]
    : [
        procedure(name, body),
        `CREATE ${isDeferred ? "CONSTRAINT " : ""}TRIGGER ${name} AFTER ${event} ON ${table}${
          isDeferred ? " DEFERRABLE INITIALLY DEFERRED" : ""
        } FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`
      ]

/** The refunds that a change's record has from the list before its send, as JSON. */
const listedBefore: Readonly<Record<ColumnTypes["dialect"], string>> = {
  sqlite: "json_extract(NEW.record, '$.refundsBefore')",
  postgres: "CAST(CAST(NEW.record AS json) -> 'refundsBefore' AS TEXT)"
}

/** The statement that appends how a row stands to the history. */
const appended = (now: string, subject: string, columns: Readonly<Record<string, string>>): string =>
  `INSERT INTO gopay_history (subject, subject_seq, version, at, process, status, problem, attention, ${Object.keys(columns).join(", ")})
  VALUES ('${subject}', NEW.seq, NEW.version, ${now}, NEW.process, NEW.status, substr(NEW.problem, 1, 1000), NEW.attention, ${Object.values(columns).join(", ")})`

/** The statement that keeps an outcome for the shop, where it is told. One that was not sent is queued again. */
const eventOf = (now: string): string =>
  `INSERT INTO gopay_event (scope, change_seq, version, next_at)
  SELECT NEW.scope, NEW.seq, NEW.version, ${now} FROM gopay_ledger
  WHERE id = 1 AND tells_since IS NOT NULL AND NEW.status <> OLD.status AND NEW.version <> OLD.version
    AND (NEW.status IN ('unknown', 'accepted', 'needsOperator', 'done', 'refused', 'failed')
      OR (NEW.status = 'queued' AND OLD.status NOT IN ('locked', 'sending')))`

/** What is appended of a table to the history. */
interface History {
  readonly subject: "change" | "payment"
  /** The columns whose changes are appended. What is read again and again counts a few times only. */
  readonly watched: ReadonlyArray<string>
  /** The moves that are not appended. */
  readonly isSilent: string
  readonly appended: string
  /** What is done when a row has moved, too. */
  readonly onUpdate: ReadonlyArray<string>
}

/** Triggers on a table: each row that is new or has moved is appended to the history, which ends with the row. */
const historyOf = (
  types: ColumnTypes,
  { appended, isSilent, onUpdate, subject, watched }: History
): ReadonlyArray<string> => {
  const table = `gopay_${subject}`
  const name = `${table}_history`
  const isMoved = [
    ...watched.map((column) => `NEW.${column} ${types.isOther} OLD.${column}`),
    `(NEW.problem ${types.isOther} OLD.problem AND NEW.tries < 20)`
  ].join(" OR ")
  const removed = `DELETE FROM gopay_history WHERE subject = '${subject}' AND subject_seq = OLD.seq;`
  return [
    ...triggerOn(types, { name: `${name}_new`, table, event: "INSERT", body: `${appended};` }),
    ...triggerOn(types, {
      name,
      table,
      event: "UPDATE",
      when: `(${isMoved}) AND NOT (${isSilent})`,
      body: [appended, ...onUpdate].map((statement) => `${statement};`).join("\n  ")
    }),
    ...triggerOn(types, { name: `${name}_end`, table, event: "DELETE", body: removed })
  ]
}

/**
 * What a change that has moved makes due, in the statement that moves it: when it lets its payment go, the payment's next
 * change, and when it is decided, the payment.
 *
 * A payment is locked for as long as the shop's handler takes, and no change waits for that: whoever has
 * locked it for long looks again by himself.
 */
const wakes: Migration = (types) => {
  const { dialect, isOther, now } = types
  const isFree = "NEW.operation <> 'createRecurrence' AND NEW.holds IS NULL"
  const next = {
    name: "gopay_change_wakes_next",
    when: `${isFree} AND NEW.status <> 'queued' AND (OLD.holds IS NOT NULL OR OLD.status = 'queued')`,
    body: `UPDATE gopay_change SET next_at = ${now}, version = version + 1 WHERE seq = (
    SELECT MIN(seq) FROM gopay_change WHERE scope = NEW.scope AND payment_id = NEW.payment_id
      AND status = 'queued' AND operation <> 'createRecurrence');`
  }
  const isOfChange = "scope = NEW.scope AND payment_id = NEW.payment_id AND status = 'created'"
  const woken = (locked: string): string =>
    `UPDATE gopay_payment SET next_at = ${now}, tries = 0, version = version + 1 WHERE seq IN (SELECT seq FROM gopay_payment WHERE ${isOfChange}${locked});`
  const payment = {
    name: "gopay_change_wakes_payment",
    when: `${isFree} AND NEW.status IN ('done', 'refused', 'failed')
    AND (NEW.status <> OLD.status OR NEW.entry ${isOther} OLD.entry OR OLD.holds IS NOT NULL)`,
    body:
      dialect === "sqlite" ? woken("") : untilUnlocked(woken(" FOR UPDATE SKIP LOCKED"), "gopay_payment", isOfChange)
  }
  return [next, payment].flatMap((trigger) => triggerOn(types, { ...trigger, table: "gopay_change", event: "UPDATE" }))
}

/** Makes an update of rows that are not locked, in PostgreSQL, and waits a moment for those that are. */
const untilUnlocked = (update: string, table: string, condition: string): string => `FOR try IN 1..10 LOOP
    ${update}
    EXIT WHEN FOUND OR NOT EXISTS (SELECT 1 FROM ${table} WHERE ${condition});
    PERFORM pg_sleep(0.02);
  END LOOP;`

/** A function of PostgreSQL that a trigger calls. */
const procedure = (name: string, body: string): string =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $row_moved$ BEGIN
  ${body}
  RETURN NULL;
END $row_moved$`

const subscriptions: Migration = (types) => [
  table(
    types,
    "gopay_subscription",
    [
      ...moving,
      ["text", "name currency first_order"],
      ["integer", "maximum"],
      ["textOrNull", "order_number payment_id awaits card_expires to_void"],
      ["count", "expiry_told"]
    ],
    "UNIQUE (scope, name)"
  ),
  table(
    types,
    "gopay_period",
    [
      ...moving,
      ["text", "subscription period order_number"],
      ["integer", "amount due_at"],
      ["integerOrNull", "first_at"],
      ["textOrNull", "request failure payment_id"],
      ["count", "attempts needs_card twice_told"]
    ],
    "UNIQUE (scope, subscription, period)",
    "UNIQUE (scope, order_number, subscription)"
  )
]

/**
 * What concerns a subscription makes it, or its period, due in the statement that it happens by: a charge that is decided,
 * and money for the payment that it waits for.
 *
 * What a handler of the shop's has locked is not waited for: see `SubscriptionEvents`. In PostgreSQL a first payment wakes
 * its subscription when its transaction ends, so that no handler locks a subscription.
 */
const subscriptionWakes: Migration = (types) => {
  const { dialect, isOther, now } = types
  const woken = (table: string, condition: string): string => {
    const update = (locked: string): string =>
      `UPDATE ${table} SET next_at = ${now}, tries = 0, version = version + 1
    WHERE seq IN (SELECT seq FROM ${table} WHERE ${condition}${locked});`
    return dialect === "sqlite" ? update("") : untilUnlocked(update(" FOR UPDATE SKIP LOCKED"), table, condition)
  }
  return [
    ...triggerOn(types, {
      name: "gopay_change_wakes_period",
      table: "gopay_change",
      event: "UPDATE",
      when: `NEW.operation = 'createRecurrence' AND NEW.key LIKE 'subscription:%' AND NEW.status <> OLD.status
    AND ${isDecidedStatus("NEW")}`,
      body: woken("gopay_period", `scope = NEW.scope AND ${periodKey} = rtrim(NEW.key, '0123456789')`)
    }),
    ...triggerOn(types, {
      name: "gopay_payment_wakes_subscription",
      table: "gopay_payment",
      event: "UPDATE",
      when: `NEW.parent_id IS NULL AND NEW.terms LIKE '%"recurrence"%' AND NEW.state ${isOther} OLD.state
    AND NEW.state IN ('AUTHORIZED', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')`,
      body: woken("gopay_subscription", "scope = NEW.scope AND awaits = NEW.order_number"),
      isDeferred: true
    })
  ]
}

/** The key of the charges of a period, without the number of the attempt. */
const periodKey = "('subscription:' || subscription || ':' || period || ':')"

/** The calls of a merchant that failed one after another: with a time of the next probe nothing of their kind is begun. */
const breakers: Migration = (types) => [
  table(
    types,
    "gopay_breaker",
    [
      ["integer", "scope"],
      // `circuit` is reads, or the operation of the changes.
      ["text", "circuit failing"],
      ["count", "tries"],
      ["integerOrNull", "probe_at"]
    ],
    "PRIMARY KEY (scope, circuit)"
  )
]

/** An index: its table and its name, its columns, and how many rows it has; see `statistics`. */
type Index = readonly [
  table: string,
  name: string,
  columns: string,
  rows: string,
  /** The rows that are in it. */
  where?: string,
  unique?: "UNIQUE "
]

// Most changes are done: those are listed by their time.
const allIndexes: ReadonlyArray<Index> = [
  ["change", "payment", "scope, payment_id, seq", "1000000 1000000 2 1"],
  ["change", "next", "scope, next_at", "100 100 1", "next_at IS NOT NULL"],
  ["change", "holds", "holds", "100 1", "holds IS NOT NULL", "UNIQUE "],
  ["change", "attention", "scope, created_at, seq", "10 10 1 1", "attention IS NOT NULL"],
  ["change", "undecided", "scope, created_at, seq", "100 100 1 1", isUndecided],
  ["change", "created", "scope, created_at, seq", "1000000 1000000 1 1"],
  ["change", "not_done", "scope, status, created_at, seq", "1000 1000 300 1 1", isNotDone],
  ["change", "details", "scope, decided_at, seq", "1000000 1000000 1 1", hasDetails],
  ["payment", "order", "scope, order_number", "1000000 1000000 1"],
  ["payment", "next", "scope, next_at", "1000000 1000000 1", "next_at IS NOT NULL"],
  ["payment", "offered", "offered", "1000000 1", "offered IS NOT NULL", "UNIQUE "],
  ["payment", "attention", "scope, created_at, seq", "10 10 1 1", "attention IS NOT NULL"],
  ["payment", "group", "scope, group_name", "1000 1000 2", "group_name IS NOT NULL"],
  ["payment", "parent", "scope, parent_id, created_at", "100000 100000 10 1", "parent_id IS NOT NULL"],
  ["payment", "created", "scope, created_at, seq", "1000000 1000000 1 1"],
  ["payment", "state", "scope, state, created_at, seq", "1000000 1000000 200000 1 1"],
  ["payment", "status", "scope, status, created_at, seq", "100 100 30 1 1", isNotCreated],
  ["payment", "paid", "scope, paid_at, seq", "1000000 1000000 1 1", "paid_at IS NOT NULL"],
  ["payment", "unpaid", `scope, (${endedAt}), seq`, "1000 1000 1 1", isUnpaid],
  ["payment", "words", `scope, (${endedAt}), seq`, "100 100 1 1", hasWords],
  ["refund", "signed", "scope, acknowledged_at", "1000 1000 1", isSigned],
  ["history", "subject", "subject_seq, subject", "5000000 8 5"],
  ["event", "next", "scope, next_at", "10 10 1"],
  ["event", "change", "change_seq, seq", "10 1 1"],
  ["subscription", "next", "scope, next_at", "1000 1000 1", "next_at IS NOT NULL"],
  ["subscription", "payment", "scope, payment_id", "10000 10000 1", "payment_id IS NOT NULL"],
  ["subscription", "seq", "scope, seq", "10000 10000 1"],
  ["subscription", "status", "scope, status, seq", "10000 10000 3000 1"],
  ["subscription", "awaits", "scope, awaits", "10 10 1", "awaits IS NOT NULL"],
  ["period", "next", "scope, next_at", "1000 1000 1", "next_at IS NOT NULL"],
  ["period", "key", `scope, ${periodKey}`, "100000 100000 1"]
]

/** The indexes that SQLite makes of what is unique in a table, by their numbers, and how many rows they have. */
const ownIndexes = [
  ["change", 1, "1000000 1000000 1"],
  ["payment", 1, "1000000 1000000 1"],
  ["payment", 2, "1000000 1000000 1"],
  ["refund", 1, "1000 1000 1 1"],
  ["subscription", 1, "10000 10000 1"],
  ["period", 1, "100000 100000 10 1"],
  ["period", 2, "100000 100000 1 1"],
  ["breaker", 1, "5 5 1"]
] as const

const indexes: Migration = () =>
  allIndexes.map(
    ([table, name, columns, , where, unique = ""]) =>
      `CREATE ${unique}INDEX gopay_${table}_${name} ON gopay_${table} (${columns})${where === undefined ? "" : ` WHERE ${where}`}`
  )

/**
 * What SQLite plans by: of each index how many rows it has, and how many of them are alike in its first column, its first
 * two, and so on. A full ledger's, so that no plan depends on whether someone has run ANALYZE, or when.
 */
const statistics: Migration = ({ dialect }) => {
  if (dialect === "postgres") return []
  const rows = [
    ...allIndexes.map(([table, name, , rows]) => `('gopay_${table}', 'gopay_${table}_${name}', '${rows}')`),
    ...ownIndexes.map(
      ([table, number, rows]) => `('gopay_${table}', 'sqlite_autoindex_gopay_${table}_${number}', '${rows}')`
    )
  ]
  return [
    // It makes the table of statistics, and then reads what is in it.
    "ANALYZE sqlite_master",
    `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${rows.join(", ")}`,
    "ANALYZE sqlite_master"
  ]
}

/** Until the first release every change of the tables edits this one step. */
const firstVersion: Migration = (types) =>
  [
    scopes,
    changes,
    payments,
    refunds,
    tallies,
    history,
    wakes,
    subscriptions,
    subscriptionWakes,
    breakers,
    indexes,
    statistics
  ].flatMap((part) => part(types))

/**
 * The steps, each from the version before. One that leaves rows which an older release would misread raises `min_reader`
 * of `gopay_ledger` to its own version: the older release then sends nothing and says so.
 *
 * @internal
 */
export const migrations: ReadonlyArray<Migration> = [firstVersion]

/** The version of the tables that this release writes and reads. @internal */
export const schemaVersion = migrations.length

/** The row of the ledger itself, which says which version the tables have. */
const ledgerTable = (types: ColumnTypes): string =>
  table(
    types,
    // Whoever migrates finds it there or not. The other tables must not be there before: their rows are another ledger's.
    "IF NOT EXISTS gopay_ledger",
    [
      ["integer", "id version min_reader"],
      ["text", "installation"],
      ["textOrNull", "identity notified"],
      // Until a process tells outcomes to the shop (`tells_since`), none is kept for it. A worker ran last at `ticked_at`.
      ["integerOrNull", "paused_at notifying_until distrusted_since tells_since ticked_at"],
      // After a restore, refunds wait until the gateway's list has had time to show the last ones (`refunds_from`).
      ["sum", "epoch refunds_from"]
    ],
    "PRIMARY KEY (id)",
    "CHECK (id = 1)"
  )

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const firstRow = ({ now }: ColumnTypes, installation: string): string =>
  `INSERT INTO gopay_ledger (id, version, min_reader, installation, epoch)
VALUES (1, 0, 1, ${literal(installation)}, ${now}) ON CONFLICT (id) DO NOTHING`

/** The statements from a version of the tables to the newest; `migrate` runs them in one transaction. @internal */
export const migrationsFrom = (
  target: Target,
  version: number,
  installation: string,
  steps: ReadonlyArray<Migration> = migrations
): ReadonlyArray<string> => {
  const types = typesOf(target)
  return [
    ...(version === 0 ? [ledgerTable(types), firstRow(types, installation)] : []),
    ...steps.slice(version).flatMap((step, index) => statementsOf(types, step, version + index + 1))
  ]
}

const statementsOf = (types: ColumnTypes, step: Migration, version: number): ReadonlyArray<string> => [
  ...step(types),
  `UPDATE gopay_ledger SET version = ${version} WHERE id = 1`
]

/** One statement for PostgreSQL: it takes a lock, and makes the steps that the tables lack. @internal */
export const migrationBlock = (
  installation: string,
  schema: string | undefined,
  steps: ReadonlyArray<Migration> = migrations
): string => {
  const types = typesOf({ dialect: "postgres" })
  const missing = steps.map(
    (step, index) =>
      `IF (SELECT version FROM gopay_ledger WHERE id = 1) < ${index + 1} THEN
${statementsOf(types, step, index + 1).join(";\n")};
END IF;`
  )
  const block = `PERFORM pg_advisory_xact_lock(7108371);
${ledgerTable(types)};
${firstRow(types, installation)};
${missing.join("\n")}`
  return `DO ${tag} BEGIN
${schema === undefined ? onlySet : `IF to_regnamespace('"${schema}"') IS NULL THEN CREATE SCHEMA "${schema}"; END IF;`}
${inSchema(block, schema)}
END ${tag}`
}

/** Where the `search_path` was lost, no second set of tables is made: an empty one knows no key. */
const onlySet = `IF to_regclass('gopay_ledger') IS NULL AND EXISTS (SELECT 1 FROM pg_class WHERE relname = 'gopay_ledger' AND relkind = 'r') THEN
RAISE EXCEPTION 'The ledger''s tables are in the schema %, which is not in the search_path of this connection. Restore the search_path, or name the schema of this ledger: schema', (
SELECT string_agg(DISTINCT nspname, ', ') FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relname = 'gopay_ledger' AND relkind = 'r')
USING ERRCODE = 'invalid_schema_name';
END IF;`

const tag = "$ledger_migration$"

/**
 * Options of `ledgerSchema`.
 *
 * @category ledger
 */
export interface LedgerSchemaOptions {
  /** The name of the installation, as in the ledger's options. Default: `main`. */
  readonly installation?: string | undefined
  /** PostgreSQL only: the schema of the tables, as in the ledger's options. It is created where it does not exist. */
  readonly schema?: string | undefined
  /** SQLite only: the version of the tables that are there, the `version` of `gopay_ledger`. Default: 0, for none. */
  readonly from?: number | undefined
}

/**
 * The statements that make the tables of a ledger, for whatever migrates the shop's database. The ledger itself then
 * needs no right to make tables.
 *
 * For PostgreSQL it is one statement, which takes a lock, makes the steps that are missing, and may be run again, also
 * after each new release. SQLite has no conditional statements: there it is the steps after the version `from`, to be
 * run once, in one transaction. `migrate()` does the same by itself.
 *
 * @throws TypeError when an option is wrong
 * @category ledger
 */
export const ledgerSchema = (
  dialect: "sqlite" | "postgres",
  { from = 0, installation = "main", schema }: LedgerSchemaOptions = {}
): ReadonlyArray<string> => {
  const problem = installationProblem(installation) ?? (schema === undefined ? undefined : schemaProblem(schema))
  if (problem !== undefined) throw new TypeError(`ledgerSchema: ${problem}`)
  if (dialect === "postgres") return [migrationBlock(installation, schema)]
  if (schema !== undefined) throw new TypeError("ledgerSchema: schema is for PostgreSQL")
  if (!Number.isInteger(from) || from < 0 || from > schemaVersion) {
    throw new TypeError(`ledgerSchema: from must be an integer from 0 to ${schemaVersion}`)
  }
  return migrationsFrom({ dialect }, from, installation)
}

/** What is wrong with the name of an installation. It is a literal in the statement that signs the database. */
export const installationProblem = (installation: string): string | undefined =>
  /^[^\p{Cc}$\\]{1,100}$/u.test(installation)
    ? undefined
    : "installation must have 1 to 100 characters, without $, backslashes and control characters"
