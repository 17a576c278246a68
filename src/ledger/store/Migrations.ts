/**
 * The tables of a ledger, as numbered migrations: each runs once, in order, under a lock.
 */
import * as Sql from "./Sql.js"
import { triggered, wakes } from "./Wakes.js"

/** The statements that bring the tables from the version before to this one. @internal */
export type Migration = (types: ReturnType<typeof typesOf>) => ReadonlyArray<string>

/** A database, and its time if that is not its own clock. */
type Target = Parameters<typeof Sql.dialectOf>[0]

/** What differs between the databases in a migration. */
const typesOf = (target: Target) => {
  const isSqlite = target.dialect === "sqlite"
  return {
    dialect: target.dialect,
    now: Sql.dialectOf(target).now,
    /** The type of a running number. */
    seq: isSqlite ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    /** The type of a time or a sum. */
    integer: isSqlite ? "INTEGER" : "BIGINT",
    /** Compares values that may be null. */
    isOther: isSqlite ? "IS NOT" : "IS DISTINCT FROM"
  }
}

type ColumnTypes = ReturnType<typeof typesOf>

/** The tables. The schemas of the rows explain their columns. */
const tables: Migration = ({ integer, seq }) => {
  const owned = `seq ${seq}, scope ${integer} NOT NULL`
  // What was reported to an operator; and, while a process reports it, until when the others leave it to that process.
  const notified = `notified TEXT, notifying_until ${integer}`
  const moving = `${owned}, status TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, process TEXT,
  tries INTEGER NOT NULL DEFAULT 0, created_at ${integer} NOT NULL, next_at ${integer}`
  return [
    // The number of each merchant in an environment, by which all other tables refer to it.
    `CREATE TABLE gopay_scope (
  id ${integer} NOT NULL, name TEXT NOT NULL, ${notified},
  PRIMARY KEY (id))`,
    `CREATE TABLE gopay_change (
  ${moving},
  key TEXT NOT NULL, payment_id TEXT NOT NULL, operation TEXT NOT NULL, hash TEXT NOT NULL, request TEXT, attempt TEXT,
  holds TEXT, record TEXT, entry TEXT, decision TEXT, proposal TEXT, message TEXT, attention TEXT,
  amount ${integer}, sent_at ${integer}, clock_offset ${integer}, decided_at ${integer},
  UNIQUE (scope, key))`,
    `CREATE TABLE gopay_payment (
  ${moving},
  order_number TEXT NOT NULL, attempt TEXT NOT NULL, terms TEXT NOT NULL, needs_payer INTEGER NOT NULL DEFAULT 1,
  is_owned INTEGER NOT NULL DEFAULT 0, moves INTEGER NOT NULL DEFAULT 0, refunded ${integer} NOT NULL DEFAULT 0,
  captured ${integer},
  offered TEXT, payment_id TEXT, parent_id TEXT, gw_url TEXT, state TEXT, hold TEXT, group_name TEXT, reference TEXT,
  decisions TEXT, message TEXT, attention TEXT, doubt TEXT, group_total ${integer}, doubt_since ${integer},
  paid_at ${integer}, pay_until ${integer}, hold_until ${integer}, checked_at ${integer}, moved_at ${integer},
  UNIQUE (scope, attempt), UNIQUE (scope, payment_id))`,
    // The status of an order that the shop was last notified of, and the payment that it is true of. A charge with a
    // number of its own is an order, with its first payment as `parent_id`.
    `CREATE TABLE gopay_order (
  scope ${integer} NOT NULL, order_number TEXT NOT NULL, parent_id TEXT NOT NULL DEFAULT '',
  version ${integer} NOT NULL DEFAULT 1, status TEXT NOT NULL DEFAULT 'open', refunded ${integer} NOT NULL DEFAULT 0,
  payment_id TEXT, withdrawn_at ${integer},
  PRIMARY KEY (scope, order_number, parent_id))`,
    // Whom a refund in the gateway's list belongs to: a change, or no change of the ledger, if it was acknowledged. If
    // two operators have to agree, the acknowledgement is a proposal until the second one confirms it.
    `CREATE TABLE gopay_refund (
  scope ${integer} NOT NULL, change_seq ${integer}, amount ${integer}, acknowledged_at ${integer}, payment_id TEXT NOT NULL,
  refund_id TEXT NOT NULL, acknowledged_by TEXT NOT NULL DEFAULT '', note TEXT NOT NULL DEFAULT '', proposed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (scope, payment_id, refund_id))`,
    // The change that has made the payment of a charge.
    `CREATE TABLE gopay_charge (
  scope ${integer} NOT NULL, payment_id TEXT NOT NULL, change_seq ${integer} NOT NULL,
  PRIMARY KEY (scope, payment_id))`,
    // The first payments whose charges continue after a restore because an operator said so. If two operators have to
    // agree, that is a proposal until the second one confirms it.
    `CREATE TABLE gopay_release (
  scope ${integer} NOT NULL, released_at ${integer} NOT NULL, payment_id TEXT NOT NULL, released_by TEXT NOT NULL,
  note TEXT NOT NULL, proposed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (scope, payment_id, proposed))`,
    `CREATE TABLE gopay_subscription (
  ${moving}, ${notified},
  name TEXT NOT NULL, currency TEXT NOT NULL, first_order TEXT NOT NULL, maximum ${integer} NOT NULL, order_number TEXT,
  payment_id TEXT, awaits TEXT, card_expires TEXT, to_void TEXT, expiry_reported INTEGER NOT NULL DEFAULT 0,
  UNIQUE (scope, name))`,
    `CREATE TABLE gopay_period (
  ${moving}, ${notified},
  subscription TEXT NOT NULL, period TEXT NOT NULL, order_number TEXT NOT NULL, amount ${integer} NOT NULL,
  due_at ${integer} NOT NULL, first_at ${integer}, request TEXT, failure TEXT, payment_id TEXT,
  attempts INTEGER NOT NULL DEFAULT 0, needs_card INTEGER NOT NULL DEFAULT 0, reported_twice INTEGER NOT NULL DEFAULT 0,
  UNIQUE (scope, subscription, period), UNIQUE (scope, order_number, subscription))`,
    // The calls that have failed in a row. If a time of the next probe is set, no new call of this kind begins.
    // `circuit` is reads, or the operation of the changes.
    `CREATE TABLE gopay_breaker (
  scope ${integer} NOT NULL, circuit TEXT NOT NULL, failing TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
  probe_at ${integer},
  PRIMARY KEY (scope, circuit))`,
    // The open items of changes and payments for an operator; their texts are in the row itself. The version is the
    // row's at the last change that an operator can see. Triggers keep them, except for rows that cannot be read.
    `CREATE TABLE gopay_item (
  ${owned}, subject TEXT NOT NULL, subject_seq ${integer} NOT NULL, kind TEXT NOT NULL, version ${integer} NOT NULL, ${notified},
  UNIQUE (subject, subject_seq, kind))`,
    // The handlers of a merchant's processes, until no process has run one for 30 days, or an operator gives it up.
    `CREATE TABLE gopay_handler (
  scope ${integer} NOT NULL, name TEXT NOT NULL, last_run_at ${integer} NOT NULL, expiry_reported_at ${integer}, ${notified},
  PRIMARY KEY (scope, name))`,
    `CREATE TABLE gopay_history (
  seq ${seq}, subject_seq ${integer} NOT NULL, at ${integer} NOT NULL, version ${integer} NOT NULL, refunded ${integer},
  subject TEXT NOT NULL, status TEXT NOT NULL, process TEXT, attempt TEXT, state TEXT, entry TEXT, decision TEXT,
  message TEXT, attention TEXT, listed_before TEXT)`,
    `CREATE TABLE gopay_event (
  ${owned}, change_seq ${integer} NOT NULL, version ${integer} NOT NULL, next_at ${integer} NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0, ${notified})`,
    // Rows that should have been woken but were locked: see the list of wakes.
    `CREATE TABLE gopay_wake (
  ${owned}, source_seq ${integer} NOT NULL, next_at ${integer} NOT NULL, wake TEXT NOT NULL)`,
    `CREATE TABLE gopay_tally (
  ${owned}, subject TEXT NOT NULL, status TEXT NOT NULL, count ${integer} NOT NULL)`
  ]
}

