/// <reference types="node" />
/**
 * The state of a local gateway in a file, so that it is there again after a restart: a seed file. Tokens and the log are
 * not kept.
 *
 * While the gateway runs, each change is added to the end of the file, so that it costs what it is long itself. When what
 * was added is longer than the rest, and when the gateway stops, a new file is written beside it and put in its place. So at
 * every moment the file can be read; at most, its last line was not written to the end. It holds credentials, so only its
 * owner may read it. One gateway at a time may use it.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { constants, open, readFile, realpath, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import type { Engine, StateChange, StateParts } from "./Engine.js"
import { readSeedText, type Seed } from "../seed/Seed.js"
import { changeLine } from "../seed/SeedJournal.js"

/** The data file cannot be used. It is left as it is. */
export class DataFileError extends Data.TaggedError("DataFileError")<{
  readonly path: string
  /** The problem, in words; no value out of the file is repeated. */
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
  // Left behind by a write that was interrupted.
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

/** Adds a text to a file that is there and has this length: false when it is not, so that nothing was added. */
const addToFile = async (path: string, length: number, text: string): Promise<boolean> => {
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND).catch(() => undefined)
  if (handle === undefined) return false
  try {
    if ((await handle.stat()).size !== length) return false
    await handle.writeFile(text)
    await handle.datasync()
    return true
  } finally {
    await handle.close()
  }
}

/** The changes since the last write. */
class Unwritten implements StateParts {
  readonly payments = new Set<number>()
  readonly cards = new Set<number>()
  readonly notified = new Set<number>()
  settings = false
  /** Everything may have changed. */
  everything = false
  isEmpty = true

  add(change: StateChange): void {
    this.isEmpty = false
    switch (change.type) {
      case "payment":
        this.payments.add(change.id)
        return
      case "card":
        this.cards.add(change.id)
        return
      case "notifications":
        this.notified.add(change.id)
        return
      case "settings":
        this.settings = true
        return
      case "time":
        return
      case "everything":
        this.everything = true
        return
    }
  }

  static everything(): Unwritten {
    const unwritten = new Unwritten()
    unwritten.add({ type: "everything" })
    return unwritten
  }
}

/** As much may be added to a short file before it is written anew. */
const leastToRewrite = 1024 * 1024

/** A data file, and what of a gateway's state is not in it yet. */
class DataFileWriter {
  private unwritten = Unwritten.everything()
  private length = 0
  private added = 0
  private readonly path: string
  private readonly engine: Engine

  constructor(path: string, engine: Engine) {
    this.path = path
    this.engine = engine
  }

  add(change: StateChange): void {
    this.unwritten.add(change)
  }

  /** Writes what is not in the file yet. When that fails, the next time everything is written. */
  async write(): Promise<void> {
    const { unwritten } = this
    if (unwritten.isEmpty) return
    this.unwritten = new Unwritten()
    try {
      if (unwritten.everything || !(await this.append(unwritten))) await this.replace()
    } catch (error) {
      this.unwritten = Unwritten.everything()
      throw error
    }
  }

  /** Writes the file anew when anything was added to it. */
  async finish(): Promise<void> {
    if (this.added > 0) this.unwritten.add({ type: "everything" })
    await this.write()
  }

  private async append(parts: StateParts): Promise<boolean> {
    if (this.added > Math.max(this.length - this.added, leastToRewrite)) return false
    const line = changeLine(this.engine.exportChange(parts))
    if (!(await addToFile(this.path, this.length, line))) return false
    const bytes = Buffer.byteLength(line)
    this.length += bytes
    this.added += bytes
    return true
  }

  private async replace(): Promise<void> {
    const unwritten = new Unwritten()
    // Changes from here on are not in the text.
    this.unwritten = unwritten
    const text = `${JSON.stringify(this.engine.exportSeed(), null, 2)}\n`
    await replaceFile(this.path, text)
    this.length = Buffer.byteLength(text)
    this.added = 0
  }
}

const keeping =
  (path: string): DataFile["keep"] =>
  (engine) =>
    Effect.gen(function* () {
      const turn = yield* Semaphore.make(1)
      const writer = new DataFileWriter(path, engine)
      const writing = (write: () => Promise<void>) =>
        turn.withPermits(1)(
          Effect.tryPromise({
            try: write,
            catch: (error) => new DataFileError({ path, problem: `It cannot be written: ${codeOf(error)}.` })
          })
        )
      const logged = Effect.catch(({ problem }: DataFileError) =>
        Effect.logError(`The state of the local gateway is not kept. The data file ${path}: ${problem}`)
      )
      const saved = writing(() => writer.write()).pipe(logged, Effect.uninterruptible)
      yield* writing(() => writer.write())

      const changes = Latch.makeUnsafe()
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          engine.onChange((change) => {
            writer.add(change)
            changes.openUnsafe()
          })
        ),
        (stop) => Effect.andThen(writing(() => writer.finish()).pipe(logged), Effect.sync(stop))
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
