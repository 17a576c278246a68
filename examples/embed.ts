/**
 * A page of the shop that opens the pay page over itself. It has loaded the script at `gateway.getEmbedJsUrl()`.
 */
import type { GoPayScript } from "effect-gopay/promise"

declare const _gopay: GoPayScript

/** Opens the pay page, and goes to the shop's return page when the payer is done. */
export const pay = (gwUrl: string): void =>
  _gopay.checkout({ gatewayUrl: gwUrl, inline: true }, ({ url }) => location.assign(url))
