/// <reference types="node" />
/**
 * Keeps the state of a local gateway in a seed file across restarts. Tokens and the log are not kept.
 *
 * While the gateway runs, each change is appended to the file, so its cost depends on its own length only. When the
 * appended part is longer than the rest, and when the gateway stops, a new file is written beside the old one and
 * replaces it. So the file is readable at every moment; at worst, its last line is incomplete. It holds credentials, so
 * only its owner may read it. Only one gateway uses it at a time, which a lock beside it sees to.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { constants, open, readFile, realpath, rename, rm } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { DataFileError } from "./StartErrors.js"
import { codeOf, lockDataFile } from "./DataFileLock.js"
import type { Engine, StateChange, StateParts } from "./Engine.js"
import { keepState } from "./StateKeeping.js"
import { readSeedText, type InvalidSeed, type Seed } from "../books/Seed.js"
import { changeLine } from "../books/SeedJournal.js"

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

/** The problems of the file, which to its owner is not a seed: one a line. */
const problemsOf = ({ problems }: InvalidSeed): string =>
  [
    "Its problems:",
    ...problems.map(({ field, message }) => `- ${field === undefined ? "the file" : field}: ${message}`)
  ].join("\n")

/** The path of a file without links in it, also where there is no such file yet. */
const realPath = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path))

/** Reads a data file, if it is there. No other gateway can open it until the scope ends. */
export const openDataFile = (path: string): Effect.Effect<DataFile, DataFileError, Scope.Scope> =>
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
    if (text === undefined) return { seed: undefined, keep: keeping(path) }
    const seed = yield* Effect.fromResult(
      Result.mapError(readSeedText(text), (invalid) => new DataFileError({ path, problem: problemsOf(invalid) }))
    )
    return { seed, keep: keeping(real) }
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
  // May be left over from an interrupted write.
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

/** Appends a text to a file of this length; false, with nothing appended, if there is no such file. */
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

const everything: ReadonlyArray<StateChange> = [{ type: "everything" }]

const partsOf = (changes: ReadonlyArray<StateChange>): StateParts => {
  const idsOf = (type: StateChange["type"]) =>
    new Set(changes.flatMap((change) => ("id" in change && change.type === type ? [change.id] : [])))
  return {
    payments: idsOf("payment"),
    cards: idsOf("card"),
    notified: idsOf("notifications"),
    settings: changes.some(({ type }) => type === "settings")
  }
}

/** A short file may grow by this many bytes before it is rewritten. */
const leastToRewrite = 1024 * 1024

/** A data file, and the changes that are not in it yet. */
class DataFileWriter {
  private unwritten = [...everything]
  private length = 0
  private added = 0
  private readonly path: string
  private readonly engine: Engine

  constructor(path: string, engine: Engine) {
    this.path = path
    this.engine = engine
  }

  add(change: StateChange): void {
    this.unwritten.push(change)
  }

  /** Writes pending changes. If that fails, the next write writes everything. */
  async write(): Promise<void> {
    const { unwritten } = this
    if (unwritten.length === 0) return
    this.unwritten = []
    try {
      const isAll = unwritten.some(({ type }) => type === "everything")
      if (isAll || !(await this.append(partsOf(unwritten)))) await this.replace()
    } catch (error) {
      this.unwritten = [...everything]
      throw error
    }
  }

  /** Rewrites the file if anything was appended to it. */
  async finish(): Promise<void> {
    if (this.added > 0) this.unwritten.push(...everything)
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
    // The text does not contain changes from here on.
    this.unwritten = []
    const text = `${JSON.stringify(this.engine.exportSeed(), null, 2)}\n`
    await replaceFile(this.path, text)
    this.length = Buffer.byteLength(text)
    this.added = 0
  }
}

const keeping =
  (path: string): DataFile["keep"] =>
  (engine) => {
    const writer = new DataFileWriter(path, engine)
    const writing = (write: () => Promise<void>) =>
      Effect.tryPromise({
        try: write,
        catch: (error) => new DataFileError({ path, problem: `It cannot be written: ${codeOf(error)}.` })
      })
    return keepState(engine, {
      add: (change) => writer.add(change),
      write: writing(() => writer.write()),
      finish: writing(() => writer.finish()),
      describe: ({ problem }) => `The data file ${path}: ${problem}`
    })
  }
