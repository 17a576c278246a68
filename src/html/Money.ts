/**
 * Amounts as people read them, written in one way on all pages: `1,399.50 CZK`, in Czech and Slovak `1 399,50 Kč`.
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
