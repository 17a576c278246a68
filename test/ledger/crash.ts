/**
 * The crash button: a shop of three processes takes orders and refunds at a local gateway that loses responses, its
 * processes are killed by SIGKILL in the middle of what they do, and then the two books are shown side by side.
 * `npm run crash -- --kills 200 --seed 7`
 */
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fileStore } from "../../src/ledger/promise/index.js"
import { runKilledShop } from "./KilledShop.js"
import { phases } from "./Phase.js"

const { values } = parseArgs({
  options: { kills: { type: "string", default: "12" }, seed: { type: "string", default: "1" } }
})
/** The number of an option; ends with a message if it is none. */
const numberOf = (name: "kills" | "seed", least: number): number => {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= least) return number
  console.error(`--${name} must be a whole number, ${least} or more.`)
  return process.exit(2)
}

const kills = numberOf("kills", 1)
const seed = numberOf("seed", 0)
const folder = mkdtempSync(join(tmpdir(), "crash-"))
const path = join(folder, "gopay.db")

console.log(
  `Three processes of a shop take ${4 * kills} orders and make ${4 * kills} refunds. The gateway loses every eighth response or so. ` +
    `Each kill waits until it hits something in flight: an order whose payment is being created, a refund that was handed over, ` +
    `an answer on the wire, or the shop's handler in its transaction.`
)
const { books, byOperator, double, hits, lost, misentered, paidTwice, seconds, tooFew, unanswered, wrong } =
  await runKilledShop({
    seed,
    kills,
    storePlan: { kind: "libsql", at: path },
    open: () => fileStore(path, { driver: Database }),
    say: (line) => console.log(line)
  })
rmSync(folder, { recursive: true, force: true })

console.table(books)
console.log(
  `Kills that hit ${phases.map((phase) => `${phase}: ${hits[phase]}`).join(", ")}. Changes without an answer: ${unanswered}.`
)
console.log(
  `Orders: ${paidTwice} paid twice, ${misentered} entered twice or never. Refunds: ${double} paid twice, ${wrong} told wrong; ${byOperator} decided by an operator, who looked into the gateway's books. ${lost} lost. ${seconds} seconds.`
)
for (const few of tooFew) console.log(`This run proves nothing: it had too few ${few}.`)
process.exit(double + wrong + lost + paidTwice + misentered + tooFew.length === 0 ? 0 : 1)
