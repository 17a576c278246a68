/**
 * Writes the map of the rooms into `docs/architecture.md`, what the ledger's page draws from its data, and the report of the structure.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ledgerPage, withLedgerData } from "./ledgerPage.js"
import { root } from "./root.js"
import { mapPage, withRoomMap } from "./rooms.js"
import { structureFile, structureReport } from "./structure.js"

const page = join(root, mapPage)
writeFileSync(page, withRoomMap(readFileSync(page, "utf8")))
writeFileSync(join(root, structureFile), structureReport())

const pageOfLedger = join(root, ledgerPage)
writeFileSync(pageOfLedger, withLedgerData(readFileSync(pageOfLedger, "utf8")))
