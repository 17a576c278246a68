/**
 * The crash button: a shop of three processes takes orders and refunds at a local gateway that loses responses, its
 * processes are killed by SIGKILL, and then the two books are shown side by side. `npm run crash -- --kills 200 --seed 7`
 */
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fileStore } from "../../src/ledger/promise/index.js"
import { runKilledShop } from "./KilledShop.js"

const { values } = parseArgs({
  options: { kills: { type: "string", default: "12" }, seed: { type: "string", default: "1" } }
})
const folder = mkdtempSync(join(tmpdir(), "crash-"))
const path = join(folder, "gopay.db")

console.log(
  "Three processes of a shop take 24 orders and make 48 refunds. The gateway loses every seventh response or so."
)
const { books, double, lost, misentered, paidTwice, persons, seconds, wrong } = await runKilledShop({
  seed: Number(values.seed),
  processes: 3,
  payments: 12,
  refundsOfEach: 4,
  orders: 24,
  kills: Number(values.kills),
  storePlan: { kind: "libsql", at: path },
  open: () => fileStore(path, { driver: Database }),
  say: (line) => console.log(line)
})
rmSync(folder, { recursive: true, force: true })

console.table(books)
console.log(
  `Orders: ${paidTwice} paid twice, ${misentered} entered twice or never. Refunds: ${double} paid twice, ${wrong} told wrong; ${persons} decided by a person, who looked into the gateway's books. ${lost} lost. ${seconds} seconds.`
)
process.exit(double + wrong + lost + paidTwice + misentered === 0 ? 0 : 1)
