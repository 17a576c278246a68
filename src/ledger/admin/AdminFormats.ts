/**
 * How amounts and times are written on the page for accountants.
 */
import { decimalText, moneyText } from "../../html/Money.js"
import type { AdminLanguage } from "./AdminTexts.js"

/** How things are written, for a language and a time zone. */
export interface Formats {
  /** An amount in minor units, with its currency where that is known. */
  readonly amount: (minor: number | undefined, currency?: string) => string
  /** A time, ISO 8601, as the clock of the time zone shows it. */
  readonly time: (iso: string) => string
  /** The day of a time. */
  readonly day: (iso: string) => string
}

const locales: Readonly<Record<AdminLanguage, string>> = { cs: "cs-CZ", en: "en-GB" }

export const formatsOf = (language: AdminLanguage, timeZone: string): Formats => {
  const month = language === "cs" ? "numeric" : "short"
  const calendar = { timeZone, year: "numeric", month, day: "numeric" } as const
  const days = new Intl.DateTimeFormat(locales[language], calendar)
  const clock = new Intl.DateTimeFormat(locales[language], { ...calendar, hour: "2-digit", minute: "2-digit" })
  return {
    amount: (minor, currency) => {
      if (minor === undefined) return ""
      if (currency !== undefined) return moneyText(minor, currency, language)
      return decimalText(minor, language)
    },
    time: (iso) => clock.format(new Date(iso)),
    day: (iso) => days.format(new Date(iso))
  }
}
