/**
 * What is wrong with a field, in the language of the page.
 */
import { t } from "./language.js"

/**
 * A problem, as the control API reports it.
 *
 * @typedef {{ readonly field?: string, readonly code: string, readonly values: ReadonlyArray<string | number> }} Problem
 */

/**
 * The problems of the control API by their codes, and their texts.
 *
 * @type {ReadonlyMap<string, (...values: ReadonlyArray<string | number>) => string>}
 */
const texts = new Map([
  ["WholeNumberFrom", (...values) => t("must be a whole number, {} or more", ...values)],
  ["WholeNumberBetween", (...values) => t("must be a whole number from {} to {}", ...values)],
  ["OneOf", (...values) => t("must be one of {}", ...values)],
  ["MaxLength", (...values) => t("must have at most {} characters", ...values)],
  ["Text", () => t("must be text")],
  ["TrueOrFalse", () => t("must be true or false")],
  ["Object", () => t("must be an object")],
  ["List", () => t("must be a list")],
  ["Required", () => t("is required")],
  ["Unknown", () => t("is not known here; check its spelling")],
  ["NotJson", (...values) => t("is not well-formed JSON at line {}, column {}", ...values)]
])

/**
 * The problem as a sentence; undefined where there is none in the language of the page.
 *
 * @param {Problem} problem
 * @returns {string | undefined}
 */
export const problemText = ({ code, field, values }) => {
  const text = texts.get(code)
  return text && `${field === undefined ? "" : `${field}: `}${text(...values)}`
}
