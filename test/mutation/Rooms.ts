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

const gateway = (name: string, ...tests: ReadonlyArray<string>): Room =>
  room(`local-gateway/${name}`, `test/local-gateway/${name}/*`, ...tests)

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
  transport: client("transport", "test/promise/Timeout*", "test/promise/Signal*", "test/promise/Close*"),
  notification: client("notification", "test/promise/NotificationHandler*"),
  payment: client("payment"),
  error: client("error", "test/client/call/*", "test/client/outcome/Reconcile*", "test/promise/Failures*"),
  config: client("config", "test/promise/Options*"),
  gateway: client("gateway", "test/client/token/*", "test/client/call/*", "test/promise/*"),
  books: gateway("books", "test/local-gateway/settings/*"),
  wire: gateway("wire", "test/local-gateway/books/*", "test/local-gateway/http/WireForm*"),
  engine: gateway("engine", "test/local-gateway/control/*", "test/local-gateway/LocalGateway.test.ts"),
  seed: gateway("seed", "test/local-gateway/engine/DataFile*")
}

/** Most of their time goes into processes and sockets, where no mutant is. */
export const leftOut: ReadonlySet<string> = new Set([
  "test/client/call/Secrets.test.ts",
  "test/client/transport/TransportFailures.test.ts",
  "test/promise/Secrets.test.ts"
])
