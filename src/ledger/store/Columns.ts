/**
 * The types of columns that several tables have.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { attentionKinds } from "../model/AttentionKinds.js"

/** Databases give whole numbers as numbers, bigints or text. */
export const Integer = Schema.Union([Schema.Number, Schema.String, Schema.BigInt]).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transform({ decode: (value) => Number(value), encode: (value) => value })
  )
)

/**
 * A value as JSON text. It decodes in one synchronous step: a field that `Schema.fromJsonString` decodes makes each field
 * after it an effect of its own, and a row of changes took six times as long.
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

/** Why a row needs an operator. */
export const AttentionKind = Schema.Literals(attentionKinds)
