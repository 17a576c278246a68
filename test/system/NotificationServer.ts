/**
 * The handler of notifications of `examples/ledger-postgres.ts`, served on `PORT`.
 */
import { createServer } from "node:http"
import { notify } from "../../examples/ledger-postgres.js"
import { toNodeHandler } from "../../src/promise/index.js"

createServer(toNodeHandler(notify)).listen(Number(process.env["PORT"]))
