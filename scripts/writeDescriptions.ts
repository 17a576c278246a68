/** Writes the descriptions in the schemas of `effect-gopay/schema` and `effect-gopay/v4/schema`: `npm run descriptions`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { descriptionsModules } from "./openapi/descriptions.js"
import { root } from "./root.js"

for (const [path, source] of Object.entries(descriptionsModules())) writeFileSync(join(root, path), source)
