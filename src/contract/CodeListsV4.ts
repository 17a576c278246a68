/**
 * The code lists of GoPay's REST API v4, where they differ from those of v3.
 *
 * Source: GoPay's OpenAPI document of August 2026.
 */
import { Currencies } from "./CodeLists.js"

const { BGN: _, ...currencies } = Currencies

/** Currencies of a payment of API v4, by ISO 4217 code. */
export const CurrenciesV4 = currencies

/** Scopes of a merchant's token. */
export const MerchantScopesV4 = {
  "payment:write": "Creating, cancelling and refunding payments; recurrences",
  "payment:read": "Reading payments, refunds and recurrences",
  "card:write": "Storing and deleting cards",
  "card:read": "Reading stored cards",
  "shared:read": "The public key and the address of the card form"
} as const

export type MerchantScopeV4 = keyof typeof MerchantScopesV4

/** Scopes of a payment's own token, which its secret is exchanged for. */
export const PaymentScopesV4 = {
  "payment:read": "Reading this payment",
  "payment:charge": "Charging this payment"
} as const

export type PaymentScopeV4 = keyof typeof PaymentScopesV4
