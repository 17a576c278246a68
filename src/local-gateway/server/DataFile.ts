/// <reference types="node" />
/**
 * Keeps the state of a local gateway in a seed file across restarts.
 *
 * After each change a new file is written beside the old one and replaces it, so it is readable at every moment. It
 * holds credentials, so only its owner may read it. Only one gateway uses it at a time, which a lock next to it
 * ensures.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { open, readFile, realpath, rename, rm } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { DataFileError } from "./StartErrors.js"
import { codeOf, lockDataFile } from "./DataFileLock.js"
import { keeping, noStore, type StateStore } from "./StateKeeping.js"
import { readSeedText, type InvalidSeed } from "../books/Seed.js"

/** The problems of a file that is not a valid seed, one per line. */
const problemsOf = ({ problems }: InvalidSeed): string =>
  [
    "Its problems:",
    ...problems.map(({ field, message }) => `- ${field === undefined ? "the file" : field}: ${message}`)
  ].join("\n")

/** The path of the file with links resolved, even if the file does not exist yet. */
const realPath = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path))

/** The store of a gateway in its data file, if it has one. */
export const storeIn = (
  dataFile: string | undefined
): Effect.Effect<StateStore<DataFileError>, DataFileError, Scope.Scope> =>
  dataFile === undefined ? Effect.succeed(noStore) : openDataFile(dataFile)

/** Reads a data file, if it exists. No other gateway can open it until the scope ends. */
const openDataFile = (path: string): Effect.Effect<StateStore<DataFileError>, DataFileError, Scope.Scope> =>
  Effect.gen(function* () {
    const real = yield* Effect.promise(() => realPath(path))
    yield* Effect.mapError(lockDataFile(real), ({ problem }) => new DataFileError({ path, problem }))
    const text = yield* Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: codeOf }).pipe(
      Effect.catch((code) =>
        code === "ENOENT"
          ? Effect.undefined
          : Effect.fail(new DataFileError({ path, problem: `It cannot be read: ${code}.` }))
      )
    )
    if (text === undefined) return { seed: undefined, keep: keepingIn(path) }
    const seed = yield* Effect.fromResult(
      Result.mapError(readSeedText(text), (invalid) => new DataFileError({ path, problem: problemsOf(invalid) }))
    )
    return { seed, keep: keepingIn(real) }
  })

/** Flushes a file or a directory to the disk. */
const flushed = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a file atomically. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const beside = `${path}.new`
  // It may be left over from an interrupted write.
  await rm(beside, { force: true })
  const handle = await open(beside, "wx", 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(beside, path)
  // Some systems cannot flush a directory; the file is complete anyway.
  await flushed(dirname(path)).catch(() => undefined)
}

const keepingIn = (path: string): StateStore<DataFileError>["keep"] =>
  keeping(
    (state) =>
      Effect.tryPromise({
        try: () => replaceFile(path, `${JSON.stringify(state, null, 2)}\n`),
        catch: (error) => new DataFileError({ path, problem: `It cannot be written: ${codeOf(error)}.` })
      }),
    ({ problem }) => `The data file ${path}: ${problem}`
  )
