/**
 * Whether another SQLite library of this process has a file open, beside the one that the ledger uses. The locks of a file belong
 * to the process: two libraries in one do not wait for each other, and each undoes what the other has written.
 */
import { builtinModule } from "./asyncContext.js"

interface Status {
  readonly dev: bigint
  readonly ino: bigint
}

/** What is used of `node:fs`. The file is never opened here: closing it again would drop the locks of this process. */
interface Files {
  statSync(path: string, options: { readonly bigint: true; readonly throwIfNoEntry: false }): Status | undefined
  fstatSync(descriptor: number, options: { readonly bigint: true }): Status
  readdirSync(path: string): ReadonlyArray<string>
  realpathSync(path: string): string
}

const isFiles = (module: unknown): module is Files =>
  typeof module === "object" && module !== null && "fstatSync" in module

/** The open files of this process, by their numbers. Windows has no such folder. */
const descriptors = "/dev/fd"

/** Watches over a file with SQLite that this process has open, if there is one: what is in memory needs no right to read files, which Deno asks for. */
export const soleLibrary = (path: string | undefined) => {
  const files = builtinModule("node:fs")
  return isFiles(files) && path !== undefined
    ? watching(files, path)
    : { opened: () => {}, closed: () => {}, isShared: () => false }
}

const nameOf = ({ dev, ino }: Status): string => `${dev} ${ino}`

const watching = (files: Files, path: string) => {
  let connections = 0
  /** The shared memory of the file, which each library opens once. */
  let shared: string | undefined
  let isShared = false

  /** SQLite names the files beside it by the file itself, where the path is a link to it. */
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
        // It was closed since the folder was read.
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
    /** The ledger's library has one connection more. */
    opened: (): void => {
      if (++connections === 1) shared = found()
    },
    /** It has one less. */
    closed: (): void => {
      connections--
    },
    /**
     * Whether another library has the file open, or had: what was written meanwhile may be lost. It remains so.
     */
    isShared: (): boolean => {
      if (connections === 0 || isShared) return isShared
      shared ??= found()
      isShared = shared !== undefined && (found() !== shared || timesOpen(shared) > 1)
      return isShared
    }
  }
}
