/**
 * No name that may come from outside is looked up in an object that also answers to what every object inherits, such as
 * `constructor`.
 *
 * The linter has no rule for it, and only the type of the name shows it. TypeScript's own checker knows it, and asking
 * it about all of `src` takes a second: each `object[name]` and `name in object` is found of which the name may be any
 * text, where a number, a symbol or one of a few literals is none. Instead use `ownMember`, a `Map`, a `Set`, or ask
 * `Object.hasOwn(object, name)` in the same statement.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import { isBinaryExpression, isElementAccessExpression, type Node, SyntaxKind } from "typescript/unstable/ast"
import { API, type Type, TypeFlags } from "typescript/unstable/sync"
import { describe, expect, it } from "vitest"
import { root } from "../../scripts/root.js"

/** A lookup by a name, and all that is said around it, up to its function or statement. */
interface Lookup {
  readonly text: string
  readonly name: Node
  readonly guard: string
  readonly around: string
}

const lookupsIn = (file: Node & { readonly text: string }): ReadonlyArray<Lookup> => {
  const lookups: Array<Lookup> = []
  const textOf = (node: Node): string => file.text.slice(node.pos, node.end).trim()
  const visit = (node: Node, around: string): void => {
    if (isElementAccessExpression(node)) {
      const { argumentExpression: name, expression } = node
      lookups.push({ text: textOf(node), name, guard: guardOf(textOf(expression), textOf(name)), around })
    }
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
      const { left: name, right } = node
      lookups.push({ text: textOf(node), name, guard: guardOf(textOf(right), textOf(name)), around })
    }
    node.forEachChild((child) => visit(child, isStatement(child) ? textOf(child) : around))
  }
  visit(file, "")
  return lookups
}

const guardOf = (object: string, name: string): string => `Object.hasOwn(${object}, ${name})`

const isStatement = ({ kind }: Node): boolean =>
  kind === SyntaxKind.VariableStatement ||
  kind === SyntaxKind.ExpressionStatement ||
  kind === SyntaxKind.IfStatement ||
  kind === SyntaxKind.ReturnStatement

const mayBeAnyText = (type: Type | undefined): boolean => {
  if (type === undefined) return true
  if (type.isUnionType() || type.isIntersectionType()) return type.getTypes().some(mayBeAnyText)
  return (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.String | TypeFlags.TemplateLiteral)) !== 0
}

/** The lookups by any text in the TypeScript project of a folder, except guarded ones. */
const lookupsByAnyText = (folder: string, source: string): ReadonlyArray<string> => {
  const api = new API({ cwd: folder })
  try {
    const config = join(folder, "tsconfig.json")
    const project = api.updateSnapshot({ openProject: config }).getProject(config)
    if (project === undefined) throw new Error(`No project in ${folder}.`)
    const { checker, program } = project
    const names = program.getSourceFileNames().filter((name) => name.startsWith(join(folder, source) + sep))
    if (names.length === 0) throw new Error(`No module in ${folder}.`)
    return names.flatMap((name) => {
      const file = program.getSourceFile(name)
      const lookups = file === undefined ? [] : lookupsIn(file)
      const types = checker.getTypeAtLocation(lookups.map((lookup) => lookup.name))
      return lookups
        .filter(({ around, guard }, index) => mayBeAnyText(types[index]) && !around.includes(guard))
        .map(({ text }) => `${relative(folder, name)}: ${text}`)
    })
  } finally {
    api.close()
  }
}

describe("a name that may be any text", () => {
  it("is looked up in no object of the source that inherits anything", () => {
    expect(lookupsByAnyText(root, "src")).toEqual([])
  })

  it("would be found", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "foreign-names-")))
    const code = `
      const table: { readonly [name: string]: number } = { a: 1 }
      type Known = "a" | "b"
      export const wrong = (name: string, code: Known | (string & {}), numbers: number[]) =>
        [table[name], table[code], table[\`x\${name}\`], name in table, numbers[name as never]]
      export const right = (name: string, known: Known, numbers: number[], index: number) =>
        [Object.hasOwn(table, name) ? table[name] : 0, table[known], table["a"], numbers[index], "a" in table]
      export const guardedElsewhere = (name: string) => {
        const isKnown = Object.hasOwn(table, name)
        return isKnown ? table[name] : undefined
      }`
    try {
      writeFileSync(join(folder, "tsconfig.json"), `{ "compilerOptions": { "strict": true, "types": [] } }`)
      writeFileSync(join(folder, "Table.ts"), code)
      expect(lookupsByAnyText(folder, "")).toEqual([
        "Table.ts: table[name]",
        "Table.ts: table[code]",
        "Table.ts: table[`x${name}`]",
        "Table.ts: name in table",
        "Table.ts: table[name]"
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
