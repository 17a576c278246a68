/**
 * The gateway's list of a payment's refunds, and its clock.
 */
import type { RefundHistoryItem } from "../../contract/Messages.js"
import { distinctRefunds } from "../../client/payment/RefundEntries.js"
import type { ResponseHead } from "../../client/call/ResponseHead.js"

/** The refunds of a payment, as the gateway lists them. */
export interface RefundList {
  readonly refunds: ReadonlyArray<RefundHistoryItem>
  /** The time at the gateway when it listed them, in milliseconds; `undefined` when its response did not say. */
  readonly gatewayTime: number | undefined
}

/** Reads the gateway's clock from the last response. */
export const gatewayClock = () => {
  let gatewayTime: number | undefined
  return {
    onResponse: (head: ResponseHead): void => {
      gatewayTime = head.gatewayTimeMillis
    },
    listed: (refunds: ReadonlyArray<RefundHistoryItem>): RefundList => ({
      refunds: distinctRefunds(refunds),
      gatewayTime
    })
  }
}

/** The time of a refund, by the gateway's clock. It writes `+0200`, without the colon that ISO 8601 asks for. */
export const requestedAt = ({ date_requested = "" }: RefundHistoryItem): number | undefined => {
  const time = Date.parse(date_requested.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))
  return Number.isNaN(time) ? undefined : time
}
