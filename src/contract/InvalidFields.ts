/**
 * Schema issues as fields and plain sentences. Rejected values are never repeated.
 */
import * as SchemaIssue from "effect/SchemaIssue"
import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import { pathText, firstProblems, type Problem, type SchemaProblem } from "./SchemaProblems.js"

/** One field that is wrong; without a field, the whole is. */
export interface FieldProblem {
  readonly field?: string
  readonly message: string
}

/** The same with its code, for callers that say it in another language. */
export interface CodedProblem extends FieldProblem, Partial<Problem> {
  readonly message: string
}

/** More than anyone reads; the rest is left out. */
const mostProblems = 100

/** The problems that the issue holds, as far as a hundred, with the path to their fields: `items[0].amount`. */
export const codedFields = (issue: SchemaIssue.Issue): ReadonlyArray<CodedProblem> =>
  firstProblems(issue, mostProblems).map(asField)

/** The same without codes. */
export const invalidFields = (issue: SchemaIssue.Issue): ReadonlyArray<FieldProblem> =>
  codedFields(issue).map(({ field, message }) => (field === undefined ? { message } : { field, message }))

const unknownSecret = "has a member that is not known here; its name may be a secret and is not repeated"

const asField = ({ code, message, path, values }: SchemaProblem): CodedProblem => {
  const last = path.at(-1)
  if (code === "Unknown" && !isName(String(typeof last === "object" ? last.key : last))) {
    return asField({ code: "Invalid", message: unknownSecret, path: path.slice(0, -1), values: [] })
  }
  const field = pathText(path)
  return { ...(field === "" ? undefined : { field }), message, code, values }
}

/**
 * Whether a text is made of words, as the names of members are; others, which someone mistook for one, may be secrets.
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

/** An error that says this. */
export const configErrorOf = (message: string): Config.ConfigError =>
  new Config.ConfigError(new Schema.SchemaError(new SchemaIssue.InvalidValue({ message })))

/** An error that names every field that is wrong. */
export const configError = (fields: ReadonlyArray<FieldProblem>): Config.ConfigError =>
  configErrorOf(describeFields(fields))
