/**
 * Texts as the command line prints them in a terminal.
 */
import { decimalText, moneyText } from "../html/Money.js"

/**
 * The text with control characters, which move the cursor, change colours or ring the bell, replaced by question marks.
 */
// oxlint-disable-next-line no-control-regex -- that is what is meant
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?")

/** The address of a database without user and password, whatever form it has. */
export const withoutCredentials = (address: string): string =>
  printable(
    address.trim().replace(/^([a-z][a-z\d+.-]*:\/+)?.*@/is, (_, scheme: string | undefined) => `${scheme ?? ""}…@`)
  )

/** Facts, each on a line with its label. Absent facts have no line. */
export const factLines = (
  facts: ReadonlyArray<readonly [label: string, value: string | number | undefined]>
): ReadonlyArray<string> =>
  facts.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [`${label.padEnd(11)} ${printable(String(value))}`]
  )

/**
 * An amount in minor units, with plain spaces, so that it can be searched for and copied, and with its currency if
 * known: `1,399.50 CZK`.
 */
export const amountText = (minorUnits: number, currency?: string, language: "cs" | "en" = "en"): string => {
  const text = currency === undefined ? decimalText(minorUnits, language) : moneyText(minorUnits, currency, language)
  return text.replaceAll(/[\u00a0\u202f]/g, " ")
}

/** A time to the second, always in UTC: `2026-11-29 12:05:09Z`. */
export const timeText = (iso: string | undefined): string =>
  iso === undefined || Number.isNaN(Date.parse(iso))
    ? (iso ?? "")
    : new Date(iso)
        .toISOString()
        .replace("T", " ")
        .replace(/\.\d+Z$/, "Z")
