/**
 * The bytes of a file as text.
 */
import { StatementError } from "./StatementError.js"

/** The most that is read of a file, in bytes. A year of a busy shop has a tenth of it. */
export const maxBytes = 16 * 1024 * 1024

/** The most that is read of a spreadsheet once it is unpacked, in bytes. */
export const maxUnpackedBytes = 64 * 1024 * 1024

/** The most movements that are read of a file. */
export const maxMovements = 200_000

/** A limit in bytes, as a message names it. */
export const bytesText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MiB` : `${bytes} bytes`

export const tooLarge = (what: string): StatementError =>
  new StatementError({
    reason: {
      _tag: "StatementTooLarge",
      message: `The file has more than ${what}. Order a shorter span of days, or raise the limit.`
    }
  })

/** The encoding that an XML declaration names. */
const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 100))
  return /^<\?xml[^>]*\bencoding=["']([\w-]{1,20})["']/.exec(head)?.[1]
}

/** The characters of cp852 from 0x80 on: MS-DOS wrote Czech so, and some programs for banks still do. No decoder has it. */
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

/** How many letters of Czech and Slovak a text has, beyond ASCII. */
const lettersIn = (text: string): number => text.match(/[áčďéěíňóřšťúůýžäôľĺŕ]/giu)?.length ?? 0

/** A file's text, and how it was decoded. A byte order mark is left out. */
export interface DecodedText {
  readonly text: string
  readonly encoding: string
  /** `file`: by its mark or declaration, or since it is valid UTF-8. `option`: as the caller says. */
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

const guessed = (bytes: Uint8Array): DecodedText => {
  const windows = new TextDecoder("windows-1250").decode(bytes)
  const dos = fromCp852(bytes)
  return lettersIn(dos) > lettersIn(windows)
    ? { text: dos, encoding: "cp852", by: "guess" }
    : { text: windows, encoding: "windows-1250", by: "guess" }
}

/** The text of a file: by its mark or declaration, else as the caller says, else as UTF-8, else by its Czech letters. */
export const decoded = (bytes: Uint8Array, encoding?: string): DecodedText => {
  const own = byteOrderMark(bytes) ?? declaredEncoding(bytes)?.toLowerCase()
  for (const [label, by] of [
    [own, "file"],
    [encoding, "option"],
    ["utf-8", "file"]
  ] as const) {
    const text = label === undefined ? undefined : decodedAs(bytes, label)
    if (label !== undefined && text !== undefined) return { text, encoding: label, by }
  }
  return guessed(bytes)
}

/** The text of a file of which nothing more is to be said. */
export const textOf = (bytes: Uint8Array): string => decoded(bytes).text

/** Whether a label is one that `decoded` knows. */
export const isEncoding = (label: string): boolean => label === "cp852" || decoderOf(label) !== undefined
