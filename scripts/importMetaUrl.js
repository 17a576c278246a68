// The address of the module that this is bundled into, in CommonJS. A bundler that makes ESM of it has no `__filename`.
import { pathToFileURL } from "node:url"

export const importMetaUrl = typeof __filename === "string" ? pathToFileURL(__filename).href : "file:///"
