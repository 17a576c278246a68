/**
 * The bytes of a file as text.
 */
import { StatementError } from "./StatementError.plain.js"

/** The most that is read of a file, in bytes. A year of a busy shop has a tenth of it. */
export const maxBytes = 16 * 1024 * 1024

/** The most that is read of a spreadsheet once it is unpacked, in bytes. */
export const maxUnpackedBytes = 64 * 1024 * 1024

/** The most movements that are read of a file. */
export const maxMovements = 200_000

/** A limit in bytes, as a message names it. */
export const bytesText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MiB` : `${bytes} bytes`

/** A file beyond a limit. */
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

const decoderOf = (label: string): TextDecoder | undefined => {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return undefined
  }
}

const byteOrderMark = ([first, second]: Uint8Array): string | undefined => {
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

/** The text of a file: by its mark or declaration, else UTF-8, else windows-1250. A byte order mark is left out. */
export const textOf = (bytes: Uint8Array): string => {
  const label = byteOrderMark(bytes) ?? declaredEncoding(bytes) ?? "utf-8"
  try {
    return (decoderOf(label) ?? new TextDecoder("utf-8", { fatal: true })).decode(bytes)
  } catch {
    return new TextDecoder("windows-1250").decode(bytes)
  }
}
