/**
 * A stand-in for the package `validator` in the bundle of the local gateway.
 *
 * `bysquare` checks with it what it encodes, unless told not to, as it is in `TransferText`: all there is to check are
 * two constant accounts, and a test does that. The package would be more than half of the bundle.
 */
export default {}
