/**
 * The bytes of a file as text.
 */
import { isAbo, shiftedRecords } from "./AboRecord.js"

/** The largest file that is read, in bytes. A busy shop's year has a tenth of it. */
export const maxBytes = 16 * 1024 * 1024

/** The largest unpacked spreadsheet that is read, in bytes. */
export const maxUnpackedBytes = 64 * 1024 * 1024

/** The most movements of a file that are read. */
export const maxMovements = 200_000

/** The limits on a file. */
export interface Limits {
  readonly maxBytes: number
  readonly maxMovements: number
}

/** The encoding that an XML declaration names. */
const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 100))
  return /^<\?xml[^>]*\bencoding=["']([\w-]{1,20})["']/.exec(head)?.[1]
}

/**
 * The characters of cp852 from 0x80 on: the Czech encoding of MS-DOS, which some banking programs still use. No
 * built-in decoder supports it.
 */
const cp852 =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0"

const fromCp852 = (bytes: Uint8Array): string => {
  const characters = Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (cp852[byte - 0x80] ?? "")))
  return characters.join("")
}

const decoderOf = (label: string): TextDecoder | undefined => {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return undefined
  }
}

const byteOrderMark = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

/** The number of Czech and Slovak letters beyond ASCII in a text. */
const lettersIn = (text: string): number => text.match(/[áčďéěíňóřšťúůýžäôľĺŕ]/giu)?.length ?? 0

/** A file's text, and how it was decoded. A byte order mark is left out. */
export interface DecodedText {
  readonly text: string
  readonly encoding: string
  /** `file`: from a byte order mark or a declaration, or because it is valid UTF-8. `option`: from the caller. */
  readonly by: "file" | "option" | "guess"
}

const decodedAs = (bytes: Uint8Array, encoding: string): string | undefined => {
  if (encoding === "cp852") return fromCp852(bytes)
  try {
    return decoderOf(encoding)?.decode(bytes)
  } catch {
    return undefined
  }
}

const windows1250 = new TextDecoder("windows-1250").decode(Uint8Array.from({ length: 128 }, (_, index) => 128 + index))

/**
 * The characters beyond ASCII that occur in statements: those of windows-1250, and spaces and a minus sign that it
 * lacks.
 */
const usual = new Set(Array.from(`${windows1250}\u2007\u2009\u202f\u2212`))

/** A name in another script: several such letters in a row. */
const foreignNames = /[^\p{Script=Latin}\P{L}]{3,}/gu

/** The number of characters beyond ASCII that hardly occur in a statement. */
const unusualIn = (text: string): number =>
  (text.replace(foreignNames, "").match(/[^\0-\u007f]/gu) ?? []).filter((character) => !usual.has(character)).length

/** Whether each character beyond ASCII is a Czech or Slovak letter, and no capital follows a small letter. */
const isNaturalCzech = (text: string): boolean =>
  (text.match(/[^\0-\u007f]/g)?.length ?? 0) === lettersIn(text) &&
  !(text.match(/\p{L}*[^\0-\u007f]\p{L}*/gu) ?? []).some((word) => /\p{Ll}\p{Lu}/u.test(word))

/**
 * Whether a text that is valid UTF-8 was probably written as windows-1250: `ÍŠ` is valid UTF-8 for a single odd
 * character. Records of a fixed length prove it; otherwise the letters and their neighbours decide.
 */
const isByChance = (utf8: string, asWindows: () => string): boolean => {
  if (isAbo(utf8)) return shiftedRecords(utf8) > 0 && shiftedRecords(asWindows()) < shiftedRecords(utf8)
  return unusualIn(utf8) > lettersIn(utf8) && isNaturalCzech(asWindows())
}

const guessed = (bytes: Uint8Array): DecodedText => {
  const asWindows = (): string => new TextDecoder("windows-1250").decode(bytes)
  const utf8 = decodedAs(bytes, "utf-8")
  if (utf8 !== undefined) {
    return isByChance(utf8, asWindows)
      ? { text: asWindows(), encoding: "windows-1250", by: "guess" }
      : { text: utf8, encoding: "utf-8", by: "file" }
  }
  const [dos, windows] = [fromCp852(bytes), asWindows()]
  return lettersIn(dos) > lettersIn(windows)
    ? { text: dos, encoding: "cp852", by: "guess" }
    : { text: windows, encoding: "windows-1250", by: "guess" }
}

/**
 * Decodes a file: by its byte order mark or declaration, else with the caller's encoding, else as UTF-8, else by its
 * Czech letters.
 */
export const decoded = (bytes: Uint8Array, encoding?: string): DecodedText => {
  const own = byteOrderMark(bytes) ?? declaredEncoding(bytes)?.toLowerCase()
  for (const [label, by] of [
    [own, "file"],
    [encoding, "option"]
  ] as const) {
    const text = label === undefined ? undefined : decodedAs(bytes, label)
    if (label !== undefined && text !== undefined) return { text, encoding: label, by }
  }
  return guessed(bytes)
}

/** The text of a file, if nothing has to be said about its encoding. */
export const decodedText = (bytes: Uint8Array): string => decoded(bytes).text

/** Whether a label is one that `decoded` knows. */
export const isEncoding = (label: string): boolean => label === "cp852" || decoderOf(label) !== undefined
