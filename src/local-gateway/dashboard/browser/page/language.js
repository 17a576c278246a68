/**
 * The language of the page. Texts stand in English where they are used; `czech.js` translates them.
 */
import { czechNouns, czechTexts } from "./czech.js"
import { ownMember } from "./ownMember.js"

/**
 * A language of the dashboard.
 *
 * @typedef {"en" | "cs"} Language
 */

/** The language of the page. @type {Language} */
export const language = typeof document !== "undefined" && document.documentElement.lang === "cs" ? "cs" : "en"

/** @type {Readonly<Record<string, string>>} */
const czech = czechTexts

/**
 * Translates into a language.
 *
 * @param {Language} to
 * @returns {(text: string, ...values: ReadonlyArray<string | number>) => string} The values take the places of `{}`.
 */
export const translating =
  (to) =>
  (text, ...values) => {
    const [first = "", ...rest] = (to === "cs" ? (ownMember(czech, text) ?? text) : text).split("{}")
    return rest.reduce((written, piece, index) => `${written}${values[index] ?? ""}${piece}`, first)
  }

/** Translates into the language of the page. */
export const t = translating(language)

/**
 * The form of a noun after a number, such as `2 platby`.
 *
 * @param {Language} to
 * @param {number} count
 * @param {keyof typeof czechNouns} noun
 * @returns {string}
 */
export const nounAfter = (to, count, noun) => {
  if (to === "en") return count === 1 ? noun : noun.replace(/y?$/, (end) => (end === "y" ? "ies" : "s"))
  const [one, few, many] = czechNouns[noun]
  return count === 1 ? one : count >= 2 && count <= 4 ? few : many
}
