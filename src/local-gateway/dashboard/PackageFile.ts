/// <reference types="node" />
/**
 * Files that the package serves to browsers as they are.
 */
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"

const decompressed = promisify(brotliDecompress)

/** The text of a file in the first of some folders that has it, as seen from this module and from the bundles. */
export const textIn = (folders: ReadonlyArray<string>, name: string): Effect.Effect<string> =>
  Effect.promise(() =>
    Promise.any(folders.map((folder) => readFile(new URL(`${folder}/${name}`, import.meta.url), "utf8")))
  )

/** The text of a file that the package has compressed, as `name.br`, and the repository as it is. */
export const compressedTextIn = (folders: ReadonlyArray<string>, name: string): Effect.Effect<string> =>
  Effect.promise(() =>
    Promise.any(
      folders.flatMap((folder) => {
        const file = new URL(`${folder}/${name}`, import.meta.url)
        return [
          readFile(file, "utf8"),
          readFile(new URL(`${file.href}.br`))
            .then(decompressed)
            .then((bytes) => bytes.toString("utf8"))
        ]
      })
    )
  )
