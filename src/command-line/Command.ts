/**
 * A command: its name, its help and its action; and functions that several commands share.
 */
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { parseArgs } from "node:util"
import { isError, messageOf } from "../basics/AnyRealm.js"
import { ownMember } from "../basics/OwnMember.js"
import { isLanguage, type Language, languageOf, type Text } from "./Language.js"
import { inBoth, type Said, words } from "./Words.js"

/** An option in the form of `parseArgs`, with its text for the help. */
interface Option {
  readonly type: "string" | "boolean"
  readonly multiple?: boolean
  readonly default?: string | boolean | Array<string> | undefined
  /** The placeholder of its value in the help. */
  readonly value?: string
  /** An option without a text is not in the help. */
  readonly about?: Text
}

/** The options of a command, keyed by name: what it parses, lists in its help, and suggests. */
export interface Options {
  readonly [name: string]: Option
}

/** An option without a value. */
export const flag = (about: Text) => ({ type: "boolean", default: false, about }) as const

export const option = (value: string, about: Text) => ({ type: "string", value, about }) as const

export const repeatable = (value: string, about: Text) =>
  ({ ...option(value, about), multiple: true, default: new Array<string>() }) as const

/** Every command has it. */
const lang = option(
  "LANGUAGE",
  inBoth((said) => said.lang)
)

type Arguments<O extends Options> = ReturnType<
  typeof parseArgs<{ readonly args: Array<string>; readonly allowPositionals: true; readonly options: O }>
>

export type Values<O extends Options> = Arguments<O>["values"]

/** Parses a command's arguments. Anything unknown is wrong usage. */
const readArguments = <O extends Options>(options: O, args: ReadonlyArray<string>): Arguments<O> => {
  checkOptions(options, args)
  return parseArgs({ args: [...args], allowPositionals: true, options, tokens: true })
}

/** Refuses what `parseArgs` would refuse, in our words and before it does: its own are English. */
const checkOptions = (options: Options, args: ReadonlyArray<string>): void => {
  const { tokens } = parseArgs({ args: [...args], allowPositionals: true, options, strict: false, tokens: true })
  const given = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== "option") continue
    const { inlineValue, name, rawName, value } = token
    const known = ownMember<Options[string]>(options, name)
    if (known === undefined || !rawName.startsWith("--")) {
      const names = Object.keys(options).map((one) => `--${one}`)
      throw new WrongUsage((said) => said.unknownOption(rawName, suggestion(rawName, names)))
    }
    if (known.type === "boolean") {
      if (value !== undefined) throw new WrongUsage((said) => said.surplusValue(name))
    } else if (value === undefined) {
      throw new WrongUsage((said) => said.noValue(name, known.value ?? "VALUE"))
    } else if (!inlineValue && value.length > 1 && value.startsWith("-")) {
      throw new WrongUsage((said) => said.dashValue(name, value))
    }
    if (given.has(name) && known.multiple !== true) throw new WrongUsage((said) => said.once(name))
    given.add(name)
  }
}

const help: Option = { type: "boolean", about: inBoth((said) => said.help) }

const optionLines = (options: Options, language: Language): ReadonlyArray<string> =>
  Object.entries({ ...options, help }).flatMap(([name, { about, value }]) => {
    if (about === undefined) return []
    const head = `  --${name}${value === undefined ? "" : ` ${value}`}`
    return wrapped(`${head.padEnd(19)}  ${about[language]}`, 21)
  })

/** A paragraph in lines. Indented lines, such as those of the usage, stay separate. */
const paragraphLines = (paragraph: string): ReadonlyArray<string> =>
  /^( |Usage:|Použití:)/m.test(paragraph)
    ? paragraph.split("\n").flatMap((line) => wrapped(line, 9))
    : wrapped(paragraph.replaceAll("\n", " "))

const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => paragraphLines(paragraph).join("\n"))
    .join("\n\n")

