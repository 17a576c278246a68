/**
 * What a schema found wrong, said as fields and plain sentences. Rejected values are never repeated.
 */
import * as SchemaIssue from "effect/SchemaIssue"
import type { InvalidField } from "./GatewayError.js"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "is required"
      case "UnexpectedKey":
        return "is not known here; check its spelling"
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** Every problem that the issue holds, with the path to its field: `items[0].amount`. */
export const invalidFields = (issue: SchemaIssue.Issue): ReadonlyArray<InvalidField> =>
  format(issue).issues.map(({ message, path }) => {
    const field = fieldName(path ?? [])
    return field === "" ? { message } : { field, message }
  })

type Path = NonNullable<ReturnType<typeof format>["issues"][number]["path"]>

const fieldName = (path: Path): string =>
  path
    .map((segment) => (typeof segment === "object" ? segment.key : segment))
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("")

/** The problems in one line. */
export const describeFields = (fields: ReadonlyArray<InvalidField>): string =>
  fields.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)).join("; ")
