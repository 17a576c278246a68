/// <reference types="node" />
/**
 * Files that the package serves to browsers as they are.
 */
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"

/** The text of a file in the first of some folders that has it, as seen from this module and from the bundles. */
export const textIn = (folders: ReadonlyArray<string>, name: string): Effect.Effect<string> =>
  Effect.promise(() =>
    Promise.any(folders.map((folder) => readFile(new URL(`${folder}/${name}`, import.meta.url), "utf8")))
  )
