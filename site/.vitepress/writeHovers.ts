/**
 * Writes what each name in a sample is: its type and the beginning of its documentation, in a file for each sample, which the page asks
 * for when a reader points at the sample.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { hoversId, type Hovers } from "./hovers.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
const content = join(root, "site/content")

/** The samples of every page but those of the reference, which has types and documentation itself. By the paths of programs in memory. */
const samples = new Map(
  readdirSync(content, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("reference"))
    .flatMap((name) => [
      ...readFileSync(join(content, name), "utf8").matchAll(/^```(tsx?)(?: [^\n]*)?\n([^]*?)^```$/gm)
    ])
    .map(([, language = "ts", code = ""]) => {
      const text = code.trimEnd()
      return [join(root, `node_modules/.cache/hovers/${hoversId(text)}.${language}`), text] as const
    })
)

const config = join(root, "test/tsconfig.json")
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
  ts.sys,
  join(config, "..")
)
const files = [...samples.keys(), join(root, "examples/platforms.d.ts")]

const service = ts.createLanguageService({
  getCompilationSettings: () => ({ ...options, rootDir: root, jsx: ts.JsxEmit.Preserve }),
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => {
    const text = samples.get(file) ?? ts.sys.readFile(file)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  fileExists: (file) => samples.has(file) || ts.sys.fileExists(file),
  readFile: (file) => samples.get(file) ?? ts.sys.readFile(file),
  directoryExists: (folder) => ts.sys.directoryExists(folder),
  getDirectories: (folder) => ts.sys.getDirectories(folder)
})

const identifiersIn = (node: ts.Node): ReadonlyArray<ts.Identifier> => {
  const found: Array<ts.Identifier> = []
  const walk = (one: ts.Node): void => {
    if (ts.isIdentifier(one)) found.push(one)
    ts.forEachChild(one, walk)
  }
  walk(node)
  return found
}

/** The type as an editor shows it, without how the name came into the file. */
const typeIn = (info: ts.QuickInfo): string =>
  ts
    .displayPartsToString(info.displayParts)
    .replace(/^\(alias\) /, "")
    .replace(/\n(?:import|namespace) [^\n]*$/, "")

/** The first paragraph, without the marks of links. */
const docIn = (info: ts.QuickInfo): string => {
  const [paragraph = ""] = ts
    .displayPartsToString(info.documentation)
    .trim()
    .split(/\n\s*\n/)
  return paragraph.replaceAll(/\{@link(?:code|plain)? ([^}|\s]+)[^}]*\}/g, "`$1`").replaceAll(/\s+/g, " ")
}

const program = service.getProgram()
const hovers = join(content, "public/hovers")
mkdirSync(hovers, { recursive: true })
for (const [file, text] of samples) {
  const source = program?.getSourceFile(file)
  if (source === undefined) continue
  const isIncomplete = service.getSemanticDiagnostics(file).length > 0
  const texts = new Map<string, number>()
  const names = identifiersIn(source).flatMap((name) => {
    const info = service.getQuickInfoAtPosition(file, name.getStart(source))
    if (info === undefined) return []
    const type = typeIn(info)
    // What comes from elsewhere, such as another file of a recipe, has no type here, nor has what is made of it.
    if (/^(?:import|module) |^any$/.test(type) || (isIncomplete && /\bany\b/.test(type))) return []
    const entry = JSON.stringify([type, docIn(info)])
    const index = texts.get(entry) ?? texts.size
    texts.set(entry, index)
    return [[name.getStart(source), name.text.length, index] as const]
  })
  if (names.length === 0) continue
  const found: Hovers = { names, texts: [...texts.keys()].map((entry) => JSON.parse(entry)) }
  writeFileSync(join(hovers, `${hoversId(text)}.json`), JSON.stringify(found))
}
