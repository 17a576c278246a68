/**
 * The keys of a ledger's own.
 */

/** The beginning of the keys that are the ledger's own. */
export const ledgerKeyPrefix = "order:"

/** Whether a key names the payment of an order: `order:`, the order's number, and the payment's. */
export const isPaymentKey = (key: string): boolean => key.startsWith(ledgerKeyPrefix) && /:\d+$/.test(key)
