import { fileURLToPath } from "node:url"

/** The folder of `package.json`. Paths in these scripts are relative to it. */
export const root = fileURLToPath(new URL("..", import.meta.url))
