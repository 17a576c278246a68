/**
 * What may help after a charge was declined: one table of codes and sub-states.
 */
import type { ChargeRemedy } from "../model/Subscription.js"

/**
 * Error codes of a refusal. 340 stands for an unknown or unpaid first payment, too: both are ruled out by a read before the
 * charge is sent. Source: https://doc.gopay.com, error codes; for 341 a third-party program.
 */
const byCode: ReadonlyMap<number, ChargeRemedy> = new Map<number, ChargeRemedy>([
  [340, "anotherDay"],
  [341, "merchant"],
  [342, "newCard"],
  [343, "newCard"]
])

/** Sub-states of the payment of a charge. All others may pass. Source: https://doc.gopay.com, sub-states. */
const bySubState: ReadonlyMap<string, ChargeRemedy> = new Map<string, ChargeRemedy>([
  // The card is blocked, has expired, has a wrong number, is not allowed to pay, is of a region that is not supported.
  ["_5005", "newCard"],
  ["_5007", "newCard"],
  ["_5013", "newCard"],
  ["_5016", "newCard"],
  ["_5035", "newCard"],
  ["_5039", "newCard"],
  // The payer has cancelled it.
  ["_5037", "newCard"],
  // The seller's own configuration or rights.
  ["_5020", "merchant"],
  ["_5027", "merchant"]
])

/** What may help after a refusal or a declined payment: without a code and a payment, no card was asked. */
export const remedyOf = ({
  code,
  entry,
  subState
}: {
  readonly code?: number | undefined
  /** The payment that the charge made. */
  readonly entry: string | null
  readonly subState?: string | undefined
}): ChargeRemedy => {
  if (code !== undefined) return byCode.get(code) ?? "merchant"
  if (entry === null) return "merchant"
  return (subState === undefined ? undefined : bySubState.get(subState)) ?? "anotherDay"
}
