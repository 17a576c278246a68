/**
 * Custom requests, for parts of GoPay's API that this package does not know yet.
 */

/** A request of your own. It gets the same token, errors and care as the operations. */
export interface CustomRequest {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /**
   * Relative to the API's base address, with its query: `/payments/payment/3000006542/something-new?detail=1`. It has to
   * stay below that address whoever reads it: `.` and `..`, control characters, a backslash, and an encoded `/`, `?` or
   * `#` in it are refused. Encode a text of yours with `encodeURIComponent`.
   */
  readonly path: `/${string}`
  /**
   * Whether repeating it does harm. A `read` is repeated by itself when the gateway is not available; a `change` is
   * sent again only when it certainly was not taken, and fails with `OutcomeUnknown` when no one knows.
   */
  readonly kind: "read" | "change"
  /**
   * A JSON value, for a JSON body; absent or `undefined`: none. What JSON would lose or change is refused, with its path:
   * a function, `NaN`, a `bigint`, a `Date`, a `Map`, an object with `toJSON`, `undefined` in a list.
   */
  readonly body?: unknown
  /** For a body in the form's encoding, in place of `body`. */
  readonly form?: { readonly [field: string]: string | number | boolean } | undefined
}
