/**
 * Replacements for code that the bundles of the local gateway do not need, since they only write QR codes.
 */

/** Replaces the decoder of the package `lzma1`, which is never asked to decode. */
export const Decoder = function (): void {}

/**
 * Replaces the package `validator`: `bysquare` checks with it what it encodes, unless told not to, as in `QrPayment`.
 * The only values to check are two constant accounts, and a test does that. The package would be more than half of the
 * bundle.
 */
export default {}
