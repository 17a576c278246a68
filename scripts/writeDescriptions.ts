/** Writes what the schemas of `effect-gopay/schema` say of themselves: `npm run descriptions`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { descriptionsFile, descriptionsModule } from "./openapi/descriptions.js"
import { root } from "./root.js"

writeFileSync(join(root, descriptionsFile), descriptionsModule())
