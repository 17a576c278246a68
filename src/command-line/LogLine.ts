/**
 * The log of a running gateway as lines of a terminal.
 */
import { styleText } from "node:util"
import type { JournalEntry, LoggedEvent, LoggedRequest } from "../local-gateway/server/Journal.js"
import { printable } from "./OutputText.js"

/** The time of day, after the day where that is not today: the gateway's time may have been moved. */
const timeText = (at: number): string => {
  const [date, today] = [new Date(at), new Date()]
  const time = date.toLocaleTimeString("en-GB")
  if (date.toDateString() === today.toDateString()) return time
  const year = date.getFullYear() === today.getFullYear() ? {} : { year: "numeric" as const }
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year })} ${time}`
}

const units = [
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1]
] as const

/** A duration in words, such as `30 days` or `1 hour 30 minutes`. */
export const durationText = (millis: number): string => {
  let left = Math.round(millis / 1000)
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`]
  })
  return parts.length === 0 ? "0 seconds" : parts.join(" ")
}

/** The line of a request. */
export const requestLine = ({
  at,
  fault,
  method,
  operation = "",
  path,
  paymentId,
  status
}: JournalEntry<LoggedRequest>): string => {
  const style = status === 0 || status >= 500 ? "red" : status >= 400 ? "yellow" : "green"
  return [
    styleText("dim", timeText(at)),
    styleText(style, status === 0 ? "---" : String(status)),
    method.padEnd(6),
    path,
    styleText("bold", operation),
    ...(paymentId === undefined ? [] : [`#${paymentId}`]),
    ...(fault === undefined ? [] : [styleText("red", `fault: ${fault}`)])
  ]
    .filter((part) => part !== "")
    .join(" ")
}

/** The line of an event; undefined for one that a request has shown already. */
export const eventLine = (event: JournalEntry<LoggedEvent>): string | undefined => {
  const line = (...parts: ReadonlyArray<string>) => [styleText("dim", timeText(event.at)), ...parts].join(" ")
  switch (event.type) {
    case "notification": {
      const { attempt, problem, status, url } = event
      return line(
        styleText(status === 200 ? "green" : "yellow", status === 0 ? "---" : String(status)),
        `notify ${printable(url)}`,
        ...(attempt > 1 ? [`attempt ${attempt}`] : []),
        ...(problem === undefined ? [] : [styleText("yellow", problem)])
      )
    }
    case "warning":
      return line(
        styleText("yellow", `warning: ${event.operation}: GoPay may refuse this: ${printable(event.refusal)}`)
      )
    case "state": {
      const { by, paymentId, subState, to } = event
      const reason = subState === undefined ? [] : [subState]
      return by === "merchant" ? undefined : line(styleText("cyan", by), `#${paymentId} is ${to}`, ...reason)
    }
    case "time":
      return line(styleText("cyan", "time"), `moved forward by ${durationText(event.advancedMillis)}`)
    default:
      return undefined
  }
}
