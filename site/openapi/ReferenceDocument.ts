/**
 * What the reference shows of an OpenAPI document.
 */
import * as Schema from "effect/Schema"

/** A JSON schema, as far as it is shown. */
export interface ShownSchema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly required?: ReadonlyArray<string>
  readonly properties?: { readonly [name: string]: ShownSchema }
  readonly items?: ShownSchema
  readonly anyOf?: ReadonlyArray<ShownSchema>
  readonly "x-enumDescriptions"?: { readonly [value: string]: string }
  readonly "x-evidence"?: string
}

const text = Schema.optionalKey(Schema.String)
const number = Schema.optionalKey(Schema.Number)
const nested: Schema.Codec<ShownSchema> = Schema.suspend(() => ShownSchema)

const ShownSchema: Schema.Codec<ShownSchema> = Schema.Struct({
  $ref: text,
  description: text,
  type: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  format: text,
  enum: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  const: Schema.optionalKey(Schema.Unknown),
  pattern: text,
  minimum: number,
  maximum: number,
  minLength: number,
  maxLength: number,
  minItems: number,
  required: Schema.optionalKey(Schema.Array(Schema.String)),
  properties: Schema.optionalKey(Schema.Record(Schema.String, nested)),
  items: Schema.optionalKey(nested),
  anyOf: Schema.optionalKey(Schema.Array(nested)),
  "x-enumDescriptions": Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  "x-evidence": text
})

const Content = Schema.Record(
  Schema.String,
  Schema.Struct({ schema: Schema.optionalKey(ShownSchema), example: Schema.optionalKey(Schema.Unknown) })
)

const Parameter = Schema.Struct({
  $ref: text,
  name: text,
  in: text,
  required: Schema.optionalKey(Schema.Boolean),
  description: text,
  "x-evidence": text,
  schema: Schema.optionalKey(ShownSchema),
  example: Schema.optionalKey(Schema.Unknown)
})
export type Parameter = typeof Parameter.Type

const Response = Schema.Struct({ description: text, "x-evidence": text, content: Schema.optionalKey(Content) })

const Called = {
  summary: text,
  description: text,
  "x-evidence": text,
  parameters: Schema.optionalKey(Schema.Array(Parameter)),
  responses: Schema.Record(Schema.String, Response)
}

const Operation = Schema.Struct({
  ...Called,
  operationId: Schema.String,
  tags: Schema.Array(Schema.String),
  security: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  requestBody: Schema.optionalKey(Schema.Struct({ description: text, content: Content })),
  callbacks: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Struct(Called))))
  )
})
export type Operation = typeof Operation.Type

/** An OpenAPI document, as far as it is shown. */
export const ReferenceDocument = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, version: Schema.String, description: Schema.String }),
  servers: Schema.Array(Schema.Struct({ url: Schema.String, description: text })),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: text })),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, ShownSchema),
    parameters: Schema.optionalKey(Schema.Record(Schema.String, Parameter))
  })
})
export type ReferenceDocument = typeof ReferenceDocument.Type

/** An operation with its method and path. */
export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly parameters: ReadonlyArray<Parameter>
}

/** The operations of a document, in its order, with their parameters resolved. */
export const endpointsOf = ({ components, paths }: ReferenceDocument): ReadonlyArray<Endpoint> => {
  const shared = new Map(Object.entries(components.parameters ?? {}))
  const resolved = (parameter: Parameter): Parameter => shared.get(parameter.$ref?.split("/").at(-1) ?? "") ?? parameter
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      parameters: (operation.parameters ?? []).map(resolved)
    }))
  )
}
