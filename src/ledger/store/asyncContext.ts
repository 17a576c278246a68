/**
 * Whether a call comes from within a transaction: what it waited for would wait for it.
 *
 * Node.js, Bun, Deno and Cloudflare's `nodejs_compat` can tell, by `AsyncLocalStorage`. Elsewhere nothing is known.
 */

/**
 * A module of Node.js, or of what is compatible to it, by its name; `undefined` where the runtime has none. It is not imported:
 * the ledger runs where there is no such module, and bundlers must not look for it.
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

/** Runs as what happens within a transaction, until it ends. */
export const inTransaction = async <A>(work: () => Promise<A>): Promise<A> => {
  const scope = { isOpen: true }
  try {
    return await storage.run(scope, work)
  } finally {
    scope.isOpen = false
  }
}

/** Runs as what happens outside of each transaction: programs of the ledger's, which others share. */
export const outsideTransactions = <A>(work: () => A): A => storage.run(undefined, work)

/** Whether the caller is within a transaction that has not ended, as far as that is known. */
export const isInTransaction = (): boolean => storage.getStore()?.isOpen === true
