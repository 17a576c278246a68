/** Writes the descriptions in the schemas of `effect-gopay/schema`: `npm run descriptions`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { descriptionsFile, descriptionsModule } from "./openapi/descriptions.js"
import { root } from "./root.js"

writeFileSync(join(root, descriptionsFile), descriptionsModule())
