/**
 * The structure of the sources as a text that is committed, so that a change of it shows in a review: which room takes how many
 * names from which, and the settings, options and commands that a user can give.
 */
import { readdirSync } from "node:fs"
import { join, posix } from "node:path"
import { API } from "typescript/unstable/sync"
import {
  isIdentifier,
  isImportDeclaration,
  isNamedImports,
  isNamespaceImport,
  isPropertyAccessExpression,
  isQualifiedName,
  isStringLiteral,
  type ImportDeclaration,
  type Node,
  type SourceFile
} from "typescript/unstable/ast"
import { commands } from "../src/command-line/commands.js"
import { settingGroups } from "../src/local-gateway/books/LocalGatewaySettings.js"
import { roomOf } from "./rooms.js"
import { root } from "./root.js"

/** Where the report lies. */
export const structureFile = "test/scripts/structure.md"

/** The members of a namespace that a module names. */
const membersNamed = (source: SourceFile, namespace: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  const visit = (node: Node): void => {
    if (isPropertyAccessExpression(node) && isIdentifier(node.expression) && node.expression.text === namespace) {
      found.add(node.name.text)
    }
    if (isQualifiedName(node) && isIdentifier(node.left) && node.left.text === namespace) found.add(node.right.text)
    node.forEachChild(visit)
  }
  visit(source)
  return [...found]
}

const importedNames = (source: SourceFile, { importClause }: ImportDeclaration): ReadonlyArray<string> => {
  const bindings = importClause?.namedBindings
  const named =
    bindings === undefined
      ? []
      : isNamedImports(bindings)
        ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
        : isNamespaceImport(bindings)
          ? membersNamed(source, bindings.name.text)
          : []
  return [...(importClause?.name === undefined ? [] : ["default"]), ...named]
}

/** The names that each room imports from each other room, by the two rooms. What is exported on or loaded later is left out. */
const arrows = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const modules = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => posix.join("src", path.replaceAll("\\", "/")))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
  const found = new Map<string, Set<string>>()
  const api = new API({ cwd: root })
  try {
    const first = join(root, "src/index.ts")
    const program = api.updateSnapshot({ openFiles: [first] }).getDefaultProjectForFile(first)?.program
    for (const path of modules) {
      const source = program?.getSourceFile(join(root, path))
      if (source === undefined) throw new Error(`${path} is not compiled by tsconfig.json`)
      for (const statement of source.statements) {
        if (!isImportDeclaration(statement) || !isStringLiteral(statement.moduleSpecifier)) continue
        const specifier = statement.moduleSpecifier.text
        if (!specifier.startsWith(".")) continue
        const module = posix.join(posix.dirname(path), specifier)
        const [from, to] = [roomOf(path)?.path, roomOf(module.replace(/\.js$/, ".ts"))?.path]
        if (from === undefined || to === undefined || from === to) continue
        const names = found.get(`${from} -> ${to}`) ?? new Set()
        found.set(`${from} -> ${to}`, names)
        for (const name of importedNames(source, statement)) names.add(`${module} ${name}`)
      }
    }
  } finally {
    api.close()
  }
  return found
}

const listed = (lines: Iterable<string>): string => Array.from(lines, (line) => `- ${line}\n`).join("")

/** The report. */
export const structureReport = (): string => {
  const crossing = Array.from(arrows(), ([arrow, names]) => `${arrow}: ${names.size}`).toSorted()
  const settings = Object.entries(settingGroups).map(([group, table]) => `${group}: ${Object.keys(table).join(", ")}`)
  const flags = commands.map(({ name, options }) =>
    [`\`${name}\``, ...Object.keys(options).map((option) => `--${option}`)].join(" ")
  )
  return `# Structure

Written by \`npm run architecture\`. What each entry exports, with every option, stands in the reports of \`test/package/api\`.

## Names that cross from one room to another

${listed(crossing)}
## Settings of the local gateway

${listed(settings)}
## Commands and their flags

${listed(flags)}`
}
