/**
 * Walks through parsed JSON, for statements about every member of a message.
 */
import * as Predicate from "effect/Predicate"

/** The way to a member: names, and for elements of arrays their indices. */
export type Path = ReadonlyArray<string>

/** A member of an object or an element of an array, at any depth. */
export interface Member {
  readonly path: Path
  readonly value: unknown
}

/** All that is inside of a value, down to the last member. */
export const membersOf = (json: unknown, path: Path = []): ReadonlyArray<Member> =>
  Predicate.isObjectOrArray(json)
    ? Object.entries(json).flatMap(([name, value]) => {
        const member = { path: [...path, name], value }
        return [member, ...membersOf(value, member.path)]
      })
    : []

/** The same JSON with `value` at `path`. */
export const replaced = (json: unknown, [name, ...rest]: Path, value: unknown): unknown => {
  if (name === undefined) return value
  if (!Array.isArray(json)) {
    const members = Predicate.isObject(json) ? json : {}
    return { ...members, [name]: replaced(members[name], rest, value) }
  }
  return json.map((element: unknown, index) => (String(index) === name ? replaced(element, rest, value) : element))
}

/** The same JSON without the member at `path`. */
export const without = (json: unknown, path: Path): unknown => {
  const parent = path.slice(0, -1)
  const members = valueAt(json, parent)
  return replaced(
    json,
    parent,
    Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => name !== path.at(-1)))
  )
}

/** What is at `path`. */
export const valueAt = (json: unknown, [name, ...rest]: Path): unknown => {
  if (name === undefined) return json
  return Predicate.isObjectOrArray(json)
    ? valueAt(Object.entries(json).find(([key]) => key === name)?.[1], rest)
    : undefined
}
