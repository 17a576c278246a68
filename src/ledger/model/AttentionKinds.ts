/**
 * The kinds of things that need an operator, see `AttentionKind`, and the message of one that names refunds.
 */
export const attentionKinds = [
  "InDoubt",
  "StrangeRefund",
  "ListIncomplete",
  "Unbound",
  "CredentialsRefused",
  "AccountEmpty",
  "ChargesDisabled",
  "DecisionContradicted",
  "PaidTwice",
  "PaidLate",
  "Unfulfillable",
  "UnknownPayment",
  "PaymentMismatch",
  "StateContradicted",
  "ReturnedElsewhere",
  "HoldNotEnded",
  "ChargeMissing",
  "HandlerFailed",
  "UnreadableRow",
  "SendingStopped",
  "DatabaseRestored"
] as const

/** The words before the ids of the refunds. */
const strangeRefund = "Nothing was sent: the gateway lists refund "

/** The sentence that names the refunds that stop a change. */
export const strangeRefundMessage = (ids: ReadonlyArray<number>): string =>
  `${strangeRefund}${ids.join(", ")} of this payment, which this ledger did not make. `

/** The refund that stops a change; `undefined` where it is another matter, or there are several. */
export const namedRefund = ({
  kind,
  message
}: {
  readonly kind: string
  readonly message: string
}): number | undefined => {
  if (kind !== "StrangeRefund" || !message.startsWith(strangeRefund)) return undefined
  const id = /^\d+(?= of )/.exec(message.slice(strangeRefund.length))?.[0]
  return id === undefined ? undefined : Number(id)
}
