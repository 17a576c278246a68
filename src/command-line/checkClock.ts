/**
 * Whether this machine's clock and calendar agree with the gateway's.
 */
import { type Finding, findingsOf } from "./Finding.js"

const clock = findingsOf("clock")
const calendar = findingsOf("time zone")

/** The ledger recognises a lost refund within two minutes of the time at which it was sent. */
const mostSeconds = 30

/** By the `Date` of a response of the gateway. */
export const checkClock = async (baseUrl: string): Promise<Finding> => {
  const response = await fetch(baseUrl, { redirect: "manual", signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined
  )
  await response?.body?.cancel()
  const date = Date.parse(response?.headers.get("date") ?? "")
  if (Number.isNaN(date))
    return clock.unknown("The gateway does not say what time it is. Is this machine's clock set by NTP?")
  const seconds = Math.round((Date.now() - date) / 1_000)
  return Math.abs(seconds) <= mostSeconds
    ? clock.ok("It agrees with the gateway's")
    : clock.problem(
        `It is ${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} the gateway's. Set it by NTP: the ledger recognises a lost refund by its time`
      )
}

/** Days of statements and subscriptions are days in Prague, wherever the machine is: it only has to know that zone. */
export const checkTimeZone = (): Finding => {
  try {
    const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Prague", hour: "2-digit" })
    if (hour.format(new Date("2026-07-01T12:00:00Z")) === "14") return calendar.ok("Europe/Prague is known here")
  } catch {
    // It is said below.
  }
  return calendar.problem("This Node.js does not know Europe/Prague. Use one with full ICU")
}
