/**
 * What is wrong with a field, in the language of the page.
 */
import { t } from "./language.js"

/**
 * The sentences of the control API, and their texts.
 *
 * @type {ReadonlyArray<readonly [RegExp, (values: ReadonlyArray<string>) => string]>}
 */
const sentences = [
  [/^must be a whole number, (\d+) or more$/, (values) => t("must be a whole number, {} or more", ...values)],
  [/^must be a whole number from (\d+) to (\d+)$/, (values) => t("must be a whole number from {} to {}", ...values)],
  [/^must be one of (.+)$/, (values) => t("must be one of {}", ...values)],
  [/^must have at most (\d+) characters$/, (values) => t("must have at most {} characters", ...values)],
  [/^must be text$/, () => t("must be text")],
  [/^must be true or false$/, () => t("must be true or false")],
  [/^must be an object$/, () => t("must be an object")],
  [/^must be a list$/, () => t("must be a list")],
  [/^is required$/, () => t("is required")],
  [/^is not known here; check its spelling$/, () => t("is not known here; check its spelling")]
]

/**
 * The problem as a sentence; undefined where there is none in the language of the page.
 *
 * @param {{ readonly field?: string, readonly message: string }} problem
 * @returns {string | undefined}
 */
export const problemText = ({ field, message }) => {
  for (const [pattern, sentence] of sentences) {
    const found = pattern.exec(message)
    if (found !== null) return `${field === undefined ? "" : `${field}: `}${sentence(found.slice(1))}`
  }
  return undefined
}
