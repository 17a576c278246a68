/**
 * Writes the map of the rooms into `docs/architecture.md`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"
import { mapPage, withRoomMap } from "./rooms.js"

const page = join(root, mapPage)
writeFileSync(page, withRoomMap(readFileSync(page, "utf8")))
