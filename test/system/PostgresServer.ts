/**
 * Debian's PostgreSQL on a free port of this machine, with a directory of its own.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "./FreePort.js"
import { postgresFolder } from "./Requirements.js"

/** PostgreSQL refuses to run as root: then it is the user that its package made. */
const user = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

export interface PostgresOptions {
  /** The address of another server, of which this one is an asynchronous replica. */
  readonly replicaOf?: string
  /** Settings, such as `fsync=off`. */
  readonly settings?: ReadonlyArray<string>
}

export const startPostgres = async ({ replicaOf, settings: more = [] }: PostgresOptions = {}) => {
  const owner = user()
  const directory = mkdtempSync(join(tmpdir(), "effect-gopay-postgres-"))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(directory, owner.uid, owner.gid)
  const data = join(directory, "data")
  const options = { ...owner, cwd: directory, env: { PATH: process.env["PATH"], LC_ALL: "C" } }
  const program = (name: string) => join(postgresFolder(), name)
  if (replicaOf === undefined) {
    execFileSync(program("initdb"), ["-D", data, "-U", "shop", "-A", "trust", "--no-sync", "-E", "UTF8"], {
      ...options,
      stdio: "ignore"
    })
  } else {
    execFileSync(program("pg_basebackup"), ["-D", data, "-d", replicaOf, "-R", "-c", "fast", "--no-sync"], options)
  }
  const port = await freePort()

  const start = async () => {
    const settings = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${directory}`, ...more]
    const server = spawn(program("postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"]
    })
    for await (const line of createInterface(server.stderr)) {
      if (line.includes("ready to accept")) {
        server.stderr.resume()
        return server
      }
    }
    throw new Error(`PostgreSQL did not start on port ${port}.`)
  }
  let server = await start()

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, "exit")
    server.kill(signal)
    await ended
  }

  return {
    url: `postgresql://shop@127.0.0.1:${port}/postgres`,
    /** Stops at once, without finishing anything (`-m immediate`), and starts again. */
    crash: async (): Promise<void> => {
      await stop("SIGQUIT")
      server = await start()
    },
    /** Stops it at once. */
    stop: () => stop("SIGQUIT"),
    start: async (): Promise<void> => {
      server = await start()
    },
    /** Makes it a server of its own, which takes what its former primary had not sent for never written. */
    promote: () => execFileSync(program("pg_ctl"), ["promote", "-w", "-D", data], { ...options, stdio: "ignore" }),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await stop("SIGQUIT")
      rmSync(directory, { recursive: true, force: true })
    }
  }
}