/**
 * The history of the rows, and the outcomes to be reported. Triggers write them, so that no step, release or manual
 * edit can move a row without them, and none needs another statement.
 */
const history: Migration = (types) => {
  const { dialect, isOther, now } = types
  /** The refunds that were listed before the send, from a change's record, as JSON. */
  const listedBefore =
    dialect === "sqlite"
      ? "json_extract(NEW.record, '$.refundsBefore')"
      : "CAST(CAST(NEW.record AS json) -> 'refundsBefore' AS TEXT)"
  return [
    ...historyOf(types, "change", {
      watched: ["status", "attempt", "entry", "decision", "attention"],
      // Neither a lock nor its end without a send adds anything to the step before.
      isSilent: `NEW.status = 'locked' OR (NEW.status = 'queued' AND OLD.status = 'locked' AND NOT (NEW.message ${isOther} OLD.message))`,
      appended: {
        attempt: "CASE WHEN NEW.status = 'sending' THEN NEW.attempt END",
        entry: "NEW.entry",
        decision: "NEW.decision",
        // The row has the other members of the record.
        listed_before: `CASE WHEN NEW.status = 'sending' THEN ${listedBefore} END`
      },
      // An outcome is kept for the shop if the merchant has a handler. A change that was not sent is queued again.
      also: `
  INSERT INTO gopay_event (scope, change_seq, version, next_at)
  SELECT NEW.scope, NEW.seq, NEW.version, ${now} FROM gopay_handler
  WHERE scope = NEW.scope AND name = 'onChange' AND NEW.status <> OLD.status AND NEW.version <> OLD.version
    AND (NEW.status IN ('unknown', 'accepted', 'needsOperator', 'done', 'refused', 'failed')
      OR (NEW.status = 'queued' AND OLD.status NOT IN ('locked', 'sending')));`
    }),
    ...historyOf(types, "payment", {
      watched: ["status", "state", "refunded", "payment_id", "decisions", "attention", "doubt"],
      isSilent: "1 = 0",
      appended: {
        attempt: "CASE WHEN NEW.status = 'creating' OR NEW.version = 1 THEN NEW.attempt END",
        state: "NEW.state",
        refunded: "NEW.refunded",
        entry: "NEW.payment_id",
        decision: "NEW.decisions"
      }
    })
  ]
}

