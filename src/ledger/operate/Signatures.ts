/**
 * Who decided, and why: one operator, or two who decided the same.
 */
import * as Effect from "effect/Effect"
import type { ChangeResolution } from "../model/Attention.js"
import { invalidArgument } from "../model/LedgerArguments.js"
import type { InvalidArgument } from "../model/LedgerError.js"
import type { LedgerError } from "../model/YieldableLedgerError.js"

export type Signed = Pick<ChangeResolution, "by" | "note">

/** The decision that two operators agree on, provided that they are two people. An erased name matches no one. */
export const agreementOf = (first: Signed, { by, note }: Signed): Signed | undefined =>
  first.by === "" || canonicalName(first.by) === canonicalName(by)
    ? undefined
    : { by: `${first.by} and ${by.trim()}`, note: first.note === note ? note : `${first.note} ${note}` }

/** Fails unless the decision has an operator's name and a note. */
export const checkDecision = (what: string, { by, note }: Signed): Effect.Effect<void, LedgerError<InvalidArgument>> =>
  by.trim() === "" || note.trim() === ""
    ? Effect.fail(invalidArgument(what))
    : alphabets.filter((alphabet) => alphabet.test(by.normalize("NFKC"))).length > 1
      ? Effect.fail(
          invalidArgument("by mixes letters of several alphabets, which look alike: write the name in one of them")
        )
      : Effect.void

const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** An operator's name in a form that can be compared: without differences in spacing, capitals or accents. */
const canonicalName = (operator: string): string =>
  operator
    .normalize("NFKD")
    .replace(/[\p{Cf}\p{M}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    // Upper case makes ß equal to ss, and ı equal to i.
    .toUpperCase()
