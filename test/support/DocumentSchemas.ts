import { type AnySchemaObject, Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"

/**
 * What the schemas of an OpenAPI document say against values: nothing where a value fits. Each is compiled once, since that takes
 * longer than most tests.
 */
export const documentSchemas = (
  { components }: AnySchemaObject,
  vocabulary: ReadonlyArray<string> = []
): ((schema: unknown, value: unknown) => string) => {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    validateFormats: false
  })
  ajv.addVocabulary(["components", ...vocabulary])
  ajv.addSchema({ components }, "document")
  const compiled = new Map<unknown, ValidateFunction>()
  return (schema, value) => {
    const validate =
      compiled.get(schema) ??
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')))
    compiled.set(schema, validate)
    return validate(value) ? "" : ajv.errorsText(validate.errors)
  }
}

/** What is at a place of a document; nothing where it has no such place. */
export const at = (value: unknown, ...way: ReadonlyArray<string>): unknown =>
  way.reduce<unknown>(
    (place, name) =>
      typeof place === "object" && place !== null
        ? Object.entries(place).find(([key]) => key === name)?.[1]
        : undefined,
    value
  )
