/**
 * Strings that stand whole on their lines. A limit of the lines' length breaks them with a backslash, and bundlers that
 * indent lines, as rollup does in CommonJS, would put the indentation into the strings.
 */
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec"

/** Code and the mappings of its source map, with the lines joined on which a string goes on. */
export const withWholeStrings = (code: string, mappings = ""): { readonly code: string; readonly mappings: string } => {
  const segments = decode(mappings)
  const lines: Array<string> = []
  const joined: Array<Array<SourceMapSegment>> = []
  let begun: string | undefined
  for (const [index, line] of code.split("\n").entries()) {
    const offset = begun?.length ?? 0
    if (begun === undefined) joined.push([])
    for (const segment of segments[index] ?? []) {
      segment[0] += offset
      joined.at(-1)?.push(segment)
    }
    const whole = (begun ?? "") + line
    // Two backslashes are one of the text.
    const isBroken = /(?<!\\)(?:\\\\)*\\$/.test(line)
    begun = isBroken ? whole.slice(0, -1) : undefined
    if (!isBroken) lines.push(whole)
  }
  return { code: lines.join("\n"), mappings: encode(joined) }
}
