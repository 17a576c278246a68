/**
 * Runs a command with a PostgreSQL of its own, whose address is in `DATABASE_URL`: `tsx withPostgres.ts npm test`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { startPostgres } from "./PostgresServer.js"

const [command = "", ...args] = process.argv.slice(2)
await using postgres = await startPostgres()
// PostgreSQL's log is read while the command runs: a server whose log no one reads stands still.
const running = spawn(command, args, { stdio: "inherit", env: { ...process.env, DATABASE_URL: postgres.url } })
const [status] = await once(running, "exit")
process.exitCode = typeof status === "number" ? status : 1
