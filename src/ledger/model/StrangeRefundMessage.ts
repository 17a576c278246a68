/**
 * What is recorded of a change that refunds of another origin stop.
 */
import type { AttentionItem } from "./Attention.js"

/** The words before the ids of the refunds. */
const begin = "Nothing was sent: the gateway lists refund "

/** The sentence that names the refunds that stop a change. */
export const strangeRefundMessage = (ids: ReadonlyArray<number>): string =>
  `${begin}${ids.join(", ")} of this payment, which this ledger did not make. `

/** The refund that stops a change; `undefined` where it is another matter, or there are several. */
export const namedRefund = ({ kind, message }: Pick<AttentionItem, "kind" | "message">): number | undefined => {
  if (kind !== "StrangeRefund" || !message.startsWith(begin)) return undefined
  const id = /^\d+(?= of )/.exec(message.slice(begin.length))?.[0]
  return id === undefined ? undefined : Number(id)
}
