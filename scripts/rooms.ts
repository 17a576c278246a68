/**
 * The rooms of `src` in order, each with its contents. A room is a folder, without its subfolders, or a single module;
 * it may import the rooms before it, but not its neighbours on the same line. `test/scripts/rooms.test.ts` enforces
 * this, and `tsx scripts/writeArchitecture.ts` makes the map in `docs/architecture.md` from it.
 */
import { posix } from "node:path"

/** Rooms by their paths below `src`, with the contents of each; for a module, its own comment says that. */
type Neighbours = Readonly<Record<string, string>>

/** The rooms that all others build on. */
const ground: ReadonlyArray<Neighbours> = [
  {
    basics: "what any program could use: lists, days, durations, plain data, values from another window or worker",
    html: "pages as text in which input never becomes markup",
    package: "what the package says of itself: its version, where its documents lie"
  },
  { contract: "what the gateway speaks: operations, endpoints, messages, schemas, code lists" }
]

const client: ReadonlyArray<Neighbours> = [
  {
    "client/transport":
      "the one place that knows sockets: request, response, failure, and how sure we are of it; `#transport` chooses what sends"
  },
  { "client/error": "GatewayError, its reasons, the record of a change" },
  { "client/config": "options, checked" },
  {
    "client/call":
      "the service and one call of it: arguments encoded, a token for all, one attempt, retries, the response read, observers"
  },
  { "client/payment": "what states mean; waiting; `reconcile`; messages for payers" },
  { "client/notification": "parse, verify, deliver one at a time; handler, route" },
  { statement: "account statements: read whatever their layout, compared with a shop's books" },
  { client: "the operations and what is made of them, as functions that need a Gateway" },
  { "client/v4": "the same by API v4: its operations, errors and records, through the call of v3" },
  {
    schema: "messages and errors as schemas that document themselves; the client has none of their texts"
  },
  { "schema/v4": "the same of API v4" },
  {
    promise: "createGatewayClient: the same as promises",
    node: "NodeHttpClient: an HttpClient over Node's sockets"
  },
  { "promise/v4": "createGatewayClient of API v4" },
  { "ledger/model": "rows, keys, outcomes, errors; what a ledger asks of a store and of a client" },
  {
    "ledger/store":
      "SQLite, PostgreSQL and the users' own clients; transactions over them; the migration; the rows of all rooms and their statements"
  },
  { "ledger/process": "what one process has: what is in flight in it, what it notifies operators of" },
  {
    "ledger/change":
      "refunds, captures, releases and charges of a recurrence, those of a period too: Steps.ts is the state machine, chargeRefusal.ts decides whether a charge may be sent"
  },
  { "ledger/order": "an order's payments: created, and moved by what a read or a notification shows" },
  { "ledger/subscription": "when a period is charged, tried again or given up; `change` sends its charges" },
  {
    "ledger/agenda":
      "what is done again and again: Duties.ts has each duty as a value, Agenda.ts the one loop over them"
  },
  {
    "ledger/operate": "lists, history and metrics; what an operator decides",
    "ledger/admin": "the accountants' page"
  },
  { ledger: "Ledger.ts is the service; wireLedger.ts connects the rooms" },
  { "ledger/promise": "createLedger: the same as promises" },
  { "index.ts": "" }
]

/** Only for the documentation: nothing in `src` imports it. */
const notes: ReadonlyArray<Neighbours> = [
  { "contract/notes": "what the documents say of operations and codes, and how well it is known" }
]

const localGateway: ReadonlyArray<Neighbours> = [
  {
    "local-gateway/books":
      "the rules: payments, cards, refunds; requests read, refusals; settings; time; the state as a file"
  },
  {
    "local-gateway/documents": "statements and QR codes"
  },
  { "local-gateway/server": "the running gateway: tokens, notifications, faults, the endpoints served" },
  { "local-gateway/pages": "the payer's page, the developer's, and the control API" },
  { "local-gateway/pages/dashboard": "the developer's page: its components, built as one script" },
  { "local-gateway": "the service and its layers" },
  { "local-gateway/promise": "startLocalGateway, mountLocalGateway: the same as promises" },
  {
    "local-gateway/vite.ts": "",
    "local-gateway/web.ts": ""
  }
]

