/**
 * Dates in the gateway's format.
 */
import * as Milliseconds from "./Milliseconds.js"

/** Whether a text is a day that exists, written `yyyy-mm-dd`. */
export const isDay = (value: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

/** A day so many days later, or earlier. */
export const shiftedDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * Milliseconds.day).toISOString().slice(0, 10)
