/**
 * Formats and parses the texts of the dashboard: amounts, times, bodies without secrets, reasons, settings. Nothing
 * here accesses the page.
 */
import { ownMember } from "../../../basics/OwnMember.js"
import { typedMinorUnits } from "../../../html/Money.js"
import { durationText, noBreak } from "../../../basics/DurationText.js"
import { withoutSecrets } from "../../server/Journal.js"
import { inShell } from "./copies.js"

const integer = new Intl.NumberFormat("en")

/** Day before month, and 24 hours. */
const timeLocale = "en-GB"

/** Parses an amount, such as `1 399,50` or `1399.5`, into minor units. Throws if it is not an amount. */
export const typedAmount = (typed: string): number => {
  const units = typedMinorUnits(typed) ?? 0
  if (units === 0) throw new Error("This is not an amount, such as 1399.50.")
  return units
}

/** A text with a capital at the beginning. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Joins the texts that exist. */
export const joined = (texts: ReadonlyArray<string | false | undefined>, separator = ", "): string =>
  texts.filter(Boolean).join(separator)

/** A number of things, such as `1 payment` or `10,000 payments`. */
export const countText = (count: number, noun: string): string => {
  const form = count === 1 ? noun : noun.replace(/y?$/, (end) => (end === "y" ? "ies" : "s"))
  return `${integer.format(count)}${noBreak}${form}`
}

/** How far the gateway's time is ahead. The time that passed while it was being moved is not counted. */
export const aheadText = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  return durationText(minutes < 60 ? Math.round(seconds) : minutes * 60)
}

/** How to format times. */
interface TimeOptions {
  /** Such as `Europe/Prague`; default: the reader's. */
  readonly timeZone?: string
  readonly withMillis?: boolean
}

/** Formats times in a time zone. */
export const timeWriter = ({ timeZone, withMillis = false }: TimeOptions = {}) => {
  const zone = timeZone === undefined ? {} : { timeZone }
  const clock = new Intl.DateTimeFormat(timeLocale, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    ...(withMillis ? { fractionalSecondDigits: 3 as const } : {}),
    ...zone
  })
  const dayFormat = new Intl.DateTimeFormat(timeLocale, { day: "numeric", month: "short", year: "numeric", ...zone })
  const date = new Intl.DateTimeFormat(timeLocale, { day: "numeric", month: "short", ...zone })
  const day = (iso: string): string => dayFormat.format(new Date(iso))
  const full = (iso: string): string => `${day(iso)}, ${clock.format(new Date(iso))}`
  return {
    /** The time of day, such as `14:05:09`. */
    clock: (at: Date): string => clock.format(at),
    /** The day, such as `3 Oct 2026`. */
    day,
    /** The day with the time, such as `3 Oct 2026, 14:05:09`. */
    full,
    /** The time of day, with the day unless it is today, and with the year unless it is this year. */
    short: (iso: string, now: string): string => {
      const [then, today] = [new Date(iso), new Date(now)]
      if (day(iso) === day(now)) return clock.format(then)
      return then.getFullYear() === today.getFullYear() ? `${date.format(then)}, ${clock.format(then)}` : full(iso)
    }
  }
}

/** The time until something happens, such as `in 11 h 59 min` or `now`. */
export const untilText = (iso: string, now: string): string => {
  const seconds = (Date.parse(iso) - Date.parse(now)) / 1000
  return seconds < 1 ? "now" : `in ${durationText(seconds)}`
}

/** Shown instead of a secret. */
export const withheld = "••••••••"

const prettyJson = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Cut off, or not JSON.
    return undefined
  }
}

const form = /^[\w.~%+-]+=[^\s{}"]*$/

const fieldPerLine = (text: string): string =>
  [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join("\n")

/** A readable body without its secrets: JSON indented, form fields one per line, anything else unchanged. */
export const prettyBody = (body: string): string => {
  const safe = withoutSecrets(body)
  return prettyJson(safe) ?? (form.test(safe) ? fieldPerLine(safe) : safe)
}

/** A value of JSON as readable text, without its secrets. */
export const jsonText = (value: unknown): string => prettyBody(JSON.stringify(value))

// ---------------------------------------------------------------------------------------------------------------------
// Reasons and settings
// ---------------------------------------------------------------------------------------------------------------------

/** Sub-states that begin like those of declined payments but are not reasons to decline. */
const noReason = new Set(["_5001", "_5045", "_5047"])

/** The reasons to decline, by code. */
export const declineReasons = (subStates: { readonly [code: string]: string }) =>
  Object.entries(subStates).filter(([code]) => /^_[56]/.test(code) && !noReason.has(code))

/** The reason of a declined attempt, such as `insufficient funds (_5006)`. */
export const reasonText = (code: string, subStates: { readonly [code: string]: string }): string => {
  const meaning = (ownMember(subStates, code) ?? "").replace(/^Declined:? /, "")
  return meaning === "" ? code : `${meaning.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} (${code})`
}

/** The value of a setting. */
export type SettingValue = string | number | ReadonlyArray<string>

/** A setting's value in the form of its field. */
export const settingText = (value: SettingValue): string =>
  typeof value === "object" ? value.join(", ") : String(value)

/** The value of a setting's field. The gateway refuses invalid ones. */
export const settingValue = (byDefault: SettingValue, text: string): SettingValue => {
  if (typeof byDefault === "number") return /^[\d.]+$/.test(text.trim()) ? Number(text) : text
  if (typeof byDefault === "string") return text
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/** Settings as flags of `effect-gopay local-gateway`. */
export const settingFlags = (settings: { readonly [name: string]: SettingValue }): string =>
  Object.entries(settings)
    .map(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value)
      return `--set ${/^[\w.-]*$/.test(text) ? `${name}=${text}` : inShell(`${name}=${text}`)}`
    })
    .join(" ")
