/**
 * The rooms of the house and the one way in which they import each other. `npm run rooms` makes the linter's rules of
 * it.
 */

/** A folder, without those below it, or a single module. */
export interface Room {
  readonly path: string
  /** The rooms whose modules it may import. */
  readonly rooms: ReadonlyArray<string>
  /** The packages it may import, as patterns. */
  readonly packages: ReadonlyArray<string>
}

/** Rooms in order: each may import what stands before it, but not its neighbours in the same place. */
const inOrder = (below: ReadonlyArray<string>, places: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Room> =>
  places.flatMap((place, index) => {
    const rooms = [...below, ...places.slice(0, index).flat()]
    return place.map((path) => ({ path, rooms, packages: ["effect/**", ...(packages[path] ?? [])] }))
  })

/** Packages other than Effect, and modules of Node.js. The client has them where `#transport` is chosen by platform. */
const packages: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/client/transport/platform": ["node:http", "node:https", "node:net", "node:stream", "node:tls", "node:zlib"],
  "src/promise": ["#transport"],
  "src/statement": ["saxes"],
  "src/local-gateway/documents": ["bysquare/**", "lean-qr", "lean-qr/**", "windows-1250"],
  "src/local-gateway/engine": ["node:fs/promises", "node:path"],
  "src/local-gateway/http": ["node:http"],
  "src/local-gateway/dashboard": ["node:fs/promises"],
  "src/local-gateway/promise": ["node:http"],
  "src/testing": ["node:timers/promises"],
  "src/command-line/demo": ["node:http"],
  "src/command-line": [
    "node:child_process",
    "node:fs",
    "node:module",
    "node:path",
    "node:readline/promises",
    "node:timers/promises",
    "node:util"
  ]
}

/** The rooms on which all others stand. */
const ground = ["src/api", "src/html"]

const client = [
  ["src/client/transport"],
  ["src/client/transport/platform"],
  ["src/client/error"],
  ["src/client/config"],
  ["src/client/operation"],
  ["src/client/call"],
  ["src/client/observation"],
  ["src/client/token"],
  ["src/client/gateway"],
  ["src/client/payment"],
  ["src/client/outcome", "src/client/notification"],
  ["src/statement"],
  ["src/client"],
  ["src/promise", "src/node"],
  ["src/ledger/store", "src/ledger/AttentionKinds.plain.ts"],
  [
    "src/ledger/Attention.plain.ts",
    "src/ledger/AcknowledgedRefund.plain.ts",
    "src/ledger/LedgerError.plain.ts",
    "src/ledger/LedgerHealth.plain.ts",
    "src/ledger/LedgerKey.plain.ts",
    "src/ledger/LedgerOptions.plain.ts"
  ],
  ["src/ledger/LedgerArguments.ts", "src/ledger/Trace.ts"],
  ["src/ledger/gateway", "src/ledger/database"],
  ["src/ledger/change", "src/ledger/order"],
  ["src/ledger/subscription"],
  ["src/ledger/admin/Admin.plain.ts", "src/ledger/History.plain.ts", "src/ledger/Lists.plain.ts"],
  ["src/ledger/LedgerOperations.plain.ts"],
  ["src/ledger/LedgerService.ts"],
  ["src/ledger/worker", "src/ledger/admin"],
  ["src/ledger"],
  ["src/ledger/promise"],
  ["src/index.ts"],
  ["src/needs-effect-4.1-else-import-effect-gopay-promise.ts"]
]

const localGateway = [
  ["src/local-gateway/time", "src/local-gateway/settings"],
  ["src/local-gateway/wire"],
  ["src/local-gateway/books"],
  ["src/local-gateway/documents", "src/local-gateway/openapi"],
  ["src/local-gateway/reference"],
  ["src/local-gateway/seed"],
  ["src/local-gateway/engine"],
  ["src/local-gateway/http"],
  ["src/local-gateway/pay-page", "src/local-gateway/control"],
  ["src/local-gateway/dashboard"],
  ["src/local-gateway/dashboard/browser/page"],
  ["src/local-gateway/dashboard/browser/payment"],
  ["src/local-gateway/dashboard/browser"],
  ["src/local-gateway"],
  ["src/local-gateway/promise"],
  ["src/local-gateway/vite", "src/local-gateway/web"]
]

const parity = [["src/parity"]]

const testing = [["src/testing"], ["src/testing/promise"]]

const commandLine = [["src/command-line/demo"], ["src/command-line"], ["src/cli.ts"]]

export const rooms: ReadonlyArray<Room> = [
  ...inOrder([], [ground]),
  ...inOrder(ground, client),
  ...inOrder(ground, localGateway),
  ...inOrder(ground, parity),
  ...inOrder([...ground, ...client.flat(), ...localGateway.flat()], testing),
  ...inOrder([...ground, ...client.flat(), ...localGateway.flat(), ...parity.flat()], commandLine)
]
