/**
 * What is mutated, and the tests that have to notice it: files, as `git ls-files` takes them.
 */
export interface Room {
  readonly sources: ReadonlyArray<string>
  /** Few of them make a mutant cheap. */
  readonly tests: ReadonlyArray<string>
  /**
   * The most mutants that may go unnoticed. They change nothing that a caller can see: most are in defaults and checks
   * that only the types need. Lower it when fewer do.
   */
  readonly unnoticed: number
}

const room = (unnoticed: number, source: string, ...tests: ReadonlyArray<string>): Room => ({
  sources: [`src/${source}/*.ts`],
  tests,
  unnoticed
})

const client = (unnoticed: number, name: string, ...tests: ReadonlyArray<string>): Room =>
  room(unnoticed, `client/${name}`, `test/client/${name}/*`, ...tests)

/** Much of the local gateway is tested over its HTTP interface. */
const gateway = (unnoticed: number, files: string): Room => ({
  sources: [`src/local-gateway/${files}.ts`],
  tests: ["test/local-gateway/*", "test/parity/*"],
  unnoticed
})

export const rooms: Readonly<Record<string, Room>> = {
  call: client(101, "call", "test/client/transport/BodyLimit*", "test/promise/*"),
  transport: client(
    29,
    "transport",
    "test/node/*",
    "test/promise/Close*",
    "test/promise/Connections*",
    "test/promise/Timeout*"
  ),
  notification: client(49, "notification", "test/promise/NotificationHandler*"),
  payment: client(15, "payment", "test/promise/Reconcile*"),
  error: client(18, "error", "test/client/call/*", "test/client/payment/Reconcile*", "test/promise/Failures*"),
  config: client(5, "config", "test/promise/Options*"),
  books: gateway(34, "books/{Actors,Agenda,Books,EventContext,Payment}"),
  requests: gateway(21, "books/{JsonText,Refusal,RequestDecoder}"),
  server: gateway(Number.POSITIVE_INFINITY, "server/*"),
  seed: gateway(24, "books/Seed*")
}

/** Most of their time goes into processes and sockets, where no mutant is. */
export const leftOut: ReadonlySet<string> = new Set([
  "test/client/call/Secrets.test.ts",
  "test/client/transport/TransportFailures.test.ts",
  "test/local-gateway/books/Bookkeeping.test.ts",
  "test/local-gateway/server/KilledDataFile.test.ts",
  "test/local-gateway/server/HostileInput.test.ts",
  "test/local-gateway/server/Load.test.ts",
  "test/local-gateway/books/GeneratedSeed.test.ts",
  "test/promise/Secrets.test.ts"
])
