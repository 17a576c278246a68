/**
 * The programs that the samples of the pages are parts of. A sample is contiguous text of an example; what it uses of that example and of
 * those that the example imports stands before it, so that what is copied from a page compiles as it is.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"

/** A program, and which of its lines, counted from 0, are the sample: from `first`, up to but without `end`. */
export interface WholeSample {
  readonly file: string
  readonly text: string
  readonly first: number
  readonly end: number
}

/** What stands at the top of a file, from its comment to its last line. */
interface Statement {
  readonly text: string
  readonly line: number
  readonly names: ReadonlyArray<string>
}

interface Import {
  /** As it is written between the braces: `name`, `type name` or `name as other`; or `* as name`, or a default's name. */
  readonly specifier: string
  readonly module: string
  readonly isNamed: boolean
}

interface Example {
  readonly file: string
  readonly lines: ReadonlyArray<string>
  readonly statements: ReadonlyArray<Statement>
  readonly imports: ReadonlyMap<string, Import>
}

const isImport = (text: string): boolean => /^import\b/m.test(text)

const declaredIn = (text: string): ReadonlyArray<string> => {
  const code = withoutComments(text).trimStart()
  const [, pattern] = /^(?:export )?(?:const|let) ([{[][^=]*[}\]]) =/.exec(code) ?? []
  if (pattern !== undefined) return Array.from(pattern.matchAll(/(\w+)\s*(?=[,}\]]|$)/g), ([name]) => name.trim())
  const declared =
    /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|namespace) (\w+)/
  const [, name] = declared.exec(code) ?? []
  return name === undefined ? [] : [name]
}

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(^|\s)\/\/ .*$/gm, "")

/** The names that a text may use: every word that is neither a member, nor a key, nor in quotes. */
export const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(
      withoutComments(text)
        .replaceAll(/"[^"\n]*"/g, '""')
        .matchAll(/(?:(?<=\.\.\.)|(?<![.\w$]))[A-Za-z_$][\w$]*(?!\??:)\b/g),
      ([word]) => word
    )
  )

const statementsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Statement> => {
  const found: Array<{ line: number; lines: Array<string> }> = []
  let isComment = false
  for (const [line, text] of lines.entries()) {
    const begins = /^[^\s})\]>*`]/.test(text)
    const last = found.at(-1)
    if (begins && !(isComment && last !== undefined)) found.push({ line, lines: [text] })
    else if (last !== undefined) last.lines.push(text)
    if (begins) isComment = /^\/[/*]/.test(text)
    else if (text === "") isComment = false
  }
  return found.map((one) => {
    const text = one.lines.join("\n").trimEnd()
    return { line: one.line, text, names: isImport(text) ? [] : declaredIn(text) }
  })
}

const importsIn = (text: string): ReadonlyMap<string, Import> => {
  const found = new Map<string, Import>()
  for (const [, type = "", clause = "", module = ""] of text.matchAll(/^import (type )?([^"]+?) from "([^"]+)"/gm)) {
    const [, first = "", named = ""] = /^([^{]*?),?\s*(?:\{([^]*)\})?$/.exec(clause) ?? []
    if (first !== "") found.set(first.replace("* as ", "").trim(), { specifier: first.trim(), module, isNamed: false })
    for (const one of named.split(",").map((part) => part.trim())) {
      if (one === "") continue
      const name = one.replace(/^type /, "").replace(/^.* as /, "")
      found.set(name, { specifier: `${type}${one}`, module, isNamed: true })
    }
  }
  return found
}

/** The names that a text declares at its top, or imports. */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...statementsOf(text.split("\n")).flatMap(({ names }) => names), ...importsIn(text).keys()])

/** The examples of a repository, by their paths. */
export const readExamples = (root: string): ReadonlyMap<string, Example> =>
  new Map(
    readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
      .map((name) => `examples/${name.replaceAll("\\", "/")}`)
      .filter((file) => file.endsWith(".ts") && !/node_modules|\/(?:recipes|engines)\/|\.d\.ts$/.test(file))
      .toSorted()
      .map((file) => {
        const text = readFileSync(join(root, file), "utf8")
        const lines = text.trimEnd().split("\n")
        return [file, { file, lines, statements: statementsOf(lines), imports: importsIn(text) }]
      })
  )

const importLine = (module: string, specifiers: ReadonlyArray<string>): string => {
  const line = `import { ${specifiers.join(", ")} } from "${module}"`
  return line.length <= 100 ? line : `import {\n${specifiers.map((one) => `  ${one}`).join(",\n")}\n} from "${module}"`
}

const importLines = (imports: ReadonlyMap<string, Import>): ReadonlyArray<string> => {
  const modules = new Map<string, Array<string>>()
  const lines: Array<{ readonly module: string; readonly line: string }> = []
  for (const { isNamed, module, specifier } of imports.values()) {
    if (!isNamed) lines.push({ module, line: `import ${specifier} from "${module}"` })
    else modules.set(module, [...(modules.get(module) ?? []), specifier])
  }
  for (const [module, specifiers] of modules) lines.push({ module, line: importLine(module, specifiers.toSorted()) })
  return lines.toSorted((a, b) => (a.module < b.module ? -1 : 1)).map(({ line }) => line)
}

/** Collects what a sample needs of its example, and of those that the example imports. */
class Needs {
  readonly imports = new Map<string, Import>()
  readonly statements = new Map<string, Set<Statement>>()
  /** Types of another example that this one has under a name of its own. */
  readonly aliases = new Set<string>()
  private readonly examples: ReadonlyMap<string, Example>

  constructor(examples: ReadonlyMap<string, Example>) {
    this.examples = examples
  }

  readonly add = (example: Example, text: string): void => {
    const here = this.statements.get(example.file) ?? new Set()
    this.statements.set(example.file, here)
    for (const word of wordsIn(text)) {
      const imported = example.imports.get(word)
      if (imported !== undefined) this.addImport(example, word, imported)
      for (const statement of example.statements) {
        // What is declared by `let` gets its value from a statement of its own, as in `beforeEach`.
        const assigns = statement.names.length === 0 && new RegExp(`(?<![.\\w])${word} = `).test(statement.text)
        const isLet = example.statements.some((one) => one.names.includes(word) && /^let /m.test(one.text))
        if (!statement.names.includes(word) && !(assigns && isLet)) continue
        if (here.has(statement)) continue
        here.add(statement)
        this.add(example, statement.text)
      }
    }
  }

  readonly addImport = (example: Example, name: string, imported: Import): void => {
    if (!imported.module.startsWith(".")) {
      const known = this.imports.get(name)
      // A value serves as a type as well.
      if (known === undefined || known.specifier.startsWith("type ")) this.imports.set(name, imported)
      return
    }
    const file = posix.join(posix.dirname(example.file), imported.module.replace(/\.js$/, ".ts"))
    const other = this.examples.get(file)
    if (other === undefined) {
      this.imports.set(name, imported)
      return
    }
    const [original = name] = imported.specifier.replace(/^type /, "").split(" as ")
    this.add(other, original)
    if (original !== name) this.aliases.add(`type ${name} = ${original}`)
  }
}

const linesOf = (text: string): ReadonlyArray<string> => text.trimEnd().split("\n")

const startIn = (example: Example, sample: ReadonlyArray<string>): number =>
  example.lines.findIndex((_, line) => sample.every((text, index) => example.lines[line + index] === text))

const wholeOf = (examples: ReadonlyMap<string, Example>, example: Example, code: string): WholeSample => {
  const sample = linesOf(code)
  const start = startIn(example, sample)
  const end = start + sample.length
  const isOverlapping = ({ line, text }: Statement): boolean =>
    line < end && line + linesOf(text).length > start && !isImport(text)
  const needs = new Needs(examples)
  const shown = example.statements.filter(isOverlapping)
  needs.statements.set(example.file, new Set(shown))
  for (const statement of shown) needs.add(example, statement.text)
  for (const name of importsIn(code).keys()) needs.imports.delete(name)
  const before = importLines(needs.imports).flatMap(linesOf)
  const put = (lines: ReadonlyArray<string>): void => {
    if (before.length > 0) before.push("")
    before.push(...lines)
  }
  for (const [file, statements] of needs.statements) {
    if (file === example.file) continue
    for (const statement of examples.get(file)?.statements ?? []) {
      if (statements.has(statement)) put(linesOf(statement.text))
    }
  }
  for (const alias of needs.aliases) put([alias])
  const own = needs.statements.get(example.file) ?? new Set()
  for (const statement of example.statements) {
    if (own.has(statement) && statement.line + linesOf(statement.text).length <= start) put(linesOf(statement.text))
  }
  const cut = shown.find(({ line }) => line < start)
  if (cut !== undefined) put(example.lines.slice(cut.line, start))
  else if (before.length > 0) before.push("")
  const after: Array<string> = []
  const last = shown.at(-1)
  if (last !== undefined) after.push(...example.lines.slice(end, last.line + linesOf(last.text).length))
  for (const statement of example.statements) {
    if (own.has(statement) && statement.line >= end) after.push("", ...linesOf(statement.text))
  }
  const text = `${[...before, ...sample, ...after].join("\n")}\n`
  return { file: example.file, text, first: before.length, end: before.length + sample.length }
}

/** The program that a sample is a part of: of the examples with its text, the one that takes the least. */
export const wholeSample = (examples: ReadonlyMap<string, Example>, code: string): WholeSample | undefined =>
  [...examples.values()]
    .filter((example) => startIn(example, linesOf(code)) >= 0)
    .map((example) => wholeOf(examples, example, code))
    .toSorted((a, b) => a.text.length - b.text.length)[0]

/** Whether a sample is a program by itself. */
export const isWhole = ({ end, first, text }: WholeSample): boolean => end - first === linesOf(text).length

/** What stands after the language of a block of TypeScript that was completed, for the page's folding. */
const marks = ({ end, file, first }: WholeSample): string => `sample="${first}-${end}" file="${file}"`

/** A page's blocks of TypeScript, each as a whole program. */
export const completed = (examples: ReadonlyMap<string, Example>, page: string): string =>
  page.replaceAll(/^```ts( [^\n]*)?\n([^]*?)^```$/gm, (block, _title, code) => {
    const whole = wholeSample(examples, code)
    return whole === undefined || isWhole(whole) ? block : `\`\`\`ts ${marks(whole)}\n${whole.text}\`\`\``
  })
