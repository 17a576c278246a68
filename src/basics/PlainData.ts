/**
 * Data without behaviour: what a caller or the gateway passes is read once, so that exactly what was checked is sent.
 */
import { isName } from "./InvalidFields.js"

/** Stands for a value that is not data, such as a `Map`. No schema accepts it, and it cannot be written. */
const noData = Symbol("no data")

/** No message is nested deeper. */
const maxDepth = 100

/**
 * A copy of a value that nothing can change any more: lists, and objects without a prototype. Each member is read once.
 * Objects with behaviour of their own do not count as data: a `Date`, a `Map`, an object with `toJSON`, or one that
 * contains itself.
 */
export const plainCopy = (value: unknown): unknown => copied(value, [])

/**
 * A result of `JSON.parse` for a decoder, in which an absent member stays absent. Such a value has no behaviour, and
 * inherits only from `Object.prototype`: it is copied only if someone has added members there.
 */
export const plainJson = (value: unknown): unknown => (isPolluted() ? plainCopy(value) : value)

/** The members of `Object.prototype` in the language's standard. */
const inherited: ReadonlySet<PropertyKey> = new Set([
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf"
])

const isPolluted = (): boolean => {
  for (const name of Reflect.ownKeys(Object.prototype)) if (!inherited.has(name)) return true
  return false
}

const copied = (value: unknown, within: ReadonlyArray<object>): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (within.includes(value) || within.length === maxDepth || behaves(value)) return noData
  const inner = [...within, value]
  if (Array.isArray(value)) return Array.from(value, (element: unknown) => copied(element, inner))
  return withMembers(Object.entries(value).map(([name, member]) => [name, copied(member, inner)]))
}

const behaves = (value: object): boolean => {
  if (Array.isArray(value)) return false
  const toJson: unknown = Reflect.get(value, "toJSON")
  const isOwnToJson = typeof toJson === "function" && toJson !== Reflect.get(Object.prototype, "toJSON")
  return isOwnToJson || Object.prototype.toString.call(value) !== "[object Object]"
}

/** An object with these members and without a prototype. */
export const withMembers = (
  members: Iterable<readonly [name: string, member: unknown]>
): { readonly [name: string]: unknown } => Object.setPrototypeOf(Object.fromEntries(members), null)

/**
 * A lone surrogate cannot be encoded as UTF-8: JSON would escape it, and the firewall in front of the gateway rejects
 * such escapes.
 */
const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Whether a text has a UTF-8 form. */
export const isWellFormed = (text: string): boolean => !loneSurrogate.test(text)

export const notWellFormed = "must not have half a surrogate pair"

const notJson = "must be a JSON value: text, a finite number, a boolean, null, a list or a plain object of these"

/** A value that JSON cannot represent, and the path to it. */
interface JsonProblem {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** What JSON would omit from a plain copy, or write as something else. */
export const jsonProblems = (value: unknown, path: JsonProblem["path"] = []): ReadonlyArray<JsonProblem> => {
  const problem = (message: string): ReadonlyArray<JsonProblem> => [{ path, message }]
  if (typeof value === "string") return isWellFormed(value) ? [] : problem(notWellFormed)
  if (typeof value === "number") return Number.isFinite(value) ? [] : problem(notJson)
  if (typeof value === "boolean" || value === null) return []
  if (Array.isArray(value)) return value.flatMap((element, index) => jsonProblems(element, [...path, index]))
  if (typeof value !== "object") return problem(notJson)
  return Object.entries(value).flatMap(([name, member]) => [
    ...(isWellFormed(name) ? [] : problem(notWellFormed)),
    // A member without a value is left out, as everywhere.
    ...(member === undefined ? [] : jsonProblems(member, isName(name) ? [...path, name] : path))
  ])
}

/** A plain copy as JSON. Unlike `JSON.stringify` it does not call `toJSON`. */
export const jsonText = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(",")}}`
}
