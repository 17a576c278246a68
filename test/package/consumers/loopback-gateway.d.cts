/** Starts a gateway with a few canned answers: payment 3000006529 is paid and cannot be refunded. */
export declare const startGateway: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>
