/**
 * Redacts texts from the gateway, or from a proxy in front of it, for errors and logs.
 */
import { ErrorCodes } from "../../contract/CodeLists.js"
import { isName } from "../../basics/InvalidFields.js"

/** Replaces what is taken out. */
export const mark = "<redacted>"

const maxShown = 300

/** The part of a text that may be shown, and the longer part in which matches that begin there are searched for. */
const maxRead = 1_000
const maxQueued = 3_000

/** If there are more secrets than this, they are not searched for, and nothing of a text is shown. */
const maxSecrets = 1_000

/** How many characters are searched in all, counted again for each secret. Nothing of the text after that is shown. */
const maxSearched = 10_000_000

/** For a longer secret, its parts are searched for as well, since it may be repeated in a shortened form. */
const longSecret = 100
const partLength = 50

/**
 * Makes the function that removes secrets from a text, and whatever looks like a token, an e-mail address, or the
 * number of a card or account, and shortens the rest. A secret is also found where it is percent-encoded, escaped as in
 * JSON or HTML, up to three times over, in other Unicode forms, letters without their accents, in other cases, and with
 * other spaces and punctuation; and so is its beginning or its end. A word with letters that are neither English, Czech
 * nor Slovak is left out, since it may be anything in a wrong encoding.
 *
 * Its time is bounded for all texts: only the start of each is read, and no more of them than can be searched in about
 * a second. `secrets` is called only if there is a text.
 */
export const redactor = (secrets: () => ReadonlyArray<string>): ((text: string) => string) => {
  let wanted: ReadonlyArray<Wanted> | undefined
  let searched = 0
  return (text) => {
    wanted ??= wantedOf(secrets())
    searched += Math.min(text.length, maxQueued) * (1 + wanted.length)
    if (wanted.length > maxSecrets || searched > maxSearched) return text === "" ? "" : mark
    const levels = decodings(asIs(text.slice(0, maxQueued)))
    const known = wanted
    const found = levels.flatMap((level) => [
      ...patternsIn(level),
      ...secretsIn(level, known),
      ...partsIn(level, known),
      ...strangeWordsIn(level)
    ])
    return withoutRanges(text.slice(0, maxRead), found).slice(0, maxShown)
  }
}

/**
 * The texts of a message that was sent, except the names of members: a gateway that repeats them may repeat something
 * personal. Numbers, codes and the order's number stay, where the API has them, since no error could be understood
 * without them.
 */
export const sentTexts = (sent: unknown): ReadonlyArray<string> => {
  const names = new Set<string>()
  const texts = new Set<string>()
  const read = (value: unknown, member: string | undefined): void => {
    if (typeof value === "string") {
      if (member === undefined || !isPublic(member, value)) texts.add(value)
    } else if (Array.isArray(value)) {
      for (const element of value) read(element, member)
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (isName(name)) names.add(name)
        else texts.add(name)
        read(inner, name)
      }
    }
  }
  read(sent, undefined)
  return [...texts].filter((text) => !names.has(text))
}

const isPublic = (member: string, text: string): boolean =>
  member === "order_number" || (codeMembers.has(member) && /^[\w-]{1,40}$/.test(text))

/** The members of requests that contain codes and days. */
const codeMembers: ReadonlySet<string> = new Set([
  "allowed_bnpl_types",
  "allowed_payment_instruments",
  "allowed_swifts",
  "country",
  "country_code",
  "currency",
  "date_from",
  "date_to",
  "default_bnpl_type",
  "default_payment_instrument",
  "default_swift",
  "format",
  "grant_type",
  "lang",
  "recurrence_cycle",
  "recurrence_date_to",
  "scope",
  "type"
])

interface Range {
  readonly start: number
  readonly end: number
}

const withoutRanges = (text: string, ranges: ReadonlyArray<Range>): string => {
  let redacted = ""
  let end = 0
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    if (range.start >= text.length) break
    // Adjacent and overlapping matches share one mark.
    if (range.start > end || redacted === "") redacted += text.slice(end, range.start) + mark
    end = Math.max(end, range.end)
  }
  return redacted + text.slice(end)
}

