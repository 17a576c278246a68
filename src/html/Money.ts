/**
 * Amounts as people read them, written in one way on all pages: `1,399.50 CZK`, in Czech and Slovak `1 399,50 Kč`.
 */

/** An amount in minor units with its currency. No line breaks within it. */
export const moneyText = (minorUnits: number, currency: string, language: "cs" | "en" | "sk"): string =>
  language === "en"
    ? `${new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(minorUnits / 100)}\u00a0${currency}`
    : new Intl.NumberFormat(`${language}-${language === "cs" ? "CZ" : "SK"}`, {
        style: "currency",
        currency,
        minimumFractionDigits: 2
      }).format(minorUnits / 100)
