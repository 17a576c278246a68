/**
 * Starts a gateway with a few canned answers: payment 3000006529 is paid and cannot be refunded; whatever is sent to payment
 * 3000006542 is read, kept in `cut`, and its connection cut.
 */
export declare const startGateway: () => Promise<{
  readonly url: string
  readonly cut: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}>
