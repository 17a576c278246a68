/**
 * Packages of the project in this directory.
 */
import { createRequire } from "node:module"
import { isError } from "../contract/AnyRealm.js"
import { CommandFailure } from "./Command.js"

/** A package of the project in this directory: a command that npx has fetched has none of its own. */
export const installed = <Module>(
  is: (found: unknown) => found is Module,
  ...names: ReadonlyArray<string>
): Module | undefined => {
  for (const from of [`${process.cwd()}/`, import.meta.url]) {
    for (const one of names) {
      try {
        const found: unknown = createRequire(from)(one)
        if (is(found)) return found
      } catch (error) {
        const isMissing = isError(error) && "code" in error && error.code === "MODULE_NOT_FOUND"
        if (!isMissing) throw new CommandFailure(1, `${one} cannot be loaded: ${String(error)}`)
      }
    }
  }
  return undefined
}
