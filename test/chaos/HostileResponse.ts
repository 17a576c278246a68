/**
 * Answers that no gateway should give, generated from a seed.
 */

/** Numbers that only the seed decides. */
export interface Dice {
  /** From 0 to below `n`. */
  readonly below: (n: number) => number
  readonly pick: <A>(first: A, ...others: ReadonlyArray<A>) => A
}

/** Well mixed by multiplications with odd constants (as in MurmurHash's finisher): good enough to generate tests. */
export const dice = (seed: number): Dice => {
  let state = seed
  const below = (n: number): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) % n
  }
  return { below, pick: (first, ...others) => [first, ...others][below(others.length + 1)] ?? first }
}

/** Deeper than any function may call itself. */
const depth = 20_000

/** JSON texts that a value may be replaced with. */
const values = {
  absent: "null",
  truth: "true",
  "another number": "7",
  "a negative number": "-1",
  "a fraction": "0.1",
  "a number beyond 2^53": "9007199254740993",
  "a number beyond all": "1e400",
  "many digits": "9".repeat(400),
  text: `"text"`,
  "empty text": `""`,
  "half a surrogate pair": `"\\ud800"`,
  "a zero byte": `"\\u0000"`,
  "a number as text": `"3000006542"`,
  "a date": `"2026-13-45T99:99:99"`,
  "long text": JSON.stringify("a@".repeat(5_000)),
  "an empty array": "[]",
  "an array of nulls": `[${"null,".repeat(1_000)}null]`,
  "an empty object": "{}",
  "an object": `{"id":1,"state":"PAID"}`,
  "a prototype": `{"__proto__":{"polluted":true,"id":1},"toString":1,"hasOwnProperty":0,"valueOf":null}`,
  "a constructor": `{"constructor":{"prototype":{"polluted":true}}}`,
  "deep arrays": "[".repeat(20) + "]".repeat(20),
  "an error": `[{"error_code":303,"message":"No."}]`
} satisfies { readonly [kind: string]: string }

/** JSON texts that take long: rare where answers are generated. */
export const large = {
  "very deep arrays": "[".repeat(depth) + "]".repeat(depth),
  "very deep objects": `{"a":`.repeat(depth) + "1" + "}".repeat(depth),
  "arrays that never end": "[".repeat(depth),
  "many members": `{${Array.from({ length: 5_000 }, (_, index) => `"m${index}":{"label":{"cs":"x"}}`).join()}}`,
  "many errors": `[${`{"error_code":303,"message":"${"m ".repeat(25)}"},`.repeat(3_000)}{"error_code":1}]`
} satisfies { readonly [kind: string]: string }

const members: ReadonlyArray<string> = [
  `"__proto__":{"polluted":true}`,
  `"constructor":{"prototype":{"polluted":true}}`,
  `"prototype":1`,
  `"id":1,"id":2`,
  `"state":"PAID","state":null`,
  `"errors":[{"error_code":303}]`,
  `"errors":null`,
  `"errors":{"length":1}`,
  `"error_code":304`,
  `"result":"FAILED"`,
  `"toJSON":1`,
  `"then":1`,
  `"\\ud800":1`,
  `"":""`
]

/** The spans of the values in a JSON text. */
const spans = (json: string): ReadonlyArray<readonly [start: number, end: number]> =>
  Array.from(json.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.eE+-]*|true|false|null/g), (match) => [
    match.index,
    match.index + match[0].length
  ])

const replaceValue = (json: string, { below, pick }: Dice, by: string): string => {
  const found = spans(json)
  const [start, end] = found[below(Math.max(1, found.length))] ?? [0, json.length]
  return pick(json.slice(0, start) + by + json.slice(end), pick(by, `{"errors":${by}}`, `[${by}]`))
}

const insertMember = (json: string, { below, pick }: Dice): string => {
  const objects = Array.from(json.matchAll(/\{/g), ({ index }) => index + 1)
  const at = objects[below(Math.max(1, objects.length))] ?? 0
  const [first = "", ...others] = members
  const comma = json[at] === "}" ? "" : ","
  return json.slice(0, at) + pick(first, ...others) + comma + json.slice(at)
}

const damage = (json: string, { below, pick }: Dice): Uint8Array => {
  const bytes = Buffer.from(json)
  const at = below(bytes.length + 1)
  const length = below(8)
  return pick(
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256), below(256)]), bytes.subarray(at + length)]),
    () => Buffer.concat([bytes, bytes.subarray(at)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.from(json, "utf16le"),
    () => Uint8Array.from({ length: below(200) }, () => below(256)),
    () => Buffer.from(`<!doctype html>${json}`)
  )()
}

/** Spoils a correct body in a random way. */
export const hostileBody = (right: string, random: Dice): Uint8Array => {
  const [first = "", ...others] = Object.values(values)
  const [firstLarge = "", ...othersLarge] = Object.values(large)
  if (random.below(200) === 0) return Buffer.from(replaceValue(right, random, random.pick(firstLarge, ...othersLarge)))
  let json = right
  for (let times = random.below(4); times >= 0; times--) {
    json =
      random.below(3) === 0 ? insertMember(json, random) : replaceValue(json, random, random.pick(first, ...others))
  }
  return random.below(4) === 0 ? damage(json, random) : Buffer.from(json)
}

/** Mostly a success, since there the body counts most. */
export const hostileStatus = ({ below, pick }: Dice): number =>
  below(2) === 0
    ? 200
    : pick(201, 204, 206, 299, 300, 302, 304, 400, 401, 403, 404, 408, 409, 413, 418, 429, 431, 500, 503, 599)

export const hostileHeaders = ({ pick }: Dice): Record<string, string> => ({
  "content-type": pick("application/json", "text/html", "application/octet-stream", "text/csv; charset=none", ";;;"),
  "retry-after": pick(
    "1",
    "-1",
    "9".repeat(400),
    "1e9",
    "Thu, 01 Jan 1970 00:00:20 GMT",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "GMT"
  ),
  "content-disposition": pick("", `attachment; filename="../../etc/passwd"`, "\u00e9".repeat(1_000))
})
