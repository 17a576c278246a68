/**
 * Whether a call comes from within a transaction: it would wait for that transaction, which in turn waits for the call.
 *
 * `AsyncLocalStorage` tells that in Node.js, Bun, Deno and Cloudflare's `nodejs_compat`. On other platforms it is
 * unknown.
 */

/**
 * A module of Node.js, or its equivalent in a compatible runtime, by name; `undefined` if there is none. It is not
 * imported, because the ledger also runs where there is no such module, and bundlers must not look for it.
 */
export const builtinModule = (name: string): unknown => {
  const { process }: { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } } = globalThis
  return process?.getBuiltinModule?.(name)
}

interface Scope {
  isOpen: boolean
}

interface Storage {
  run<A>(scope: Scope | undefined, work: () => A): A
  getStore(): Scope | undefined
}

const hasStorage = (module: unknown): module is { readonly AsyncLocalStorage: new () => Storage } =>
  typeof module === "object" && module !== null && "AsyncLocalStorage" in module

const asyncHooks = builtinModule("node:async_hooks")
const storage: Storage = hasStorage(asyncHooks)
  ? new asyncHooks.AsyncLocalStorage()
  : { run: (_scope, work) => work(), getStore: () => undefined }

/** Runs work as part of a transaction, until the work ends. */
export const inTransaction = async <A>(work: () => Promise<A>): Promise<A> => {
  const scope = { isOpen: true }
  try {
    return await storage.run(scope, work)
  } finally {
    scope.isOpen = false
  }
}

/** Runs work as outside of every transaction: for programs of the ledger that several callers share. */
export const outsideTransactions = <A>(work: () => A): A => storage.run(undefined, work)

/** Whether the caller is within an open transaction, as far as that can be determined. */
export const isInTransaction = (): boolean => storage.getStore()?.isOpen === true
