/**
 * Runs a command with a PostgreSQL of its own, whose address is in `DATABASE_URL`: `tsx withPostgres.ts npm test`.
 */
import { spawnSync } from "node:child_process"
import { startPostgres } from "./PostgresServer.js"

const [command = "", ...args] = process.argv.slice(2)
await using postgres = await startPostgres()
const { status } = spawnSync(command, args, {
  stdio: "inherit",
  env: { ...process.env, DATABASE_URL: postgres.url }
})
process.exitCode = status ?? 1
