/**
 * Amounts as people read and type them, the same on all pages: `1,399.50 CZK`, in Czech and Slovak `1 399,50 Kč`.
 */

const locales = { cs: "cs-CZ", en: "en-GB", sk: "sk-SK" } as const

/** An amount in minor units without its currency: `1,399.50`. No line breaks within it. */
export const decimalText = (minorUnits: number, language: keyof typeof locales): string =>
  new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    minorUnits / 100
  )

/** An amount in minor units with its currency. No line breaks within it. */
export const moneyText = (minorUnits: number, currency: string, language: keyof typeof locales): string =>
  language === "en"
    ? `${decimalText(minorUnits, language)}\u00a0${currency}`
    : new Intl.NumberFormat(locales[language], {
        style: "currency",
        currency,
        minimumFractionDigits: 2
      }).format(minorUnits / 100)

/** Digits, plain or in groups of three, and up to two decimals. Ambiguous forms such as `1,399` are not accepted. */
const typedForms = [
  /^\d{1,12}(?:[.,]\d{1,2})?$/,
  /^\d{1,3}(?:[ \u00a0\u202f']\d{3}){1,3}(?:[.,]\d{1,2})?$/,
  /^\d{1,3}(?:,\d{3}){1,3}\.\d{1,2}$/
]

/**
 * The amount that someone has typed, such as `1 399,50` or `1399.5`, in minor units; `undefined` if it is not an
 * amount.
 */
export const typedMinorUnits = (typed: string): number | undefined => {
  const text = typed.trim()
  if (!typedForms.some((form) => form.test(text))) return undefined
  const decimals = /[.,](\d{1,2})$/.exec(text)
  const whole = (decimals === null ? text : text.slice(0, decimals.index)).replaceAll(/\D/g, "")
  return Number(whole) * 100 + Number((decimals?.[1] ?? "").padEnd(2, "0"))
}
