/**
 * Starts a gateway with a few canned answers: payment 3000006529 is paid and cannot be refunded. Whatever is sent to payment
 * 3000006542 or to a card is read, kept in `changes`, and its connection cut; to payment 3000006543, answered with 421.
 */
export declare const startGateway: () => Promise<{
  readonly url: string
  readonly changes: ReadonlyArray<string>
  /** How requests were sent: `sockets` of Node's, or `fetch`. */
  readonly sentOver: ReadonlySet<string>
  readonly stop: () => Promise<void>
}>
