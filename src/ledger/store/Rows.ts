/**
 * Reading rows one by one, and the columns that several tables share. A row that this release cannot read stops only
 * its own payment: a newer release may have written it, or someone edited it by hand.
 */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Effect from "effect/Effect"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { ownMember } from "../../basics/OwnMember.js"
import type { SqlRow } from "../model/LedgerStore.js"
import type { AttentionItem } from "../model/Attention.js"

export interface UnreadableRow {
  readonly table: string
  readonly seq: number
  readonly raw: SqlRow
  /** The columns whose values are not understood. */
  readonly columns: ReadonlyArray<string>
}

export interface Rows<out Row> {
  readonly rows: ReadonlyArray<Row>
  readonly unreadable: ReadonlyArray<UnreadableRow>
}

interface RowSchema<Row> extends Schema.Codec<Row, unknown> {
  readonly fields: { readonly [column: string]: Schema.Codec<unknown, unknown> }
}

/** Reads rows one by one, so that an unreadable row does not affect the others. */
export const reader = <Row>(table: string, schema: RowSchema<Row>) => {
  const decode = Schema.decodeUnknownResult(schema)
  const columns = Object.entries(schema.fields).map(
    ([column, field]) => [column, Schema.decodeUnknownResult(field)] as const
  )
  return (found: ReadonlyArray<SqlRow>): Rows<Row> => {
    const rows: Array<Row> = []
    const unreadable: Array<UnreadableRow> = []
    for (const raw of found) {
      const decoded = decode(raw)
      if (Result.isSuccess(decoded)) {
        rows.push(decoded.success)
        continue
      }
      const wrong = columns.filter(([column, decodeColumn]) => Result.isFailure(decodeColumn(ownMember(raw, column))))
      unreadable.push({ table, seq: Number(raw["seq"]), raw, columns: wrong.map(([column]) => column) })
    }
    return { rows, unreadable }
  }
}

/** The message for an operator about a row that cannot be read. It does not show values, which may be secret. */
export const unreadableMessage = (
  { columns, seq, table }: UnreadableRow,
  consequence = "Nothing is done for its payment."
): string =>
  `Row ${seq} of ${table} cannot be read: ${columns.join(", ")}. Was it written by a newer release, or edited by hand? ${consequence}`

export type UnreadableNames = (
  row: UnreadableRow
) => Pick<AttentionItem, "key" | "operation" | "orderNumber" | "paymentId">

export const unreadableItem = (row: UnreadableRow, namesOf: UnreadableNames): AttentionItem => ({
  kind: "UnreadableRow",
  ...namesOf(row),
  message: unreadableMessage(row),
  version: Number(row.raw["version"]) || 0,
  decisions: [],
  since: timeIn(row.raw["created_at"])
})

/** A time as ISO 8601; 1970 if the value is not a time. */
export const timeIn = (value: unknown): string => {
  const time = new Date(Number(value))
  return new Date(Number.isNaN(time.getTime()) ? 0 : time).toISOString()
}

/** The number in a column of a found row; `undefined` if there is no row or the column is null. */
export const numberIn = (found: SqlRow | undefined, column: string): number | undefined => {
  const value = found && ownMember(found, column)
  return value === null || value === undefined ? undefined : Number(value)
}

/** In milliseconds: the latest time that `Date` can represent. */
const lastDate = 8_640_000_000_000_000

/**
 * An integer, which databases return as a number, a bigint or text. None is later than the last date: most are times.
 */
export const Integer = Schema.Union([Schema.Number, Schema.String, Schema.BigInt]).pipe(
  Schema.decodeTo(
    Schema.Int.check(Schema.isBetween({ minimum: -lastDate, maximum: lastDate })),
    SchemaTransformation.transform({ decode: (value) => Number(value), encode: (value) => value })
  )
)

/** The columns of every row that moves, and the database's time at which it was read. */
export const movingColumns = {
  seq: Integer,
  /** Increases with each move of the row. */
  version: Integer,
  /** How often it was tried or checked since it last moved. */
  tries: Integer,
  /** When any process may make the next step; while a process is making it, the end of its lease. */
  next_at: Schema.NullOr(Integer),
  now: Integer
}

/**
 * A value as JSON text. It decodes in one synchronous step: with `Schema.fromJsonString`, every field after the decoded
 * one becomes an effect of its own, and reading a row of changes took six times as long.
 */
export const jsonColumn = <S extends Schema.Constraint>(schema: S) =>
  Schema.String.pipe(
    Schema.decodeTo(
      schema,
      SchemaTransformation.transformEffect({
        decode: parseJson,
        encode: (value: unknown) => Effect.succeed(JSON.stringify(value))
      })
    )
  )

const parseJson = (text: string): Effect.Effect<unknown, SchemaIssue.Issue> => {
  try {
    return Effect.succeed<unknown>(JSON.parse(text))
  } catch {
    return Effect.fail(new SchemaIssue.InvalidValue({ expected: "JSON" }, text))
  }
}

/** Calls that have failed in a row: their payments, with times, and since when none has worked. */
const Failing = Schema.Struct({
  since: Schema.Int,
  payments: Schema.Array(Schema.Struct({ id: Schema.String, at: Schema.Int })),
  /** Whether the last call was refused, for its credentials or by something in front of the gateway. */
  isRefused: Schema.optionalKey(Schema.Boolean)
})
export type Failing = typeof Failing.Type

const decodeFailing = Schema.decodeUnknownOption(jsonColumn(Failing))

/** The failures on record, if they can be read. */
export const failingIn = (text: unknown): Failing | undefined => Option.getOrUndefined(decodeFailing(text))
