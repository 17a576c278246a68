/**
 * Amounts as people read them, written in one way on all pages: `1,399.50 CZK`, in Czech `1 399,50 Kč`.
 */

/** An amount in minor units with its currency. No line breaks within it. */
export const moneyText = (minorUnits: number, currency: string, language: "cs" | "en"): string =>
  language === "cs"
    ? new Intl.NumberFormat("cs-CZ", { style: "currency", currency, minimumFractionDigits: 2 }).format(minorUnits / 100)
    : `${new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(minorUnits / 100)}\u00a0${currency}`
