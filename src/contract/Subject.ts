/**
 * What a call is about: the payment or the card that its path names.
 */
import { ownMember } from "../basics/OwnMember.js"

/** The parameters of paths that say it, and the members that have the id in a record and in an error. */
const subjects = { id: "paymentId", card_id: "cardId" } as const

/** The member that has the id of what a call is about. */
export type Subject = (typeof subjects)[keyof typeof subjects]

/** By the name of a parameter. */
export const subjectOfParameter = (name: string): Subject | undefined => ownMember<Subject>(subjects, name)

/** By a path, with its parameters in braces. */
export const subjectOfPath = (path: string): Subject | undefined =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => subjectOfParameter(name)).find(
    (found) => found !== undefined
  )
