/**
 * Amounts as the command line prints them: as the pages write them, with plain spaces, which can be searched and copied.
 */
import { decimalText, moneyText } from "../html/Money.js"

/** An amount in minor units, with its currency where that is known: `1,399.50 CZK`. */
export const amountText = (minorUnits: number, currency?: string, language: "cs" | "en" = "en"): string => {
  const text = currency === undefined ? decimalText(minorUnits, language) : moneyText(minorUnits, currency, language)
  return text.replaceAll(/[\u00a0\u202f]/g, " ")
}
