/**
 * Texts that a database gives back as they were: well-formed ones without the character NUL. Half of a character, as where
 * a text was cut inside an emoji, is stored as `\ufffd`, so that two such texts would become one.
 */

/** What is wrong with a text that a database does not give back as it was. */
export const storageProblem = (text: string): string | undefined =>
  text.includes("\0")
    ? "contains the character NUL, which no database stores"
    : halfCharacter.test(text)
      ? "contains half of a character: was it cut inside one, such as an emoji?"
      : undefined

/** The text as a database can store it. What the gateway says must never fail a statement. */
export const storable = (text: string): string =>
  unstorable.test(text) ? text.replace(everyUnstorable, "\ufffd") : text

const halfCharacter = /\p{Cs}/u
const unstorable = /[\p{Cs}\0]/u
const everyUnstorable = /[\p{Cs}\0]/gu
