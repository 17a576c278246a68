/**
 * What someone meant who mistyped a name.
 */

/** Whether one becomes the other by leaving out a letter of either. */
const isAlmost = (one: string, other: string): boolean => {
  const shortened = (text: string): ReadonlyArray<string> => [
    text,
    ...Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))
  ]
  return shortened(one).some((text) => shortened(other).includes(text))
}

/** A sentence that names the nearest of some names, after a blank; empty where none is near. */
export const suggestion = (given: string, names: Iterable<string>): string => {
  const meant = [...names].find((name) => name.startsWith(given) || isAlmost(given, name))
  return meant === undefined ? "" : `. Did you mean ${meant}?`
}
