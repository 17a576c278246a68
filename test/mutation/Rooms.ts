/**
 * What is mutated, and the tests that have to notice it: files, as `git ls-files` takes them.
 */
export interface Room {
  readonly source: string
  /** Few of them make a mutant cheap. */
  readonly tests: ReadonlyArray<string>
}

const room = (source: string, ...tests: ReadonlyArray<string>): Room => ({ source: `src/${source}/*.ts`, tests })

const client = (name: string, ...tests: ReadonlyArray<string>): Room =>
  room(`client/${name}`, `test/client/${name}/*`, ...tests)

/** Much of the local gateway is tested over its HTTP interface. */
const gateway = (name: string): Room => room(`local-gateway/${name}`, "test/local-gateway/*", "test/parity/*")

export const rooms: Readonly<Record<string, Room>> = {
  call: client(
    "call",
    "test/client/transport/BodyLimit*",
    "test/client/gateway/*",
    "test/promise/Arguments*",
    "test/promise/Observer*"
  ),
  outcome: client("outcome", "test/promise/Reconcile*"),
  token: client("token", "test/promise/Token*"),
  transport: client(
    "transport",
    "test/node/*",
    "test/promise/Close*",
    "test/promise/Connections*",
    "test/promise/Timeout*"
  ),
  notification: client("notification", "test/promise/NotificationHandler*"),
  payment: client("payment"),
  error: client(
    "error",
    "test/client/call/*",
    "test/client/gateway/*",
    "test/client/outcome/Reconcile*",
    "test/promise/Failures*"
  ),
  config: client("config", "test/promise/Options*"),
  gateway: client("gateway", "test/client/token/*", "test/client/call/*", "test/promise/*"),
  books: gateway("books"),
  wire: gateway("wire"),
  engine: gateway("engine"),
  seed: gateway("seed")
}

/** Most of their time goes into processes and sockets, where no mutant is. */
export const leftOut: ReadonlySet<string> = new Set([
  "test/client/call/Secrets.test.ts",
  "test/client/transport/TransportFailures.test.ts",
  "test/local-gateway/books/Bookkeeping.test.ts",
  "test/local-gateway/engine/KilledDataFile.test.ts",
  "test/local-gateway/http/HostileInput.test.ts",
  "test/local-gateway/http/Load.test.ts",
  "test/local-gateway/seed/GeneratedSeed.test.ts",
  "test/promise/Secrets.test.ts"
])
