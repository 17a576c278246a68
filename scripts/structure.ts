/**
 * The structure of the sources as a committed text, so that a change of it is visible in a review: which room imports
 * names from which, and the settings, commands and flags that users have. It does not say how many names, since every
 * merge would change that.
 */
import { readdirSync } from "node:fs"
import { join, posix } from "node:path"
import { API } from "typescript/unstable/sync"
import { isExportDeclaration, isImportDeclaration, isStringLiteral, type Statement } from "typescript/unstable/ast"
import { commands } from "../src/command-line/commands.js"
import { settingGroups } from "../src/local-gateway/books/LocalGatewaySettings.js"
import { roomOf } from "./rooms.js"
import { root } from "./root.js"

/** The file of the report. */
export const structureFile = "test/scripts/structure.md"

/** The module that a statement imports names from, as written. */
const sourceOf = (statement: Statement): string | undefined => {
  if (!isImportDeclaration(statement) && !isExportDeclaration(statement)) return undefined
  const { moduleSpecifier } = statement
  return moduleSpecifier !== undefined && isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined
}

/** Which room imports names from which other one, without modules that are loaded later. */
const arrows = (): ReadonlySet<string> => {
  const modules = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => posix.join("src", path.replaceAll("\\", "/")))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
  const found = new Set<string>()
  const api = new API({ cwd: root })
  try {
    const first = join(root, "src/index.ts")
    const program = api.updateSnapshot({ openFiles: [first] }).getDefaultProjectForFile(first)?.program
    for (const path of modules) {
      const source = program?.getSourceFile(join(root, path))
      if (source === undefined) throw new Error(`${path} is not compiled by tsconfig.json`)
      for (const statement of source.statements) {
        const specifier = sourceOf(statement)
        if (specifier?.startsWith(".") !== true) continue
        const module = posix.join(posix.dirname(path), specifier.replace(/\.js$/, ".ts"))
        const [from, to] = [roomOf(path)?.path, roomOf(module)?.path]
        if (from !== undefined && to !== undefined && from !== to) found.add(`${from} -> ${to}`)
      }
    }
  } finally {
    api.close()
  }
  return found
}

const listed = (lines: Iterable<string>): string => Array.from(lines, (line) => `- ${line}\n`).join("")

/** The report, with one line for each fact, so that two changes rarely conflict. */
export const structureReport = (): string => {
  const settings = Object.values(settingGroups).flatMap(Object.keys).toSorted()
  const flags = commands.flatMap(({ name, options }) => [
    `\`${name}\``,
    ...Object.keys(options)
      .toSorted()
      .map((option) => `\`${name} --${option}\``)
  ])
  return `# Structure

Written by \`npm run architecture\`. What each entry exports, with every option, stands in the reports of \`test/package/api\`.

## Rooms that take names from another room

${listed(Array.from(arrows()).toSorted())}
## Settings of the local gateway

${listed(settings)}
## Commands and their flags

${listed(flags)}`
}
