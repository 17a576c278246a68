/// <reference types="node" />
/**
 * Keeps a second gateway from a data file.
 *
 * The lock is a socket next to the file, on which its holder listens. The system closes it with the process, however
 * that ends. Process ids are not used, since they may be equal in containers that share the file.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createHash, randomUUID } from "node:crypto"
import { access, rename, rm, symlink } from "node:fs/promises"
import { createConnection, createServer, type Server } from "node:net"
import { hostname, tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { isError } from "../../basics/AnyRealm.js"
import { DataFileError } from "./StartErrors.js"

/** The system's code of an error. */
export const codeOf = (error: unknown): string =>
  isError(error) && "code" in error && typeof error.code === "string" ? error.code : String(error)

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The system silently truncates the path of a socket after this many bytes. */
const maxPathLength = 100

const isLong = (socket: string): boolean => process.platform !== "win32" && Buffer.byteLength(socket) > maxPathLength

/**
 * Windows has named pipes instead of sockets in folders. A path that is too long is reached by a short name elsewhere.
 */
const socketOf = (path: string): string => {
  if (process.platform === "win32") return `\\\\.\\pipe\\effect-gopay-${hashOf(path)}`
  const socket = `${path}.lock`
  return isLong(socket) ? join(dirname(path), `.${hashOf(basename(path)).slice(0, 16)}.lock`) : socket
}

/** Uses a socket by a path that is short enough. */
const reaching = async <A>(socket: string, use: (path: string) => Promise<A>): Promise<A> => {
  if (!isLong(socket)) return use(socket)
  const link = join(tmpdir(), `gopay-${randomUUID().slice(0, 8)}`)
  await symlink(dirname(socket), link)
  try {
    return await use(join(link, basename(socket)))
  } finally {
    await rm(link, { force: true })
  }
}

/** Listens, and tells anyone who connects which gateway holds the lock. */
const listen = (socket: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const holder = `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}`
    const server = createServer((connection) => {
      connection.on("error", () => {})
      connection.end(holder)
    })
    server.once("error", reject)
    server.listen(socket, () => {
      server.unref()
      resolve(server)
    })
  })

/** A holder that is too busy does not answer, and still holds the lock. */
const maxAnswerMillis = 1000

/** The holder's description of itself; `undefined` if no process listens any more. */
const holderAt = (socket: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let said = ""
    let isConnected = false
    const connection = createConnection(socket, () => (isConnected = true))
    const finish = (): void => {
      connection.destroy()
      resolve(isConnected ? said : undefined)
    }
    connection.setTimeout(maxAnswerMillis, finish)
    connection.setEncoding("utf8")
    connection.on("data", (text: string) => (said += text))
    connection.once("end", finish)
    connection.once("error", finish)
  })

/** Removes the socket of a process that has ended. Puts it back if another process has just replaced it. */
const removeStale = async (socket: string): Promise<void> => {
  const aside = `${socket}.${randomUUID().slice(0, 8)}`
  await rename(socket, aside)
  if ((await reaching(aside, holderAt)) === undefined) await rm(aside, { force: true })
  else await rename(aside, socket)
}

const attempts = 5

/** Takes the lock; or returns who holds it, or why it cannot be taken: not every file system has sockets. */
const take = async (socket: string): Promise<Server | { readonly holder: string } | { readonly problem: string }> => {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await reaching(socket, listen)
    } catch (error) {
      if (codeOf(error) !== "EADDRINUSE") return { problem: codeOf(error) }
      const holder = await reaching(socket, holderAt)
      if (holder !== undefined) return { holder }
      // Another process may have removed it meanwhile.
      await removeStale(socket).catch(() => undefined)
    }
  }
  return { holder: "" }
}

/** Holds the lock of a data file until the scope ends. Fails with the holder's name if another gateway holds it. */
export const lockDataFile = (path: string): Effect.Effect<void, DataFileError, Scope.Scope> =>
  Effect.gen(function* () {
    const socket = socketOf(path)
    const taken = yield* Effect.acquireRelease(
      Effect.promise(() => take(socket)),
      (lock) =>
        Effect.promise(async () => {
          if (!("close" in lock)) return
          await new Promise<void>((resolve) => void lock.close(() => resolve()))
          // The system removes it only under the name with which it was created.
          if (isLong(socket)) await removeStale(socket).catch(() => undefined)
        })
    )
    if ("problem" in taken) {
      // If the folder does not exist, no file can be created in it, and the error says so.
      const isFolder = access(dirname(path)).then(
        () => true,
        () => false
      )
      if (!(yield* Effect.promise(() => isFolder))) return
      return yield* Effect.logWarning(
        `The data file ${path} cannot be locked here (${taken.problem}): start no second gateway that uses it.`
      )
    }
    if (!("holder" in taken)) return
    const holder = taken.holder === "" ? "" : `: ${taken.holder}`
    const problem = `Another gateway uses it${holder}. Stop that one, or name another file.`
    return yield* new DataFileError({ path, problem })
  })
