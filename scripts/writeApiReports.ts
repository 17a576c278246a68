/**
 * Writes the API reports.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { apiReports, entryDeclarations, reportsFolder } from "./apiReports.js"
import { root } from "./root.js"

mkdirSync(join(root, reportsFolder), { recursive: true })
for (const [file, report] of apiReports(entryDeclarations())) writeFileSync(join(root, file), report)
