/**
 * Debian's Redis on a free port of this machine, with nothing but memory.
 */
import { createClient } from "@redis/client"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "./FreePort.js"
import { redisServer } from "./Requirements.js"

const start = async (port: number, directory: string) => {
  const options = { port, dir: directory, bind: "127.0.0.1", save: "", appendonly: "no" }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn(redisServer, args, { stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of createInterface(server.stdout)) {
    if (line.includes("Ready to accept connections")) {
      server.stdout.resume()
      return server
    }
  }
  throw new Error(`redis-server did not start on port ${port}.`)
}

const clientOf = (url: string) => createClient({ url })

export const startRedis = async () => {
  const directory = await mkdtemp(join(tmpdir(), "effect-gopay-redis-"))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let server = await start(port, directory)

  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, "exit")
    server.kill("SIGKILL")
    await ended
  }

  /** A connection for one use. */
  const connected = async <A>(use: (redis: ReturnType<typeof clientOf>) => Promise<A>): Promise<A> => {
    const redis = clientOf(url)
    await redis.connect()
    try {
      return await use(redis)
    } finally {
      redis.destroy()
    }
  }

  return {
    url,
    /** Every key with its value. */
    dump: () =>
      connected(async (redis) => {
        const keys = await redis.keys("*")
        return Promise.all(keys.map(async (key) => [key, await redis.get(key)] as const))
      }),
    /** Forgets everything. */
    clear: () => connected(async (redis) => void (await redis.flushAll())),
    set: (key: string, value: string) => connected((redis) => redis.set(key, value)),
    /** How long a key still lives, in milliseconds. */
    timeToLive: (key: string) => connected((redis) => redis.pTTL(key)),
    /** As a crash does. What it held is gone. */
    kill,
    restart: async (): Promise<void> => {
      server = await start(port, directory)
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await kill()
      await rm(directory, { recursive: true })
    }
  }
}
