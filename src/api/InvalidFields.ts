/**
 * What a schema found wrong, said as fields and plain sentences. Rejected values are never repeated.
 */
import * as SchemaIssue from "effect/SchemaIssue"
import { pathText } from "./IssuePath.js"

/** One field that is wrong; without a field, the whole is. */
export interface FieldProblem {
  readonly field?: string
  readonly message: string
}

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
export const invalidFields = (issue: SchemaIssue.Issue): ReadonlyArray<FieldProblem> =>
  format(issue).issues.map(({ message, path = [] }) => {
    const field = pathText(path)
    return field === "" ? { message } : { field, message }
  })

/** The problems in one line. */
export const describeFields = (fields: ReadonlyArray<FieldProblem>): string =>
  fields.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)).join("; ")
