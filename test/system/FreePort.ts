/**
 * A port of this machine that no one listens on, and that no connection gets as its own: a server that is stopped finds it
 * free again. Files of tests that run side by side have ports of their own.
 */
import { once } from "node:events"
import { createServer } from "node:net"

/** Below the ports that Linux gives to connections. */
const firstPort = 20_000 + 2_000 * (Number(process.env["VITEST_POOL_ID"] ?? 0) % 6)
let next = process.pid % 1_000

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch {
    return false
  }
  server.close()
  await once(server, "close")
  return true
}

export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < 1_000; tried++) {
    next = (next + 1) % 2_000
    // Others ask for a port while this one is tried.
    const port = firstPort + next
    if (await isFree(port)) return port
  }
  throw new Error("No port is free.")
}
