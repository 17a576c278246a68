/**
 * The parts of response schemas that v3 and v4 share.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import { withoutNulls } from "../basics/Nulls.js"
import { readAfter } from "../basics/ReadAfter.js"
import { namedObject } from "./NamedObject.js"

/** Reads a message in the gateway's form. The result has a schema of its own, for those who pass it on. */
export const response = <S extends Schema.Top>(schema: S) => readAfter(schema, withoutNulls)

const integerText = Schema.String.check(Schema.isPattern(/^-?\d+$/, { message: "must be an integer" }))

export const fromText = SchemaTransformation.transform<number, number | string>({
  decode: Number,
  encode: (value) => value
})

/** An integer, possibly sent as text. */
export const int = Schema.Union([Schema.Int, integerText]).pipe(Schema.decodeTo(Schema.Int, fromText))

/** Optional texts, by their names. */
export function texts<Name extends string>(
  ...names: ReadonlyArray<Name>
): { readonly [name in Name]: Schema.optionalKey<Schema.String> }
export function texts(...names: ReadonlyArray<string>): object {
  return Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Schema.String)]))
}

/** The schema of a message as a client gives it: its type side. */
export const asGiven = <Fields extends Schema.Struct.Fields>(message: Schema.Struct<Fields>, identifier: string) =>
  message.mapFields(Struct.map(Schema.toType)).annotate(namedObject(identifier))
