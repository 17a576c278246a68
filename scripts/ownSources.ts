/**
 * Source maps of bundles: our own modules, which are in the package. Those of others are not, so nothing points to
 * them.
 */
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"

interface SourceMap {
  readonly version: 3
  readonly sources: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  readonly mappings: string
}

/** The name that a map has where a function begins is the one that Node.js gives the function in a stack trace. */
const functionBegins = /^(?:async\b|function\b|\(|[\w$]+=>)/

/** A path below `src` may be that of another package, whose own map leads there. */
const isOurs = (source: string): boolean => {
  const path = /^(?:\.\.\/)+(src\/.*)$/.exec(source)?.[1]
  return path !== undefined && existsSync(join(root, path))
}

/** The map without other people's modules, and with names that Node.js can show in a stack trace. */
export const ownSources = (map: SourceMap, code: string): SourceMap => {
  const ours = map.sources.flatMap((source, index) => (isOurs(source) ? [index] : []))
  const newIndex = new Map(ours.map((index, position) => [index, position]))
  const lines = code.split("\n")

  const kept = (segments: ReadonlyArray<SourceMapSegment>, lineNumber: number): Array<SourceMapSegment> => {
    const line = lines[lineNumber] ?? ""
    const result: Array<SourceMapSegment> = []
    let outside = false
    let variable: number | undefined
    for (const [column, source, sourceLine, sourceColumn, name] of segments) {
      const index = source === undefined ? undefined : newIndex.get(source)
      if (index === undefined || sourceLine === undefined || sourceColumn === undefined) {
        if (!outside) result.push([column])
        outside = true
        continue
      }
      outside = false
      const ofFunction = line[column - 1] === "=" ? variable : undefined
      const shown = functionBegins.test(line.slice(column, column + 20)) ? ofFunction : name
      result.push(
        shown === undefined
          ? [column, index, sourceLine, sourceColumn]
          : [column, index, sourceLine, sourceColumn, shown]
      )
      variable = name
    }
    return result
  }

  const mappings = encode(decode(map.mappings).map(kept))
  return { version: 3, sources: ours.map((index) => map.sources[index] ?? ""), names: map.names, mappings }
}
