/**
 * A command: its name, its help and its action; and functions that several commands share.
 */
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { parseArgs } from "node:util"
import { isError, messageOf } from "../basics/AnyRealm.js"
import { ownMember } from "../basics/OwnMember.js"

/** An option in the form of `parseArgs`, with its text for the help. */
interface Option {
  readonly type: "string" | "boolean"
  readonly multiple?: boolean
  readonly default?: string | boolean | Array<string> | undefined
  /** The placeholder of its value in the help. */
  readonly value?: string
  /** An option without a text is not in the help. */
  readonly about?: string
}

/** The options of a command, keyed by name: what it parses, lists in its help, and suggests. */
export interface Options {
  readonly [name: string]: Option
}

/** An option without a value. */
export const flag = (about: string) => ({ type: "boolean", default: false, about }) as const

export const option = (value: string, about: string) => ({ type: "string", value, about }) as const

export const repeatable = (value: string, about: string) =>
  ({ ...option(value, about), multiple: true, default: new Array<string>() }) as const

type Arguments<O extends Options> = ReturnType<
  typeof parseArgs<{ readonly args: Array<string>; readonly allowPositionals: true; readonly options: O }>
>

export type Values<O extends Options> = Arguments<O>["values"]

/** Parses a command's arguments. Anything unknown is wrong usage. */
const readArguments = <O extends Options>(options: O, args: ReadonlyArray<string>): Arguments<O> => {
  const given = parsedArguments(options, args)
  const names = given.tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []))
  const twice = names.find(
    (name, index) => ownMember<Options[string]>(options, name)?.multiple !== true && names.indexOf(name) < index
  )
  if (twice !== undefined) throw new WrongUsage(`--${twice} may be given once`)
  return given
}

const parsedArguments = <O extends Options>(options: O, args: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options, tokens: true })
  } catch (error) {
    // Node continues with an explanation of how to pass arguments that begin with a dash.
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

/** A paragraph in lines. Indented lines, such as those of the usage, stay separate. */
const paragraphLines = (paragraph: string): ReadonlyArray<string> =>
  /^( |Usage:)/m.test(paragraph)
    ? paragraph.split("\n").flatMap((line) => wrapped(line, 9))
    : wrapped(paragraph.replaceAll("\n", " "))

const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => paragraphLines(paragraph).join("\n"))
    .join("\n\n")

/** The help of a command, in lines of at most 80 columns: what it does, its options, and further remarks. */
const helpText = (text: string, options: Options, end?: string): string =>
  `${paragraphs(text)}\n\nOptions:\n${optionLines(options).join("\n")}\n${end === undefined ? "" : `\n${paragraphs(end)}\n`}`

/** A command, with everything that its help, its parsing and its suggestions need. */
interface Declaration<O extends Options> {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  readonly options: O
  /** Its usage, and what it does. */
  readonly about: string
  /** Further remarks, after the options. */
  readonly end?: string
  /** The number of its arguments besides options. Default: none. */
  readonly takes?: number
  /** Whether it takes another command after `--`. */
  readonly takesCommand?: true
  readonly run: (
    values: Values<O>,
    given: ReadonlyArray<string>,
    command: ReadonlyArray<string> | undefined
  ) => Promise<void>
}

/** Makes a command from its table of options. */
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

/** Wrong usage (status 2), or a command that cannot be carried out (status 1). Only its message is printed. */
export class CommandFailure extends Error {
  readonly status: 1 | 2

  constructor(status: 1 | 2, message: string) {
    super(message)
    this.status = status
  }
}

/** Wrong usage of the command that runs: it becomes a failure that also says how to print the command's help. */
export class WrongUsage extends Error {}

/** Why a `fetch` failed: its own message only says that it did. */
export const causeOf = (error: unknown): string =>
  messageOf(isError(error) && isError(error.cause) ? error.cause : error)

/** Whether the texts become equal if one letter of either is left out. */
const isAlmost = (one: string, other: string): boolean => {
  const shortened = (text: string): ReadonlyArray<string> => [
    text,
    ...Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))
  ]
  return shortened(one).some((text) => shortened(other).includes(text))
}

/** A sentence that suggests the closest of some names, with a space in front; empty if none is close. */
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
 * Ends the command with status 1 if its output cannot be written, because the disk is full or the reader has gone. It
 * listens to the `error` event of standard output, since `console.log` reports no errors.
 */
export const outputFailed = (error: Error): void => {
  // Writing to a stream after it failed fails again.
  process.stdout.off("error", outputFailed).on("error", () => {})
  console.error(`The output could not be written: ${error.message}`)
  process.exitCode = 1
}

/** Opens an address in the default browser. If there is none, the printed address has to do. */
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

/** A package of the project in the current directory: a command run by npx has no dependencies of the project. */
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
