import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readJson } from "../../../src/local-gateway/books/JsonText.js"

/** Texts with a mark where they stop being JSON. */
const marked = [
  "¦",
  " \n ¦",
  "¦x",
  "¦-",
  "¦tru",
  "0¦1",
  "1 ¦2",
  "1¦,",
  '¦"a',
  '¦"\\x"',
  '"a" ¦"b"',
  "[¦",
  "[¦}",
  "[¦,1]",
  "[1¦",
  "[1¦}",
  "[1 ¦2]",
  "[1,¦]",
  "[1,¦}",
  "[]¦]",
  "[] ¦1",
  "[[]¦}",
  "[[],¦]",
  "[[1], [2], ¦",
  "{¦",
  "{¦]",
  "{¦1:2}",
  '{"a"¦}',
  '{"a" ¦1}',
  '{"a":¦}',
  '{"a":¦,"b":1}',
  '{"a":1¦',
  '{"a":1¦]',
  '{"a":1 ¦"b":2}',
  '{"a":1,¦}',
  '{"a":1,¦2}',
  "{}¦}",
  "{} ¦1",
  "[{}¦}",
  '[{},{"a":{}}¦}',
  '{"a":[]¦]',
  '{"a":{"b":[1,{}]}, ¦c}',
  '{"a":{"b":"c"},"d":[true,false,null,-1.5e+3,"\\u00e1\\n"],¦}',
  '{\n  "payments": [\n    { "amount": 1 },\n    ¦]\n}',
  '{\r\n\t"a": 1\r\n\t¦"b": 2\r\n}'
]

describe("the place where a text stops being JSON", () => {
  it.each(marked)("%j", (text) => {
    const place = text.indexOf("¦")
    const before = text.slice(0, place)
    const line = before.split("\n").length
    const column = place - before.lastIndexOf("\n")
    expect(Result.flip(readJson(text.replace("¦", "")))).toEqual(Result.succeed({ line, column }))
  })

  it("is nowhere in JSON", () => {
    const text = ' {"a": [1, {"b": {}}, [], "\\"]"], "c": null}\n'
    expect(readJson(text)).toEqual(Result.succeed(JSON.parse(text)))
  })
})