interface History {
  /** Only changes of these columns are appended. Repeated reads count only a few times. */
  readonly watched: ReadonlyArray<string>
  /** The moves that are not appended. */
  readonly isSilent: string
  /** The appended columns, besides those that both tables have. */
  readonly appended: Readonly<Record<string, string>>
  /** Another statement to run when a row has moved. */
  readonly also?: string
}

/**
 * Triggers on a table: a row that is inserted or moves is appended to the history, and its history is deleted with it.
 */
const historyOf = (
  types: ColumnTypes,
  subject: "change" | "payment",
  { also = "", appended, isSilent, watched }: History
): ReadonlyArray<string> => {
  const { isOther, now } = types
  const table = `gopay_${subject}`
  const name = `${table}_history`
  const isMoved = [
    ...watched.map((column) => `NEW.${column} ${isOther} OLD.${column}`),
    `(NEW.message ${isOther} OLD.message AND NEW.tries < 20)`
  ].join(" OR ")
  const append = `INSERT INTO gopay_history (subject, subject_seq, version, at, process, status, message, attention, ${Object.keys(appended).join(", ")})
  VALUES ('${subject}', NEW.seq, NEW.version, ${now}, NEW.process, NEW.status, substr(NEW.message, 1, 1000), ${kindsIn(types)}, ${Object.values(appended).join(", ")});`
  return [
    ...triggerOn(types, { name: `${name}_new`, table, event: "INSERT", body: append }),
    ...triggerOn(types, {
      name,
      table,
      event: "UPDATE",
      when: `(${isMoved}) AND NOT (${isSilent})`,
      body: append + also
    }),
    ...triggerOn(types, {
      name: `${name}_end`,
      table,
      event: "DELETE",
      body: `DELETE FROM gopay_history WHERE subject = '${subject}' AND subject_seq = OLD.seq;`
    })
  ]
}

/** The open items of a row as rows: `key` is the kind, and `value` the text. */
const itemsIn = ({ dialect }: ColumnTypes): string =>
  dialect === "sqlite" ? "json_each(NEW.attention)" : "json_each_text(CAST(NEW.attention AS json))"

