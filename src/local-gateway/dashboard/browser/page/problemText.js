/**
 * What is wrong with a field, in the language of the page.
 */
import { t } from "./language.js"

/** The sentences of the control API, and their texts. */
const sentences = /** @type {const} */ ([
  [/^must be a whole number, (\d+) or more$/, "must be a whole number, {} or more"],
  [/^must be a whole number from (\d+) to (\d+)$/, "must be a whole number from {} to {}"],
  [/^must be one of (.+)$/, "must be one of {}"],
  [/^must have at most (\d+) characters$/, "must have at most {} characters"],
  [/^must be text$/, "must be text"],
  [/^must be true or false$/, "must be true or false"],
  [/^must be an object$/, "must be an object"],
  [/^must be a list$/, "must be a list"],
  [/^is required$/, "is required"],
  [/^is not known here; check its spelling$/, "is not known here; check its spelling"]
])

/**
 * The problem as a sentence; undefined where there is none in the language of the page.
 *
 * @param {{ readonly field?: string, readonly message: string }} problem
 * @returns {string | undefined}
 */
export const problemText = ({ field, message }) => {
  for (const [pattern, text] of sentences) {
    const found = pattern.exec(message)
    if (found !== null) return `${field === undefined ? "" : `${field}: `}${t(text, ...found.slice(1))}`
  }
  return undefined
}
