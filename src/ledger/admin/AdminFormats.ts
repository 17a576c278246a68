/**
 * How amounts, times and tables are written on the page for accountants.
 */
import { type Html, html } from "../../html/Html.js"
import { decimalText, moneyText } from "../../html/Money.js"
import type { AdminLanguage } from "./AdminTexts.js"

export type Formats = ReturnType<typeof formatsOf>

const locales: Readonly<Record<AdminLanguage, string>> = { cs: "cs-CZ", en: "en-GB" }

export const formatsOf = (language: AdminLanguage, timeZone: string) => {
  const month = language === "cs" ? "numeric" : "short"
  const calendar = { timeZone, year: "numeric", month, day: "numeric" } as const
  const days = new Intl.DateTimeFormat(locales[language], calendar)
  const clock = new Intl.DateTimeFormat(locales[language], { ...calendar, hour: "2-digit", minute: "2-digit" })
  return {
    /** An amount in minor units, with its currency where that is known. */
    amount: (minor: number | undefined, currency?: string): string => {
      if (minor === undefined) return ""
      if (currency !== undefined) return moneyText(minor, currency, language)
      return decimalText(minor, language)
    },
    /** A time, ISO 8601, as the clock of the time zone shows it. */
    time: (iso: string) => clock.format(new Date(iso)),
    day: (iso: string) => days.format(new Date(iso))
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
