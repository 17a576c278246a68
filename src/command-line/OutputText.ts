/**
 * Texts as the command line prints them in a terminal.
 */
import { decimalText, moneyText } from "../html/Money.js"

/** The text without the characters that move the cursor, paint or ring; a question mark stands for each. */
// oxlint-disable-next-line no-control-regex -- that is what is meant
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?")

/** The address of a database, or whatever was given for one, without user and password. */
export const withoutCredentials = (address: string): string =>
  printable(
    address.trim().replace(/^([a-z][a-z\d+.-]*:\/+)?.*@/is, (_, scheme: string | undefined) => `${scheme ?? ""}…@`)
  )

/** Facts, each in a line with its label; what is absent has none. */
export const factLines = (
  facts: ReadonlyArray<readonly [label: string, value: string | number | undefined]>
): ReadonlyArray<string> =>
  facts.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [`${label.padEnd(11)} ${printable(String(value))}`]
  )

/** An amount in minor units, with plain spaces, which can be searched and copied, and with its currency where that is known: `1,399.50 CZK`. */
export const amountText = (minorUnits: number, currency?: string, language: "cs" | "en" = "en"): string => {
  const text = currency === undefined ? decimalText(minorUnits, language) : moneyText(minorUnits, currency, language)
  return text.replaceAll(/[\u00a0\u202f]/g, " ")
}

/** A time to the second, in UTC whatever its offset was: `2026-11-29 12:05:09Z`. */
export const timeText = (iso: string | undefined): string =>
  iso === undefined || Number.isNaN(Date.parse(iso))
    ? (iso ?? "")
    : new Date(iso)
        .toISOString()
        .replace("T", " ")
        .replace(/\.\d+Z$/, "Z")
