#!/usr/bin/env node
/// <reference types="node" />
/**
 * The command line: `effect-gopay`.
 */
import { version } from "../package/Version.js"
import { isError } from "../basics/AnyRealm.js"
import { CommandFailure, outputFailed, suggestion, wrapped } from "./Command.js"
import { commands } from "./commands.js"

const help = `Usage: effect-gopay COMMAND [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(19)}${summary}`).join("\n")}

Options:
  --help             print this help, or that of a command
  --version          print the version

Exit status: 0 when done or stopped (Ctrl-C), 1 when it cannot be done
or its output cannot be written, 2 for wrong usage.
`

const names = commands.map(({ name }) => name)

const unknown = (given: string): CommandFailure =>
  new CommandFailure(2, `Unknown command: ${given}${suggestion(given, names)}\nTry: effect-gopay --help`)

const missing = new CommandFailure(2, "The command is missing\nTry: effect-gopay --help")

const run = async ([given, ...args]: ReadonlyArray<string>): Promise<void> => {
  const isHelp = (text: string | undefined): boolean => text === "--help" || text === "-h"
  if (given === undefined || isHelp(given)) return console.log(help)
  if (given === "--version" || given === "-v") return console.log(version)
  const command = commands.find(({ name }) => name === given)
  if (command === undefined) throw given.startsWith("-") ? missing : unknown(given)
  // Everything after -- is another command.
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args
  if (own.some(isHelp)) return console.log(command.help)
  await command.run(args)
}

const linesOf = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => wrapped(line))
    .join("\n")

/** An unexpected error: its message, and then its stack. */
const traceOf = (error: unknown): unknown => {
  if (!isError(error)) return error
  const calls = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line))
  return [error.message, ...calls].join("\n")
}

process.stdout.on("error", outputFailed)
run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof CommandFailure ? linesOf(error.message) : traceOf(error))
  process.exitCode = error instanceof CommandFailure ? error.status : 1
})
