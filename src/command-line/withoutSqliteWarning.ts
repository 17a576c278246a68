/**
 * Node.js warns that its SQLite is experimental. Whoever asks for what is in a ledger can do nothing about that.
 */

/** Leaves out that one warning from now on. */
export const withoutSqliteWarning = (target: Pick<NodeJS.Process, "emitWarning">): void => {
  target.emitWarning = new Proxy(target.emitWarning, {
    apply: (emit, self, args: ReadonlyArray<unknown>): unknown =>
      String(args[0]).startsWith("SQLite is an experimental feature") ? undefined : Reflect.apply(emit, self, args)
  })
}
