/**
 * Schema issues as fields and plain sentences. Rejected values are never repeated.
 */
import * as SchemaIssue from "effect/SchemaIssue"
import { type IssuePath, pathText } from "./IssuePath.js"

/** One field that is wrong; without a field, the whole is. */
export interface FieldProblem {
  readonly field?: string
  readonly message: string
}

const unknownKey = "is not known here; check its spelling"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "is required"
      case "UnexpectedKey":
        return unknownKey
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** More than anybody reads; the rest is left out. */
const mostProblems = 100

/** The problems that the issue holds, as far as a hundred, with the path to their fields: `items[0].amount`. */
export const invalidFields = (issue: SchemaIssue.Issue): ReadonlyArray<FieldProblem> =>
  format(issue)
    .issues.slice(0, mostProblems)
    .map(({ message, path = [] }): FieldProblem => {
      const last = path[path.length - 1]
      if (message === unknownKey && !isName(String(typeof last === "object" ? last.key : last))) {
        return at(
          path.slice(0, -1),
          "has a member that is not known here; its name may be a secret and is not repeated"
        )
      }
      return at(path, message)
    })

const at = (path: IssuePath, message: string): FieldProblem => {
  const field = pathText(path)
  return field === "" ? { message } : { field, message }
}

/**
 * Whether a text is made of words, as the names of members are; others, which somebody mistook for one, may be secrets.
 */
export const isName = (text: string): boolean =>
  text.length <= 40 && /^_*[a-z]+(?:[A-Z][a-z]+|_[a-z]+|[A-Z]{2}$)*_*$/.test(text)

const mostDescribed = 20

/** The first few problems in one line. */
export const describeFields = (fields: ReadonlyArray<FieldProblem>): string =>
  fields
    .slice(0, mostDescribed)
    .map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`))
    .join("; ")
    .concat(fields.length > mostDescribed ? `; and ${fields.length - mostDescribed} more` : "")
