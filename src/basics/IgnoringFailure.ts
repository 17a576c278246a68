/**
 * Calls of what only observes.
 */

/** Calls a function that may be asynchronous. Neither what it throws nor what it rejects with goes anywhere. */
export const ignoringFailure = (call: () => unknown): void => {
  try {
    const result = call()
    // What is not asynchronous makes no promise.
    if (isThenable(result)) result.then(undefined, () => undefined)
  } catch {
    // It goes nowhere.
  }
}

const isThenable = (
  value: unknown
): value is { readonly then: (done: undefined, failed: () => undefined) => unknown } =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"
