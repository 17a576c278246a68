/**
 * Types for the gateway's browser script (`/gp-gw/js/embed.js`).
 *
 * There is no code at run time.
 */
import type { PaymentState } from "./CodeLists.js"

/** The pay page to open, and the way to open it. */
export interface CheckoutRequest {
  /** The `gw_url` of the payment. */
  readonly gatewayUrl: string
  /**
   * `true`: over the shop's page, in a frame, if the page is served over https and the device allows it. Otherwise, and
   * with `false`, the browser goes to the pay page.
   */
  readonly inline: boolean
}

/**
 * The message to the page when the pay page closes. It comes from the payer's browser, so it proves nothing: read the
 * payment on the server, with `verifyPayment`.
 *
 * Source: examples of the official PHP SDK; older ones have no `state`. It is not documented whether the id is a number
 * or text.
 */
export interface CheckoutResult {
  /** The payment's `return_url` with `id` in its query. Go there, as the payer would have without `inline`. */
  readonly url: string
  /** The payment's id. */
  readonly id: number | string
  /** The payment's state when the pay page closed. */
  readonly state?: PaymentState
}

/**
 * The script's global object, `_gopay`. A page that has loaded the script (see `getEmbedJsUrl`) declares it where it
 * uses it:
 *
 * ```ts
 * import type { GoPayScript } from "effect-gopay/promise"
 *
 * declare const _gopay: GoPayScript
 *
 * _gopay.checkout({ gatewayUrl: payment.gw_url, inline: true }, ({ url }) => location.assign(url))
 * ```
 *
 * For all files of a project: `declare global { var _gopay: GoPayScript }` in one of them, or
 * `interface Window { _gopay?: GoPayScript }` for a script that may not have been loaded.
 */
export interface GoPayScript {
  /**
   * Opens the pay page. With `inline`, `callback` is called when it closes; without one, and when the browser goes to
   * the pay page, the payer comes back by the payment's `return_url`.
   */
  checkout(request: CheckoutRequest, callback?: (result: CheckoutResult) => void): void
}