// ---------------------------------------------------------------------------------------------------------------------
// A text in other forms
// ---------------------------------------------------------------------------------------------------------------------

/** A form of a text that maps each of its UTF-16 units to a position in the original. */
interface Form {
  readonly text: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

const asIs = (text: string): Form => {
  const starts = Array.from({ length: text.length }, (_, index) => index)
  return { text, starts, ends: starts.map((start) => start + 1) }
}

/** Replaces each match of a pattern; the replacement maps to the position of the match. */
const replaced = ({ ends, starts, text }: Form, pattern: RegExp, replace: (match: string) => string): Form => {
  let replacedText = ""
  const replacedStarts: Array<number> = []
  const replacedEnds: Array<number> = []
  const add = (part: string, start: (offset: number) => number, end: (offset: number) => number): void => {
    replacedText += part
    for (let offset = 0; offset < part.length; offset++) {
      replacedStarts.push(start(offset))
      replacedEnds.push(end(offset))
    }
  }
  let next = 0
  const keep = (until: number): void => {
    const from = next
    add(
      text.slice(from, until),
      (offset) => starts[from + offset] ?? 0,
      (offset) => ends[from + offset] ?? 0
    )
  }
  for (const { 0: match, index } of text.matchAll(pattern)) {
    keep(index)
    next = index + match.length
    const start = starts[index] ?? 0
    const end = ends[next - 1] ?? 0
    add(
      replace(match),
      () => start,
      () => end
    )
  }
  keep(text.length)
  return { text: replacedText, starts: replacedStarts, ends: replacedEnds }
}

const rangeIn = ({ ends, starts }: Form, index: number, length: number): Range => ({
  start: starts[index] ?? 0,
  end: ends[index + length - 1] ?? 0
})

/** The text itself, and decoded once, twice and three times. */
const decodings = (form: Form): ReadonlyArray<Form> => {
  const forms = [form]
  while (forms.length <= 3) {
    const last = forms[forms.length - 1] ?? form
    const decoded = replaced(last, encoded, decode)
    if (decoded.text === last.text) break
    forms.push(decoded)
  }
  return forms
}

const encoded = /(?:%[\da-fA-F]{2})+|(?:\\u[\da-fA-F]{4})+|\\[^u]|&#?[\da-zA-Z]{1,10};/g

const decode = (match: string): string => {
  if (match.startsWith("%")) return percentDecoded(match)
  if (match.startsWith("\\u")) {
    return String.fromCharCode(
      ...match
        .split("\\u")
        .slice(1)
        .map((digits) => Number.parseInt(digits, 16))
    )
  }
  return match.startsWith("\\") ? (controls.get(match) ?? match.slice(1)) : (entity(match.slice(1, -1)) ?? match)
}

const controls = new Map(["\\b", "\\f", "\\n", "\\r", "\\t"].map((escape) => [escape, " "]))

/** Decodes as UTF-8, or if that is not valid, byte by byte. */
const percentDecoded = (match: string): string => {
  try {
    return decodeURIComponent(match)
  } catch {
    return match.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  }
}

/** An HTML entity by number or name. An accented letter becomes its base letter, which is enough to recognise it. */
const entity = (name: string): string | undefined => {
  const [, hex, digits] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? []
  if (hex !== undefined || digits !== undefined) {
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  }
  const accented = /^([a-z])(?:acute|breve|caron|cedil|circ|dot|grave|macr|ogon|ring|slash|strok|tilde|uml)$/i.exec(
    name
  )
  return accented?.[1] ?? entities.get(name)
}

const entities = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["commat", "@"],
  ["gt", ">"],
  ["lt", "<"],
  ["lowbar", "_"],
  ["nbsp", " "],
  ["period", "."],
  ["plus", "+"],
  ["quot", '"'],
  ["szlig", "ss"]
])

// ---------------------------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------------------------

