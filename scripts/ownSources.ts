/**
 * Source maps of bundles: our own modules with their text, which the package does not hold elsewhere, their lines, and the
 * names that stack traces show. Modules of others are left out, and so are columns, which would be most of a map.
 */
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"

export interface SourceMap {
  readonly version: 3
  readonly sources: ReadonlyArray<string>
  readonly sourcesContent?: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  readonly mappings: string
}

/** Where a function begins: Node.js gives it the name that a map has there. */
const functionBegins = /^(?:async\b|function\b|\(|[\w$]+=>)/

/** The file of one of our modules. A path below `src` may also be that of another package, whose own map leads there. */
const ourModule = (source: string): string | undefined => {
  const path = /^(?:\.\.\/)+(src\/.*)$/.exec(source)?.[1]
  return path !== undefined && existsSync(join(root, path)) ? join(root, path) : undefined
}

/** Where a function is called: its name, when the map has none where it begins. */
const functionCalled = /^[\w$]+\(/

/** The map without other people's modules, with a segment for each line and for each name that Node.js shows. */
export const ownSources = (map: SourceMap, code: string): SourceMap => {
  const lines = code.split("\n")
  const sources = new Map<number, number>()
  const names = new Map<string, number>()
  const indexIn = <Key>(found: Map<Key, number>, key: Key): number => {
    const index = found.get(key) ?? found.size
    found.set(key, index)
    return index
  }
  const ours = new Set(map.sources.flatMap((source, index) => (ourModule(source) === undefined ? [] : [index])))

  const own = (segments: ReadonlyArray<SourceMapSegment>, lineNumber: number): Array<SourceMapSegment> => {
    const line = lines[lineNumber] ?? ""
    const result: Array<SourceMapSegment> = []
    let position: string | undefined
    let variable: number | undefined
    for (const [column, source, sourceLine, sourceColumn, name] of segments) {
      if (source === undefined || sourceLine === undefined || sourceColumn === undefined || !ours.has(source)) {
        if (position !== "outside") result.push([column])
        position = "outside"
        continue
      }
      const after = line.slice(column, column + 40)
      const ofFunction = line[column - 1] === "=" ? variable : undefined
      const shown = functionBegins.test(after) ? ofFunction : functionCalled.test(after) ? name : undefined
      const text = shown === undefined ? undefined : map.names[shown]
      const index = indexIn(sources, source)
      if (text !== undefined) result.push([column, index, sourceLine, sourceColumn, indexIn(names, text)])
      else if (position !== `${source}:${sourceLine}`) result.push([column, index, sourceLine, sourceColumn])
      position = `${source}:${sourceLine}`
      variable = name
    }
    return result
  }

  const mappings = encode(decode(map.mappings).map(own))
  const kept = Array.from(sources.keys(), (source) => map.sources[source] ?? "")
  return {
    version: 3,
    sources: kept,
    sourcesContent: kept.map((source) => readFileSync(ourModule(source) ?? source, "utf8")),
    names: [...names.keys()],
    mappings
  }
}
