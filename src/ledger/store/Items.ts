/**
 * The open items of a row: what it needs an operator for. Their texts are in the row, so the statement that moves the
 * row also begins and ends them; triggers keep a row of `gopay_item` for each (see the migrations).
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { type AttentionKind, attentionKinds } from "../model/Attention.js"
import { jsonColumn } from "./Rows.js"

/** An item of a row: its kind, and the problem and the next step in words. */
export interface OpenItem {
  readonly kind: AttentionKind
  readonly message: string
}

/** An item, with the version of its row at which something that an operator sees of it last changed. */
export interface SeenItem extends OpenItem {
  readonly version: number
}

/**
 * What a move does to the items of a row: a text begins an item of its kind or replaces the text of an open one; `null`
 * ends it. Items of other kinds stay as they are.
 */
export type ItemPatch = { readonly [kind in AttentionKind]?: string | null }

/** A row with its open items. */
export interface RowWithItems {
  readonly attention: ReadonlyArray<OpenItem>
}

export const hasItem = ({ attention }: RowWithItems, kind: AttentionKind): boolean =>
  attention.some((item) => item.kind === kind)

export const kindsOf = ({ attention }: RowWithItems): ReadonlyArray<AttentionKind> => attention.map(({ kind }) => kind)

/** The items that a row has now and did not have before. */
export const newItems = (after: RowWithItems, before?: RowWithItems): ReadonlyArray<OpenItem> =>
  after.attention.filter(({ kind }) => before === undefined || !hasItem(before, kind))

const isKind = (text: string): text is AttentionKind => attentionKinds.some((kind) => kind === text)

const Kind = Schema.String.pipe(Schema.refine(isKind))

/** The items of a row as stored: a JSON object of their texts by kind; `null` if there are none. */
export const attentionColumn = Schema.NullOr(jsonColumn(Schema.Record(Schema.String, Schema.String))).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.Struct({ kind: Kind, message: Schema.String })),
    SchemaTransformation.transform({
      decode: (words): ReadonlyArray<{ readonly kind: string; readonly message: string }> =>
        Object.entries(words ?? {}).map(([kind, message]) => ({ kind, message })),
      encode: (items) => Object.fromEntries(items.map(({ kind, message }) => [kind, message]))
    })
  )
)

/** The kinds of items, separated by spaces; `null` if there are none. */
export const kindsColumn = Schema.NullOr(Schema.String).pipe(
  Schema.decodeTo(
    Schema.Array(Kind),
    SchemaTransformation.transform({
      decode: (kinds): ReadonlyArray<string> => kinds?.split(" ") ?? [],
      encode: (kinds) => (kinds.length === 0 ? null : kinds.join(" "))
    })
  )
)
