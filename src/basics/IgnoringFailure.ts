/**
 * Calls of functions that only observe.
 */

/** Calls a function that may be asynchronous, and ignores whatever it throws or rejects with. */
export const ignoringFailure = (call: () => unknown): void => {
  try {
    const result = call()
    // Creates no promise if the function is not asynchronous.
    if (isThenable(result)) result.then(undefined, () => undefined)
  } catch {
    // Ignored.
  }
}

const isThenable = (
  value: unknown
): value is { readonly then: (done: undefined, failed: () => undefined) => unknown } =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"
