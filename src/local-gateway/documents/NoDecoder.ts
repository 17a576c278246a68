/**
 * A stand-in for the decoder of the package `lzma1` in the bundles of the local gateway, which only write QR codes.
 */

/** What is made of it is never asked to decode. */
export const Decoder = function (): void {}
