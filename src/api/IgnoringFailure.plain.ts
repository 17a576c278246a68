/**
 * Calls of what only observes.
 */

/** Calls a function that may be asynchronous. Neither what it throws nor what it rejects with goes anywhere. */
export const ignoringFailure = (call: () => unknown): void => {
  const run = async (): Promise<void> => void (await call())
  run().catch(() => undefined)
}
