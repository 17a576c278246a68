/**
 * The days that a statement covers.
 */
import type { ParsedStatement } from "./ParsedStatement.js"

/** The days that the statements of one currency cover. */
export interface CoveredDays {
  readonly currency: string
  readonly from: string
  readonly to: string
}

/** The days from the first to the last; those of the movements if the file does not say. */
export const daysOf = ({ currency, movements, period }: ParsedStatement): CoveredDays | undefined => {
  if (period !== undefined) return { currency, ...period }
  const days = movements.map(({ date }) => date).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  return from === undefined || to === undefined ? undefined : { currency, from, to }
}
