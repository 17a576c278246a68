/**
 * A command: its name, its help and what it does.
 */
import { isError } from "../contract/AnyRealm.js"

export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  readonly help: string
  /** Runs it with the arguments after its name. */
  readonly run: (args: ReadonlyArray<string>) => Promise<void>
}

/** Reads a command's arguments. Whatever it does not know is wrong usage. */
export const readArguments = <Arguments>(command: string, read: () => Arguments): Arguments => {
  try {
    return read()
  } catch (error) {
    // Node goes on to explain how to pass arguments that begin with a dash.
    throw wrongUsage(command, isError(error) ? (error.message.split(". ")[0] ?? error.message) : String(error))
  }
}

/** A port among a command's options. */
export const portOf = (command: string, text: string): number => {
  const port = Number(text)
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw wrongUsage(command, `--port must be a whole number from 0 to 65535, not ${text}`)
}

/** Wrong usage (status 2), or a command that cannot be carried out (status 1). Its message is all that is printed. */
export class CommandFailure extends Error {
  readonly status: 1 | 2

  constructor(status: 1 | 2, message: string) {
    super(message)
    this.status = status
  }
}

/** Wrong usage of a command. */
export const wrongUsage = (command: string, message: string): CommandFailure =>
  new CommandFailure(2, `${message}\nTry: effect-gopay ${command} --help`)

/** Whether one becomes the other by leaving out a letter of either. */
const isAlmost = (one: string, other: string): boolean => {
  const shortened = (text: string): ReadonlyArray<string> => [
    text,
    ...Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))
  ]
  return shortened(one).some((text) => shortened(other).includes(text))
}

/** A sentence that names the nearest of some names, after a blank; empty where none is near. */
export const suggestion = (given: string, names: Iterable<string>): string => {
  const meant = [...names].find((name) => name.startsWith(given) || isAlmost(given, name))
  return meant === undefined ? "" : `. Did you mean ${meant}?`
}

/** A text in lines of at most 80 columns, indented by so many blanks; a longer word stands alone in its line. */
export const wrapped = (text: string, indent = 0): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > 80) lines.push(" ".repeat(indent) + word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
