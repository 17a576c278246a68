/**
 * A shop that submits in transactions of its own connection, while another connection writes to the same file. It writes
 * what came of them, as JSON.
 */
import { createRequire } from "node:module"
import { writeSync } from "node:fs"
import {
  createLedger,
  fileStore,
  type FileStoreOptions,
  type SqliteConnection,
  sqliteTransaction
} from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

/** The program's argument, as JSON. */
export interface BusyFilePlan {
  readonly path: string
  /** A module that has the driver, `node:sqlite` among them. */
  readonly driver: string
}

/** What the program reports. */
export interface BusyFileReport {
  /** What was thrown, and where the file was not busy, nothing. */
  readonly thrown: ReadonlyArray<string>
  /** What another connection sees of the shop's own writes, and of the changes that were submitted. */
  readonly written: ReadonlyArray<unknown>
  readonly submitted: ReadonlyArray<unknown>
  readonly outcomes: ReadonlyArray<string | undefined>
}

const isDriver = (value: unknown): value is NonNullable<FileStoreOptions["driver"]> => typeof value === "function"

const driverOf = (name: string): NonNullable<FileStoreOptions["driver"]> => {
  // Native modules are not bundled.
  const module: unknown = createRequire(`${process.cwd()}/`)(name)
  const driver =
    typeof module === "object" && module !== null && "DatabaseSync" in module ? module.DatabaseSync : module
  if (!isDriver(driver)) throw new Error(`${name} is no driver.`)
  return driver
}

/** What a call throws. */
const thrownBy = (call: () => void): string => {
  try {
    call()
    return "nothing"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const main = async ({ driver, path }: BusyFilePlan): Promise<BusyFileReport> => {
  const Database = driverOf(driver)
  await using local = await startLocalGateway({ settings: partsAtOnce })
  await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  await using ledger = createLedger({ gateway, store: fileStore(path, { driver: Database }) })
  await ledger.migrate()
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  const shop: SqliteConnection = new Database(path)
  const writer: SqliteConnection = new Database(path)
  shop.exec("CREATE TABLE complaint (id TEXT); PRAGMA busy_timeout = 0")
  const complain = (complaint: string) => void shop.prepare("INSERT INTO complaint VALUES (?)").run(complaint)
  const submit = (key: string) => ledger.submitSync(sqliteTransaction(shop), key, { refund: id, amount: 500 })

  // Someone else writes.
  writer.exec("BEGIN IMMEDIATE")
  shop.exec("BEGIN")
  const thrown = [thrownBy(() => submit("7"))]
  shop.exec("ROLLBACK")
  writer.exec("ROLLBACK")
  complain("after a write of another's")

  // Someone else has written since this transaction read.
  shop.exec("BEGIN")
  shop.prepare("SELECT * FROM complaint").all()
  writer.prepare("INSERT INTO complaint VALUES (?)").run("another's")
  thrown.push(thrownBy(() => submit("7")))
  shop.exec("ROLLBACK")
  complain("after a read that is old")

  // Nothing is in the way.
  shop.exec("BEGIN")
  complain("with the change")
  thrown.push(thrownBy(() => submit("7")))
  shop.exec("COMMIT")
  complain("in the end")

  await ledger.runOnce()
  const outcome = await ledger.getOutcome("7")
  const report = {
    thrown,
    written: writer.prepare("SELECT id FROM complaint").all(),
    submitted: writer.prepare("SELECT key FROM gopay_change").all(),
    outcomes: [outcome?._tag]
  }
  shop.close()
  writer.close()
  return report
}

writeSync(1, JSON.stringify(await main(JSON.parse(process.argv[2] ?? ""))))
