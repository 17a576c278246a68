/**
 * A command: its name, its help and what it does.
 */
import { isError } from "../contract/AnyRealm.js"
import { wrongUsage } from "./CommandFailure.js"

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
