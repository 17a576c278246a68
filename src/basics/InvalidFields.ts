/**
 * Turns schema issues into fields, each with a path, a code and a sentence without the jargon of schemas. Rejected
 * values are never repeated.
 */
import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

/** A field that is wrong. Without `field`, the value as a whole is wrong. */
export interface FieldProblem {
  readonly field?: string
  readonly message: string
}

/** The same with its code, for callers that translate it. */
export interface CodedProblem extends FieldProblem, Partial<Omit<Problem, "message">> {}

/** More than anyone reads; the rest is left out. */
const maxProblems = 100

/** The problems of an issue, at most a hundred, with the path to each field: `items[0].amount`. */
export const codedFields = (issue: SchemaIssue.Issue): ReadonlyArray<CodedProblem> =>
  firstProblems(issue, maxProblems).map(asField)

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
 * Whether a text consists of words, like the names of members. Any other text may be a secret that someone has used as
 * a name by mistake.
 */
export const isName = (text: string): boolean =>
  text.length <= 40 && /^_*[a-z]+(?:[A-Z][a-z]+|_[a-z]+|[A-Z]{2}$)*_*$/.test(text)

const maxDescribed = 20

/** The first few problems in one line. */
export const describeFields = (fields: ReadonlyArray<FieldProblem>): string =>
  fields
    .slice(0, maxDescribed)
    .map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`))
    .join("; ")
    .concat(fields.length > maxDescribed ? `; and ${fields.length - maxDescribed} more` : "")

export const configErrorOf = (message: string): Config.ConfigError =>
  new Config.ConfigError(new Schema.SchemaError(new SchemaIssue.InvalidValue({ message })))

/** An error that names every field that is wrong. */
export const configError = (fields: ReadonlyArray<FieldProblem>): Config.ConfigError =>
  configErrorOf(describeFields(fields))

/** The problems of an error of configuration; `undefined` if its source could not be read. */
export const configProblems = ({ cause }: Config.ConfigError): ReadonlyArray<FieldProblem> | undefined =>
  cause._tag === "SchemaError" ? codedFields(cause.issue).map(asVariable) : undefined

/** All variables are text, so one that is no text is missing. */
const asVariable = ({ code, field, message }: CodedProblem): FieldProblem => ({
  ...(field === undefined ? undefined : { field }),
  message: code === "Text" ? "is required" : message
})

// ---------------------------------------------------------------------------------------------------------------------
// The problems in an issue
// ---------------------------------------------------------------------------------------------------------------------

/** The path to a value: keys and indexes, or segments that contain them. */
export type IssuePath = ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>

export const keysOf = (path: IssuePath): ReadonlyArray<PropertyKey> =>
  path.map((segment) => (typeof segment === "object" ? segment.key : segment))

/** The path as text: `items[0].amount`. */
export const pathText = (path: IssuePath): string =>
  keysOf(path)
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("")

/** What is wrong: a stable code with its values, and the same as a sentence. */
export interface Problem {
  /** `Invalid` if only the sentence says more. */
  readonly code: string
  /** The bounds or choices in the sentence. */
  readonly values: ReadonlyArray<string | number>
  readonly message: string
}

interface SchemaProblem extends Problem {
  readonly path: IssuePath
}

const problem = (code: string, message: string, ...values: Problem["values"]): Problem => ({
  code,
  values,
  message
})

/** Annotates a schema or a check with the problem of the values that it rejects. */
export const withProblem = (
  code: string,
  message: string,
  ...values: Problem["values"]
): { readonly message: string; readonly problem: Problem } => ({ message, problem: problem(code, message, ...values) })

type Annotations = { readonly [name: string]: unknown } | undefined

const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && "code" in value && "values" in value

const annotated = (annotations: Annotations): Problem | undefined => {
  const message = annotations?.["message"]
  if (typeof message !== "string") return undefined
  const coded = annotations?.["problem"]
  return isProblem(coded) ? coded : problem("Invalid", message)
}

/** What a check without a message of its own expects: `an integer`. */
const expected = (annotations: Annotations): Problem | undefined => {
  const text = annotations?.["expected"]
  return typeof text === "string" ? problem("Invalid", `must be ${text}`) : undefined
}

const joined = (texts: ReadonlyArray<string>): string => [...new Set(texts)].join(" or ")

const typeName = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return "text"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Literal":
      return String(ast.literal)
    case "Null":
      return "null"
    case "Arrays":
      return "a list"
    case "Objects":
    case "ObjectKeyword":
      return "an object"
    case "Union":
      return joined(present(ast).map(typeName))
    case "Any":
    case "BigInt":
    case "Declaration":
    case "Enum":
    case "Never":
    case "Suspend":
    case "Symbol":
    case "Undefined":
    case "UniqueSymbol":
    case "Unknown":
    case "Void":
      return "of another type"
  }
}

/** The codes of values of the wrong type. */
const codes: ReadonlyMap<SchemaAST.AST["_tag"], string> = new Map([
  ["String", "Text"],
  ["Boolean", "TrueOrFalse"],
  ["Objects", "Object"],
  ["Arrays", "List"]
])

/** The members of a union other than `undefined`: for an optional value, the types that it can have. */
const present = ({ types }: SchemaAST.Union): ReadonlyArray<SchemaAST.AST> =>
  types.filter(({ _tag }) => _tag !== "Undefined")

/** A value of the wrong type. An optional value has the problems of a required one. */
const wrongType = (ast: SchemaAST.AST): Problem => {
  const own = annotated(ast.annotations)
  if (own !== undefined) return own
  if (ast._tag !== "Union") return problem(codes.get(ast._tag) ?? "Invalid", `must be ${typeName(ast)}`)
  const [member, ...others] = present(ast)
  if (member !== undefined && others.length === 0) return wrongType(member)
  const sentences = present(ast).flatMap((type) => annotated(type.annotations)?.message ?? [])
  return problem("Invalid", sentences.length === 0 ? `must be ${typeName(ast)}` : joined(sentences))
}

const ofLeaf = (issue: SchemaIssue.Leaf): Problem => {
  switch (issue._tag) {
    case "InvalidType":
      return wrongType(issue.ast)
    case "MissingKey":
      return problem("Required", "is required")
    case "UnexpectedKey":
      return problem("Unknown", "is not known here; check its spelling")
    case "OneOf":
      return annotated(issue.ast.annotations) ?? problem("Invalid", "must have one form only")
    case "Forbidden":
    case "InvalidValue":
      return annotated(issue.annotations) ?? expected(issue.annotations) ?? problem("Invalid", "is not allowed")
  }
}

/** The problem of a failed check: its own, or the issue that it returned. */
const ofCheck = ({ filter, issue }: SchemaIssue.Filter): Problem | undefined => {
  const given = "annotations" in issue ? issue.annotations : undefined
  const own = annotated(filter.annotations) ?? annotated(given)
  return own ?? (issue._tag === "InvalidValue" ? (expected(given) ?? expected(filter.annotations)) : undefined)
}

/** The first problems of a value, in the order of its members, since there may be more than anyone reads. */
export const firstProblems = (issue: SchemaIssue.Issue, max: number): ReadonlyArray<SchemaProblem> => {
  const found: Array<SchemaProblem> = []
  for (const one of problemsIn(issue)) {
    found.push(one)
    if (found.length === max) break
  }
  return found
}

function* problemsIn(issue: SchemaIssue.Issue, path: IssuePath = [], outer?: Problem): Generator<SchemaProblem> {
  switch (issue._tag) {
    case "Filter":
      return yield* problemsIn(issue.issue, path, outer ?? ofCheck(issue))
    case "Encoding":
      return yield* problemsIn(issue.issue, path, outer)
    case "Pointer":
      return yield* problemsIn(issue.issue, [...path, ...issue.path], outer)
    case "AnyOf":
      if (issue.issues.length === 0) return yield { ...(outer ?? wrongType(issue.ast)), path }
      break
    case "Composite":
      break
    case "Forbidden":
    case "InvalidType":
    case "InvalidValue":
    case "MissingKey":
    case "OneOf":
    case "UnexpectedKey":
      return yield { ...(outer ?? ofLeaf(issue)), path }
  }
  for (const part of issue.issues) yield* problemsIn(part, path, outer)
}
