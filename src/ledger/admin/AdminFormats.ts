/**
 * How amounts, times and tables are written on the page for accountants.
 */
import { type Html, html } from "../../html/Html.js"
import { decimalText, moneyText } from "../../html/Money.js"
import type { AdminLanguage } from "./AdminTexts.js"

export interface Formats {
  /** An amount in minor units, with its currency where that is known. */
  readonly amount: (minor: number | undefined, currency?: string) => string
  /** A time, ISO 8601, as the clock of the time zone shows it. */
  readonly time: (iso: string) => string
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

/** A table that scrolls by itself where it is too wide. */
export const table = (title: string, heads: ReadonlyArray<string>, rows: ReadonlyArray<Html>): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
