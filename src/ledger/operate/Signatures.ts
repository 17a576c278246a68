/**
 * Who has decided something, and why: one operator, or two who have said the same.
 */
import * as Effect from "effect/Effect"
import type { ChangeResolution } from "../model/Attention.js"
import { invalidArgument } from "../model/LedgerArguments.js"
import type { InvalidArgument } from "../model/LedgerError.js"
import type { LedgerError } from "../model/YieldableLedgerError.js"

export type Signed = Pick<ChangeResolution, "by" | "note">

/** What two operators have said, unless they are one; what is erased was no one's. */
export const agreementOf = (first: Signed, { by, note }: Signed): Signed | undefined =>
  first.by === "" || canonicalName(first.by) === canonicalName(by)
    ? undefined
    : { by: `${first.by} and ${by.trim()}`, note: first.note === note ? note : `${first.note} ${note}` }

/** Fails unless it says who decided, and why. */
export const checkDecision = (what: string, { by, note }: Signed): Effect.Effect<void, LedgerError<InvalidArgument>> =>
  by.trim() === "" || note.trim() === ""
    ? Effect.fail(invalidArgument(what))
    : alphabets.filter((alphabet) => alphabet.test(by.normalize("NFKC"))).length > 1
      ? Effect.fail(
          invalidArgument("by mixes letters of several alphabets, which look alike: write the name in one of them")
        )
      : Effect.void

const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** The name of an operator, to compare it with another one: however it is spaced or capitalized, with accents or without. */
const canonicalName = (operator: string): string =>
  operator
    .normalize("NFKD")
    .replace(/[\p{Cf}\p{M}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    // In capitals, which ß shares with ss, and ı with i.
    .toUpperCase()