/** Their kinds, separated by spaces. */
const kindsIn = (types: ColumnTypes): string =>
  `(SELECT ${types.dialect === "sqlite" ? "group_concat" : "string_agg"}(key, ' ') FROM ${itemsIn(types)})`

/**
 * Keeps a row for each item, which begins and ends with its text. Its version changes with the text, and with anything
 * else that an operator sees of a change: its progress, and another operator's proposal. A lock is not visible.
 */
const items: Migration = (types) => {
  const { isOther } = types
  const shownStatus = (row: "NEW" | "OLD"): string => `REPLACE(${row}.status, 'locked', 'queued')`
  return [
    ...itemsOf(
      types,
      "change",
      `NEW.proposal ${isOther} OLD.proposal OR ${shownStatus("NEW")} <> ${shownStatus("OLD")}`
    ),
    ...itemsOf(types, "payment", "1 = 0")
  ]
}

const itemsOf = (types: ColumnTypes, subject: "change" | "payment", isShownAnew: string): ReadonlyArray<string> => {
  const { dialect, isOther } = types
  const table = `gopay_${subject}`
  const ofRow = (row: "NEW" | "OLD"): string => `subject = '${subject}' AND subject_seq = ${row}.seq`
  const before =
    dialect === "sqlite" ? "json_extract(OLD.attention, '$.' || key)" : "CAST(OLD.attention AS json) ->> key"
  const begin = (isNew: string): string => `INSERT INTO gopay_item (scope, subject, subject_seq, kind, version)
  SELECT NEW.scope, '${subject}', NEW.seq, key, NEW.version FROM ${itemsIn(types)} WHERE ${isNew}
  ON CONFLICT (subject, subject_seq, kind) DO UPDATE SET version = excluded.version;`
  return [
    ...triggerOn(types, {
      name: `${table}_items_new`,
      table,
      event: "INSERT",
      when: "NEW.attention IS NOT NULL",
      body: begin("1 = 1")
    }),
    ...triggerOn(types, {
      name: `${table}_items`,
      table,
      event: "UPDATE",
      when: `NEW.attention ${isOther} OLD.attention OR (NEW.attention IS NOT NULL AND (${isShownAnew}))`,
      body: `DELETE FROM gopay_item WHERE ${ofRow("NEW")} AND kind NOT IN (SELECT key FROM ${itemsIn(types)});
  ${begin(`value ${isOther} (${before}) OR ${isShownAnew}`)}`
    }),
    ...triggerOn(types, {
      name: `${table}_items_end`,
      table,
      event: "DELETE",
      body: `DELETE FROM gopay_item WHERE ${ofRow("OLD")};`
    })
  ]
}

/** The number of settled rows of each status, as rows to be added up, so that no transaction waits for another one. */
const tallies: Migration = (types) => [
  ...tallyOf(types, "change", Sql.isDecidedStatus),
  ...tallyOf(types, "payment", Sql.isSettledStatus)
]

const tallyOf = (types: ColumnTypes, subject: "change" | "payment", isSettled: (row: string) => string) => {
  const table = `gopay_${subject}`
  const tallied = (row: "NEW" | "OLD", count: number): string =>
    `SELECT ${row}.scope, '${subject}', ${row}.status, ${count} WHERE ${isSettled(row)}`
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
  return triggers.flatMap(([suffix, event, when, rows]) => {
    const body = `INSERT INTO gopay_tally (scope, subject, status, count) ${rows};`
    return triggerOn(types, { name: `${table}_tally_${suffix}`, table, event, when, body })
  })
}

/**
 * Each order has a row, whose version increases with each new payment, so that a decision made from the earlier
 * payments is not written. A payment that the shop asks for ends the order's withdrawal.
 *
 * The row of an order that has had no money is deleted with its last payment, unless the order is withdrawn. If another
 * transaction has just locked the row for a new payment, PostgreSQL checks the version again, but not a `NOT EXISTS`.
 */