/** The help of a command, in lines of at most 80 columns: what it does, its options, and further remarks. */
const helpText = (usage: string, { about, end }: About, options: Options): Text => {
  const helpIn = (language: Language): string =>
    [
      `${paragraphs(`${words[language].usage} effect-gopay ${usage}`)}\n`,
      `${paragraphs(about[language])}\n`,
      `${words[language].options}\n${optionLines(options, language).join("\n")}\n`,
      ...(end === undefined ? [] : [`${paragraphs(end[language])}\n`])
    ].join("\n")
  return { en: helpIn("en"), cs: helpIn("cs") }
}

interface About {
  /** What the command does. */
  readonly about: Text
  /** Further remarks, after the options. */
  readonly end?: Text
}

/** A command, with everything that its help, its parsing and its suggestions need. */
interface Declaration<O extends Options> extends About {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: Text
  readonly options: O
  /** How it is called, one line for each form, without the name of the program. The same in every language. */
  readonly usage: string
  /** The number of its arguments besides options. Default: none. */
  readonly takes?: number
  /** Whether it takes another command after `--`. */
  readonly takesCommand?: true
  readonly run: (
    values: Values<WithLanguage<O>>,
    given: ReadonlyArray<string>,
    context: {
      /** The language of texts, not of what programs read. */
      readonly language: Language
      /** The command after `--`. */
      readonly command: ReadonlyArray<string> | undefined
    }
  ) => Promise<void>
}

type WithLanguage<O extends Options> = O & { readonly lang: typeof lang }

/** Makes a command from its table of options. */
export const commandOf = <O extends Options>({
  about,
  end,
  name,
  options: own,
  run,
  summary,
  takes = 0,
  takesCommand,
  usage
}: Declaration<O>) => {
  const options: WithLanguage<O> = { ...own, lang }
  return {
    name,
    summary,
    options,
    help: helpText(usage, { about, ...(end === undefined ? {} : { end }) }, options),
    /** Runs it with the arguments after its name. */
    run: async (args: ReadonlyArray<string>): Promise<void> => {
      const end = takesCommand ? args.indexOf("--") : -1
      const given = end === -1 ? args : args.slice(0, end)
      try {
        const { positionals, values } = readArguments(options, given)
        const asked: unknown = ownMember<unknown>(values, "lang")
        if (typeof asked === "string" && !isLanguage(asked)) throw new WrongUsage((said) => said.wrongLanguage(asked))
        const surplus = positionals.slice(takes)
        if (surplus.length > 0) throw new WrongUsage((said) => said.surplus(surplus.join(" ")))
        const command = end === -1 ? undefined : args.slice(end + 1)
        await run(values, positionals, { language: languageOf(given), command })
      } catch (error) {
        if (!(error instanceof WrongUsage)) throw error
        throw new CommandFailure(2, (said) => `${error.said(said)}\n${said.tryHelp(`${name} `)}`)
      }
    }
  }
}

export const portOf = (text: string): number => {
  const port = Number(text)
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new WrongUsage((said) => said.port(text))
}

/** Wrong usage (status 2), or a command that cannot be carried out (status 1). Only its sentence is printed. */
export class CommandFailure extends Error {
  readonly status: 1 | 2
  readonly said: Said

  constructor(status: 1 | 2, said: Said) {
    super(said(words.en))
    this.status = status
    this.said = said
  }
}

/** Wrong usage of the command that runs: it becomes a failure that also says how to print the command's help. */
export class WrongUsage extends Error {
  readonly said: Said

  constructor(said: Said) {
    super(said(words.en))
    this.said = said
  }
}

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

/** The closest of some names; `undefined` if none is close. */
export const suggestion = (given: string, names: Iterable<string>): string | undefined =>
  [...names].find((name) => name.startsWith(given) || isAlmost(given, name))

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
  console.error(words[languageOf(process.argv.slice(2))].outputFailed(error.message))
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
        if (!isMissing) throw new CommandFailure(1, (said) => said.cannotLoad(one, String(error)))
      }
    }
  }
  return undefined
}