const patterns: ReadonlyArray<RegExp> = [
  // Tokens.
  /[A-Za-z0-9+/_=-]{41,}/g,
  // E-mail addresses, only from the start of a word: else a long word would be searched again from each letter.
  /(?<![^\s@<>])[^\s@<>]+@[^\s@<>]+/g,
  // Card and account numbers, including partly masked ones.
  /\d[\s._-]{0,2}(?:[\dxX*#•●×][\s._-]{0,2}){11,}[\dxX*#•●×]/g,
  /\d{6}[\s_-]?[.xX*#•●×]{3,}[\s_-]?\d{4}/g,
  /[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/g
]

const patternsIn = (level: Form): ReadonlyArray<Range> => {
  // Normalizes full-width characters and special spaces. The slice is for the few characters that expand to words.
  const form = replaced(level, /[^\0-\x7f]/gu, (character) => character.normalize("NFKC").slice(0, 4))
  return patterns.flatMap((pattern) =>
    Array.from(form.text.matchAll(pattern), ({ 0: match, index }) => rangeIn(form, index, match.length))
  )
}

/** The part that all spellings of a secret share: its digits, and its letters without accents and case. */
const essence = (text: string): Form =>
  replaced(replaced(asIs(text), /.\p{M}+|[^\0-\x7f]/gsu, unaccented), /[^\p{L}\p{N}]+|[A-Z]+/gu, (match) =>
    /^[A-Z]/.test(match) ? match.toLowerCase() : ""
  )

const unaccented = (character: string): string =>
  (lettersOfTheirOwn.get(character) ?? character).normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase()

/** Letters that Unicode does not decompose into a base letter and an accent. */
const lettersOfTheirOwn = new Map([
  ["ł", "l"],
  ["Ł", "l"],
  ["đ", "d"],
  ["Đ", "d"],
  ["ø", "o"],
  ["Ø", "o"]
])

interface Wanted {
  readonly text: string
  readonly spellings: ReadonlyArray<string>
}

const wantedOf = (secrets: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const texts = new Set<string>()
  for (const secret of secrets) {
    if (texts.size > maxSecrets) break
    for (const part of partsOf(secret.slice(0, maxQueued))) texts.add(part)
  }
  return [...texts].filter((text) => text.length > 2).map((text) => ({ text, spellings: spellings(text) }))
}

const partsOf = (secret: string): ReadonlyArray<string> =>
  secret.length <= longSecret ? [secret] : [secret, ...(secret.match(partPattern) ?? []), secret.slice(-partLength)]

const partPattern = new RegExp(`[^]{${partLength}}`, "g")

const secretsIn = (level: Form, secrets: ReadonlyArray<Wanted>): ReadonlyArray<Range> => {
  const form = essence(level.text)
  return secrets.flatMap(({ spellings, text }) => [
    ...(isDigits(text) ? [] : occurrences(level.text, text)).map((index) => rangeIn(level, index, text.length)),
    ...spellings.flatMap((spelling) =>
      occurrences(form.text, spelling).flatMap((index) => {
        const { end, start } = rangeIn(form, index, spelling.length)
        return spelling.length >= shortest || isWord(level.text, start, end) ? [rangeIn(level, start, end - start)] : []
      })
    )
  ])
}

/**
 * A part of a secret that has this length is found anywhere; a shorter one only where the text ends or continues with
 * an ellipsis.
 */
const shortestPart = 5
const shortestEnd = 3

/** The beginnings and ends of secrets that are cut off, unless they are words that the gateway itself uses. */
const partsIn = (level: Form, secrets: ReadonlyArray<Wanted>): ReadonlyArray<Range> => {
  const form = essence(level.text)
  return secrets.flatMap(({ spellings }) =>
    spellings
      .filter((spelling) => spelling.length > shortestPart && !isDigits(spelling))
      .flatMap((spelling) => [...beginningsIn(level, form, spelling), ...endsIn(level, form, spelling)])
      .filter(({ end, start }) => !isVocabulary(level.text.slice(start, end)))
      .map(({ end, start }) => rangeIn(level, start, end - start))
  )
}

const beginningsIn = (level: Form, form: Form, secret: string): ReadonlyArray<Range> =>
  occurrences(form.text, secret.slice(0, shortestEnd)).flatMap((index) => {
    let length = shortestEnd
    while (length < secret.length && form.text[index + length] === secret[length]) length++
    const { end, start } = rangeIn(form, index, length)
    const isCutOff = length >= shortestPart || /^\W{0,3}(?:…|\.{3}|$)/.test(level.text.slice(end))
    return isCutOff && isWordStart(level.text, start) ? [{ start, end: wordEnd(level.text, end) }] : []
  })

const endsIn = (level: Form, form: Form, secret: string): ReadonlyArray<Range> =>
  occurrences(form.text, secret.slice(-shortestPart)).flatMap((index) => {
    let length = shortestPart
    while (length < secret.length && index > 0 && form.text[index - 1] === secret.at(-length - 1)) {
      length++
      index--
    }
    const { end, start } = rangeIn(form, index, length)
    return isWordStart(level.text, end) ? [{ start: wordStart(level.text, start), end }] : []
  })

const letter = /[\p{L}\p{N}\p{M}]/u

/** Whether a position is not within a word. */
const isWordStart = (text: string, at: number): boolean =>
  !letter.test(text[at - 1] ?? " ") || !letter.test(text[at] ?? " ")

const wordEnd = (text: string, from: number): number => {
  let end = from
  while (letter.test(text[end] ?? " ")) end++
  return end
}

const wordStart = (text: string, from: number): number => {
  let start = from
  while (letter.test(text[start - 1] ?? " ")) start--
  return start
}

/** The words in the gateway's own names and meanings of codes, and in this package's messages about them. */
const vocabulary = (): ReadonlySet<string> =>
  (knownWords ??= new Set(
    Object.values(ErrorCodes).flatMap(
      ({ meaning, name }) => `${name ?? ""} ${meaning}`.toLowerCase().match(/[a-z]+/g) ?? []
    )
  ))
let knownWords: ReadonlySet<string> | undefined

const isVocabulary = (text: string): boolean => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.every((word) => vocabulary().has(word))
}

/** Letters that are neither English, Czech nor Slovak, as in text with a wrong encoding. */
const strange = /[^\0-\x7f\p{M}\p{P}\p{S}\p{Z}áčďéěíĺľňóôŕřšťúůýžÁČĎÉĚÍĽŇÓŘŠŤÚŮÝŽä]|\ufffd/u

const strangeWordsIn = (level: Form): ReadonlyArray<Range> =>
  strange.test(level.text)
    ? Array.from(level.text.matchAll(/\S+/g)).flatMap(({ 0: word, index }) =>
        strange.test(word) ? [rangeIn(level, index, word.length)] : []
      )
    : []

/**
 * A shorter spelling has to be a word, a part of one, or whole words: otherwise it would match across words everywhere.
 */
const shortest = 6

const isWord = (text: string, start: number, end: number): boolean => {
  const found = text.slice(start, end)
  const isWithinWord = !/[^\p{L}\p{N}\p{M}]/u.test(found) && !isDigits(found)
  return isWithinWord || !/^[\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}][\p{L}\p{N}]$/u.test(edges(text, start, end))
}

const isDigits = (text: string): boolean => /^\d+$/.test(text)

/** The characters on both sides of the start, and of the end. */
const edges = (text: string, start: number, end: number): string =>
  `${text[start - 1] ?? " "}${text[start] ?? " "} ${text[end - 1] ?? " "}${text[end] ?? " "}`

/** The essences of a secret, and for a phone number its digits without the country code. */
const spellings = (secret: string): ReadonlyArray<string> => {
  const essences = decodings(asIs(secret)).map((level) => essence(level.text).text)
  const [digits = ""] = essences
  const national = /^\s*(?:\+|00)/.test(secret) && /^\d{10,}$/.test(digits) ? [digits.slice(-9)] : []
  return [...new Set([...essences, ...national])].filter((spelling) => spelling.length > 2)
}

const occurrences = (text: string, wanted: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let index = text.indexOf(wanted); index >= 0; index = text.indexOf(wanted, index + wanted.length)) {
    found.push(index)
  }
  return found
}
