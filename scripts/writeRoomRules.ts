/**
 * Writes what `.oxlintrc.json` extends: `npm run rooms`.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { roomRules } from "./roomRules.js"
import { root } from "./root.js"

writeFileSync(join(root, ".oxlintrc.rooms.json"), roomRules())
