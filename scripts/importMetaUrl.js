// The address of the module that this is bundled into, in CommonJS. If a bundler makes ESM of it, there is no
// `__filename`.
import { pathToFileURL } from "node:url"

export const importMetaUrl = typeof __filename === "string" ? pathToFileURL(__filename).href : "file:///"
