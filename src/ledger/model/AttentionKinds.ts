/**
 * The kinds of things that need an operator; see `AttentionKind`.
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
