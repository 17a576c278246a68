/**
 * The global `fetch`, looked up at each call, so that it may be replaced later.
 */
export const globalFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)