const record: ReadonlyArray<Neighbours> = [{ "command-line/record": "a scenario, recorded at a gateway" }]

const testing: ReadonlyArray<Neighbours> = [
  { testing: "a shop's code under faults, kills and a moved clock" },
  { "testing/promise": "the same as promises" }
]

const commandLine: ReadonlyArray<Neighbours> = [{ "command-line": "the commands of `effect-gopay`" }]

/** Packages other than Effect, and modules of Node.js. The client gets them where `#transport` is chosen. */
const packages: Readonly<Record<string, ReadonlyArray<string>>> = {
  "client/transport": ["node:http", "node:https", "node:net", "node:stream", "node:timers", "node:tls", "node:zlib"],
  promise: ["#transport"],
  statement: ["fflate/browser", "saxes"],
  "local-gateway/documents": ["bysquare/pay", "lean-qr", "lean-qr/extras/svg", "windows-1250"],
  "local-gateway/server": ["node:crypto", "node:fs/promises", "node:http", "node:net", "node:os", "node:path"],
  "local-gateway/pages": ["node:fs/promises"],
  // The first one is in a code sample for a shop.
  "local-gateway/pages/dashboard": ["effect-gopay/promise", "@preact/signals", "preact", "preact/hooks"],
  "local-gateway/promise": ["node:http"],
  testing: ["node:timers/promises"],
  "command-line": [
    "node:child_process",
    "node:crypto",
    "node:fs",
    "node:http",
    "node:module",
    "node:path",
    "node:readline/promises",
    "node:timers/promises",
    "node:util"
  ]
}

/** A room, and the rooms that it may import. */
export interface Room {
  readonly path: string
  readonly holds: string
  readonly rooms: ReadonlySet<string>
  readonly packages: ReadonlyArray<string>
}

const names = (places: ReadonlyArray<Neighbours>): ReadonlyArray<string> => places.flatMap(Object.keys)

const inOrder = (below: ReadonlyArray<Neighbours>, places: ReadonlyArray<Neighbours>): ReadonlyArray<Room> =>
  places.flatMap((place, index) =>
    Object.entries(place).map(([path, holds]) => ({
      path,
      holds,
      rooms: new Set([...names(below), ...names(places.slice(0, index)), path]),
      packages: packages[path] ?? []
    }))
  )

/** All rooms: the client and the local gateway do not import each other. */
export const rooms: ReadonlyArray<Room> = [
  ...inOrder([], ground),
  ...inOrder(ground, notes),
  ...inOrder(ground, client),
  ...inOrder(ground, localGateway),
  ...inOrder(ground, record),
  ...inOrder([...ground, ...client, ...localGateway], testing),
  ...inOrder([...ground, ...client, ...localGateway, ...record], commandLine)
]

/** The room of a module, by its path. */
export const roomOf = (module: string): Room | undefined => {
  const path = posix.relative("src", module)
  return rooms.find((room) => room.path === path) ?? rooms.find((room) => room.path === posix.dirname(path))
}

/** The map of the rooms in `docs/architecture.md`: each imports only rooms above it. */
export const roomMap = (): string => {
  const folders = rooms.filter(({ path }) => !path.endsWith(".ts"))
  const width = Math.max(...folders.map(({ path }) => path.length))
  return folders.map(({ holds, path }) => `src/${path.padEnd(width)}  ${holds}\n`).join("")
}

/** The page that contains the map. */
export const mapPage = "docs/architecture.md"

/** The page with its map replaced. */
export const withRoomMap = (page: string): string => page.replace(/(?<=^```\n)src\/[^]*?(?=^```$)/m, () => roomMap())
