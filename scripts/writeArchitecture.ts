/**
 * Writes the map of the rooms into `docs/architecture.md`, the table of wakes into its page, and the report of the structure.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"
import { mapPage, withRoomMap } from "./rooms.js"
import { structureFile, structureReport } from "./structure.js"
import { wakesPage, withWakes } from "./wakes.js"

const page = join(root, mapPage)
writeFileSync(page, withRoomMap(readFileSync(page, "utf8")))
writeFileSync(join(root, structureFile), structureReport())

const pageOfWakes = join(root, wakesPage)
writeFileSync(pageOfWakes, withWakes(readFileSync(pageOfWakes, "utf8")))
