/**
 * A command: its name, its help and what it does; and what several commands need.
 */
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { parseArgs } from "node:util"
import { isError, messageOf } from "../basics/AnyRealm.js"

/** An option, as `parseArgs` takes it, with what the help says of it. */
interface Option {
  readonly type: "string" | "boolean"
  readonly multiple?: boolean
  readonly default?: string | boolean | Array<string> | undefined
  /** What stands for its value in the help. */
  readonly value?: string
  /** The help has no option without a text. */
  readonly about?: string
}

/** The options of a command by their names: what it reads, what its help lists, and what it suggests. */
export interface Options {
  readonly [name: string]: Option
}

/** An option that is given or not. */
export const flag = (about: string) => ({ type: "boolean", default: false, about }) as const

export const option = (value: string, about: string) => ({ type: "string", value, about }) as const

export const repeatable = (value: string, about: string) =>
  ({ ...option(value, about), multiple: true, default: new Array<string>() }) as const

type Arguments<O extends Options> = ReturnType<
  typeof parseArgs<{ readonly args: Array<string>; readonly allowPositionals: true; readonly options: O }>
>

export type Values<O extends Options> = Arguments<O>["values"]

/** Reads a command's arguments. Whatever it does not know is wrong usage. */
const readArguments = <O extends Options>(options: O, args: ReadonlyArray<string>): Arguments<O> => {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    // Node goes on to explain how to pass arguments that begin with a dash.
    const [message = ""] = messageOf(error).split(". ")
    const [quoted = "", given = ""] = /'(--[\w-]+)'/.exec(message.startsWith("Unknown option") ? message : "") ?? []
    const meant = suggestion(
      given,
      Object.keys(options).map((name) => `--${name}`)
    )
    throw new WrongUsage(given === "" ? message : message.replace(quoted, `${given}${meant}`))
  }
}

const help: Option = { type: "boolean", about: "print this help" }

const optionLines = (options: Options): ReadonlyArray<string> =>
  Object.entries({ ...options, help }).flatMap(([name, { about, value }]) => {
    if (about === undefined) return []
    const head = `  --${name}${value === undefined ? "" : ` ${value}`}`
    return wrapped(`${head.padEnd(19)}  ${about}`, 21)
  })

/** A paragraph in lines; those that begin with blanks stay lines of their own, as those of the usage do. */
const paragraphLines = (paragraph: string): ReadonlyArray<string> =>
  /^( |Usage:)/m.test(paragraph)
    ? paragraph.split("\n").flatMap((line) => wrapped(line, 9))
    : wrapped(paragraph.replaceAll("\n", " "))

const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => paragraphLines(paragraph).join("\n"))
    .join("\n\n")

/** The help of a command, in lines of at most 80 columns: what it does, its options, and what else there is to say. */
const helpText = (text: string, options: Options, end?: string): string =>
  `${paragraphs(text)}\n\nOptions:\n${optionLines(options).join("\n")}\n${end === undefined ? "" : `\n${paragraphs(end)}\n`}`

/** A command, and what its help, its reading and its suggestions are made of. */
interface Declaration<O extends Options> {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  readonly options: O
  /** How it is used, and what it does. */
  readonly about: string
  /** What else there is to say, after the options. */
  readonly end?: string
  /** How many arguments it takes beside its options. Default: none. */
  readonly takes?: number
  /** Whether it takes another command after `--`. */
  readonly takesCommand?: true
  readonly run: (
    values: Values<O>,
    given: ReadonlyArray<string>,
    command: ReadonlyArray<string> | undefined
  ) => Promise<void>
}

/** Makes a command of its table of options. */
export const commandOf = <O extends Options>({
  about,
  end,
  name,
  options,
  run,
  summary,
  takes = 0,
  takesCommand
}: Declaration<O>) => ({
  name,
  summary,
  options,
  help: helpText(about, options, end),
  /** Runs it with the arguments after its name. */
  run: async (args: ReadonlyArray<string>): Promise<void> => {
    const end = takesCommand ? args.indexOf("--") : -1
    try {
      const { positionals, values } = readArguments(options, end === -1 ? args : args.slice(0, end))
      const surplus = positionals.slice(takes)
      if (surplus.length > 0) throw new WrongUsage(`Unexpected argument: ${surplus.join(" ")}`)
      await run(values, positionals, end === -1 ? undefined : args.slice(end + 1))
    } catch (error) {
      if (!(error instanceof WrongUsage)) throw error
      throw new CommandFailure(2, `${error.message}\nTry: effect-gopay ${name} --help`)
    }
  }
})

export const portOf = (text: string): number => {
  const port = Number(text)
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new WrongUsage(`--port must be a whole number from 0 to 65535, not ${text}`)
}

/** Wrong usage (status 2), or a command that cannot be carried out (status 1). Its message is all that is printed. */
export class CommandFailure extends Error {
  readonly status: 1 | 2

  constructor(status: 1 | 2, message: string) {
    super(message)
    this.status = status
  }
}

/** Wrong usage of the command that runs: it becomes a failure that also says how to print the command's help. */
export class WrongUsage extends Error {}

/** Why a `fetch` failed: its own message says no more than that it did. */
export const causeOf = (error: unknown): string =>
  messageOf(isError(error) && isError(error.cause) ? error.cause : error)

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

const columns = 80

/** A text in lines of at most 80 columns, all but the first indented; a longer word stands alone in its line. */
export const wrapped = (text: string, indent = 0): ReadonlyArray<string> => {
  if (text.length <= columns) return [text]
  const end = text.lastIndexOf(" ", columns)
  const cut = text.slice(0, end).trim() === "" ? text.indexOf(" ", columns) : end
  return cut === -1 ? [text] : [text.slice(0, cut), ...wrapped(" ".repeat(indent) + text.slice(cut + 1), indent)]
}

/**
 * Ends the command with status 1 when its output cannot be written: a full disk, or a reader that has gone. It is a
 * listener of the standard output's `error`, since `console.log` reports none.
 */
export const outputFailed = (error: Error): void => {
  // A stream that is written to once more after it failed fails again.
  process.stdout.off("error", outputFailed).on("error", () => {})
  console.error(`The output could not be written: ${error.message}`)
  process.exitCode = 1
}

/** Opens an address in the default browser; where there is none, the printed address has to do. */
export const openBrowser = (url: string): void => {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", '""']
        : ["xdg-open"]
  if (program === undefined) return
  spawn(program, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref()
}

/** A package of the project in this directory: a command that npx has fetched has none of its own. */
export const installed = <Module>(
  is: (found: unknown) => found is Module,
  ...names: ReadonlyArray<string>
): Module | undefined => {
  for (const from of [`${process.cwd()}/`, import.meta.url]) {
    for (const one of names) {
      try {
        const found: unknown = createRequire(from)(one)
        if (is(found)) return found
      } catch (error) {
        const isMissing = isError(error) && "code" in error && error.code === "MODULE_NOT_FOUND"
        if (!isMissing) throw new CommandFailure(1, `${one} cannot be loaded: ${String(error)}`)
      }
    }
  }
  return undefined
}
