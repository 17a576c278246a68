/**
 * Schemas for values that arrive in more than one form.
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** Applies `change` to whatever came before `schema` reads it. */
export const readAfter = <S extends Schema.Top>(schema: S, change: (value: unknown) => unknown) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(Schema.Unknown, { decode: SchemaGetter.transform(change), encode: SchemaGetter.passthrough() }),
    Schema.decodeTo(schema, SchemaTransformation.passthrough<S["Encoded"], unknown>({ strict: false }))
  )