const orders: Migration = (types) => {
  const isOrderOf = (payment: "NEW" | "OLD") =>
    `scope = ${payment}.scope AND order_number = ${payment}.order_number AND parent_id = COALESCE(${payment}.parent_id, '')`
  return [
    ...triggerOn(types, {
      name: "gopay_payment_order_row",
      table: "gopay_payment",
      event: "INSERT",
      body: `INSERT INTO gopay_order (scope, order_number, parent_id)
  VALUES (NEW.scope, NEW.order_number, COALESCE(NEW.parent_id, ''))
  ON CONFLICT (scope, order_number, parent_id) DO UPDATE SET version = gopay_order.version + 1,
    withdrawn_at = CASE WHEN NEW.status = 'creating' THEN NULL ELSE gopay_order.withdrawn_at END;`
    }),
    ...triggerOn(types, {
      name: "gopay_payment_order_end",
      table: "gopay_payment",
      event: "DELETE",
      // A payment that was certainly not sent is created again.
      when: "OLD.status <> 'creating'",
      body: `DELETE FROM gopay_order WHERE ${isOrderOf("OLD")} AND status IN ('open', 'closed') AND withdrawn_at IS NULL
    AND version = (SELECT version FROM gopay_order WHERE ${isOrderOf("OLD")})
    AND NOT EXISTS (SELECT 1 FROM gopay_payment other WHERE other.scope = OLD.scope
      AND other.order_number = OLD.order_number AND COALESCE(other.parent_id, '') = COALESCE(OLD.parent_id, ''));`
    })
  ]
}

/**
 * Binds a refund of the gateway's list, or the payment of a charge, to a change, in the statement that moves the
 * change. The change does not move if another one has it, or if the refund was acknowledged.
 */
const owners: Migration = (types) => {
  const { dialect, isOther } = types
  const owned = [
    {
      suffix: "refund",
      table: "gopay_refund",
      operation: "refundPayment",
      key: ["payment_id", "refund_id"],
      valuesOf: (change: "NEW" | "OLD") => [`${change}.payment_id`, `${change}.entry`],
      isTakeable: "gopay_refund.proposed = 1",
      ends: ", proposed = 0, amount = NULL, acknowledged_at = NULL, acknowledged_by = '', note = ''"
    },
    {
      suffix: "charge",
      table: "gopay_charge",
      operation: "createRecurrence",
      key: ["payment_id"],
      valuesOf: (change: "NEW" | "OLD") => [`${change}.entry`],
      isTakeable: "1 = 0",
      ends: ""
    }
  ] as const
  return owned.flatMap(({ ends, isTakeable, key, operation, suffix, table, valuesOf }) => {
    const isEntryOf = (change: "NEW" | "OLD") =>
      `scope = ${change}.scope AND ${key.map((column, index) => `${column} = ${valuesOf(change)[index]}`).join(" AND ")}`
    const forgetOld = `DELETE FROM ${table} WHERE ${isEntryOf("OLD")} AND change_seq = OLD.seq;`
    const insert = `INSERT INTO ${table} (scope, ${key.join(", ")}, change_seq)`
    const values = `NEW.scope, ${valuesOf("NEW").join(", ")}, NEW.seq`
    const name = `gopay_change_owns_${suffix}`
    const moves = `NEW.operation = '${operation}' AND NEW.entry ${isOther} OLD.entry`
    const bind =
      dialect === "sqlite"
        ? [
            `CREATE TRIGGER ${name} BEFORE UPDATE ON gopay_change WHEN ${moves} BEGIN
  SELECT RAISE(IGNORE) FROM ${table} WHERE ${isEntryOf("NEW")} AND NOT ${isTakeable};
  DELETE FROM ${table} WHERE ${isEntryOf("NEW")};
  ${forgetOld}
  ${insert} SELECT ${values} WHERE NEW.entry IS NOT NULL;
END`
          ]
        : [
            `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $row_moves$ BEGIN
  IF NEW.entry IS NOT NULL THEN
    ${insert} VALUES (${values})
    ON CONFLICT (scope, ${key.join(", ")}) DO UPDATE SET change_seq = excluded.change_seq${ends} WHERE ${isTakeable};
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
  ${forgetOld}
  RETURN NEW;
END $row_moves$`,
            `CREATE TRIGGER ${name} BEFORE UPDATE ON gopay_change FOR EACH ROW WHEN (${moves}) EXECUTE FUNCTION ${name}()`
          ]
    return [
      ...bind,
      ...triggerOn(types, {
        name: `gopay_change_had_${suffix}`,
        table: "gopay_change",
        event: "DELETE",
        when: `OLD.operation = '${operation}'`,
        body: forgetOld
      })
    ]
  })
}

