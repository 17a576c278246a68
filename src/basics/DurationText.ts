/**
 * Durations in a form for people.
 */

/** A space without a line break. */
export const noBreak = "\u00a0"

const integer = new Intl.NumberFormat("en")

const units = [
  ["d", 24 * 3600],
  ["h", 3600],
  ["min", 60],
  ["s", 1]
] as const

/** A duration in its two largest units, such as `4 d 2 h` or `59 s`; less than a second is `0 s`. */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const largest = units.findIndex(([, size]) => whole >= size)
  if (largest === -1) return `0${noBreak}s`
  return units
    .slice(largest, largest + 2)
    .flatMap(([name, size], index) => {
      const count = Math.floor((index === 0 ? whole : whole % (units[largest]?.[1] ?? 1)) / size)
      return count === 0 ? [] : [`${integer.format(count)}${noBreak}${name}`]
    })
    .join(" ")
}
