// The address of the module that this is bundled into, in CommonJS.
import { pathToFileURL } from "node:url"

export const importMetaUrl = pathToFileURL(__filename).href
