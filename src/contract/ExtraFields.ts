/**
 * What a response has beyond the members that are known here: GoPay adds some before this package knows them.
 */
import * as Predicate from "effect/Predicate"

/** No known response is nested deeper. What is nested deeper is left out: whoever writes it as JSON would fail. */
const maxDepth = 16

const isWithinDepth = (value: unknown, levels: number): boolean =>
  !Predicate.isObjectOrArray(value) ||
  (levels > 0 && Object.values(value).every((member) => isWithinDepth(member, levels - 1)))

/** The known members of an object or a list. What is keyed by code decodes to a list in the same order, or the other way. */
const knownMembers = (sent: object, decoded: unknown): object => {
  if (!Predicate.isObjectOrArray(decoded)) return {}
  if (Array.isArray(sent) === Array.isArray(decoded)) return decoded
  const members = Object.values(decoded)
  return Object.fromEntries(Object.keys(sent).map((name, index) => [name, members[index]]))
}

/** The members of a value that its decoded form lacks, at their own places. */
const extraIn = (sent: object, decoded: unknown, depth: number): { readonly [field: string]: unknown } | undefined => {
  const known = new Map<string, unknown>(Object.entries(knownMembers(sent, decoded)))
  const extra = Object.entries(sent).flatMap(([name, member]): ReadonlyArray<readonly [string, unknown]> => {
    if (!known.has(name)) return isWithinDepth(member, maxDepth) ? [[name, member]] : []
    if (!Predicate.isObjectOrArray(member) || depth === maxDepth) return []
    const inner = extraIn(member, known.get(name), depth + 1)
    return inner === undefined ? [] : [[name, inner]]
  })
  return extra.length === 0 ? undefined : Object.fromEntries(extra)
}

/**
 * A decoded response with what else was sent, as `extraFields`; each element of a list has its own.
 *
 * `sent` is the response's JSON without `null`s.
 */
export function withExtraFields<Response>(response: Response, sent: unknown): Response
export function withExtraFields(response: unknown, sent: unknown): unknown {
  if (Array.isArray(response) && Array.isArray(sent)) {
    return response.map((element, index) => withExtraFields(element, sent[index]))
  }
  if (!Predicate.isObject(response) || !Predicate.isObject(sent)) return response
  const extraFields = extraIn(sent, response, 0)
  return extraFields === undefined ? response : { ...response, extraFields }
}