/** The triggers of the list of wakes: a move of one row makes the rows due that wait for it. */
const triggersOfWakes: Migration = (types) =>
  wakes.flatMap((wake) => {
    const { inserted, moved, name, source } = wake
    const trigger = { table: `gopay_${source}`, body: triggered(wake, types.dialect, types.now) }
    return [
      ...(inserted === undefined
        ? []
        : triggerOn(types, { ...trigger, name: `${name}_new`, event: "INSERT", when: inserted })),
      ...triggerOn(types, { ...trigger, name, event: "UPDATE", when: moved(types.isOther) })
    ]
  })

interface Trigger extends Readonly<Record<"body" | "event" | "name" | "table", string>> {
  readonly when?: string
}

/** A trigger that runs after an event, for each affected row. */
const triggerOn = (
  { dialect }: ColumnTypes,
  { body, event, name, table, when = "1 = 1" }: Trigger
): ReadonlyArray<string> => {
  if (dialect === "sqlite")
    return [`CREATE TRIGGER ${name} AFTER ${event} ON ${table} WHEN ${when} BEGIN\n  ${body}\nEND`]
  return [
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $row_moved$ BEGIN
  ${body}
  RETURN NULL;
END $row_moved$`,
    `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`
  ]
}

/** An index: its table and name, its columns, and how many rows it has; see `statistics`. */
type Index = readonly [
  table: string,
  name: string,
  columns: string,
  rows: string,
  /** The rows that are in it. */
  where?: string,
  unique?: "UNIQUE "
]

// Most changes are done; those are listed by time.
const allIndexes: ReadonlyArray<Index> = [
  ["change", "payment", "scope, payment_id, seq", "1000000 1000000 2 1"],
  ["change", "next", "scope, next_at", "100 100 1", "next_at IS NOT NULL"],
  ["change", "holds", "holds", "100 1", "holds IS NOT NULL", "UNIQUE "],
  ["change", "undecided", "scope, created_at, seq", "100 100 1 1", Sql.isUndecided],
  ["change", "created", "scope, created_at, seq", "1000000 1000000 1 1"],
  ["change", "not_done", "scope, status, created_at, seq", "1000 1000 300 1 1", Sql.isNotDone],
  ["change", "details", "scope, decided_at, seq", "1000000 1000000 1 1", Sql.hasDetails],
  ["payment", "order", "scope, order_number", "1000000 1000000 1"],
  ["payment", "next", "scope, next_at", "1000000 1000000 1", "next_at IS NOT NULL"],
  ["payment", "hold", "scope, hold_until", "100 100 1", "hold_until IS NOT NULL"],
  ["payment", "offered", "offered", "1000000 1", "offered IS NOT NULL", "UNIQUE "],
  ["payment", "group", "scope, group_name", "1000 1000 2", "group_name IS NOT NULL"],
  ["payment", "parent", "scope, parent_id, created_at", "100000 100000 10 1", "parent_id IS NOT NULL"],
  ["payment", "created", "scope, created_at, seq", "1000000 1000000 1 1"],
  ["payment", "state", "scope, state, created_at, seq", "1000000 1000000 200000 1 1"],
  ["payment", "status", "scope, status, created_at, seq", "100 100 30 1 1", Sql.isNotCreated],
  ["payment", "paid", "scope, paid_at, seq", "1000000 1000000 1 1", "paid_at IS NOT NULL"],
  ["payment", "unpaid", `scope, (${Sql.endedAt}), seq`, "1000 1000 1 1", Sql.isUnpaid],
  ["payment", "words", `scope, (${Sql.endedAt}), seq`, "100 100 1 1", Sql.hasWords],
  ["item", "subject", "scope, subject, seq", "10 10 5 1"],
  ["refund", "signed", "scope, acknowledged_at", "1000 1000 1", Sql.isSigned],
  ["release", "signed", "scope, released_at", "10 10 1", Sql.isSignedRelease],
  ["history", "subject", "subject_seq, subject", "5000000 8 5"],
  ["event", "next", "scope, next_at", "10 10 1"],
  ["wake", "next", "scope, next_at", "10 10 1"],
  ["event", "change", "change_seq, seq", "10 1 1"],
  ["subscription", "next", "scope, next_at", "1000 1000 1", "next_at IS NOT NULL"],
  ["subscription", "payment", "scope, payment_id", "10000 10000 1", "payment_id IS NOT NULL"],
  ["subscription", "seq", "scope, seq", "10000 10000 1"],
  ["subscription", "status", "scope, status, seq", "10000 10000 3000 1"],
  ["subscription", "awaits", "scope, awaits", "10 10 1", "awaits IS NOT NULL"],
  ["period", "next", "scope, next_at", "1000 1000 1", "next_at IS NOT NULL"],
  ["period", "key", `scope, ${Sql.periodKey()}`, "100000 100000 1"]
]

/** The indexes that SQLite creates for unique columns, by their numbers, and how many rows they have. */
const ownIndexes = [
  ["change", 1, "1000000 1000000 1"],
  ["payment", 1, "1000000 1000000 1"],
  ["payment", 2, "1000000 1000000 1"],
  ["order", 1, "1000000 1000000 1 1"],
  ["refund", 1, "1000000 1000000 1 1"],
  ["charge", 1, "1000000 1000000 1"],
  ["release", 1, "10 10 1 1"],
  ["subscription", 1, "10000 10000 1"],
  ["period", 1, "100000 100000 10 1"],
  ["period", 2, "100000 100000 1 1"],
  ["breaker", 1, "5 5 1"],
  ["item", 1, "10 5 1 1"]
] as const

const indexes: Migration = () =>
  allIndexes.map(
    ([table, name, columns, , where, unique = ""]) =>
      `CREATE ${unique}INDEX gopay_${table}_${name} ON gopay_${table} (${columns})${where === undefined ? "" : ` WHERE ${where}`}`
  )

/**
 * The statistics for SQLite's planner: how many rows each index has, and how many of them are equal in the first
 * column, in the first two, and so on. They are those of a full ledger, so that no plan depends on whether ANALYZE was
 * run, or when.
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
    // Creates the table of statistics, and then reads it.
    "ANALYZE sqlite_master",
    `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${rows.join(", ")}`,
    "ANALYZE sqlite_master"
  ]
}

/** Until the first release, every change to the tables edits this one step. */
const firstVersion: Migration = (types) =>
  [tables, orders, items, owners, tallies, history, triggersOfWakes, indexes, statistics].flatMap((part) => part(types))

/**
 * The steps, each from the version before. One that leaves rows which an older release would misread raises `min_reader`
 * of `gopay_ledger` to its own version: the older release then sends nothing and says so.
 *
 * @internal
 */
export const migrations: ReadonlyArray<Migration> = [firstVersion]

/** The version of the tables that this release writes and reads. @internal */
export const schemaVersion = migrations.length

/**
 * The row of the ledger itself, with the version of its tables. Its presence says whether a migration is the first one;
 * then the other tables must not exist, since their rows would be another ledger's.
 *
 * `ticked_at` is when a worker last ran. After a restore, refunds wait until the gateway's list has had time to show
 * the last ones (`refunds_from`).
 */
const ledgerTable = ({ integer }: ColumnTypes): string =>
  `CREATE TABLE IF NOT EXISTS gopay_ledger (
  id ${integer} NOT NULL, version ${integer} NOT NULL, min_reader ${integer} NOT NULL, installation TEXT NOT NULL,
  identity TEXT, notified TEXT, paused_at ${integer}, notifying_until ${integer}, distrusted_since ${integer},
  ticked_at ${integer}, epoch ${integer} NOT NULL DEFAULT 0, refunds_from ${integer} NOT NULL DEFAULT 0,
  PRIMARY KEY (id), CHECK (id = 1))`

/**
 * A text literal within a statement. A text that looks like a table's name is split in two, so that no schema is added
 * to it.
 */
const literal = (text: string): string => `'${text.replaceAll("'", "''").replaceAll("gopay_", "gopay' || '_")}'`

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

const tag = "$ledger_migration$"

/**
 * Taken before anything is checked; otherwise processes that migrate at the same time would all find the tables
 * missing.
 */
const takeLock = "PERFORM pg_advisory_xact_lock(7108371);"

/** Creates the schema if it is missing, or says which statement grants this role the right to. */
const createSchema = (schema: string): string => {
  const refuse = (what: string, statement: string): string =>
    `RAISE EXCEPTION 'This role may not ${what}. Have the owner of the database run: %', format('${statement}', current_user)
USING ERRCODE = 'insufficient_privilege';`
  return `IF to_regnamespace('"${schema}"') IS NULL THEN
IF NOT has_database_privilege(current_database(), 'CREATE') THEN
${refuse("create the schema of the ledger''s tables", `CREATE SCHEMA "${schema}" AUTHORIZATION %I`)}
END IF;
CREATE SCHEMA "${schema}";
ELSIF NOT has_schema_privilege('${schema}', 'USAGE') OR NOT has_schema_privilege('${schema}', 'CREATE') THEN
${refuse(`create the ledger''s tables in the schema ${schema}`, `GRANT USAGE, CREATE ON SCHEMA "${schema}" TO %I`)}
END IF;`
}

/** Rows of ledgers in any schema. The name is split in two, so that no schema is added to it. */
const anyLedger =
  "pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relname = 'gopay' || '_ledger' AND relkind = 'r'"

/** If the option that names the schema was lost, no second set of tables is created: an empty one would know no key. */
const onlySet = `IF to_regclass('"${Sql.defaultSchema}".gopay_ledger') IS NULL AND EXISTS (SELECT 1 FROM ${anyLedger}) THEN
RAISE EXCEPTION 'A ledger''s tables are in the schema %, and this ledger names no schema. Name it: schema, or schema: "${Sql.defaultSchema}" for a ledger of its own', (
SELECT string_agg(DISTINCT nspname, ', ') FROM ${anyLedger})
USING ERRCODE = 'invalid_schema_name';
END IF;`

/**
 * Hosts such as Supabase grant all rights on new tables to these roles, which anyone with the public key of a site has.
 */
const revokePublicGrants = `DECLARE granted record; BEGIN
FOR granted IN SELECT DISTINCT relation, kind, grantee FROM (${Sql.grants}) AS grants
WHERE pg_has_role(owner, 'USAGE') AND is_public LOOP
EXECUTE format('REVOKE ALL ON %s %s FROM %s', granted.kind, granted.relation, granted.grantee);
END LOOP;
END;`

/**
 * One statement for PostgreSQL: it takes a lock, makes the steps that the tables lack, and revokes what the database grants
 * by default.
 *
 * @internal
 */
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
  const block = `${ledgerTable(types)};
${firstRow(types, installation)};
${missing.join("\n")}
${revokePublicGrants}`
  return `DO ${tag} BEGIN
${takeLock}
${createSchema(schema ?? Sql.defaultSchema)}
${schema === undefined ? onlySet : ""}
${Sql.inSchema(block, schema ?? Sql.defaultSchema)}
END ${tag}`
}

/** Revokes what the database has granted by default on tables that are up to date. @internal */
export const revocationBlock = `DO ${tag} BEGIN
${takeLock}
${revokePublicGrants}
END ${tag}`

/** Options of `ledgerSchema`. */
export interface LedgerSchemaOptions {
  /** The name of the installation, as in the ledger's options. Default: `main`. */
  readonly installation?: string | undefined
  /**
   * PostgreSQL only: the schema of the tables, as in the ledger's options. It is created where it does not exist. Default:
   * `gopay`.
   */
  readonly schema?: string | undefined
  /** SQLite only: the version of the tables that are there, the `version` of `gopay_ledger`. Default: 0, for none. */
  readonly from?: number | undefined
}

/**
 * The statements that create the tables of a ledger, for the tool that migrates the shop's database. The ledger itself
 * then needs no right to create tables.
 *
 * For PostgreSQL it is one statement, which takes a lock and makes the missing steps. It may be run again, for example
 * after each new release. SQLite has no conditional statements, so for SQLite it is the steps after the version `from`,
 * to be run once, in one transaction. `migrate()` does the same by itself.
 *
 * @throws TypeError when an option is wrong
 */
export const ledgerSchema = (
  dialect: "sqlite" | "postgres",
  { from = 0, installation = "main", schema }: LedgerSchemaOptions = {}
): ReadonlyArray<string> => {
  const problem = installationProblem(installation) ?? (schema === undefined ? undefined : Sql.schemaProblem(schema))
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
