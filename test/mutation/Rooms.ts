/**
 * What is mutated, and the tests that have to notice it: files, as `git ls-files` takes them.
 */
export interface Room {
  readonly sources: ReadonlyArray<string>
  /** Few of them make a mutant cheap. */
  readonly tests: ReadonlyArray<string>
  /**
   * The most mutants that may survive: in most rooms they are in defaults, and in checks that only the types need.
   * Lower it when fewer survive. For a sample it is a quarter above the measured number, since any new line moves the
   * sample. Absent until a run has measured it.
   */
  readonly unnoticed?: number
  /** How many mutants are tried, evenly spread; all, where it is not given. A whole large room takes hours. */
  readonly sample?: number
}

const room = (unnoticed: number, source: string, ...tests: ReadonlyArray<string>): Room => ({
  sources: [`src/${source}/*.ts`],
  tests,
  unnoticed
})

const client = (unnoticed: number, name: string, ...tests: ReadonlyArray<string>): Room =>
  room(unnoticed, `client/${name}`, `test/client/${name}/*`, ...tests)

/** Much of the local gateway is tested over its HTTP interface. */
const gateway = (unnoticed: number, ...files: ReadonlyArray<string>): Room => ({
  sources: files.map((file) => `src/local-gateway/${file}.ts`),
  tests: ["test/local-gateway/*", "test/parity/*"],
  unnoticed
})

const sampled = (sample: number, room: Room): Room => ({ ...room, sample })

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
  books: gateway(34, ...["Actors", "Agenda", "Books", "EventContext", "Payment"].map((name) => `books/${name}`)),
  requests: gateway(21, ...["JsonText", "Refusal", "RequestDecoder"].map((name) => `books/${name}`)),
  server: sampled(100, gateway(24, "server/*")),
  seed: gateway(24, "books/Seed*"),
  promise: sampled(100, room(23, "promise", "test/promise/*")),
  statement: sampled(100, room(20, "statement", "test/statement/*")),
  // Pure, and judged by their own tables.
  ledgerDecisions: sampled(100, {
    sources: [
      ...["Balance", "ChangeJudgement", "chargeRefusal"].map((name) => `src/ledger/change/${name}.ts`),
      ...["OrderDecision", "OrderView", "PaymentAmounts", "PaymentDecision", "PaymentProgress"].map(
        (name) => `src/ledger/order/${name}.ts`
      )
    ],
    tests: [
      "Balance",
      "Captures",
      "ChangeJudgement",
      "ChargeRefusal",
      "Decisions",
      "OrderDecision",
      "PaymentDecision"
    ].map((name) => `test/ledger/${name}.test.ts`),
    unnoticed: 47
  }),
  // What only PostgreSQL, several databases or a browser notice counts as unnoticed: these are system tests.
  ledger: sampled(60, { sources: ["src/ledger/*.ts"], tests: ["test/ledger/*"], unnoticed: 21 })
}

/** Most of their time goes into processes and sockets, where no mutant is, or into a play of hundreds of kills. */
export const leftOut: ReadonlySet<string> = new Set([
  "test/client/call/Secrets.test.ts",
  "test/client/transport/TransportFailures.test.ts",
  "test/ledger/BookedHistory.test.ts",
  "test/ledger/Crash.test.ts",
  "test/ledger/OrderCrash.test.ts",
  "test/ledger/SubscriptionCrash.test.ts",
  "test/ledger/SubscriptionYear.test.ts",
  "test/local-gateway/books/Bookkeeping.test.ts",
  "test/local-gateway/server/KilledDataFile.test.ts",
  "test/local-gateway/server/HostileInput.test.ts",
  "test/local-gateway/server/Load.test.ts",
  "test/local-gateway/books/GeneratedSeed.test.ts",
  "test/promise/Secrets.test.ts"
])
