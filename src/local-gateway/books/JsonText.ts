/**
 * Parses JSON that was typed by hand: an error has its line and column.
 */
import * as Result from "effect/Result"

/** The position of the first error. Lines and columns are counted from 1. */
export interface JsonError {
  readonly line: number
  readonly column: number
}

/**
 * Parses JSON. The platform's own message is not used, since it may repeat the text, and does not always say where the
 * error is.
 */
export const readJson = (text: string): Result.Result<unknown, JsonError> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: () => {
      const before = text.slice(0, errorIn(text)).split("\n")
      return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
    }
  })

const space = /[\t\n\r ]*/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const string = /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy

/** The end of the token that begins at `index`; `undefined` if there is none. */
const endOf = (token: RegExp, text: string, index: number): number | undefined => {
  token.lastIndex = index
  return token.test(text) ? token.lastIndex : undefined
}

/** The first position at which a text cannot be JSON. */
const errorIn = (text: string): number => {
  /** The brackets that are open. */
  const open: Array<"}" | "]"> = []
  let expected: "value" | "valueOrEnd" | "name" | "nameOrEnd" | "colon" | "commaOrEnd" = "value"
  let index = 0
  for (;;) {
    index = endOf(space, text, index) ?? index
    const character = text[index]
    const close = open.at(-1)
    switch (expected) {
      case "value":
      case "valueOrEnd": {
        if (character === "{" || character === "[") {
          open.push(character === "{" ? "}" : "]")
          expected = character === "{" ? "nameOrEnd" : "valueOrEnd"
          index++
        } else if (expected === "valueOrEnd" && character === "]") {
          open.pop()
          expected = "commaOrEnd"
          index++
        } else {
          const end = endOf(scalar, text, index) ?? endOf(string, text, index)
          if (end === undefined) return index
          expected = "commaOrEnd"
          index = end
        }
        break
      }
      case "name":
      case "nameOrEnd": {
        const end = endOf(string, text, index)
        if (end !== undefined) {
          expected = "colon"
          index = end
        } else if (expected === "nameOrEnd" && character === "}") {
          open.pop()
          expected = "commaOrEnd"
          index++
        } else return index
        break
      }
      case "colon":
        if (character !== ":") return index
        expected = "value"
        index++
        break
      case "commaOrEnd":
        if (close !== undefined && character === close) open.pop()
        else if (close !== undefined && character === ",") expected = close === "}" ? "name" : "value"
        else return index
        index++
        break
    }
  }
}
