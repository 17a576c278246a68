/// <reference types="node" />
/**
 * The state of a local gateway in a file, so that it is there again after a restart: a seed file, written after each
 * change. Tokens and the log are not kept.
 *
 * The file is always whole: a new one is written beside it and put in its place. It holds credentials, so only its owner
 * may read it. One gateway at a time may use it.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { open, readFile, realpath, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import type { Engine } from "./Engine.js"
import { readSeedText, type Seed } from "../seed/Seed.js"

/** The data file cannot be used. It is left as it is. */
export class DataFileError extends Data.TaggedError("DataFileError")<{
  readonly path: string
  /** What is wrong; no value out of the file is repeated. */
  readonly problem: string
}> {
  override get message(): string {
    return `The data file ${this.path} cannot be used, and was left as it is. ${this.problem}`
  }
}

/** A data file that was read. */
export interface DataFile {
  /** The state in it; undefined when there is no such file yet. */
  readonly seed: Seed | undefined
  /**
   * Keeps the state of a gateway in it from now on, until the scope ends. Gives an effect that ends when all that has
   * changed by then is in the file, or could not be written, which is logged.
   *
   * Changes that come while the file is being written are written together, by the next writing.
   */
  readonly keep: (engine: Engine) => Effect.Effect<Effect.Effect<void>, DataFileError, Scope.Scope>
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error)

/** Reads a data file, if it is there. */
export const openDataFile = (path: string): Effect.Effect<DataFile, DataFileError> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: codeOf }).pipe(
      Effect.catch((code) =>
        code === "ENOENT"
          ? Effect.undefined
          : Effect.fail(new DataFileError({ path, problem: `It cannot be read: ${code}.` }))
      )
    )
    if (text === undefined) return { seed: undefined, keep: keeping(path) }
    const seed = yield* Effect.fromResult(
      Result.mapError(readSeedText(text), ({ message }) => new DataFileError({ path, problem: message }))
    )
    return { seed, keep: keeping(yield* Effect.promise(() => realpath(path))) }
  })

/** Makes sure that a file or a directory is on the disk. */
const flushed = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Puts a text in place of a file: at every moment the file is the old one or the new one. */
const replaceFile = async (path: string, text: string): Promise<void> => {
  const beside = `${path}.new`
  // What an interrupted writing has left.
  await rm(beside, { force: true })
  const handle = await open(beside, "wx", 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(beside, path)
  // Some systems cannot flush a directory; the file is whole there, too.
  await flushed(dirname(path)).catch(() => undefined)
}

const keeping =
  (path: string): DataFile["keep"] =>
  (engine) =>
    Effect.gen(function* () {
      const turn = yield* Semaphore.make(1)
      let written: number | undefined
      const write = Effect.suspend(() => {
        const { revision } = engine
        if (written === revision) return Effect.void
        written = revision
        return Effect.tryPromise({
          try: () => replaceFile(path, `${JSON.stringify(engine.exportSeed(), null, 2)}\n`),
          catch: (error) => {
            // The next answer tries again.
            written = undefined
            return new DataFileError({ path, problem: `It cannot be written: ${codeOf(error)}.` })
          }
        })
      })
      const saved = turn
        .withPermits(1)(write)
        .pipe(
          Effect.catch(({ problem }) =>
            Effect.logError(`The state of the local gateway is not kept. The data file ${path}: ${problem}`)
          ),
          Effect.uninterruptible
        )
      yield* write

      const changes = Latch.makeUnsafe()
      yield* Effect.acquireRelease(
        Effect.sync(() => engine.onChange(() => changes.openUnsafe())),
        (stop) => Effect.andThen(Effect.sync(stop), saved)
      )
      const keep = changes.await.pipe(
        // The latch is opened in the middle of a change: only when that is whole may it be written.
        Effect.andThen(Effect.yieldNow),
        Effect.andThen(Effect.sync(() => changes.closeUnsafe())),
        Effect.andThen(saved),
        Effect.forever
      )
      yield* Effect.forkScoped(keep)
      return saved
    })
