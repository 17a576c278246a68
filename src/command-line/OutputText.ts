/**
 * Texts as the command line prints them in a terminal.
 */
import { decimalText, moneyText } from "../html/Money.js"
import { ownMember } from "../basics/OwnMember.js"
import type { Language } from "./Language.js"

/**
 * The text with control characters, which move the cursor, change colours or ring the bell, replaced by question marks.
 */
// oxlint-disable-next-line no-control-regex -- that is what is meant
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?")

/** The address of a database without user and password, whatever form it has. */
export const withoutCredentials = (address: string): string =>
  printable(
    address
      .trim()
      .replace(/^([a-z][a-z\d+.-]*:\/+)?.*@/is, (_, scheme: string | undefined) => `${scheme ?? ""}…@`)
      .replaceAll(/(password\s*=\s*)[^&\s]+/gi, "$1…")
  )

/** Whether it is an address with a password, which an e-mail address is not. */
const hasPassword = (text: string): boolean => /:.*@|password\s*=/is.test(text)

/** What is said about a command's arguments, with no user and password of an address that was given in a wrong place. */
export const withoutCredentialsOf = (args: ReadonlyArray<string>, text: string): string =>
  args
    // Of `--store=postgres://…` the value alone may be repeated.
    .flatMap((arg) => [arg, arg.replace(/^--[\w-]+=/, "")])
    .filter(hasPassword)
    .flatMap((arg) => [arg, printable(arg)])
    .reduce((said, arg) => said.replaceAll(arg, () => withoutCredentials(arg)), text)

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
export const amountText = (minorUnits: number, currency?: string, language: Language = "en"): string => {
  const text = currency === undefined ? decimalText(minorUnits, language) : moneyText(minorUnits, currency, language)
  return text.replaceAll(/[\u00a0\u202f]/g, " ")
}

/** A day, `yyyy-mm-dd`, as Czech writes it. */
export const czechDay = (iso: string): string => iso.replace(/^(\d{4})-0?(\d+)-0?(\d+)$/, "$3. $2. $1")

/** A day, `yyyy-mm-dd`, as people of the language write it: `29. 11. 2026` in Czech. */
export const dayText = (iso: string, language: Language): string => (language === "cs" ? czechDay(iso) : iso)

/** A time to the second, always in UTC: `2026-11-29 12:05:09Z`, in Czech `29. 11. 2026 12:05:09 UTC`. */
export const timeText = (iso: string | undefined, language: Language = "en"): string => {
  if (iso === undefined || Number.isNaN(Date.parse(iso))) return iso ?? ""
  const [day = "", time = ""] = new Date(iso)
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .split("T")
  return language === "cs" ? `${dayText(day, language)} ${time} UTC` : `${day} ${time}Z`
}

/** A code in words and as itself, for those who search for it. A code without words stands alone. */
export const withCode = (words: string | undefined, code: string): string =>
  words === undefined || words.toLowerCase() === code.toLowerCase() ? (words ?? code) : `${words} (${code})`

/** A code in the words of a list; as itself, if it is not in there. */
export const wordsFor = (list: Readonly<Record<string, string>>, code: string): string =>
  ownMember<string>(list, code) ?? code
