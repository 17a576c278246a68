/**
 * The crash button: a shop of three processes refunds at a local gateway that loses responses, its processes are killed
 * by SIGKILL, and then the two books are shown side by side. `npm run crash -- --kills 200 --seed 7`
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

console.log("Three processes of a shop make 48 refunds. The gateway loses every seventh response or so.")
const { books, double, lost, persons, seconds, wrong } = await runKilledShop({
  seed: Number(values.seed),
  processes: 3,
  payments: 12,
  refundsOfEach: 4,
  kills: Number(values.kills),
  storePlan: { kind: "libsql", at: path },
  open: () => fileStore(path, { driver: Database }),
  say: (line) => console.log(line)
})
rmSync(folder, { recursive: true, force: true })

console.table(books)
console.log(
  `${double} paid twice, ${wrong} told wrong, ${lost} lost; ${persons} decided by a person, who looked into the gateway's books. ${seconds} seconds.`
)
process.exit(double + wrong + lost === 0 ? 0 : 1)
