/**
 * The members of a response beyond the known ones: GoPay adds some before this package knows them.
 */
import * as Predicate from "effect/Predicate"
import { ownMember } from "../basics/OwnMember.js"

/** No known response is nested deeper. Anything deeper is left out, since writing it as JSON could fail. */
const maxDepth = 16

const isWithinDepth = (value: unknown, levels: number): boolean =>
  !Predicate.isObjectOrArray(value) ||
  (levels > 0 && Object.values(value).every((member) => isWithinDepth(member, levels - 1)))

/** An object or a list, by the names of its members. */
interface Members {
  readonly [name: string]: unknown
}

const isMembers = (value: unknown): value is Members => Predicate.isObjectOrArray(value)

/**
 * The known members of an object or a list. An object keyed by code decodes to a list in the same order, or vice versa.
 */
const knownMembers = (sent: Members, decoded: unknown): Members => {
  if (!isMembers(decoded)) return {}
  if (Array.isArray(sent) === Array.isArray(decoded)) return decoded
  const members = Object.values(decoded)
  return Object.fromEntries(Object.keys(sent).map((name, index) => [name, members[index]]))
}

/**
 * The members of a value that its decoded form lacks, at their own places. Every response passes through here, and most
 * have none, so nothing is allocated for those.
 */
const extraIn = (sent: Members, decoded: unknown, depth: number): Members | undefined => {
  const known = knownMembers(sent, decoded)
  let extra: Array<readonly [name: string, member: unknown]> | undefined
  for (const name of Object.keys(sent)) {
    const member = ownMember(sent, name)
    const found = Object.hasOwn(known, name) ? extraWithin(member, known[name], depth) : shallow(member)
    if (found !== undefined) (extra ??= []).push([name, found])
  }
  return extra && Object.fromEntries(extra)
}

const extraWithin = (member: unknown, decoded: unknown, depth: number): Members | undefined =>
  isMembers(member) && depth < maxDepth ? extraIn(member, decoded, depth + 1) : undefined

const shallow = (member: unknown): unknown => (isWithinDepth(member, maxDepth) ? member : undefined)

/**
 * A decoded response with its unknown members as `extraFields`; each element of a list has its own.
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
