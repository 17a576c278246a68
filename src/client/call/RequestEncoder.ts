/**
 * Checks and encodes requests.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import type { RequestPayload } from "../../contract/Endpoint.js"
import { invalidFields, isName, pathText } from "../../basics/InvalidFields.js"
import { isWellFormed, jsonProblems, jsonText, notWellFormed, withMembers } from "../../basics/PlainData.js"
import type { InvalidField } from "../error/GatewayError.js"
import { mark } from "../error/Redaction.js"

/** Where a request is carried: in the query, in the body, or nowhere. */
interface EncodedRequest {
  readonly value: unknown
  readonly query: string
  readonly contentType: string | undefined
  readonly body: string | undefined
  readonly extraFields: ReadonlyArray<string>
}

export const formContentType = "application/x-www-form-urlencoded"

/**
 * Makes the function that checks and encodes plain copies of an endpoint's requests, or names every field that is
 * wrong.
 */
export const requestEncoder = (
  payload: RequestPayload<unknown>
): ((request: unknown) => Result.Result<EncodedRequest, ReadonlyArray<InvalidField>>) => {
  if (!("schema" in payload)) {
    const contentType = payload.type === "none" ? undefined : formContentType
    const encoded = Result.succeed({ value: undefined, query: "", contentType, body: undefined, extraFields: [] })
    return () => encoded
  }
  const { schema, type } = payload
  const isOptional = payload.isOptional ?? type === "query"
  const decode = SchemaParser.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const known = new Set(SchemaAST.isObjects(schema.ast) ? schema.ast.propertySignatures.map(({ name }) => name) : [])
  const encode = encoders[type]
  return (request) => {
    if (!Predicate.isObject(request) && !(isOptional && request === undefined)) {
      return Result.fail([{ field: "request", message: "must be an object with the fields of the request" }])
    }
    const { extraFields, own } = withoutExtraFields(request ?? noMembers)
    const wrong = wrongExtraFields(extraFields, known, type)
    return Result.match(decode(own), {
      onFailure: (issue) => Result.fail([...invalidFields(issue), ...wrong]),
      onSuccess: (decoded) => {
        if (wrong.length > 0) return Result.fail(wrong)
        const value = { ...(Predicate.isObject(decoded) ? decoded : undefined), ...(extraFields ?? undefined) }
        return Result.succeed({
          value,
          query: "",
          contentType: undefined,
          body: undefined,
          extraFields: Object.keys(extraFields ?? {}).map((name) => (isName(name) ? name : mark)),
          ...encode(value),
          ...(request === undefined ? { body: undefined } : undefined)
        })
      }
    })
  }
}

const noMembers = withMembers([])

const withoutExtraFields = (request: { readonly [field: string]: unknown }) =>
  Object.hasOwn(request, "extraFields")
    ? {
        extraFields: request["extraFields"],
        own: withMembers(Object.entries(request).filter(([name]) => name !== "extraFields"))
      }
    : { extraFields: undefined, own: request }

/** JSON bodies take any JSON value; forms and queries take only values that can be written as text. */
const wrongExtraFields = (
  extraFields: unknown,
  known: ReadonlySet<PropertyKey>,
  type: "query" | "form" | "json"
): ReadonlyArray<InvalidField> => {
  if (extraFields === undefined) return []
  if (!Predicate.isObject(extraFields)) return [{ field: "extraFields", message: "must be an object" }]
  return Object.entries(extraFields).flatMap(([name, value]): ReadonlyArray<InvalidField> => {
    const path = isName(name) ? ["extraFields", name] : ["extraFields"]
    const field = path.join(".")
    if (known.has(name)) return [{ field, message: `is known here: give it as ${name}` }]
    if (!isWellFormed(name)) return [{ field, message: notWellFormed }]
    if (type === "json" || /^(string|number|boolean)$/.test(typeof value)) return jsonFields(value, path)
    return [{ field, message: "must be text, a number or a boolean" }]
  })
}

/** The fields of a value that JSON cannot hold. */
export const jsonFields = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<InvalidField> =>
  jsonProblems(value, path)
    .slice(0, maxFields)
    .map(({ message, path }) => ({ field: pathText(path), message }))

/** More than anyone reads. */
const maxFields = 100

const encoders: {
  readonly [type in "query" | "form" | "json"]: (value: unknown) => Partial<EncodedRequest>
} = {
  query: (value) => ({ query: urlEncoded(value).replace(/^(?=.)/, "?") }),
  form: (value) => ({ contentType: formContentType, body: urlEncoded(value) }),
  json: (value) => ({ contentType: "application/json", body: jsonText(value) })
}

/** Encodes a form or a query; members that are `undefined` are left out. */
export const urlEncoded = (value: unknown): string =>
  new URLSearchParams(
    Object.entries(value ?? {}).flatMap(([name, member]) => (member === undefined ? [] : [[name, String(member)]]))
  ).toString()
