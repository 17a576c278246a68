/**
 * Values that mean the same as absent: `null` in the gateway's JSON, `undefined` in an object literal.
 */

type WithoutUndefined<A> = {
  readonly [Name in keyof A as undefined extends A[Name] ? never : Name]: A[Name]
} & {
  readonly [Name in keyof A as undefined extends A[Name] ? Name : never]?: Exclude<A[Name], undefined>
}

/** The same object without members that are `undefined`. */
export function withoutUndefined<A extends object>(members: A): WithoutUndefined<A>
export function withoutUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined))
}

/** No known response is nested deeper; deeper values are left unchanged. */
const maxDepth = 16

/**
 * A parsed JSON value without the members and elements that are `null`. Recordings of 2016 carry every absent member as
 * `null`, newer responses omit it.
 */
export const withoutNulls = (value: unknown): unknown => (hasNulls(value, 0) ? dropNulls(value, 0) : value)

const hasNulls = (value: unknown, depth: number): boolean => {
  if (typeof value !== "object" || depth === maxDepth) return false
  if (value === null) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (hasNulls(member, depth + 1)) return true
  }
  return false
}

const dropNulls = (value: unknown, depth: number): unknown => {
  if (typeof value !== "object" || value === null || depth === maxDepth) return value
  if (Array.isArray(value)) {
    return value.filter((element) => element !== null).map((element) => dropNulls(element, depth + 1))
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, dropNulls(member, depth + 1)]]))
  )
}
