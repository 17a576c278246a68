/**
 * What happened, to be read: time, process, event.
 */
import type { Outcome } from "./Simulation.js"

const longestLine = 220

/** In seconds. */
const time = (millis: number): string => (millis / 1000).toFixed(3).padStart(9)

/** The story of a simulation; the middle of a long one is left out. */
export const storyOf = ({ story, violation }: Outcome, mostLines = 80): string => {
  const lines = story.map(({ at, event, process }) =>
    `${time(at)}  ${process.padEnd(13)} ${event}`.slice(0, longestLine)
  )
  const half = Math.floor(mostLines / 2)
  const shown =
    lines.length <= mostLines
      ? lines
      : [...lines.slice(0, half), `          … ${lines.length - 2 * half} lines …`, ...lines.slice(-half)]
  return [...shown, ...(violation === undefined ? [] : [`Violated: ${violation.invariant}`])].join("\n")
}
