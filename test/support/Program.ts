/**
 * Programs that tests run in processes of their own.
 */
import { build } from "esbuild"
import { type ChildProcess, type ChildProcessByStdio, execFile, fork, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import type { ClientTask } from "./ClientProcess.js"

export interface Ended {
  readonly code: number | string | null | undefined
  readonly output: string
  readonly errors: string
}

/** Runs Node.js until it ends by itself. */
export const runNode = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = process.env): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : error.code, output, errors })
    )
  })

/** Runs a program until it ends by itself. */
export const runProgram = async (
  program: URL,
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = []
): Promise<Ended> => runNode([...flags, ...(await compiled(program)), ...args])

/** Runs a task of a shop without a ledger until it ends by itself. */
export const runClient = (
  task: ClientTask,
  environments: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = []
): Promise<Ended> => runProgram(new URL("ClientProcess.ts", import.meta.url), [task, ...environments], flags)

/** Starts a program. What it says of errors is shown. */
export const startProgram = async (
  program: URL,
  args: ReadonlyArray<string>,
  node = process.execPath
): Promise<ChildProcessByStdio<null, Readable, null>> =>
  spawn(node, [...(await compiled(program)), ...args], { stdio: ["ignore", "pipe", "inherit"] })

/** Starts a program that exchanges messages with this one. */
export const forkProgram = async (program: URL, args: ReadonlyArray<string>): Promise<ChildProcess> => {
  const [flag = "", file = ""] = await compiled(program)
  return fork(file, args, { execArgv: [flag] })
}

const folder = mkdtempSync(join(tmpdir(), "programs-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const files = new Map<string, Promise<string>>()

/**
 * One file with all that the program imports: it starts in a fraction of the time that a loader of TypeScript takes.
 * Stacks name the sources.
 */
const compiled = async (program: URL): Promise<ReadonlyArray<string>> => {
  const source = fileURLToPath(program)
  const file = files.get(source) ?? compile(source)
  files.set(source, file)
  return ["--enable-source-maps", await file]
}

const compile = async (source: string): Promise<string> => {
  const outfile = join(folder, basename(source).replace(/\.ts$/, ".mjs"))
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    // CommonJS libraries need `require` for the modules of Node.js.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url)'
    },
    // As in the package: it checks nothing that is needed, and is large.
    alias: { validator: "./src/local-gateway/documents/StandIns.ts" },
    logLevel: "warning",
    // The entries of the package load Effect first, to say so when it is missing.
    logOverride: { "ignored-bare-import": "silent" }
  })
  return outfile
}
