/**
 * The statements on the items of a table's rows: what needs an operator, and which process notifies one. The text of an
 * item is in its row, and begins and ends with a move of that row (see the migrations), except for rows that cannot be
 * read.
 */
import * as Effect from "effect/Effect"
import type { AttentionItem, AttentionKind } from "../model/Attention.js"
import type { Subject } from "../model/Decisions.js"
import type { SqlRow, SqlValue } from "../model/LedgerStore.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import type { RowWithItems, SeenItem } from "./Items.js"
import { numberIn, type Rows, unreadableItem, type UnreadableNames, type UnreadableRow } from "./Rows.js"
import * as Statements from "./Statements.js"
import type { Condition, NotificationClaim } from "./Statements.js"

/** An item that no operator has been notified of, and the claim of the process that notifies. */
export interface UnnotifiedItem {
  readonly item: AttentionItem
  readonly claim: NotificationClaim
}

/** Items with their rows, and the rows with items that cannot be read. */
export interface FoundItems<out Row> {
  readonly items: ReadonlyArray<{ readonly row: Row; readonly item: SeenItem }>
  readonly unreadable: ReadonlyArray<UnreadableRow>
}

/** A page of items that no operator has been notified of. */
export interface UnnotifiedItems<out Row> extends FoundItems<Row> {
  /** The number of the last item of the page; absent when there are no more. */
  readonly lastSeq: number | undefined
}

/** List entries of items, with the numbers of their rows. */
export type ListedItems = ReadonlyArray<{ readonly item: AttentionItem; readonly seq: number }>

/** How many items are read at a time to notify operators. */
const batch = 50

type Table = "gopay_change" | "gopay_payment"

const subjectOf = (table: Table): Subject => (table === "gopay_change" ? "change" : "payment")

/** Whether the row of a table is set aside because a release cannot read it. */
export const isAside = (table: Table): string =>
  `EXISTS (SELECT 1 FROM gopay_item aside WHERE aside.subject = '${subjectOf(table)}' AND aside.subject_seq = ${table}.seq
     AND aside.kind = 'UnreadableRow')`

export type ItemTable<Row extends RowWithItems> = ReturnType<typeof make<Row>>

export const make = <Row extends RowWithItems>(
  database: ReadableDatabase,
  scope: number,
  table: Table,
  read: (found: ReadonlyArray<SqlRow>) => Rows<Row>
) => {
  const { isBrief, now, nowOnce, run } = Statements.make(database)
  const claimOn = Statements.notificationClaims(database, "gopay_item")
  const subject = subjectOf(table)

  const itemOf = (seq: number, kind: AttentionKind): Condition => ({
    sql: `subject = '${subject}' AND subject_seq = ? AND kind = ?`,
    values: [seq, kind]
  })

  const select = (condition: string, values: ReadonlyArray<SqlValue>) =>
    run(
      `SELECT ${table}.*, ${now} AS now, item.seq AS item_seq, item.kind AS item_kind, item.version AS item_version,
         ${isAside(table)} AS is_aside
       FROM gopay_item item JOIN ${table} ON ${table}.seq = item.subject_seq
       WHERE item.scope = ? AND item.subject = '${subject}' AND ${condition}`,
      [scope, ...values]
    )

  /**
   * The items of rows. A row that cannot be read is listed once; a row that has become readable is no longer set aside.
   */
  const itemsIn = (found: ReadonlyArray<SqlRow>): FoundItems<Row> => {
    const each = found.map((raw) => ({ raw, ...read([raw]) }))
    const unreadable = each.flatMap((one) => one.unreadable)
    return {
      items: each.flatMap(({ raw, rows }) =>
        rows.flatMap((row) =>
          row.attention
            .filter(({ kind }) => kind === raw["item_kind"])
            .map((open) => ({ row, item: { ...open, version: Number(raw["item_version"]) } }))
        )
      ),
      unreadable: [...new Map(unreadable.map((row) => [row.seq, row])).values()]
    }
  }

  /** Sets a row aside for an operator. It stays as it is, and due, for a release that can read it. */
  const setAside = Effect.fnUntraced(function* ({ raw, seq }: UnreadableRow): Effect.fn.Return<void, StoreError> {
    const version = Number(raw["version"])
    yield* run(`UPDATE ${table} SET next_at = ? WHERE seq = ? AND version = ? AND ${isBrief()}`, [
      numberIn(raw, "next_at") ?? null,
      seq,
      version
    ])
    yield* run(
      `INSERT INTO gopay_item (scope, subject, subject_seq, kind, version)
       SELECT ?, '${subject}', ?, 'UnreadableRow', ? WHERE ${isBrief()} ON CONFLICT DO NOTHING`,
      [scope, seq, version]
    )
  })

  return {
    setAside,

    /** Ends the setting aside of a row that can be read. */
    endAside: (seq: number) => {
      const { sql, values } = itemOf(seq, "UnreadableRow")
      return run(`DELETE FROM gopay_item WHERE ${sql} AND ${isBrief()}`, values)
    },

    /** The items of a row, oldest first. */
    ofRow: ({ attention, seq }: RowWithItems & { readonly seq: number }) =>
      Effect.map(
        run(`SELECT kind, version FROM gopay_item WHERE subject = '${subject}' AND subject_seq = ? ORDER BY seq`, [
          seq
        ]),
        (found): ReadonlyArray<SeenItem> =>
          found.flatMap(({ kind, version }) =>
            attention.filter((open) => open.kind === kind).map((open) => ({ ...open, version: Number(version) }))
          )
      ),

    /** The items of rows that meet a condition, in an order of the rows. */
    list: ({ sql, values }: Condition, order: string, limit: number) =>
      Effect.map(select(`${sql} ORDER BY ${order}, item.seq LIMIT ?`, [...values, limit]), itemsIn),

    /**
     * Items that no operator has been notified of and that no process is reporting, after a number. For a row that
     * cannot be read, only that is reported, whatever other items it has.
     */
    unnotified: Effect.fnUntraced(function* (afterSeq: number): Effect.fn.Return<UnnotifiedItems<Row>, StoreError> {
      const found = yield* select(
        `item.seq > ? AND (item.notified IS NULL OR item.notifying_until <= ${nowOnce}) ORDER BY item.seq LIMIT ${batch}`,
        [afterSeq]
      )
      const { items, unreadable } = itemsIn(found)
      const isNew = ({ raw }: UnreadableRow): boolean => Number(raw["is_aside"]) === 0
      for (const row of unreadable) if (isNew(row)) yield* setAside(row)
      const isItsOwn = ({ seq }: UnreadableRow): boolean =>
        found.some((raw) => raw["item_kind"] === "UnreadableRow" && Number(raw["seq"]) === seq)
      return {
        items,
        unreadable: unreadable.filter((row) => isNew(row) || isItsOwn(row)),
        lastSeq: found.length < batch ? undefined : numberIn(found.at(-1), "item_seq")
      }
    }),

    /** The claim to notify an operator of an item. */
    notification: (seq: number, kind: AttentionKind): NotificationClaim => claimOn(itemOf(seq, kind), kind)
  }
}

/** Makes list entries of items, and of rows that cannot be read by their names. */
export const listed =
  <Row extends { readonly seq: number }>(
    itemOf: (row: Row, item: SeenItem) => AttentionItem,
    namesOf: UnreadableNames
  ) =>
  ({ items, unreadable }: FoundItems<Row>): ListedItems => [
    ...items.map(({ item, row }) => ({ item: itemOf(row, item), seq: row.seq })),
    ...unreadable.map((row) => ({ item: unreadableItem(row, namesOf), seq: row.seq }))
  ]
