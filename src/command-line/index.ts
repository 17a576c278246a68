#!/usr/bin/env node
/// <reference types="node" />
/**
 * The command line: `effect-gopay`.
 */
import { version } from "../package/Version.js"
import { isError } from "../basics/AnyRealm.js"
import { CommandFailure, outputFailed, suggestion, wrapped } from "./Command.js"
import { commands } from "./commands.js"
import { type Language, languageOf } from "./Language.js"
import { withoutCredentialsOf } from "./OutputText.js"
import { words } from "./Words.js"

const helpIn = (language: Language): string => {
  const { exit, helpOfAny, lang, version, ...said } = words[language]
  const lines = commands.flatMap(({ name, summary }) => wrapped(`  ${name.padEnd(19)}${summary[language]}`, 21))
  const options = [
    ["--lang LANGUAGE", lang],
    ["--help", helpOfAny],
    ["--version", version]
  ].flatMap(([name = "", about = ""]) => wrapped(`  ${name.padEnd(19)}${about}`, 21))
  return `${said.usage} effect-gopay COMMAND [options]

${said.commands}
${lines.join("\n")}

${said.options}
${options.join("\n")}

${exit}
`
}

const names = commands.map(({ name }) => name)

const unknown = (given: string): CommandFailure =>
  new CommandFailure(2, (said) => `${said.unknownCommand(given, suggestion(given, names))}\n${said.tryHelp("")}`)

const missing = new CommandFailure(2, (said) => `${said.noCommand}\n${said.tryHelp("")}`)

const args = process.argv.slice(2)
// Everything after -- is another command.
const ownArgs = args.includes("--") ? args.slice(0, args.indexOf("--")) : args
const language = languageOf(ownArgs)

const isHelp = (text: string | undefined): boolean => text === "--help" || text === "-h"

const run = async (): Promise<void> => {
  const [given, ...rest] = withoutLanguage(args)
  if (given === undefined || isHelp(given)) return console.log(helpIn(language))
  if (given === "--version" || given === "-v") return console.log(version)
  const command = commands.find(({ name }) => name === given)
  if (command === undefined) throw given.startsWith("-") ? missing : unknown(given)
  if (ownArgs.slice(1).some(isHelp)) return console.log(command.help[language])
  const before = args.slice(0, args.length - rest.length - 1)
  await command.run([...before, ...rest])
}

/** The arguments from the command on: `--lang` may stand before it. */
const withoutLanguage = (given: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = ""] = given
  return first === "--lang" ? given.slice(2) : first.startsWith("--lang=") ? given.slice(1) : given
}

const linesOf = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => wrapped(line))
    .join("\n")

/** An unexpected error: its message, and then its stack. */
const traceOf = (error: unknown): string => {
  if (!isError(error)) return String(error)
  const calls = (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line))
  return [error.message, ...calls].join("\n")
}

process.stdout.on("error", outputFailed)
run().catch((error: unknown) => {
  const isFailure = error instanceof CommandFailure
  const text = withoutCredentialsOf(args, isFailure ? error.said(words[language]) : traceOf(error))
  console.error(isFailure ? linesOf(text) : text)
  process.exitCode = error instanceof CommandFailure ? error.status : 1
})
