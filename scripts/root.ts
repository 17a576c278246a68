import { fileURLToPath } from "node:url"

/** The folder of `package.json`, which paths in these scripts are relative to. */
export const root = fileURLToPath(new URL("..", import.meta.url))
