/// <reference types="node" />
/**
 * Files that the package serves as they were built.
 */
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"

/** Where `dist` is: as seen from the bundles, and from this folder in the sources. */
const folders = ["..", "../..", "../../../dist"]

/** Why a file is not there, and what to do. */
export const leftBehind =
  "a bundler has moved this program away from it. Leave effect-gopay out of the bundle (external), or use effect-gopay/local-gateway/web, which has it inside."

/** The text of a file in `dist`. It dies where a bundler has moved this program away from it. */
export const builtText = (path: string): Effect.Effect<string> =>
  Effect.promise(() =>
    Promise.any(folders.map((folder) => readFile(new URL(`${folder}/${path}`, import.meta.url), "utf8")))
  )
