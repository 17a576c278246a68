/**
 * Detects whether this process has a file open in another SQLite library as well. The locks of a file belong to the
 * process, so two libraries in one process do not wait for each other, and overwrite each other's changes.
 */
import { builtinModule } from "./asyncContext.js"

interface Status {
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * The part of `node:fs` that is used. The file itself is never opened here: closing it would drop the locks of this
 * process.
 */
interface Files {
  statSync(path: string, options: { readonly bigint: true; readonly throwIfNoEntry: false }): Status | undefined
  fstatSync(descriptor: number, options: { readonly bigint: true }): Status
  readdirSync(path: string): ReadonlyArray<string>
  realpathSync(path: string): string
}

const isFiles = (module: unknown): module is Files =>
  typeof module === "object" && module !== null && "fstatSync" in module

/** The folder of this process's open files, by number. Windows has no such folder. */
const descriptors = "/dev/fd"

/**
 * Watches an SQLite file that this process has open, if there is one. A database in memory needs no permission to read
 * files, which Deno would ask for.
 */
export const soleLibrary = (path: string | undefined) => {
  const files = builtinModule("node:fs")
  return isFiles(files) && path !== undefined
    ? watching(files, path)
    : { opened: () => {}, closed: () => {}, isShared: () => false }
}

const nameOf = ({ dev, ino }: Status): string => `${dev} ${ino}`

const watching = (files: Files, path: string) => {
  let connections = 0
  /** The shared-memory file, which each library opens once. */
  let shared: string | undefined
  let isShared = false

  /** If the path is a link, SQLite names the files next to it after the target. */
  const filePath = (): string => {
    try {
      return files.realpathSync(path)
    } catch {
      return path
    }
  }

  const found = (): string | undefined => {
    const status = files.statSync(`${filePath()}-shm`, { bigint: true, throwIfNoEntry: false })
    return status && nameOf(status)
  }

  const isOpenAs =
    (name: string) =>
    (descriptor: string): boolean => {
      try {
        return nameOf(files.fstatSync(Number(descriptor), { bigint: true })) === name
      } catch {
        // It was closed after the folder was read.
        return false
      }
    }

  const timesOpen = (name: string): number => {
    try {
      return files.readdirSync(descriptors).filter(isOpenAs(name)).length
    } catch {
      return 0
    }
  }

  return {
    /** The ledger's library has opened a connection. */
    opened: (): void => {
      if (++connections === 1) shared = found()
    },
    /** The ledger's library has closed a connection. */
    closed: (): void => {
      connections--
    },
    /**
     * Whether another library has or had the file open: what was written meanwhile may be lost. Once true, it stays
     * true.
     */
    isShared: (): boolean => {
      if (connections === 0 || isShared) return isShared
      shared ??= found()
      isShared = shared !== undefined && (found() !== shared || timesOpen(shared) > 1)
      return isShared
    }
  }
}
