/**
 * The choice of a text by its language, and what is said in more than one command's words.
 */

/** Chooses the English or the Czech one. */
export type Choice = <Value>(en: Value, cs: Value) => Value

/** Proposes a name that resembles the given one, if there is one. */
export const didYouMean = (t: Choice, name: string | undefined): string =>
  name === undefined ? "" : t(`. Did you mean ${name}?`, `. Nemysleli jste ${name}?`)

/** A message that exists in English only, such as that of a library. */
export const inEnglish = (t: Choice, message: string): string => t(message, `Anglicky: ${message}`)
