/**
 * The head of a response.
 */

/**
 * The status of a response and the gateway's clock.
 *
 * @category calls
 */
export interface ResponseHead {
  /** The HTTP status. */
  readonly status: number
  /**
   * The time at the gateway when it responded, in milliseconds since 1970, to the second: its `Date` header. Absent
   * when the response has none. `date_requested` of a refund is by the same clock.
   */
  readonly gatewayTimeMillis?: number
}
