/**
 * The types of columns that several tables have.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { attentionKinds } from "../AttentionKinds.plain.js"

/** Databases give whole numbers as numbers, bigints or text. */
export const Integer = Schema.Union([Schema.Number, Schema.String, Schema.BigInt]).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform({ decode: (value) => Number(value), encode: (value) => value })
  )
)

/** Why a row needs an operator. */
export const AttentionKind = Schema.Literals(attentionKinds)
