/**
 * Stand-ins for what the bundles of the local gateway, which only write QR codes, do not need.
 */

/** For the decoder of the package `lzma1`: what is made of it is never asked to decode. */
export const Decoder = function (): void {}

/**
 * For the package `validator`: `bysquare` checks with it what it encodes, unless told not to, as it is in `QrPayment`. All
 * there is to check are two constant accounts, and a test does that. The package would be more than half of the bundle.
 */
export default {}
