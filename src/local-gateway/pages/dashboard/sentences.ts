/**
 * Sentences about what happened.
 */
import { ownMember } from "../../../contract/OwnMember.js"
import type { LogEntry } from "./controlResponses.js"

/** Sub-states that start like those of declined payments, and are no reason to decline. */
const noReason = new Set(["_5001", "_5045", "_5047"])

/** The reasons to decline, by code. */
export const declineReasons = (subStates: { readonly [code: string]: string }) =>
  Object.entries(subStates).filter(([code]) => /^_[56]/.test(code) && !noReason.has(code))

/** What is said of a declined attempt, such as `insufficient funds (_5006)`. */
export const reasonText = (code: string, subStates: { readonly [code: string]: string }): string => {
  const meaning = (ownMember(subStates, code) ?? "").replace(/^Declined:? /, "")
  return meaning === "" ? code : `${meaning.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} (${code})`
}

const countsOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(texts)].map((text) => {
    const { length } = texts.filter((one) => one === text)
    return `${length} ${length === 1 ? text : text.replace(/^(notification|operation)\b/, "$1s")}`
  })

/** What has happened, in words, such as `2 payments TIMEOUTED, 1 notification taken`. */
export const happenedText = (entries: ReadonlyArray<LogEntry>): string => {
  const texts = entries.flatMap((entry) => {
    if (entry.type === "state" && entry.from === undefined) return [`new ${entry.to}`]
    if (entry.type === "state" && entry.from !== entry.to) return [`became ${entry.to.replaceAll("_", " ")}`]
    if (entry.type === "operation") return [`operation ${entry.result}`]
    if (entry.type === "notification") return [entry.status === 200 ? "notification taken" : "notification not taken"]
    return []
  })
  return texts.length === 0 ? "Nothing fell due." : `${countsOf(texts).join(", ")}.`
}
